// The way to a player that speaks the protocol: its process and the pipes to it, or a socket.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "arena/child.hpp"
#include "arena/connection.hpp"
#include "arena/io.hpp"
#include "arena/player_spec.hpp"
#include "protocol/result.hpp"

namespace arena {

class Guardian;
class Launcher;
class Listener;
class Lobby;
class Loan;

// What runs, from its start to its end.
struct Link {
    std::unique_ptr<Connection> connection;
    std::unique_ptr<Child> child;  // none for a TCP peer
    std::unique_ptr<Loan> loan;    // of one from the lobby

    Link();
    ~Link();
};

// "its process ended with exit status 3", "its process was ended by SIGSEGV".
std::string words_of(const ExitStatus& exit);

// What it takes to open one. All of it outlives the link.
struct LinkContext {
    boost::asio::io_context& io;
    Deadlines& deadlines;
    boost::asio::thread_pool& compute;
    const Guardian& guardian;
    const Launcher& launcher;
    const Listener* listener;       // for listen://
    const std::vector<int>& cores;  // those that a process may run on; empty: all
    Lobby* lobby = nullptr;         // for players known by tokens; null where none is open
    int player = 0;                 // the number it has there
};

// When to give up: dialling, and the wait for a bot that is to dial in.
struct LinkDeadlines {
    Clock::time_point dial;
    Clock::time_point dial_in;
};

// Starts the process, dials, or waits for the bot to dial in. `on_stderr` gets what a process
// writes there. Fault::Disconnected for a process: the guardian is gone.
Awaitable<protocol::Result<std::unique_ptr<Link>>> open_link(
    const PlayerSpec& spec, const LinkContext& context, LinkDeadlines deadlines,
    std::function<void(std::string_view)> on_stderr);

}  // namespace arena
