// The arena's side of the protocol over one connection: for games, `check` and the lobby.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arena/players/connection.hpp"
#include "protocol/message.hpp"

namespace arena {

// The `id` and `option` lines of a bot's handshake.
struct Introduction {
    std::string id;    // "name Ann 1.0; author Bob", printable; cut if long
    std::string name;  // the first `id name`, raw
    std::string token;
    std::vector<std::string> options;  // the names that it declares, raw; the first few
    bool lists_legal_moves = false;    // it has the option LegalMoves
    bool wants_notices = false;        // `id notices on`: connect.py shows notices to its owner
};

// The line as it may be logged: `id token SECRET` without the secret.
std::string_view without_secret(std::string_view line);

// Lines that are no message of the protocol, so that nobody can have asked for them.
struct Chatter {
    std::uint64_t lines = 0;
    std::string first;  // cut if long
};

class Conversation {
  public:
    // Called with every line: '<' for lines sent, '>' for a line received.
    using Listener = std::function<void(char direction, std::string_view lines)>;
    using Line = protocol::Result<std::string_view>;  // valid until the next wait
    using Options = std::vector<std::pair<std::string, std::string>>;

    // `connection` outlives it.
    explicit Conversation(Connection& connection, Listener listener = {})
        : connection_(connection), listener_(std::move(listener)) {}

    // `lines` are complete, and outlive the wait.
    Awaitable<protocol::Result<void>> send(std::string_view lines, Clock::time_point deadline);
    // The same without a wait; nullopt: what is left of `lines` is for Connection::write().
    std::optional<protocol::Result<void>> try_send(std::string_view& lines);
    // The next line that begins with the word `awaited`, or `other`.
    Awaitable<Line> hear(std::string_view awaited, Clock::time_point deadline,
                         std::string_view other = {});
    // The same without a wait; nullopt: call Connection::wait() and try again.
    std::optional<Line> try_hear(std::string_view awaited, Clock::time_point deadline,
                                 std::string_view other = {});
    // send(), then hear(). If sending fails, hear() returns the reason.
    Awaitable<Line> ask(std::string_view lines, std::string_view awaited,
                        Clock::time_point deadline);
    // From `ugi` to `ugiok`; then sets the options, and awaits no answer to that. BadInput: a
    // second `id token`, or the answer of a program that speaks another protocol.
    // `silence`: sends `uci` too after this long without a line; a bot that knows `ugi` ignores
    // it. One that answers another `uci` by `ugiok` has to answer another `ugi`, too.
    Awaitable<protocol::Result<void>> shake_hands(
        Clock::time_point deadline, const Options& options,
        std::optional<Milliseconds> silence = std::nullopt);

    // What the player said in the last handshake, even if that failed.
    const Introduction& introduction() const { return introduction_; }
    // The beginning of the last other line since the last send(); empty: none.
    const std::string& last_line() const { return last_line_; }
    // What it has said unasked since the last call.
    Chatter take_chatter() { return std::exchange(chatter_, {}); }
    // The first few `info string error …` since the last send(), each cut if long.
    const std::vector<std::string>& refusals() const { return refusals_; }

  private:
    void note(char direction, std::string_view lines) const {
        if (listener_) listener_(direction, lines);
    }
    void begin_message(std::string_view lines);
    void count_if_unknown(std::string_view line, const protocol::Reply& reply);
    // Keeps what a line of the handshake says; whether it is the last one.
    protocol::Result<bool> introduce(std::string_view line);
    Awaitable<bool> answers_uci(Clock::time_point deadline);
    void add_id(const protocol::IdReply& id);

    Connection& connection_;
    Listener listener_;
    Introduction introduction_;
    std::string last_line_;
    Chatter chatter_;
    std::vector<std::string> refusals_;
};

// Whether the line is `info string error …`.
bool is_refusal(std::string_view line);

// What follows these words: "I do not play kayles". Printable.
std::string refusal_text(std::string_view line);

// A sentence for each option that the player is set, but did not declare in its handshake.
std::vector<std::string> undeclared_options(const Conversation::Options& set,
                                            const Introduction& said);

}  // namespace arena
