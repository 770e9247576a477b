// Nim: a heap is a number or an ordinal, and a move makes it any smaller one.
#pragma once

#include <memory>

#include "engine/rules/ruleset.hpp"
#include "protocol/scanner.hpp"

namespace engine {

class Nim : public Ruleset {
  public:
    Result<void> check_heap(const Heap& heap) const override;
    bool has_move(const Heap& heap) const override;
    bool is_follower(const Heap& heap, std::span<const Heap> result) const override;
    // Of an ordinal: the followers that can be written, whose coefficients end at 2^63-1.
    Count follower_count(const Heap& heap) const override;
    std::vector<Heap> follower(const Heap& heap, Count index) const override;
};

}  // namespace engine
