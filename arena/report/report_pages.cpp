#include "arena/report/report_pages.hpp"

#include <cstring>
#include <filesystem>

#include "arena/base/bad_input.hpp"
#include "arena/base/files.hpp"
#include "arena/report/index_page.hpp"
#include "arena/report/summary.hpp"
#include "protocol/text.hpp"

namespace arena::pages {
namespace {

// Nimbers are an extra: they may take this long beyond the analysis.
constexpr std::chrono::seconds kNimberTime{20};

using protocol::Result;

Result<void> write_file(const std::filesystem::path& path, const std::string& text) {
    const int error = replace_file(path, text);
    if (error == 0) return {};
    return bad_input("{}: cannot be written: {}", protocol::quoted(path.string()),
                     std::strerror(error));
}

}  // namespace

Result<void> prepare_directory(const std::string& directory) {
    std::error_code failed;
    std::filesystem::create_directories(directory, failed);
    if (failed)
        return bad_input("{}: cannot be created: {}", protocol::quoted(directory),
                         failed.message());
    const auto index = std::filesystem::path(directory) / "index.html";
    if (const int error = try_to_replace(index.string()); error != 0) {
        return bad_input("{}: cannot be written to: {}", protocol::quoted(directory),
                         std::strerror(error));
    }
    return {};
}

Result<PagesWritten> write_pages(Store& store, const engine::Analyst& analyst,
                                 const PageOptions& options) {
    const std::filesystem::path directory(options.directory);
    const auto prepared = prepare_directory(options.directory);
    if (!prepared) return prepared.error();

    const auto summary = summarize(store, options);
    if (!summary) return summary.error();
    const engine::Budget budget{SteadyClock::now() + kNimberTime, options.stop};
    const std::size_t players = summary->entrants.size();
    for (std::size_t player = 0; player < players; ++player) {
        const auto done = write_file(directory / file_of_player(player),
                                     player_page(*summary, player, analyst, budget));
        if (!done) return done.error();
    }
    const auto done = write_file(directory / "index.html", index_page(*summary));
    if (!done) return done.error();
    return PagesWritten{players + 1, summary->games, summary->not_analysed};
}

}  // namespace arena::pages
