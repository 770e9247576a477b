// moore{K}: nim where a move lowers 1 to K entries of a tuple (Moore 1910).
#pragma once

#include <vector>

#include "engine/rules/ruleset.hpp"

namespace engine {

// All functions take time linear in the entries, or in K times the entries for small K.
class Moore : public Ruleset {
  public:
    // `most`: K, at least 1.
    explicit Moore(Number most) : most_(most) {}

    Number most() const { return most_; }

    Result<void> check_heap(const Heap& heap) const override;
    bool has_move(const Heap& heap) const override;
    bool is_follower(const Heap& heap, std::span<const Heap> result) const override;
    Count follower_count(const Heap& heap) const override;
    std::vector<Heap> follower(const Heap& heap, Count index) const override;
    std::optional<std::vector<Heap>> reduced(const Heap& heap, Convention) const override;

  private:
    Number most_;
};

}  // namespace engine
