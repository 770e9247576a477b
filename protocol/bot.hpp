// The loop a bot lives in. Write one function from a Turn to a Move, hand it to bot_main(), and
// the program speaks the protocol over stdin, --listen HOST:PORT and --connect HOST:PORT.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/message.hpp"
#include "protocol/move.hpp"
#include "protocol/position.hpp"

namespace protocol {

// What a bot is asked: its move in this position. Lives for the length of one call.
struct Turn {
    const Position& position;  // as it stands
    int player = 1;            // 1 or 2: who is to move, that is, the bot
    const GoCommand& go;       // clocks and limits as sent
    // When the answer should be written, from the clock or movetime with some reserve; max()
    // where no time limits the search.
    std::chrono::steady_clock::time_point deadline;
    // What `searchmoves` lists, canonical and once each; empty where nothing was listed. A move
    // that cannot be read is left out and told as an `info string error`.
    std::vector<Move> candidates;
    std::stop_token stop;    // requested by `stop`, `quit` and a lost connection
    std::uint64_t seed = 0;  // option Seed as last sent; 0 if never
    // Prints an `info …` line now.
    std::function<void(std::string_view)> info;
    // Prints an `info …` line together with `bestmove`, in one write.
    std::function<void(std::string_view)> info_with_move;
};

// One option as `ugi` declares it.
struct BotOption {
    std::string name;
    std::string declaration;  // "spin default 0 min 0 max 9"
};

struct BotInfo {
    std::string name;
    std::string author;
    // Beside `Seed`, which every bot has.
    std::vector<BotOption> options;
};

// How the position is about to change.
enum class Change {
    Restart,   // a `position` line: from its start position
    Continue,  // a `position` line that repeats what stands and goes on from it
    Moves,     // a `moves` line: from what stands
};

// The player of one session. Only choose() must be written; a bot that knows the rules
// overrides the others too. All calls of one Bot come one after the other, never at the same
// time. What they throw is told as an `info string error`.
class Bot {
  public:
    virtual ~Bot() = default;

    // The move to play; nullopt where there is none (`bestmove 0000`). Runs beside the loop,
    // which goes on answering `isready` and `stop`; after `stop` the answer is awaited at once.
    virtual std::optional<Move> choose(const Turn& turn) = 0;

    // Will choose() take microseconds only, in the position that stands? Then the loop calls it
    // itself, which saves the way to another thread and back: nearly half of a short answer.
    virtual bool answers_at_once(const Position&) const { return false; }

    // An option other than Seed was sent. An error is told as an `info string error`.
    virtual Result<void> set_option(std::string_view name,
                                    std::optional<std::string_view> value);
    virtual void seed(std::uint64_t) {}
    virtual void new_game() {}

    // Reads the words of a `position` line behind `fen`. A bot that knows names of rulesets
    // beside those of the protocol reads them too. Columns of errors count from the text's
    // first byte.
    virtual Result<Position> read_position(std::string_view text) const {
        return parse_position(text);
    }

    // Gives the position after `moves` (words as sent, one after the other) from `from`: the
    // start position of the line for Change::Restart, else what stands. After an error the
    // position before stands. The default needs no rules: it replaces heaps by text.
    virtual Result<Position> advance(const Position& from,
                                     std::span<const std::string_view> moves, Change change);

    // The words behind `response`; nullopt for a query the bot does not know (`fen`, `p1turn`
    // and `p2turn` are then answered for it, all others by `unknown`).
    virtual std::optional<std::string> answer(const QueryCommand& query,
                                              const std::stop_token& stop);

    // Will answer() take microseconds only? Else it runs beside the loop, as choose() does, and
    // `stop` asks for an end.
    virtual bool answers_query_at_once(const QueryCommand&, const Position&) const {
        return true;
    }
};

// A Bot a session: each connection gets one, and sessions run beside each other.
using MakeBot = std::function<std::unique_ptr<Bot>()>;

// The loop over lines that are fed in and lines that come out: one session, no transport.
// choose() runs on a thread of the session's own. feed(), refuse() and finish() are called from
// one thread.
class Session {
  public:
    // Gets whole lines, LF included, one a call or more; never two calls at once. False: nobody
    // can be written to any more, which ends the session.
    using Write = std::function<bool(std::string_view)>;

    Session(const BotInfo& info, std::unique_ptr<Bot> bot, Write write);
    ~Session();  // stops a search, without its `bestmove`, and waits for its end

    // Takes one line without its line end. False once the session is over: `quit` was read, or
    // nobody can be written to.
    bool feed(std::string_view line);
    // Tells of a line that could not be read, and goes on.
    void refuse(const Error& error);
    // The end of input: a search that no time limits is stopped, the pending `bestmove` is
    // printed, and what waits is carried out. Gives up a second after a search should have
    // ended.
    void finish();
    // Is choose() or a long answer() running, so that the destructor would have to wait?
    bool is_thinking() const;

  private:
    class Loop;
    std::unique_ptr<Loop> loop_;
};

// The whole program of a bot: options --listen, --connect, --help, --version; returns its exit
// status. With --listen it serves many connections at once, until it is interrupted.
int bot_main(int argc, char** argv, const BotInfo& info, const MakeBot& make_bot);

// The same for a bot that is one function. With --listen, sessions call it at the same time.
using Choose = std::function<std::optional<Move>(const Turn&)>;
int bot_main(int argc, char** argv, const BotInfo& info, const Choose& choose);

}  // namespace protocol
