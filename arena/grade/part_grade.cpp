#include "arena/grade/part_grade.hpp"

#include <algorithm>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "arena/base/exit_codes.hpp"
#include "arena/check/certify.hpp"
#include "arena/contest/results.hpp"
#include "arena/game/game_record.hpp"
#include "arena/players/player_spec.hpp"
#include "arena/record/annotate.hpp"
#include "arena/submissions/bot_build.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

namespace json = boost::json;

constexpr char kTooBusy[] =
    "the machine was too busy to start it, run this again on an idle one";
constexpr char kNoTruth[] =
    "the truth about its moves is not known: its games were not analysed in time; run this "
    "again on an idle machine, or give the part fewer games or smaller positions";
constexpr char kNoOpponent[] = "the opponent does not start";

// What nim-arena says of its failure; of a wrong command line a hint follows.
std::string failure_of(const PartRun& run) {
    const auto lines = split_printable(run.stderr_text, 400);
    if (lines.empty()) return "it said nothing";
    return run.status == kExitUsage ? lines.front() : lines.back();
}

// Why a player does not start, as nim-arena says it.
std::string told_lines_of(const std::string& text) {
    std::string told;
    for (const std::string& line : last_lines(text, 16, 400)) told += "\n" + line;
    return told;
}

// The events of a match that are called so; the submission is player 0. What was killed leaves
// half a line.
std::vector<json::object> events_of(const PartRun& run, std::string_view name) {
    std::vector<json::object> events;
    std::istringstream lines(run.events.substr(0, run.events.rfind('\n') + 1));
    for (std::string line; std::getline(lines, line);) {
        json::object event = json::parse(line).as_object();
        if (text_at(event, "event") == name) events.push_back(std::move(event));
    }
    return events;
}

// The player that does not start, if the run ended by that; the submission is player 0.
std::optional<std::int64_t> not_started_of(const RubricPart& part, const PartRun& run) {
    if (!part.plays_games()) {
        if (run.output.empty()) return std::nullopt;
        return 0;
    }
    const auto events = events_of(run, "not-started");
    if (events.empty()) return std::nullopt;
    return events.front().at("player").to_number<std::int64_t>();
}

bool is_starved(const json::object& object) {
    const json::value* starved = object.if_contains("starved");
    return starved != nullptr && *starved == json::value(true);
}

// Whether the machine was too busy to tell if a player starts, or starts again. Games for which
// the opponent did not start again do not count, whatever the cause.
bool is_too_busy(const RubricPart& part, const PartRun& run) {
    if (!part.plays_games())
        return !run.output.empty() && is_starved(json::parse(run.output).as_object());
    if (std::ranges::any_of(events_of(run, "not-started"), is_starved)) return true;
    return std::ranges::any_of(events_of(run, "fault"), [](const json::object& fault) {
        return fault.at("player") == 0 && is_starved(fault);
    });
}

double number_at(const json::value& value, std::string_view key) {
    return value.as_object().at(key).to_number<double>();
}

// A point that could not be checked does not count if the bot is excused, as where it plays
// other rulesets. Else it does not hold: a bot that fails early does not get the points after
// that.
PartGrade grade_check(const json::object& report) {
    int needed = 0;
    int held = 0;
    int unchecked = 0;
    std::string reason;
    for (const json::value& each : report.at("points").as_array()) {
        const json::object& point = each.as_object();
        const std::string result = text_at(point, "result");
        if (!point.at("needed").as_bool()) continue;
        if (result == "not-checked") {
            if (!point.at("excused").as_bool()) ++unchecked;
            continue;
        }
        ++needed;
        if (result != "failed") ++held;
        if (result != "failed") continue;
        reason += fmt::format("\n{}: {}: {}", text_at(point, "point"), text_at(point, "title"),
                              text_at(point, "detail"));
        const std::string fix = text_at(point, "fix");
        if (!fix.empty()) reason += "\n  to do: " + fix;
    }
    needed += unchecked;
    const std::string rest =
        unchecked == 0
            ? ""
            : fmt::format("; {} could not be checked, because others failed", unchecked);
    const double share = needed == 0 ? 0 : static_cast<double>(held) / needed;
    return graded(share, fmt::format("{} of {} points of the protocol hold{}{}", held, needed,
                                     rest, reason));
}

// "nim:2: wrong 1=0; 1=1 is right", or what else it did there.
std::string counterexample_text(const json::object& example) {
    const std::string kind = text_at(example, "kind");
    const std::string move = text_at(example, "move");
    std::string text = fmt::format("{}: {}", text_at(example, "position"), words_of_kind(kind));
    if (!move.empty() && (kind == "wrong" || kind == "illegal-move")) text += " " + move;
    const std::string better = text_at(example, "better");
    return better.empty() ? text : fmt::format("{}; {} is right", text, better);
}

