#include "arena/web/drawing.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <boost/json.hpp>

#include "engine/rules/catalogue.hpp"
#include "engine/rules/graph.hpp"

namespace arena::web {
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

// All other rulesets are drawn as entries and played by a list.
constexpr std::array kKinds{
    std::pair{"nim", "pile"},         std::pair{"take", "pile"},
    std::pair{"octal", "row"},        std::pair{"hex", "row"},
    std::pair{"kayles", "row"},       std::pair{"dawson-kayles", "row"},
    std::pair{"dawson-chess", "row"}, std::pair{"treblecross", "row"},
    std::pair{"officers", "row"},     std::pair{"lasker", "split"},
    std::pair{"grundy", "split"},     std::pair{"wythoff", "board"},
    std::pair{"cookie", "cookies"},   std::pair{"graph", "graph"},
    std::pair{"cram", "cells"},       std::pair{"notakto", "cells"},
    std::pair{"node-kayles", "text"}, std::pair{"arc-kayles", "text"},
    std::pair{"hackenbush", "text"},
};

json::object text() { return {{"kind", "text"}}; }

json::object draw_number(const char* kind, Number count) {
    if (count > kMostStones) return text();
    return {{"kind", kind}, {"count", count}};
}

json::object draw_entries(const char* kind, const std::vector<Number>& entries) {
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

}  // namespace

const char* drawing_kind(std::string_view ruleset_name) {
    const auto row = std::ranges::find(
        kKinds, ruleset_name, [](const auto& kind) { return std::string_view(kind.first); });
    return row == kKinds.end() ? "entries" : row->second;
}

json::object drawing_of(const protocol::RulesetText& ruleset, const Heap& heap) {
    const std::string_view kind = drawing_kind(ruleset.name());
    if (const auto* vertex = std::get_if<protocol::Vertex>(&heap)) {
        if (kind == "cells" && vertex->name.size() <= kMostCells) return {{"kind", "cells"}};
        return kind == "graph" ? draw_graph(ruleset, *vertex) : text();
    }
    if (kind == "text") return text();
    const auto* number = std::get_if<Number>(&heap);
    const auto* tuple = std::get_if<protocol::Tuple>(&heap);
    if (number == nullptr && tuple == nullptr) return text();
    const auto entries = number != nullptr ? std::vector<Number>{*number} : tuple->entries;
    if (kind == "board") return draw_board(entries);
    if (kind == "cookies" || kind == "entries") return draw_entries(kind.data(), entries);
    return number != nullptr ? draw_number(kind.data(), *number) : text();
}

}  // namespace arena::web
