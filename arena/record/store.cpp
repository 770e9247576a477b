#include "arena/record/store.hpp"

#include "arena/base/bad_input.hpp"

namespace arena {

protocol::Result<Configuration> whole_configuration(Store& store) {
    auto configuration = store.configuration();
    if (!configuration || !configuration->empty()) return configuration;
    const auto entrants = store.entrants();
    if (!entrants) return entrants.error();
    if (entrants->empty()) return configuration;
    // A contest that began meanwhile wrote its configuration before its players.
    configuration = store.configuration();
    if (!configuration || !configuration->empty()) return configuration;
    return bad_input("this is an unfinished copy of a record: remove it and copy again");
}

protocol::Result<void> for_each_event(Store& store,
                                      const std::function<void(const Event&)>& visit) {
    constexpr std::size_t kEventsAtOnce = 10'000;
    for (std::uint64_t after = 0;;) {
        const auto events = store.events(after, kEventsAtOnce);
        if (!events) return events.error();
        if (events->empty()) return {};
        for (const Event& event : *events) visit(event);
        after = events->back().number;
    }
}

}  // namespace arena
