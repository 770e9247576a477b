// One conversation in UGI, whoever holds it: players in games, `check`, the lobby.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arena/players/connection.hpp"

namespace protocol {
struct IdReply;
}

namespace arena {

// What a bot says of itself in its handshake.
struct Introduction {
    std::string id;    // "name Ann 1.0; author Bob", fit to be shown; cut where it is long
    std::string name;  // its first one, as it came
    std::string token;
    bool lists_legal_moves = false;  // it has the option LegalMoves
    bool wants_notices = false;      // `id notices on`: nim-connect shows what the lobby tells
};

// The line as it may be kept: `id token SECRET` without the secret.
std::string_view without_secret(std::string_view line);

class Conversation {
  public:
    // Gets all that is said: '<' for lines sent, '>' for a line received.
    using Listener = std::function<void(char direction, std::string_view lines)>;
    using Line = protocol::Result<std::string_view>;  // lives until anything is awaited
    using Options = std::vector<std::pair<std::string, std::string>>;

    // `connection` outlives it.
    explicit Conversation(Connection& connection, Listener listener = {})
        : connection_(connection), listener_(std::move(listener)) {}

    // Whole lines, which outlive the wait.
    Awaitable<protocol::Result<void>> send(std::string_view lines, Clock::time_point deadline);
    // The next line that begins with the word `awaited`, or `other`.
    Awaitable<Line> hear(std::string_view awaited, Clock::time_point deadline,
                         std::string_view other = {});
    // The one, and then the other. Where sending fails, hearing tells why.
    Awaitable<Line> ask(std::string_view lines, std::string_view awaited,
                        Clock::time_point deadline);
    // From `ugi` to `ugiok`; then sets the options. BadInput: a second `id token`.
    Awaitable<protocol::Result<void>> shake_hands(Clock::time_point deadline,
                                                  const Options& options);

    // Of the last handshake, also of one that failed.
    const Introduction& introduction() const { return introduction_; }
    // The beginning of the last line that was not awaited, if there was one since the last
    // send().
    const std::string& last_line() const { return last_line_; }
    // The first `info string error …` since the last send(), cut where it is long; empty: none.
    const std::string& refusal() const { return refusal_; }

  private:
    void note(char direction, std::string_view lines) const {
        if (listener_) listener_(direction, lines);
    }
    void add_id(const protocol::IdReply& id);

    Connection& connection_;
    Listener listener_;
    Introduction introduction_;
    std::string last_line_;
    std::string refusal_;
};

// Whether a bot refuses something by this line: `info string error …`.
bool is_refusal(std::string_view line);

}  // namespace arena
