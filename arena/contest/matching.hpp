// Minimum-cost perfect matching (blossom algorithm).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace arena {

// The symmetric costs of pairing two of `size` players: not negative, and so small that 4 *
// `size` times the largest does not overflow.
class PairCosts {
  public:
    explicit PairCosts(std::size_t size) : size_(size), costs_(size * size, 0) {}

    std::size_t size() const { return size_; }
    std::int64_t operator()(std::size_t a, std::size_t b) const {
        return costs_[a * size_ + b];
    }
    void set(std::size_t a, std::size_t b, std::int64_t cost) {
        costs_[a * size_ + b] = cost;
        costs_[b * size_ + a] = cost;
    }

  private:
    std::size_t size_;
    std::vector<std::int64_t> costs_;
};

// The partner of each player in a minimum-cost perfect matching; `costs.size()` is even.
// Deterministic. Edmonds' blossom algorithm ("Maximum matching and a polyhedron with
// 0,1-vertices", 1965) with Gabow's bookkeeping: O(size^3) time, O(size^2) memory. (Our own,
// because maximum_weighted_matching of Boost 1.81 gives wrong answers for many graphs.)
std::vector<std::size_t> cheapest_matching(const PairCosts& costs);

// Cuts this many ranked players, an even number, into blocks of even sizes, each at least
// `least`. Blocks are matched separately, because opponents should be close in the ranking.
std::vector<std::size_t> blocks_of_ranking(std::size_t players, std::size_t least);

}  // namespace arena
