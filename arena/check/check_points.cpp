// Each point is a coroutine that talks to the bot and returns a finding or throws PointFailure;
// kPoints lists them in the order of testing. What one point finds out, such as a ruleset that
// the bot plays, later points take from Check, so that one defect is reported once: a bot that
// plays illegally fails at `nim`, not also at all points about time.
//
// Points test what the protocol demands and nothing that a good bot may do otherwise. A bot
// need not know a ruleset: if it refuses all positions of a kind, that is a note. Times are
// generous where time is not tested, because a slow machine is no defect of the bot.
#include "arena/check/check_points.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <boost/asio/awaitable.hpp>

#include "arena/game/referee.hpp"
#include "arena/game/seeds.hpp"
#include "arena/players/question.hpp"
#include "engine/rules/game.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

constexpr Milliseconds kPrompt{250};          // from `stop` to its answer
constexpr Milliseconds kLeave{1000};          // from `quit` to the end
constexpr std::size_t kMostOffered = 10'000;  // moves
constexpr int kLongestPoint = 5;  // times the movetime, for the positions of a point
constexpr std::string_view kMoveFix =
    "a move is INDEX=RESULT: heap INDEX, counted from 1 over the whole position, becomes "
    "RESULT; "
    "play from the last `position` line, with all the moves after `moves`";
constexpr std::string_view kNotToPlay =
    "if it is not to play these rulesets, let it answer such a `position` by `info string "
    "error …` and go on: then this is no failure";

constexpr std::string_view kPlusFix =
    "a position may have several parts, joined by '+', each with its ruleset: the heaps are "
    "counted over all of them";
constexpr std::string_view kBufferFix =
    "is its line buffer too small? Read lines whole, of up to 1 MiB: getline in C and C++, "
    "Scanner.Buffer in Go";
constexpr std::string_view kMisereFix =
    "the word `misere` may follow the heaps: the legal moves are the same";

// With `expected` it shows what was sent and received.
PointFinding note(std::string detail, std::string expected = {}, std::string fix = {},
                  std::vector<SaidLine> lines = {}) {
    return {PointVerdict::Note, std::move(detail), std::move(fix), std::move(lines),
            std::move(expected)};
}

// One that holds; `detail`: what was measured.
PointFinding held(std::string detail) { return {PointVerdict::Ok, std::move(detail)}; }

// ---- asking ----

struct GoAnswer {
    std::string word;  // after `bestmove`; "0000": no move
    bool refused = false;
    Milliseconds used{};
};

std::string go_line(const Check& check, const engine::Game& game, std::string_view limits) {
    std::string line = "go";
    if (!limits.empty()) line += fmt::format(" {}", limits);
    if (check.talk.wants_legal_moves()) append_search_moves(line, game, 0);
    return line;
}

// For questions without a test of time.
std::string short_go(const Check& check, const engine::Game& game) {
    const auto time = std::max<std::int64_t>(1, check.options.movetime.count() / 10);
    return go_line(check, game, fmt::format("movetime {}", time));
}

std::string question(const Check& check, const TestPosition& test, std::string_view limits) {
    return test.line + "\n" + go_line(check, test.game, limits) + "\n";
}

std::string short_question(const Check& check, const TestPosition& test) {
    return test.line + "\n" + short_go(check, test.game) + "\n";
}

// Reads the word after `bestmove`. Keeps a line of more words for the point `answers`.
std::string word_of(Check& check, const std::string& line) {
    const auto words = protocol::split_words(line);
    if (words.size() > 2) check.long_answer = check.talk.lines();
    check.last_answer = line;
    if (words.size() >= 2) return std::string(words[1]);
    throw PointFailure{"it wrote 'bestmove' alone", "bestmove MOVE, or bestmove 0000",
                       std::string(kMoveFix)};
}

// `lines` end with a `go` line.
Awaitable<GoAnswer> ask(Check& check, std::string lines) {
    const auto asked = check.talk.now();
    co_await check.talk.send(std::move(lines));
    const Heard heard = co_await check.talk.hear("bestmove", check.talk.patience());
    const auto used = std::chrono::duration_cast<Milliseconds>(heard.at - asked);
    GoAnswer answer{word_of(check, heard.line), heard.refused, used};
    co_await drain(check);
    co_return answer;
}

Awaitable<GoAnswer> ask(Check& check, const TestPosition& test) {
    return ask(check, short_question(check, test));
}

// Whether the move would be legal if the heaps of a single component were heaps of nim.
bool is_move_of_nim(const engine::Game& game, std::string_view word) {
    protocol::Position position = game.position();
    if (position.components.size() != 1) return false;
    protocol::RulesetText& ruleset = position.components.front().ruleset;
    if (ruleset.text == "nim") return false;
    ruleset = protocol::RulesetText{"nim"};
    const auto nim = engine::Game::start(std::move(position));
    return nim && nim->read_move(word);
}

// Whether the move was legal before the moves of the line, and the bot may not play them.
bool forgets_moves(const Check& check, const TestPosition& test, std::string_view word) {
    constexpr int kFollows = 3;
    return check.followed_moves < kFollows && test.first && test.first->read_move(word);
}

// What the bot most probably does wrong, by the illegal move that it made. `is_new`: it has not
// yet played all positions of this kind, so it may not know the ruleset.
std::string remedy_of_move(const Check& check, const TestPosition& test, std::string_view word,
                           bool is_new) {
    if (check.cuts_lines) return std::string(kBufferFix);
    const std::string advice = move_advice(test.game, check.last_answer);
    if (!advice.empty()) return advice;
    if (test.game.names_what_is_taken(word)) return std::string(kMoveFix);
    if (is_move_of_nim(test.game, word)) {
        return fmt::format(
            "this would be a move in nim: read the name before the ':'. Else {}, or let it "
            "print `option name LegalMoves type check default true` and play one of the moves "
            "after `searchmoves`",
            kNotToPlay);
    }
    if (is_new && test.game.position().components.front().ruleset.text != "nim")
        return fmt::format("{}. If it is to play them: {}", kNotToPlay, kMoveFix);
    if (forgets_moves(check, test, word))
        return "play the moves after `moves`: this one was legal before them";
    if (test.game.position().components.size() > 1) {
        return fmt::format("{}. {}", kPlusFix, kMoveFix);
    }
    return std::string(kMoveFix);
}

