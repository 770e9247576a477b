#include "arena/export/export.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "arena/console.hpp"
#include "arena/exit_codes.hpp"
#include "arena/export/csv.hpp"
#include "arena/export/pgn.hpp"
#include "arena/export/record_head.hpp"
#include "arena/record.hpp"
#include "arena/statistics/game_analysis.hpp"
#include "arena/statistics/player_statistics.hpp"
#include "arena/store/sqlite_store.hpp"
#include "engine/solver/analyst.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Result;

using Write = std::function<void(const std::string&)>;


template <typename Visit>
Result<void> for_each(Store& store, const Visit& visit) {
    return store.for_each_game([&](const StoredGame& game) {
        visit(game);
        return true;
    });
}

// As it was noted, else made now.
GameAnalysis analysis_of(const StoredGame& game, const engine::Analyst& analyst) {
    auto noted = parse_game_analysis(game.annotation);
    if (noted) return *std::move(noted);
    return analyse_game(game.record, analyst, {Clock::now() + kAnalysisTime, {}});
}

int fail(const std::string& text) {
    complain(fmt::format("nim-arena: {}\n", text));
    return kExitInternal;
}

bool is_same_file(const std::string& one, const std::string& other) {
    std::error_code error;
    return std::filesystem::equivalent(one, other, error);
}

int export_to_file(Store& store, const ExportOptions& options, const engine::Analyst& analyst) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(
        std::fopen(options.output.c_str(), "we"), std::fclose);
    const auto cannot = [&](const char* what) {
        return fail(fmt::format("cannot {} {}: {}", what, protocol::quoted(options.output),
                                std::strerror(errno)));
    };
    if (!file) return cannot("open");
    const auto done = export_record(
        store, options.format, analyst,
        [&](const std::string& text) { std::fwrite(text.data(), 1, text.size(), file.get()); });
    if (!done) return fail(done.error().text);
    if (std::fflush(file.get()) != 0 || std::ferror(file.get()) != 0) return cannot("write to");
    return kExitPlayed;
}

}  // namespace

Result<void> export_record(Store& store, ExportFormat format, const engine::Analyst& analyst,
                           const Write& write) {
    const auto head = read_head(store);
    if (!head) return head.error();
    switch (format) {
        case ExportFormat::Pgn:
            return for_each(store, [&](const StoredGame& game) {
                write(pgn(game.record, head->names, head->event));
            });
        case ExportFormat::JsonLines:
            return for_each(store, [&](const StoredGame& game) {
                write(json_line(game.record, head->names, head->seed) + "\n");
            });
        case ExportFormat::CrossTable: {
            CrossTable table;
            const auto read =
                for_each(store, [&](const StoredGame& game) { table.add(game.record); });
            if (!read) return read;
            const auto byes = bye_points(store, *head);
            if (!byes) return byes.error();
            write(table.text(head->names, *byes));
            return {};
        }
        case ExportFormat::Grades: {
            PlayerStatistics statistics(head->names.size());
            const auto read = for_each(store, [&](const StoredGame& game) {
                statistics.add(game.record, analysis_of(game, analyst));
            });
            if (!read) return read;
            const auto byes = bye_points(store, *head);
            if (!byes) return byes.error();
            write(grade_table(statistics.players(), head->names, *byes));
            return {};
        }
    }
    return {};
}

int run_export(const ExportOptions& options, const Guardian&) {
    const auto store = open_sqlite_store(options.record, true);
    if (!store) return fail(store.error().text);
    const auto analyst = engine::make_analyst();
    if (options.output == "-") {
        Console console(stdout);
        const auto done = export_record(**store, options.format, *analyst,
                                        [&](const std::string& text) { console.write(text); });
        if (!done) return fail(done.error().text);
        return console.finish(kExitPlayed);
    }
    if (is_same_file(options.output, options.record)) {
        complain(
            fmt::format("nim-arena export: --output: read {}, expected another file than "
                        "the record itself\n",
                        protocol::quoted(options.output)));
        return kExitUsage;
    }
    return export_to_file(**store, options, *analyst);
}

}  // namespace arena
