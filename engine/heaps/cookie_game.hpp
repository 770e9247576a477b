// The cookie game (Ullman and Propp, Int. J. Game Theory 20, 1992) in reduced positions.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/rules/entries.hpp"
#include "engine/rules/ruleset.hpp"

namespace engine {

// Takes ascending sizes to those of a position with the same nimber, k <= a_k <= n for each of
// its n cookies a_1 <= ... <= a_n, by two theorems of Ullman and Propp:
//   depletion: a size above the number of cookies counts as that number;
//   deletion: of s = max(k - a_k) > 0, the s smallest cookies can be left out.
// Where then all sizes are n, nothing ever goes stale, so that n moves remain whatever is
// eaten: one cookie stands for an odd number of them, none for an even one. O(n).
template <typename Size>
void reduce_cookies(std::vector<Size>& sizes) {
    std::size_t surplus = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (sizes[i] < i + 1) surplus = std::max<std::size_t>(surplus, i + 1 - sizes[i]);
    }
    sizes.erase(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(surplus));
    const std::size_t count = sizes.size();
    for (std::size_t i = count; i-- > 0 && sizes[i] > count;) {
        sizes[i] = static_cast<Size>(count);
    }
    if (count > 0 && sizes.front() == count) sizes.assign(count % 2, 1);
}

// The reduced sizes of a heap. A cookie of at least the number of cookies will never go stale.
// By counting, since sizes are no more than their number: O(n).
inline std::vector<std::uint32_t> reduced_sizes(const Heap& heap) {
    const auto entries = entries_of(heap);
    const auto count =
        entries.size() - static_cast<std::size_t>(std::ranges::count(entries, Number{0}));
    std::vector<std::uint32_t> of_size(count + 1);
    for (const Number entry : entries) {
        if (entry > 0) ++of_size[std::min<Number>(entry, count)];
    }
    std::vector<std::uint32_t> sizes;
    sizes.reserve(count);
    for (std::uint32_t size = 1; size <= count; ++size) {
        sizes.insert(sizes.end(), of_size[size], size);
    }
    reduce_cookies(sizes);
    return sizes;
}

// A reduced position in one word: bit k + a_k - 2 for each cookie k, that is, its lattice path.
struct ShortCookieCode {
    using State = std::uint64_t;
    static constexpr std::size_t kMaxCookies = 32;

    static State encode(std::span<const std::uint32_t> sizes) {
        State state = 0;
        for (std::size_t k = 0; k < sizes.size(); ++k) state |= State{1} << (k + sizes[k] - 1);
        return state;
    }
    static void decode(State state, std::vector<std::uint32_t>& sizes) {
        sizes.clear();
        for (std::uint32_t k = 0; state != 0; ++k, state &= state - 1) {
            sizes.push_back(static_cast<std::uint32_t>(std::countr_zero(state)) - k + 1);
        }
    }
    static std::uint64_t cookies(State state) {
        return static_cast<std::uint64_t>(std::popcount(state));
    }
};

// The same bits in as many bytes as it takes.
struct LongCookieCode {
    using State = std::string;

    static State encode(std::span<const std::uint32_t> sizes) {
        if (sizes.empty()) return {};
        State state((sizes.size() + sizes.back() - 2) / 8 + 1, '\0');
        for (std::size_t k = 0; k < sizes.size(); ++k) {
            const std::size_t bit = k + sizes[k] - 1;
            state[bit / 8] = static_cast<char>(state[bit / 8] | 1 << bit % 8);
        }
        return state;
    }
    static void decode(const State& state, std::vector<std::uint32_t>& sizes) {
        sizes.clear();
        std::uint32_t bit = 0;
        for (const char byte : state) {
            for (unsigned i = 0; i < 8; ++i, ++bit) {
                if ((byte >> i & 1) == 0) continue;
                sizes.push_back(bit - static_cast<std::uint32_t>(sizes.size()) + 1);
            }
        }
    }
    // The length in bytes, which grows about as the number of cookies does.
    static std::uint64_t cookies(const State& state) { return state.size(); }
};

// The reduced positions as a SearchGame.
template <typename Code>
class CookieGame {
  public:
    using State = typename Code::State;

    std::vector<State> states_of(const Heap& heap) const {
        const auto sizes = reduced_sizes(heap);
        return std::vector<State>(sizes.empty() ? 0 : 1, Code::encode(sizes));
    }

    bool can_repeat() const { return false; }
    std::uint64_t size(const State& state) const { return Code::cookies(state); }

    // Cookies of one size are eaten once.
    template <typename Visit>
    bool visit_followers(const State& state, const Budget& budget, Visit visit) const {
        std::vector<std::uint32_t> sizes;
        std::vector<std::uint32_t> rest;
        BudgetPoll poll(budget, kPollCookies);
        Code::decode(state, sizes);
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            if (i > 0 && sizes[i] == sizes[i - 1]) continue;
            if (poll.is_spent(sizes.size())) return false;
            eat(sizes, i, rest);
            const State follower = Code::encode(rest);
            if (!visit(std::span(&follower, rest.empty() ? 0 : 1))) return false;
        }
        return true;
    }

  private:
    // What is left, reduced, of ascending sizes after cookie i is eaten.
    static void eat(std::span<const std::uint32_t> sizes, std::size_t i,
                    std::vector<std::uint32_t>& rest) {
        rest.clear();
        for (std::size_t k = 0; k < sizes.size(); ++k) {
            if (k != i && sizes[k] > 1) rest.push_back(sizes[k] - 1);
        }
        reduce_cookies(rest);
    }

    static constexpr std::size_t kPollCookies = 1 << 14;
};

}  // namespace engine
