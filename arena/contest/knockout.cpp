// Knockout: the loser is out. The players are seeded in their order.
#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "arena/contest/planning.hpp"

namespace arena {
namespace {

constexpr int kNobody = -1;

// Seeds 0 … size-1 in the order of a bracket in which the best meet as late as possible: each
// player of a bracket half as large becomes a pair whose numbers sum to size-1.
std::vector<int> bracket_of_seeds(int size) {
    std::vector<int> bracket{0};
    while (static_cast<int>(bracket.size()) < size) {
        const int last = static_cast<int>(2 * bracket.size()) - 1;
        std::vector<int> larger;
        for (const int seed : bracket) {
            larger.push_back(seed);
            larger.push_back(last - seed);
        }
        bracket = std::move(larger);
    }
    return bracket;
}

class Knockout final : public Format {
  public:
    explicit Knockout(const FormatOptions& options) : options_(options) {}

    void add(const Entrant& entrant) override {
        if (entrant.first_round <= 1) seeded_.push_back(entrants_);
        ++entrants_;
    }

    void add(const RoundPlan& plan) override {
        open_games_ += 2 * static_cast<std::int64_t>(plan.pairs.size());
        attempts_[plan.round] = std::max(attempts_[plan.round], plan.attempt);
        if (plan.attempt > 1) games_again_ += 2 * plan.pairs.size();
        for (const PlannedPair& pair : plan.pairs) {
            Duel& duel = duels_[{plan.round, pair.key.pairing, plan.attempt}];
            duel.players = pair.players;
            duel.games += 2;
            for (const int player : pair.players) reach(player, plan.round);
        }
        for (const int player : plan.byes) reach(player, plan.round);
    }

    void add(const GameResult& result) override {
        const PairKey& key = result.key.pair;
        const auto planned = duels_.find({key.round, key.pairing, key.attempt});
        if (planned == duels_.end()) return;  // in a damaged record
        --open_games_;
        Duel& duel = planned->second;
        --duel.games;
        if (result.reason == Reason::Void) {
            ++duel.voids;
            return;
        }
        for (std::size_t seat = 0; seat < 2; ++seat) {
            const std::size_t side = result.players[seat] == duel.players[0] ? 0 : 1;
            duel.halves[side] += result.halves(static_cast<int>(seat));
        }
        if (!result.winner || !is_fault(result.reason)) return;
        const int winner = result.players[static_cast<std::size_t>(*result.winner)];
        duel.fewer_faults += winner == duel.players[0] ? 1 : -1;
    }

    NextRound next(std::chrono::milliseconds) override {
        if (open_games_ > 0) return AwaitResults{};
        const Bracket meetings = bracket();
        if (std::ranges::all_of(meetings, is_decided)) return GameOver{};
        return plan(meetings);
    }

    std::optional<std::uint64_t> total_games() const override {
        const auto players =
            std::max(seeded_.size(), static_cast<std::size_t>(options_.players));
        return (players - 1) * static_cast<std::uint64_t>(options_.games) + games_again_;
    }

    std::string warning() const override {
        if (seeded_.size() == static_cast<std::size_t>(entrants_)) return {};
        return fmt::format("knockout: nobody can join late: {} of {} players will not play",
                           static_cast<std::size_t>(entrants_) - seeded_.size(), entrants_);
    }

    std::vector<int> rounds_reached() const override {
        std::vector<int> reached = reached_;
        reached.resize(static_cast<std::size_t>(entrants_), 0);
        for (const BracketMeeting& meeting : bracket()) {
            if (!meeting.winner) continue;
            int& round = reached[static_cast<std::size_t>(*meeting.winner)];
            if (round > 0) round = std::max(round, meeting.round + 1);
        }
        return reached;
    }

    Bracket bracket() const override {
        Bracket bracket;
        std::vector<int> slots = first_slots();
        for (int round = 1; slots.size() > 1; ++round) {
            std::vector<int> winners;
            for (std::size_t i = 0; i < slots.size(); i += 2) {
                const int pairing = static_cast<int>(i / 2) + 1;
                bracket.push_back(meeting(round, pairing, slots[i], slots[i + 1]));
                if (const auto& winner = bracket.back().winner) winners.push_back(*winner);
            }
            if (2 * winners.size() < slots.size()) break;
            slots = std::move(winners);
        }
        return bracket;
    }

