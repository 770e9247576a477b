// Lasker's nim: take any number, or split the heap into two non-empty ones.
#pragma once

#include "engine/rules/ruleset.hpp"

namespace engine {

class Lasker : public Ruleset {
  public:
    Result<void> check_heap(const Heap& heap) const override;
    bool has_move(const Heap& heap) const override;
    bool is_follower(const Heap& heap, std::span<const Heap> result) const override;
    Count follower_count(const Heap& heap) const override;
    std::vector<Heap> follower(const Heap& heap, Count index) const override;
};

}  // namespace engine