// How often it ended, hung and the like, and what it was not asked any more.
std::string faults_of_certify(const json::object& report, double not_asked) {
    std::string text;
    for (const json::value& each : report.at("faults").as_array()) {
        const json::object& fault = each.as_object();
        text += fmt::format("\n{} in {} positions, the smallest is {}",
                            words_of_kind(text_at(fault, "kind")), number_at(each, "count"),
                            text_at(fault, "smallest"));
        const std::string detail = text_at(fault, "detail");
        if (!detail.empty()) text += ": " + detail;
    }
    const std::string stopped = text_at(report, "stopped");
    if (stopped.empty()) return text;
    text += "\n" + stopped;
    if (not_asked > 0)
        text +=
            fmt::format("; {:.0f} positions were not asked, and count as not right", not_asked);
    return text;
}

PartGrade grade_certify(const RubricPart& part, const json::object& report) {
    // Right answers after which it ended: in a game it would have lost by that.
    const json::value& ended_after = report.at("ended_after");
    double positions = 0;
    double right = 0;
    double ended = 0;
    for (const char* kind : {"won", "drawn"}) {
        positions += number_at(report.at(kind), "positions");
        right += number_at(report.at(kind), "right");
        ended += number_at(ended_after, kind);
    }
    // Moves that nobody can judge count neither for nor against it.
    const auto unjudged = report.at("unjudged").to_number<double>();
    positions -= unjudged;
    // Of a bot that is right otherwise, mistakes in positions sent with `moves` count.
    const json::value& moves = report.at("moves");
    const double sent = number_at(moves, "positions");
    const double right_sent = number_at(moves, "right") - number_at(ended_after, "moves");
    const bool counts_moves = right == positions;
    const double not_asked = report.at("not_asked").to_number<double>() +
                             (counts_moves ? number_at(moves, "not_asked") : 0);
    const double missed = counts_moves ? sent - right_sent + number_at(moves, "not_asked") : 0;
    right -= ended;
    std::string reason;
    if (counts_moves && right_sent < sent)
        reason = fmt::format("right in {:.0f} of {:.0f} positions sent with `moves`; ",
                             right_sent, sent);
    reason += fmt::format("right in {:.0f} of {:.0f} positions that are won or drawn", right,
                          positions);
    if (unjudged > 0)
        reason += fmt::format("; {:.0f} more do not count: nobody knows what its moves lead to",
                              unjudged);
    if (ended > 0)
        reason +=
            fmt::format("; {:.0f} right answers do not count, as it ended after them", ended);
    reason += faults_of_certify(report, not_asked);
    if (const json::object* example = report.at("counterexample").if_object()) {
        reason += fmt::format("\nthe smallest counterexample{} is {}\n{}",
                              not_asked == 0 ? "" : kAmongAsked, counterexample_text(*example),
                              text_at(*example, "why"));
    }
    for (const json::value& pattern : report.at("patterns").as_array()) {
        reason += "\n- " + std::string(pattern.as_string());
    }
    // It was asked all, but not as often as its part demands.
    const bool repeats = std::ranges::count(part.arguments, "--repeat") > 0;
    if (repeats && !text_at(report, "stopped").empty() && not_asked == 0)
        return graded(0, reason + "\nno answer counts: each must be right every time");
    const double all = positions + missed;
    if (unjudged > all)
        return ungraded(reason + "\ngive the part positions that are solved sooner");
    return graded(all == 0 ? 1 : right / all, reason);
}

// The submission is player 0 of two.
int seat_of_own(const GameRecord& record) { return record.task.players[0] == 0 ? 0 : 1; }

bool is_not_begun(const GameRecord& record) {  // by the opponent
    return record.reason == Reason::Startup && record.winner == seat_of_own(record);
}

// Void games count for nobody, and so do those for which the opponent did not start.
bool is_counted(const GameRecord& record) {
    return record.reason != Reason::Void && !is_not_begun(record);
}

Results results_of_games(const std::vector<GameRecord>& games) {
    constexpr std::size_t kNoStarts = 0;
    Results results(0, kNoStarts);
    for (int player = 0; player < 2; ++player) results.add(Entrant());
    for (const GameRecord& record : games) {
        if (!is_counted(record)) continue;
        results.add(result_of(record));
        if (const auto analysis = noted_analysis(record))
            results.add_analysis(record, *analysis);
    }
    return results;
}