  private:
    // The number of attempts of a pairing. If all are undecided, the points of all attempts
    // decide, then fewer faults, then lots.
    static constexpr int kMaxAttempts = 5;

    // An attempt of a pairing, from the view of its first player.
    struct Duel {
        std::array<int, 2> players{kNobody, kNobody};
        std::array<std::int64_t, 2> halves{0, 0};  // half points
        int fewer_faults = 0;
        int voids = 0;
        int games = 0;  // that are left to play
    };

    void reach(int player, int round) {
        const auto index = static_cast<std::size_t>(player);
        if (reached_.size() <= index) reached_.resize(index + 1, 0);
        reached_[index] = std::max(reached_[index], round);
    }

    // The players of the first round, opponents next to each other.
    std::vector<int> first_slots() const {
        int size = 1;
        while (size < static_cast<int>(seeded_.size())) size *= 2;
        std::vector<int> slots;
        for (const int seed : bracket_of_seeds(size)) {
            const auto index = static_cast<std::size_t>(seed);
            slots.push_back(index < seeded_.size() ? seeded_[index] : kNobody);
        }
        return slots;
    }

    static bool is_decided(const BracketMeeting& meeting) { return meeting.winner.has_value(); }

    BracketMeeting meeting(int round, int pairing, int a, int b) const {
        if (a == kNobody) std::swap(a, b);
        BracketMeeting met;
        met.round = round;
        met.pairing = pairing;
        met.players[0] = a;
        if (b == kNobody) {
            met.winner = a;
            return met;
        }
        met.players[1] = b;
        using Decision = BracketMeeting::Decision;
        const auto decide = [&](Decision decision, std::int64_t lead_of_a) {
            met.decision = decision;
            met.winner = lead_of_a > 0 ? a : b;
            return met;
        };
        int fewer_faults = 0;  // of `a`, in all attempts
        for (int attempt = 1; attempt <= kMaxAttempts; ++attempt) {
            const auto found = duels_.find({round, pairing, attempt});
            if (found == duels_.end()) return met;
            const Duel& duel = found->second;
            const std::size_t first = duel.players[0] == a ? 0 : 1;
            ++met.attempts;
            met.halves[0] += duel.halves[first];
            met.halves[1] += duel.halves[1 - first];
            if (duel.games > 0) return met;
            // Void games could have changed the result.
            const std::int64_t lead = duel.halves[first] - duel.halves[1 - first];
            if (std::abs(lead) > 2 * duel.voids) return decide(Decision::Attempt, lead);
            fewer_faults += first == 0 ? duel.fewer_faults : -duel.fewer_faults;
        }
        const std::int64_t lead = met.halves[0] - met.halves[1];
        if (lead != 0) return decide(Decision::AllAttempts, lead);
        if (fewer_faults != 0) return decide(Decision::Faults, fewer_faults);
        return decide(Decision::Lots, lot(options_, round, pairing) % 2 == 0 ? 1 : -1);
    }

    // The undecided meetings of the last round of the bracket.
    RoundPlan plan(const Bracket& meetings) const {
        RoundPlan plan;
        plan.round = meetings.back().round;
        const auto attempts = attempts_.find(plan.round);
        plan.attempt = attempts == attempts_.end() ? 1 : attempts->second + 1;
        for (const BracketMeeting& met : meetings) {
            if (met.round < plan.round) continue;
            const auto& [first, second] = met.players;
            if (!second && plan.attempt == 1) plan.byes.push_back(*first);
            if (is_decided(met)) continue;
            Meeting meeting{*first, *second};
            if ((met.pairing + plan.attempt) % 2 == 1) std::swap(meeting[0], meeting[1]);
            add_pairs(plan, met.pairing, meeting, 1, options_.games / 2);
        }
        return plan;
    }

    FormatOptions options_;
    int entrants_ = 0;
    std::vector<int> seeded_;                          // numbers of the players, best first
    std::vector<int> reached_;                         // rounds planned, by player
    std::map<int, int> attempts_;                      // planned, by round
    std::map<std::tuple<int, int, int>, Duel> duels_;  // by round, pairing, attempt
    std::uint64_t games_again_ = 0;                    // planned, of attempts after the first
    std::int64_t open_games_ = 0;                      // planned and not yet played
};

}  // namespace

std::unique_ptr<Format> make_knockout(const FormatOptions& options) {
    return std::make_unique<Knockout>(options);
}

}  // namespace arena
