// A game as the rules see it: a position, whose turn it is, which moves are legal, is it over.
#pragma once

#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/rules/catalogue.hpp"
#include "engine/rules/ruleset.hpp"
#include "protocol/move.hpp"
#include "protocol/position.hpp"

namespace engine {

using protocol::Move;
using protocol::Position;

// Why there is nothing left to play.
enum class End { None, NoMoves, Repetition };

// Copyable: a copy goes on from where the original stands.
class Game {
  public:
    using FindRuleset =
        Result<std::shared_ptr<const Ruleset>> (*)(const protocol::RulesetText&);

    // What all heaps of a position together may cost, see Ruleset::work(): some seconds.
    static constexpr Count kMaxWork = 2000000000;

    // Looks the rulesets up and checks every heap. Player 1 is to move. O(heaps).
    // Errors name the column in `text`, from which the position was read, or in the canonical
    // text where none is given.
    static Result<Game> start(Position position, std::string_view text = {},
                              FindRuleset find = find_ruleset);

    const Position& position() const { return position_; }
    const std::shared_ptr<const Ruleset>& ruleset(std::size_t component) const {
        return rulesets_[component];
    }
    int player() const { return player_; }  // 1 or 2: who is to move

    // Reads a word as a move of this position and says why it is not legal, if it is not.
    Result<Move> read_move(std::string_view text) const;
    Result<void> check(const Move& move) const;

    // Plays a legal move. O(components) beside the replacement; where play can repeat, O(text).
    void play(const Move& move);

    // Can it be played on? A rule of rules{…} may make heaps larger than what can be judged in
    // good time; the error says which. Then only position() and player() have a meaning.
    Result<void> check_limits() const;

    bool has_move() const { return live_heaps_ > 0; }

    // The end by the rules: no moves left, or the third occurrence of a position with the same
    // player to move. An end by repetition stays, whatever is played after it.
    End end() const;
    // Player 1 or 2; nullopt for a draw or a game that goes on.
    std::optional<int> winner() const;

    // How many moves there are (saturating), and all of them, `limit` at most, heap by heap.
    Count move_count() const;
    std::vector<Move> moves(std::size_t limit) const;

    // A move drawn uniformly from all legal ones (from a heap of infinitely many: from its
    // first 2^64-1). There must be one. O(heaps).
    Move random_move(std::mt19937_64& random) const;

  private:
    Game() = default;

    bool add_work(const Ruleset& rules, const Heap& heap);

    Position position_;
    std::vector<std::shared_ptr<const Ruleset>> rulesets_;  // one a component
    int player_ = 1;
    std::size_t live_heaps_ = 0;  // heaps that have a move
    Count work_ = 0;              // of all heaps; kMaxWork at most, unless beyond_limits_
    std::optional<protocol::Error> beyond_limits_;
    bool can_repeat_ = false;
    bool repeated_ = false;
    std::unordered_map<std::string, int> seen_;  // canonical text and player -> occurrences
};

// Reads a position, names of a catalogue file expanded, and starts a game from it. Errors name
// the column in `text`.
Result<Game> read_game(std::string_view text, const RulesetNames& names = {});

// Uniform in 0..below-1, the same on every platform. `below` is at least 1.
Count uniform_below(std::mt19937_64& random, Count below);

}  // namespace engine
