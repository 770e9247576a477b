#include "engine/rules/hackenbush.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <string>

#include "engine/rules/catalogue.hpp"
#include "engine/rules/entries.hpp"

namespace engine {

using protocol::Scanner;

// ---- the picture ----

namespace {

// Goes along edges as far as they lead without passing the ground.
class Walk {
  public:
    Walk(const Picture& picture, Picture::EdgesView edges)
        : picture_(picture),
          edges_(edges),
          reached_(edges.size()),
          is_found_(picture.vertex_count()) {
        is_found_[picture.ground()] = true;
    }

    // From the ground along an edge at it. Calls `visit` with each edge that was not reached
    // before.
    template <typename Visit>
    void along(Picture::Edge edge, Visit visit) {
        take(edge, picture_.ground(), visit);
        while (!open_.empty()) {
            const Picture::Vertex vertex = open_.back();
            open_.pop_back();
            for (const Picture::Edge next : picture_.at(vertex)) take(next, vertex, visit);
        }
    }
    void along_all() {
        for (const Picture::Edge edge : picture_.at(picture_.ground())) {
            along(edge, [](Picture::Edge) {});
        }
    }

    bool has_found(Picture::Vertex vertex) const { return is_found_[vertex]; }
    const Picture::Edges& reached() const { return reached_; }

  private:
    template <typename Visit>
    void take(Picture::Edge edge, Picture::Vertex vertex, Visit visit) {
        if (!Picture::has(edges_, edge) || Picture::has(reached_, edge)) return;
        Picture::flip(reached_, edge);
        visit(edge);
        const Picture::Vertex other = picture_.across(edge, vertex);
        if (is_found_[other]) return;
        is_found_[other] = true;
        open_.push_back(other);
    }

    const Picture& picture_;
    Picture::EdgesView edges_;
    Picture::Edges reached_;
    std::vector<bool> is_found_;  // by vertex
    std::vector<Picture::Vertex> open_;
};

}  // namespace

Picture::Picture(std::size_t vertices, std::vector<Digraph::Edge> edges, Vertex ground)
    : edges_(std::move(edges)), first_(vertices + 1), at_(2 * edges_.size()), ground_(ground) {
    for (const auto& [from, to] : edges_) ++first_[from], ++first_[to];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    for (std::size_t i = edges_.size(); i-- > 0;) {
        at_[--first_[edges_[i].from]] = at_[--first_[edges_[i].to]] = static_cast<Edge>(i);
    }
}

std::size_t Picture::bytes() const {
    return sizeof *this + edges_.capacity() * sizeof edges_[0] +
           first_.capacity() * sizeof first_[0] + at_.capacity() * sizeof(Edge);
}

Picture::Edges Picture::all() const {
    Edges all(std::max<std::size_t>(1, (edges_.size() + kBits - 1) / kBits),
              protocol::kMaxNumber);
    all.back() >>= all.size() * kBits - edges_.size();
    return all;
}

std::vector<Picture::Edge> Picture::list(EdgesView edges) {
    std::vector<Edge> list;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        for (Number left = edges[i]; left != 0; left &= left - 1) {
            const auto bit = static_cast<std::size_t>(std::countr_zero(left));
            list.push_back(static_cast<Edge>(i * kBits + bit));
        }
    }
    return list;
}

Picture::Edges Picture::hanging(EdgesView edges) const {
    Walk walk(*this, edges);
    walk.along_all();
    return walk.reached();
}

Picture::Edges Picture::cut(EdgesView edges, Edge edge) const {
    Edges left(edges.begin(), edges.end());
    flip(left, edge);
    return hanging(left);
}

// Of the edges that are gone, only the one that was cut touches what is left: another one would
// hang there still.
std::optional<Picture::Edge> Picture::cut_between(EdgesView edges, EdgesView left) const {
    Edges gone(edges.size());
    for (std::size_t i = 0; i < edges.size(); ++i) {
        if ((left[i] & ~edges[i]) != 0) return std::nullopt;
        gone[i] = edges[i] & ~left[i];
    }
    Walk walk(*this, left);
    walk.along_all();
    if (!std::ranges::equal(walk.reached(), left)) return std::nullopt;
    auto touching = list(gone);
    std::erase_if(touching, [&](Edge edge) {
        const auto [from, to] = edges_[edge];
        return !walk.has_found(from) && !walk.has_found(to);
    });
    return touching.size() == 1 ? std::optional(touching.front()) : std::nullopt;
}

