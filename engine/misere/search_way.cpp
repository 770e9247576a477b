// Sums of any heaps by search. Misere play is normal play with one extra move in the sum
// without moves; so the g- of a sum is the nimber of the sum with that extra move, and a nimber
// search finds it. A state is the whole sum: values of its heaps do not add up here.
#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>
#include <map>

#include "engine/heaps/heap_pool.hpp"
#include "engine/heaps/nimber_search.hpp"
#include "engine/misere/way.hpp"
#include "engine/rules/take.hpp"

namespace engine::misere {
namespace {

using Index = HeapPool::Index;
using Sum = std::vector<Index>;  // ascending

// A state holds the indices of the sum's heaps in the pool.
class SumGame {
  public:
    using State = std::string;

    explicit SumGame(HeapPool& pool) : pool_(&pool) {}

    static State state_of(const Sum& sum) {
        State state(sum.size() * sizeof(Index), '\0');
        if (!sum.empty()) std::memcpy(state.data(), sum.data(), state.size());
        return state;
    }
    static Sum sum_of(const State& state) {
        Sum sum(state.size() / sizeof(Index));
        if (!sum.empty()) std::memcpy(sum.data(), state.data(), state.size());
        return sum;
    }

    bool can_repeat() const { return false; }
    std::uint64_t size(const State& state) const { return state.size(); }

    template <typename Visit>
    bool visit_followers(const State& state, const Budget& budget, Visit visit) const {
        if (state.empty()) return visit(std::span<const State>());  // the move at the end
        const Sum sum = sum_of(state);
        for (std::size_t i = 0; i < sum.size(); ++i) {
            if (i > 0 && sum[i] == sum[i - 1]) continue;
            if (!pool_->list_moves(sum[i], budget) || pool_->is_cut(sum[i])) return false;
            Sum others = sum;
            others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
            for (std::size_t move = 0; move < pool_->move_count(sum[i]); ++move) {
                const auto result = pool_->result(sum[i], move);
                Sum next;
                std::ranges::merge(others, result, std::back_inserter(next));
                const State follower = state_of(next);
                if (!visit(std::span(&follower, 1))) return false;
            }
        }
        return true;
    }

  private:
    HeapPool* pool_;
};

class SearchWay : public Way {
  public:
    explicit SearchWay(const std::vector<Part>& parts) : parts_(parts) {
        Number largest = 0;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            own_.emplace_back();
            is_complete_ = is_complete_ && intern(parts[i], *parts[i].place.heap, own_.back());
            const auto size = nim_size(parts[i], *parts[i].place.heap);
            if (!size || *size <= largest) continue;
            largest = *size;
            free_ = i;
        }
    }

    std::optional<bool> is_previous_win(const Budget& budget) const override {
        return judge(others({}), free_size(), budget);
    }

    std::optional<bool> is_previous_win(std::size_t part, std::span<const Heap> left,
                                        const Budget& budget) const override {
        auto sum = others(part);
        if (part == free_)
            return judge(std::move(sum), *nim_size(parts_[part], left.front()), budget);
        for (const Heap& heap : left) {
            if (!intern(parts_[part], heap, sum)) return std::nullopt;
        }
        return judge(std::move(sum), free_size(), budget);
    }

    std::optional<bool> is_previous_win_alone(std::size_t part,
                                              const Budget& budget) const override {
        if (part == free_) return judge({}, free_size(), budget);
        return judge(own_[part], 0, budget);
    }

    // The g- of the rest is the one nim heap that wins.
    Candidates candidates(std::size_t part, const Budget& budget) const override {
        if (part != free_ || !is_complete_) return {};
        Sum rest = others(part);
        std::ranges::sort(rest);
        const auto target = search_.nimber(SumGame::state_of(rest), budget);
        if (!target) return {};
        if (*target >= free_size()) return {{}, Cover::All};
        return {{{Heap(*target)}}, Cover::All};
    }

    std::string reason() const override { return "the sums that can be reached were searched"; }

  private:
    // False where memory is short.
    bool intern(const Part& part, const Heap& heap, Sum& sum) const {
        const Ruleset* rules = part.place.rules;
        const auto [place, is_new] = rulesets_.try_emplace(rules, rulesets_.size());
        if (is_new) pool_->add_ruleset({std::shared_ptr<const void>(), rules});
        return pool_->intern_parts(place->second, heap, sum);
    }

    Number free_size() const {
        return free_ ? *nim_size(parts_[*free_], *parts_[*free_].place.heap) : 0;
    }

    // All heaps but `part` and the free one.
    Sum others(std::optional<std::size_t> part) const {
        Sum sum;
        for (std::size_t i = 0; i < own_.size(); ++i) {
            if (i != part && i != free_) sum.insert(sum.end(), own_[i].begin(), own_[i].end());
        }
        return sum;
    }

    // Does the previous player win these heaps together with a nim heap?
    std::optional<bool> judge(Sum heaps, Number nim_heap, const Budget& budget) const {
        constexpr std::size_t kMostHeaps = 64;  // a search of more would not end
        if (!is_complete_ || heaps.size() > kMostHeaps) return std::nullopt;
        std::ranges::sort(heaps);
        // After the deadline only known results are given: the caller may ask about many moves.
        const std::uint64_t nodes = budget.is_spent() ? 0 : kAnyNodes;
        return search_.has_nimber(SumGame::state_of(heaps), nim_heap, budget, nodes);
    }

    const std::vector<Part>& parts_;
    std::unique_ptr<HeapPool> pool_ = std::make_unique<HeapPool>();
    NimberSearch<SumGame> search_{SumGame(*pool_)};
    mutable std::map<const Ruleset*, std::size_t> rulesets_;
    std::vector<Sum> own_;             // of each part
    bool is_complete_ = true;          // all of them are known
    std::optional<std::size_t> free_;  // the largest nim heap, which needs no search
};

}  // namespace

std::unique_ptr<Way> make_search_way(const std::vector<Part>& parts) {
    return std::make_unique<SearchWay>(parts);
}

std::optional<Number> nim_size(const Part& part, const Heap& heap) {
    const auto take = shape_as<shape::Subtraction>(*part.place.rules);
    if (!take || !take->set.is_everything()) return std::nullopt;
    const auto* size = std::get_if<Number>(&heap);
    return size != nullptr ? *size : std::numeric_limits<Number>::max();
}

}  // namespace engine::misere
