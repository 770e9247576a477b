// Ladder: as many fair rounds as fit into a time budget. In each round all players that are
// present play the same number of games against neighbours in the ranking: one meeting, or two
// if the number of players is odd. A round begins once those who are present have played the
// last one: games of a player that has left wait for it and hold up nobody else.
#include <algorithm>
#include <map>
#include <utility>

#include "arena/contest/matching.hpp"
#include "arena/contest/planning.hpp"

namespace arena {
namespace {

class Ladder final : public Format {
  public:
    explicit Ladder(const FormatOptions& options) : options_(options) {}

    void add(const Entrant& entrant) override {
        players_.emplace_back().first_round = entrant.first_round;
    }

    void add(const RoundPlan& plan) override {
        for (const PlannedPair& pair : plan.pairs) open_games_[meeting_of(pair.players)] += 2;
        rounds_planned_ = std::max(rounds_planned_, plan.round);
        pairs_planned_ += static_cast<std::int64_t>(plan.pairs.size());
        for (const PlannedPair& pair : plan.pairs) {
            if (pair.key.position != 1) continue;
            player(pair.players[0]).meet(plan.round, pair.players[1]);
            player(pair.players[1]).meet(plan.round, pair.players[0]);
        }
    }

    void add(const GameResult& result) override {
        const auto open = open_games_.find(meeting_of(result.players));
        if (open != open_games_.end() && --open->second == 0) open_games_.erase(open);
        if (result.reason == Reason::Void) return;
        for (int seat = 0; seat < 2; ++seat) {
            Entry& who = player(result.players[static_cast<std::size_t>(seat)]);
            who.points += result.halves(seat);
            ++who.games;
        }
    }

    NextRound next(std::chrono::milliseconds spent) override {
        const bool awaits_present = std::ranges::any_of(open_games_, [this](const auto& open) {
            const auto& [a, b] = open.first;
            return player(a).is_present && player(b).is_present;
        });
        if (awaits_present) return AwaitResults{};
        RoundPlan next = plan();
        next.spent = spent;
        const bool is_over = !fits(next) || (next.pairs.empty() && !options_.open);
        if (is_over && open_games_.empty()) return GameOver{};
        if (is_over || next.pairs.empty()) return AwaitResults{};
        return next;
    }

    void set_present(int number, bool is_present) override {
        player(number).is_present = is_present;
    }

    std::optional<std::uint64_t> total_games() const override { return std::nullopt; }

  private:
    struct Entry {
        int first_round = 1;
        bool is_present = true;
        std::int64_t points = 0;  // halves
        std::int64_t games = 0;   // without void ones
        int last_round = 0;       // that it played in
        std::vector<int> met;     // in that round

        void meet(int round, int other) {
            if (round != last_round) met.clear();
            last_round = round;
            met.push_back(other);
        }
    };
    using Places = std::vector<std::size_t>;  // players by place in a ranking
    static constexpr std::size_t kBlock = 64;

    Entry& player(int number) { return players_[static_cast<std::size_t>(number)]; }
    const Entry& player(int number) const { return players_[static_cast<std::size_t>(number)]; }

    // Whether a round fits into the remaining budget, at the average pace so far. The first one
    // always does.
    bool fits(const RoundPlan& round) const {
        if (rounds_planned_ == 0 || options_.budget.count() == 0) return true;
        if (round.pairs.empty()) return round.spent < options_.budget;
        const auto pairs = static_cast<std::int64_t>(round.pairs.size());
        const auto left = options_.budget - round.spent;
        return round.spent.count() * pairs <= left.count() * pairs_planned_;
    }

    static std::pair<int, int> meeting_of(const std::array<int, 2>& players) {
        return std::minmax(players[0], players[1]);
    }

    // The players of a round: those who are present. Where nobody can join, and fewer than two
    // are present, all of them: then those who do not return lose.
    std::vector<int> players_of(int round) const {
        std::vector<int> all, present;
        for (int i = 0; i < static_cast<int>(players_.size()); ++i) {
            if (player(i).first_round > round) continue;
            all.push_back(i);
            if (player(i).is_present) present.push_back(i);
        }
        return present.size() < 2 && !options_.open ? all : present;
    }

