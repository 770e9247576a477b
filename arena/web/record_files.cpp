#include "arena/web/record_pages.hpp"

#include <sys/stat.h>

#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "arena/record/open_store.hpp"
#include "protocol/text.hpp"

namespace arena::web {
namespace {

using protocol::Result;

// The stem of the path; runs of characters that an address cannot have become one hyphen.
std::string address_name(const std::string& path) {
    constexpr std::string_view kPlain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._~-";
    std::string name;
    const auto end = is_database(path) ? path.find('?') : path.npos;
    for (const char c : std::filesystem::path(path.substr(0, end)).stem().string()) {
        if (kPlain.find(c) != kPlain.npos) {
            name += c;
        } else if (!name.ends_with('-')) {
            name += '-';
        }
    }
    // A browser removes "." and ".." from an address.
    const bool dots = name.find_first_not_of('.') == name.npos;
    return dots ? "record" : name;
}

Result<std::string> title_of(const std::string& path, const std::string& name) {
    const auto store = open_store(path, {.read_only = true});
    if (!store) return store.error();
    const auto configuration = whole_configuration(**store);
    if (!configuration) return configuration.error();
    for (const auto& [key, value] : *configuration) {
        if (key == "name" && !value.empty()) return protocol::printable(value, 200);
    }
    return name;
}

}  // namespace

Result<std::vector<RecordFile>> find_records(const std::vector<std::string>& paths) {
    std::vector<RecordFile> records;
    std::set<std::string> taken{"style.css", "report.js"};  // served next to the records
    for (const std::string& path : paths) {
        const std::string stem = address_name(path);
        std::string name = stem;
        for (int i = 2; !taken.insert(name).second; ++i) name = fmt::format("{}-{}", stem, i);
        const auto title = title_of(path, name);
        if (!title) return title.error();
        records.push_back({name, path, *title});
    }
    return records;
}

// New games go into SQLite's write-ahead log first. An empty log counts as none, because
// reading leaves one.
std::string record_version(const std::string& path) {
    if (is_database(path)) return database_version(path);
    std::string version;
    for (const char* suffix : {"", "-wal"}) {
        struct stat file {};
        if (::stat((path + suffix).c_str(), &file) != 0 || file.st_size == 0) continue;
        version += fmt::format("{}:{}:{}.{:09};", file.st_ino, file.st_size,
                               file.st_mtim.tv_sec, file.st_mtim.tv_nsec);
    }
    return version;
}

}  // namespace arena::web