void expect_legal(Check& check, const TestPosition& test, std::string_view word,
                  bool is_new = false) {
    const engine::Game& game = test.game;
    const auto move = game.read_move(word);
    if (move) {
        check.followed_moves += test.first.has_value();
        return;
    }
    const auto position = protocol::printable(to_string(game.position()), 100);
    std::string expected = fmt::format("bestmove 0000: no move is left in {}", position);
    if (game.has_move()) {
        expected = fmt::format("a legal move in {}, such as {}", position,
                               protocol::printable(to_string(game.moves(1).front()), 100));
    }
    throw PointFailure{
        fmt::format("it answered {}: {}", protocol::quoted(word), describe(move.error())),
        std::move(expected), remedy_of_move(check, test, word, is_new)};
}

bool declines(const GoAnswer& answer) { return answer.refused || answer.word == "0000"; }

// For points that are not about rules. Does not report an illegal move again.
void expect_usual_legal(Check& check, const TestPosition& test, std::string_view word) {
    if (check.plays_usual && !check.breaks_rules) expect_legal(check, test, word);
}

Awaitable<void> ask_legal(Check& check, const TestPosition& test, std::string lines) {
    const GoAnswer answer = co_await ask(check, std::move(lines));
    expect_usual_legal(check, test, answer.word);
}

Awaitable<void> ask_legal(Check& check, const TestPosition& test) {
    return ask_legal(check, test, short_question(check, test));
}

// The position for points that are not about positions.
TestPosition usual(const Check& check) { return check.maker.make(check.ruleset + ":9,5,7"); }

Awaitable<void> ask_usual(Check& check) {
    const TestPosition test = usual(check);
    co_await ask_legal(check, test);
}

Awaitable<void> expect_no_answer(Check& check, std::string_view after) {
    const bool is_new = !check.second_answer;  // reported only once
    const int best_moves = co_await check.talk.drain();
    if (best_moves > 0 && is_new) {
        throw PointFailure{fmt::format("it wrote 'bestmove' after {}", after),
                           "no bestmove: nothing was asked",
                           "answer each `go` once, and nothing but `go`"};
    }
}

// ---- start ----

Awaitable<PointFinding> check_handshake(Check& check) {
    try {
        check.startup = co_await check.talk.open(check.options.startup);
    } catch (const PointFailure& failure) {
        if (!failure.buffered) throw;
        check.buffered = failure;
    }
    if (check.buffered) co_return note(check.buffered->detail, {}, {}, check.talk.lines());
    check.shook_hands = true;
    std::string detail = fmt::format("{} ms", check.startup.count());
    if (!check.talk.name().empty()) {
        detail += ", it calls itself " + protocol::printable(check.talk.name(), 100);
    }
    co_return held(std::move(detail));
}

// Why the handshake and one move fail, each line within this time; nullopt: they do not.
Awaitable<std::optional<PointFailure>> try_a_move(Check& check, Talk& talk,
                                                  Milliseconds within) {
    try {
        co_await talk.open(within);
        const TestPosition test = usual(check);
        co_await talk.send(short_question(check, test));
        co_await talk.hear("bestmove", within);
    } catch (const PointFailure& failure) {
        co_return failure;
    }
    co_return std::nullopt;
}

// Tests it without the arena's help for Python's buffers, as in other arenas.
Awaitable<PointFinding> check_flush(Check& check) {
    constexpr std::string_view kHelp = "PYTHONUNBUFFERED";
    if (check.buffered) throw PointFailure(*check.buffered);
    if (!check.shook_hands) co_return not_checked("it does not shake hands");
    PlayerSpec spec = check.options.player;
    const bool own = std::ranges::any_of(
        spec.environment, [&](const auto& entry) { return entry.first == kHelp; });
    if (spec.kind != PlayerKind::Command) co_return not_asked("not tested over a connection");
    if (own) co_return PointFinding{};

    spec.environment.emplace_back(kHelp, "");
    // A slow start looks the same: so the bot is started twice, and has more time then.
    const Milliseconds time = 2 * check.startup + kLeave;
    const std::array times{time, 3 * time};
    PointFinding finding;
    for (const Milliseconds given : times) {
        const Milliseconds within = std::min(check.options.startup, given);
        Talk talk(spec, check.make_peer, within, check.options.movetime);
        const auto failure = co_await try_a_move(check, talk, within);
        if (!failure || !failure->buffered) co_return PointFinding{};
        finding = note("only because the arena sets PYTHONUNBUFFERED=1; elsewhere it will hang",
                       failure->expected, failure->fix, talk.lines());
    }
    // A move that the arena's help does not flush either is a failure of the point `go`.
    Talk helped(check.options.player, check.make_peer, check.options.startup,
                check.options.movetime);
    const Milliseconds within = std::min(check.options.startup, times.back());
    const auto failure = co_await try_a_move(check, helped, within);
    if (failure) finding = {};
    co_return finding;
}

Awaitable<PointFinding> check_isready(Check& check) {
    for (int i = 0; i < 2; ++i) {
        co_await check.talk.send("isready\n");
        co_await check.talk.hear("readyok", check.talk.patience());
    }
    check.answers_isready = true;
    co_return PointFinding{};
}

