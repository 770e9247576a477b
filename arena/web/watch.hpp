// Implements --web: the live feed, the pages, and the server of both.
#pragma once

#include <memory>
#include <string>

#include "arena/play/spectator.hpp"
#include "arena/players/play_options.hpp"

namespace arena::web {

// An OpenSpectator. Errors are those of Server::start(). All threads run at a low priority, so
// that watchers do not slow games down.
protocol::Result<std::unique_ptr<Spectator>> open_watch(const PlayOptions& options,
                                                        const std::string& record);

}  // namespace arena::web
