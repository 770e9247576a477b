// The different results of all moves from a heap, sorted and packed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/rules/formula/evaluator.hpp"
#include "engine/rules/formula/ranges.hpp"
#include "engine/rules/ruleset.hpp"

namespace engine::rules {

class FollowerList {
  public:
    // `entries` of every heap; rows are added, and the list is finished before it is read.
    explicit FollowerList(std::size_t entries) : entries_(entries) {}

    // Makes room for rows of `heaps` heaps, whose entries (number i of each heap) lie in
    // ranges[i]. Before any row is added.
    void expect(std::size_t heaps, std::span<const Range> ranges);
    // False if it was given up, which leaves nothing to read.
    bool add(const MoveBlock& block, const GiveUp& give_up);
    bool finish(const GiveUp& give_up);

    std::size_t size() const { return size_; }
    // The heaps of result number `index`, one after the other, `entries` numbers each.
    std::vector<Number> row(std::size_t index) const;
    std::size_t bytes() const;

  private:
    // Rows of as many heaps. If the entries, less their lowest value, fit into 64 bits, a row
    // is one key; its order is that of the rows.
    struct Group {
        std::size_t heaps = 1;
        std::vector<Number> lowest, highest;  // for each entry of a heap
        std::vector<int> bits;
        bool is_packed = false;
        int key_bits = 0;
        std::vector<std::uint64_t> numbers;  // keys, or rows one after the other
        std::size_t next_sweep = 0;

        std::size_t width() const { return heaps * lowest.size(); }
        std::size_t stride() const { return is_packed ? 1 : width(); }
        std::size_t count() const { return numbers.size() / stride(); }
        std::uint64_t pack(std::span<const Number> row) const;
        std::vector<Number> unpack(std::uint64_t key) const;
        bool sort(const GiveUp& give_up);  // each row once
        bool sort_keys(const GiveUp& give_up);
        bool mark_keys(const GiveUp& give_up);
        bool sort_rows(const GiveUp& give_up);
    };

    Group& group(std::size_t heaps);

    std::size_t entries_;
    std::vector<Group> groups_;  // by the number of heaps
    std::size_t size_ = 0;
};

}  // namespace engine::rules
