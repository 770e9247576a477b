// hackenbush: nimbers by the colon and the fusion principle (Winning Ways, chapters 2 and 7).
#include <algorithm>
#include <vector>

#include "engine/base/memory.hpp"
#include "engine/heaps/heap_solver.hpp"
#include "engine/heaps/solvers.hpp"
#include "engine/rules/entries.hpp"
#include "engine/rules/hackenbush.hpp"

namespace engine {
namespace {

// The values of what stands on each vertex, by one depth-first walk. The vertices of a cycle
// can be fused, and its edges become loops, each worth a stalk of one edge; an edge on no cycle
// is worth 1 more than what stands on its upper end. All that stands on one vertex adds up as
// nimbers. Linear in the picture.
class PictureValues {
  public:
    static constexpr std::size_t kVertexBytes = 64;  // of memory, for each vertex

    PictureValues(const Picture& picture, Picture::EdgesView edges)
        : picture_(picture), edges_(edges), places_(picture.vertex_count()) {
        found_.reserve(picture.vertex_count() + 1);
        walk();
        for (std::size_t place = found_.size(); --place > 0;) add_up(place);
    }

    std::uint64_t value() const { return found_[1].value; }

    // The edges on no cycle whose cut gives the picture this value, which it does not have.
    std::vector<Picture::Edge> cuts_to(std::uint64_t wanted) const {
        std::vector<Picture::Edge> cuts;
        // How what stands on a vertex would have to change; 0: no cut above does it.
        std::vector<std::uint64_t> changes(found_.size());
        changes[1] = value() ^ wanted;
        for (std::size_t place = 2; place < found_.size(); ++place) {
            const Found& found = found_[place];
            const std::uint64_t change = changes[found.below];
            if (change == 0) continue;
            if (found.is_on_cycle()) {
                changes[place] = change;
                continue;
            }
            const std::uint64_t left = (found.value + 1) ^ change;
            if (left == 0) cuts.push_back(found.edge);
            if (left != 0) changes[place] = found.value ^ (left - 1);
        }
        return cuts;
    }

    std::vector<Picture::Edge> edges_on_cycles() const {
        Picture::Edges rest(edges_.begin(), edges_.end());
        for (std::size_t place = 2; place < found_.size(); ++place) {
            if (!found_[place].is_on_cycle()) Picture::flip(rest, found_[place].edge);
        }
        return Picture::list(rest);
    }

  private:
    using Place = std::uint32_t;  // of a vertex in the walk, from 1

    struct Found {
        Picture::Vertex vertex = 0;
        Place below = 0;         // 0: it is the ground
        Picture::Edge edge = 0;  // by which the walk came from below
        Place earliest = 0;      // of the places to which edges lead back from here and above
        std::uint64_t value = 0;

        bool is_on_cycle() const { return earliest <= below; }  // the edge
    };

    void walk() {
        std::vector<std::uint32_t> looked_at(found_.size());  // how many edges, by place
        const auto come_to = [&](Picture::Vertex vertex, Place below, Picture::Edge edge) {
            const auto place = places_[vertex] = static_cast<Place>(found_.size());
            found_.push_back({vertex, below, edge, place, 0});
            looked_at.push_back(0);
            return place;
        };
        for (Place at = come_to(picture_.ground(), 0, 0); at != 0;) {
            const Picture::Vertex vertex = found_[at].vertex;
            const auto edges = picture_.at(vertex);
            if (looked_at[at] == edges.size()) {
                at = found_[at].below;
                continue;
            }
            const Picture::Edge edge = edges[looked_at[at]++];
            const Picture::Vertex other = picture_.across(edge, vertex);
            if (Picture::has(edges_, edge) && places_[other] == 0)
                at = come_to(other, at, edge);
        }
    }

    // All places above it are added up.
    void add_up(std::size_t place) {
        Found& found = found_[place];
        bool is_loop_counted = false;
        for (const Picture::Edge edge : picture_.at(found.vertex)) {
            const bool is_below = found.below != 0 && edge == found.edge;
            if (!Picture::has(edges_, edge) || is_below) continue;
            const Place other = places_[picture_.across(edge, found.vertex)];
            if (other > place) continue;  // it is counted there
            found.earliest = std::min(found.earliest, other);
            // A loop is listed twice.
            if (other == place) is_loop_counted = !is_loop_counted;
            if (other < place || is_loop_counted) found.value ^= 1;
        }
        if (found.below == 0) return;
        Found& below = found_[found.below];
        below.value ^= found.is_on_cycle() ? found.value ^ 1 : found.value + 1;
        below.earliest = std::min(below.earliest, found.earliest);
    }

    const Picture& picture_;
    Picture::EdgesView edges_;
    std::vector<Place> places_;    // by vertex; 0: not come to
    std::vector<Found> found_{1};  // by place, from 1
};

class HackenbushSolver : public HeapSolver {
  public:
    explicit HackenbushSolver(const RulesetPtr& rules)
        : rules_(rules), picture_(static_cast<const Hackenbush&>(*rules).picture()) {}

    std::optional<Nimber> nimber(const Heap& heap, const Budget& budget) const override {
        Reservation memory;
        if (!picture_.is_small() && budget.is_spent()) return std::nullopt;
        if (!memory.resize(bytes())) return std::nullopt;
        return finite(PictureValues(picture_, entries_of(heap)).value());
    }

    // Edges on cycles are cut one by one: these take as many walks.
    bool visit_followers(const Heap& heap, const Nimber& nimber, const Budget& budget,
                         VisitFollowers visit) const override {
        const auto* wanted = std::get_if<std::uint64_t>(&nimber);
        if (wanted == nullptr) return true;
        Reservation memory;
        if (!picture_.is_small() && budget.is_spent()) return false;
        if (!memory.resize(2 * bytes())) return false;
        const Picture::EdgesView edges = entries_of(heap);
        const PictureValues values(picture_, edges);
        if (values.value() == *wanted) return true;
        const auto follower = [&](Picture::Edge edge) {
            return std::vector{heap_with(picture_.cut(edges, edge))};
        };
        const auto cuts = values.cuts_to(*wanted);
        const auto cut_at = [&](Count index) { return follower(cuts[index]); };
        if (!cuts.empty() && !visit(cuts.size(), cut_at)) return true;
        BudgetPoll poll(budget, kPollUnits);
        const std::size_t walk = picture_.vertex_count() + Picture::kBits * edges.size();
        Picture::Edges left(edges.begin(), edges.end());
        for (const Picture::Edge edge : values.edges_on_cycles()) {
            if (poll.is_spent(walk)) return false;
            Picture::flip(left, edge);
            const bool has_it = PictureValues(picture_, left).value() == *wanted;
            Picture::flip(left, edge);
            if (has_it && !visit(1, [&](Count) { return follower(edge); })) return true;
        }
        return true;
    }

  private:
    static constexpr std::size_t kPollUnits = 1 << 14;  // vertices and edges

    std::size_t bytes() const { return picture_.vertex_count() * PictureValues::kVertexBytes; }

    RulesetPtr rules_;
    const Picture& picture_;  // of the rules
};

}  // namespace

SolverPtr make_hackenbush_solver(const RulesetPtr& rules) {
    return std::make_shared<HackenbushSolver>(rules);
}

}  // namespace engine
