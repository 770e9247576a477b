#include "arena/report/record_head.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "arena/base/command_line.hpp"
#include "arena/base/console.hpp"
#include "arena/record/open_store.hpp"
#include "protocol/heap.hpp"
#include "protocol/text.hpp"

namespace arena {

protocol::Result<RecordHead> read_head(Store& store) {
    auto configuration = whole_configuration(store);
    if (!configuration) return configuration.error();
    auto entrants = store.entrants();
    if (!entrants) return entrants.error();
    RecordHead head;
    head.configuration = *std::move(configuration);
    head.entrants = *std::move(entrants);
    for (const Entrant& entrant : head.entrants) head.names.push_back(entrant.name);
    head.event = setting(head.configuration, "name");
    if (head.event.empty()) head.event = "Nimarena tournament";
    const auto seed = parse_count(setting(head.configuration, "seed"), 0, protocol::kMaxNumber);
    if (seed) head.seed = *seed;
    return head;
}

bool RecordHead::has_players(const std::array<int, 2>& players) const {
    return std::ranges::all_of(
        players, [&](int player) { return static_cast<std::size_t>(player) < names.size(); });
}

int refuse_record(const protocol::Error& error) {
    const bool is_lost = error.fault == protocol::Fault::Disconnected;
    return refuse({error, is_lost ? kExitRecord : kExitInternal});
}

int report_damage(Store& store, const std::string& record, int status) {
    const auto lines = store.damage();
    if (lines.empty()) return status;
    const bool is_of_workers = store.sharing() != nullptr;
    std::string text = fmt::format(
        "nim-arena: {} {}\n", protocol::quoted(record),
        is_of_workers ? "has games that workers recorded malformed, which count for no player:"
                      : "is damaged: what follows is left out");
    for (const std::string& line : lines) text += fmt::format("  {}\n", line);
    complain(text);
    return is_of_workers ? status : kExitRecord;
}

int on_record(const std::string& record,
              const std::function<int(Store& store, const RecordHead& head)>& show) {
    const auto store = open_store(record, {.read_only = true});
    if (!store) return refuse_record(store.error());
    const auto head = read_head(**store);
    if (!head) return refuse_record(head.error());
    return report_damage(**store, record, show(**store, *head));
}

int games_of_pairing(const Configuration& configuration) {
    const auto games = parse_count(setting(configuration, "games"), 0, protocol::kMaxNumber);
    return games ? static_cast<int>(*games) : 2;
}

}  // namespace arena
