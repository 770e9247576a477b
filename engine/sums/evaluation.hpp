// The evaluation of a position: who wins, by which moves, the value of each heap, and why.
// `nim-engine eval` prints it, and the arena's pages draw it.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/rules/game.hpp"
#include "engine/sums/solution.hpp"
#include "engine/sums/sum.hpp"

namespace boost::json {
class object;
}

namespace engine {

// A losing move, and a winning answer; none if the move ended a misere game and so
// lost.
struct Refutation {
    Move move;
    std::optional<Move> answer;
};

// The requested parts.
struct EvaluationLimits {
    std::size_t moves = 10000;      // best ones that are listed
    std::size_t refutations = 100;  // of a lost position
};

// Nimbers in binary, for showing how they XOR: a group of columns for each power of w that
// occurs, the highest first, and in it the digits from the highest to the lowest.
struct BinaryColumns {
    struct Power {
        Number exponent = 0;
        int digits = 1;
    };
    std::vector<Power> powers;  // empty where there are too many of them

    // "011", one text a power; empty for a loopy value.
    std::vector<std::string> digits_of(const Nimber& nimber) const;
};
std::string power_name(Number exponent);  // "1", "w", "w^2"

// Not thread-safe.
class Evaluation {
  public:
    // Keeps a copy of the game. Values not found within the budget stay unknown.
    Evaluation(const Game& game, const EvaluationLimits& limits, const Budget& budget);
    Evaluation(const Evaluation&) = delete;
    Evaluation& operator=(const Evaluation&) = delete;

    const Game& game() const { return game_; }
    bool is_misere() const { return sum_.is_misere(); }
    Outcome outcome() const { return solution_->outcome(); }
    std::optional<Nimber> nimber() const { return solution_->nimber(); }
    std::string reason() const { return solution_->reason(); }

    // The winning moves, or those that hold a draw; nullopt: not all are known.
    const std::optional<MoveList>& moves() const { return moves_; }
    // How many of them there are; saturates.
    const std::optional<Count>& move_count() const { return move_count_; }
    // One of them, which may be known though not all are; it leads to an end.
    const std::optional<Move>& best_move() const { return best_move_; }
    // If every move loses: the refutations of the first ones.
    const std::vector<Refutation>& refutations() const { return refutations_; }

    // ---- heaps, counted from 0 ----

    std::size_t heap_count() const { return sum_.nimbers().size(); }

    // How heaps are valued: by nimbers, by genera (misere), or neither.
    enum class Worth { Nimbers, Genera, None };
    Worth worth() const;
    const std::optional<Nimber>& nimber(std::size_t heap) const { return sum_.nimbers()[heap]; }
    // The genus under misere play, where nimbers do not tell all; nullopt: not found.
    std::optional<misere::Genus> genus(std::size_t heap) const {
        return has_genera() ? solution_->genus(heap, genus_budget_) : std::nullopt;
    }
    // The outcome of the heap alone, if nimbers do not tell it.
    Outcome outcome(std::size_t heap) const;

    // The XOR of the nimbers of all heaps; nullopt where they do not decide, or not all are
    // known.
    std::optional<Nimber> total() const;
    BinaryColumns columns() const;

  private:
    void find_refutations(std::size_t limit, const Budget& budget);
    bool has_genera() const { return !sum_.is_known() && solution_->has_genera(); }

    Game game_;
    Budget budget_;  // the rest of the time is for refutations
    // What was found before all nimbers were looked for, which may take all the time.
    std::shared_ptr<const Solution> winner_;
    std::optional<Move> best_move_;
    Sum sum_;
    std::shared_ptr<const Solution> solution_;
    std::optional<MoveList> moves_;
    std::optional<Count> move_count_;
    std::vector<Refutation> refutations_;
    Budget genus_budget_;  // for all heaps together
};

// How long the JSON form may become: beyond `text` bytes, rulesets and heaps are cut, and
// refutations are left out.
struct JsonLimits {
    std::size_t heaps = std::numeric_limits<std::size_t>::max();
    std::size_t text = std::numeric_limits<std::size_t>::max();
};

// The keys of `nim-engine eval --json`, see engine/doc/commands.md.
boost::json::object to_json(const Evaluation& evaluation, const JsonLimits& limits = {});

}  // namespace engine
