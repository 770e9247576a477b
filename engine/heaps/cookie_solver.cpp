// cookie: nimbers by a search of reduced positions.
#include <algorithm>
#include <vector>

#include "engine/heaps/cookie_game.hpp"
#include "engine/heaps/heap_solver.hpp"
#include "engine/heaps/nimber_search.hpp"
#include "engine/heaps/solvers.hpp"
#include "engine/rules/entries.hpp"

namespace engine {
namespace {

// Up to 32 cookies, as they are counted once reduced, take seconds at most; more, it depends.
class CookieSolver : public HeapSolver {
  public:
    explicit CookieSolver(std::shared_ptr<const Ruleset> rules) : rules_(std::move(rules)) {}

    std::optional<Nimber> nimber(const Heap& heap, const Budget& budget) const override;
    std::optional<bool> has_nimber(const Heap& heap, std::uint64_t nimber,
                                   const Budget& budget) const override;
    // How many cookies are left once reduced.
    std::uint64_t effort(const Heap& heap) const override;

    bool visit_followers(const Heap& heap, const Nimber& nimber, const Budget& budget,
                         VisitFollowers visit) const override;
    std::optional<std::vector<Heap>> find_follower(const Heap& heap, const Nimber& nimber,
                                                   const Budget& budget) const override;

  private:
    using Sizes = std::vector<std::uint32_t>;

    std::optional<bool> has_nimber(const Sizes& reduced, std::uint64_t nimber,
                                   const Budget& budget) const;
    NimberFacts known(const Sizes& reduced) const;

    std::shared_ptr<const Ruleset> rules_;
    NimberSearch<CookieGame<ShortCookieCode>> short_{{}};
    NimberSearch<CookieGame<LongCookieCode>> long_{{}};
};

// The sizes of the cookies there are. One of at least `count` will never go stale.
std::uint32_t clamped(Number entry, std::size_t count) {
    return static_cast<std::uint32_t>(std::min<Number>(entry, count));
}

std::size_t cookie_count(const Heap& heap) {
    const auto entries = entries_of(heap);
    return entries.size() - static_cast<std::size_t>(std::ranges::count(entries, Number{0}));
}

// By counting, since sizes are no more than their number: O(n).
std::vector<std::uint32_t> sorted_sizes(const Heap& heap) {
    const std::size_t count = cookie_count(heap);
    std::vector<std::uint32_t> of_size(count + 1);
    for (const Number entry : entries_of(heap)) {
        if (entry > 0) ++of_size[clamped(entry, count)];
    }
    std::vector<std::uint32_t> sizes;
    sizes.reserve(count);
    for (std::uint32_t size = 1; size <= count; ++size) {
        sizes.insert(sizes.end(), of_size[size], size);
    }
    return sizes;
}

std::vector<std::uint32_t> reduced_sizes(const Heap& heap) {
    auto sizes = sorted_sizes(heap);
    reduce_cookies(sizes);
    return sizes;
}

// The size of the cookie that each follower eats, in the order of the ruleset: the entries
// above 1 from left to right, then a 1. Eating any cookie of a size has the same effect.
std::vector<std::uint32_t> sizes_by_follower(const Heap& heap) {
    const std::size_t count = cookie_count(heap);
    std::vector<std::uint32_t> sizes;
    bool has_one = false;
    for (const Number entry : entries_of(heap)) {
        if (entry > 1) sizes.push_back(clamped(entry, count));
        has_one = has_one || entry == 1;
    }
    if (has_one) sizes.push_back(1);
    return sizes;
}

// The followers of a heap: for each size of its cookies, the heap after one of them is eaten.
class Leftovers {
  public:
    explicit Leftovers(const Heap& heap) : sizes_(sorted_sizes(heap)) {}

    // The first cookie of each size, by ascending size.
    std::vector<std::size_t> firsts() const {
        std::vector<std::size_t> found;
        for (std::size_t i = 0; i < sizes_.size(); ++i) {
            if (i == 0 || sizes_[i] != sizes_[i - 1]) found.push_back(i);
        }
        return found;
    }
    std::uint32_t size(std::size_t cookie) const { return sizes_[cookie]; }
    // Reduced.
    const std::vector<std::uint32_t>& without(std::size_t cookie) {
        CookieGame<LongCookieCode>::eat(sizes_, cookie, rest_);
        return rest_;
    }

