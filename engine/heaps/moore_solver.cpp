// moore{K}: who wins by the theorem of Moore (1910), most nimbers by search.
#include <algorithm>
#include <vector>

#include "engine/heaps/heap_solver.hpp"
#include "engine/heaps/solvers.hpp"
#include "engine/rules/entries.hpp"

namespace engine {
namespace {

constexpr Count kMostListed = 1'000'000;  // followers, each tested by the theorem

bool are_small(std::span<const Number> entries) {
    return std::ranges::all_of(entries, [](Number entry) { return entry <= 1; });
}

// A heap is lost if in each binary place the number of entries with a 1 is divisible by K+1.
// Where a move may lower all entries at once, it leads to every smaller sum: the sum is the
// nimber. Entries of 1 are taken as the stones of one heap.
class MooreSolver : public EnumeratingSolver {
  public:
    explicit MooreSolver(const RulesetPtr& rules)
        : EnumeratingSolver(rules),
          search_(make_search_solver(rules)),
          most_(shape_as<shape::Lowering>(*rules)->most) {}

    std::optional<Nimber> nimber(const Heap& heap, const Budget& budget) const override {
        if (const auto value = by_formula(positive_entries(heap))) return finite(*value);
        if (!is_searched(heap)) return std::nullopt;
        return search_->nimber(heap, budget);
    }

    std::optional<bool> has_nimber(const Heap& heap, std::uint64_t wanted,
                                   const Budget& budget) const override {
        const auto entries = positive_entries(heap);
        if (wanted == 0) return is_lost(entries);
        if (const auto value = by_formula(entries)) return *value == wanted;
        if (!is_searched(heap)) return std::nullopt;
        return search_->has_nimber(heap, wanted, budget);
    }

    std::uint64_t effort(const Heap& heap) const override { return search_->effort(heap); }

    // Of more followers than can be listed, one is known where a formula gives it.
    bool visit_followers(const Heap& heap, const Nimber& nimber, const Budget& budget,
                         VisitFollowers visit) const override {
        const auto* wanted = std::get_if<std::uint64_t>(&nimber);
        if (wanted == nullptr) return true;
        if (most_ == 1) return visit_in_nim(heap, *wanted, visit);
        const auto entries = positive_entries(heap);
        const auto value = by_formula(entries);
        if (value && *value == *wanted) return true;
        if (rules().follower_count(heap) <= kMostListed) {
            return EnumeratingSolver::visit_followers(heap, nimber, budget, visit);
        }
        if (const auto found = find_follower(heap, nimber, budget)) {
            visit(1, [&](Count) { return *found; });
        }
        return false;
    }

    std::optional<std::vector<Heap>> find_follower(const Heap& heap, const Nimber& nimber,
                                                   const Budget& budget) const override {
        const auto* wanted = std::get_if<std::uint64_t>(&nimber);
        if (wanted == nullptr) return std::nullopt;
        if (most_ == 1) return HeapSolver::find_follower(heap, nimber, budget);
        const auto entries = positive_entries(heap);
        const auto value = by_formula(entries);
        if (value && *value == *wanted) return std::nullopt;
        if (*wanted == 0) return lost_follower(heap);
        if (entries.size() > most_) {
            if (are_small(entries)) return follower_of_ones(heap, *wanted);
            return is_searched(heap) ? search_->find_follower(heap, nimber, budget)
                                     : std::nullopt;
        }
        if (value && *value < *wanted) return std::nullopt;
        return follower_of_sum(heap, *wanted);
    }

    // As in normal play, but of entries of 0 and 1 those are lost of which the number of ones
    // is 1 more than a multiple of K+1.
    std::optional<bool> misere_previous_win(const Heap& heap) const override {
        const auto entries = positive_entries(heap);
        return are_small(entries) ? entries.size() % (most_ + 1) == 1 : is_lost(entries);
    }

    // As in normal play, unless that leaves zeros and ones alone. Then at most K entries were
    // larger, so that all of them become 0 or 1, and as many ones as the move may still take.
    std::optional<std::vector<Heap>> misere_follower(const Heap& heap) const override {
        const auto from = entries_of(heap);
        if (*misere_previous_win(heap)) return std::nullopt;
        if (!are_small(from)) {
            auto left = lost_follower(heap);
            if (!are_small(entries_of(left.front()))) return left;
        }
        const auto ones = static_cast<Number>(std::ranges::count(from, Number{1}));
        const auto zeros = static_cast<Number>(std::ranges::count(from, Number{0}));
        const Number larger = from.size() - ones - zeros;
        // The number of ones left is the least that is lost, or more by multiples of K+1.
        const Number least = ones - std::min(ones, most_ - larger);
        const Number most = ones + larger;
        const Number left = least + (most_ + 2 - least % (most_ + 1)) % (most_ + 1);
        if (left > most || (larger == 0 && left == ones)) return std::nullopt;
        std::vector<Number> to(from.begin(), from.end());
        Number kept = 0, raised = 0;
        for (Number& entry : to) {
            if (entry == 1 && kept < left) {
                ++kept;
            } else if (entry == 1) {
                entry = 0;
            }
        }
        for (std::size_t i = 0; i < to.size(); ++i) {
            if (from[i] <= 1) continue;
            to[i] = kept + raised < left ? 1 : 0;
            raised += to[i];
        }
        return std::vector{heap_with(std::move(to))};
    }

