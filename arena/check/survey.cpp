// Asks first, judges later. solve() finds the truth about all positions before the bot is asked
// anything; take() only stores the answers; judge() compares them when the bot has ended. A
// solver that ran meanwhile was ruled out: it would take CPU time from the bot and delay the
// clock by which the bot is judged.
//
// Then the mistakes are described: the smallest one with its refutation (explain), and what
// they have in common (patterns.hpp) among traits of positions and of moves (traits.cpp).
#include "arena/check/survey.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <iterator>
#include <random>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "arena/check/patterns.hpp"
#include "arena/game/decision.hpp"
#include "arena/players/advice.hpp"

namespace arena {
namespace {

using engine::Budget;
using engine::Game;
using engine::Outcome;
using std::chrono::milliseconds;

constexpr std::size_t kChunk = 64;              // positions
constexpr milliseconds kTimeToSolve{1000};      // one position
constexpr milliseconds kTimeForUnknown{30000};  // all unsolved ones; then each gets little
constexpr milliseconds kLittleTime{10};
constexpr std::size_t kMostRightMoves = 1000;
constexpr std::size_t kMostMistakes = 2000;  // whose moves are compared
constexpr std::size_t kMostOthers = 100'000;
constexpr std::size_t kMostMoved = 200;  // positions that are sent with `moves`
constexpr milliseconds kTimeForMoved{2000};
constexpr std::uint64_t kMostPlayed = 3;  // moves, in each of these

// Calls `work` for 0..count-1, on several threads.
void for_each_index(int threads, std::size_t count,
                    const std::function<void(std::size_t)>& work) {
    std::atomic<std::size_t> next{0};
    const auto run = [&] {
        for (;;) {
            const std::size_t first = next.fetch_add(kChunk);
            if (first >= count) return;
            const std::size_t end = std::min(first + kChunk, count);
            for (std::size_t i = first; i < end; ++i) work(i);
        }
    };
    std::vector<std::jthread> others;
    for (int i = 1; i < threads; ++i) others.emplace_back(run);
    run();
}

template <typename T>
std::vector<T> values_of(const std::vector<std::optional<T>>& items) {
    std::vector<T> values;
    for (const auto& item : items)
        if (item) values.push_back(*item);
    return values;
}

Budget within(milliseconds time) { return Budget{}.at_most(time); }

bool has_value(const PositionAnswer& answer) {
    return answer.outcome == Outcome::N || answer.outcome == Outcome::D;
}

bool is_asked(const PositionAnswer& answer) {
    return answer.kind != AnswerKind::NoMove && answer.kind != AnswerKind::NotAsked;
}

bool is_faulty(const PositionAnswer& answer) {
    return answer.kind == AnswerKind::Fault || answer.kind == AnswerKind::Refused;
}

// The right moves of a position that is won or drawn.
std::vector<engine::Move> right_moves(const Game& game, const PositionAnswer& answer,
                                      const engine::Analyst& analyst) {
    if (!has_value(answer)) return {};
    auto best = analyst.best_moves(game, kMostRightMoves, within(kLittleTime));
    if (!best) return {};
    return std::move(best->moves);
}

PositionSize size_of(const protocol::Position& position) {
    return {position.heap_count(), stones_of(position), to_string(position)};
}

// "refused", or the name of the reason.
std::string kind_name(const PositionAnswer& answer) {
    if (answer.kind == AnswerKind::Refused) return "refused";
    if (answer.kind == AnswerKind::Wrong) return "wrong";
    return std::string(name(answer.reason));
}

// Two answers differ if their texts do: "2=1", "illegal-move 9=9", "refused". What was read
// besides a refusal, or too late, is no answer.
std::string answer_text(const PositionAnswer& answer) {
    if (answer.kind == AnswerKind::Unjudged) return answer.move;
    const bool is_illegal =
        answer.kind == AnswerKind::Fault && answer.reason == Reason::IllegalMove;
    return kind_name(answer) + (is_illegal ? " " + answer.move : "");
}

}  // namespace

Survey::Survey(const PositionSet& positions, const engine::Analyst& analyst, int threads)
    : positions_(positions), analyst_(analyst), threads_(threads), answers_(positions.size()) {}

// ---- before ----

void Survey::solve(const std::function<void(std::uint64_t)>& on_progress) {
    std::atomic<std::int64_t> spent{0};  // ms, on unsolved positions
    std::atomic<std::uint64_t> done{0};
    ProgressTimer progress;
    for_each_index(threads_, answers_.size(), [&](std::size_t number) {
        const std::uint64_t before = done++;
        if (on_progress && progress.is_due()) on_progress(before);
        PositionAnswer& answer = answers_[number];
        const auto game = Game::start(positions_.position(number));
        if (!game || !game->has_move()) {
            answer.kind = AnswerKind::NoMove;
            return;
        }
        const bool is_late = spent > kTimeForUnknown.count();
        const auto began = Clock::now();
        answer.outcome = analyst_.outcome(*game, within(is_late ? kLittleTime : kTimeToSolve));
        if (answer.outcome != Outcome::Unknown) return;
        spent += std::chrono::duration_cast<milliseconds>(Clock::now() - began).count();
    });
}

std::optional<Survey::Moved> Survey::play_from(std::uint32_t number,
                                               std::mt19937_64& random) const {
    Moved moved{game(number), size(number).text + " moves"};
    const auto plies = 1 + engine::uniform_below(random, kMostPlayed);
    bool is_played = false;
    for (std::uint64_t ply = 0; ply < plies; ++ply) {
        const engine::Move move = moved.game.random_move(random);
        Game after = moved.game;
        after.play(move);
        if (!after.check_limits() || after.end() != engine::End::None) continue;
        is_played = true;
        moved.game = std::move(after);
        moved.text += " " + to_string(move);
    }
    if (!is_played) return std::nullopt;
    return moved;
}

void Survey::add_moves(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto end = Clock::now() + kTimeForMoved;
    for (const std::uint32_t number : order(seed)) {
        if (moved_.size() == kMostMoved || Clock::now() > end) break;
        auto moved = play_from(number, random);
        if (!moved) continue;
        const Outcome outcome = analyst_.outcome(moved->game, within(kTimeToSolve));
        if (outcome == Outcome::Unknown) continue;
        answers_.emplace_back().outcome = outcome;
        moved_.push_back(*std::move(moved));
    }
}

engine::Game Survey::game(std::size_t number) const {
    if (is_moved(number)) return moved_[number - positions_.size()].game;
    return *Game::start(positions_.position(number));
}

PositionSize Survey::size(std::size_t number) const {
    if (!is_moved(number)) return size_of(positions_.position(number));
    const Moved& moved = moved_[number - positions_.size()];
    PositionSize size = size_of(moved.game.position());
    size.text = moved.text;
    return size;
}

AskedPosition Survey::asked(std::size_t number) const {
    return {game(number), "position fen " + size(number).text};
}

std::vector<std::uint32_t> Survey::order(std::uint64_t seed) const {
    std::vector<std::uint32_t> order;
    for (std::size_t number = 0; number < positions_.size(); ++number) {
        if (answers_[number].kind == AnswerKind::NoMove) continue;
        order.push_back(static_cast<std::uint32_t>(number));
    }
    std::mt19937_64 random(seed);
    for (std::size_t left = order.size(); left > 1; --left) {
        std::swap(order[left - 1], order[engine::uniform_below(random, left)]);
    }
    for (std::size_t number = positions_.size(); number < answers_.size(); ++number) {
        order.push_back(static_cast<std::uint32_t>(number));
    }
    return order;
}

// ---- answers ----

void Survey::count_fault(const std::string& kind, std::size_t position, const Cause& cause) {
    const std::lock_guard lock(mutex_);
    FaultKind& fault = (is_moved(position) ? faults_after_moves_ : faults_)[kind];
    PositionSize size = this->size(position);
    if (++fault.count > 1 && fault.smallest < size) return;
    fault.smallest = std::move(size);
    fault.cause = cause;
}

PositionAnswer Survey::answer_of(std::size_t position, const AskedMove& asked) const {
    PositionAnswer answer{
        answers_[position].outcome, AnswerKind::Unjudged, Reason::Void,
        asked.fault == nullptr ? std::string(asked.word) : kept_text(asked.word)};
    if (!asked.refusal.empty()) {
        answer.kind = AnswerKind::Refused;
    } else if (asked.fault != nullptr) {
        answer.kind = AnswerKind::Fault;
        answer.reason = asked.fault->reason;
    }
    return answer;
}

void Survey::count_fault(const PositionAnswer& answer, std::size_t position,
                         const AskedMove& asked) {
    if (answer.kind == AnswerKind::Refused) {
        const Cause cause{Reason::IllegalMove,
                          {},
                          asked.refusal,
                          "a move in each position that is asked about"};
        count_fault("refused", position, cause);
    } else if (answer.kind == AnswerKind::Fault) {
        count_fault(kind_name(answer), position, *asked.fault);
    }
}

void Survey::take(std::size_t position, const AskedMove& asked, bool again) {
    if (again) return take_again(position, asked);
    answers_[position] = answer_of(position, asked);
    count_fault(answers_[position], position, asked);
}

void Survey::take_again(std::size_t position, const AskedMove& asked) {
    PositionAnswer answer = answer_of(position, asked);
    const PositionAnswer& first = answers_[position];
    // A position counts at most once for each kind.
    if (kind_name(answer) != kind_name(first)) count_fault(answer, position, asked);
    std::string before = answer_text(first);
    std::string now = answer_text(answer);
    const std::lock_guard lock(mutex_);
    ++again_.positions;
    if (now == before) return;
    PositionSize size = this->size(position);
    if (++again_.varied == 1 || size < again_.smallest) {
        again_.smallest = std::move(size);
        again_.first = std::move(before);
        again_.then = std::move(now);
    }
    if (others_.size() < kMostOthers) others_.push_back({position, std::move(answer)});
}

void Survey::take_end(std::size_t position, const Cause& cause) {
    {
        const std::lock_guard lock(mutex_);
        if (!ended_.insert(position).second) return;
    }
    Cause end = cause;
    end.expected = "another question, or `quit`";
    count_fault(kEndedAfterAnswer, position, end);
}

void Survey::judge(std::size_t position, PositionAnswer& answer) const {
    if (answer.kind != AnswerKind::Unjudged || answer.outcome == Outcome::Unknown) return;
    answer.kind = AnswerKind::Right;
    if (answer.outcome == Outcome::P) return;
    Game game = this->game(position);
    const auto move = game.read_move(answer.move);
    answer.kind = AnswerKind::Unjudged;
    if (!move) return;
    game.play(*move);
    const Outcome after =
        game.check_limits() ? analyst_.outcome(game, within(kTimeToSolve)) : Outcome::Unknown;
    const Finding mistake = is_mistake(answer.outcome, after);
    if (mistake == Finding::No) answer.kind = AnswerKind::Right;
    if (mistake == Finding::Yes) answer.kind = AnswerKind::Wrong;
}

void Survey::judge() {
    for_each_index(threads_, answers_.size(),
                   [&](std::size_t number) { judge(number, answers_[number]); });
    for_each_index(threads_, others_.size(),
                   [&](std::size_t i) { judge(others_[i].position, others_[i].answer); });
    for (const auto& [position, answer] : others_) {
        if (answer.kind > answers_[position].kind) answers_[position] = answer;
    }
    others_.clear();
}

// ---- results ----

void Survey::add_right(std::size_t position, OutcomeCount& count) const {
    ++count.right;
    if (ended_.contains(position)) ++count.ended;
}

SurveyCounts Survey::counts() const {
    SurveyCounts counts;
    for (std::size_t number = positions_.size(); number < answers_.size(); ++number) {
        const PositionAnswer& answer = answers_[number];
        if (answer.kind == AnswerKind::NotAsked) {
            ++counts.moves_not_asked;
            continue;
        }
        ++counts.sent_with_moves.positions;
        const bool is_well =
            answer.kind == AnswerKind::Right || answer.kind == AnswerKind::Unjudged;
        if (is_well) add_right(number, counts.sent_with_moves);
    }
    for (std::size_t number = 0; number < positions_.size(); ++number) {
        const PositionAnswer& answer = answers_[number];
        if (answer.kind == AnswerKind::NoMove) continue;
        OutcomeCount& part = answer.outcome == Outcome::N   ? counts.won
                             : answer.outcome == Outcome::D ? counts.drawn
                             : answer.outcome == Outcome::P ? counts.lost
                                                            : counts.unknown;
        ++part.positions;
        if (is_asked(answer)) ++counts.asked;
        if (answer.kind == AnswerKind::NotAsked) ++counts.not_asked;
        if (answer.kind == AnswerKind::Wrong) ++counts.wrong;
        const bool is_unjudged = answer.kind == AnswerKind::Unjudged;
        if (is_unjudged && has_value(answer)) ++counts.unjudged;
        const bool is_unknown = answer.outcome == Outcome::Unknown;
        if (answer.kind == AnswerKind::Right || (is_unjudged && is_unknown))
            add_right(number, part);
    }
    return counts;
}

bool Survey::is_right() const {
    const SurveyCounts counts = this->counts();
    const auto all_right = [](const OutcomeCount& part) {
        return part.right == part.positions;
    };
    // A move into an unsolved position counts as no mistake.
    const bool keeps_value = counts.won.right + counts.drawn.right + counts.unjudged ==
                             counts.won.positions + counts.drawn.positions;
    return counts.asked > 0 && ended_.empty() && keeps_value && all_right(counts.lost) &&
           all_right(counts.unknown) && all_right(counts.sent_with_moves);
}

std::map<std::string, FaultKind> Survey::faults() const {
    auto faults = faults_;
    faults.insert(faults_after_moves_.begin(), faults_after_moves_.end());
    return faults;
}

std::vector<PositionSize> Survey::smallest(std::size_t limit,
                                           bool (*is_one)(const PositionAnswer&)) const {
    std::vector<PositionSize> found;
    for (std::size_t number = 0; number < positions_.size(); ++number) {
        if (!is_one(answers_[number])) continue;
        PositionSize size = this->size(number);
        if (found.size() == limit && found.back() < size) continue;
        if (found.size() == limit) found.pop_back();
        found.insert(std::ranges::upper_bound(found, size), std::move(size));
    }
    return found;
}

std::vector<PositionSize> Survey::wrong(std::size_t limit) const {
    return smallest(
        limit, [](const PositionAnswer& answer) { return answer.kind == AnswerKind::Wrong; });
}

std::vector<PositionSize> Survey::unknown(std::size_t limit) const {
    return smallest(limit, [](const PositionAnswer& answer) {
        return answer.kind != AnswerKind::NoMove && answer.outcome == Outcome::Unknown;
    });
}

std::optional<Counterexample> Survey::counterexample() const {
    using Rank = std::tuple<bool, bool, PositionSize>;  // sent with `moves`; no move; how large
    std::optional<std::pair<Rank, std::size_t>> best;
    for (std::size_t number = 0; number < answers_.size(); ++number) {
        const PositionAnswer& answer = answers_[number];
        const bool is_move =
            answer.kind == AnswerKind::Wrong ||
            (answer.kind == AnswerKind::Fault && answer.reason == Reason::IllegalMove);
        if (!is_move && !is_faulty(answer)) continue;
        Rank rank{is_moved(number), !is_move, size(number)};
        if (!best || rank < best->first) best.emplace(std::move(rank), number);
    }
    if (!best) return std::nullopt;
    return explain(best->second);
}

Counterexample Survey::explain(std::size_t position) const {
    const PositionAnswer& answer = answers_[position];
    const Budget budget = within(kTimeToSolve);
    Counterexample example;
    const Game game = this->game(position);
    example.position = size(position).text;
    example.outcome = answer.outcome;
    example.kind = kind_name(answer);
    example.move = answer.move;
    const auto& faults = is_moved(position) ? faults_after_moves_ : faults_;
    if (const auto fault = faults.find(example.kind); fault != faults.end()) {
        const Cause& cause = fault->second.cause;
        if (example.move.empty() || answer.kind == AnswerKind::Refused)
            example.move = kept_text(cause.received);
    }
    if (has_value(answer)) {
        const auto best = analyst_.best_moves(game, 1, budget);
        if (best && !best->moves.empty()) example.better = to_string(best->moves.front());
    }
    example.why = why_text(game, analyst_, budget);
    while (example.why.ends_with('\n')) example.why.pop_back();
    const auto move = game.read_move(answer.move);
    if (answer.kind != AnswerKind::Wrong || !move) return example;
    Game after = game;
    after.play(*move);
    example.ends_game = !after.has_move();
    const auto reply = analyst_.best_moves(after, 1, budget);
    if (reply && !reply->moves.empty()) example.reply = to_string(reply->moves.front());
    return example;
}

// ---- patterns ----

std::vector<std::string> Survey::patterns() const {
    std::vector<std::string> texts = mistake_patterns();
    std::ranges::move(habits(), std::back_inserter(texts));
    std::ranges::move(fault_patterns(), std::back_inserter(texts));
    return texts;
}

std::vector<std::string> Survey::mistake_patterns() const {
    std::vector<std::uint32_t> chances;
    bool has_wrong = false;
    for (std::size_t number = 0; number < positions_.size(); ++number) {
        const PositionAnswer& answer = answers_[number];
        const bool is_judged =
            answer.kind == AnswerKind::Right || answer.kind == AnswerKind::Wrong;
        if (!is_judged || !has_value(answer)) continue;
        chances.push_back(static_cast<std::uint32_t>(number));
        has_wrong = has_wrong || answer.kind == AnswerKind::Wrong;
    }
    if (!has_wrong) return {};
    PositionTraits traits;
    for (const std::uint32_t number : chances) traits.widen(PositionFacts(game(number), {}));
    traits.finish();
    std::vector<std::optional<Case>> cases(chances.size());
    for_each_index(threads_, cases.size(), [&](std::size_t i) {
        const PositionAnswer& answer = answers_[chances[i]];
        const Game game = this->game(chances[i]);
        const PositionFacts facts(game, right_moves(game, answer, analyst_));
        // A right move means nothing if every move is right.
        if (facts.right.size() < game.move_count())
            cases[i] = {traits.of(facts), answer.kind == AnswerKind::Wrong};
    });
    return rule_texts(values_of(cases), traits.words());
}

// Properties that the positions with faults share, among all that were asked.
std::vector<std::string> Survey::fault_patterns() const {
    if (faults_.empty()) return {};
    PositionTraits traits;
    std::vector<std::size_t> asked;
    for (std::size_t number = 0; number < positions_.size(); ++number) {
        if (!is_asked(answers_[number])) continue;
        asked.push_back(number);
        traits.widen(PositionFacts(game(number), {}));
    }
    traits.finish(false);
    std::vector<Case> cases(asked.size());
    for_each_index(threads_, cases.size(), [&](std::size_t i) {
        cases[i].traits = traits.of(PositionFacts(game(asked[i]), {}));
    });
    std::vector<std::string> texts;
    for (const auto& [kind, fault] : faults_) {
        for (std::size_t i = 0; i < cases.size(); ++i) {
            const PositionAnswer& answer = answers_[asked[i]];
            cases[i].wrong = kind == kEndedAfterAnswer
                                 ? ended_.contains(asked[i])
                                 : is_faulty(answer) && kind_name(answer) == kind;
        }
        std::ranges::move(rule_texts(cases, traits.words(), kind), std::back_inserter(texts));
    }
    return texts;
}

std::vector<std::string> Survey::habits() const {
    std::vector<std::size_t> wrong;
    for (std::size_t number = 0; number < positions_.size(); ++number) {
        if (answers_[number].kind == AnswerKind::Wrong) wrong.push_back(number);
    }
    // A sample that is spread over all mistakes.
    const std::size_t step = wrong.size() / kMostMistakes + 1;
    std::vector<std::optional<MoveCase>> mistakes((wrong.size() + step - 1) / step);
    for_each_index(threads_, mistakes.size(), [&](std::size_t i) {
        const std::size_t number = wrong[i * step];
        const PositionAnswer& answer = answers_[number];
        const Game game = this->game(number);
        const PositionFacts facts(game, right_moves(game, answer, analyst_));
        const auto move = game.read_move(answer.move);
        if (move)
            mistakes[i] = describe_mistake(game, facts, *move, analyst_, within(kLittleTime));
    });
    std::vector<std::string> texts;
    for (const Habit& habit : find_habits(values_of(mistakes)))
        texts.push_back(to_text(habit, move_trait(habit.trait)));
    return texts;
}

}  // namespace arena
