#include "arena/report/drawing.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include <boost/json.hpp>

#include "engine/rules/board.hpp"
#include "engine/rules/catalogue.hpp"
#include "engine/rules/graph.hpp"
#include "engine/rules/hackenbush.hpp"
#include "protocol/scanner.hpp"

namespace arena::pages {
namespace {

namespace json = boost::json;
using protocol::Heap;
using protocol::Number;

// Larger drawings do not help.
constexpr Number kMostStones = 64;
constexpr Number kMostOnBoard = 25;
constexpr std::size_t kMostEntries = 24;
constexpr std::size_t kMostVertices = 40;
constexpr std::size_t kMostCells = 400;
constexpr std::size_t kMostEdges = 160;
constexpr std::size_t kMostNames = 1000;  // bytes of all names of vertices
constexpr std::size_t kMostBits = 63;     // of a heap of a game on a graph, as rules have it

json::object text() { return {{"kind", "text"}}; }

json::object draw_number(std::string_view kind, Number count) {
    if (count > kMostStones) return text();
    if (kind == "squares") return {{"kind", "row"}, {"count", count}, {"squares", true}};
    return {{"kind", kind}, {"count", count}};
}

json::object draw_entries(std::string_view kind, const std::vector<Number>& entries) {
    const auto is_large = [](Number entry) { return entry > kMostStones; };
    if (entries.size() > kMostEntries || std::ranges::any_of(entries, is_large)) return text();
    return {{"kind", kind}, {"entries", json::array(entries.begin(), entries.end())}};
}

json::object draw_board(const std::vector<Number>& entries) {
    if (entries.size() != 2 || std::max(entries[0], entries[1]) > kMostOnBoard) return text();
    return {{"kind", "board"}, {"x", entries[0]}, {"y", entries[1]}};
}

json::object draw_graph(const protocol::RulesetText& ruleset, const protocol::Vertex& at) {
    const auto found = engine::find_ruleset(ruleset);
    const auto digraph =
        found ? engine::shape_as<engine::shape::Digraph>(**found) : std::nullopt;
    if (!digraph) return text();
    const engine::Digraph& graph = digraph->graph;
    const auto here = graph.find(at.name);
    if (!here || graph.vertex_count() > kMostVertices || graph.edge_count() > kMostEdges) {
        return text();
    }
    std::size_t bytes = 0;
    for (engine::Digraph::Index v = 0; v < graph.vertex_count(); ++v) {
        bytes += graph.name(v).size();
    }
    if (bytes > kMostNames) return text();
    json::array vertices, edges;
    for (engine::Digraph::Index from = 0; from < graph.vertex_count(); ++from) {
        vertices.emplace_back(graph.name(from));
        for (const auto to : graph.targets(from)) edges.push_back(json::array{from, to});
    }
    return {{"kind", "graph"},
            {"vertices", std::move(vertices)},
            {"edges", std::move(edges)},
            {"at", *here}};
}

// A graph without direction of which a heap is a part: the number has a bit for each vertex, or
// under hackenbush for each edge.
struct Links {
    engine::WrittenGraph written;
    std::string_view ruleset;
    Number bits;

