// `nim-arena status`: which machines play into a shared record, and how far they are.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "arena/base/console.hpp"
#include "arena/base/counted.hpp"
#include "arena/base/exit_codes.hpp"
#include "arena/base/text_table.hpp"
#include "arena/commands/commands.hpp"
#include "arena/commands/options.hpp"
#include "arena/contest/format_table.hpp"
#include "arena/record/open_store.hpp"
#include "arena/record/sharing.hpp"
#include "arena/report/record_head.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

namespace json = boost::json;

constexpr std::string_view kStatusHead =
    R"(Usage: nim-arena status postgresql://[USER@]HOST/DATABASE [OPTION]...

Shows which processes play for a tournament in a database, and how far it is:
machines, their speed as a share of the first one's, their load, the games that
each has recorded, its games a second in the last minute or so, the pairs that
it has claimed.

)";

constexpr std::string_view kStatusTail = R"(
Examples:
  nim-arena status postgresql://arena@db.example.org/spring
  watch nim-arena status postgresql:///spring

Exit status:
  0  printed
  1  the record cannot be read
  2  the command line is wrong
  7  the database does not answer
)";

// ---- reading ----

Result<std::optional<std::uint64_t>> total_games(const RecordHead& head) {
    const auto options = recorded_format(head.configuration, head.entrants);
    if (!options) return options.error();
    const auto format = make_format(*options);
    if (!format) return format.error();
    for (const Entrant& entrant : head.entrants) (*format)->add(entrant);
    return games_in_all(head.configuration, **format);
}

// ---- telling ----

std::string progress_line(const ContestStatus& status) {
    std::string line =
        fmt::format("{}: {}, {}: {}", protocol::printable(status.name), status.format,
                    counted(status.players, "player"), status.games());
    if (status.total) line += fmt::format(" of {}", *status.total);
    line += " games";
    if (status.queue.is_finished) return line + ", over";
    line += fmt::format(", {:.1f} games/s", rate_of(status.workers));
    if (const auto left = status.seconds_left())
        line += ", " + duration_text(static_cast<std::uint64_t>(std::ceil(*left))) + " left";
    return line;
}

std::string queue_line(const ContestStatus& status) {
    const auto live = std::ranges::count(status.workers, true, &WorkerStatus::is_live);
    // A sequential test or --max-games leaves some out.
    const bool is_over = status.queue.is_finished;
    return fmt::format("{} at work; {} {}, {} are being played; {}",
                       counted(static_cast<std::uint64_t>(live), "worker"),
                       counted(status.queue.waiting, "pair"),
                       is_over && status.queue.waiting > 0 ? "are not needed" : "wait",
                       status.queue.leased,
                       status.queue.has_planner ? "rounds are planned"
                       : is_over                ? "nothing is left to be planned"
                                                : "no process plans rounds at the moment");
}

OptionTable status_table(StatusOptions& options) {
    return {flag({"Options", "json", nullptr, "print one JSON object instead"}, options.json)};
}

Result<void> finish_status(StatusOptions& options) {
    if (is_database(options.record)) return {};
    return bad_input("read {}, expected postgresql://…; see nim-arena standings for a file",
                     options.record.empty() ? "nothing" : protocol::quoted(options.record));
}

int run_status(const StatusOptions& options) {
    const auto store = open_store(options.record, {.read_only = true});
    if (!store) return refuse_record(store.error());
    const auto status = read_status(**store);
    if (!status) return refuse_record(status.error());
    Console console(stdout);
    console.write(options.json ? status_json(*status) : status_text(*status));
    return console.finish(kExitPlayed);
}

}  // namespace

std::uint64_t ContestStatus::games() const {
    std::uint64_t games = 0;
    for (const WorkerStatus& worker : workers) games += worker.games;
    return games;
}

std::optional<double> ContestStatus::seconds_left() const {
    const double rate = rate_of(workers);
    if (!total || *total <= games() || rate <= 0) return std::nullopt;
    return static_cast<double>(*total - games()) / rate;
}

Result<ContestStatus> read_status(Store& store) {
    Sharing& sharing = *store.sharing();
    ContestStatus status;
    const auto head = read_head(store);
    if (!head) return head.error();
    if (head->configuration.empty()) return bad_input("no tournament has begun in this record");
    status.name = head->event;
    status.format = setting(head->configuration, "format");
    status.players = head->entrants.size();
    const auto total = total_games(*head);
    if (!total) return total.error();
    status.total = *total;
    auto workers = sharing.workers();
    if (!workers) return workers.error();
    status.workers = *std::move(workers);
    auto queue = sharing.queue();
    if (!queue) return queue.error();
    status.queue = *queue;
    return status;
}

std::string status_text(const ContestStatus& status) {
    std::string text = progress_line(status) + "\n" + queue_line(status) + "\n";
    if (!status.workers.empty()) text += aligned(worker_rows(status.workers), {1});
    return text;
}

std::string status_json(const ContestStatus& status) {
    const auto or_null = [](const auto& value) {
        return value ? json::value(*value) : json::value(nullptr);
    };
    const json::object object{{"name", protocol::printable(status.name)},
                              {"format", status.format},
                              {"players", status.players},
                              {"games", status.games()},
                              {"total", or_null(status.total)},
                              {"rate", std::round(100 * rate_of(status.workers)) / 100},
                              {"seconds_left", or_null(status.seconds_left())},
                              {"over", status.queue.is_finished},
                              {"planned", status.queue.has_planner},
                              {"waiting", status.queue.waiting},
                              {"claimed", status.queue.leased},
                              {"workers", json::parse(workers_json(status.workers))}};
    return json::serialize(object) + "\n";
}

int commands::status(const Words& words, const Guardian&) {
    StatusOptions options;
    CommandLine line("nim-arena status", status_table(options), kStatusHead, kStatusTail);
    line.argument = takes_record(options.record);
    line.finish = [&](const Given&) { return finish_status(options); };
    return run(parse(line, words, options), run_status);
}

}  // namespace arena