Awaitable<PointFinding> check_new_game(Check& check) {
    const auto seed = Seeds(check.options.seed).of_game(1, 0);
    co_await check.talk.send(fmt::format("setoption name Seed value {}\nuginewgame\n", seed));
    co_await drain(check);
    co_await check.talk.send("setoption name NoSuchOption value 1\n");
    co_await drain(check);
    co_await check.talk.send("uginewgame\n");  // one process plays many games
    co_await drain(check);
    co_return PointFinding{};
}

// ---- positions ----

Awaitable<PointFinding> check_go(Check& check) {
    const TestPosition test = usual(check);
    co_await check.talk.send(test.line + "\n");
    const int early = co_await check.talk.drain();
    if (early > 0) {
        throw PointFailure{"it wrote 'bestmove' after `position`, before `go`",
                           "no answer to `position`, and bestmove after `go`",
                           "answer `go`, not `position`: the move came before `go`"};
    }
    check.talk.forget();
    const GoAnswer answer = co_await ask(check, test);
    check.answers_go = true;
    check.plays_usual = !declines(answer);
    if (check.plays_usual) co_return PointFinding{};

    check.ruleset = "take{1,3,4}";
    const TestPosition other = usual(check);
    const GoAnswer other_answer = co_await ask(check, other);
    check.plays_usual = !declines(other_answer);
    co_return PointFinding{};
}

// Whether a legal move begins with this, as one at the end of a line that was cut.
bool begins_a_move(const TestPosition& test, std::string_view word) {
    return std::ranges::any_of(
        test.game.moves(kMostOffered),
        [word](const protocol::Move& move) { return to_string(move).starts_with(word); });
}

// Expects a legal move after a line of `bytes` bytes.
Awaitable<void> ask_of_long_line(Check& check, const TestPosition& test, std::string lines,
                                 std::size_t bytes) {
    const GoAnswer answer = co_await ask(check, std::move(lines));
    if (!check.plays_usual || check.breaks_rules || test.game.read_move(answer.word)) co_return;
    // A bot that makes legal moves after short lines, or half of one, reads a part of this
    // line.
    check.cuts_lines =
        !check.plays.empty() || answer.word == "0000" || begins_a_move(test, answer.word);
    throw PointFailure{
        fmt::format("it answered {} to a line of {} bytes", protocol::quoted(answer.word),
                    bytes),
        fmt::format("a legal move, such as {}", to_string(test.game.moves(1).front())),
        std::string(check.cuts_lines ? kBufferFix : kMoveFix)};
}

// The time limits have different numbers of digits, so that wherever a bot cuts the line, it
// sooner or later cuts a move.
Awaitable<PointFinding> check_many_moves(Check& check) {
    if (!check.talk.wants_legal_moves()) co_return held("it is sent none");
    std::size_t longest = 0;
    for (const TestPosition& test : positions_of_many_moves(check.maker, check.ruleset)) {
        for (const int time : {1, 10, 100, 1000}) {
            check.talk.forget();
            std::string go = go_line(check, test.game, fmt::format("movetime {}", time));
            longest = std::max(longest, go.size());
            const std::size_t bytes = go.size();
            co_await ask_of_long_line(check, test, fmt::format("{}\n{}\n", test.line, go),
                                      bytes);
        }
    }
    co_return held(fmt::format("a line of {} bytes", longest));
}

// How many positions of a point have been asked, and the time limit for more. Each kind has an
// equal share of the time, and what the kinds before it have left.
struct PointProgress {
    std::string_view point;
    std::size_t total = 0;
    Clock::time_point until;
    Clock::time_point share_until = {};  // of the current kind
    std::size_t asked = 0;
    bool gave_reasons = true;  // each refusal was `info string error …`
};

// Adds to the remedy for a bot that ends or hangs at the first position of a kind: it may not
// know the ruleset, or, of rulesets that it plays, the form of the position.
std::string with_remedy_of_kind(const Check& check, std::string_view point,
                                const TestPosition& test, const std::string& remedy) {
    if (point != "nim" && point != "mixed") {
        // A bot that has refused the position has followed this advice.
        const auto lines = check.talk.lines();
        const bool has_refused = std::ranges::any_of(
            lines, [](const SaidLine& line) { return !line.sent && is_refusal(line.text); });
        if (has_refused) return remedy;
        return fmt::format("{}{}{}", kNotToPlay,
                           remedy.empty() ? "" : ". If it is to play them: ", remedy);
    }
    const protocol::Position& position = test.game.position();
    std::vector<std::string_view> parts;
    if (position.components.size() > 1) parts.push_back(kPlusFix);
    if (position.convention == protocol::Convention::Misere) parts.push_back(kMisereFix);
    if (!remedy.empty()) parts.push_back(remedy);
    return fmt::format("{}", fmt::join(parts, ". "));
}

// Whether the bot plays positions of this kind. It must play all of them or refuse all.
Awaitable<bool> plays(Check& check, const PositionKind& kind, PointProgress& so_far) {
    const bool is_new = kind.name != check.ruleset;
    bool has_played = false, has_declined = false;
    for (const TestPosition& test : kind.positions) {
        if ((has_played || has_declined) && check.talk.now() >= so_far.share_until) break;
        check.talk.forget();
        if (check.progress) {
            check.progress(fmt::format("{}: {} of {} positions", so_far.point, so_far.asked,
                                       so_far.total));
        }
        GoAnswer answer;
        try {
            answer = co_await ask(check, test);
        } catch (PointFailure& failure) {
            if (!has_played && failure.gave_up && is_new)
                failure.fix = with_remedy_of_kind(check, so_far.point, test, failure.fix);
            throw;
        }
        ++so_far.asked;
        (declines(answer) ? has_declined : has_played) = true;
        if (declines(answer) && !answer.refused) so_far.gave_reasons = false;
        if (!declines(answer)) expect_legal(check, test, answer.word, is_new);
        if (!has_played || !has_declined) continue;
        // If the bot plays this one, it has refused all before.
        const TestPosition& refused = declines(answer) ? test : kind.positions.front();
        throw PointFailure{
            fmt::format("it refused {}, but plays other positions of {}",
                        protocol::quoted(to_string(refused.game.position())), kind.name),
            fmt::format("a legal move in every position of {}", kind.name),
            check.cuts_lines
                ? std::string(kBufferFix)
                : "heaps of zero, heaps without a move and positions in the middle "
                  "of a game must be played too"};
    }
    co_return has_played;
}

