// Each part of a submission's grade is a run of nim-arena itself (check, certify, match) in a
// process of its own, with a limit of time. Whatever a submission does, no more is lost than
// that process. The result of each run is kept in a file, so that a grading that was killed
// continues where it was.
//
// Submissions are graded at once, each on cores of its own: all that is run for one, the arena
// and the bot, shares these and no others. So moves take the time that they take alone.
#include "arena/grade/grading.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <filesystem>
#include <functional>
#include <ranges>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <boost/asio/awaitable.hpp>
#include <boost/json.hpp>

#include "arena/base/at_once.hpp"
#include "arena/base/at_work.hpp"
#include "arena/base/command_line.hpp"
#include "arena/base/console.hpp"
#include "arena/base/cores.hpp"
#include "arena/base/counted.hpp"
#include "arena/base/exit_codes.hpp"
#include "arena/base/files.hpp"
#include "arena/base/run_alone.hpp"
#include "arena/base/shell_words.hpp"
#include "arena/game/seeds.hpp"
#include "arena/grade/grade_files.hpp"
#include "arena/grade/opponents.hpp"
#include "arena/grade/part_grade.hpp"
#include "arena/players/launcher.hpp"
#include "arena/players/player_spec.hpp"
#include "arena/record/open_store.hpp"
#include "arena/submissions/bot_build.hpp"
#include "protocol/text.hpp"
#include "protocol/unique_fd.hpp"

