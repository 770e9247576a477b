// Resources opened before players start: the log, and the ports on which bots dial in.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "arena/base/command_line.hpp"
#include "arena/play/spectator.hpp"
#include "arena/players/launcher.hpp"
#include "arena/players/play_options.hpp"
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
// empty names are ignored. On failure fills in `refusal` and returns an empty setup.
std::optional<PlaySetup> set_up(const PlayOptions& options, std::vector<std::string> hidden,
                                const Guardian& guardian, Refusal& refusal);

// What --web asks for; null where nobody may look on. Fills in `refusal` and gives nothing
// where it cannot be had. `record`: as in OpenSpectator.
std::optional<std::unique_ptr<Spectator>> open_show(const PlayOptions& options,
                                                    const std::string& record,
                                                    const OpenSpectator& open,
                                                    Refusal& refusal);

}  // namespace arena
