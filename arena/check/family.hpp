// Families: all positions of a kind, such as "nim;heaps=1..4;size=0..7", by number.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "arena/game/suite.hpp"
#include "engine/rules/catalogue.hpp"
#include "protocol/position.hpp"
#include "protocol/result.hpp"

namespace arena {

// The most positions of one run.
inline constexpr std::uint64_t kMostAsked = 1'000'000;

// The same heaps in another order are a different position, unless the family is sorted.
class Family {
  public:
    // The words of a suite ("nim;heaps=1..4;size=0..7"), for all positions that it could draw;
    // with `;sorted` only those whose heaps ascend in each part. Errors name the column.
    // Refuses more than kMostAsked positions. A repeated sum counts once.
    static protocol::Result<Family> parse(std::string_view text,
                                          const engine::RulesetNames& names = {});

    // Canonical: "nim;heaps=1..4;size=0..7", names expanded.
    const std::string& text() const { return text_; }
    std::uint64_t size() const { return blocks_.empty() ? 0 : blocks_.back().end; }
    // `index` < size(). Within each ruleset, smaller numbers have fewer heaps.
    protocol::Position position(std::uint64_t index) const;

  private:
    // The positions of one sum that have the same number of heaps in each part.
    struct Block {
        std::size_t sum = 0;
        protocol::Convention convention = protocol::Convention::Normal;
        std::vector<std::size_t> heaps;  // by part
        std::uint64_t end = 0;           // the number after its last position
    };

    Family() = default;
    protocol::Result<void> list();
    void add_blocks(std::size_t sum, protocol::Convention convention,
                    std::vector<std::size_t>& heaps, std::size_t left);
    std::uint64_t ways(std::size_t sum, std::size_t part, std::size_t heaps) const;

    Suite suite_;
    bool sorted_ = false;
    std::string text_;
    std::vector<std::vector<std::vector<protocol::Heap>>> heaps_;  // by sum and part
    std::vector<Block> blocks_;
};

// The positions of one run: families, and positions given one by one. Each counts once.
class PositionSet {
  public:
    // Fails if there are more than kMostAsked.
    static protocol::Result<PositionSet> make(std::vector<Family> families,
                                              std::vector<protocol::Position> positions);

    std::size_t size() const { return numbers_.empty() ? whole_ : numbers_.size(); }
    protocol::Position position(std::size_t index) const;

    const std::vector<Family>& families() const { return families_; }
    const std::vector<protocol::Position>& given() const { return given_; }

  private:
    PositionSet() = default;
    protocol::Position numbered(std::uint64_t number) const;

    std::vector<Family> families_;
    std::vector<protocol::Position> given_;
    std::size_t whole_ = 0;               // with repeated ones
    std::vector<std::uint32_t> numbers_;  // without repeated ones; empty if none can repeat
};

}  // namespace arena
