#include "arena/record/store.hpp"

namespace arena {

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