  private:
    // A search of larger heaps comes to no end.
    bool is_searched(const Heap& heap) const {
        constexpr std::uint64_t kMostStones = 10'000;
        return search_->effort(heap) <= kMostStones;
    }

    bool is_lost(const std::vector<Number>& entries) const {
        if (entries.size() <= most_) return entries.empty();
        for (int place = 0; place < 64; ++place) {
            const auto ones = std::ranges::count_if(
                entries, [&](Number entry) { return (entry >> place & 1) != 0; });
            if (static_cast<Number>(ones) % (most_ + 1) != 0) return false;
        }
        return true;
    }

    // Of entries without zeros. nullopt: no formula is known, or it exceeds 2^64-1.
    std::optional<std::uint64_t> by_formula(const std::vector<Number>& entries) const {
        if (most_ == 1) {
            std::uint64_t sum = 0;
            for (const Number entry : entries) sum ^= entry;
            return sum;
        }
        if (entries.size() <= most_) {
            std::uint64_t sum = 0;
            for (const Number entry : entries) {
                if (__builtin_add_overflow(sum, entry, &sum)) return std::nullopt;
            }
            return sum;
        }
        if (are_small(entries)) return entries.size() % (most_ + 1);
        if (is_lost(entries)) return 0;
        return std::nullopt;
    }

    // Place by place from the highest: entries that are lowered already may have a 1 or a 0
    // below. If they can complete the number of ones to a multiple of K+1, they do; else the
    // entries with a 1 over the last multiple are lowered too, which are at most K in all.
    std::vector<Heap> lost_follower(const Heap& heap) const {
        auto to = entry_list(heap);
        std::vector<bool> is_lowered(to.size());
        std::size_t lowered = 0;
        for (int place = 63; place >= 0; --place) {
            const Number bit = Number{1} << place;
            Number ones = 0;
            for (std::size_t i = 0; i < to.size(); ++i) {
                if (is_lowered[i]) to[i] &= ~bit;
                if ((to[i] & bit) != 0) ++ones;
            }
            const Number over = ones % (most_ + 1);
            const Number missing = over == 0 ? 0 : most_ + 1 - over;
            const bool completes = missing <= lowered;
            Number left = completes ? missing : over;
            for (std::size_t i = 0; i < to.size() && left > 0; ++i) {
                if (is_lowered[i] != completes) continue;
                if (!completes && (to[i] & bit) == 0) continue;
                to[i] ^= bit;
                --left;
                if (completes) continue;
                is_lowered[i] = true;
                ++lowered;
            }
        }
        return {heap_with(std::move(to))};
    }

    // All entries may be lowered; their sum is larger.
    std::vector<Heap> follower_of_sum(const Heap& heap, std::uint64_t sum) const {
        auto to = entry_list(heap);
        for (Number& entry : to) {
            entry = std::min(entry, sum);
            sum -= entry;
        }
        return {heap_with(std::move(to))};
    }

    // More than K entries are positive, and these are 1. The nimber is not that of the heap.
    std::optional<std::vector<Heap>> follower_of_ones(const Heap& heap,
                                                      std::uint64_t nimber) const {
        if (nimber > most_) return std::nullopt;
        auto to = entry_list(heap);
        const auto ones = static_cast<Number>(std::ranges::count(to, Number{1}));
        Number taken = (ones - nimber) % (most_ + 1);
        for (auto entry = to.begin(); taken > 0; ++entry) {
            taken -= *entry;
            *entry = 0;
        }
        return std::vector{heap_with(std::move(to))};
    }

    // Where a move lowers one entry.
    bool visit_in_nim(const Heap& heap, std::uint64_t nimber, VisitFollowers visit) const {
        const auto from = entries_of(heap);
        for (const Number entry : from) nimber ^= entry;
        for (std::size_t i = 0; i < from.size(); ++i) {
            if ((from[i] ^ nimber) >= from[i]) continue;
            const auto at = [&](Count) {
                std::vector<Number> to(from.begin(), from.end());
                to[i] ^= nimber;
                return std::vector{heap_with(std::move(to))};
            };
            if (!visit(1, at)) break;
        }
        return true;
    }

    SolverPtr search_;
    Number most_;
};

}  // namespace

SolverPtr make_moore_solver(const RulesetPtr& rules) {
    return std::make_shared<MooreSolver>(rules);
}

}  // namespace engine