// The counted games all of whose moves have been compared with the truth.
std::int64_t count_analysed(const std::vector<GameRecord>& games) {
    return std::ranges::count_if(games, [](const GameRecord& record) {
        const auto noted = noted_analysis(record);
        return is_counted(record) && noted && noted->is_complete();
    });
}

std::string faults_text(const Standing& own, const std::vector<GameRecord>& games) {
    if (own.fault_count() == 0) return "";
    const auto first = std::ranges::find_if(games, [](const GameRecord& record) {
        return record.faulty_seat() == seat_of_own(record);
    });
    return fmt::format("\n{} lost by faults, the first: {}", own.fault_count(),
                       protocol::printable(first->detail, 400));
}

// The most at a time, in bytes; 0: not known.
double memory_of(const PartRun& run) {
    double most = 0;
    for (const json::object& event : events_of(run, "memory")) {
        if (event.at("player") == 0) most = std::max(most, number_at(event, "bytes"));
    }
    return most;
}

PartGrade grade_points(const Standing& own, const std::string& faults) {
    PartGrade grade;
    grade.points = own.points;
    grade.games = static_cast<int>(own.games);
    if (grade.games > 0) grade.share = grade.points / grade.games;
    grade.reason = fmt::format("{:g} points in {} games{}", grade.points, grade.games, faults);
    return grade;
}

// A game lost by a fault has one move more, which did not come in time.
void grade_time(PartGrade& grade, const RubricPart& part, const std::vector<GameRecord>& games,
                const Standing& own, const std::string& faults) {
    Microseconds slowest{0};
    std::int64_t moves = own.fault_count();
    std::int64_t in_time = 0;
    for (const GameRecord& record : games) {
        if (!is_counted(record)) continue;
        for (auto ply = static_cast<std::size_t>(seat_of_own(record));
             ply < record.times.size(); ply += 2) {
            ++moves;
            in_time += record.times[ply] <= part.within;
            slowest = std::max(slowest, record.times[ply]);
        }
        if (record.reason == Reason::Timeout && record.faulty_seat() == seat_of_own(record))
            slowest = std::max(slowest, record.fault_time.value_or(slowest));
    }
    grade.share = moves > 0 ? static_cast<double>(in_time) / static_cast<double>(moves) : 0;
    grade.reason =
        fmt::format("{} of {} moves within {} ms", in_time, moves, part.within.count());
    if (slowest.count() > 0) {
        grade.reason += fmt::format("; the slowest took {:.1f} ms",
                                    static_cast<double>(slowest.count()) / 1000);
    }
    grade.reason += faults;
}

// The share of games that were lost by faults is lost: who does not play needs nothing, and a
// bot that rather crashes than errs gains nothing.
double without_faults(double share, const Standing& own) {
    return share * static_cast<double>(own.games - own.fault_count()) /
           static_cast<double>(std::max<std::int64_t>(own.games, 1));
}

void grade_memory(PartGrade& grade, const RubricPart& part, double memory, const Standing& own,
                  const std::string& faults) {
    grade.share = 0;
    grade.reason = "its memory is not known" + faults;
    if (memory == 0) return;
    const auto most = static_cast<double>(part.most);
    grade.share = without_faults(std::min(most / memory, 1.0), own);
    constexpr double kMebibyte = 1 << 20;
    grade.reason = fmt::format("took {:.1f} MiB of memory, of {:.1f} MiB that it may take{}",
                               memory / kMebibyte, most / kMebibyte, faults);
}

void grade_error_rate(PartGrade& grade, const RubricPart& part, const ErrorRate& errors,
                      const Standing& own, const std::string& faults) {
    const std::string points =
        std::exchange(grade.reason, "no move is known in which it could have erred" + faults);
    grade.share = 0;
    if (errors.decisions == 0) return;
    const auto [low, high] = errors.interval;
    grade.error_rate = errors.rate;
    grade.share = without_faults(1 - (part.bound ? high : errors.rate), own);
    grade.reason =
        fmt::format("plays like perfect with ε = {:.2f}, between {:.2f} and {:.2f}{}; {}",
                    errors.rate, low, high, part.bound ? " (which counts)" : "", points);
}

