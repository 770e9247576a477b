// Each part of a submission's grade is a run of nim-arena itself (check, certify, match) in a
// process of its own, with a limit of time. Whatever a submission does, no more is lost than
// that process. What a run came to is a file, so that a grading that was killed goes on where
// it was.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <boost/asio/awaitable.hpp>
#include <boost/json.hpp>

#include "arena/base/console.hpp"
#include "arena/base/exit_codes.hpp"
#include "arena/base/files.hpp"
#include "arena/base/option_table.hpp"
#include "arena/base/run_alone.hpp"
#include "arena/base/text_table.hpp"
#include "arena/commands/commands.hpp"
#include "arena/commands/grade_files.hpp"
#include "arena/commands/rubric.hpp"
#include "arena/players/launcher.hpp"
#include "arena/players/link.hpp"
#include "arena/players/stderr_text.hpp"
#include "arena/report/exports.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using protocol::Result;

struct GradeOptions {
    std::string rubric_file;
    Rubric rubric;
    std::vector<std::string> submissions;  // folders
    std::string results;
    std::set<std::string> again;         // names whose results are dropped first
    std::optional<Milliseconds> budget;  // for all
    std::string run_as;                  // a user, instead of the sandbox; or empty
    bool quiet = false;
};

// ---- the command line ----

OptionTable<GradeOptions> grade_table() {
    return {
        text({"Options", "results", "DIR",
              "where grades and reports are written; the same command, run again, grades what "
              "is "
              "missing (required)"},
             &GradeOptions::results, "a folder"),
        {{"Options", "again", "NAME", "grade this submission anew; may be repeated", true},
         [](GradeOptions& options, const std::string& name) -> Result<void> {
             options.again.insert(name);
             return {};
         }},
        value({"Options", "budget", "TIME",
               "time for all, such as 90m or 2h; what is not graded by then is graded by the "
               "next "
               "run"},
              &GradeOptions::budget, parse_duration),
        text({"Options", "run-as", "USER",
              "as root: the user that bots run as, instead of the sandbox, where a container that "
              "does not allow it holds each submission"},
             &GradeOptions::run_as, "the name of a user"),
        flag({"Options", "quiet", nullptr, "print only the table, no progress"},
             &GradeOptions::quiet),
    };
}

constexpr std::string_view kGradeHead =
    R"(Usage: nim-arena grade RUBRIC.toml SUBMISSION... --results DIR [OPTION]...

Grades submissions, each a folder with a bot, by the parts of a rubric. Each part runs check, certify
or match on the bot, in the sandbox and with a limit of time. Whatever a submission does, it gets a
grade and a reason, and the others are untouched.

RUBRIC.toml:
  name = "Assignment 1: Nim"
  run = "python3 bot.py"    # how a bot is started, in its folder; `run` of a player.toml there
                            # comes first
  seed = 1                  # grades depend on it alone, as far as bots do (default: 1)
  movetime = 1000           # ms (default: 1000)
  time = 120                # seconds for a part of a submission (default: 120)
  sandbox = true            # (default: true)

  [[part]]
  name = "Keeps to the protocol"
  kind = "check"            # share: of the points that a bot needs, those that hold
  points = 10

  [[part]]
  name = "Right in every position"
  kind = "certify"          # share: of won and drawn positions, those with a right move
  family = "nim:1-3 heaps of 0-7"
  points = 30
  least = 0.5               # no points for less than this share (default: 0)
  full = 1.0                # all points from this share on (default: 1)

  [[part]]
  name = "Beats greedy"
  kind = "match"            # share: of the points that could be won
  opponent = "builtin:greedy"
  games = 20                # (default: 20); also position and suite, as in nim-arena match
  points = 10
  bonus = true              # does not count for the total that can be reached (default: false)
  hidden = true             # students do not see it (default: false)

  [[part]]
  name = "Plays like perfect"
  kind = "error-rate"       # share: 1 - ε, by the games of a match; games lost by faults count 0
  opponent = "builtin:perfect"  # (default); also games (default: 100), position and suite
  bound = false             # true: 1 - the upper end of the interval of ε (default: false)
  points = 10
  least = 0.7

)";

