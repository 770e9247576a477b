// A set of small numbers that finds the smallest missing number (the mex) in a few steps.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace engine {

// A tree of 64-way words: a bit of a level is set where the word below it is full.
class FreeValues {
  public:
    FreeValues() : levels_(1, std::vector<std::uint64_t>(1)) {}

    void insert(std::size_t value) {
        while (value >= levels_.front().size() * 64) grow();
        for (auto& level : levels_) {
            std::uint64_t& word = level[value / 64];
            word |= std::uint64_t{1} << (value % 64);
            if (word != ~std::uint64_t{0}) return;
            value /= 64;
        }
    }

    // `value` must be in the set.
    void erase(std::size_t value) {
        for (auto& level : levels_) {
            std::uint64_t& word = level[value / 64];
            const bool was_full = word == ~std::uint64_t{0};
            word &= ~(std::uint64_t{1} << (value % 64));
            if (!was_full) return;
            value /= 64;
        }
    }

    std::size_t least_missing() const {
        if (levels_.back().front() == ~std::uint64_t{0}) return levels_.front().size() * 64;
        std::size_t place = 0;
        for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
            place = place * 64 + static_cast<std::size_t>(std::countr_one((*level)[place]));
        }
        return place;
    }

  private:
    // A level on top, and every level below 64 times as long.
    void grow() {
        const bool full = levels_.back().front() == ~std::uint64_t{0};
        levels_.push_back({full ? std::uint64_t{1} : 0});
        std::size_t words = 64;
        for (std::size_t i = levels_.size() - 1; i-- > 0; words *= 64) levels_[i].resize(words);
    }

    std::vector<std::vector<std::uint64_t>> levels_;  // the values themselves first
};

}  // namespace engine
