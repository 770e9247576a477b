// A `go` is answered in two steps: solve() finds who wins, then choose_move() picks a move by
// the session's style. Queries solve the same position with their own time limit. In a server
// each of these is a SharedQuestion, so that no session uses up the memory of the others.
#include "engine/commands/engine_bot.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "engine/sums/choice.hpp"
#include "protocol/line_buffer.hpp"
#include "protocol/text.hpp"

namespace engine {

using protocol::quoted;

namespace {

constexpr std::size_t kMaxListed = 10000;
constexpr std::chrono::milliseconds kMaxQueryTime{3600 * 1000};
constexpr std::size_t kMegabyte = 1 << 20;

// A solution for the winner alone may leave the nimber open: then solves again for values.
std::string nimber_text(const Game& game, const Solution& solution, const Budget& budget) {
    if (game.is_misere()) return "none";
    auto nimber = solution.nimber();
    if (!nimber && !budget.is_spent()) nimber = solve(game, budget, Aim::Values)->nimber();
    std::string text = nimber ? to_string(*nimber) : "unknown";
    constexpr std::size_t kRoom = protocol::kMaxLine - std::string_view("response ").size();
    return text.size() <= kRoom ? text : "unknown";
}

// Leaves out the nimber or the pv if it does not fit the line.
std::string info_text(const std::string& head, const std::string& nimber,
                      const std::string& pv) {
    constexpr std::size_t kRoom = protocol::kMaxLine - std::string_view("info ").size();
    std::string text = head + " nimber ";
    text += text.size() + nimber.size() <= kRoom ? nimber : "unknown";
    if (text.size() + pv.size() <= kRoom) text += pv;
    return text;
}

// The first moves, up to the length of a line, and "..." if there are more.
std::string list_text(const MoveList& list) {
    constexpr std::size_t kRoom = protocol::kMaxLine - std::string_view("response  ...").size();
    std::string text;
    bool cut = list.cut;
    for (const Move& move : list.moves) {
        const std::size_t before = text.size();
        if (before > 0) text += ' ';
        append_text(text, move);
        if (text.size() <= kRoom) continue;
        text.resize(before);
        cut = true;
        break;
    }
    if (cut) text += text.empty() ? "..." : " ...";
    return text;
}

// Whether this class answers it; else GameBot does, from the rules alone.
bool is_solved(const protocol::QueryCommand& query) {
    constexpr std::string_view kTopics[]{"outcome", "nimber", "bestmoves", "legalmoves"};
    return std::ranges::count(kTopics, query.topic) > 0;
}

// Sets an enumerator by its word.
template <typename Word>
Result<void> set_word(std::string_view option, std::optional<std::string_view> value,
                      std::span<const std::string_view> words, Word& into) {
    const auto word = read_word(option, value.value_or(""), words);
    if (!word) return word.error();
    into = static_cast<Word>(*word);
    return {};
}

// The value of an option that is a number 1..`most`.
Result<Number> read_spin(std::string_view name, std::optional<std::string_view> value,
                         Number most) {
    const auto number = protocol::parse_number(value.value_or(""));
    if (number && *number >= 1 && *number <= most) return number;
    return Error{Fault::BadInput, "option " + std::string(name) + ": read " +
                                      quoted(value.value_or("")) +
                                      ", expected a number from 1 to " + std::to_string(most)};
}

}  // namespace

Result<std::size_t> read_word(std::string_view option, std::string_view value,
                              std::span<const std::string_view> words) {
    std::string expected;
    for (const std::string_view& word : words) {
        if (word == value) return static_cast<std::size_t>(&word - words.data());
        if (!expected.empty()) expected += &word == &words.back() ? " or " : ", ";
        expected += quoted(word);
    }
    return Error{Fault::BadInput, "option " + std::string(option) + ": read " + quoted(value) +
                                      ", expected " + expected};
}

protocol::BotInfo engine_info(MemoryOf memory) {
    const bool is_shared = memory == MemoryOf::Server;
    const std::size_t hash = is_shared ? Memory::limit() : Memory::kDefaultLimit;
    return {
        "nim-engine",
        "the Nimarena authors",
        {{"Choice", "combo default random var first var random"},
         {"Losing", "combo default random var random var longest var trap"},
         {"Hash", fmt::format("spin default {} min 1 max {}", hash / kMegabyte,
                              is_shared ? hash / kMegabyte : Memory::kMaxMegabytes)},
         {"QueryTime", fmt::format("spin default 2000 min 1 max {}", kMaxQueryTime.count())}}};
}

std::optional<Move> EngineBot::choose(const protocol::Turn& turn) {
    constexpr std::chrono::milliseconds kNimberTime{20};
    const auto begin = std::chrono::steady_clock::now();
    std::optional<SharedQuestion> share;
    if (memory_ == MemoryOf::Server) share.emplace(hash_);
    Budget budget{turn.deadline, turn.stop};
    // A search that is limited by depth or nodes alone must end too.
    const bool ends_by_time = turn.deadline != std::chrono::steady_clock::time_point::max();
    if (!ends_by_time && !turn.go.infinite) budget = budget.at_most(query_time_);

    const auto candidates = legal_candidates(turn, budget);
    const auto solution = solve(*game(), budget, Aim::Winner);
    const auto chosen = choose_move(*game(), *solution, candidates, style_, random_, budget);

    const auto used = std::chrono::steady_clock::now() - begin;
    const auto time = std::chrono::duration_cast<std::chrono::milliseconds>(used).count();
    const std::string nimber = nimber_text(*game(), *solution, budget.at_most(kNimberTime));
    // A winning move proves the outcome. A move that may throw a win or a draw is not a `pv`.
    const bool wins = chosen && chosen->keeps == Outcome::N;
    const Outcome outcome = wins ? Outcome::N : solution->outcome();
    const bool is_claim = outcome == Outcome::N || outcome == Outcome::D;
    const bool has_pv = chosen && (!is_claim || chosen->keeps == outcome);
    turn.info_with_move(
        info_text("depth 1 time " + std::to_string(time) + " outcome " + to_string(outcome),
                  nimber, has_pv ? " pv " + to_string(chosen->move) : ""));
    if (!chosen) return std::nullopt;
    return chosen->move;
}

// Those that can be judged within the budget; the first one in any case.
std::vector<Move> EngineBot::legal_candidates(const protocol::Turn& turn,
                                              const Budget& budget) const {
    constexpr std::size_t kPollWork = 20'000'000;  // some 5 ms, see Ruleset::work()
    BudgetPoll poll(budget, kPollWork);
    std::vector<Move> legal;
    std::string refused;
    for (const Move& move : turn.candidates) {
        if (const auto fits = game()->check(move); fits) {
            legal.push_back(move);
        } else {
            refused = fits.error().text;
        }
        if (poll.is_spent(game()->work())) break;
    }
    if (legal.empty() && !refused.empty())
        turn.info("string error searchmoves: no legal move among them: " + refused);
    return legal;
}

bool EngineBot::answers_at_once(const Position&) const {
    return style_.losing == Losing::Random && is_quick(*game());
}

Result<void> EngineBot::set_option(std::string_view name,
                                   std::optional<std::string_view> value) {
    if (name == "Choice") return set_word(name, value, kChoices, style_.choice);
    if (name == "Losing") return set_word(name, value, kLosings, style_.losing);
    if (name == "Hash") return set_hash(name, value);
    if (name == "QueryTime") {
        const auto time = read_spin(name, value, kMaxQueryTime.count());
        if (!time) return time.error();
        query_time_ = std::chrono::milliseconds(*time);
        return {};
    }
    return Bot::set_option(name, value);
}

// A session of a server may lower its limit, or raise it again up to that of the server.
Result<void> EngineBot::set_hash(std::string_view name, std::optional<std::string_view> value) {
    const bool is_shared = memory_ == MemoryOf::Server;
    const std::size_t most = is_shared ? Memory::limit() / kMegabyte : Memory::kMaxMegabytes;
    const auto megabytes = read_spin(name, value, most);
    if (!megabytes) return megabytes.error();
    if (is_shared) {
        hash_ = *megabytes * kMegabyte;
    } else {
        Memory::set_limit(*megabytes * kMegabyte);
    }
    return {};
}

std::optional<std::string> EngineBot::answer(const protocol::QueryCommand& query,
                                             const std::stop_token& stop) {
    if (!is_solved(query)) return GameBot::answer(query, stop);
    std::optional<SharedQuestion> share;
    if (memory_ == MemoryOf::Server) share.emplace(hash_);
    const Budget budget{std::chrono::steady_clock::now() + query_time_, stop};
    if (query.topic == "outcome") {
        return to_string(solve(*game(), budget, Aim::Winner)->outcome());
    }
    if (query.topic == "nimber") {
        if (game()->is_misere()) return "none";
        return nimber_text(*game(), *solve(*game(), budget, Aim::Values), budget);
    }
    return query.topic == "bestmoves" ? best_moves(budget) : legal_moves(budget);
}

bool EngineBot::answers_query_at_once(const protocol::QueryCommand& query,
                                      const Position& position) const {
    return is_solved(query) ? is_quick(*game())
                            : GameBot::answers_query_at_once(query, position);
}

std::string EngineBot::best_moves(const Budget& budget) const {
    // That all moves lose may be known even if the nimbers are not.
    const auto winner = solve(*game(), budget.at_most(query_time_ / 2), Aim::Winner);
    if (winner->outcome() == Outcome::P) return "";
    const auto list = solve(*game(), budget, Aim::Values)->best_moves(kMaxListed);
    return list ? list_text(*list) : "unknown";
}

std::string EngineBot::legal_moves(const Budget& budget) const {
    MoveList list;
    const bool all = visit_moves(*game(), budget,
                                 [&](const Move& move) { return list.add(move, kMaxListed); });
    return all || list.cut ? list_text(list) : "unknown";
}

}  // namespace engine
