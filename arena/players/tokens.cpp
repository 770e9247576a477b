#include "arena/players/tokens.hpp"

#include <fcntl.h>
#include <openssl/crypto.h>
#include <openssl/rand.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "arena/base/bad_input.hpp"
#include "arena/base/files.hpp"
#include "arena/players/player_spec.hpp"
#include "arena/process/fingerprint.hpp"
#include "protocol/text.hpp"
#include "protocol/unique_fd.hpp"

namespace arena {
namespace {

using protocol::Error;
using protocol::Fault;
using protocol::Result;

constexpr std::size_t kSecretBytes = 16;  // 128 bits
constexpr std::size_t kHashDigits = 64;   // of SHA-256
constexpr std::string_view kHead =
    "# Tokens of nim-arena serve: SHA-256 of the secret, name.\n";

Error system_error(std::string_view what, const std::string& path, int error) {
    return {Fault::Disconnected,
            fmt::format("cannot {} {}: {}", what, protocol::quoted(path), std::strerror(error)),
            0};
}

bool is_hash(std::string_view text) {
    return text.size() == kHashDigits &&
           text.find_first_not_of("0123456789abcdef") == text.npos;
}

// A lock on the folder, because the file is replaced.
Result<protocol::UniqueFd> lock_folder_of(const std::string& path) {
    const auto parent = std::filesystem::path(path).parent_path().string();
    const std::string folder = parent.empty() ? "." : parent;
    protocol::UniqueFd locked(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!locked) return system_error("open the folder", folder, errno);
    while (::flock(locked.get(), LOCK_EX) != 0) {
        if (errno != EINTR) return system_error("lock the folder", folder, errno);
    }
    return locked;
}

// Gives a file the owner and the mode of the one that it replaces, so that its readers, such as
// a server of another user, can read it. Returns 0 or errno.
int take_after(const std::string& path, int file) {
    struct stat old {};
    if (::stat(path.c_str(), &old) != 0) return errno == ENOENT ? 0 : errno;
    struct stat now {};
    if (::fstat(file, &now) != 0) return errno;
    const bool has_owner = now.st_uid == old.st_uid && now.st_gid == old.st_gid;
    if (!has_owner && ::fchown(file, old.st_uid, old.st_gid) != 0) return errno;
    return ::fchmod(file, old.st_mode & 07777) == 0 ? 0 : errno;
}

// Writes a complete file to disk, then renames it: a reader sees the old or the new file, also
// after a power failure.
Result<void> replace_file(const std::string& path, std::string_view text, int folder) {
    std::string temporary = path + ".XXXXXX";
    const protocol::UniqueFd file(::mkostemp(temporary.data(), O_CLOEXEC));  // mode 0600
    if (!file) return system_error("create a file beside", path, errno);
    int error = take_after(path, file.get());
    if (error == 0) error = write_all(file.get(), text);
    if (error == 0 && ::fsync(file.get()) != 0) error = errno;
    if (error == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
    if (error == 0) {
        ::fsync(folder);
        return {};
    }
    ::unlink(temporary.c_str());
    return system_error("write", path, error);
}

// The file that symbolic links lead to, which is replaced instead of a link; it may not be
// there yet.
std::string behind_links(const std::string& path) {
    constexpr int kMostLinks = 40;
    std::filesystem::path real = path;
    std::error_code no_link;
    for (int i = 0; i < kMostLinks; ++i) {
        const auto target = std::filesystem::read_symlink(real, no_link);
        if (no_link) break;
        real = real.parent_path() / target;
    }
    return real.string();
}

// Reads the file, lets `change` change its entries, and writes it.
Result<void> update(const std::string& path, bool create,
                    const std::function<Result<void>(std::vector<Tokens::Entry>&)>& change) {
    const std::string real = behind_links(path);
    const auto folder = lock_folder_of(real);
    if (!folder) return folder.error();
    std::vector<Tokens::Entry> entries;
    const bool missing = ::access(path.c_str(), F_OK) != 0 && errno == ENOENT;
    if (!missing || !create) {
        const auto present = Tokens::load(path);
        if (!present) return present.error();
        entries = present->entries();
    }
    const auto changed = change(entries);
    if (!changed) return changed;
    std::string text(kHead);
    for (const Tokens::Entry& entry : entries) {
        text += entry.hash + " " + entry.name + "\n";
    }
    return replace_file(real, text, folder->get());
}

}  // namespace

Result<Tokens> Tokens::load(const std::string& path) {
    // Nonblocking: a pipe in place of the file would block the server.
    const protocol::UniqueFd file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    struct stat status {};
    if (file && ::fstat(file.get(), &status) == 0 && !S_ISREG(status.st_mode))
        return bad_input("cannot read {}: expected a regular file", protocol::quoted(path));
    const auto text = read_file(file ? fmt::format("/proc/self/fd/{}", file.get()) : path);
    if (!text) return file ? bad_input("cannot read {}", protocol::quoted(path)) : text.error();
    auto tokens = parse(*text, path);
    constexpr mode_t kByOthers = S_IWGRP | S_IWOTH;
    if (tokens && (status.st_mode & kByOthers) != 0) {
        tokens->warning_ = fmt::format(
            "{} may be written by others than its owner, who could play under any name: chmod "
            "go-w {}",
            protocol::quoted(path), protocol::printable(path));
    }
    return tokens;
}

Result<Tokens> Tokens::parse(std::string_view text, const std::string& path) {
    Tokens tokens;
    std::set<std::string> taken;
    std::map<std::string, std::string> owners;  // by hash
    for (std::size_t number = 1; !text.empty(); ++number) {
        const auto end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end == text.npos ? text.size() : end + 1);
        if (line.ends_with('\r')) line.remove_suffix(1);
        line = protocol::trim(line);
        if (line.empty() || line.starts_with('#')) continue;
        const auto blank = std::min(line.find(' '), line.size());
        const std::string hash(line.substr(0, blank));
        const std::string name(protocol::trim(line.substr(blank)));
        const auto named = check_token_name(name);
        if (!is_hash(hash) || !named) {
            return bad_input(
                "{}, line {}: read {}, expected the 64 hexadecimal digits of a SHA-256 and a "
                "name, as nim-arena token add writes them",
                protocol::quoted(path), number, protocol::quoted(line));
        }
        if (!taken.insert(name).second) {
            return bad_input("{}, line {}: {} has a token already, expected one each",
                             protocol::quoted(path), number, protocol::quoted(name));
        }
        const auto [owner, is_new] = owners.emplace(hash, name);
        if (!is_new) {
            return bad_input("{}, line {}: the same token as {}, expected one each",
                             protocol::quoted(path), number, protocol::quoted(owner->second));
        }
        tokens.entries_.push_back({name, hash});
    }
    return tokens;
}

Result<void> TokenFile::open(const std::string& path) {
    path_ = path;
    return refresh();
}

Result<void> TokenFile::refresh() {
    const auto now = stamp();
    if (now && now == stamp_) return {};
    auto loaded = Tokens::load(path_);
    if (loaded) {
        tokens_ = *std::move(loaded);
        stamp_ = now;
        reported_.clear();
        return {};
    }
    if (std::exchange(reported_, loaded.error().text) == loaded.error().text) return {};
    return loaded.error();
}

std::optional<TokenFile::Stamp> TokenFile::stamp() const {
    struct stat status {};
    if (::stat(path_.c_str(), &status) != 0) return std::nullopt;
    return Stamp{static_cast<std::int64_t>(status.st_ino),
                 status.st_mtim.tv_sec,
                 status.st_mtim.tv_nsec,
                 status.st_ctim.tv_sec,  // its mode, too
                 status.st_ctim.tv_nsec,
                 status.st_size};
}

std::optional<std::string> Tokens::owner(std::string_view secret) const {
    const std::string hash = sha256_of(secret);
    const Entry* found = nullptr;
    for (const Entry& entry : entries_) {
        const bool same = ::CRYPTO_memcmp(entry.hash.data(), hash.data(), hash.size()) == 0;
        found = same ? &entry : found;
    }
    if (found == nullptr) return std::nullopt;
    return found->name;
}

Result<void> check_token_name(std::string_view name) {
    if (name.empty()) return bad_input("expected a name, found nothing");
    if (shown_name(name) == name && protocol::trim(name) == name && !name.starts_with('-')) {
        return {};
    }
    return bad_input(
        "read the name {}, expected up to 40 columns of UTF-8 without control "
        "characters, without "
        "blanks at its ends, and no '-' in front",
        protocol::quoted(name));
}

Result<std::string> draw_secret() {
    std::array<unsigned char, kSecretBytes> random{};
    if (::RAND_bytes(random.data(), static_cast<int>(random.size())) != 1) {
        return Error{Fault::Disconnected, "the system gives no random numbers", 0};
    }
    return fmt::format("{:02x}", fmt::join(random, ""));
}

Result<std::string> add_token(const std::string& path, const std::string& name) {
    const auto named = check_token_name(name);
    if (!named) return named.error();
    const auto secret = draw_secret();
    if (!secret) return secret;
    const auto added =
        update(path, true, [&](std::vector<Tokens::Entry>& entries) -> Result<void> {
            if (std::ranges::find(entries, name, &Tokens::Entry::name) != entries.end()) {
                return bad_input(
                    "{} has a token in {} already: remove it first, then the old one is void",
                    protocol::quoted(name), protocol::quoted(path));
            }
            entries.push_back({name, sha256_of(*secret)});
            return {};
        });
    if (!added) return added.error();
    return secret;
}

Result<void> remove_token(const std::string& path, const std::string& name) {
    return update(path, false, [&](std::vector<Tokens::Entry>& entries) -> Result<void> {
        if (std::erase_if(entries, [&](const auto& entry) { return entry.name == name; }) > 0) {
            return {};
        }
        return bad_input("{} has no token in {}", protocol::quoted(name),
                         protocol::quoted(path));
    });
}

}  // namespace arena
