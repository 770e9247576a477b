// hackenbush: nimbers by the colon and the fusion principle (Winning Ways, chapters 2 and 7).
#include <algorithm>
#include <bit>
#include <vector>

#include "engine/heaps/heap_solver.hpp"
#include "engine/heaps/solvers.hpp"
#include "engine/rules/hackenbush.hpp"

namespace engine {
namespace {

// The value of a picture in one depth-first walk. The vertices of a cycle can be fused, and its
// edges become loops, each worth a stalk of one edge; an edge on no cycle is worth 1 more than
// what stands on its upper end. All that stands on one vertex adds up as nimbers.
class PictureValue {
  public:
    PictureValue(const Picture& picture, Picture::Edges edges)
        : picture_(picture), edges_(edges), found_(picture.vertex_count()) {}

    std::uint64_t value() { return walk(picture_.ground(), 0).value; }

  private:
    struct Walked {
        std::uint64_t value = 0;  // of what stands on the vertex
        unsigned earliest = 0;    // of the vertices to which edges lead back from there
    };

    // `below`: the edge by which the walk came.
    Walked walk(Picture::Vertex vertex, Picture::Edges below) {
        const unsigned own = found_[vertex] = ++count_;
        Walked walked{0, own};
        for (auto left = picture_.at(vertex) & edges_ & ~below; left != 0; left &= left - 1) {
            const auto edge = static_cast<std::size_t>(std::countr_zero(left));
            const Picture::Vertex upper = picture_.across(edge, vertex);
            const unsigned known = found_[upper];
            if (known == 0) {
                const Walked above = walk(upper, left & -left);
                const bool is_on_cycle = above.earliest <= own;
                walked.value ^= is_on_cycle ? above.value ^ 1 : above.value + 1;
                walked.earliest = std::min(walked.earliest, above.earliest);
            } else if (known <= own) {  // a loop, or back to an earlier vertex
                walked.value ^= 1;
                walked.earliest = std::min(walked.earliest, known);
            }
        }
        return walked;
    }

    const Picture& picture_;
    Picture::Edges edges_;
    std::vector<unsigned> found_;  // by vertex: its place in the walk, from 1; 0: not yet
    unsigned count_ = 0;
};

class HackenbushSolver : public EnumeratingSolver {
  public:
    explicit HackenbushSolver(const RulesetPtr& rules)
        : EnumeratingSolver(rules),
          picture_(static_cast<const Hackenbush&>(*rules).picture()) {}

    std::optional<Nimber> nimber(const Heap& heap, const Budget&) const override {
        return finite(PictureValue(picture_, std::get<Number>(heap)).value());
    }

  private:
    const Picture& picture_;  // of the rules
};

}  // namespace

SolverPtr make_hackenbush_solver(const RulesetPtr& rules) {
    return std::make_shared<HackenbushSolver>(rules);
}

}  // namespace engine
