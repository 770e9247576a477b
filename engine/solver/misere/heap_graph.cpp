#include "engine/solver/misere/heap_graph.hpp"

#include <algorithm>

namespace engine::misere {
namespace {

constexpr Count kMaxMoves = 1'000'000;  // of one heap
constexpr std::size_t kMoveBytes = 64;  // a vector, what it holds, and what that costs
constexpr std::size_t kHeapBytes = 256;
constexpr std::size_t kReserveStep = std::size_t{1} << 16;
constexpr std::size_t kMaxDepth = 100'000;  // of play from one heap

}  // namespace

std::size_t HeapGraph::ruleset_index(const std::string& text) {
    return rulesets_.try_emplace(text, rulesets_.size()).first->second;
}

bool HeapGraph::reserve(std::size_t more) {
    bytes_ += more;
    return bytes_ <= reservation_.bytes() || reservation_.resize(bytes_ + kReserveStep);
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
        Count follower_count = 0;
        Count next = 0;
        std::vector<std::vector<Index>> moves;
    };
    if (const auto known = find(ruleset, heap)) return known;
    std::vector<Pending> pending;
    const auto open = [&](const Heap& next) {
        const Count count = rules.follower_count(next);
        if (count > kMaxMoves || pending.size() == kMaxDepth ||
            !reserve(kHeapBytes + count * kMoveBytes))
            return false;
        pending.push_back({next, count, 0, {}});
        return true;
    };
    if (!open(heap)) return std::nullopt;
    unsigned steps = 0;
    for (;;) {
        if (++steps % 64 == 0 && budget.is_spent()) return std::nullopt;
        Pending& top = pending.back();
        if (top.next == top.follower_count) {
            std::ranges::sort(top.moves);
            const auto repeated = std::ranges::unique(top.moves);
            top.moves.erase(repeated.begin(), repeated.end());
            const Index number = top.moves.empty() ? kDead : static_cast<Index>(moves_.size());
            if (number != kDead) moves_.push_back(std::move(top.moves));
            numbers_.emplace(Key{ruleset, std::move(top.heap)}, number);
            pending.pop_back();
            if (pending.empty()) return number;
            continue;
        }
        std::vector<Index> left;
        std::optional<Heap> missing;
        for (Heap& part : rules.follower(top.heap, top.next)) {
            const auto known = find(ruleset, part);
            if (!known) {
                missing = std::move(part);
                break;
            }
            if (*known != kDead) left.push_back(*known);
        }
        if (missing) {
            if (!open(*missing)) return std::nullopt;
            continue;
        }
        std::ranges::sort(left);
        top.moves.push_back(std::move(left));
        ++top.next;
    }
}

}  // namespace engine::misere
