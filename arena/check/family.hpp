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
    std::size_t size() const { return starts_.size(); }
    // `index` < size(). Within each ruleset, smaller numbers have fewer heaps.
    protocol::Position position(std::size_t index) const;

  private:
    class Lister;

    // One heap that a part of a sum may have.
    struct Kind {
        std::size_t part = 0;
        protocol::Heap heap;
    };

    Family() = default;
    protocol::Result<void> list(const Suite& suite, bool is_sorted);

    std::string text_;
    std::vector<Suite::Sum> sums_;
    std::vector<Kind> kinds_;  // of all sums and parts
    // Each position: the index of its sum, whether it is misère, and the kinds of its heaps.
    std::vector<std::uint32_t> listed_;
    std::vector<std::uint32_t> starts_;  // of the positions in listed_
};

// The positions of one run: families, and positions given one by one. Each counts once.
class PositionSet {
  public:
    // Fails if there are more than kMostAsked.
    static protocol::Result<PositionSet> make(std::vector<Family> families,
                                              std::vector<protocol::Position> positions);

    std::size_t size() const { return numbers_.size(); }
    protocol::Position position(std::size_t index) const { return numbered(numbers_[index]); }

    const std::vector<Family>& families() const { return families_; }
    const std::vector<protocol::Position>& given() const { return given_; }

  private:
    PositionSet() = default;
    protocol::Position numbered(std::size_t number) const;

    std::vector<Family> families_;
    std::vector<protocol::Position> given_;
    std::vector<std::uint32_t> numbers_;  // among all of them, without repeated ones
};

}  // namespace arena