    bool has_edges() const { return ruleset == "hackenbush"; }
    bool has(std::size_t bit) const { return (bits >> bit & 1) != 0; }
    bool has_edge(std::size_t edge) const {
        const auto [from, to] = written.edges[edge];
        return has_edges() ? has(edge) : has(from) && has(to);
    }
};

// Nullopt if the heap cannot be such a part: positions of records were not checked.
std::optional<Links> find_links(const protocol::RulesetText& ruleset, const Heap& heap) {
    const auto* bits = std::get_if<Number>(&heap);
    const std::size_t brace = ruleset.text.find('{');
    if (bits == nullptr || brace == std::string::npos) return std::nullopt;
    protocol::Scanner scanner(std::string_view(ruleset.text).substr(brace + 1));
    auto written = engine::read_written_graph(scanner);
    if (!written) return std::nullopt;
    Links links{*std::move(written), ruleset.name(), *bits};
    const std::size_t all =
        links.has_edges() ? links.written.edges.size() : links.written.graph.vertex_count();
    if (all > kMostBits || links.written.graph.vertex_count() > 2 * kMostBits) {
        return std::nullopt;
    }
    return links;
}

std::string part_key(char kind, std::size_t index) { return kind + std::to_string(index); }

json::object draw_links(const std::optional<Links>& links) {
    if (!links) return text();
    const engine::Digraph& graph = links->written.graph;
    const std::size_t count = graph.vertex_count();
    if (links->written.edges.size() > kMostEdges) return text();
    json::array vertices, edges, vertices_left, edges_left;
    std::size_t bytes = 0;
    std::vector<bool> is_left(count);
    for (std::size_t edge = 0; edge < links->written.edges.size(); ++edge) {
        const auto [from, to] = links->written.edges[edge];
        edges.push_back(json::array{from, to});
        if (!links->has_edge(edge)) continue;
        edges_left.emplace_back(edge);
        is_left[from] = is_left[to] = true;
    }
    const std::size_t ground = links->has_edges() ? graph.find("ground").value_or(0) : count;
    for (std::size_t v = 0; v < count; ++v) {
        const auto name = graph.name(static_cast<engine::Digraph::Index>(v));
        bytes += name.size();
        vertices.emplace_back(name);
        if (links->has_edges() ? is_left[v] || v == ground : links->has(v)) {
            vertices_left.emplace_back(v);
        }
    }
    if (bytes > kMostNames) return text();
    json::object drawing{{"kind", "links"},
                         {"vertices", std::move(vertices)},
                         {"edges", std::move(edges)},
                         {"vertices_left", std::move(vertices_left)},
                         {"edges_left", std::move(edges_left)},
                         {"ground", nullptr}};
    if (ground < count) drawing["ground"] = ground;
    return drawing;
}

// The moves of games on graphs, by what is left of the heap.
class LinkMoves {
  public:
    explicit LinkMoves(const Links& links)
        : links_(links), neighbours_(links.written.graph.vertex_count()) {
        const auto& [graph, edges] = links.written;
        if (links.has_edges()) {
            picture_.emplace(graph.vertex_count(), edges, graph.find("ground").value_or(0));
            return;
        }
        for (const auto [from, to] : edges) {
            neighbours_[from] |= Number{1} << to;
            neighbours_[to] |= Number{1} << from;
        }
    }

    void add(std::size_t move, const std::vector<Heap>& result, json::array& list) const {
        Number left = 0;
        for (const Heap& part : result) {
            const auto* bits = std::get_if<Number>(&part);
            if (bits == nullptr) return;  // no move of this game
            left |= *bits;
        }
        const Number gone = links_.bits & ~left;
        const auto add_press = [&](char kind, std::size_t index) {
            list.push_back(json::object{{"move", move},
                                        {"press", json::array{part_key(kind, index)}},
                                        {"gone", keys_of(gone)}});
        };
        if (links_.ruleset == "node-kayles") {
            for (std::size_t v = 0; v < neighbours_.size(); ++v) {
                const Number with = neighbours_[v] | Number{1} << v;
                if (links_.has(v) && (with & links_.bits) == gone) add_press('v', v);
            }
            return;
        }
        for (std::size_t edge = 0; edge < links_.written.edges.size(); ++edge) {
            if (links_.has_edge(edge) && is_made_by(edge, gone, left)) add_press('e', edge);
        }
    }

  private:
    bool is_made_by(std::size_t edge, Number gone, Number left) const {
        const auto [from, to] = links_.written.edges[edge];
        if (!links_.has_edges()) return gone == (Number{1} << from | Number{1} << to);
        const auto cut = static_cast<engine::Picture::Edge>(edge);
        return picture_->cut({&links_.bits, 1}, cut) == engine::Picture::Edges{left};
    }

