// Sums of any heaps, each looked at as a whole: by canonical forms, or by search.
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

constexpr std::size_t kPollSummands = 256;  // summands

// Adds up values of the heaps. A largest nim heap needs none: the previous player wins exactly
// if its size is the g- of the rest.
class SumWay : public Way {
  public:
    std::optional<bool> is_previous_win(const Budget& budget) const override {
        return judge(others({}), free_size(), budget);
    }

    std::optional<bool> is_previous_win(std::size_t part, std::span<const Heap> left,
                                        const Budget& budget) const override {
        Values sum = others(part);
        if (part == free_) {
            return judge(std::move(sum), *nim_size(parts_[part], left.front()), budget);
        }
        for (const Heap& heap : left) {
            if (!append(parts_[part], heap, sum, budget)) return std::nullopt;
        }
        return judge(std::move(sum), free_size(), budget);
    }

    std::optional<bool> is_previous_win_alone(std::size_t part,
                                              const Budget& budget) const override {
        return part == free_ ? judge({}, free_size(), budget) : judge(own_[part], 0, budget);
    }

    // The g- of the rest is the one nim heap that wins.
    Candidates candidates(std::size_t part, const Budget& budget) const override {
        if (part != free_) return {};
        const auto target = misere_nimber(others(part), budget);
        if (!target) return {};
        if (*target >= free_size()) return {{}, Cover::All};
        return {{{Heap(*target)}}, Cover::All};
    }

    // To be called first. False: a value is not found.
    bool read_values(const Budget& budget) {
        own_.resize(parts_.size());
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            if (i == free_) continue;
            if (i % kPollSummands == 0 && budget.is_spent()) return false;
            if (!append(parts_[i], *parts_[i].place.heap, own_[i], budget)) return false;
        }
        return true;
    }

  protected:
    using Values = std::vector<std::uint32_t>;  // those of a sum, in any order

    // Nim heaps up to `small` have values as any heap does.
    SumWay(const std::vector<Part>& parts, Number small) : Way(parts) {
        Number largest = small;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const auto size = nim_size(parts[i], *parts[i].place.heap);
            if (!size || *size <= largest) continue;
            largest = *size;
            free_ = i;
        }
    }

    // Appends the values of a heap. False: not found.
    virtual bool append(const Part& part, const Heap& heap, Values& sum,
                        const Budget& budget) const = 0;
    // Does the previous player win these heaps together with a nim heap?
    virtual std::optional<bool> judge(Values sum, Number nim_heap,
                                      const Budget& budget) const = 0;
    // The g- of these heaps.
    virtual std::optional<Number> misere_nimber(Values sum, const Budget& budget) const = 0;

    std::optional<std::size_t> free_;  // the largest nim heap

  private:
    Number free_size() const {
        return free_ ? *nim_size(parts_[*free_], *parts_[*free_].place.heap) : 0;
    }

    // All heaps but `part` and the free one, which has no values.
    Values others(std::optional<std::size_t> part) const {
        Values sum;
        for (std::size_t i = 0; i < own_.size(); ++i) {
            if (i != part) sum.insert(sum.end(), own_[i].begin(), own_[i].end());
        }
        return sum;
    }

    std::vector<Values> own_;  // of each part
};

// ---- by canonical forms ----

constexpr Number kLargestNimForm = 1024;
constexpr Number kSmallNimHeap = 32;  // such a heap is as well a form as any

class FormWay : public SumWay {
  public:
    FormWay(Tables& tables, const std::vector<Part>& parts)
        : SumWay(parts, kSmallNimHeap), tables_(tables) {}

    std::string reason() const override {
        return free_ ? "the other heaps, by their canonical misere form, lose with "
                       "exactly one size of nim heap beside them"
                     : "the canonical misere forms of the heaps were played out";
    }

  private:
    bool append(const Part& part, const Heap& heap, Values& sum,
                const Budget& budget) const override {
        std::optional<Form> form;
        if (const auto size = nim_size(part, heap)) {
            if (*size <= kLargestNimForm) form = tables_.forms().nim_heap(*size, budget);
        } else if (part.number) {
            const auto number = tables_.graph().find(part.ruleset, heap);
            if (number) form = tables_.form(*number, budget);
        }
        if (form) sum.push_back(*form);
        return form.has_value();
    }

