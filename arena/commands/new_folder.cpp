#include "arena/commands/new_folder.hpp"

#include <fcntl.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include "arena/base/bad_input.hpp"
#include "arena/base/files.hpp"
#include "protocol/text.hpp"
#include "protocol/unique_fd.hpp"

namespace arena {

using protocol::Result;
namespace fs = std::filesystem;

namespace {

protocol::Error folder_failure(std::string_view what, const fs::path& path,
                               const std::string& why) {
    return bad_input("cannot {} {}: {}", what, protocol::quoted(path.string()), why);
}

}  // namespace

Result<void> make_empty_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) return folder_failure("make the folder", folder, error.message());
    const fs::directory_iterator first(folder, error);
    if (error) return folder_failure("read the folder", folder, error.message());
    if (first == fs::directory_iterator()) return {};
    return bad_input("{} is not empty, expected a new folder or an empty one: give another DIR",
                     protocol::quoted(folder.string()));
}

Result<void> write_new_file(const fs::path& path, std::string_view text) {
    std::error_code error;
    const fs::path folder = fs::absolute(path, error).parent_path();
    fs::create_directories(folder, error);
    if (error) return folder_failure("make the folder", folder, error.message());
    const mode_t mode = text.starts_with("#!") ? 0777 : 0666;
    const protocol::UniqueFd file(
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
    if (file.get() < 0) return folder_failure("create", path, std::strerror(errno));
    const int written = write_all(file.get(), text);
    if (written != 0) return folder_failure("write", path, std::strerror(written));
    return {};
}

Result<void> write_files(const std::vector<EmbeddedFile>& files, std::string_view prefix,
                         const fs::path& folder) {
    for (const EmbeddedFile& file : files) {
        if (!file.name.starts_with(prefix)) continue;
        const auto written =
            write_new_file(folder / file.name.substr(prefix.size()), file.text);
        if (!written) return written;
    }
    return {};
}

}  // namespace arena
