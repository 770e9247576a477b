// `nim-arena grade`: submissions of a course, graded by a rubric.
#include <algorithm>
#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "arena/base/console.hpp"
#include "arena/base/files.hpp"
#include "arena/base/option_table.hpp"
#include "arena/commands/commands.hpp"
#include "arena/grade/grading.hpp"
#include "arena/players/player_spec.hpp"
#include "arena/submissions/build_folders.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostAtOnce = 1024;
constexpr std::size_t kMostNamed = 5;  // files that a note names

OptionTable grade_table(GradeOptions& options) {
    return {
        text({"Options", "results", "DIR",
              "where grades and reports are written; the same command, run again, grades what "
              "is missing (required)"},
             options.results, "a folder"),
        {{"Options", "again", "NAME", "grade this submission anew; may be repeated", true},
         [&](const std::string& name) -> Result<void> {
             options.again.insert(name);
             return {};
         }},
        value({"Options", "budget", "TIME",
               "time for all, such as 90m or 2h; what is not graded by then is graded by the "
               "next run"},
              options.budget, parse_duration),
        count(
            {"Options", "concurrency", "N",
             "submissions graded at once, each on cores of its own (default, and at most: the "
             "number of cores; with --run-as: 1)"},
            options.concurrency, 1, kMostAtOnce),
        text({"Options", "run-as", "USER",
              "as root: the user that bots run as, instead of the sandbox, where a container "
              "that does not allow it holds each submission; opponents must be built in"},
             options.run_as, "the name of a user"),
        flag({"Options", "quiet", nullptr, "print only the table, no progress"}, options.quiet),
    };
}

constexpr std::string_view kGradeHead =
    R"(Usage: nim-arena grade RUBRIC.toml SUBMISSION... --results DIR [OPTION]...

Grades submissions, each a folder with a bot or a .zip or .tar.gz of one, by the
parts of a rubric. A bot is found by the files of its language, and built once,
in a copy of the folder. Each part runs check, certify or match on it, in the
sandbox and with a limit of time. Whatever a submission does, it gets a grade
and a reason, and the others are untouched.

The parts of a rubric: nim-arena help grade all.

)";

constexpr std::string_view kGradeRubric =
    R"(RUBRIC.toml:
  name = "Assignment 1: Nim"
  build_time = 300          # seconds for a build (default: 300)
  seed = 1                  # grades depend on it alone, as far as bots do (default: drawn, and kept
                            # in the results: one that students know can be tried at home)
  movetime = 1000           # ms (default: 1000)
  time = 120                # seconds for a part of a submission (default: 120)
  sandbox = true            # (default: true)
  # student = "moodle"      # or "canvas": submissions are files and folders as these give them out.
                            # Or a regular expression with one group, the student's name, which
                            # names of files and folders begin with
  # run = "python3 bot.py"  # how all bots are started, in their folders. Without it these are known
                            # by their files: Rust, Go, Python, JavaScript, Java, C++, Makefiles

  # [[language]]            # instead: the first rule whose file is there
  # file = "main.c|*.c"
  # build = "cc -O2 -o bot *.c"
  # run = "./bot"

  [[part]]
  name = "Keeps to the protocol"
  kind = "check"            # share: of the points that a bot needs, those that hold
  points = 10

  [[part]]
  name = "Right in every position"
  kind = "certify"          # share: of won and drawn positions, those with a right move
  family = "nim;heaps=1..3;size=0..7"
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

  [[part]]
  name = "Answers fast"
  kind = "time"             # share: of its moves, those that took `within` ms or less
  within = 100              # also opponent, games, position and suite

  [[part]]
  name = "Takes little memory"
  kind = "memory"           # share: `most`, divided by what its processes held, at most 1
  most = "64M"              # also opponent, games, position and suite

A player.toml in the folder of a bot, with `build` or `run` or both, comes before all rules.

)";

constexpr std::string_view kGradeTail = R"(
DIR gets grades.csv (a line for each student, a column for each part),
canvas.csv and moodle.csv (totals, students known by their ids, else by the
names of their folders), and in a folder for each student: results.json for
Gradescope, classroom.json for GitHub Classroom, junit.xml, report.txt and
index.html with games-N for the student, build.log, and for each part the record
of its games and a file by which a later run knows that it is done. Plagiarism
is not looked for.

