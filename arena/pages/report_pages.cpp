#include "arena/pages/report_pages.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "arena/pages/index_page.hpp"
#include "arena/pages/player_page.hpp"
#include "arena/pages/summary.hpp"
#include "protocol/text.hpp"

namespace arena::pages {
namespace {

using protocol::Error;
using protocol::Fault;
using protocol::Result;

Error refuse(const std::filesystem::path& path, const std::string& why) {
    return Error{Fault::BadInput, protocol::quoted(path.string()) + ": " + why};
}

// Behind another name until it is whole.
Result<void> write_file(const std::filesystem::path& path, const std::string& text) {
    std::filesystem::path part = path;
    part += ".part";
    errno = 0;
    std::ofstream file(part, std::ios::binary | std::ios::trunc);
    file << text;
    file.close();
    if (!file) return refuse(path, std::string("cannot be written: ") + std::strerror(errno));
    std::error_code failed;
    std::filesystem::rename(part, path, failed);
    if (failed) return refuse(path, "cannot be written: " + failed.message());
    return {};
}

}  // namespace

Result<void> prepare_directory(const std::string& directory) {
    std::error_code failed;
    std::filesystem::create_directories(directory, failed);
    if (failed) return refuse(directory, "cannot be created: " + failed.message());
    const std::filesystem::path part = std::filesystem::path(directory) / "index.html.part";
    errno = 0;
    const bool made = std::ofstream(part, std::ios::binary | std::ios::trunc).is_open();
    if (!made) {
        return refuse(directory, std::string("cannot be written to: ") + std::strerror(errno));
    }
    std::filesystem::remove(part, failed);
    return {};
}

Result<PagesWritten> write_pages(Store& store, const engine::Analyst& analyst,
                                 const engine::Budget& budget, const PageOptions& options) {
    const std::filesystem::path directory(options.directory);
    const auto prepared = prepare_directory(options.directory);
    if (!prepared) return prepared.error();

    const auto summary = summarize(store, options);
    if (!summary) return summary.error();
    PagesWritten written{0, summary->games, summary->not_analysed};
    for (std::size_t player = 0; player < summary->entrants.size(); ++player) {
        const auto done = write_file(directory / file_of_player(player),
                                     player_page(*summary, player, analyst, budget));
        if (!done) return done.error();
        ++written.files;
    }
    const auto done = write_file(directory / "index.html", index_page(*summary));
    if (!done) return done.error();
    ++written.files;
    return written;
}

}  // namespace arena::pages
