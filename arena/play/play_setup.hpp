// Resources opened before players start: the log, and the ports on which bots dial in.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "arena/base/command_line.hpp"
#include "arena/players/launcher.hpp"
#include "arena/players/play_options.hpp"
#include "arena/players/player_context.hpp"
#include "arena/players/sockets.hpp"
#include "arena/players/traffic_log.hpp"

namespace arena {

struct PlaySetup {
    std::vector<std::unique_ptr<Listener>> listeners;  // by player; null but for listen://
    std::unique_ptr<TrafficLog> log;
    std::unique_ptr<Launcher> launcher;
};

// Opens all of it, tests the sandbox, and checks that the named cores exist. `hidden`: files
// besides the log that no sandboxed player may see, and databases whose passwords none may see;
// empty names are ignored.
Prepared<PlaySetup> set_up(const PlayOptions& options, std::vector<std::string> hidden,
                           const Guardian& guardian);

// What players need of it, and of the other things, which all outlive them.
PlayerResources resources(const PlayOptions& options, const PlaySetup& setup,
                          const Guardian& guardian, const engine::Analyst& analyst,
                          Names* names = nullptr);

}  // namespace arena
