#include "arena/process/executables.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>

#include "arena/base/shell_words.hpp"
#include "arena/process/fingerprint.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMaxExecutable = 256 * 1024 * 1024;

std::optional<std::string> sha256(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return std::nullopt;
    Sha256 sum;
    std::array<char, 64 * 1024> block;
    while (file.read(block.data(), block.size()) || file.gcount() > 0) {
        sum.add({block.data(), static_cast<std::size_t>(file.gcount())});
    }
    if (file.bad()) return std::nullopt;
    return sum.hex();
}

bool is_small_file(const fs::path& path) {
    std::error_code error;
    return fs::is_regular_file(path, error) && fs::file_size(path, error) <= kMaxExecutable &&
           !error;
}

// Whether a path is outside a folder, or a link leads there; or nothing is there.
bool leads_out(const fs::path& folder, const fs::path& path) {
    std::error_code no_folder;
    std::error_code nothing;
    const fs::path home = fs::canonical(folder, no_folder);
    const fs::path real = fs::canonical(path, nothing);
    if (no_folder || nothing) return true;
    return std::ranges::mismatch(home, real).in1 != home.end();
}

}  // namespace

std::vector<std::string> places_in_path(const std::string& name, std::string_view path) {
    std::vector<std::string> places;
    for (;;) {
        const std::string_view folder = path.substr(0, path.find(':'));
        places.push_back((folder.empty() ? "." : std::string(folder)) + "/" + name);
        if (folder.size() == path.size()) return places;
        path.remove_prefix(folder.size() + 1);
    }
}

std::optional<std::string> find_program(const std::string& name, const std::string& directory) {
    if (name.find('/') != name.npos) return (fs::path(directory) / name).string();
    const char* path = std::getenv("PATH");
    for (const auto& place : places_in_path(name, path == nullptr ? kDefaultPath : path)) {
        const fs::path candidate = fs::path(directory) / place;
        if (is_small_file(candidate) && ::access(candidate.c_str(), X_OK) == 0)
            return candidate.string();
    }
    return std::nullopt;
}

std::string hash_executables(const Program& spec) {
    if (spec.command.empty()) return {};
    return hash_executables(spec, find_program(spec.command.front(), spec.directory));
}

std::string hash_executables(const Program& spec, const std::optional<std::string>& program,
                             bool folders) {
    if (spec.command.empty()) return {};
    const fs::path directory =
        spec.directory.empty() ? fs::path(".") : fs::path(spec.directory);
    std::string text;
    const auto add = [&text, folders](const fs::path& path) {
        std::error_code failed;
        const bool is_folder = folders && fs::is_directory(path, failed);
        if (!is_folder && !is_small_file(path)) return;
        const auto hash = is_folder ? fingerprint_of(path) : sha256(path);
        if (!hash) return;
        if (!text.empty()) text += '\n';
        text += *hash + "  " + protocol::printable(path.lexically_normal().string());
    };
    // `folders`: the words are a stranger's. A program of the system may be named in full.
    const auto may_add = [&](const fs::path& path) {
        return !folders || !leads_out(directory, path);
    };
    const std::string& name = spec.command.front();
    const bool is_of_system = name.find('/') == name.npos || name.starts_with('/');
    if (program && (is_of_system || may_add(*program))) add(*program);
    for (std::size_t i = 1; i < spec.command.size(); ++i) {
        const fs::path path = directory / spec.command[i];
        if (may_add(path)) add(path);
    }
    return text;
}

std::optional<Program> program_of_shell(const Program& spec) {
    constexpr std::string_view kExec = "exec ";
    const auto& words = spec.command;
    if (words.size() != 3 || words[0] != "/bin/sh" || words[1] != "-c") return std::nullopt;
    if (!words[2].starts_with(kExec)) return std::nullopt;
    auto inner = split_shell_words(std::string_view(words[2]).substr(kExec.size()));
    if (!inner || inner->empty()) return std::nullopt;
    return Program{*std::move(inner), spec.directory, spec.name, {}};
}

}  // namespace arena