std::vector<std::vector<Picture::Edge>> Picture::parts(EdgesView edges) const {
    std::vector<std::vector<Edge>> parts;
    Walk walk(*this, edges);
    for (const Edge first : at(ground_)) {
        std::vector<Edge> part;
        walk.along(first, [&](Edge edge) { part.push_back(edge); });
        if (!part.empty()) parts.push_back(std::move(part));
    }
    return parts;
}

// ---- the ruleset ----

Result<void> Hackenbush::check_heap(const Heap& heap) const {
    const Picture::Edges all = picture_.all();
    const auto is_edges = [&](Picture::EdgesView edges) {
        return std::ranges::equal(edges, all,
                                  [](Number some, Number most) { return (some & ~most) == 0; });
    };
    if (!has_entries(heap) || !is_edges(entries_of(heap))) {
        const std::string most = std::to_string(all.back());
        return refuse_heap(
            heap, all.size() == 1
                      ? "a number up to " + most +
                            ": bit i of a heap of hackenbush says that edge i is there"
                      : "a tuple of " + std::to_string(all.size()) +
                            " numbers, the last up to " + most +
                            ": bit i of number j, from 0, of a heap of hackenbush says that "
                            "edge 63j+i is there");
    }
    const Picture::EdgesView edges = entries_of(heap);
    const Picture::Edges hanging = picture_.hanging(edges);
    if (std::ranges::equal(hanging, edges)) return {};
    const auto listed = Picture::list(edges);
    const Picture::Edge loose = *std::ranges::find_if(
        listed, [&](Picture::Edge edge) { return !Picture::has(hanging, edge); });
    const auto [from, to] = picture_.edge(loose);
    return refuse_heap(heap, "edges that hang on the ground: edge " + std::to_string(loose) +
                                 ", " + std::string(graph_.name(from)) + "->" +
                                 std::string(graph_.name(to)) + ", does not");
}

bool Hackenbush::has_move(const Heap& heap) const {
    return std::ranges::any_of(entries_of(heap), [](Number edges) { return edges != 0; });
}

bool Hackenbush::is_follower(const Heap& heap, std::span<const Heap> result) const {
    const Heap* to = as_changed(heap, result);
    return to != nullptr && picture_.cut_between(entries_of(heap), entries_of(*to));
}

// Play in one part does not touch the others.
std::optional<std::vector<Heap>> Hackenbush::reduced(const Heap& heap, Convention) const {
    constexpr std::size_t kMostNumbers = 1 << 16;  // of all heaps
    const Picture::EdgesView edges = entries_of(heap);
    const auto parts = picture_.parts(edges);
    if (parts.size() * edges.size() > kMostNumbers) return std::nullopt;
    std::vector<Heap> heaps;
    for (const auto& part : parts) {
        Picture::Edges of_part(edges.size());
        for (const Picture::Edge edge : part) Picture::flip(of_part, edge);
        heaps.push_back(heap_with(std::move(of_part)));
    }
    return heaps;
}

// No two cuts leave the same: of two edges that both fall, one hangs on the other.
Count Hackenbush::follower_count(const Heap& heap) const {
    Count count = 0;
    for (const Number edges : entries_of(heap)) {
        count += static_cast<Count>(std::popcount(edges));
    }
    return count;
}

std::vector<Heap> Hackenbush::follower(const Heap& heap, Count index) const {
    const Picture::EdgesView edges = entries_of(heap);
    return {heap_with(picture_.cut(edges, Picture::list(edges)[index]))};
}

Count Hackenbush::work(const Heap& heap) const {
    constexpr Count kSteps = 40;  // for an edge or a vertex
    if (picture_.is_small()) return 0;
    return kSteps * (entries_of(heap).size() * Picture::kBits + picture_.vertex_count());
}

FoundRuleset read_hackenbush(Scanner& scanner) {
    constexpr std::string_view kGround = "ground";
    const std::size_t at = scanner.at();
    auto written = read_written_graph(scanner);
    if (!written) return written.error();
    const auto ground = written->graph.find(kGround);
    if (!ground) {
        return Error{Fault::BadInput,
                     "read a graph without the vertex 'ground', expected edges that hang on it",
                     at + 1};
    }
    const std::size_t vertices = written->graph.vertex_count();
    return FoundRuleset(std::make_shared<Hackenbush>(
        std::move(written->graph), Picture(vertices, std::move(written->edges), *ground)));
}

}  // namespace engine