std::string joined(const std::vector<std::string>& words) {
    return fmt::format("{}", fmt::join(words, ", "));
}

Awaitable<PointFinding> check_kinds(Check& check, std::string_view point,
                                    std::vector<PositionKind> kinds) {
    std::vector<std::string> refused, left_out;
    std::size_t positions = 0;
    const auto share = kLongestPoint * check.options.movetime / kinds.size();
    const auto began = check.talk.now();
    PointProgress so_far{point, 0, began + share * kinds.size(), began};
    for (const PositionKind& kind : kinds) so_far.total += kind.positions.size();
    for (const PositionKind& kind : kinds) {
        so_far.share_until += share;
        if (so_far.asked > 0 && check.talk.now() >= so_far.until) {
            left_out.push_back(kind.name);
            continue;
        }
        const std::size_t before = so_far.asked;
        const bool played = co_await plays(check, kind, so_far);
        if (played) positions += so_far.asked - before;
        (played ? check.plays : refused).push_back(kind.name);
        if (played) check.points_played.insert(point);
        if (!played) check.refusal = check.talk.lines();
    }
    if (refused.empty() && so_far.asked < so_far.total) {
        std::string detail = fmt::format("{} of {} positions: it takes long for a move",
                                         positions, so_far.total);
        if (left_out.empty()) co_return held(std::move(detail));
        detail += "; not asked: " + joined(left_out);
        co_return note(std::move(detail), {},
                       "answer in the time after `movetime`, or check with more time: "
                       "--movetime MS");
    }
    if (refused.empty()) co_return held(fmt::format("{} positions", positions));
    if (positions == 0 && so_far.gave_reasons) {
        co_return not_asked("it says that it plays none of these");
    }
    co_return note(positions == 0 ? "it plays none of these"
                                  : "it does not play " + joined(refused));
}

// "it failed at nim: its process was ended by SIGSEGV; …", for points that depend on that one.
std::string failure_text(std::string_view point, const PointFailure& failure) {
    if (!failure.gave_up) return fmt::format("it does not play legally, see {}", point);
    return fmt::format("it failed at {}: {}{}{}", point, failure.detail,
                       failure.fix.empty() ? "" : "; ", failure.fix);
}

// check_kinds(), for points whose failure means that the bot does not play legally.
Awaitable<PointFinding> check_rules(Check& check, std::string_view point,
                                    std::vector<PositionKind> kinds) {
    try {
        co_return co_await check_kinds(check, point, std::move(kinds));
    } catch (const PointFailure& failure) {
        // A bot that died at an unknown ruleset may still play the others legally.
        if (!failure.gave_up || check.plays.empty()) check.breaks_rules = true;
        if (point == "nim") check.nim_failure = failure_text(point, failure);
        if (point == "take") check.take_failure = failure_text(point, failure);
        throw;
    }
}

Awaitable<PointFinding> check_nim(Check& check) {
    return check_rules(check, "nim", nim_kinds(check.maker, check.random));
}

Awaitable<PointFinding> check_take(Check& check) {
    return check_rules(check, "take", take_kinds(check.maker, check.random));
}

Awaitable<PointFinding> check_mixed(Check& check) {
    if (!check.points_played.contains("nim") || !check.points_played.contains("take")) {
        if (check.nim_failure.empty() && check.take_failure.empty())
            co_return not_asked("it does not play both");
        co_return not_checked("it failed at one of them");
    }
    auto kinds = mixed_kinds(check.maker, check.random);
    co_return co_await check_rules(check, "mixed", std::move(kinds));
}

Awaitable<PointFinding> check_others(Check& check) {
    return check_rules(check, "others", other_kinds(check.maker, check.random));
}

// The finding of points about nim for a bot that does not play it.
PointFinding without_nim(const Check& check) {
    if (check.nim_failure.empty()) return not_asked("it plays no kind of nim");
    return not_checked(check.nim_failure);
}

Awaitable<PointFinding> check_huge(Check& check) {
    if (!check.points_played.contains("nim")) co_return without_nim(check);
    co_return co_await check_kinds(check, "huge", huge_kinds(check.maker));
}

Awaitable<PointFinding> check_given(Check& check) {
    if (check.options.positions.empty()) co_return not_asked("none is given");
    for (const protocol::Position& position : check.options.positions) {
        check.talk.forget();
        const TestPosition test = check.maker.make(to_string(position));
        const GoAnswer answer = co_await ask(check, test);
        if (test.game.has_move() || answer.word != "0000")
            expect_legal(check, test, answer.word);
        check.plays.push_back(to_string(position));
    }
    co_return held(fmt::format("{} positions", check.options.positions.size()));
}

Awaitable<PointFinding> check_rulesets(Check& check) {
    if (check.plays.empty() && !check.breaks_rules) {
        throw PointFailure{
            "it plays none of the positions that it was asked",
            "legal moves under one ruleset at least",
            "answer `go` by `bestmove MOVE`; for positions of other rulesets --position "
            "can be given",
            check.refusal};
    }
    if (check.plays.empty()) {
        co_return not_checked(check.nim_failure.empty() ? "its moves are not legal"
                                                        : check.nim_failure);
    }
    co_return held(joined(check.plays));
}

