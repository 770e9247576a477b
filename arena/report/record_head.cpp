#include "arena/report/record_head.hpp"

#include "arena/base/command_line.hpp"
#include "protocol/heap.hpp"

namespace arena {

protocol::Result<RecordHead> read_head(Store& store) {
    auto configuration = store.configuration();
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

protocol::Result<std::vector<std::uint64_t>> bye_points(Store& store, const RecordHead& head) {
    const auto games =
        parse_count(setting(head.configuration, "games"), 0, protocol::kMaxNumber);
    std::vector<std::uint64_t> points(head.names.size());
    const auto read = for_each_event(store, [&](const Event& event) {
        const auto* plan = std::get_if<RoundPlan>(&event.what);
        if (plan == nullptr) return;
        for (const int player : plan->byes) {
            points[static_cast<std::size_t>(player)] += games ? *games : 0;
        }
    });
    if (!read) return read.error();
    return points;
}

}  // namespace arena
