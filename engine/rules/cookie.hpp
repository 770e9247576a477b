// The cookie game (Ullman and Propp 1992): eat one cookie, that is, a positive entry, which
// becomes 0, and every other entry goes down by 1, never below 0. A heap is a tuple, or a
// number, which is one cookie.
#pragma once

#include "engine/rules/ruleset.hpp"

namespace engine {

class Cookie : public Ruleset {
  public:
    Result<void> check_heap(const Heap& heap) const override;
    // These take time linear in the entries.
    bool has_move(const Heap& heap) const override;
    bool is_follower(const Heap& heap, std::span<const Heap> result) const override;
    // Eating one entry of 1 or another gives the same heap, which counts once.
    Count follower_count(const Heap& heap) const override;
    std::vector<Heap> follower(const Heap& heap, Count index) const override;
};

}  // namespace engine
