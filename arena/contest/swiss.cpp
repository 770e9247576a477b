// Swiss: players with equal points meet, without rematches while these can be avoided. Within a
// score group lots decide, because bots have no ratings.
#include <algorithm>
#include <span>
#include <tuple>

#include <fmt/format.h>

#include "arena/contest/matching.hpp"
#include "arena/contest/planning.hpp"

namespace arena {
namespace {

class Swiss final : public Format {
  public:
    explicit Swiss(const FormatOptions& options)
        : options_(options), joined_(static_cast<std::size_t>(options.rounds)) {}

    void add(const Entrant& entrant) override {
        players_.emplace_back().first_round = entrant.first_round;
        const auto round = static_cast<std::size_t>(std::max(entrant.first_round, 1));
        if (round <= joined_.size()) ++joined_[round - 1];
    }

    void add(const RoundPlan& plan) override {
        open_games_ += 2 * static_cast<std::int64_t>(plan.pairs.size());
        rounds_planned_ = std::max(rounds_planned_, plan.round);
        for (const PlannedPair& pair : plan.pairs) {
            if (pair.key.position != 1) continue;
            const auto& [first, second] = pair.players;
            player(first).met.push_back(second);
            player(second).met.push_back(first);
            ++player(first).firsts;
        }
        for (const int bye : plan.byes) {
            ++player(bye).byes;
            player(bye).points += 2 * options_.games;
        }
    }

    void add(const GameResult& result) override {
        --open_games_;
        if (result.reason == Reason::Void) return;
        for (int seat = 0; seat < 2; ++seat) {
            player(result.players[static_cast<std::size_t>(seat)]).points +=
                result.halves(seat);
        }
    }

    NextRound next(std::chrono::milliseconds) override {
        if (rounds_planned_ >= options_.rounds) return GameOver{};
        if (open_games_ > 0) return AwaitResults{};
        return plan();
    }

    std::optional<std::uint64_t> total_games() const override {
        std::uint64_t games = 0;
        std::size_t known = 0;
        for (const std::size_t joined : joined_) {
            known += joined;
            const auto present = std::max(known, static_cast<std::size_t>(options_.players));
            games += present / 2 * static_cast<std::uint64_t>(options_.games);
        }
        return games;
    }

    std::string warning() const override {
        const int seats = (options_.players + 1) / 2 * 2;  // one is the bye's, if odd
        if (options_.rounds > seats - 1) {
            return fmt::format(
                "swiss: {} rounds among {} players: rematches cannot be avoided from round {} "
                "on, when everybody has met everybody",
                options_.rounds, options_.players, seats);
        }
        // Dirac: all can be paired if each has at least half of the others left to meet.
        if (2 * options_.rounds > seats) {
            return fmt::format(
                "swiss: {} rounds among {} players: from round {} on, rematches may become "
                "unavoidable",
                options_.rounds, options_.players, seats / 2 + 1);
        }
        return {};
    }

  private:
    struct Entry {
        int first_round = 1;
        int byes = 0;
        int firsts = 0;           // how often first in leg 1
        std::int64_t points = 0;  // halves
        std::vector<int> met;     // a player met twice is listed twice
    };
    // Takes the place of a player: its opponent has a bye.
    static constexpr int kBye = -1;
    // Blocks of the ranking are matched separately.
    static constexpr std::size_t kBlock = 64;

    Entry& player(int number) { return players_[static_cast<std::size_t>(number)]; }
    const Entry& player(int number) const { return players_[static_cast<std::size_t>(number)]; }

    std::vector<int> here(int round) const {
        std::vector<int> numbers;
        for (int i = 0; i < static_cast<int>(players_.size()); ++i) {
            if (player(i).first_round <= round) numbers.push_back(i);
        }
        return numbers;
    }

    RoundPlan plan() const {
        RoundPlan plan;
        plan.round = rounds_planned_ + 1;
        const std::vector<int> ranking = ranked(plan.round);
        std::span<const int> left(ranking);
        int pairing = 0;
        for (const std::size_t size : blocks_of_ranking(ranking.size(), least_block())) {
            const auto block = left.first(size);
            left = left.subspan(size);
            const auto partners = cheapest_matching(costs(block));
            for (std::size_t i = 0; i < size; ++i) {
                if (partners[i] < i) continue;
                const int other = block[partners[i]];
                if (other == kBye) {
                    plan.byes.push_back(block[i]);
                    continue;
                }
                note_rematch(plan, block[i], other);
                ++pairing;
                const Meeting meeting = in_turn(block[i], other, plan.round + pairing);
                add_pairs(plan, pairing, meeting, 1, options_.games / 2);
            }
        }
        return plan;
    }

    // By points, then by lot; the bye, if there is one, comes last.
    std::vector<int> ranked(int round) const {
        std::vector<int> ranking = here(round);
        const auto place = [&](int number) {
            return std::tuple(-player(number).points, lot(options_, round, number), number);
        };
        std::ranges::sort(ranking, {}, place);
        if (ranking.size() % 2 == 1) ranking.push_back(kBye);
        return ranking;
    }