// ---- following the game ----

Awaitable<PointFinding> check_position_lines(Check& check) {
    // Each position has one legal move, which is illegal in the position before it: so a bot
    // that keeps the old position fails.
    const std::string start = check.ruleset + ":1,1,1";
    const TestPosition first = check.maker.make(start);
    const TestPosition left = check.maker.make(start, {"3=0", "2=0"});
    const TestPosition right = check.maker.make(start, {"1=0", "2=0"});
    TestPosition two_lines = check.maker.make(check.ruleset + ":0,0,1");
    two_lines.line = left.line + "\n" + two_lines.line;
    const std::array<const TestPosition*, 7> sequence{&first, &left,      &right, &right,
                                                      &left,  &two_lines, &first};
    for (const TestPosition* test : sequence) co_await ask_legal(check, *test);
    co_return PointFinding{};
}

Awaitable<PointFinding> check_startpos(Check& check) {
    if (!check.points_played.contains("nim")) co_return without_nim(check);
    // Its only move is illegal in the positions below.
    const TestPosition other = check.maker.make("nim:0,0,0,0,1");
    co_await ask_legal(check, other);
    TestPosition test = check.maker.make(protocol::kStartPosition);
    test.line = "position startpos";
    co_await ask_legal(check, test);
    if (!check.maker.with_history()) co_return PointFinding{};
    test = check.maker.make(protocol::kStartPosition, {"4=0", "3=1", "2=0"});
    test.line = "position startpos moves 4=0 3=1 2=0";
    co_await ask_legal(check, test);
    co_return PointFinding{};
}

Awaitable<PointFinding> check_moves_line(Check& check) {
    if (!check.maker.with_history()) co_return not_asked("it is set up with history=off");
    TestPosition test = check.maker.make(
        check.ruleset + ":9,1", {"1=8", "1=7", "1=6", "1=5", "1=4", "1=3", "1=2", "1=1"});
    test.line = check.maker.make(check.ruleset + ":9,1", {"1=8"}).line;
    test.line += "\nmoves 1=7 1=6 1=5 1=4\nmoves 1=3 1=2 1=1";
    const GoAnswer answer = co_await ask(check, test);
    if (check.plays_usual && !check.breaks_rules && !test.game.read_move(answer.word)) {
        throw PointFailure{fmt::format("it answered {}", protocol::quoted(answer.word)),
                           "a legal move in " + to_string(test.game.position()),
                           "play the moves of such a line from the current position; our arena "
                           "does not send it"};
    }
    co_return PointFinding{};
}

Awaitable<PointFinding> check_long_history(Check& check) {
    if (!check.maker.with_history()) co_return not_asked("it is set up with history=off");
    std::size_t longest = 0;
    const std::array<std::size_t, 4> lengths{50, 300, 4000, 10000};
    for (const std::size_t plies : lengths) {
        check.talk.forget();
        for (const bool first_heap : {true, false}) {
            const TestPosition test =
                check.maker.make_after_long_play(check.ruleset, plies, first_heap);
            longest = test.line.size();
            co_await ask_of_long_line(check, test, short_question(check, test), longest);
        }
    }
    co_return held(fmt::format("10000 moves, a line of {} bytes", longest));
}

Awaitable<PointFinding> check_finished(Check& check) {
    std::vector<TestPosition> finished;
    for (const char* heaps : {"0", "0,0,0", "0 misere"}) {
        finished.push_back(check.maker.make(check.ruleset + ":" + heaps));
    }
    if (!check.breaks_rules) {
        finished.push_back(check.maker.make(check.ruleset + ":1,1", {"2=0", "1=0"}));
    }
    for (const TestPosition& test : finished) {
        check.talk.forget();
        const GoAnswer answer = co_await ask(check, test);
        if (answer.word == "0000") continue;
        throw PointFailure{
            fmt::format("it answered {} where there is no move", protocol::quoted(answer.word)),
            "bestmove 0000", "write `bestmove 0000` where no heap has a move"};
    }
    co_await ask_usual(check);
    co_return PointFinding{};
}

// ---- time ----

// Fails if the answer took longer than `time` and the margin.
void expect_in_time(const Check& check, const GoAnswer& answer, Milliseconds time,
                    std::string_view fix) {
    if (answer.used <= time + check.options.margin) return;
    throw PointFailure{fmt::format("it took {} ms", answer.used.count()),
                       fmt::format("bestmove within {} ms, and a margin of {} ms", time.count(),
                                   check.options.margin.count()),
                       std::string(fix)};
}

Awaitable<PointFinding> check_movetime(Check& check) {
    const TestPosition test = usual(check);
    std::string detail;
    const std::array times{check.options.movetime, check.options.movetime / 4};
    for (const Milliseconds time : times) {
        if (time.count() == 0) continue;
        check.talk.forget();
        const auto limit = fmt::format("movetime {}", time.count());
        std::string lines = question(check, test, limit);
        const GoAnswer answer = co_await ask(check, std::move(lines));
        expect_in_time(check, answer, time,
                       "read the number after `movetime` (milliseconds) and answer a little "
                       "before it is over");
        detail += fmt::format("{}{} of {} ms", detail.empty() ? "" : ", ", answer.used.count(),
                              time.count());
    }
    co_return held(std::move(detail));
}

