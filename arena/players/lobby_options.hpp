// The addresses where `nim-arena serve` listens, the bots that it admits, and its limits.
#pragma once

#include <optional>

#include "arena/base/clock.hpp"
#include "arena/players/server_port.hpp"

namespace arena {

struct LobbyOptions : PortOptions {
    LobbyOptions() { connections = 20'000; }

    std::string tokens;                    // a file
    std::size_t unproven = 256;            // per address, without a valid token so far
    Milliseconds handshake{10'000};        // from the connection to `ugiok`
    Milliseconds idle{30'000};             // between `isready` lines to a waiting bot
    std::optional<Milliseconds> answer{};  // to `isready`; none: as long as idle
    Milliseconds absence{60'000};          // how long the games of an absent bot wait
    bool sums_absence = true;  // as long in all; games that it completes make up for it
};

}  // namespace arena