    // The block size at which every player has at least half of the block left to meet, so that
    // all can be paired without a rematch (Dirac's theorem). Each round gave one player a bye.
    std::size_t least_block() const {
        return std::max(kBlock, 2 * static_cast<std::size_t>(rounds_planned_) + 2);
    }

    // The costs, highest first: a second bye, a rematch, a bye for a player with more points
    // than others, a meeting across score groups (by the square of the number of groups).
    PairCosts costs(std::span<const int> block) const {
        constexpr std::int64_t kMost = 100;  // groups across which a meeting costs more
        constexpr std::int64_t kOften = 7;   // times beyond the least that cost more
        const auto size = static_cast<std::int64_t>(block.size());
        const std::int64_t early_bye = 1 + size / 2 * kMost * kMost;
        const std::int64_t rematch = early_bye * (size + 1);
        const std::int64_t second_bye = rematch * (size / 2 * kOften + 1);

        const auto groups = score_groups(block);
        const auto met = meetings(block);
        PairCosts costs(block.size());
        for (std::size_t a = 0; a < block.size(); ++a) {
            for (std::size_t b = 0; b < a; ++b) {
                const std::int64_t often = std::min(met(a, b), kOften);
                if (block[a] == kBye) {
                    costs.set(a, b,
                              second_bye * often + early_bye * (groups.back() - groups[b]));
                } else {
                    const std::int64_t across = std::min(groups[a] - groups[b], kMost);
                    costs.set(a, b, rematch * often + across * across);
                }
            }
        }
        return costs;
    }

    // By place in the block: 0 for those with the most points, and so on.
    std::vector<std::int64_t> score_groups(std::span<const int> block) const {
        std::vector<std::int64_t> groups{0};
        for (std::size_t i = 1; i < block.size(); ++i) {
            const bool below =
                block[i] != kBye && player(block[i]).points != player(block[i - 1]).points;
            groups.push_back(groups.back() + (below ? 1 : 0));
        }
        return groups;
    }

    // How often two players of a block have met, minus the minimum over all pairs; in the row
    // of the bye: the byes that a player had, minus the minimum.
    PairCosts meetings(std::span<const int> block) const {
        std::vector<std::size_t> places(players_.size(), block.size());
        for (std::size_t i = 0; i < block.size(); ++i) {
            if (block[i] != kBye) places[static_cast<std::size_t>(block[i])] = i;
        }
        PairCosts met(block.size());
        for (std::size_t i = 0; i < block.size(); ++i) {
            if (block[i] == kBye) continue;
            for (const int other : player(block[i]).met) {
                const std::size_t place = places[static_cast<std::size_t>(other)];
                if (place < i) met.set(i, place, met(i, place) + 1);
            }
        }
        const std::size_t end = block.size() - (block.back() == kBye ? 1 : 0);
        lower_to_zero(met, 0, end);
        if (end == block.size()) return met;
        for (std::size_t i = 0; i < end; ++i) met.set(end, i, player(block[i]).byes);
        lower_to_zero(met, end, end + 1);
        return met;
    }

    // Subtracts the minimum entry of some rows, left of the diagonal, from all these entries.
    static void lower_to_zero(PairCosts& counts, std::size_t first, std::size_t end) {
        std::int64_t least = kNever;
        for (std::size_t a = first; a < end; ++a) {
            for (std::size_t b = 0; b < a; ++b) least = std::min(least, counts(a, b));
        }
        for (std::size_t a = first; a < end; ++a) {
            for (std::size_t b = 0; b < a; ++b) counts.set(a, b, counts(a, b) - least);
        }
    }
    static constexpr std::int64_t kNever = 1 << 30;

    void note_rematch(RoundPlan& plan, int a, int b) const {
        if (std::ranges::count(player(a).met, b) == 0) return;
        plan.note += plan.note.empty() ? "rematch: players " : "; ";
        plan.note += fmt::format("{} and {}", a + 1, b + 1);
    }

    // The player that was first less often is first now.
    Meeting in_turn(int a, int b, int turn) const {
        const int more = player(a).firsts - player(b).firsts;
        const bool swap = more != 0 ? more > 0 : turn % 2 == 1;
        return swap ? Meeting{b, a} : Meeting{a, b};
    }

    FormatOptions options_;
    std::vector<Entry> players_;
    std::vector<std::size_t> joined_;  // how many, by their first round, from round 1 on
    int rounds_planned_ = 0;
    std::int64_t open_games_ = 0;  // planned and not yet played
};

}  // namespace

std::unique_ptr<Format> make_swiss(const FormatOptions& options) {
    FormatOptions filled = options;
    filled.rounds = most_rounds(filled);
    return std::make_unique<Swiss>(filled);
}

}  // namespace arena
