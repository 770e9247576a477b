// Who is paired with whom, so that it costs least in all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace arena {

// What it costs to pair two of `size` players, the same either way. From 0, and so small that
// `size` times four times the largest fits.
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

// The partner of each in a perfect matching of least cost; `costs.size()` is even. Always the
// same one for the same costs. Edmonds' blossom algorithm ("Maximum matching and a polyhedron
// with 0,1-vertices", 1965) with Gabow's bookkeeping: O(size^3) time, O(size^2) memory. (Ours,
// since maximum_weighted_matching of Boost 1.81 gives wrong answers for many graphs.)
std::vector<std::size_t> cheapest_matching(const PairCosts& costs);

// Cuts so many players in a ranking, an even number, into blocks of even sizes, each at least
// `least`: to be matched by themselves, as those who should meet stand close to each other.
std::vector<std::size_t> blocks_of_ranking(std::size_t players, std::size_t least);

}  // namespace arena