namespace arena {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using protocol::Result;

constexpr Milliseconds kAnalysis{60'000};      // of a part's games, if it has time
constexpr std::size_t kMostOutput = 64 << 20;  // bytes, of a part's run
constexpr std::array kStudentFiles{"results.json", "classroom.json", "junit.xml", "report.txt",
                                   "index.html"};

// ---- the words of a run ----

// As a value of --player.
std::string key_value(std::string_view key, const std::string& value) {
    std::string text = fmt::format("{}=\"", key);
    for (const char c : value) {
        if (c == '"' || c == '\\') text += '\\';
        text += c;
    }
    return text + '"';
}

// For dir=, which may be a pattern: the folder of a name with such characters.
std::string one_folder(const std::string& path) {
    if (!is_pattern_of_folders(path)) return path;
    std::string text;
    for (const char c : path) {
        if (std::string_view("*?[\\").find(c) != std::string_view::npos) text += '\\';
        text += c;
    }
    return text;
}

// Options of all runs: the seed, the time of a move, where bots run.
void add_common(std::vector<std::string>& words, const GradeOptions& options) {
    words.insert(words.end(), {"--seed", std::to_string(*options.rubric.seed), "--movetime",
                               std::to_string(options.rubric.movetime)});
    if (!options.run_as.empty()) {
        words.insert(words.end(), {"--run-as", options.run_as});
    } else if (options.rubric.sandbox) {
        words.insert(words.end(), {"--sandbox", "bwrap"});
    }
}

// The words after nim-arena.
std::vector<std::string> words_of(const RubricPart& part, const GradeOptions& options,
                                  const std::string& name, const BuiltBot& bot) {
    std::vector<std::string> words;
    if (part.kind == PartKind::Check) words = {"check", "--json"};
    if (part.kind == PartKind::Certify) words = {"certify", "--json"};
    if (part.plays_games()) words = {"match", "--quiet"};
    const std::string command =
        fmt::format("{}", fmt::join(bot.command | std::views::transform(shell_word), " "));
    words.insert(words.end(), {"--player", fmt::format("{} {} {}", key_value("cmd", command),
                                                       key_value("dir", one_folder(bot.folder)),
                                                       key_value("name", playing_name(name)))});
    if (part.plays_games()) {
        // A dead opponent is found, and games are analysed, before the time is up.
        const Milliseconds startup = std::min(options.rubric.time / 4, PlayOptions().startup);
        const Milliseconds analysis = std::min(options.rubric.time / 2, kAnalysis);
        words.insert(words.end(), {"--player", key_value("cmd", part.opponent), "--startup",
                                   std::to_string(startup.count()), "--analysis",
                                   std::to_string(analysis.count())});
    }
    if (part.kind == PartKind::Time) words.insert(words.end(), {"--concurrency", "1"});
    add_common(words, options);
    words.insert(words.end(), part.arguments.begin(), part.arguments.end());
    return words;
}

// ---- results of earlier runs ----

// What a part's result is about: with another command, rubric or submission it is graded anew.
std::string part_text(const RubricPart& part, const std::vector<std::string>& words,
                      const Rubric& rubric, const BuiltBot& bot) {
    std::string text = fmt::format("{} time={} files={}", fmt::join(words, "\x1f"),
                                   rubric.time.count(), bot.fingerprint);
    if (part.kind == PartKind::ErrorRate) text += part.bound ? " error-bound" : " error-rate";
    if (part.kind == PartKind::Time) text += fmt::format(" within={}", part.within.count());
    if (part.kind == PartKind::Memory) text += fmt::format(" most={}", part.most);
    return protocol::printable(text);  // for JSON: paths are any bytes
}

std::optional<double> number_in(const json::object& object, std::string_view key) {
    const json::value* value = object.if_contains(key);
    if (value == nullptr || !value->is_number()) return std::nullopt;
    return value->to_number<double>();
}

std::optional<PartGrade> load_part(const fs::path& path, const std::string& about) {
    const auto object = load_object(path, "run", about);
    if (!object) return std::nullopt;
    const auto share = number_in(*object, "share");
    if (!share) return std::nullopt;
    PartGrade grade = graded(*share, text_at(*object, "reason"));
    grade.brief = text_at(*object, "brief");
    grade.error_rate = number_in(*object, "error_rate");
    grade.points = number_in(*object, "points").value_or(0);
    grade.games = static_cast<int>(number_in(*object, "games").value_or(0));
    return grade;
}

void save_part(const fs::path& path, const std::string& about, const PartGrade& grade) {
    json::object object{{"run", about}, {"share", grade.share}, {"reason", grade.reason}};
    if (!grade.brief.empty()) object["brief"] = grade.brief;
    if (grade.error_rate) object["error_rate"] = *grade.error_rate;
    if (grade.games > 0) {
        object["points"] = grade.points;
        object["games"] = grade.games;
    }
    write_whole(path, json::serialize(object) + "\n");
}

// ---- all submissions ----

class Grading {
  public:
    Grading(const GradeOptions& options, const Guardian& guardian)
        : options_(options), rubric_(options_.rubric), guardian_(guardian), console_(stdout) {
        if (options.budget) end_ = Clock::now() + *options.budget;
        for (const Submission& submission : options.submissions) {
            students_.push_back({submission.name, submission.id, {}, {}});
        }
        share_cores();
    }

    int run() {
        open_results();
        choose_seed();
        const int signal = run_alone([this](const EventLoop& loop) { return grade(loop); });
        at_work_.reset();
        if (signal != 0) {
            complain("nim-arena grade: interrupted; the same command goes on\n");
            return console_.finish(128 + signal);
        }
        std::string table = grades_table(rubric_, students_);
        table.pop_back();
        console_.line(table);
        const bool all_graded = std::ranges::all_of(students_, &Student::is_graded);
        tell_ungraded();
        if (!no_elo_.empty()) console_.line(no_elo_);
        tell_left_out();
        for (const std::string& trouble : troubles_) console_.line(trouble);
        write_class_files();  // last: it throws on a full disk
        const bool is_well = all_graded && troubles_.empty();
        return console_.finish(is_well ? kExitPlayed : kExitInternal);
    }

  private:
    // A lane for each core, or as many as are asked for, but none without a core; the cores are
    // dealt out.
    void share_cores() {
        const auto cores = allowed_cores();
        const auto most = std::min(cores.size(), students_.size());
        const std::size_t asked =
            options_.concurrency ? static_cast<std::size_t>(*options_.concurrency) : most;
        if (asked > cores.size() && students_.size() > cores.size()) {
            complain(
                fmt::format("nim-arena grade: --concurrency {}: {} at once, because each has "
                            "a core of its own\n",
                            asked, most));
        }
        lanes_.resize(std::max<std::size_t>(std::min(asked, most), 1));
        for (std::size_t i = 0; i < cores.size(); ++i)
            lanes_[i % lanes_.size()].push_back(cores[i]);
    }

    // The results are the grader's alone: they hold hidden parts, and what strangers built.
    // Bots that run as another user reach their builds, and see nothing else.
    void open_results() {
        ::umask(077);
        fs::create_directories(options_.results);
        lock_results();
        if (options_.run_as.empty()) return;
        shut_folders();
        let_pass(options_.results);
    }

    // Those of all submissions, also where an earlier run was killed.
    void shut_folders() const {
        std::error_code failed;
        for (fs::directory_iterator entry(options_.results, failed), end;
             !failed && entry != end; entry.increment(failed)) {
            std::error_code unknown;
            const std::string name = entry->path().filename().string();
            const bool is_students = std::ranges::count(students_, name, &Student::name) > 0 ||
                                     fs::exists(entry->path() / "results.json", unknown);
            if (is_students &&
                entry->symlink_status(unknown).type() == fs::file_type::directory)
                shut(entry->path());
        }
    }

    static void shut(const fs::path& folder) {
        std::error_code failed;
        fs::permissions(folder, fs::perms::group_exec | fs::perms::others_exec,
                        fs::perm_options::remove, failed);
    }

    // Two runs would remove each other's folders. Held until this process ends; a file system
    // without such locks has none.
    void lock_results() {
        lock_.reset(::open(options_.results.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (!lock_ || ::flock(lock_.get(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
            return;
        throw std::runtime_error(
            fmt::format("another run grades into {}: wait until it has ended, or give other "
                        "--results",
                        protocol::quoted(options_.results)));
    }

    // The rubric's, or the one that was drawn for these results: games whose seed can be
    // guessed can be played at home before.
    void choose_seed() {
        if (options_.rubric.seed) return;
        const fs::path file = fs::path(options_.results) / "seed.txt";
        auto text = read_file(file.string());
        if (text && text->ends_with('\n')) text->pop_back();
        const auto drawn = text ? parse_count(*text, 0, protocol::kMaxNumber)
                                : Result<std::uint64_t>(fresh_seed());
        if (!drawn) {
            throw std::runtime_error(
                fmt::format("{}: {}", protocol::quoted(file.string()), drawn.error().text));
        }
        options_.rubric.seed = *drawn;
        write_whole(file, fmt::format("{}\n", *drawn));
    }

    void write_class_files() const {
        const fs::path results(options_.results);
        write_whole(results / "grades.csv", grades_csv(rubric_, students_));
        write_whole(results / "canvas.csv", canvas_csv(rubric_, students_));
        write_whole(results / "moodle.csv", moodle_csv(rubric_, students_, std::time(nullptr)));
    }

    // The tables are of the submissions that were given, not of all results in the folder.
    void tell_left_out() {
        std::error_code failed;
        std::size_t others = 0;
        for (const auto& entry : fs::directory_iterator(options_.results, failed)) {
            const bool is_given =
                std::ranges::count(students_, entry.path().filename().string(),
                                   &Student::name) > 0;
            if (!is_given && fs::exists(entry.path() / "results.json", failed)) ++others;
        }
        if (others == 0) return;
        console_.line(
            fmt::format("note: {} in {} {} not in these tables, nor in grades.csv, canvas.csv "
                        "and moodle.csv: "
                        "give all submissions; what is graded is not graded again",
                        counted(others, "other student"), protocol::printable(options_.results),
                        others == 1 ? "is" : "are"));
    }

    fs::path folder_of(const Student& student) const {
        return fs::path(options_.results) / student.name;
    }

    Awaitable<void> grade(const EventLoop& loop) {
        if (!options_.quiet) at_work_.emplace(console_);
        const BuildContext first{loop, guardian_, lanes_.front()};
        co_await meet_opponents(first);
        std::function<Awaitable<void>(std::size_t, std::size_t)> work =
            [this, &loop](std::size_t student, std::size_t lane) -> Awaitable<void> {
            return grade_student(students_[student], {loop, guardian_, lanes_[lane]});
        };
        co_await run_at_once(loop.io, students_.size(), lanes_.size(), work);
    }

    // ---- the opponents ----

    Awaitable<void> meet_opponents(const BuildContext& context) {
        if (at_work_) at_work_->tell("the opponents play each other");
        const auto opponents = opponents_of(rubric_);
        const auto matches = opponent_matches(rubric_);
        const fs::path file = fs::path(options_.results) / "opponents.json";
        const auto runs = runs_of(opponents, matches);
        std::string about = fmt::format("time={}\x1e", rubric_.time.count());
        for (const auto& words : runs) about += fmt::format("{}\x1e", fmt::join(words, "\x1f"));
        about = protocol::printable(about);
        json::array scores;
        if (const auto saved = load_object(file, "run", about)) {
            const json::value* list = saved->if_contains("scores");
            if (list != nullptr && list->is_array()) scores = list->as_array();
        }
        for (std::size_t i = scores.size(); i < runs.size(); ++i) {
            const std::string trouble = co_await play_opponents(runs[i], context, scores);
            if (!trouble.empty()) {
                no_elo_ =
                    fmt::format("no Elo: {} and {} have not met: {}",
                                protocol::printable(opponents[matches[i].first]),
                                protocol::printable(opponents[matches[i].second]), trouble);
                co_return;
            }
            json::object object{{"run", about}, {"scores", scores}};
            write_whole(file, json::serialize(object) + "\n");
        }
        for (std::size_t i = 0; i < matches.size(); ++i)
            scores_.push_back({matches[i].first, matches[i].second,
                               number_in(scores[i].as_object(), "games").value_or(0),
                               number_in(scores[i].as_object(), "points").value_or(0)});
    }

    std::vector<std::vector<std::string>> runs_of(
        const std::vector<std::string>& opponents,
        const std::vector<OpponentMatch>& matches) const {
        std::vector<std::vector<std::string>> runs;
        for (const OpponentMatch& match : matches) {
            auto& words = runs.emplace_back(std::vector<std::string>{
                "match", "--quiet", "--player", key_value("cmd", opponents[match.first]),
                "--player", key_value("cmd", opponents[match.second]), "--analysis", "0"});
            add_common(words, options_);
            words.insert(words.end(), match.arguments.begin(), match.arguments.end());
        }
        return runs;
    }

    // Adds the score of a match, or returns why it has none.
    Awaitable<std::string> play_opponents(std::vector<std::string> words,
                                          const BuildContext& context, json::array& scores) {
        if (Clock::now() >= end_) co_return kBudgetUsedUp;
        const fs::path record = fs::path(options_.results) / "opponents.db";
        const PartRun run = co_await run_match(std::move(words), record, context);
        remove_record(record);
        const PartGrade played = grade_match(run.games);
        if (run.status == kExitPlayed && played.games > 0) {
            scores.push_back({{"points", played.points}, {"games", played.games}});
            co_return "";
        }
        if (Clock::now() >= end_) co_return kBudgetUsedUp;
        co_return run.is_late ? "their games took too long" : "their games could not be played";
    }

    // Runs nim-arena with these words, on the cores of the context, and so do the players.
    Awaitable<PartRun> run_nim_arena(std::vector<std::string> words,
                                     const BuildContext& context) {
        SpawnRequest request;
        request.command = std::move(words);
        request.command.insert(request.command.begin(),
                               fs::read_symlink("/proc/self/exe").string());
        request.cores = context.cores;
        PartRun run;
        // What runs at the deadline is killed, which ends its output.
        const ReadOutput read = [&run](int output, Clock::time_point deadline) {
            run.output = read_until_end(output, deadline + kToolTime, kMostOutput);
            run.output.resize(run.output.rfind('\n') +
                              1);  // what was killed leaves half a line
        };
        const std::function<std::string()> no_look;
        const RunLimit time{rubric_.time, end_};
        RunResult ran = co_await run_program(request, time, no_look, read, context);
        run.stderr_text = ran.has_started ? std::move(ran.output) : std::move(ran.trouble);
        run.is_late = ran.took_too_long;
        run.status = ran.status;
        co_return run;
    }

    // Plays a match into a new record, and reads its games.
    Awaitable<PartRun> run_match(std::vector<std::string> words, const fs::path& record,
                                 const BuildContext& context) {
        remove_record(record);
        words.insert(words.end(), {"--record", record.string()});
        PartRun run = co_await run_nim_arena(std::move(words), context);
        const auto store = open_store(record.string(), {.read_only = true});
        if (!store) co_return run;
        const auto read = (*store)->for_each_game([&](const GameRecord& game) {
            run.games.push_back(game);
            return true;
        });
        if (!read) run.games.clear();
        co_return run;
    }

    static void remove_record(const fs::path& record) {
        std::error_code failed;  // the match says what is in its way
        for (const char* ending : {"", "-wal", "-shm", "-journal"})
            fs::remove(record.string() + ending, failed);
    }

    // ---- a submission ----

    // If the arena itself fails, this submission stays ungraded, and the others are graded.
    Awaitable<void> grade_student(Student& student, BuildContext context) {
        std::string trouble;
        try {
            co_await grade_parts(student, context);
        } catch (const GuardianGone&) {
            throw;
        } catch (const fs::filesystem_error& error) {
            trouble = cannot_write(error);
        } catch (const std::exception& error) {
            trouble = error.what();
        }
        ++done_;
        if (!options_.run_as.empty()) shut(folder_of(student));  // the next bot is another's
        if (!trouble.empty()) {
            student.parts.resize(rubric_.parts.size());
            for (PartGrade& grade : student.parts) {
                if (!grade.is_graded) grade = ungraded(trouble);
            }
            troubles_.push_back(fmt::format("{}: {}", protocol::printable(student.name),
                                            protocol::printable(trouble)));
            replace_files(student);
        }
        tell_done(student);
    }

    // Files of an earlier run must not stand for this one.
    void replace_files(const Student& student) const {
        try {
            for (const auto& [file, text] : files_of(student)) write_whole(file, text);
        } catch (const std::exception&) {
            std::error_code failed;
            for (const char* name : kStudentFiles)
                fs::remove(folder_of(student) / name, failed);
        }
    }

    Awaitable<void> grade_parts(Student& student, const BuildContext& context) {
        const fs::path folder = folder_of(student);
        if (options_.again.contains(student.name)) co_await remove_folder(folder, context);
        fs::create_directories(folder);
        if (!options_.run_as.empty()) let_pass(folder);
        const BuildResult built = co_await build(student, context);
        for (std::size_t i = 0; i < rubric_.parts.size(); ++i) {
            if (built.bot) {
                PartGrade grade = co_await grade_part(student, i, *built.bot, context);
                student.parts.push_back(std::move(grade));
                continue;
            }
            // The first part shows the log, and the others say that there is no bot.
            const auto end = i == 0 ? std::string::npos : built.reason.find('\n');
            const std::string reason = built.reason.substr(0, end);
            student.parts.push_back(built.is_own ? graded(0, reason) : ungraded(reason));
        }
        if (no_elo_.empty()) student.elo = elo_of(rubric_, student.parts, scores_);
        for (const auto& [file, text] : files_of(student)) write_whole(file, text);
    }

    Awaitable<BuildResult> build(Student& student, const BuildContext& context) {
        const BuildOptions options{rubric_.sandbox && options_.run_as.empty(), options_.run_as,
                                   rubric_.build_time, end_};
        const auto number = static_cast<std::size_t>(&student - students_.data());
        const Submission& submission = options_.submissions[number];
        tell_progress(student, "building");
        BuildResult built = co_await build_bot(
            submission, folder_of(student), rubric_.languages, rubric_.run, options, context);
        if (!submission.note.empty()) built.notes.insert(built.notes.begin(), submission.note);
        student.note = fmt::format("{}", fmt::join(built.notes, "; "));
        co_return built;
    }

    std::vector<std::pair<fs::path, std::string>> files_of(const Student& student) const {
        const std::array<std::string, kStudentFiles.size()> texts{
            gradescope_text(rubric_, student), classroom_text(rubric_, student),
            junit_text(rubric_, student), report_text(rubric_, student),
            student_page(rubric_, student, links_to_games(student))};
        std::vector<std::pair<fs::path, std::string>> files;
        for (std::size_t i = 0; i < texts.size(); ++i)
            files.emplace_back(folder_of(student) / kStudentFiles[i], texts[i]);
        return files;
    }

    // ---- a part ----

    Awaitable<PartGrade> grade_part(const Student& student, std::size_t number,
                                    const BuiltBot& bot, const BuildContext& context) {
        const RubricPart& part = rubric_.parts[number];
        const auto words = words_of(part, options_, student.name, bot);
        const std::string about = part_text(part, words, rubric_, bot);
        if (part.hidden) fs::remove_all(games_of(student, number));
        const fs::path file = file_of(student, number, "json");
        // A part without pages of its games is played again once it is shown.
        const bool has_no_pages = part.hidden && part.plays_games();
        const std::string kept = has_no_pages ? about + " hidden" : about;
        auto known = load_part(file, kept);
        if (!known && has_no_pages) {
            known = load_part(file, about);
            if (known) save_part(file, kept, *known);
        }
        if (known) co_return *std::move(known);
        if (Clock::now() >= end_) co_return ungraded(kBudgetUsedUp);
        tell_progress(student, part.name);
        PartGrade grade = co_await run_part(student, number, words, context);
        if (grade.is_graded) save_part(file, kept, grade);
        co_return grade;
    }

    Awaitable<PartGrade> run_part(const Student& student, std::size_t number,
                                  std::vector<std::string> words, const BuildContext& context) {
        const RubricPart& part = rubric_.parts[number];
        const fs::path games = games_of(student, number);
        fs::remove_all(games);
        PartRun run;
        if (!part.plays_games()) {
            run = co_await run_nim_arena(std::move(words), context);
            co_return grade_ended(part, run);
        }
        if (!part.hidden) words.insert(words.end(), {"--report", games.string()});
        const fs::path events = file_of(student, number, "events");
        words.insert(words.end(), {"--events", "jsonl:" + events.string()});
        const fs::path record = file_of(student, number, "db");
        run = co_await run_match(std::move(words), record, context);
        if (const auto text = read_file(events.string())) run.events = *text;
        fs::remove(events);
        co_return grade_ended(part, run);
    }

    // A part that the budget has cut short is not too slow.
    PartGrade grade_ended(const RubricPart& part, const PartRun& run) const {
        if (run.is_late && Clock::now() >= end_) return ungraded(kBudgetUsedUp);
        return grade_run(part, run, rubric_.time);
    }

    fs::path file_of(const Student& student, std::size_t number,
                     std::string_view ending) const {
        return folder_of(student) / fmt::format("part-{}.{}", number + 1, ending);
    }

    fs::path games_of(const Student& student, std::size_t number) const {
        return folder_of(student) / fmt::format("games-{}", number + 1);
    }

    std::vector<std::string> links_to_games(const Student& student) const {
        std::vector<std::string> links(rubric_.parts.size());
        for (std::size_t i = 0; i < links.size(); ++i) {
            const fs::path page = games_of(student, i) / "index.html";
            std::error_code missing;
            // A folder may also be left from an earlier submission.
            const bool is_shown = !rubric_.parts[i].hidden && student.parts[i].games > 0;
            if (is_shown && fs::exists(page, missing)) {
                links[i] = fmt::format("games-{}/index.html", i + 1);
            }
        }
        return links;
    }

    // ---- what is told ----

    void tell_progress(const Student& student, const std::string& what) {
        if (!at_work_) return;
        at_work_->tell(fmt::format("{} of {} graded; {}: {}", done_, students_.size(),
                                   protocol::printable(student.name),
                                   protocol::printable(what)));
    }

    // A line a submission, where no progress is drawn: a class takes long.
    void tell_done(const Student& student) {
        if (options_.quiet || console_.terminal()) return;
        const auto points = student.points(rubric_);
        console_.line(fmt::format("{} of {}: {} has {}", done_, students_.size(),
                                  protocol::printable(student.name),
                                  points ? points_label(*points) + " points" : "no grade yet"));
    }

    void tell_ungraded() {
        for (const Student& student : students_) {
            for (std::size_t i = 0; i < student.parts.size(); ++i) {
                const PartGrade& grade = student.parts[i];
                if (grade.is_graded) continue;
                console_.line(fmt::format("{}, {}: {}", protocol::printable(student.name),
                                          rubric_.parts[i].name,
                                          fmt::join(split_printable(grade.reason), "\n  ")));
            }
        }
    }

    GradeOptions options_;
    const Rubric& rubric_;
    const Guardian& guardian_;
    Console console_;
    std::optional<AtWork> at_work_;
    Clock::time_point end_ = Clock::time_point::max();
    protocol::UniqueFd lock_;              // on the folder of the results
    std::vector<std::vector<int>> lanes_;  // the cores of each
    std::vector<Student> students_;
    std::vector<PairScore> scores_;      // of the opponents against each other
    std::string no_elo_;                 // why these are not known
    std::vector<std::string> troubles_;  // that the arena had with students' files
    std::size_t done_ = 0;
};

// Whether bots, and opponents, can be confined as they are to be: once for all, before the
// first one is graded.
Result<void> try_isolation(const GradeOptions& options, bool with_opponents,
                           const Guardian& guardian) {
    PlayOptions play;
    play.players.emplace_back().command = {"true"};
    for (const RubricPart& part : options.rubric.parts)
        if (with_opponents && part.plays_games())
            play.players.push_back(*parse_player(part.opponent));
    play.run_as = options.run_as;
    play.sandbox.on = options.rubric.sandbox && options.run_as.empty();
    const auto launcher = Launcher::open(play, {}, guardian);
    if (!launcher) return launcher.error();
    return {};
}

}  // namespace

int run_grading(const GradeOptions& options, const Guardian& guardian) {
    const auto confined = try_isolation(options, true, guardian);
    if (!confined) {
        complain(fmt::format("nim-arena grade: {}\n", protocol::describe(confined.error())));
        return try_isolation(options, false, guardian) ? kExitUsage : kExitStartup;
    }
    try {
        Grading grading(options, guardian);
        return grading.run();
    } catch (const fs::filesystem_error& error) {
        complain(fmt::format("nim-arena grade: {}\n", cannot_write(error)));
        return kExitInternal;
    } catch (const std::exception& error) {
        complain(fmt::format("nim-arena grade: {}\n", protocol::printable(error.what())));
        return kExitInternal;
    }
}

}  // namespace arena
