// A game by its rules: a position, the player to move, the legal moves, the end.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/base/wide.hpp"
#include "engine/rules/catalogue.hpp"
#include "engine/rules/ruleset.hpp"
#include "protocol/heap.hpp"
#include "protocol/move.hpp"
#include "protocol/position.hpp"

namespace engine {

// Counts the occurrences of a position in a game, in time independent of its size.
//
// The number of heaps never decreases. So a move that splits a heap, like one under a ruleset
// without loops, is irreversible: no earlier position can recur, and all counts are dropped.
// Until the next such move heaps keep their numbers, and the position is identified by its
// changes since: the sum of a hash for each changed heap. The 128 bits have a random key in
// every process, so colliding positions cannot be prepared.
class Repetitions {
  public:
    // Drops all counts, and counts the current position.
    void start(int player) { *this = {}, counts_[key_of(player)] = 1; }

    // Heap number `heap` was replaced and `player` is to move. Returns how often that position
    // has occurred.
    int count(std::size_t heap, const Heap& before, const Heap& after, int player);
    // Undoes the last count(), which was given the same.
    void discount(std::size_t heap, const Heap& before, const Heap& after, int player);
    // How many positions are counted: about 100 bytes each.
    std::size_t size() const { return counts_.size(); }

  private:
    struct Key {
        std::uint64_t high = 0;
        std::uint64_t low = 0;
        int player = 1;

        friend bool operator==(const Key&, const Key&) = default;
    };
    struct HashOfKey {
        std::size_t operator()(const Key& key) const { return key.low ^ key.high; }
    };

    Key key_of(int player) const { return {high_, low_, player}; }
    void change(std::size_t heap, const Heap& before, const Heap& after);

    std::uint64_t high_ = 0;
    std::uint64_t low_ = 0;
    std::unordered_map<Key, int, HashOfKey> counts_;
};

using protocol::Move;
using protocol::Position;

// Why a game is over.
enum class End { None, NoMoves, Repetition };

// Copyable: a copy continues from the current position.
class Game {
  public:
    using FindRuleset = Result<std::shared_ptr<const Ruleset>> (*)(const RulesetText&);

    // The limit of all heaps' cost, see Ruleset::work(): about a second.
    static constexpr Count kMaxWork = 4000000000;

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
    bool is_misere() const { return position_.convention == Convention::Misere; }
    // Can play come back to an earlier position?
    bool can_repeat() const { return can_repeat_; }
    // The positions since the last irreversible move, whose occurrences are counted.
    std::size_t counted_positions() const { return repetitions_.size(); }

    // Reads a word as a move of this position; the error says why it is not legal.
    Result<Move> read_move(std::string_view text) const;
    Result<void> check(const Move& move) const;
    // Whether an illegal move would be legal if its right side were what is taken from the
    // heap, not what is left.
    bool names_what_is_taken(std::string_view text) const;

    // The data that take_back() needs of a played move.
    struct Played {
        Heap before;                 // the heap that was replaced
        std::size_t heap = 0;        // its number
        std::size_t count = 1;       // of the heaps in its place
        std::size_t live_heaps = 0;  // what held before, from here on
        Count work = 0;
        bool repeated = false;
        std::optional<Error> beyond_limits;
        std::optional<Repetitions> forgotten;
    };

    // Plays a legal move. Besides the replacement it takes O(log components), and O(components)
    // where the number of heaps changes.
    Played play(const Move& move);
    // Undoes the last move, also one after which play cannot continue.
    void take_back(Played played);

    // Whether play can continue. A rule of rules{…} may make a heap too large to be judged in
    // time; the error names it. Then only position() and player() are meaningful.
    Result<void> check_limits() const;

    // What it takes to judge a move here, in the steps of Ruleset::work(); kMaxWork at most.
    Count work() const { return beyond_limits_ ? kMaxWork : work_; }

    bool has_move() const { return live_heaps_ > 0; }

    // The end by the rules: no moves left, or the third occurrence of a position with the same
    // player to move. An end by repetition stays, whatever is played after it.
    End end() const;
    // Player 1 or 2; nullopt for a draw or a game that goes on.
    std::optional<int> winner() const;

    // The number of moves (saturating), and the moves, at most `limit`, heap by heap.
    Count move_count() const;
    std::vector<Move> moves(std::size_t limit) const;

    // Calls `visit(number, rules, heap)` for each heap, numbered from 1, until it returns
    // false. Says whether it never did.
    template <typename Visit>
    bool visit_heaps(const Visit& visit) const {
        std::size_t number = 0;
        for (std::size_t i = 0; i < rulesets_.size(); ++i) {
            for (const Heap& heap : position_.components[i].heaps) {
                if (!visit(++number, *rulesets_[i], heap)) return false;
            }
        }
        return true;
    }

    // A move drawn uniformly from all legal ones (from a heap of infinitely many: from its
    // first 2^64-1). There must be one. O(heaps).
    Move random_move(std::mt19937_64& random) const;

  private:
    Game() = default;

    bool add_work(const Ruleset& rules, const Heap& heap);
    protocol::HeapLookup find(std::size_t index) const;
    // Replaces `count` heaps from `place` on by `result`.
    void replace(protocol::HeapPlace place, std::size_t count, std::span<const Heap> result);
    // After a move under `rules`.
    void count_repetition(const Ruleset& rules, const Move& move, Played& played);

    Position position_;
    std::vector<std::shared_ptr<const Ruleset>> rulesets_;  // one a component
    std::vector<std::size_t> heaps_to_;  // one a component: heaps up to its end
    int player_ = 1;
    std::size_t live_heaps_ = 0;  // heaps that have a move
    Count work_ = 0;              // of all heaps; kMaxWork at most, unless beyond_limits_
    std::optional<Error> beyond_limits_;
    bool can_repeat_ = false;
    bool repeated_ = false;
    Repetitions repetitions_;  // counted where play can repeat
};

// What it takes to judge a move in these heaps, in the steps of Ruleset::work(), saturating: 0
// for a component that Game::start() refuses.
Count work_of(const RulesetText& text, std::span<const Heap> heaps);
Count work_of(const Position& position);

// Reads a position, names of a catalogue file expanded, and starts a game from it. Errors name
// the column in `text`.
Result<Game> read_game(std::string_view text, const RulesetNames& names = {});

// Uniform in 0..below-1, the same on every platform. `below` is at least 1.
Count uniform_below(std::mt19937_64& random, Count below);
// The same for a sum of numbers of moves, which may be more than a Count holds.
Wide wide_below(std::mt19937_64& random, Wide below);

}  // namespace engine
