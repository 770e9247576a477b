// welter: nimbers by the formula of Welter (1954; Conway, On Numbers and Games, chapter 13).
#include <algorithm>
#include <bit>
#include <vector>

#include "engine/heaps/heap_solver.hpp"
#include "engine/heaps/solvers.hpp"
#include "engine/rules/entries.hpp"

namespace engine {
namespace {

// 2^(k+1)-1, where 2^k is the largest power that divides x > 0: Conway's x xor x-1.
Number mating(Number x) { return x ^ (x - 1); }

// The entries with the bits in reverse order, ascending: entries with the same last bits stand
// together.
std::vector<Number> by_last_bits(std::span<const Number> entries) {
    const auto reverse = [](Number entry) {
        Number reversed = 0;
        for (int bit = 0; bit < 64; ++bit) reversed = reversed << 1 | (entry >> bit & 1);
        return reversed;
    };
    std::vector<Number> reversed;
    for (const Number entry : entries) reversed.push_back(reverse(entry));
    std::ranges::sort(reversed);
    return reversed;
}

// The XOR of all entries and of mating(a - b) for each pair of them. Bit k of the latter is 1
// for pairs with the same last k bits, whose number is counted. Linear but for the sorting.
Number welter_value(std::span<const Number> entries) {
    Number value = 0;
    for (const Number entry : entries) value ^= entry;
    const auto reversed = by_last_bits(entries);
    for (int bit = 0; bit < 64; ++bit) {
        bool is_odd = false;
        std::size_t same = 0;  // before this one with the same last `bit` bits
        for (std::size_t i = 1; i < reversed.size(); ++i) {
            const Number differ = reversed[i] ^ reversed[i - 1];
            same = std::countl_zero(differ) >= bit ? same + 1 : 0;
            is_odd = is_odd != (same % 2 == 1);
        }
        if (is_odd) value ^= Number{1} << bit;
    }
    return value;
}

// Whatever the others are, each value belongs to one number x: bit k of the value is that of x
// but for the number of others with the same last k bits as x, and so known from the lower
// bits. A number from 2^64 on is given as 2^64-1, which is larger than any entry.
Number entry_with_value(std::vector<Number> others, Number others_value, Number value) {
    Number x = 0;
    for (int bit = 0; bit < 64; ++bit) {
        const bool is_odd = others.size() % 2 == 1;
        const Number own = ((value ^ others_value) >> bit & 1) ^ (is_odd ? 1 : 0);
        x |= own << bit;
        std::erase_if(others, [&](Number other) { return ((other ^ x) >> bit & 1) != 0; });
    }
    return others.empty() ? x : ~Number{0};
}

class WelterSolver : public EnumeratingSolver {
  public:
    using EnumeratingSolver::EnumeratingSolver;

    std::optional<Nimber> nimber(const Heap& heap, const Budget&) const override {
        return finite(welter_value(entries_of(heap)));
    }

    // At most one for each entry. O(n) for each.
    bool visit_followers(const Heap& heap, const Nimber& nimber, const Budget& budget,
                         VisitFollowers visit) const override {
        const auto* wanted = std::get_if<std::uint64_t>(&nimber);
        if (wanted == nullptr) return true;
        const auto entries = entries_of(heap);
        const Number value = welter_value(entries);
        BudgetPoll poll(budget, kPollEntries);
        for (std::size_t i = 0; i < entries.size(); ++i) {
            if (poll.is_spent(entries.size())) return false;
            std::vector<Number> left(entries.begin(), entries.end());
            left[i] = place_of(entries, i, value, *wanted);
            if (left[i] >= entries[i]) continue;
            if (!visit(1, [&](Count) { return std::vector{heap_with(left)}; })) break;
        }
        return true;
    }

  private:
    static constexpr std::size_t kPollEntries = 10'000;

    // Where this entry must stand for the value; it stands nowhere else.
    static Number place_of(std::span<const Number> entries, std::size_t moved, Number value,
                           Number wanted) {
        std::vector<Number> others;
        others.reserve(entries.size());
        Number others_value = value ^ entries[moved];
        for (std::size_t i = 0; i < entries.size(); ++i) {
            if (i == moved) continue;
            others.push_back(entries[i]);
            others_value ^= mating(entries[moved] - entries[i]);
        }
        return entry_with_value(std::move(others), others_value, wanted);
    }
};

}  // namespace

SolverPtr make_welter_solver(const RulesetPtr& rules) {
    return std::make_shared<WelterSolver>(rules);
}

}  // namespace engine
