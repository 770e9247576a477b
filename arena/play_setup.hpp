// What must be open before players are started: the log, and the ports on which bots dial in.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "arena/exit_codes.hpp"
#include "arena/launcher.hpp"
#include "arena/play_options.hpp"
#include "arena/sockets.hpp"
#include "arena/traffic_log.hpp"

namespace arena {

// Why nothing can be played, and the exit status that tells.
struct Refusal {
    protocol::Error error;
    ExitCode status = kExitInternal;
};
// Says it on stderr, and gives the status.
int refuse(const Refusal& refusal);

struct PlaySetup {
    std::vector<std::unique_ptr<Listener>> listeners;  // by player; null but for listen://
    std::unique_ptr<TrafficLog> log;
    std::unique_ptr<Launcher> launcher;
};

// Opens it all, tries the sandbox, and checks that the cores named are there. `hidden`: files,
// beside the log, that no player in the sandbox may see; empty names are none. Fills in
// `refusal` and gives an empty setup where something is not.
std::optional<PlaySetup> set_up(const PlayOptions& options, std::vector<std::string> hidden,
                                const Guardian& guardian, Refusal& refusal);

}  // namespace arena
