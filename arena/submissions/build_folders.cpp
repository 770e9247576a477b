// Paths are compared as the kernel resolves them: a link, `..` or a slash at the end may hide
// that two of them are one folder.
#include "arena/submissions/build_folders.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "arena/base/bad_input.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

namespace fs = std::filesystem;
using protocol::Result;

bool holds(const fs::path& outer, const fs::path& inner) {
    return std::ranges::mismatch(outer, inner).in1 == outer.end();
}

bool overlap(const fs::path& a, const fs::path& b) { return holds(a, b) || holds(b, a); }

}  // namespace

fs::path resolved(const fs::path& path) {
    std::error_code failed;
    fs::path real = fs::weakly_canonical(fs::absolute(path), failed);
    if (failed) real = fs::absolute(path).lexically_normal();
    return real.has_filename() ? real : real.parent_path();
}

Result<void> check_build_folders(const std::string& place, std::string_view what,
                                 const std::vector<Submission>& submissions) {
    const fs::path root = resolved(place);
    for (const Submission& submission : submissions) {
        const std::string& name = submission.name;
        if (name.empty()) {
            return bad_input(
                "{}: a submission is known by the name of its folder, expected a folder that "
                "has one",
                protocol::quoted(submission.parts.front().path));
        }
        for (const Submission::Part& part : submission.parts) {
            const fs::path real = resolved(part.path);
            if (!overlap(root, real) && !overlap(resolved(root / name), real)) continue;
            return bad_input(
                "{} {} and the submission {} lie in one another, expected folders apart", what,
                protocol::quoted(place), protocol::quoted(part.path));
        }
    }
    return {};
}

}  // namespace arena