    // By share of points, then by number; players without games come last.
    std::vector<int> ranked(int round) const {
        std::vector<int> ranking = players_of(round);
        std::ranges::stable_sort(ranking, [&](int a, int b) {
            const Entry& x = player(a);
            const Entry& y = player(b);
            if (x.games == 0 || y.games == 0) return x.games > y.games;
            return x.points * y.games > y.points * x.games;
        });
        return ranking;
    }

    RoundPlan plan() const {
        RoundPlan plan;
        plan.round = rounds_planned_ + 1;
        const std::vector<int> ranking = ranked(plan.round);
        if (ranking.size() < 2) return plan;
        int pairing = 0;
        for (Meeting meeting : meetings(ranking, plan.round)) {
            ++pairing;
            if ((plan.round + pairing) % 2 == 1) std::swap(meeting[0], meeting[1]);
            add_pairs(plan, pairing, meeting, 1, options_.games / 2);
        }
        return plan;
    }

    std::vector<Meeting> meetings(const std::vector<int>& ranking, int round) const {
        std::vector<Meeting> meetings;
        Places all(ranking.size());
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
        if (all.size() % 2 == 0) {
            add_matching(meetings, ranking, all);
            return meetings;
        }
        // Matches all but one player, twice, and the two left out. The first of them is random;
        // the second is its neighbour, because it is matched at its place.
        const auto drawn = static_cast<std::size_t>(lot(options_, round, 0) % all.size());
        Places others = all;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(drawn));
        add_matching(meetings, ranking, others);
        all.insert(all.begin() + static_cast<std::ptrdiff_t>(drawn), drawn);
        add_matching(meetings, ranking, all);
        return meetings;
    }

    // Matches places, one of which may occur twice. Avoids rematches from the last round and
    // from `meetings` where possible.
    void add_matching(std::vector<Meeting>& meetings, const std::vector<int>& ranking,
                      const Places& places) const {
        auto met = met_lately(meetings);
        std::size_t begin = 0;
        for (const std::size_t size : blocks_of_ranking(places.size(), kBlock)) {
            const auto player_at = [&](std::size_t i) { return ranking[places[begin + i]]; };
            PairCosts costs(size);
            for (std::size_t a = 0; a < size; ++a) {
                for (std::size_t b = 0; b < a; ++b) {
                    const auto apart =
                        static_cast<std::int64_t>(places[begin + a] - places[begin + b]);
                    costs.set(a, b, cost(met, player_at(a), player_at(b), apart));
                }
            }
            const auto partners = cheapest_matching(costs);
            for (std::size_t i = 0; i < size; ++i) {
                if (i < partners[i]) {
                    meetings.push_back({player_at(i), player_at(partners[i])});
                }
            }
            begin += size;
        }
    }

    // By player: its opponents of the last round, and twice each opponent of this one.
    std::vector<std::vector<int>> met_lately(const std::vector<Meeting>& meetings) const {
        std::vector<std::vector<int>> met(players_.size());
        for (std::size_t i = 0; i < players_.size(); ++i) {
            if (players_[i].last_round == rounds_planned_) met[i] = players_[i].met;
        }
        const auto add_twice = [&](int player, int other) {
            auto& own = met[static_cast<std::size_t>(player)];
            own.insert(own.end(), 2, other);
        };
        for (const auto& [a, b] : meetings) {
            add_twice(a, b);
            add_twice(b, a);
        }
        return met;
    }

    // In order: no player meets itself, a recent opponent, or a distant one.
    static std::int64_t cost(const std::vector<std::vector<int>>& met, int a, int b,
                             std::int64_t apart) {
        constexpr std::int64_t kAgain = std::int64_t{1} << 24;  // above kBlock squares
        constexpr std::int64_t kItself = std::int64_t{1} << 40;
        if (a == b) return kItself;
        return apart * apart + kAgain * std::ranges::count(met[static_cast<std::size_t>(a)], b);
    }

    FormatOptions options_;
    std::vector<Entry> players_;
    int rounds_planned_ = 0;
    std::int64_t pairs_planned_ = 0;
    std::map<std::pair<int, int>, std::int64_t> open_games_;  // planned and not played
};

}  // namespace

std::unique_ptr<Format> make_ladder(const FormatOptions& options) {
    return std::make_unique<Ladder>(options);
}

}  // namespace arena