Examples:
  nim-arena grade nim.toml submissions/* --results grades
  nim-arena grade nim.toml submissions/* --results grades --again ann
)";

constexpr std::string_view kGradeExit = R"(
Exit status:
  0        all parts of all submissions are graded
  1        some are not, and the table says why; or a file cannot be written
  2        the command line or the rubric is wrong; nothing was started
  3        the sandbox does not work here; nothing was started
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
    options.paths.push_back(text);
    return {};
}

// A pattern such as submissions/* also finds a README.
void tell_left_out(const std::vector<std::string>& paths) {
    if (paths.empty()) return;
    std::vector<std::string> shown;
    for (const std::string& path : std::span(paths).first(std::min(paths.size(), kMostNamed)))
        shown.push_back(protocol::quoted(path));
    complain(fmt::format("nim-arena grade: note: no submission, and left out: {}{}\n",
                         fmt::join(shown, ", "), paths.size() > kMostNamed ? ", …" : ""));
}

// Programs of one user can end each other, and so win games or spoil grades of others.
Result<void> keep_apart(GradeOptions& options) {
    if (options.run_as.empty()) return {};
    for (const RubricPart& part : options.rubric.parts) {
        if (!part.plays_games() || parse_player(part.opponent)->kind != PlayerKind::Command)
            continue;
        return bad_input(
            "--run-as: the opponent of part {}, {}, would run as the same user as the bots, "
            "which could end it: expected an opponent such as builtin:perfect, or the sandbox "
            "instead of --run-as",
            protocol::quoted(part.name), protocol::quoted(part.opponent));
    }
    if (options.concurrency.value_or(1) > 1) {
        return bad_input(
            "--concurrency {}: with --run-as bots of several submissions would run as one "
            "user, and each could end the others: expected 1",
            *options.concurrency);
    }
    options.concurrency = 1;
    return {};
}

Result<void> finish_grade(GradeOptions& options) {
    if (options.rubric_file.empty()) return bad_input("read no rubric, expected RUBRIC.toml");
    if (options.paths.empty()) {
        return bad_input("read no submission, expected folders such as submissions/*");
    }
    if (options.results.empty()) return bad_input("expected --results DIR");
    if (const auto apart = keep_apart(options); !apart) return apart.error();
    for (const std::string& path : options.paths) {
        std::error_code failed;
        if (!fs::exists(fs::symlink_status(path, failed))) {
            return bad_input("{}: expected a folder with a bot", protocol::quoted(path));
        }
    }
    const std::string& rule = options.rubric.student;
    ClassList list = list_submissions(options.paths, rule);
    tell_left_out(list.left_out);
    options.submissions = std::move(list.submissions);
    if (options.submissions.empty()) {
        return rule.empty()
                   ? bad_input("{}: expected a folder with a bot, or a .zip or .tar.gz of one",
                               protocol::quoted(options.paths.front()))
                   : bad_input(
                         "{}: expected a name with a student's, by `student = {}` of the "
                         "rubric",
                         protocol::quoted(options.paths.front()), protocol::quoted(rule));
    }
    make_names_distinct(options.submissions, kNamesTaken);
    std::vector<Submission> read = options.submissions;
    std::erase_if(read, is_link);
    const auto apart = check_build_folders(options.results, "--results", read);
    if (!apart) return apart.error();
    std::set<std::string> names;
    for (const Submission& submission : options.submissions) {
        names.insert(submission.name);
        if (submission.note.empty()) continue;
        complain(fmt::format("nim-arena grade: note: {}\n", submission.note));
    }
    for (const std::string& name : options.again) {
        if (names.contains(name)) continue;
        return bad_input("--again: read {}, expected the name of a submission: {}",
                         protocol::quoted(name), fmt::join(names, ", "));
    }
    return {};
}

}  // namespace

int commands::grade(const Words& words, const Guardian& guardian) {
    GradeOptions options;
    CommandLine line("nim-arena grade", grade_table(options), kGradeHead, kGradeTail);
    line.details = kGradeRubric;
    line.reference = kGradeExit;
    line.common = {"results", "again", "budget", "concurrency", "run-as", "quiet"};
    line.argument = [&](const std::string& text) { return take_submission(options, text); };
    line.finish = [&](const Given&) { return finish_grade(options); };
    return run(parse(line, words, options),
               [&](const GradeOptions& given) { return run_grading(given, guardian); });
}

}  // namespace arena
