#include "arena/process/fingerprint.hpp"

#include <fcntl.h>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "protocol/unique_fd.hpp"

namespace arena {
namespace {

namespace fs = std::filesystem;

// The first `size` bytes: a file that grows does not hold us up, and by O_NONBLOCK neither does
// what has become a pipe since.
void add_contents(Sha256& sum, const fs::path& path, std::size_t size) {
    const protocol::UniqueFd file(
        ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (file.get() < 0) return;
    std::vector<char> block(std::size_t{1} << 16);
    while (size > 0) {
        const auto count = ::read(file.get(), block.data(), std::min(block.size(), size));
        if (count <= 0) return;
        sum.add({block.data(), static_cast<std::size_t>(count)});
        size -= static_cast<std::size_t>(count);
    }
}

// .git, and what Python compiles.
bool is_written_by_tools(const fs::path& path, const fs::path& folder) {
    if (path.filename() == ".git") return path.parent_path() == folder;
    return path.filename() == "__pycache__" ||
           (path.extension() == ".pyc" && path.parent_path().filename() == "__pycache__");
}

// As texts: a fs::path takes many times the memory of its text.
std::vector<std::string> paths_below(const fs::path& folder) {
    std::vector<std::string> paths;
    std::error_code failed;
    constexpr auto kSkip = fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator entry(folder, kSkip, failed), end;
         !failed && entry != end; entry.increment(failed)) {
        if (!is_written_by_tools(entry->path(), folder))
            paths.push_back(entry->path().native());
        else if (entry->path().filename() == ".git")
            entry.disable_recursion_pending();
    }
    std::ranges::sort(paths);
    return paths;
}

}  // namespace

Sha256::Sha256() : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
    EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr);
}

void Sha256::add(std::string_view bytes) {
    EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size());
}

std::string Sha256::hex() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    EVP_DigestFinal_ex(context_.get(), digest.data(), &size);
    std::string text;
    for (unsigned i = 0; i < size; ++i) text += fmt::format("{:02x}", digest[i]);
    return text;
}

std::string sha256_of(std::string_view bytes) {
    Sha256 sum;
    sum.add(bytes);
    return sum.hex();
}

// Each part is preceded by its length, so that no two folders give the same bytes.
std::string fingerprint_of(const fs::path& folder) {
    Sha256 sum;
    const auto add_text = [&sum](const std::string& text) {
        sum.add(fmt::format("{} ", text.size()));
        sum.add(text);
    };
    for (const std::string& path : paths_below(folder)) {
        struct stat status {};
        if (::lstat(path.c_str(), &status) != 0) continue;
        add_text(fs::path(path).lexically_relative(folder).string());
        const bool is_file = S_ISREG(status.st_mode);
        sum.add(fmt::format("{:o} {} {} ", status.st_mode & S_IFMT,
                            is_file && (status.st_mode & S_IXUSR) != 0,
                            is_file ? status.st_size : 0));
        std::error_code failed;
        if (S_ISLNK(status.st_mode)) add_text(fs::read_symlink(path, failed).string());
        if (is_file) add_contents(sum, path, static_cast<std::size_t>(status.st_size));
    }
    return sum.hex();
}

}  // namespace arena
