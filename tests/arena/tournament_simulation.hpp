// Plays tournaments as the runner would, with random results instead of games.
#pragma once

#include "arena/contest/format.hpp"

namespace arena {

inline FormatOptions options_for(FormatKind kind, int players, int games = 2,
                                 std::uint64_t seed = FormatOptions().seed) {
    FormatOptions options;
    options.kind = kind;
    options.players = players;
    options.games = games;
    options.seed = seed;
    return options;
}

class Simulation {
  public:
    using Milliseconds = std::chrono::milliseconds;
    // The winner of a game by seat; nullopt: a draw.
    using Play = std::function<std::optional<int>(const GameKey&, std::array<int, 2> players)>;

    FormatOptions options;
    Play play;  // empty: random, one game in five without a winner
    std::vector<Entrant> entrants;
    // How much of the budget a round uses.
    std::function<Milliseconds(const RoundPlan&)> time = [](const auto&) {
        return Milliseconds(0);
    };
    double void_share = 0;  // the share of void games
    bool shuffled = true;   // results arrive in random order

    std::vector<RoundPlan> plans;
    std::vector<GameResult> results;
    Milliseconds spent{0};

    Simulation(const FormatOptions& the_options, std::uint64_t seed)
        : options(the_options), random_(seed) {
        for (int i = 0; i < options.players; ++i) join(1);
    }

    void join(int first_round) {
        entrants.push_back({"player " + std::to_string(entrants.size() + 1), "", first_round});
    }

    std::mt19937_64& random() { return random_; }

    // A format that knows all results so far.
    std::unique_ptr<Format> rebuilt() const {
        auto format = *make_format(options);
        for (const Entrant& entrant : entrants) format->add(entrant);
        for (const RoundPlan& plan : plans) format->add(plan);
        for (const GameResult& result : results) format->add(result);
        return format;
    }

    // Plays to the end, or this many rounds, and returns the format.
    std::unique_ptr<Format> run(int rounds = 1 << 30) {
        auto format = rebuilt();
        while (rounds > 0) {
            const NextRound next = format->next(spent);
            if (std::holds_alternative<GameOver>(next)) break;
            if (std::holds_alternative<AwaitResults>(next)) {
                if (waiting_.empty()) {
                    ADD_FAILURE() << "waits for games that nobody plays";
                    break;
                }
                play_waiting(*format);
                continue;
            }
            const RoundPlan& plan = std::get<RoundPlan>(next);
            check(plan);
            plans.push_back(plan);
            format->add(plan);
            spent += time(plan);
            for (const PlannedPair& pair : plan.pairs) {
                waiting_.push_back({{pair.key, 1}, pair.players});
                waiting_.push_back({{pair.key, 2}, {pair.players[1], pair.players[0]}});
            }
            --rounds;
        }
        play_waiting(*format);
        return format;
    }

  private:
    struct Game {
        GameKey key;
        std::array<int, 2> players;
    };

    std::optional<int> winner(const Game& game) {
        if (play) return play(game.key, game.players);
        const auto drawn = random_() % 5;
        return drawn == 0 ? std::nullopt : std::optional(static_cast<int>(drawn % 2));
    }

    static void check(const RoundPlan& plan) {
        for (std::size_t i = 1; i < plan.pairs.size(); ++i) {
            ASSERT_LT(plan.pairs[i - 1].key, plan.pairs[i].key);
        }
        for (const PlannedPair& pair : plan.pairs) {
            ASSERT_EQ(pair.key.stage, plan.stage);
            ASSERT_EQ(pair.key.round, plan.round);
            ASSERT_EQ(pair.key.attempt, plan.attempt);
            ASSERT_NE(pair.players[0], pair.players[1]);
            ASSERT_FALSE(pair.position);
        }
    }

    void play_waiting(Format& format) {
        std::vector<GameResult> played;
        for (const Game& game : waiting_) {
            GameResult result{game.key, game.players, winner(game), Reason::NoMoves};
            if (static_cast<double>(random_() % 1000) < 1000 * void_share) {
                result.reason = Reason::Void;
                result.winner.reset();
            }
            played.push_back(result);
        }
        waiting_.clear();
        if (shuffled) std::ranges::shuffle(played, random_);
        for (const GameResult& result : played) {
            format.add(result);
            results.push_back(result);
        }
    }

    std::mt19937_64 random_;
    std::vector<Game> waiting_;
};

}  // namespace arena
