#include "arena/tournament_init.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

#include "arena/console.hpp"
#include "arena/exit_codes.hpp"
#include "arena/record.hpp"
#include "arena/tournament_file.hpp"
#include "protocol/text.hpp"
#include "protocol/unique_fd.hpp"

namespace arena {
namespace {

constexpr std::string_view kUsage =
    "Usage: nim-arena init [FILE.toml]\n\n"
    "Writes a commented example of a tournament to FILE.toml (default: tournament.toml; -:\n"
    "standard output), unless that is there already.\n";

int complain_of(const std::string& path, const char* what, int error) {
    complain(fmt::format("nim-arena init: cannot {} {}: {}\n", what, protocol::quoted(path),
                         std::strerror(error)));
    return kExitInternal;
}

int print(std::string_view text) {
    Console console(stdout);
    console.write(text);
    return console.finish(kExitPlayed);
}

}  // namespace

int write_example(const std::vector<std::string>& arguments) {
    const std::string path = arguments.empty() ? "tournament.toml" : arguments.front();
    if (path == "--help" || path == "-h") return print(kUsage);
    if (path == "-") return print(kExampleTournament);
    if (arguments.size() > 1 || path.empty() || path.starts_with('-')) {
        complain(fmt::format("nim-arena init: read {}, expected one FILE.toml\n",
                             protocol::quoted(arguments.back())));
        return kExitUsage;
    }
    const protocol::UniqueFd file(
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (file.get() < 0) return complain_of(path, "create", errno);
    const int error = write_all(file.get(), kExampleTournament);
    if (error != 0) return complain_of(path, "write", error);
    return print(fmt::format("wrote {}; next: nim-arena tournament {}\n",
                             protocol::printable(path), protocol::printable(path)));
}

}  // namespace arena