// Player 1 moves in the given position, player 2 after one move; the other's clock is full.
Awaitable<PointFinding> check_clock(Check& check) {
    const Milliseconds time = check.options.movetime;
    const std::string fen = check.ruleset + ":9,5,7";
    std::string detail;
    for (int player = 1; player <= 2; ++player) {
        if (player == 2 && !check.maker.with_history()) continue;
        check.talk.forget();
        const TestPosition test =
            player == 1 ? check.maker.make(fen) : check.maker.make(fen, {"2=4"});
        const auto left = [&](int whose) { return whose == player ? time.count() : 3'600'000; };
        const auto limits =
            fmt::format("p1time {} p2time {} p1inc 0 p2inc 0", left(1), left(2));
        std::string lines = question(check, test, limits);
        const GoAnswer answer = co_await ask(check, std::move(lines));
        expect_in_time(
            check, answer, time,
            "p1time and p1inc are the clock of player 1, who moves first in the given "
            "position, p2time and p2inc that of player 2; count the moves to know "
            "which one the bot is, and never use all that is left");
        detail += fmt::format("{}{} of {} ms as player {}", detail.empty() ? "" : ", ",
                              answer.used.count(), time.count(), player);
    }
    co_return held(std::move(detail));
}

Awaitable<PointFinding> check_bare_go(Check& check) {
    constexpr Milliseconds kBare{1000};
    const TestPosition test = usual(check);
    std::string lines = question(check, test, {});
    const GoAnswer answer = co_await ask(check, std::move(lines));
    if (answer.used <= kBare + check.options.margin) {
        co_return held(fmt::format("{} ms", answer.used.count()));
    }
    co_return note(fmt::format("it took {} ms", answer.used.count()),
                   fmt::format("bestmove within {} ms", kBare.count()),
                   "a bare `go` is the same as `go movetime 1000`");
}

// ---- stop ----

// Sends `go` with these limits, and `stop` after this time. Returns how long after that the
// answer came; nullopt: it came before, and `lines` are what was said until then.
Awaitable<std::optional<Milliseconds>> stop_after(Check& check, std::string_view limits,
                                                  Milliseconds time,
                                                  std::vector<SaidLine>& lines) {
    const TestPosition test = usual(check);
    co_await check.talk.send(question(check, test, limits));
    const auto early = co_await check.talk.try_hear("bestmove", time);
    lines = check.talk.lines();
    co_await check.talk.send("stop\n");
    const auto stopped = check.talk.now();
    if (early) {
        co_await check.talk.drain();  // answers to an idle `stop` are another point
        co_return std::nullopt;
    }
    const Heard heard = co_await check.talk.hear("bestmove", check.talk.patience());
    expect_usual_legal(check, test, word_of(check, heard.line));
    co_await expect_no_answer(check, "the answer to `stop`");
    co_return std::chrono::duration_cast<Milliseconds>(heard.at - stopped);
}

Awaitable<PointFinding> check_infinite(Check& check) {
    std::vector<SaidLine> lines;
    const auto used = co_await stop_after(check, "infinite", kPrompt, lines);
    if (used) co_return held(fmt::format("{} ms after `stop`", used->count()));
    co_return note("it answers at once", "nothing until `stop` is sent",
                   "`go infinite` is answered after `stop`; our arena does not send it",
                   std::move(lines));
}

Awaitable<PointFinding> check_idle_stop(Check& check) {
    co_await check.talk.send("stop\n");
    co_await expect_no_answer(check, "`stop`, without a `go` before it");
    co_await ask_usual(check);
    co_await check.talk.send("stop\n");
    co_await expect_no_answer(check, "`stop`, when `go` had been answered");
    co_return PointFinding{};
}

Awaitable<PointFinding> check_stop(Check& check) {
    const Milliseconds time = check.options.movetime;
    const auto limit = fmt::format("movetime {}", time.count());
    std::vector<SaidLine> lines;
    const auto used = co_await stop_after(check, limit, time / 10, lines);
    if (!used) co_return held("it answers before it can be stopped");
    if (*used <= kPrompt) co_return held(fmt::format("{} ms after `stop`", used->count()));
    co_return note(fmt::format("it answered {} ms after `stop`", used->count()),
                   fmt::format("bestmove within {} ms after `stop`", kPrompt.count()),
                   "read lines while thinking, and answer `stop` at once");
}

Awaitable<PointFinding> check_ready_during_go(Check& check) {
    const TestPosition test = usual(check);
    const auto limit = fmt::format("movetime {}", check.options.movetime.count());
    co_await check.talk.send(question(check, test, limit));
    if (co_await check.talk.try_hear("bestmove", check.options.movetime / 10)) {
        co_return held("it answers before it can be asked");
    }
    co_await check.talk.send("isready\n");
    const Heard first = co_await check.talk.hear("readyok", check.talk.patience(), "bestmove");
    const bool ready_first = first.line.find("readyok") != first.line.npos;
    std::string second = ready_first ? "bestmove" : "readyok";
    co_await check.talk.hear(std::move(second), check.talk.patience());
    if (ready_first) co_return PointFinding{};
    co_return note("readyok came after bestmove", "readyok at once, while it thinks",
                   "read lines while thinking, and answer `isready` at once");
}

// ---- how lines are written ----

Awaitable<PointFinding> check_search_moves(Check& check) {
    const TestPosition test = usual(check);
    for (int i = 0; i < 3; ++i) {
        check.talk.forget();
        const std::string move = to_string(test.game.random_move(check.random));
        std::string lines = fmt::format("{}\ngo movetime {} searchmoves {}\n", test.line,
                                        check.options.movetime.count(), move);
        const GoAnswer answer = co_await ask(check, std::move(lines));
        if (answer.word == move) continue;
        throw PointFailure{fmt::format("it answered {}", protocol::quoted(answer.word)),
                           fmt::format("bestmove {}", move),
                           "play one of the moves after `searchmoves`; our arena lists all of "
                           "them, or none"};
    }
    co_return PointFinding{};
}

Awaitable<PointFinding> check_carriage_return(Check& check) {
    try {
        co_await check.talk.send("isready\r\n");
        co_await check.talk.hear("readyok", check.talk.patience());
        const TestPosition test = usual(check);
        std::string lines = fmt::format("{}\r\n{}\r\n", test.line, short_go(check, test.game));
        co_await ask_legal(check, test, std::move(lines));
    } catch (PointFailure& failure) {
        failure.fix =
            "strip a CR ('\\r') from the end of each line: our arena sends LF alone, others "
            "may not";
        throw;
    }
    co_return PointFinding{};
}

