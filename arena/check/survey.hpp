// The answers of a bot in many positions, compared with the truth.
#pragma once

#include <atomic>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "arena/check/family.hpp"
#include "arena/game/game_record.hpp"
#include "engine/sums/analyst.hpp"

namespace arena {

// Limits progress messages from several threads to one in 100 ms.
class ProgressTimer {
  public:
    bool is_due() {
        const auto now = Clock::now().time_since_epoch().count();
        auto last = last_.load();
        return now - last > Clock::duration(Milliseconds(100)).count() &&
               last_.compare_exchange_strong(last, now);
    }

  private:
    std::atomic<Clock::rep> last_{0};
};

// The reply in one position.
struct AskedMove {
    std::string_view word;    // a legal move, canonical; else what was read
    std::string refusal;      // `info string error …`, raw; empty: none
    const Cause* fault = {};  // why `word` is not a legal move in time; null: it is
};

// A position, and the line that sends it: "position fen nim:3,4 moves 1=2".
struct AskedPosition {
    engine::Game game;
    std::string line;
};

// The kind of fault of a process that ended between an answer and the next question.
inline constexpr char kEndedAfterAnswer[] = "ended";

// From good to bad: of several answers to one position the worst counts.
enum class AnswerKind : std::uint8_t {
    NoMove,    // the position has no move, and is not asked
    NotAsked,  // the survey stopped before
    Right,     // keeps the win or the draw; in a lost position: legal
    Unjudged,  // legal, but the truth is not known
    Wrong,     // gives the win or the draw away
    Refused,   // `info string error …`
    Fault,     // no legal move: PositionAnswer::reason
};

struct PositionAnswer {
    engine::Outcome outcome = engine::Outcome::Unknown;  // of the position
    AnswerKind kind = AnswerKind::NotAsked;
    Reason reason = Reason::Void;
    std::string move;  // canonical; of a fault: the word that was read
};

// Orders positions: by heaps, then by stones, then by text.
struct PositionSize {
    std::size_t heaps = 0;
    std::uint64_t stones = 0;
    std::string text;

    friend auto operator<=>(const PositionSize&, const PositionSize&) = default;
};

// Positions of one outcome.
struct OutcomeCount {
    std::uint64_t positions = 0;
    std::uint64_t right = 0;
    std::uint64_t ended = 0;  // of `right`: those after which its process ended
};
struct SurveyCounts {
    std::uint64_t asked = 0;
    OutcomeCount won, drawn, lost;
    OutcomeCount unknown;  // right: legal
    std::uint64_t wrong = 0;
    std::uint64_t unjudged = 0;    // answers in won and drawn positions
    OutcomeCount sent_with_moves;  // right: not known to be wrong
    std::uint64_t not_asked = 0;   // without `moves`
    std::uint64_t moves_not_asked = 0;
};

// All faults of one kind: "illegal-move", "timeout", …, "refused"; or "ended", after its
// answer.
struct FaultKind {
    std::uint64_t count = 0;
    PositionSize smallest;  // position
    Cause cause;            // of the fault there
};

// The result of asking some positions again.
struct AskedAgain {
    std::uint64_t positions = 0;
    std::uint64_t varied = 0;
    PositionSize smallest;    // of those with different answers
    std::string first, then;  // two answers there
};

struct Counterexample {
    std::string position;
    engine::Outcome outcome = engine::Outcome::Unknown;
    std::string kind;        // "wrong", or a name of FaultKind
    std::string move;        // or the word that was read
    std::string better;      // a right move; empty: none is known
    std::string reply;       // the opponent's, which refutes a wrong move; empty: none known
    std::string why;         // the reason in theory
    bool ends_game = false;  // a wrong move that takes the last stone in misere
};

class Survey {
  public:
    // `threads`: for the solver. `positions` and `analyst` outlive the survey.
    Survey(const PositionSet& positions, const engine::Analyst& analyst, int threads);

    // Solves all positions. After much time for unsolved ones, each further one gets little.
    // Calls `on_progress` from time to time, on any thread, with the number of those done.
    void solve(const std::function<void(std::uint64_t)>& on_progress = {});
    // Adds questions: positions that a few random moves lead to, and which are sent with these
    // `moves`. At most 200, each from another position and with a known outcome.
    void add_moves(std::uint64_t seed);
    // The numbers of the positions to ask, in a random order: the answers should not depend on
    // what was asked before. Those sent with `moves` come last.
    std::vector<std::uint32_t> order(std::uint64_t seed) const;
    // From any thread; the position has a legal move.
    AskedPosition asked(std::size_t number) const;

    // From any thread, but for a given position not from two at once. `again`: the answer with
    // another Seed.
    void take(std::size_t position, const AskedMove& asked, bool again);
    // Its process ended after its answer in this position, which stands, before it read another
    // question; which it is then asked again. From any thread.
    void take_end(std::size_t position, const Cause& cause);
    // Compares all moves with the truth.
    void judge();

    SurveyCounts counts() const;
    // Those in positions sent with `moves` count only where there are no others of that kind.
    std::map<std::string, FaultKind> faults() const;
    const AskedAgain& again() const { return again_; }
    // Whether no answer is known to be wrong, and none is missing.
    bool is_right() const;

    // The smallest position with a wrong or illegal move; else with another fault. One that was
    // sent with `moves` only where there is no other.
    std::optional<Counterexample> counterexample() const;
    // The smallest positions with a wrong move, and the smallest unsolved ones, at most
    // `limit`.
    std::vector<PositionSize> wrong(std::size_t limit) const;
    std::vector<PositionSize> unknown(std::size_t limit) const;
    // What the mistakes have in common, in sentences.
    std::vector<std::string> patterns() const;

  private:
    struct Another {
        std::size_t position = 0;
        PositionAnswer answer;
    };

    struct Moved {
        engine::Game game;
        std::string text;  // "nim:3,4 moves 1=2"
    };

    bool is_moved(std::size_t number) const { return number >= positions_.size(); }
    engine::Game game(std::size_t number) const;
    PositionSize size(std::size_t number) const;
    void add_right(std::size_t position, OutcomeCount& count) const;
    std::optional<Moved> play_from(std::uint32_t number, std::mt19937_64& random) const;

    void take_again(std::size_t position, const AskedMove& asked);
    PositionAnswer answer_of(std::size_t position, const AskedMove& asked) const;
    void count_fault(const PositionAnswer& answer, std::size_t position,
                     const AskedMove& asked);
    void count_fault(const std::string& kind, std::size_t position, const Cause& cause);
    void judge(std::size_t position, PositionAnswer& answer) const;
    std::vector<PositionSize> smallest(std::size_t limit,
                                       bool (*is_one)(const PositionAnswer&)) const;
    Counterexample explain(std::size_t position) const;
    std::vector<std::string> mistake_patterns() const;
    std::vector<std::string> fault_patterns() const;
    std::vector<std::string> habits() const;

    const PositionSet& positions_;
    const engine::Analyst& analyst_;
    int threads_;
    std::vector<Moved> moved_;
    std::vector<PositionAnswer> answers_;  // of the positions, then of moved_
    std::mutex mutex_;                     // for the members below, while answers come
    std::map<std::string, FaultKind> faults_;
    std::map<std::string, FaultKind> faults_after_moves_;
    AskedAgain again_;
    std::set<std::size_t> ended_;  // positions after whose answer it ended
    std::vector<Another> others_;  // answers that differ from the first ones
};

}  // namespace arena
