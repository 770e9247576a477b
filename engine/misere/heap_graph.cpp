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
    if (const auto* tuple = std::get_if<Tuple>(&heap)) {
        return kHeapBytes + 2 * sizeof(Number) * tuple->entries.size();
    }
    if (const auto* vertex = std::get_if<Vertex>(&heap)) {
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

// One call of add(): a heap is opened when play comes to it, and closed with a number once all
// of its moves are listed.
class HeapGraph::Addition {
  public:
    Addition(HeapGraph& graph, std::size_t ruleset, const Ruleset& rules, const Budget& budget)
        : graph_(graph),
          ruleset_(ruleset),
          rules_(rules),
          budget_(budget),
          poll_(budget, kPollText) {}
    Addition(const Addition&) = delete;
    Addition& operator=(const Addition&) = delete;
    ~Addition() {
        for (const Open& lost : open_) {
            graph_.bytes_ -= bytes_of(lost.heap) + lost.moves.size() * kMoveBytes;
        }
    }

    std::optional<Index> run(const Heap& heap) {
        bool goes_on = open(heap);
        while (goes_on && !open_.empty()) {
            goes_on = list_followers() &&
                      (open_.back().next == followers_->count ? close() : list_move());
        }
        return goes_on ? graph_.find(ruleset_, heap) : std::nullopt;
    }

  private:
    struct Open {
        Heap heap;
        Count next = 0;
        std::vector<std::vector<Index>> moves;
    };

    bool fail(Shortage why) {
        graph_.shortage_ = budget_.is_spent() ? Shortage::Time : why;
        return false;
    }

    // Rules may lead to heaps that are beyond their own limits.
    bool open(Heap heap) {
        if (budget_.is_spent()) return fail(Shortage::Time);
        if (!rules_.check_heap(heap)) return fail(Shortage::Heap);
        if (open_.size() == kMaxDepth) return fail(Shortage::Depth);
        if (!graph_.reserve(bytes_of(heap))) return fail(Shortage::Memory);
        open_.push_back({std::move(heap), 0, {}});
        followers_.reset();
        return true;
    }

    bool list_followers() {
        const Heap& heap = open_.back().heap;
        if (poll_.is_spent(text_units(heap))) return fail(Shortage::Time);
        if (!followers_) followers_ = find_followers(rules_, heap, budget_);
        if (!followers_) return fail(Shortage::Memory);
        return followers_->count <= kMaxMoves || fail(Shortage::Moves);
    }

    bool close() {
        auto& [heap, next, moves] = open_.back();
        const auto is_spent = [&] { return budget_.is_spent(); };
        if (!sort_in_pieces(moves, std::less<>(), is_spent)) return fail(Shortage::Time);
        moves.erase(std::unique(moves.begin(), moves.end()), moves.end());
        const Index number = moves.empty() ? kDead : static_cast<Index>(graph_.size());
        if (number != kDead) graph_.moves_.push_back(std::move(moves));
        graph_.numbers_.emplace(Key{ruleset_, std::move(heap)}, number);
        open_.pop_back();
        followers_.reset();
        return true;
    }

    // Lists the next move, or opens the first of its heaps that has no number yet.
    bool list_move() {
        Open& top = open_.back();
        std::vector<Index> left;
        for (Heap& part : reduced(rules_, followers_->at(top.next), Convention::Misere)) {
            const auto known = graph_.find(ruleset_, part);
            if (!known) return open(std::move(part));
            if (*known != kDead) left.push_back(*known);
        }
        std::ranges::sort(left);
        if (!graph_.reserve(kMoveBytes)) return fail(Shortage::Memory);
        top.moves.push_back(std::move(left));
        ++top.next;
        return true;
    }

    HeapGraph& graph_;
    const std::size_t ruleset_;
    const Ruleset& rules_;
    const Budget& budget_;
    BudgetPoll poll_;
    std::vector<Open> open_;
    std::optional<ListedFollowers> followers_;  // of the last of them
};

std::optional<HeapGraph::Index> HeapGraph::add(std::size_t ruleset, const Ruleset& rules,
                                               const Heap& heap, const Budget& budget) {
    if (const auto known = find(ruleset, heap)) return known;
    return Addition(*this, ruleset, rules, budget).run(heap);
}

}  // namespace engine::misere