std::string with_blanks(std::string_view line) {
    std::string text;
    for (const auto word : protocol::split_words(line)) {
        if (!text.empty()) text += text.size() % 2 == 0 ? " \t " : "   ";
        text += word;
    }
    return text + " \t";
}

Awaitable<PointFinding> check_blanks(Check& check) {
    const TestPosition test = check.maker.make(check.ruleset + ":9,5,7", {"2=4", "1=8"});
    std::string lines = fmt::format("{}\n{}\n", with_blanks(test.line),
                                    with_blanks(short_go(check, test.game)));
    const GoAnswer answer = co_await ask(check, std::move(lines));
    if (answer.refused && check.plays_usual) {
        throw PointFailure{"it refused a line with runs of blanks and tabs",
                           "the answer to the same line with single blanks",
                           "split lines at runs of blanks and tabs: line.split() in Python, "
                           "std::cin >> word in C++"};
    }
    expect_usual_legal(check, test, answer.word);
    co_return PointFinding{};
}

Awaitable<PointFinding> check_unknown(Check& check) {
    co_await check.talk.send("xyzzy 1 2 3\ndebug on\n");
    co_await expect_no_answer(check, "a command that it does not know");
    const TestPosition test = usual(check);
    co_await check.talk.send(test.line + "\nponderhit\n");
    co_await expect_no_answer(check, "a command that it does not know");
    co_await ask_legal(check, test, short_go(check, test.game) + "\n");
    co_return PointFinding{};
}

Awaitable<PointFinding> check_empty_line(Check& check) {
    co_await check.talk.send("\n   \n");
    co_await expect_no_answer(check, "an empty line");
    co_return PointFinding{};
}

Awaitable<PointFinding> check_unreadable(Check& check) {
    const TestPosition test = usual(check);
    co_await check.talk.send(test.line +
                             "\nposition fen nim:3,\nposition fen\nposition fen nim:(1 2\n");
    co_await expect_no_answer(check, "a position that cannot be read");
    co_await ask_legal(check, test, short_go(check, test.game) + "\n");
    co_return PointFinding{};
}

Awaitable<PointFinding> check_answers(Check& check) {
    if (check.second_answer) {
        co_return note(
            "it wrote 'bestmove' more than once after a `go`", "one bestmove for each `go`",
            "answer each `go` once, and no other line: our arena drops what it does not await, "
            "others take it for the next answer",
            *check.second_answer);
    }
    if (check.long_answer) {
        co_return note("it wrote " + protocol::quoted(check.long_answer->back().text),
                       "bestmove MOVE",
                       "write two words: our arena reads the second one alone, others want no "
                       "more",
                       *check.long_answer);
    }
    co_return PointFinding{};
}

Awaitable<PointFinding> check_stdout(Check& check) {
    const std::string& line = check.talk.stray_line();
    if (line.empty()) co_return PointFinding{};
    co_return note(
        "it wrote " + protocol::quoted(line), {},
        "write prompts and debug text to stderr, or as `info string …`: our arena skips such "
        "lines, but text without a line end hides the answer after it",
        {{false, line, line.size()}});
}

// ---- the end ----

// Judges the end of a process that had no reason to fail.
PointFinding judge_end(Check& check, std::string detail) {
    const auto exit = check.talk.exit_status();
    check.talk.hang_up();
    if (exit && exit->signal) {
        PointFailure failure{
            "its process " + words_of(*exit), "exit status 0",
            "the bot crashes at its end; its messages on stderr, if any, tell more"};
        failure.gave_up = true;
        throw failure;
    }
    if (exit && exit->code.value_or(0) != 0) {
        PointFinding finding = note("its process " + words_of(*exit), "exit status 0",
                                    "exit with status 0 where all is well");
        finding.gave_up = true;
        return finding;
    }
    return held(std::move(detail));
}

// Waits for the end of the bot after `event`.
Awaitable<PointFinding> await_end(Check& check, std::string_view event, std::string_view fix) {
    const auto began = check.talk.now();
    const bool ended = co_await check.talk.wait_for_end(kLeave);
    const auto used = std::chrono::duration_cast<Milliseconds>(check.talk.now() - began);
    if (ended) co_return judge_end(check, fmt::format("{} ms", used.count()));

    check.talk.hang_up();
    if (check.options.player.kind == PlayerKind::Command) {
        throw PointFailure{fmt::format("it still ran {} ms after {}", kLeave.count(), event),
                           fmt::format("the end of the process within {} ms", kLeave.count()),
                           std::string(fix)};
    }
    co_return note(fmt::format("it keeps the connection open after {}", event),
                   fmt::format("the end of the connection within {} ms", kLeave.count()),
                   "close the connection: the session is over");
}

Awaitable<PointFinding> check_quit(Check& check) {
    co_await check.talk.send("quit\n");
    co_return co_await await_end(check, "`quit`",
                                 "end the program when the line `quit` is read");
}

Awaitable<PointFinding> check_quit_during_go(Check& check) {
    const TestPosition test = usual(check);
    const auto limit = fmt::format("movetime {}", 2 * check.options.movetime.count());
    co_await check.talk.send(question(check, test, limit) + "quit\n");
    co_return co_await await_end(check, "`quit` during `go`",
                                 "read lines while thinking, and end at `quit`");
}

Awaitable<PointFinding> check_end_of_input(Check& check) {
    check.talk.end_input();
    co_return co_await await_end(
        check, "the end of its input",
        "leave the loop at the end of input: readline() gives '' there, std::getline and fgets "
        "fail");
}

