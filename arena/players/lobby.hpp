// The lobby of a server: who dials in proves by a token who it is, and waits here, on a thread
// of the lobby's own, for its next game; there it is handed to whoever plays that game, and
// comes back afterwards.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "arena/base/clock.hpp"
#include "arena/base/io.hpp"
#include "arena/players/lobby_options.hpp"
#include "protocol/result.hpp"
#include "protocol/unique_fd.hpp"

namespace arena {

// Somebody who is there.
struct LobbySession {
    protocol::UniqueFd socket;
    std::string address;             // from where
    std::string id;                  // what it said of itself in its handshake
    bool lists_legal_moves = false;  // it has the option LegalMoves
    bool wants_notices = false;      // it shows lines `info string …` to its owner
    Microseconds round_trip{};       // of `isready`, when it came
};

// What the lobby asks and tells, on its own thread.
struct LobbyEvents {
    // The number of the player of this name; an error is the reason why it is not let in.
    std::function<protocol::Result<int>(const std::string& name)> admit;
    std::function<void(int player, const LobbySession&)> came;
    // What a player that wants notices is told when it has come.
    std::function<std::string(int player)> greet;
    // Nobody has its token any more who is connected, not at a table either.
    std::function<void(int player, const std::string& why)> left;
    // Something does not go as it should, such as that the tokens cannot be read again; the
    // lobby goes on.
    std::function<void(const std::string& what)> trouble;
};

// A game that waited for a player who cannot come any more, for this server lets nobody in: it
// has not been played, and is played when the server goes on.
struct GameCalledOff : std::runtime_error {
    GameCalledOff() : std::runtime_error("the server was shut before a player came back") {}
};

class Lobby {
  public:
    // Listens. Errors: files that cannot be read, an address that is not to be had, or that is
    // open to the network without TLS; more connections than this process may open files for.
    static protocol::Result<std::unique_ptr<Lobby>> open(const LobbyOptions& options);
    ~Lobby();

    // "127.0.0.1:40123"
    const std::string& address() const;
    // How many it has room for: fewer than by default where the limit of files is low.
    std::size_t connections() const;
    // What the operator should know of the token file; may be empty.
    const std::string& warning() const;
    // Lets in who dials.
    void start(LobbyEvents events);

    // ---- from any thread ----

    // Takes a player to a table: waits for one that has gone until its absence has lasted too
    // long. Throws GameCalledOff where the lobby is shut before that.
    Awaitable<protocol::Result<LobbySession>> take(int player);
    // It comes back, or, with an empty socket, its connection has ended at the table.
    void give_back(int player, LobbySession session);
    // Lets nobody in any more.
    void shut();
    // Says `quit` to all who are connected, also to those at tables, and ends.
    void close();

  private:
    struct Impl;
    explicit Lobby(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

// A session at a table: it goes back to the lobby, or has gone.
class Lease {
  public:
    Lease(Lobby& lobby, int player, LobbySession session)
        : lobby_(lobby), player_(player), session_(std::move(session)) {}
    ~Lease() {
        if (!is_back_) lobby_.give_back(player_, {});
    }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;

    const LobbySession& session() const { return session_; }
    void give_back(protocol::UniqueFd socket) {
        is_back_ = true;
        session_.socket = std::move(socket);
        lobby_.give_back(player_, std::move(session_));
    }

  private:
    Lobby& lobby_;
    int player_;
    LobbySession session_;
    bool is_back_ = false;
};

}  // namespace arena
