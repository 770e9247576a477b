// nim-engine as a bot: plays perfectly and answers every query of the protocol.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <random>
#include <string>

#include "engine/rules/game.hpp"
#include "engine/sums/analyst.hpp"
#include "protocol/bot.hpp"

namespace engine {

protocol::BotInfo engine_info();

class EngineBot : public protocol::Bot {
  public:
    explicit EngineBot(std::shared_ptr<const RulesetNames> names) : names_(std::move(names)) {}

    std::optional<Move> choose(const protocol::Turn& turn) override;
    bool answers_at_once(const Position& position) const override;
    Result<void> set_option(std::string_view name,
                            std::optional<std::string_view> value) override;
    void seed(std::uint64_t seed) override { random_.seed(seed); }
    Result<Position> read_position(std::string_view text) const override {
        return names_->read_position(text);
    }
    Result<Position> advance(const Position& from, std::span<const std::string_view> moves,
                             protocol::Change change) override;
    std::optional<std::string> answer(const protocol::QueryCommand& query,
                                      const std::stop_token& stop) override;
    bool answers_query_at_once(const protocol::QueryCommand& query,
                               const Position& position) const override;

  private:
    struct Query;
    static const Query kQueries[];

    Budget query_budget(const std::stop_token& stop) const;
    // Whether the nimbers of all heaps are computed, or known by formula.
    bool is_quick(const Position& position) const;
    // Plays all of the moves, or returns the error and plays none on the session's game.
    Result<void> play_all(Game& game, std::span<const std::string_view> moves);
    // By the rules, or by an illegal move in the history.
    bool is_over() const { return foul_by_ || game_->end() != End::None; }
    std::string result() const;
    std::string best_moves(const Budget& budget) const;
    std::string legal_moves(const Budget& budget) const;
    std::vector<Move> legal_candidates(const protocol::Turn& turn) const;

    std::shared_ptr<const RulesetNames> names_;
    std::optional<Game> game_;  // from the session's first position on
    // The player of the illegal move in the last history; until the next valid `position`.
    std::optional<int> foul_by_;
    Style style_;
    std::chrono::milliseconds query_time_{2000};  // and of a `go` without a time
    std::mt19937_64 random_{0};
};

}  // namespace engine
