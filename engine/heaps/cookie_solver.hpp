// cookie: nimbers by a search of reduced positions.
#pragma once

#include <vector>

#include "engine/heaps/cookie_game.hpp"
#include "engine/heaps/heap_solver.hpp"
#include "engine/heaps/nimber_search.hpp"

namespace engine {

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

}  // namespace engine
