// The names are of strangers and the rule is not, so a name must never take long to match:
// libstdc++'s other matcher (__polynomial) goes through a name once, whatever the rule, and has
// no references back.
#include "arena/submissions/submission.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "arena/base/bad_input.hpp"
#include "arena/base/files.hpp"
#include "arena/players/player_spec.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

namespace fs = std::filesystem;
using protocol::Result;

constexpr auto kSyntax = std::regex_constants::ECMAScript | std::regex_constants::__polynomial;
constexpr std::size_t kLongestRule = 1000;

struct Whose {
    std::string student;
    std::string id;    // empty: none
    std::string file;  // the end of the name: what the student called it
};

// "Ann Smith_123456_assignsubmission_file_", a folder or the beginning of a file's name.
constexpr char kMoodleNames[] = R"(([^_]+)_(\d+)_assignsubmission_file_?)";
// "smithann_LATE_1234_567890_", the beginning of a file's name. Anonymous:
// "LATE_anon_x7Yz1_567_".
constexpr char kCanvasNames[] =
    R"((?:(?:LATE_)?(anon_[A-Za-z0-9]+)|(.+?)(?:_LATE)?_(\d+))_\d+_)";

class StudentNames {
  public:
    explicit StudentNames(std::string_view rule)
        : platform_(rule == kMoodle || rule == kCanvas ? rule : ""),
          regex_("(?:" +
                     (rule == kMoodle   ? kMoodleNames
                      : rule == kCanvas ? kCanvasNames
                                        : std::string(rule)) +
                     R"()([\s\S]*))",
                 kSyntax) {}

    std::optional<Whose> find(const std::string& name) const {
        std::smatch match;
        if (!std::regex_match(name, match, regex_)) return std::nullopt;
        Whose whose{match[1], "", match[match.size() - 1]};
        if (platform_ == kMoodle) whose.id = match[2];
        if (platform_ == kCanvas && whose.student.empty())
            whose = {match[2], match[3], std::move(whose.file)};
        if (whose.student.empty()) return std::nullopt;
        return whose;
    }

  private:
    std::string_view platform_;
    std::regex regex_;
};

std::string file_name(const std::string& path) { return fs::path(path).filename().string(); }

// A file itself and no link to one, which may lead to what is not the student's.
bool is_plain_file(const std::string& path) {
    std::error_code failed;
    return fs::symlink_status(path, failed).type() == fs::file_type::regular;
}

// What Canvas adds to a name that the student has used before: "bot.py" of "bot-1.py".
std::string without_number(const std::string& name) {
    const fs::path path(name);
    const std::string stem = path.stem().string();
    const auto last = stem.find_last_not_of("0123456789");
    if (last == stem.npos || last == 0 || last + 1 == stem.size() || stem[last] != '-')
        return name;
    return stem.substr(0, last) + path.extension().string();
}

// Only where no two files get one name.
void take_numbers_off(std::vector<Submission::Part>& files) {
    std::map<std::string, int> uses;
    for (const auto& file : files) {
        const std::string bare = without_number(file.name);
        ++uses[bare];
        if (bare != file.name) ++uses[file.name];
    }
    for (auto& file : files) {
        std::string bare = without_number(file.name);
        if (uses[bare] == 1) file.name = std::move(bare);
    }
}

// Each folder, and each archive without a folder of its name.
ClassList list_by_their_names(const std::vector<std::string>& paths) {
    ClassList list;
    std::set<std::string> folders;
    std::error_code failed;
    for (const std::string& path : paths) {
        if (fs::symlink_status(path, failed).type() == fs::file_type::directory)
            folders.insert(submission_name(path));
    }
    for (const std::string& path : paths) {
        Submission submission = submission_of(path);
        const bool is_file = fs::exists(path, failed) && !fs::is_directory(path, failed);
        const std::string& name = submission.parts.front().name;
        if (is_file &&
            (name.empty() || name.starts_with('.') || folders.contains(submission.name)))
            list.left_out.push_back(path);
        else
            list.submissions.push_back(std::move(submission));
    }
    return list;
}