  private:
    std::vector<std::uint32_t> sizes_;
    std::vector<std::uint32_t> rest_;
};

std::optional<Nimber> CookieSolver::nimber(const Heap& heap, const Budget& budget) const {
    constexpr std::size_t kAlwaysSearched = 8;  // cookies: microseconds
    const Sizes sizes = reduced_sizes(heap);
    // There may be thousands of heaps to ask about.
    if (sizes.size() > kAlwaysSearched && budget.is_spent()) {
        const NimberFacts facts = known(sizes);
        return facts.is_exact() ? std::optional(finite(facts.low())) : std::nullopt;
    }
    const auto value = sizes.size() <= ShortCookieCode::kMaxCookies
                           ? short_.nimber(ShortCookieCode::encode(sizes), budget)
                           : long_.nimber(LongCookieCode::encode(sizes), budget);
    if (!value) return std::nullopt;
    return finite(*value);
}

std::optional<bool> CookieSolver::has_nimber(const Heap& heap, std::uint64_t nimber,
                                             const Budget& budget) const {
    return has_nimber(reduced_sizes(heap), nimber, budget);
}

std::uint64_t CookieSolver::effort(const Heap& heap) const {
    return reduced_sizes(heap).size();
}

std::optional<bool> CookieSolver::has_nimber(const Sizes& reduced, std::uint64_t nimber,
                                             const Budget& budget) const {
    if (reduced.size() <= ShortCookieCode::kMaxCookies) {
        return short_.has_nimber(ShortCookieCode::encode(reduced), nimber, budget);
    }
    return long_.has_nimber(LongCookieCode::encode(reduced), nimber, budget);
}

NimberFacts CookieSolver::known(const Sizes& reduced) const {
    if (reduced.size() <= ShortCookieCode::kMaxCookies) {
        return short_.known(ShortCookieCode::encode(reduced));
    }
    return long_.known(LongCookieCode::encode(reduced));
}

// In the order of the ruleset.
bool CookieSolver::visit_followers(const Heap& heap, const Nimber& nimber, const Budget& budget,
                                   VisitFollowers visit) const {
    const auto* wanted = std::get_if<std::uint64_t>(&nimber);
    if (wanted == nullptr) return true;
    Leftovers leftovers(heap);
    std::vector<bool> good(cookie_count(heap) + 1);  // by size
    bool complete = true;
    for (const std::size_t cookie : leftovers.firsts()) {
        if (budget.is_spent()) {
            complete = false;
            break;
        }
        const auto has = has_nimber(leftovers.without(cookie), *wanted, budget);
        if (!has) complete = false;
        good[leftovers.size(cookie)] = has.value_or(false);
    }
    const auto sizes = sizes_by_follower(heap);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const auto at = [&](Count) { return rules_->follower(heap, i); };
        if (good[sizes[i]] && !visit(1, at)) break;
    }
    return complete;
}

// First of all, one that is known already: the search for the heap's own nimber has left it.
std::optional<std::vector<Heap>> CookieSolver::find_follower(const Heap& heap,
                                                             const Nimber& nimber,
                                                             const Budget& budget) const {
    const auto* wanted = std::get_if<std::uint64_t>(&nimber);
    if (wanted == nullptr) return std::nullopt;
    Leftovers leftovers(heap);
    for (const bool search : {false, true}) {
        for (const std::size_t cookie : leftovers.firsts()) {
            if (budget.is_spent()) return std::nullopt;
            const Sizes& rest = leftovers.without(cookie);
            const NimberFacts facts = known(rest);
            const bool has = search ? has_nimber(rest, *wanted, budget).value_or(false)
                                    : facts.is_exact() && facts.low() == *wanted;
            if (!has) continue;
            const auto sizes = sizes_by_follower(heap);
            const auto place = std::ranges::find(sizes, leftovers.size(cookie));
            return rules_->follower(heap, static_cast<Count>(place - sizes.begin()));
        }
    }
    return std::nullopt;
}

}  // namespace

std::shared_ptr<const HeapSolver> make_cookie_solver(std::shared_ptr<const Ruleset> rules) {
    return std::make_shared<CookieSolver>(std::move(rules));
}

}  // namespace engine
