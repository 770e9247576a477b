// Formats whose pairings do not depend on results.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arena/contest/planning.hpp"

namespace arena {

// Rounds are made on request and hold a few hundred pairs of games; larger meetings are cut
// into several rounds. Late joiners (first_round above 1) have rounds of their own after those
// of the others, one joiner after another.
class Timetable : public Format {
  public:
    explicit Timetable(const FormatOptions& options) : options_(options) {}

    void add(const Entrant& entrant) override;
    void add(const RoundPlan& plan) override;
    void add(const GameResult& result) override;
    NextRound next(std::chrono::milliseconds spent) override;
    std::string warning() const override { return {}; }

  protected:
    // Consecutive rounds with at most `width` meetings each.
    struct Section {
        int rounds = 0;
        int width = 0;
    };
    // Section 0 is that of the players of the start, section k that of joiner k.
    virtual Section section(std::size_t number) const = 0;
    // The meetings of a round (from 0) of a section.
    virtual std::vector<Meeting> meetings(std::size_t section, int round) const = 0;

    const FormatOptions& options() const { return options_; }
    const std::vector<int>& starters() const { return starters_; }
    const std::vector<int>& joiners() const { return joiners_; }
    // The players of the start as far as they are known to come.
    std::uint64_t starter_count() const;

  private:
    // How a round of a section is cut: the number of positions of each meeting at a time.
    int positions_at_a_time(const Section& section) const;
    RoundPlan plan(std::size_t section, int round, int first_position) const;

    FormatOptions options_;
    std::vector<int> starters_;
    std::vector<int> joiners_;
    int entrants_ = 0;
    int rounds_planned_ = 0;
    Outstanding outstanding_;
};

}  // namespace arena
