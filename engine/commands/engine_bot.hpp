// nim-engine as a bot: plays perfectly and answers every query of the protocol.
#pragma once

#include <chrono>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <string>

#include "engine/base/memory.hpp"
#include "engine/rules/game_bot.hpp"
#include "engine/sums/analyst.hpp"
#include "protocol/bot.hpp"

namespace engine {

// The memory limit of the process is set by its only session, with the option Hash, or by the
// operator of a server, whose sessions share it.
enum class MemoryOf { OneSession, Server };

protocol::BotInfo engine_info(MemoryOf memory = MemoryOf::OneSession);

// The words of the options Choice and Losing, in the order of their enumerators.
inline constexpr std::string_view kChoices[]{"first", "random"};
inline constexpr std::string_view kLosings[]{"random", "longest", "trap"};
// The place of an option's value among its words.
Result<std::size_t> read_word(std::string_view option, std::string_view value,
                              std::span<const std::string_view> words);

class EngineBot : public GameBot {
  public:
    explicit EngineBot(std::shared_ptr<const RulesetNames> names,
                       MemoryOf memory = MemoryOf::OneSession)
        : GameBot(UnknownRules::Refuse, std::move(names)), memory_(memory) {}

    std::optional<Move> choose(const protocol::Turn& turn) override;
    bool answers_at_once(const Position& position) const override;
    Result<void> set_option(std::string_view name,
                            std::optional<std::string_view> value) override;
    // A smaller Hash drops tables, which may take a while.
    bool sets_at_once(std::string_view name) const override { return name != "Hash"; }
    void seed(std::uint64_t seed) override { random_.seed(seed); }
    std::optional<std::string> answer(const protocol::QueryCommand& query,
                                      const std::stop_token& stop) override;
    bool answers_query_at_once(const protocol::QueryCommand& query,
                               const Position& position) const override;

  private:
    Result<void> set_hash(std::string_view name, std::optional<std::string_view> value);
    std::string best_moves(const Budget& budget) const;
    std::string legal_moves(const Budget& budget) const;
    std::vector<Move> legal_candidates(const protocol::Turn& turn, const Budget& budget) const;

    const MemoryOf memory_;
    std::size_t hash_ = std::numeric_limits<std::size_t>::max();  // of a session of a server
    Style style_;
    std::chrono::milliseconds query_time_{2000};  // and of a `go` without a time
    std::mt19937_64 random_{0};
};

}  // namespace engine
