// The bytes of a record: whatever is damaged, the rest can be read, shown, exported and added
// up. Each input is a file of SQLite.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <variant>

#include "arena/commands/options.hpp"
#include "arena/contest/format_table.hpp"
#include "arena/record/open_store.hpp"
#include "arena/report/record_head.hpp"
#include "arena/report/summary.hpp"
#include "engine/sums/analyst.hpp"
#include "tests/fuzz/require.hpp"

namespace {

using arena::Store;

void check_games(Store& store, const arena::RecordHead& head) {
    std::vector<arena::GameKey> keys;
    const auto read = store.for_each_game([&](const arena::GameRecord& record) {
        require(head.has_players(record.task.players));
        require(record.times.size() == record.moves.size());
        require(!show_text(record, {}, head.names).empty());
        keys.push_back(record.task.key);
        return keys.size() < 100;
    });
    if (!read) return;
    for (const arena::GameKey& key : keys) static_cast<void>(store.game(key));
}

// As `standings` does.
void check_format(Store& store, const arena::RecordHead& head) {
    const auto options = arena::recorded_format(head.configuration, head.entrants);
    if (!options) return;
    const auto format = arena::make_format(*options);
    if (!format) return;
    const auto read = for_each_event(store, [&](const arena::Event& event) {
        std::visit([&](const auto& what) { (*format)->add(what); }, event.what);
    });
    if (!read) return;
    static_cast<void>((*format)->rounds_reached());
    static_cast<void>(bracket_text((*format)->bracket(), head.names));
}

void check_record(const std::string& path, const engine::Analyst& analyst) {
    const auto store = arena::open_sqlite_store(path, true);
    if (!store) return;
    const auto head = arena::read_head(**store);
    if (!head) return;
    check_games(**store, *head);
    check_format(**store, *head);
    // Without grades, because they need the solver, which may be slow.
    for (const auto format : {arena::ExportFormat::Pgn, arena::ExportFormat::JsonLines,
                              arena::ExportFormat::CrossTable, arena::ExportFormat::Starts}) {
        static_cast<void>(
            arena::export_record(**store, format, analyst, [](const auto&) { return true; }));
    }
    static_cast<void>(arena::pages::summarize(**store, {}));
    static_cast<void>((*store)->damage());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const auto analyst = engine::make_analyst();
    static const std::string folder = [] {
        const char* given = std::getenv("TMPDIR");
        std::string path =
            std::string(given == nullptr ? "/tmp" : given) + "/fuzz_record_XXXXXX";
        require(::mkdtemp(path.data()) != nullptr);
        return path;
    }();
    const std::string path = folder + "/record.db";
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    require(file >= 0 && ::write(file, data, size) == static_cast<ssize_t>(size));
    ::close(file);
    check_record(path, *analyst);
    for (const char* end : {"", "-wal", "-shm", "-journal"}) ::unlink((path + end).c_str());
    return 0;
}
