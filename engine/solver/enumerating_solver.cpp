#include "engine/solver/enumerating_solver.hpp"

#include <set>

#include "engine/solver/followers.hpp"
#include "engine/solver/solution.hpp"

namespace engine {
namespace {

constexpr std::size_t kPollEvery = 256;  // units of the text of followers

Count saturating_add(Count left, Count right) {
    return left > kMany - right ? kMany : left + right;
}

}  // namespace

std::optional<bool> EnumeratingSolver::have_nimber(const std::vector<Heap>& heaps,
                                                   const Nimber& nimber_wanted,
                                                   const Budget& budget) const {
    NimSum rest;
    rest.add(nimber_wanted);
    for (std::size_t i = 0; i + 1 < heaps.size(); ++i) {
        const auto known = nimber(heaps[i], budget);
        if (!known) return std::nullopt;
        if (is_loopy(*known)) return false;
        rest.add(*known);
    }
    const Nimber last = rest.value();
    if (heaps.empty()) return is_zero(last);
    if (const auto* number = std::get_if<std::uint64_t>(&last)) {
        return has_nimber(heaps.back(), *number, budget);
    }
    const auto known = nimber(heaps.back(), budget);
    if (!known) return std::nullopt;
    return *known == last;
}

template <typename Visit>
bool EnumeratingSolver::visit_followers(const Heap& heap, const Nimber& nimber,
                                        const Budget& budget, Visit visit) const {
    bool complete = true;
    const auto followers = find_followers(rules(), heap, budget);
    if (!followers) return false;
    BudgetPoll poll(budget, kPollEvery);
    const std::size_t units = text_units(heap);
    for (Count i = 0; i < followers->count; ++i) {
        if (poll.is_spent(units)) return false;
        std::vector<Heap> next = followers->at(i);
        const auto has = have_nimber(next, nimber, budget);
        if (!has) complete = false;
        if (has && *has && !visit(std::move(next))) return complete;
    }
    return complete;
}

HeapSolver::Tally EnumeratingSolver::count_followers(const Heap& heap, const Nimber& nimber,
                                                     const Budget& budget) const {
    Tally tally;
    tally.complete = visit_followers(heap, nimber, budget, [&](std::vector<Heap>) {
        tally.count = saturating_add(tally.count, 1);
        return true;
    });
    return tally;
}

std::vector<Heap> EnumeratingSolver::follower(const Heap& heap, const Nimber& nimber,
                                              Count index, const Budget& budget) const {
    std::vector<Heap> found;
    visit_followers(heap, nimber, budget, [&](std::vector<Heap> next) {
        if (index-- > 0) return true;
        found = std::move(next);
        return false;
    });
    return found;
}

std::vector<std::vector<Heap>> EnumeratingSolver::list_followers(const Heap& heap,
                                                                 const Nimber& nimber,
                                                                 std::size_t limit,
                                                                 const Budget& budget) const {
    std::vector<std::vector<Heap>> found;
    if (limit == 0) return found;
    visit_followers(heap, nimber, budget, [&](std::vector<Heap> next) {
        found.push_back(std::move(next));
        return found.size() < limit;
    });
    return found;
}

std::optional<std::vector<Heap>> EnumeratingSolver::find_follower(const Heap& heap,
                                                                  const Nimber& nimber,
                                                                  const Budget& budget) const {
    auto found = list_followers(heap, nimber, 1, budget);
    if (found.empty()) return std::nullopt;
    return std::move(found.front());
}

// Depth first, with a stack of its own. A heap that is met again on the way down means that
// play can last for ever.
std::optional<Number> EnumeratingSolver::longest(const Heap& start,
                                                 const Budget& budget) const {
    using namespace std::chrono_literals;
    constexpr std::size_t kEntryBytes = 128;
    struct Frame {
        Heap heap;
        Count next = 0;
        Number most = 0;
    };
    std::unique_lock lock(longest_mutex_, std::defer_lock);
    while (!lock.try_lock_for(1ms)) {
        if (budget.is_spent()) return std::nullopt;
    }
    if (const auto known = longest_.find(start); known != longest_.end()) return known->second;
    std::vector<Frame> stack;
    std::set<Heap> on_stack;
    std::optional<ListedFollowers> followers;  // of the heap on top
    const auto enter = [&](const Heap& heap) {
        stack.push_back({heap});
        return on_stack.insert(heap).second &&
               longest_memory_.resize((longest_.size() + stack.size()) * kEntryBytes);
    };
    if (!enter(start)) return std::nullopt;
    BudgetPoll poll(budget, kPollEvery);
    for (;;) {
        Frame& top = stack.back();
        if (poll.is_spent(text_units(top.heap))) return std::nullopt;
        if (!followers) followers = find_followers(rules(), top.heap, budget);
        if (!followers) return std::nullopt;
        if (top.next == followers->count) {
            const Number most = top.most;
            on_stack.erase(top.heap);
            longest_.emplace(std::move(top.heap), most);
            stack.pop_back();
            followers.reset();
            if (stack.empty()) return most;
            continue;  // its parent comes to the same follower again, and knows it now
        }
        Number length = 1;
        std::optional<Heap> unknown;
        for (Heap& part : followers->at(top.next)) {
            const auto known = longest_.find(part);
            if (known == longest_.end()) {
                unknown = std::move(part);
                break;
            }
            length += known->second;
        }
        if (unknown) {
            followers.reset();
            if (budget.is_spent() || !enter(*unknown)) return std::nullopt;
            continue;
        }
        top.most = std::max(top.most, length);
        ++top.next;
    }
}

std::optional<Length> EnumeratingSolver::longest_play(const Heap& heap,
                                                      const Budget& budget) const {
    const auto most = longest(heap, budget);
    if (!most) return std::nullopt;
    return *most == 0 ? Length{} : Length{{0, *most}};
}

std::optional<std::vector<Heap>> EnumeratingSolver::longest_follower(
    const Heap& heap, const Budget& budget) const {
    const auto most = longest(heap, budget);
    const auto followers = find_followers(rules(), heap, budget);
    if (!most || !followers) return std::nullopt;
    BudgetPoll poll(budget, kPollEvery);
    const std::size_t units = text_units(heap);
    for (Count i = 0; i < followers->count; ++i) {
        if (poll.is_spent(units)) return std::nullopt;
        auto next = followers->at(i);
        Number length = 1;
        for (const Heap& part : next) length += longest(part, budget).value_or(0);
        if (length == *most) return next;
    }
    return std::nullopt;
}

}  // namespace engine
