// Implements --web: the live feed, the pages, and the server of both.
#pragma once

#include <memory>
#include <stop_token>
#include <string>

#include "arena/game/game_analysis.hpp"
#include "arena/play/spectator.hpp"
#include "arena/players/play_options.hpp"

namespace arena::web {

// An OpenSpectator. Errors are those of Server::start(). All threads run at a low priority, so
// that watchers do not slow games down.
protocol::Result<std::unique_ptr<Spectator>> open_watch(const PlayOptions& options,
                                                        const std::string& record);

// As review_game(), in a tenth of a second. On a busy machine a thread of a low priority may
// have had no core in that time; then again, with more time, up to 1.5 s in all.
GameAnalysis review_in_time(const GameRecord& record, const engine::Analyst& analyst,
                            const std::stop_token& stop);

}  // namespace arena::web