    // With the edges of vertices that go.
    json::array keys_of(Number gone) const {
        json::array keys;
        const auto is_gone = [&](std::size_t bit) { return (gone >> bit & 1) != 0; };
        for (std::size_t v = 0; !links_.has_edges() && v < neighbours_.size(); ++v) {
            if (is_gone(v)) keys.emplace_back(part_key('v', v));
        }
        for (std::size_t edge = 0; edge < links_.written.edges.size(); ++edge) {
            const auto [from, to] = links_.written.edges[edge];
            const bool goes = links_.has_edges() ? is_gone(edge) : is_gone(from) || is_gone(to);
            if (links_.has_edge(edge) && goes) keys.emplace_back(part_key('e', edge));
        }
        return keys;
    }

    const Links& links_;
    std::vector<Number> neighbours_;          // of each vertex
    std::optional<engine::Picture> picture_;  // of hackenbush
};

// The places of dominoes, from the board's lower left corner.
json::array touched_cells(const engine::Board& board,
                          std::span<const std::vector<Heap>> moves) {
    std::map<std::vector<Heap>, std::size_t> numbers;
    for (std::size_t move = 0; move < moves.size(); ++move) numbers.emplace(moves[move], move);
    const auto key = [&](std::size_t cell) {
        const std::size_t row = board.rows() - 1 - cell / board.width;
        return json::value("c" + std::to_string(cell % board.width) + "," +
                           std::to_string(row));
    };
    json::array list;
    for (std::size_t cell = 0; cell < board.cells.size(); ++cell) {
        for (const std::size_t next : {cell + 1, cell + board.width}) {
            if (!board.is_free(cell) || !board.is_free(next)) continue;
            const auto found = numbers.find(engine::after_domino(board, cell, next));
            if (found == numbers.end()) continue;
            const json::array domino{key(cell), key(next)};
            list.push_back(
                json::object{{"move", found->second}, {"press", domino}, {"gone", domino}});
        }
    }
    return list;
}

}  // namespace

json::array touched_parts(const protocol::RulesetText& ruleset, const Heap& heap,
                          std::span<const std::vector<Heap>> moves) {
    if (ruleset.name() == "cram") {
        const auto board = engine::as_board(heap);  // of a record it may be none
        if (!board || board->cells.size() > kMostCells) return {};
        return touched_cells(*board, moves);
    }
    json::array list;
    if (drawing_kind(ruleset.name()) != "links") return list;
    const auto links = find_links(ruleset, heap);
    // More are not drawn.
    if (!links || links->written.edges.size() > kMostEdges) return list;
    const LinkMoves linked(*links);
    for (std::size_t move = 0; move < moves.size(); ++move) linked.add(move, moves[move], list);
    return list;
}

std::string_view drawing_kind(std::string_view ruleset_name) {
    const auto* guide = engine::find_guide(ruleset_name);
    return guide == nullptr ? "entries" : guide->drawing;
}

json::object drawing_of(const protocol::RulesetText& ruleset, const Heap& heap) {
    const std::string_view kind = drawing_kind(ruleset.name());
    if (const auto* vertex = std::get_if<protocol::Vertex>(&heap)) {
        if (kind == "cells" && vertex->name.size() <= kMostCells) return {{"kind", "cells"}};
        return kind == "graph" ? draw_graph(ruleset, *vertex) : text();
    }
    if (kind == "links") return draw_links(find_links(ruleset, heap));
    const auto* number = std::get_if<Number>(&heap);
    const auto* tuple = std::get_if<protocol::Tuple>(&heap);
    if (number == nullptr && tuple == nullptr) return text();
    const auto entries = number != nullptr ? std::vector<Number>{*number} : tuple->entries;
    if (kind == "board") return draw_board(entries);
    if (ruleset.name() == "rules" && entries.size() == 2) {
        json::object drawing = draw_board(entries);
        // Moves may exchange the numbers, so the board is a square.
        drawing["size"] = std::max(entries[0], entries[1]) + 1;
        if (drawing.at("kind") == "board") return drawing;
    }
    if (kind == "cookies" || kind == "entries" || kind == "bar" || kind == "strip") {
        return draw_entries(kind, entries);
    }
    return number != nullptr ? draw_number(kind, *number) : text();
}

}  // namespace arena::pages
