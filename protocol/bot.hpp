// The interface of a bot. Write one function from a Turn to a Move and pass it to bot_main():
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

// The question to a bot: its move in this position. Valid during one call of choose().
struct Turn {
    const Position& position;  // the current one
    int player = 1;            // 1 or 2: the player to move, which is the bot
    const GoCommand& go;       // clocks and limits as sent
    // When the answer should be written, from the clock or movetime with some reserve; max()
    // where no time limits the search.
    std::chrono::steady_clock::time_point deadline;
    // The moves of `searchmoves`, canonical, without duplicates; empty if none was listed. A
    // move that cannot be read is skipped and reported as `info string error`.
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
    // Besides `Seed`, which every bot has.
    std::vector<BotOption> options;
    // For --help-format, as the bots of Nimarena have it; null: no such option.
    Result<std::string> (*manual)(std::string_view format, std::string_view program,
                                  std::string_view about) = nullptr;
};

// How the position is about to change.
enum class Change {
    Restart,   // a `position` line: from its start position
    Continue,  // a `position` line that repeats the current history and extends it
    Moves,     // a `moves` line: from the current position
};

// The player of one session. Only choose() must be written; a bot that knows the rules
// overrides the others too. Calls of one Bot never overlap. Exceptions that they throw are
// reported as `info string error`.
class Bot {
  public:
    virtual ~Bot() = default;

    // The move to play; nullopt if there is none (`bestmove 0000`). Meanwhile the loop answers
    // `isready` and `stop` on another thread; after `stop` this must return at once.
    virtual std::optional<Move> choose(const Turn& turn) = 0;

    // Whether choose() takes only microseconds in the current position. If so, the loop calls
    // it itself, which saves two thread switches: nearly half the time of a short answer.
    virtual bool answers_at_once(const Position&) const { return false; }

    // An option other than Seed was sent. An error is reported as `info string error`.
    virtual Result<void> set_option(std::string_view name,
                                    std::optional<std::string_view> value);
    // Whether set_option() takes a few milliseconds at most; see advances_at_once().
    virtual bool sets_at_once(std::string_view) const { return true; }
    virtual void seed(std::uint64_t) {}
    virtual void new_game() {}

    // Reads the text after `fen` in a `position` line. A bot that knows more names of rulesets
    // than the protocol accepts these too. Columns of errors count from the first byte of the
    // text.
    virtual Result<Position> read_position(std::string_view text) const {
        return parse_position(text);
    }

    // Returns the position after `moves` (words as sent, in order) from `from`: the start
    // position of the line for Change::Restart, else the current position. After an error the
    // previous position stays. The default needs no rules: it replaces heaps by text.
    // `stop` is requested once the session has ended and the position is no longer needed.
    virtual Result<Position> advance(const Position& from,
                                     std::span<const std::string_view> moves, Change change,
                                     const std::stop_token& stop);

    // Whether advance() takes a few milliseconds at most. If not, it runs on another thread
    // than the loop, which answers `isready` meanwhile. By default: whether moves times heaps
    // is small.
    virtual bool advances_at_once(const Position& from, std::span<const std::string_view> moves,
                                  Change change) const;

    // The words after `response`; nullopt for a query that the bot does not know. The session
    // then answers `fen`, `p1turn` and `p2turn` itself, and all others by `unknown`.
    virtual std::optional<std::string> answer(const QueryCommand& query,
                                              const std::stop_token& stop);

    // Whether answer() takes only microseconds. If not, it runs on another thread than the
    // loop, as choose() does, and `stop` asks it to end.
    virtual bool answers_query_at_once(const QueryCommand&, const Position&) const {
        return true;
    }
};

// Makes the Bot of a session. Each connection is a session; sessions run concurrently.
using MakeBot = std::function<std::unique_ptr<Bot>()>;

// One session without its transport: lines are fed in, and lines come out. choose() runs on a
// thread of the session's own. The caller uses feed(), refuse() and finish() from one thread
// only.
class Session {
  public:
    // Writes whole lines, LF included, at least one a call; calls do not overlap. Returns false
    // once the peer is gone, which ends the session.
    using Write = std::function<bool(std::string_view)>;

    // `patience`: how long the end of input and `quit` wait for a search that is over its time,
    // or was stopped. Long, for the machine may be busy. `grace`: how long `quit` waits for
    // each earlier query, which takes 2 s at most unless an option says otherwise.
    Session(const BotInfo& info, std::unique_ptr<Bot> bot, Write write,
            std::chrono::milliseconds patience = std::chrono::seconds(10),
            std::chrono::milliseconds grace = std::chrono::seconds(3));
    ~Session();  // stops a search, without its `bestmove`, and waits for its end

    // Takes one line without its line end. Returns false once the session is over: `quit` was
    // read, or the peer is gone.
    bool feed(std::string_view line);
    // Reports a line that could not be read; the session continues.
    void refuse(const Error& error);
    // The end of input: stops a search without a time limit, prints the pending `bestmove`, and
    // carries out the lines that wait.
    void finish();
    // Whether choose() or a long answer() is running, for which the destructor would wait.
    bool is_thinking() const;

  private:
    class Loop;
    std::unique_ptr<Loop> loop_;
};

// The whole program of a bot, with the options --listen, --connect, --help and --version.
// Returns the exit status. With --listen it serves many connections until it is interrupted.
int bot_main(int argc, char** argv, const BotInfo& info, const MakeBot& make_bot);

// The same for a bot that is one function. With --listen, sessions call it concurrently.
using Choose = std::function<std::optional<Move>(const Turn&)>;
int bot_main(int argc, char** argv, const BotInfo& info, const Choose& choose);

// A row of `--help`, for a manual page and for shells.
struct OptionHelp {
    std::string group;   // its heading; options of a group are adjacent
    std::string name;    // "output"
    std::string letter;  // "o", or empty
    std::string value;   // "FILE", "on|off"; empty: a switch
    std::string help;
    std::vector<std::string> choices = {};  // of the value, where `value` lists none
};
// The options of bot_main() for a bot with a manual.
std::vector<OptionHelp> bot_options();

inline constexpr const char* kHelpFormats = "man|bash|zsh|fish";
inline constexpr const char* kHelpFormatHelp =
    "print this help as a manual page, or what a shell needs to complete options";

}  // namespace protocol
