// The lobby of a server: a bot dials in, proves its name by a token, and waits on the lobby's
// own thread for its next game. The worker that plays this game takes the connection out of the
// lobby and gives it back afterwards.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "arena/base/clock.hpp"
#include "arena/base/io.hpp"
#include "arena/players/conversation.hpp"
#include "arena/players/lobby_options.hpp"
#include "protocol/result.hpp"
#include "protocol/unique_fd.hpp"

namespace arena {

// A connected player, and its handshake, without the token and the options.
struct LobbySession : Introduction {
    protocol::UniqueFd socket;
    std::string address;
    Microseconds round_trip{};  // of the last `isready`
};

// The callbacks of the lobby, on its own thread.
struct LobbyEvents {
    // The number of the player of this name; an error is the reason of a refusal.
    std::function<protocol::Result<int>(const std::string& name)> admit;
    std::function<void(int player, const LobbySession&)> came;
    // The first notice to a player that wants notices: JSON.
    std::function<std::string(int player)> greet;
    // The last connection of the player has ended, in the lobby or at a table.
    std::function<void(int player, const std::string& why)> left;
    // An error that does not stop the lobby, such as a token file that cannot be read again.
    std::function<void(const std::string& what)> trouble;
    // A game waits for the absent player, for this long at most; may be unset.
    std::function<void(int player, std::chrono::seconds time)> awaited = {};
    // Whether games may wait for this absent player; else they are called off. Unset: they may.
    std::function<bool(int player)> may_wait = {};
};

// A game was not played, because its player was absent and others play meanwhile, or when the
// server stopped admitting players. It is played later, if need be when the tournament is
// resumed.
struct GameCalledOff : std::runtime_error {
    GameCalledOff() : std::runtime_error("a player has not come back") {}
};

// The last notice of a server that a signal has ended, where there is no score to tell.
inline constexpr const char* kInterruptedNotice =
    R"({"event":"contest-over","interrupted":true})";

class Lobby {
  public:
    // Listens. Errors: those of open_port(), and a token file that cannot be read.
    static protocol::Result<std::unique_ptr<Lobby>> open(const LobbyOptions& options);
    ~Lobby();

    // "127.0.0.1:40123"
    const std::string& address() const;
    // The most connections: fewer than the default where the limit of open files is low.
    std::size_t connections() const;
    // What is wrong with the permissions of the token file, and with the certificate.
    std::vector<std::string> warnings() const;
    // Begins to accept connections.
    void start(LobbyEvents events);

    // ---- from any thread ----

    // Takes a player to a table. Waits for an absent one, up to the limit of its absence.
    // Throws GameCalledOff if it may not wait, or the lobby is shut before that.
    Awaitable<protocol::Result<LobbySession>> take(int player);
    // Returns a player from its table; an empty socket: its connection ended there, for this
    // reason.
    void give_back(int player, LobbySession session,
                   std::string why = "its connection ended in a game");
    // Runs it on the lobby's thread, after the calls before this one.
    void run_there(std::function<void()> work);
    // Admits no more connections.
    void shut();
    // Sends `quit` to all players, also to those at tables, and ends. `last_notices`: JSON, by
    // player, for those that want notices; sent before `quit`.
    void close(std::map<int, std::string> last_notices = {});

  private:
    struct Impl;
    explicit Lobby(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

// A session at a table. Returns it to the lobby, or reports the end of its connection.
class BorrowedSession {
  public:
    BorrowedSession(Lobby& lobby, int player, LobbySession session)
        : lobby_(lobby), player_(player), session_(std::move(session)) {}
    ~BorrowedSession() {
        if (!is_back_) lobby_.give_back(player_, {});
    }
    BorrowedSession(const BorrowedSession&) = delete;
    BorrowedSession& operator=(const BorrowedSession&) = delete;

    const LobbySession& session() const { return session_; }
    void give_back(protocol::UniqueFd socket) {
        is_back_ = true;
        session_.socket = std::move(socket);
        lobby_.give_back(player_, std::move(session_));
    }
    // Its connection has ended, or is to end.
    void let_go(std::string why) {
        is_back_ = true;
        lobby_.give_back(player_, {}, std::move(why));
    }

  private:
    Lobby& lobby_;
    int player_;
    LobbySession session_;
    bool is_back_ = false;
};

}  // namespace arena
