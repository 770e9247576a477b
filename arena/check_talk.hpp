// The conversation with a bot under check: what is said is kept, for the report.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arena/check_report.hpp"
#include "arena/io.hpp"
#include "arena/link.hpp"
#include "arena/player_spec.hpp"

namespace arena {

// Ends a point of the check, wherever in its conversation that is. Texts are fit to be shown.
struct PointFailure {
    std::string detail;
    std::string expected;
    std::string fix;
    std::vector<SaidLine> lines = {};  // where they are not the last that were said
    bool buffered = false;             // the answer came once its input was closed
};

// What was read up to the line that was awaited.
struct Heard {
    std::string line;
    int best_moves = 0;    // `bestmove` lines that nobody awaited
    bool refused = false;  // `info string error …`
    Clock::time_point at;  // when the line came
};

// The bot, from its start to its end, and again. A bot that does not answer in time, or is
// gone, throws PointFailure and is hung up on.
class Talk {
  public:
    // `patience`: for an answer whose time is not the point.
    Talk(const PlayerSpec& spec, Milliseconds startup, Milliseconds patience,
         const LinkContext& context);
    ~Talk();

    // Starts it, or connects, and shakes hands, all within the start-up time; a bot that is to
    // dial in has `dial_in` for that. Gives the time that it took.
    Awaitable<Milliseconds> open(Milliseconds dial_in);
    bool is_open() const { return link_ != nullptr; }
    void hang_up();

    const std::string& name() const { return name_; }
    bool wants_legal_moves() const { return wants_legal_moves_; }

    // Whole lines.
    Awaitable<void> send(std::string text);
    // The next line that begins with the word `awaited`, or `other`.
    Awaitable<Heard> hear(std::string awaited, Milliseconds within, std::string other = {});
    // The same, or nothing where none came.
    Awaitable<std::optional<Heard>> overhear(std::string awaited, Milliseconds within);
    // Waits until it has done all that it was told. Gives the number of `bestmove` lines on the
    // way, which nobody awaited.
    Awaitable<int> settle();

    // It can be told nothing more, but goes on being heard.
    void end_input();
    // Until its process has ended, or its side of the connection.
    Awaitable<bool> wait_for_end(Milliseconds within);
    // Of a process that has ended.
    std::optional<ExitStatus> exit_status() const;

    // What was said since forget(), as far as it is kept.
    std::vector<SaidLine> lines() const { return {lines_.begin(), lines_.end()}; }
    std::string stderr_tail() const { return stderr_tail_; }
    void forget() { lines_.clear(); }

    Milliseconds patience() const { return patience_; }

  private:
    using Line = protocol::Result<std::string_view>;

    Awaitable<void> shake_hands(Clock::time_point deadline);
    Awaitable<Line> read(Clock::time_point deadline);
    Awaitable<PointFailure> failure_of(protocol::Error error, std::string awaited,
                                       Milliseconds within);
    Awaitable<bool> comes_after_end_of_input(std::string awaited);
    void keep(bool sent, std::string_view line);
    void keep_stderr(std::string_view text);

    const PlayerSpec& spec_;
    Milliseconds startup_;
    Milliseconds patience_;
    const LinkContext& context_;
    std::unique_ptr<Link> link_;
    std::string name_;
    bool wants_legal_moves_ = false;
    std::deque<SaidLine> lines_;
    std::string stderr_tail_;
};

}  // namespace arena
