#include "engine/solver/octal_solver.hpp"

#include <algorithm>

#include "engine/solver/break_followers.hpp"

namespace engine {
namespace {

// Up to this heap followers are known in any case; beyond, as far as the table has grown when
// the nimber of the heap was asked for.
constexpr Number kQuickly = 1 << 13;

}  // namespace

std::optional<Nimber> OctalSolver::nimber(const Heap& heap, const Budget& budget) const {
    const auto value = table_.value(std::get<Number>(heap), budget);
    if (!value) return std::nullopt;
    return finite(*value);
}

template <typename Visit>
bool OctalSolver::visit(const Heap& heap, const Nimber& nimber, const Budget& budget,
                        Visit visit) const {
    const auto* value = std::get_if<std::uint64_t>(&nimber);
    if (value == nullptr) return true;
    const Number number = std::get<Number>(heap);
    if (number < kQuickly) table_.value(number, budget);
    return visit_followers(table_.moves(), table_.known(), number, *value, budget, visit);
}

HeapSolver::Tally OctalSolver::count_followers(const Heap& heap, const Nimber& nimber,
                                               const Budget& budget) const {
    Tally tally;
    tally.complete = visit(heap, nimber, budget, [&](const FollowerFamily& family) {
        const Count more = family.size();
        tally.count = more > kMany - tally.count ? kMany : tally.count + more;
        return true;
    });
    return tally;
}

std::vector<Heap> OctalSolver::follower(const Heap& heap, const Nimber& nimber, Count index,
                                        const Budget& budget) const {
    std::vector<Heap> found;
    visit(heap, nimber, budget, [&](const FollowerFamily& family) {
        const Count size = family.size();
        if (index >= size) {
            index -= size;
            return true;
        }
        found = family.at(index);
        return false;
    });
    return found;
}

std::vector<std::vector<Heap>> OctalSolver::list_followers(const Heap& heap,
                                                           const Nimber& nimber,
                                                           std::size_t limit,
                                                           const Budget& budget) const {
    std::vector<std::vector<Heap>> found;
    if (limit == 0) return found;
    visit(heap, nimber, budget, [&](const FollowerFamily& family) {
        const Count size = family.size();
        for (Count i = 0; i < size && found.size() < limit; ++i) found.push_back(family.at(i));
        return found.size() < limit;
    });
    return found;
}

std::optional<ProvenLaw> OctalSolver::law(Number limit, const Budget& budget) const {
    if (table_.moves().unequal) return std::nullopt;
    while (table_.known().size() < limit && !budget.is_spent() && table_.grow()) {
    }
    const auto law = table_.known().law();
    if (!law) return std::nullopt;
    const Number heaps = LawSearch::heaps_needed(table_.moves(), law->preperiod, law->period);
    if (heaps > limit) return std::nullopt;
    return ProvenLaw{*law, "octal", heaps};
}

std::optional<Length> OctalSolver::longest_play(const Heap& heap, const Budget& budget) const {
    const auto length = longest_.length(std::get<Number>(heap), budget);
    if (!length) return std::nullopt;
    return *length == 0 ? Length{} : Length{{0, *length}};
}

std::optional<std::vector<Heap>> OctalSolver::longest_follower(const Heap& heap,
                                                               const Budget& budget) const {
    return longest_.follower(std::get<Number>(heap), budget);
}

}  // namespace engine