PartGrade grade_games(const RubricPart& part, const PartRun& run) {
    const Results results = results_of_games(run.games);
    const Standing& own = results.players()[0];
    if (own.games == 0 && std::ranges::any_of(run.games, is_not_begun))
        return ungraded(kNoOpponent);
    const std::string faults = faults_text(own, run.games);
    PartGrade grade = grade_points(own, faults);
    if (part.kind == PartKind::ErrorRate) {
        const std::int64_t analysed = count_analysed(run.games);
        const ErrorRate errors = results.accuracy()[0].decisions.error_rate();
        if (errors.decisions == 0 && analysed < own.games - own.fault_count())
            return ungraded(kNoTruth);
        grade_error_rate(grade, part, errors, own, faults);
        if (analysed < own.games) {
            grade.reason += fmt::format(
                "\nthis is of {} of the {} games: the others were not analysed to the end in "
                "time",
                analysed, own.games);
        }
    }
    if (part.kind == PartKind::Time) grade_time(grade, part, run.games, own, faults);
    if (part.kind == PartKind::Memory) grade_memory(grade, part, memory_of(run), own, faults);
    grade.is_graded = own.games > 0;
    if (own.fault_count() > 0 && own.fault_count() == own.games)
        grade.brief = "all games lost by faults";
    return grade;
}

// Whether all that was asked for has been done: not where a record could not be written. After
// its games a match is killed over their analysis alone.
bool ends_as_usual(const RubricPart& part, const PartRun& run) {
    const auto status = run.status;
    if (!part.plays_games()) return status && *status != kExitUsage && *status != kExitRecord;
    return run.is_late || status == kExitPlayed || status == kExitStrict ||
           status == kExitStartup;
}

// The time of a player's moves, also of games that did not come to their end.
double seconds_of(const PartRun& run, int player) {
    double seconds = 0;
    for (const json::object& move : events_of(run, "move"))
        if (move.at("player") == player) seconds += number_at(move, "time_us") / 1e6;
    for (const GameRecord& record : run.games) {  // and its waits that ended in a fault
        const auto seat = record.faulty_seat();
        if (seat && record.fault_time && record.task.players[*seat == 0 ? 0 : 1] == player)
            seconds += std::chrono::duration<double>(*record.fault_time).count();
    }
    return seconds;
}

// Of a run that was killed before it had come to its end: whose fault that is.
PartGrade grade_late(const PartRun& run, Milliseconds time) {
    const double most = std::chrono::duration<double>(time).count();
    const double opponent = seconds_of(run, 1);
    // Where only the analysis is missing, that had at most half of the time.
    const bool is_over = !events_of(run, "standing").empty();
    if (opponent > most / (is_over ? 4 : 2) && opponent > seconds_of(run, 0)) {
        return ungraded(
            fmt::format("its opponent's moves took {:.0f} s in all, of {:.0f} s; give the part "
                        "more time, or fewer games",
                        opponent, most));
    }
    PartGrade grade = graded(0, fmt::format("it took longer than {:.0f} s", most));
    if (run.games.empty()) return grade;
    const Results results = results_of_games(run.games);
    grade.points = results.players()[0].points;  // for its Elo
    grade.games = static_cast<int>(results.players()[0].games);
    return grade;
}

}  // namespace

std::string playing_name(const std::string& submission) {
    const std::string_view name = protocol::trim(submission);
    return protocol::printable(shown_name(name.empty() ? "submission" : name));
}

PartGrade grade_match(const std::vector<GameRecord>& games) {
    const Results results = results_of_games(games);
    const Standing& own = results.players()[0];
    return grade_points(own, faults_text(own, games));
}

PartGrade grade_run(const RubricPart& part, const PartRun& run, Milliseconds time) {
    // Without their analysis, games tell no rate of mistakes.
    const bool is_played =
        part.kind != PartKind::ErrorRate && !events_of(run, "standing").empty();
    if (run.is_late && !is_played) return grade_late(run, time);
    const bool has_output = part.plays_games() ? !run.games.empty() : !run.output.empty();
    const bool is_checked = part.kind == PartKind::Check && has_output;
    const bool is_whole = ends_as_usual(part, run);
    if (is_whole && is_too_busy(part, run)) return ungraded(kTooBusy);
    if (run.status == kExitStartup) {
        const auto failed = not_started_of(part, run);
        if (failed && *failed != 0)
            return ungraded(kNoOpponent + told_lines_of(run.stderr_text));
        if (failed && !is_checked)
            return graded(0, "it does not start" + told_lines_of(run.stderr_text));
    }
    if (!has_output || !is_whole) return ungraded(failure_of(run));
    if (part.plays_games()) return grade_games(part, run);
    const json::object report = json::parse(run.output).as_object();
    return part.kind == PartKind::Check ? grade_check(report) : grade_certify(part, report);
}

}  // namespace arena
