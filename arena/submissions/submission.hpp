// What students have handed in, and whose it is: folders, archives of one, and what learning
// platforms give out.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/result.hpp"

namespace arena {

struct Submission {
    struct Part {
        std::string path;  // of a file, or of the folder that is all
        std::string name;  // of a file, as the student called it
    };
    std::string name;  // the student's, and of a folder in the results: two have different ones
    std::string id;    // by which a platform knows the student; empty: by the name
    std::vector<Part> parts;
    std::string note{};  // why it has not the name that was handed in; empty: it has
};

// The values of a rubric's `student` that are no regular expressions.
inline constexpr std::string_view kMoodle = "moodle";
inline constexpr std::string_view kCanvas = "canvas";

// A rule is empty, or says where the student's name is in the names of files and folders: the
// name of a platform, or a regular expression with one group, which a name begins with.
protocol::Result<void> check_student_rule(std::string_view rule);

struct ClassList {
    std::vector<Submission> submissions;  // in the order of the paths
    std::vector<std::string> left_out;    // paths that are no one's
};
// Whose the files and folders are. Without a rule each folder and each archive is a submission,
// called as it is called; with one, each folder and all files of a student.
ClassList list_submissions(const std::vector<std::string>& paths, std::string_view rule);

// Gives each submission a name of its own, none of `reserved`: the second ann is "ann (2)".
void make_names_distinct(std::vector<Submission>& submissions,
                         std::span<const std::string_view> reserved);

// The last name of a path, and of "." and ".." that of the folder.
std::string submission_name(const std::string& path);
// Whether it is a link, which may lead to another's submission, and is not followed.
bool is_link(const Submission& submission);
// A folder or an archive, as it is called.
Submission submission_of(const std::string& path);

}  // namespace arena
