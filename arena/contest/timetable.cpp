// Formats whose pairings do not depend on results: round robin (a match is one of two) and
// gauntlet. They say who meets whom in which round; Timetable cuts that into rounds that are
// planned ahead.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "arena/contest/planning.hpp"

namespace arena {
namespace {

// Enough for any number of cores, and cheap to keep.
constexpr int kPairsOfRound = 512;
constexpr std::int64_t kGamesAhead = 2048;

// Rounds are made on request and hold a few hundred pairs of games; larger meetings are cut
// into several rounds. Late joiners (first_round above 1) have rounds of their own after those
// of the others, one joiner after another.
class Timetable : public Format {
  public:
    explicit Timetable(const FormatOptions& options) : options_(options) {}

    void add(const Entrant& entrant) override {
        (entrant.first_round <= 1 ? starters_ : joiners_).push_back(entrants_++);
    }

    void add(const RoundPlan& plan) override {
        rounds_planned_ = std::max(rounds_planned_, plan.round);
        open_games_ += 2 * static_cast<std::int64_t>(plan.pairs.size());
    }

    void add(const GameResult&) override { --open_games_; }

    NextRound next(std::chrono::milliseconds) override {
        int left = rounds_planned_;  // rounds between the current section and the wanted one
        for (std::size_t number = 0; number <= joiners_.size(); ++number) {
            const Section looked_at = section(number);
            const int at_a_time = positions_at_a_time(looked_at);
            const int cuts = (options_.games / 2 + at_a_time - 1) / at_a_time;
            if (left >= looked_at.rounds * cuts) {
                left -= looked_at.rounds * cuts;
                continue;
            }
            if (open_games_ >= kGamesAhead) return AwaitResults{};
            const int first = left % cuts * at_a_time + 1;
            return plan(number, left / cuts, first, first + at_a_time - 1);
        }
        return GameOver{};
    }

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
    std::uint64_t starter_count() const {
        return std::max(starters_.size(), static_cast<std::size_t>(options_.players));
    }

  private:
    // How a round of a section is cut: the number of positions of each meeting at a time.
    int positions_at_a_time(const Section& section) const {
        return std::clamp(kPairsOfRound / std::max(section.width, 1), 1, options_.games / 2);
    }

    RoundPlan plan(std::size_t section, int round, int first_position, int last) const {
        RoundPlan plan;
        plan.round = rounds_planned_ + 1;
        int pairing = 0;
        for (const Meeting& meeting : meetings(section, round))
            add_pairs(plan, ++pairing, meeting, first_position,
                      std::min(last, options_.games / 2));
        return plan;
    }

    FormatOptions options_;
    std::vector<int> starters_;
    std::vector<int> joiners_;
    int entrants_ = 0;
    int rounds_planned_ = 0;
    std::int64_t open_games_ = 0;  // planned and not yet played
};

// All meet all, once in each cycle.
class RoundRobin final : public Timetable {
  public:
    using Timetable::Timetable;

    std::optional<std::uint64_t> total_games() const override {
        const std::uint64_t players = starter_count() + joiners().size();
        return players * (players - 1) / 2 * static_cast<std::uint64_t>(options().cycles) *
               static_cast<std::uint64_t>(options().games);
    }

  private:
    // The number of seats of the circle. It is even: with an odd number of players, the
    // opponent of the extra seat has a bye.
    int seats() const { return static_cast<int>((starters().size() + 1) / 2 * 2); }

    Section section(std::size_t number) const override {
        const int cycles = options().cycles;
        const int players = static_cast<int>(starters().size());
        if (number == 0) return {players < 2 ? 0 : cycles * (seats() - 1), players / 2};
        return {cycles, players + static_cast<int>(number) - 1};
    }

    std::vector<Meeting> meetings(std::size_t number, int round) const override {
        return number == 0 ? circle(round) : meet_all(number - 1, round);
    }

    // The circle method: the last seat is fixed, the others rotate. The first mover alternates,
    // so that in a cycle no player is first more than once more often than second.
    std::vector<Meeting> circle(int round) const {
        if (options().kind == FormatKind::Match) return {{0, 1}};  // the first player begins
        const int turning = seats() - 1;
        const bool swapped = round / turning % 2 == 1;
        const int turn = round % turning;
        std::vector<Meeting> meetings;
        const auto meet = [&](int first, int second, bool swap) {
            const int players = static_cast<int>(starters().size());
            if (first >= players || second >= players) return;
            if (swap != swapped) std::swap(first, second);
            meetings.push_back({starters()[static_cast<std::size_t>(first)],
                                starters()[static_cast<std::size_t>(second)]});
        };
        meet(turn, turning, turn % 2 == 0);
        for (int i = 1; i < seats() / 2; ++i) {
            meet((turn + i) % turning, (turn + turning - i) % turning, i % 2 == 0);
        }
        return meetings;
    }

    // A late joiner meets all earlier players.
    std::vector<Meeting> meet_all(std::size_t joiner, int round) const {
        std::vector<int> others = starters();
        others.insert(others.end(), joiners().begin(),
                      joiners().begin() + static_cast<std::ptrdiff_t>(joiner));
        std::vector<Meeting> meetings;
        for (std::size_t i = 0; i < others.size(); ++i) {
            Meeting meeting{others[i], joiners()[joiner]};
            if ((i + static_cast<std::size_t>(round)) % 2 == 1) {
                std::swap(meeting[0], meeting[1]);
            }
            meetings.push_back(meeting);
        }
        return meetings;
    }
};

// The first players ("seeds") each against all the others; they do not meet each other.
class Gauntlet final : public Timetable {
  public:
    using Timetable::Timetable;

    std::optional<std::uint64_t> total_games() const override {
        const auto seeds = static_cast<std::uint64_t>(options().seeds);
        const std::uint64_t players = starter_count() + joiners().size();
        return seeds * (players - seeds) * static_cast<std::uint64_t>(options().games);
    }

  private:
    int seeds() const { return std::min(options().seeds, static_cast<int>(starters().size())); }
    int others() const { return static_cast<int>(starters().size()) - seeds(); }

    Section section(std::size_t number) const override {
        if (number == 0) {
            return {others() == 0 ? 0 : std::max(seeds(), others()),
                    std::min(seeds(), others())};
        }
        return {1, seeds()};
    }

    std::vector<Meeting> meetings(std::size_t number, int round) const override {
        std::vector<Meeting> meetings;
        for (int seed = 0; seed < seeds(); ++seed) {
            const int other = number == 0 ? opponent(seed, round) : joiners()[number - 1];
            if (other < 0) continue;
            Meeting meeting{starters()[static_cast<std::size_t>(seed)], other};
            if (round % 2 == 1) std::swap(meeting[0], meeting[1]);
            meetings.push_back(meeting);
        }
        return meetings;
    }

    // Seeds rotate over the others, each one step ahead; -1: no opponent in this round, because
    // there are more seeds than others.
    int opponent(int seed, int round) const {
        const int at = (seed + round) % std::max(seeds(), others());
        return at < others() ? starters()[static_cast<std::size_t>(seeds() + at)] : -1;
    }
};

}  // namespace

std::unique_ptr<Format> make_round_robin(const FormatOptions& options) {
    return std::make_unique<RoundRobin>(options);
}

std::unique_ptr<Format> make_gauntlet(const FormatOptions& options) {
    return std::make_unique<Gauntlet>(options);
}

}  // namespace arena