// Two students of one name are told apart by their ids.
void name_apart(std::vector<Submission>& submissions) {
    std::map<std::string, int> count;
    for (const Submission& submission : submissions) ++count[submission.name];
    for (Submission& submission : submissions) {
        if (count[submission.name] > 1 && !submission.id.empty())
            submission.name += "_" + submission.id;
    }
}

}  // namespace

Result<void> check_student_rule(std::string_view rule) {
    if (rule.empty() || rule == kMoodle || rule == kCanvas) return {};
    const char* expected =
        "expected moodle, canvas, or a regular expression with one group, the student's name, "
        "such as '([a-z]+)_[0-9]+_'";
    if (rule.size() > kLongestRule)
        return bad_input("read {} bytes, {}", rule.size(), expected);
    try {
        const std::regex alone(std::string(rule), kSyntax);
        const StudentNames names(rule);  // with what it adds
        if (alone.mark_count() == 1) return {};
        return bad_input("read {} with {} groups, {}; (?:…) is no group",
                         protocol::quoted(rule), alone.mark_count(), expected);
    } catch (const std::regex_error& error) {
        return bad_input("read {}: {}; {}", protocol::quoted(rule), error.what(), expected);
    }
}

ClassList list_submissions(const std::vector<std::string>& paths, std::string_view rule) {
    if (rule.empty()) return list_by_their_names(paths);
    const StudentNames names(rule);
    ClassList list;
    std::map<std::pair<std::string, std::string>, std::size_t> with_files;
    for (const std::string& path : paths) {
        std::error_code failed;
        const bool is_folder = fs::is_directory(path, failed);
        const std::string name = is_folder ? submission_name(path) : file_name(path);
        auto whose = is_folder || is_plain_file(path) ? names.find(name) : std::nullopt;
        if (!whose || (rule == kCanvas && whose->file.empty())) {
            list.left_out.push_back(path);
            continue;
        }
        if (is_folder) {
            list.submissions.push_back({whose->student, whose->id, {{path, ""}}});
            continue;
        }
        const auto [at, is_new] =
            with_files.try_emplace({whose->student, whose->id}, list.submissions.size());
        if (is_new) list.submissions.push_back({whose->student, whose->id, {}});
        list.submissions[at->second].parts.push_back(
            {path, whose->file.empty() ? name : whose->file});
    }
    if (rule == kCanvas) {
        for (Submission& submission : list.submissions) take_numbers_off(submission.parts);
    }
    name_apart(list.submissions);
    return list;
}

void make_names_distinct(std::vector<Submission>& submissions,
                         std::span<const std::string_view> reserved) {
    std::vector<std::string> names(reserved.begin(), reserved.end());
    for (const Submission& submission : submissions) names.push_back(submission.name);
    make_names_distinct(names);
    for (std::size_t i = 0; i < submissions.size(); ++i) {
        Submission& submission = submissions[i];
        std::string& name = names[reserved.size() + i];
        if (name == submission.name) continue;
        submission.note =
            fmt::format("{} is called {} here, because {} is taken",
                        protocol::quoted(submission_name(submission.parts.front().path)),
                        protocol::quoted(name), protocol::quoted(submission.name));
        submission.name = std::move(name);
    }
}

std::string submission_name(const std::string& path) {
    fs::path normal = fs::path(path).lexically_normal();
    if (!normal.has_filename()) normal = normal.parent_path();
    std::error_code failed;
    if (normal.filename() == "." || normal.filename() == "..")
        normal = fs::canonical(path, failed);
    return normal.filename().string();
}

bool is_link(const Submission& submission) {
    const fs::path path = submission.parts.front().path;
    std::error_code failed;
    return fs::is_symlink(path.has_filename() ? path : path.parent_path(), failed);
}

Submission submission_of(const std::string& path) {
    std::string name = submission_name(path);
    const auto ending = archive_ending(name).size();
    std::error_code failed;
    if (ending == 0 || fs::is_directory(path, failed))
        return {std::move(name), "", {{path, ""}}};
    std::string stem = name.substr(0, name.size() - ending);
    return {std::move(stem), "", {{path, std::move(name)}}};
}

}  // namespace arena