    std::optional<bool> judge(Values forms, Number nim_heap,
                              const Budget& budget) const override {
        if (free_) {
            const auto nimber = misere_nimber(std::move(forms), budget);
            return nimber ? std::optional(*nimber == nim_heap) : std::nullopt;
        }
        const auto two = add_up(std::move(forms), 2, budget);
        if (!two) return std::nullopt;
        return tables_.forms().sum_is_previous_win(
            two->front(), two->size() > 1 ? two->back() : kZero, budget);
    }

    std::optional<Number> misere_nimber(Values forms, const Budget& budget) const override {
        const auto sum = add_up(std::move(forms), 1, budget);
        if (!sum) return std::nullopt;
        return tables_.forms().misere_nimber(sum->front());
    }

    // Adds forms until at most `count` are left, but at least one; always the two that were
    // made first, which are small as a rule.
    std::optional<Values> add_up(Values forms, std::size_t count, const Budget& budget) const {
        constexpr std::greater<> kFirstMet;  // on top of the heap
        std::ranges::make_heap(forms, kFirstMet);
        BudgetPoll poll(budget, kPollSummands);
        while (forms.size() > count) {
            if (poll.is_spent()) return std::nullopt;
            std::ranges::pop_heap(forms, kFirstMet);
            const Form first = forms.back();
            forms.pop_back();
            std::ranges::pop_heap(forms, kFirstMet);
            const auto sum = tables_.forms().add(first, forms.back(), budget);
            if (!sum) return std::nullopt;
            forms.back() = *sum;
            std::ranges::push_heap(forms, kFirstMet);
        }
        if (forms.empty()) forms.push_back(kZero);
        return forms;
    }

    Tables& tables_;
};

// ---- by search ----

using Index = HeapPool::Index;
using Sum = std::vector<Index>;  // ascending

// Misere play is normal play with one extra move in the sum without moves; so the g- of a sum
// is the nimber of the sum with that extra move, and a nimber search finds it. A state holds
// the indices of the sum's heaps in the pool: values of its heaps do not add up here.
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

class SearchWay : public SumWay {
  public:
    explicit SearchWay(const std::vector<Part>& parts) : SumWay(parts, 0) {}

    std::string reason() const override { return "the sums that can be reached were searched"; }

  private:
    bool append(const Part& part, const Heap& heap, Values& sum, const Budget&) const override {
        const Ruleset* rules = part.place.rules;
        const auto [place, is_new] = rulesets_.try_emplace(rules, rulesets_.size());
        if (is_new) pool_->add_ruleset({std::shared_ptr<const void>(), rules});
        return pool_->intern_parts(place->second, heap, sum);
    }

    std::optional<bool> judge(Values sum, Number nim_heap,
                              const Budget& budget) const override {
        constexpr std::size_t kMostHeaps = 64;  // a search of more would not end
        if (sum.size() > kMostHeaps) return std::nullopt;
        // After the deadline only known results are given: the caller may ask about many moves.
        const std::uint64_t nodes = budget.is_spent() ? 0 : kAnyNodes;
        std::ranges::sort(sum);
        return search_.has_nimber(SumGame::state_of(sum), nim_heap, budget, nodes);
    }

    std::optional<Number> misere_nimber(Values sum, const Budget& budget) const override {
        std::ranges::sort(sum);
        return search_.nimber(SumGame::state_of(sum), budget);
    }

    std::unique_ptr<HeapPool> pool_ = std::make_unique<HeapPool>();
    NimberSearch<SumGame> search_{SumGame(*pool_)};
    mutable std::map<const Ruleset*, std::size_t> rulesets_;
};

}  // namespace

std::unique_ptr<Way> find_form_way(Tables& tables, const std::vector<Part>& parts,
                                   const Budget& budget) {
    auto way = std::make_unique<FormWay>(tables, parts);
    if (!way->read_values(budget)) return nullptr;
    if (auto tame = find_tame_way(tables, parts, budget)) return tame;
    return way;
}

std::unique_ptr<Way> find_search_way(const std::vector<Part>& parts) {
    auto way = std::make_unique<SearchWay>(parts);
    if (!way->read_values({})) return nullptr;
    return way;
}

std::optional<Number> nim_size(const Part& part, const Heap& heap) {
    const auto take = shape_as<shape::Subtraction>(*part.place.rules);
    if (!take || !take->set.is_everything()) return std::nullopt;
    const auto* size = std::get_if<Number>(&heap);
    return size != nullptr ? *size : std::numeric_limits<Number>::max();
}

}  // namespace engine::misere