Awaitable<PointFinding> check_pending_answer(Check& check) {
    const TestPosition test = usual(check);
    co_await check.talk.send(short_question(check, test));
    check.talk.end_input();
    try {
        co_await check.talk.hear("bestmove", check.talk.patience());
    } catch (PointFailure& failure) {
        failure.fix = "at the end of input, finish the move that was asked for, and then end";
        throw;
    }
    co_return co_await await_end(check, "the end of its input", "end at the end of input");
}

// In the order of testing: later points rely on what earlier ones found.
constexpr std::array kPoints{
    Point{"handshake", "starts, and answers `ugi` by `ugiok`", Needed::Yes, Uses::Nothing,
          check_handshake},
    Point{"flush", "flushes each line", Needed::Yes, Uses::Nothing, check_flush},
    Point{"isready", "answers `isready` by `readyok`", Needed::Yes, Uses::Bot, check_isready},
    Point{"new-game", "takes `uginewgame` and `setoption`, known or not", Needed::Yes,
          Uses::Ready, check_new_game},
    Point{"go", "answers `go` by `bestmove`", Needed::Yes, Uses::Ready, check_go},
    Point{"many-moves", "reads long lists of moves after `searchmoves`", Needed::WithLegalMoves,
          Uses::Game, check_many_moves},
    Point{"nim", "plays legal moves in nim", Needed::Yes, Uses::Go, check_nim},
    Point{"take", "plays legal moves in take{…}", Needed::Yes, Uses::Go, check_take},
    Point{"mixed", "plays legal moves in sums of both", Needed::Yes, Uses::Go, check_mixed},
    Point{"others", "plays legal moves in other rulesets, of those that it plays", Needed::Yes,
          Uses::Go, check_others},
    Point{"huge", "plays heaps of 64 bits", Needed::No, Uses::Go, check_huge},
    Point{"given", "plays legal moves in the given positions", Needed::Yes, Uses::Go,
          check_given},
    Point{"rulesets", "plays one ruleset at least", Needed::Yes, Uses::Go, check_rulesets},
    Point{"position", "follows `position` lines, also back and again", Needed::Yes, Uses::Game,
          check_position_lines},
    Point{"startpos", "knows `position startpos`", Needed::Yes, Uses::Game, check_startpos},
    Point{"moves", "goes on after a line `moves …`", Needed::No, Uses::Game, check_moves_line},
    Point{"long-history", "follows long games", Needed::Yes, Uses::Game, check_long_history},
    Point{"finished", "answers `bestmove 0000` where no move is left",
          Needed::WithoutLegalMoves, Uses::Game, check_finished},
    Point{"movetime", "answers within `movetime`", Needed::Yes, Uses::Go, check_movetime},
    Point{"clock", "answers before its clock runs out", Needed::Yes, Uses::Go, check_clock},
    Point{"bare-go", "answers a bare `go`", Needed::Yes, Uses::Go, check_bare_go},
    Point{"go-infinite", "answers `go infinite` after `stop`", Needed::Yes, Uses::Go,
          check_infinite},
    Point{"idle-stop", "is silent at `stop` when idle", Needed::Yes, Uses::Go, check_idle_stop},
    Point{"stop", "answers `stop` during `go` once", Needed::Yes, Uses::Go, check_stop},
    Point{"ready-during-go", "answers `isready` during `go`", Needed::No, Uses::Go,
          check_ready_during_go},
    Point{"searchmoves", "plays a move that `searchmoves` lists", Needed::WithLegalMoves,
          Uses::Game, check_search_moves},
    Point{"crlf", "reads lines that end in CR LF", Needed::Yes, Uses::Go,
          check_carriage_return},
    Point{"blanks", "reads runs of blanks and tabs", Needed::Yes, Uses::Go, check_blanks},
    Point{"unknown", "ignores commands that it does not know", Needed::Yes, Uses::Go,
          check_unknown},
    Point{"empty-line", "ignores empty lines", Needed::No, Uses::Ready, check_empty_line},
    Point{"unreadable", "keeps the position when it cannot read one", Needed::No, Uses::Go,
          check_unreadable},
    Point{"answers", "writes one `bestmove` a `go`, of two words", Needed::No, Uses::Go,
          check_answers},
    Point{"stdout", "writes nothing but the protocol to its standard output", Needed::No,
          Uses::Bot, check_stdout},
    Point{"quit", "ends at `quit`", Needed::Yes, Uses::Ready, check_quit},
    Point{"quit-during-go", "ends at `quit` during `go`", Needed::No, Uses::Go,
          check_quit_during_go},
    Point{"end-of-input", "ends at the end of input", Needed::Yes, Uses::Ready,
          check_end_of_input},
    Point{"pending-answer", "answers `go` before it ends at the end of input", Needed::No,
          Uses::Go, check_pending_answer},
};

}  // namespace

Check::Check(const CheckOptions& given, const MakePeer& make)
    : options(given),
      make_peer(make),
      talk(given.player, make, given.startup, 2 * given.movetime + given.margin),
      maker(given.player.history),
      random(given.seed) {}

Awaitable<void> drain(Check& check) {
    const int best_moves = co_await check.talk.drain();
    if (best_moves > 0 && !check.second_answer) check.second_answer = check.talk.lines();
}

std::span<const Point> points_for(const PlayerSpec& player) {
    const auto end = std::ranges::find(kPoints, std::string_view("quit"), &Point::id);
    return {kPoints.begin(), player.kind == PlayerKind::Token ? end : kPoints.end()};
}

bool is_needed(const Point& point, const Check& check) {
    if (point.needed == Needed::WithLegalMoves) return check.talk.wants_legal_moves();
    if (point.needed == Needed::WithoutLegalMoves) return !check.talk.wants_legal_moves();
    return point.needed == Needed::Yes;
}

}  // namespace arena