constexpr std::string_view kGradeTail = R"(
DIR gets grades.csv (a line for each student, a column for each part), canvas.csv and moodle.csv
(totals, students known by the names of their folders), and in a folder for each student:
results.json for Gradescope, classroom.json for GitHub Classroom, junit.xml, report.txt and
index.html with games-N for the student, and a file for each part, by which a later run knows that it
is done.

Examples:
  nim-arena grade nim.toml submissions/* --results grades
  nim-arena grade nim.toml submissions/* --results grades --again ann

Exit status:
  0        all parts of all submissions are graded
  1        some are not, and the table says why; or a file cannot be written
  2        the command line or the rubric is wrong; nothing was started
  129/130/143
           interrupted; the same command goes on
)";

Result<void> take_submission(GradeOptions& options, const std::string& text) {
    if (options.rubric_file.empty()) {
        options.rubric_file = text;
        const auto file = read_file(text);
        if (!file) return file.error();
        auto rubric = read_rubric(*file, text);
        if (!rubric) return rubric.error();
        options.rubric = *std::move(rubric);
        return {};
    }
    options.submissions.push_back(text);
    return {};
}

std::string name_of(const std::string& folder) {
    const fs::path path = fs::path(folder).lexically_normal();
    return (path.has_filename() ? path.filename() : path.parent_path().filename()).string();
}

Result<void> finish_grade(GradeOptions& options, const Given&) {
    if (options.rubric_file.empty()) return bad_input("read no rubric, expected RUBRIC.toml");
    if (options.submissions.empty()) {
        return bad_input("read no submission, expected folders such as submissions/*");
    }
    if (options.results.empty()) return bad_input("expected --results DIR");
    std::set<std::string> names;
    for (const std::string& folder : options.submissions) {
        std::error_code failed;
        if (!fs::is_directory(folder, failed)) {
            return bad_input("{}: expected a folder with a bot", protocol::quoted(folder));
        }
        if (!names.insert(name_of(folder)).second) {
            return bad_input("read two submissions {}, expected folders of different names",
                             protocol::quoted(name_of(folder)));
        }
    }
    for (const std::string& name : options.again) {
        if (names.contains(name)) continue;
        return bad_input("--again: read {}, expected the name of a submission: {}",
                         protocol::quoted(name), fmt::join(names, ", "));
    }
    return {};
}

// ---- running a part ----

// What a run of nim-arena wrote, and how it ended.
struct PartRun {
    std::vector<std::string> lines;  // of standard output
    std::string stderr_text;
    std::optional<int> status;  // nullopt: it did not end in time, or by a signal
    bool is_late = false;
};

class PartRunner {
  public:
    PartRunner(const std::vector<std::string>& words, Clock::time_point deadline,
               const Guardian& guardian)
        : deadline_(deadline), guardian_(guardian) {
        spec_.command = {fs::read_symlink("/proc/self/exe").string()};
        spec_.command.insert(spec_.command.end(), words.begin(), words.end());
        spec_.data_limit = 0;
    }

    // Gives the signal that interrupted, or 0.
    int run() {
        return run_alone([this](const AloneContext& alone) { return talk(alone); });
    }
    PartRun& result() { return result_; }

  private:
    Awaitable<void> talk(const AloneContext& alone) {
        const LinkContext context{alone.io,  alone.deadlines, alone.compute, guardian_,
                                  launcher_, nullptr,         any_core_};
        const LinkDeadlines deadlines{deadline_, deadline_};
        Conversation::Listener listener = [this](char direction, std::string_view text) {
            if (direction == '!') stderr_.add(text);
        };
        auto link = co_await open_link(spec_, context, deadlines, listener);
        if (!link) {
            result_.stderr_text = link.error().text;
            co_return;
        }
        for (;;) {
            const auto line = co_await (*link)->connection->read_line(deadline_);
            if (line) {
                result_.lines.emplace_back(*line);
                continue;
            }
            result_.is_late = line.error().fault == protocol::Fault::TimedOut;
            break;
        }
        const auto exit = co_await await_exit(**link);
        if (!result_.is_late && exit) result_.status = exit->code;
        if ((*link)->child) (*link)->child->read_stderr();
        result_.stderr_text = stderr_.text();
    }

    PlayerSpec spec_;
    Clock::time_point deadline_;
    const Guardian& guardian_;
    const Launcher launcher_;
    const std::vector<int> any_core_;
    StderrText stderr_;
    PartRun result_;
};

// ---- what a run is worth ----

std::string last_stderr_line(const std::string& text) {
    const auto lines = last_lines(text, 1, 400);
    return lines.empty() ? "it said nothing" : lines.front();
}

std::string text_at(const json::object& object, std::string_view key) {
    const json::value* value = object.if_contains(key);
    return value != nullptr && value->is_string() ? std::string(value->as_string()) : "";
}

double number_at(const json::value& value, std::string_view key) {
    return value.as_object().at(key).to_number<double>();
}

PartGrade grade_check(const json::object& report) {
    int needed = 0;
    int held = 0;
    std::string reason;
    for (const json::value& each : report.at("points").as_array()) {
        const json::object& point = each.as_object();
        const std::string result = text_at(point, "result");
        if (!point.at("needed").as_bool() || result == "not-checked") continue;
        ++needed;
        if (result != "failed") ++held;
        if (result != "failed") continue;
        reason += fmt::format("\n{}: {}: {}", text_at(point, "point"), text_at(point, "title"),
                              text_at(point, "detail"));
        const std::string fix = text_at(point, "fix");
        if (!fix.empty()) reason += "\n  to do: " + fix;
    }
    const double share = needed == 0 ? 0 : static_cast<double>(held) / needed;
    return {true, share, fmt::format("{} of {} points hold{}", held, needed, reason), {}};
}

PartGrade grade_certify(const json::object& report) {
    double positions = 0;
    double right = 0;
    for (const char* kind : {"won", "drawn"}) {
        positions += number_at(report.at(kind), "positions");
        right += number_at(report.at(kind), "right");
    }
    std::string reason = fmt::format(
        "right in {:.0f} of {:.0f} positions that are won or drawn", right, positions);
    if (const json::object* example = report.at("counterexample").if_object()) {
        reason += fmt::format("\nthe smallest counterexample is {}: {} {}",
                              text_at(*example, "position"), text_at(*example, "kind"),
                              text_at(*example, "move"));
        const std::string better = text_at(*example, "better");
        if (!better.empty()) reason += fmt::format("; {} is right", better);
        reason += "\n" + text_at(*example, "why");
    }
    for (const json::value& pattern : report.at("patterns").as_array()) {
        reason += "\n- " + std::string(pattern.as_string());
    }
    return {true, positions == 0 ? 1 : right / positions, reason, {}};
}

struct GameTally {
    double points = 0;
    int games = 0;
    int faults = 0;                                             // games lost by them
    std::optional<std::pair<double, std::string>> first_fault;  // by the number of its game

    std::string faults_text() const {
        if (!first_fault) return "";
        return fmt::format("\n{} lost by faults, the first: {}", faults,
                           protocol::printable(first_fault->second, 400));
    }
};

// Void games count for nobody.
GameTally tally_games(const std::vector<std::string>& lines, const std::string& name) {
    GameTally tally;
    for (const std::string& line : lines) {
        const json::object game = json::parse(line).as_object();
        const auto reason = parse_reason(text_at(game, "reason"));
        if (!reason || *reason == Reason::Void) continue;
        ++tally.games;
        const std::string winner = text_at(game, "winner");
        const bool is_mine = !winner.empty() && text_at(game, winner) == name;
        tally.points += winner.empty() ? 0.5 : is_mine ? 1 : 0;
        if (winner.empty() || is_mine || !is_fault(*reason)) continue;
        ++tally.faults;
        std::pair fault(number_at(game, "game"), text_at(game, "detail"));
        if (!tally.first_fault || fault < *tally.first_fault) tally.first_fault = fault;
    }
    return tally;
}

PartGrade grade_match(const GameTally& tally) {
    PartGrade grade;
    grade.is_graded = tally.games > 0;
    if (grade.is_graded) grade.share = tally.points / tally.games;
    grade.reason =
        fmt::format("{:g} points in {} games{}", tally.points, tally.games, tally.faults_text());
    return grade;
}

std::vector<std::string_view> comma_cells(std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    std::vector<std::string_view> cells;
    for (auto comma = line.find(','); comma != line.npos; comma = line.find(',')) {
        cells.push_back(line.substr(0, comma));
        line.remove_prefix(comma + 1);
    }
    cells.push_back(line);
    return cells;
}

// A number of the first player in the table of `export --format grades`. Columns count from the
// right: a name, in the first, may have commas.
std::optional<double> grades_number(const std::vector<std::string>& table,
                                    std::string_view column) {
    if (table.size() < 2) return std::nullopt;
    const auto columns = comma_cells(table[0]);
    const auto cells = comma_cells(table[1]);
    const auto from_right = columns.end() - std::ranges::find(columns, column);
    if (from_right < 1 || from_right > std::ssize(cells)) return std::nullopt;
    const std::string cell(*(cells.end() - from_right));
    return cell.empty() ? std::nullopt : std::optional(std::strtod(cell.c_str(), nullptr));
}

// ε is about the moves that were played; a bot that rather crashes than errs gains nothing, as
// the share of games that it lost by faults is lost.
PartGrade grade_error_rate(const RubricPart& part, const GameTally& tally,
                           const std::vector<std::string>& table) {
    PartGrade grade;
    grade.is_graded = tally.games > 0;
    const auto low = grades_number(table, "error_low");
    const auto high = grades_number(table, "error_high");
    grade.error_rate = grades_number(table, "error_rate");
    if (!grade.error_rate || !low || !high) {
        grade.reason = "no move is known in which it could have erred" + tally.faults_text();
        return grade;
    }
    const double rate = part.bound ? *high : *grade.error_rate;
    grade.share = (1 - rate) * (tally.games - tally.faults) / std::max(tally.games, 1);
    grade.reason = fmt::format(
        "plays like perfect with ε = {:.2f}, between {:.2f} and {:.2f}{}; {:g} points in {} "
        "games{}",
        *grade.error_rate, *low, *high, part.bound ? " (which counts)" : "", tally.points,
        tally.games, tally.faults_text());
    return grade;
}

// `table` is of error rates.
PartGrade grade_run(const RubricPart& part, const PartRun& run,
                    const std::vector<std::string>& table, const std::string& name,
                    Milliseconds time) {
    if (run.is_late) {
        return {true, 0,
                fmt::format("it took longer than {} s",
                            std::chrono::duration_cast<std::chrono::seconds>(time).count()),
                {}};
    }
    const bool has_output = !run.lines.empty();
    if (run.status == kExitStartup && !(has_output && part.kind == PartKind::Check)) {
        return {true, 0, "it does not start: " + last_stderr_line(run.stderr_text), {}};
    }
    const bool is_usual = run.status && *run.status != kExitUsage && has_output;
    if (!is_usual) return {false, 0, "not graded: " + last_stderr_line(run.stderr_text), {}};
    if (part.kind == PartKind::Match) return grade_match(tally_games(run.lines, name));
    if (part.kind == PartKind::ErrorRate) {
        return grade_error_rate(part, tally_games(run.lines, name), table);
    }
    const json::object report = json::parse(run.lines.front()).as_object();
    return part.kind == PartKind::Check ? grade_check(report) : grade_certify(report);
}

// ---- a submission ----

// As a value of --player.
std::string key_value(std::string_view key, const std::string& value) {
    std::string text = fmt::format("{}=\"", key);
    for (const char c : value) {
        if (c == '"' || c == '\\') text += '\\';
        text += c;
    }
    return text + '"';
}

// The command that starts it; an error says what is wrong with its player.toml.
Result<std::string> command_of(const Student& student, const Rubric& rubric) {
    const std::string path = (fs::path(student.folder) / "player.toml").string();
    std::error_code failed;
    if (fs::exists(path, failed)) {
        const auto text = read_file(path);
        if (!text) return text.error();
        return read_player_file(*text, "player.toml");
    }
    if (!rubric.run.empty()) return rubric.run;
    return bad_input("there is no player.toml, expected one with run = \"COMMAND\"");
}

bool plays_games(const RubricPart& part) {
    return part.kind == PartKind::Match || part.kind == PartKind::ErrorRate;
}

// The words after nim-arena.
std::vector<std::string> words_of(const RubricPart& part, const GradeOptions& options,
                                  const Student& student, const std::string& command) {
    const Rubric& rubric = options.rubric;
    const std::string keys =
        fmt::format("{} {} {}", key_value("cmd", command),
                    key_value("dir", fs::absolute(student.folder).string()),
                    key_value("name", student.name));
    std::vector<std::string> words;
    if (part.kind == PartKind::Check) words = {"check", "--json"};
    if (part.kind == PartKind::Certify) words = {"certify", "--json"};
    if (plays_games(part)) words = {"match", "--jsonl", "-", "--quiet"};
    words.insert(words.end(), {"--player", keys});
    if (plays_games(part)) {
        words.insert(words.end(), {"--player", key_value("cmd", part.opponent)});
    }
    words.insert(words.end(), {"--seed", std::to_string(rubric.seed), "--movetime",
                               std::to_string(rubric.movetime)});
    if (!options.run_as.empty()) {
        words.insert(words.end(), {"--run-as", options.run_as});
    } else if (rubric.sandbox) {
        words.insert(words.end(), {"--sandbox", "bwrap"});
    }
    words.insert(words.end(), part.arguments.begin(), part.arguments.end());
    return words;
}

// ---- files ----

// Whole or not at all, also where this process is killed.
void write_whole(const fs::path& path, const std::string& text) {
    const fs::path draft = path.string() + ".part";
    std::ofstream file(draft, std::ios::binary | std::ios::trunc);
    file << text;
    file.close();
    if (!file) throw std::runtime_error("cannot write " + protocol::quoted(path.string()));
    fs::rename(draft, path);
}

// What a part's result is about: with another command or rubric it is graded anew.
std::string part_text(const RubricPart& part, const std::vector<std::string>& words,
                      const Rubric& rubric) {
    const bool is_rate = part.kind == PartKind::ErrorRate;
    return fmt::format("{} time={}{}", fmt::join(words, "\x1f"), rubric.time.count(),
                       !is_rate ? "" : part.bound ? " error-bound" : " error-rate");
}

std::optional<PartGrade> load_part(const fs::path& path, const std::string& about) {
    std::error_code missing;
    if (!fs::exists(path, missing)) return std::nullopt;
    const auto text = read_file(path.string());
    if (!text) return std::nullopt;
    boost::system::error_code failed;
    const json::value value = json::parse(*text, failed);
    if (failed || !value.is_object()) return std::nullopt;
    const json::object& object = value.as_object();
    const json::value* share = object.if_contains("share");
    if (share == nullptr || !share->is_number() || text_at(object, "run") != about)
        return std::nullopt;
    PartGrade grade{true, share->to_number<double>(), text_at(object, "reason"), {}};
    const json::value* rate = object.if_contains("error_rate");
    if (rate != nullptr && rate->is_number()) grade.error_rate = rate->to_number<double>();
    return grade;
}

void save_part(const fs::path& path, const std::string& about, const PartGrade& grade) {
    json::object object{{"run", about}, {"share", grade.share}, {"reason", grade.reason}};
    if (grade.error_rate) object["error_rate"] = *grade.error_rate;
    write_whole(path, json::serialize(object) + "\n");
}

// ---- all submissions ----

class Grading {
  public:
    Grading(const GradeOptions& options, const Guardian& guardian)
        : options_(options), guardian_(guardian), console_(stdout) {
        if (options.budget) end_ = Clock::now() + *options.budget;
        for (const std::string& folder : options.submissions) {
            students_.push_back({name_of(folder), folder, {}});
        }
    }

    int run() {
        for (Student& student : students_) {
            const int signal = grade(student);
            if (signal != 0) {
                complain("nim-arena grade: interrupted; the same command goes on\n");
                return console_.finish(128 + signal);
            }
        }
        const fs::path results(options_.results);
        write_whole(results / "grades.csv", csv_text(rows()));
        write_whole(results / "canvas.csv", csv_text(canvas_rows()));
        write_whole(results / "moodle.csv", csv_text(moodle_rows()));
        std::string table = table_text();
        table.pop_back();
        console_.line(table);
        const bool all_graded = std::ranges::all_of(students_, [](const Student& student) {
            return std::ranges::all_of(student.parts, &PartGrade::is_graded);
        });
        tell_ungraded();
        return console_.finish(all_graded ? kExitPlayed : kExitInternal);
    }

  private:
    fs::path folder_of(const Student& student) const {
        return fs::path(options_.results) / student.name;
    }

    // Gives the signal that interrupted, or 0.
    int grade(Student& student) {
        const fs::path folder = folder_of(student);
        if (options_.again.contains(student.name)) fs::remove_all(folder);
        fs::create_directories(folder);
        const auto command = command_of(student, options_.rubric);
        for (std::size_t i = 0; i < options_.rubric.parts.size(); ++i) {
            if (!command) {
                student.parts.push_back({true, 0, command.error().text, {}});
                continue;
            }
            tell_progress(student, i);
            const int signal = grade_part(student, i, *command);
            if (signal != 0) return signal;
        }
        write_whole(folder / "results.json", gradescope_text(options_.rubric, student));
        write_whole(folder / "classroom.json", classroom_text(options_.rubric, student));
        write_whole(folder / "junit.xml", junit_text(options_.rubric, student));
        write_whole(folder / "report.txt", report_text(options_.rubric, student));
        write_whole(folder / "index.html",
                    student_page(options_.rubric, student, links_to_games(student)));
        return 0;
    }

    int grade_part(Student& student, std::size_t number, const std::string& command) {
        const RubricPart& part = options_.rubric.parts[number];
        const auto words = words_of(part, options_, student, command);
        const std::string about = part_text(part, words, options_.rubric);
        if (part.hidden) fs::remove_all(games_of(student, number));
        const fs::path file = folder_of(student) / fmt::format("part-{}.json", number + 1);
        if (auto grade = load_part(file, about)) {
            student.parts.push_back(*std::move(grade));
            return 0;
        }
        if (Clock::now() + options_.rubric.time > end_) {
            student.parts.push_back({false, 0, "not graded: the budget has been used up", {}});
            return 0;
        }
        PartGrade grade;
        const int signal = run_part(student, number, words, grade);
        if (signal != 0) return signal;
        if (grade.is_graded) save_part(file, about, grade);
        student.parts.push_back(std::move(grade));
        return 0;
    }

    // Runs `words` and gives the grade, or the signal that interrupted, else 0.
    int run_part(const Student& student, std::size_t number, std::vector<std::string> words,
                 PartGrade& grade) {
        const RubricPart& part = options_.rubric.parts[number];
        const auto deadline = Clock::now() + options_.rubric.time;
        const fs::path record = folder_of(student) / fmt::format("part-{}.db", number + 1);
        const fs::path games = games_of(student, number);
        fs::remove_all(games);
        if (plays_games(part) && !part.hidden) {
            words.insert(words.end(), {"--report", games.string()});
        }
        if (part.kind == PartKind::ErrorRate) {
            fs::remove(record);
            words.insert(words.end(), {"--record", record.string()});
        }
        PartRunner runner(words, deadline, guardian_);
        int signal = runner.run();
        PartRunner rates({"export", record.string(), "--format", "grades"}, deadline, guardian_);
        if (signal == 0 && part.kind == PartKind::ErrorRate) signal = rates.run();
        if (signal != 0) return signal;
        try {
            grade = grade_run(part, runner.result(), rates.result().lines, student.name,
                              options_.rubric.time);
        } catch (const std::exception& error) {
            grade = {false, 0, fmt::format("not graded: {}", error.what()), {}};
        }
        return 0;
    }

    fs::path games_of(const Student& student, std::size_t number) const {
        return folder_of(student) / fmt::format("games-{}", number + 1);
    }

    std::vector<std::string> links_to_games(const Student& student) const {
        std::vector<std::string> links(options_.rubric.parts.size());
        for (std::size_t i = 0; i < links.size(); ++i) {
            const fs::path page = games_of(student, i) / "index.html";
            std::error_code missing;
            const bool is_shown = !options_.rubric.parts[i].hidden;
            if (is_shown && fs::exists(page, missing)) {
                links[i] = fmt::format("games-{}/index.html", i + 1);
            }
        }
        return links;
    }

    void tell_progress(const Student& student, std::size_t part) {
        if (options_.quiet || !console_.terminal()) return;
        const auto number = static_cast<std::size_t>(&student - students_.data()) + 1;
        console_.progress(fmt::format("{} of {}: {}, {}", number, students_.size(),
                                      protocol::printable(student.name),
                                      protocol::printable(options_.rubric.parts[part].name)));
    }

    // A line for each student, the first for the names of the columns.
    std::vector<std::vector<std::string>> rows() const {
        const Rubric& rubric = options_.rubric;
        std::vector<std::vector<std::string>> rows(1, {"student"});
        for (const RubricPart& part : rubric.parts) rows.front().push_back(part.name);
        rows.front().insert(rows.front().end(), {"total", "of"});
        for (const Student& student : students_) {
            auto& row = rows.emplace_back(1, student.name);
            for (std::size_t i = 0; i < rubric.parts.size(); ++i) {
                const PartGrade& grade = student.parts[i];
                row.push_back(grade.is_graded
                                  ? points_label(points_for(rubric.parts[i], grade.share))
                                  : "");
            }
            row.push_back(points_label(student.points(rubric)));
            row.push_back(points_label(rubric.points()));
        }
        return rows;
    }

    // The columns of Canvas's gradebook; students are known by their logins.
    std::vector<std::vector<std::string>> canvas_rows() const {
        std::vector<std::vector<std::string>> rows{
            {"Student", "ID", "SIS User ID", "SIS Login ID", "Section", options_.rubric.name}};
        for (const Student& student : students_) {
            rows.push_back({student.name, "", "", student.name, "",
                            points_label(student.points(options_.rubric))});
        }
        return rows;
    }

    // What Moodle's import of grades maps by its names.
    std::vector<std::vector<std::string>> moodle_rows() const {
        std::vector<std::vector<std::string>> rows{
            {"Username", options_.rubric.name, "Feedback comments"}};
        for (const Student& student : students_) {
            rows.push_back({student.name, points_label(student.points(options_.rubric)),
                            report_text(options_.rubric, student)});
        }
        return rows;
    }

    static std::string csv_text(const std::vector<std::vector<std::string>>& rows) {
        std::string text;
        for (const auto& row : rows) text += csv_line(row);
        return text;
    }

    std::string table_text() const {
        auto all = rows();
        for (auto& row : all) {
            for (std::string& cell : row)
                cell = cell.empty() ? "-" : protocol::printable(cell, 40);
        }
        return aligned(all, {0});
    }

    void tell_ungraded() {
        for (const Student& student : students_) {
            for (std::size_t i = 0; i < student.parts.size(); ++i) {
                const PartGrade& grade = student.parts[i];
                if (grade.is_graded) continue;
                console_.line(fmt::format("{}, {}: {}", protocol::printable(student.name),
                                          options_.rubric.parts[i].name,
                                          protocol::printable(grade.reason)));
            }
        }
    }

    const GradeOptions& options_;
    const Guardian& guardian_;
    Console console_;
    Clock::time_point end_ = Clock::time_point::max();
    std::vector<Student> students_;
};

int run_grade(const GradeOptions& options, const Guardian& guardian) {
    try {
        Grading grading(options, guardian);
        return grading.run();
    } catch (const std::exception& error) {
        complain(fmt::format("nim-arena grade: {}\n", protocol::printable(error.what())));
        return kExitInternal;
    }
}

}  // namespace

int commands::grade(const Words& words, const Guardian& guardian) {
    CommandLine<GradeOptions> line("nim-arena grade", grade_table(), kGradeHead, kGradeTail);
    line.argument = take_submission;
    line.finish = finish_grade;
    return run(parse(std::move(line), words),
               [&](const GradeOptions& options) { return run_grade(options, guardian); });
}

}  // namespace arena
