#include "engine/misere/heap_graph.hpp"

#include <algorithm>
#include <functional>

#include "engine/base/sort_in_pieces.hpp"
#include "engine/rules/moves.hpp"

namespace engine::misere {
namespace {

constexpr std::size_t kMoveBytes = 64;  // a vector, what it holds, and what that costs
constexpr std::size_t kHeapBytes = 256;
constexpr std::size_t kReserveStep = std::size_t{1} << 16;
constexpr std::size_t kPollText = 64;  // units of the text of heaps

// The memory of a heap, which is stored twice: while its moves are listed, and as a key.
std::size_t bytes_of(const Heap& heap) {
    if (const auto* tuple = std::get_if<protocol::Tuple>(&heap)) {
        return kHeapBytes + 2 * sizeof(Number) * tuple->entries.size();
    }
    if (const auto* vertex = std::get_if<protocol::Vertex>(&heap)) {
        return kHeapBytes + 2 * vertex->name.size();
    }
    return kHeapBytes;
}

}  // namespace

std::size_t HeapGraph::ruleset_index(const std::string& text) {
    return rulesets_.try_emplace(text, rulesets_.size()).first->second;
}

// Takes half of the memory at most; the rest is for forms and quotients of the heaps.
bool HeapGraph::reserve(std::size_t more) {
    const std::size_t bytes = bytes_ + more;
    if (bytes > Memory::limit() / 2) return false;
    if (!reservation_.cover(bytes, kReserveStep)) return false;
    bytes_ = bytes;
    return true;
}

std::optional<HeapGraph::Index> HeapGraph::find(std::size_t ruleset, const Heap& heap) const {
    const auto known = numbers_.find({ruleset, heap});
    if (known == numbers_.end()) return std::nullopt;
    return known->second;
}

std::optional<HeapGraph::Index> HeapGraph::add(std::size_t ruleset, const Ruleset& rules,
                                               const Heap& heap, const Budget& budget) {
    struct Pending {
        Heap heap;
        Count next = 0;
        std::vector<std::vector<Index>> moves;
    };
    if (const auto known = find(ruleset, heap)) return known;
    std::vector<Pending> pending;
    std::optional<ListedFollowers> followers;  // of the last of them
    // Rules may lead to heaps that are beyond their own limits.
    const auto fail = [&](Shortage why) {
        shortage_ = why;
        return false;
    };
    const auto open = [&](Heap next) {
        if (budget.is_spent()) return fail(Shortage::Time);
        if (!rules.check_heap(next)) return fail(Shortage::Heap);
        if (pending.size() == kMaxDepth) return fail(Shortage::Depth);
        if (!reserve(bytes_of(next))) return fail(Shortage::Memory);
        pending.push_back({std::move(next), 0, {}});
        followers.reset();
        return true;
    };
    const auto give_up = [&]() -> std::optional<Index> {
        for (const Pending& lost : pending)
            bytes_ -= bytes_of(lost.heap) + lost.moves.size() * kMoveBytes;
        return std::nullopt;
    };
    const auto give_up_for = [&](Shortage why) {
        fail(budget.is_spent() ? Shortage::Time : why);
        return give_up();
    };
    if (!open(heap)) return give_up();
    BudgetPoll poll(budget, kPollText);
    for (;;) {
        Pending& top = pending.back();
        if (poll.is_spent(text_units(top.heap))) return give_up_for(Shortage::Time);
        if (!followers) followers = find_followers(rules, top.heap, budget);
        if (!followers) return give_up_for(Shortage::Memory);
        if (followers->count > kMaxMoves) return give_up_for(Shortage::Moves);
        if (top.next == followers->count) {
            const auto is_spent = [&] { return budget.is_spent(); };
            if (!sort_in_pieces(top.moves, std::less<>(), is_spent)) {
                return give_up_for(Shortage::Time);
            }
            top.moves.erase(std::unique(top.moves.begin(), top.moves.end()), top.moves.end());
            const Index number = top.moves.empty() ? kDead : static_cast<Index>(moves_.size());
            if (number != kDead) moves_.push_back(std::move(top.moves));
            numbers_.emplace(Key{ruleset, std::move(top.heap)}, number);
            pending.pop_back();
            followers.reset();
            if (pending.empty()) return number;
            continue;
        }
        std::vector<Index> left;
        std::optional<Heap> missing;
        for (Heap& part : reduced(rules, followers->at(top.next), Convention::Misere)) {
            const auto known = find(ruleset, part);
            if (!known) {
                missing = std::move(part);
                break;
            }
            if (*known != kDead) left.push_back(*known);
        }
        if (missing) {
            if (!open(*std::move(missing))) return give_up();
            continue;
        }
        std::ranges::sort(left);
        if (!reserve(kMoveBytes)) return give_up_for(Shortage::Memory);
        top.moves.push_back(std::move(left));
        ++top.next;
    }
}

}  // namespace engine::misere
