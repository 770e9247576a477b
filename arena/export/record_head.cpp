#include "arena/export/record_head.hpp"

#include <algorithm>

#include "arena/command_line.hpp"
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

std::string setting(const Configuration& configuration, const std::string& key) {
    const auto found =
        std::ranges::find(configuration, key, [](const auto& entry) { return entry.first; });
    return found == configuration.end() ? "" : found->second;
}

}  // namespace arena
