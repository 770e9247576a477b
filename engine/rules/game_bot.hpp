// A bot that knows the rules: it follows the game, and answers what a referee may ask that
// knows none. Derive from it and write choose().
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/rules/game.hpp"
#include "protocol/bot.hpp"

namespace engine {

class GameBot : public protocol::Bot {
  public:
    // A position under rulesets of unknown names: refused, or followed by its text alone, so
    // that the bot can play a move that `searchmoves` lists. game() is then null. A heap that
    // does not have the form of its known ruleset is always refused.
    enum class UnknownRules { Refuse, Follow };

    explicit GameBot(UnknownRules unknown, std::shared_ptr<const RulesetNames> names = nullptr)
        : unknown_(unknown), names_(std::move(names)) {}

    Result<Position> read_position(std::string_view text) const override;
    Result<Position> advance(const Position& from, std::span<const std::string_view> moves,
                             protocol::Change change, const std::stop_token& stop) override;
    bool advances_at_once(const Position& from, std::span<const std::string_view> moves,
                          protocol::Change change) const override;

    // gameover, p1turn, p2turn, result, fen and islegal.
    std::optional<std::string> answer(const protocol::QueryCommand& query,
                                      const std::stop_token& stop) override;
    bool answers_query_at_once(const protocol::QueryCommand& query,
                               const Position& position) const override;

  protected:
    // The session's game.
    const Game* game() const { return game_ ? &*game_ : nullptr; }

  private:
    // An error is `beyond` the rules if it is no fault of a move: unknown rules, or a position
    // that is too large to be judged.
    Result<Position> play_on(const Position& from, std::span<const std::string_view> moves,
                             protocol::Change change, bool& beyond,
                             const std::stop_token& stop);
    // Plays all of the moves, or returns the error and plays none on the session's game.
    Result<void> play_all(Game& game, std::span<const std::string_view> moves, bool& beyond,
                          const std::stop_token& stop);
    // To judge a move of the session's game: next to nothing where there is none.
    Count work_here() const { return game_ ? game_->work() : 0; }
    std::string result() const;

    const UnknownRules unknown_;
    const std::shared_ptr<const RulesetNames> names_;
    std::optional<Game> game_;
    // The player of the illegal move in the last history; until the next valid `position`.
    std::optional<int> foul_by_;
};

}  // namespace engine
