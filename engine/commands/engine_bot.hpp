// nim-engine as a bot: plays perfectly and answers every query of the protocol.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <random>
#include <string>

#include "engine/rules/game_bot.hpp"
#include "engine/sums/analyst.hpp"
#include "protocol/bot.hpp"

namespace engine {

protocol::BotInfo engine_info();

class EngineBot : public GameBot {
  public:
    explicit EngineBot(std::shared_ptr<const RulesetNames> names)
        : GameBot(UnknownRules::Refuse, std::move(names)) {}

    std::optional<Move> choose(const protocol::Turn& turn) override;
    bool answers_at_once(const Position& position) const override;
    Result<void> set_option(std::string_view name,
                            std::optional<std::string_view> value) override;
    void seed(std::uint64_t seed) override { random_.seed(seed); }
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
    std::string best_moves(const Budget& budget) const;
    std::string legal_moves(const Budget& budget) const;
    std::vector<Move> legal_candidates(const protocol::Turn& turn) const;

    Style style_;
    std::chrono::milliseconds query_time_{2000};  // and of a `go` without a time
    std::mt19937_64 random_{0};
};

}  // namespace engine
