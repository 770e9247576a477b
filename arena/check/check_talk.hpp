// The conversation with a bot under check. Keeps the lines for the report.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arena/base/io.hpp"
#include "arena/check/check_report.hpp"
#include "arena/check/peer.hpp"
#include "arena/players/diagnosis.hpp"
#include "arena/players/stderr_text.hpp"

namespace arena {

// Ends a point of the check, anywhere in its conversation. If the bot gave up, the connection
// is closed.
struct PointFailure : PointFinding {
    explicit PointFailure(std::string what = {}, std::string expectation = {},
                          std::string remedy = {}, std::vector<SaidLine> said = {})
        : PointFinding{PointVerdict::Failed, std::move(what), std::move(remedy),
                       std::move(said), std::move(expectation)} {}
};

// The lines read up to the expected one.
struct Heard {
    std::string line;
    int best_moves = 0;    // unexpected `bestmove` lines
    bool refused = false;  // `info string error …`
    Clock::time_point at;  // when the line came
};

// The bot, which can be started several times. If it does not answer in time or has ended, a
// call throws PointFailure and closes the connection.
class Talk {
  public:
    // `answer`: the time that any answer may take. The specification outlives it.
    Talk(const PlayerSpec& spec, const MakePeer& make_peer, Milliseconds startup,
         Milliseconds answer);

    // Starts or dials the bot, or waits `dial_in` for it to dial in, and completes the
    // handshake within the start-up time. Returns the time of the handshake.
    Awaitable<Milliseconds> open(Milliseconds dial_in);
    bool is_open() const { return peer_->is_open(); }
    void hang_up() { peer_->close(); }
    // By the clock of the bot.
    Clock::time_point now() const { return peer_->now(); }

    const std::string& name() const { return name_; }
    bool wants_legal_moves() const { return wants_legal_moves_; }

    // Sends complete lines.
    Awaitable<void> send(std::string text);
    // The next line that begins with the word `awaited`, or `other`.
    Awaitable<Heard> hear(std::string awaited, Milliseconds within, std::string other = {});
    // The same, or nullopt if none came. Time for which the process was ready to run, but other
    // programs had the cores, does not count.
    Awaitable<std::optional<Heard>> try_hear(std::string awaited, Milliseconds within);
    // Waits until the bot has processed all lines. Returns the number of unexpected `bestmove`
    // lines meanwhile.
    Awaitable<int> drain();

    // Closes the direction to the bot; its output is still read.
    void end_input() { peer_->end_input(); }
    // Waits for the end of the process or of the bot's side of the connection; time without a
    // core does not count either.
    Awaitable<bool> wait_for_end(Milliseconds within);
    // nullopt while the process runs.
    std::optional<ExitStatus> exit_status() const { return peer_->exit_status(); }

    // The first line that is not a reply of the protocol; empty: none.
    const std::string& stray_line() const { return stray_line_; }

    // The last lines since forget().
    std::vector<SaidLine> lines() const { return {lines_.begin(), lines_.end()}; }
    std::string stderr_tail() const { return stderr_.text(); }
    void forget() { lines_.clear(); }

    // The time for answers where time is not tested. A slow machine is no defect of the bot;
    // but once it has not answered at all, it most probably will not do so again.
    Milliseconds patience() const {
        return answer_ + (was_silent_ ? Milliseconds(500) : Milliseconds(3000));
    }

  private:
    Awaitable<PointFailure> failure_of(protocol::Error error, std::string awaited,
                                       Milliseconds within);
    // Why the answer does not come. What is said meanwhile is not kept.
    Awaitable<Belated> wait_on(std::string awaited);
    void keep(char direction, std::string_view lines);
    void keep_heard(std::string_view line);
    Diagnosis diagnose_death(const std::optional<ExitStatus>& exit);

    const PlayerSpec& spec_;
    std::unique_ptr<Peer> peer_;
    Milliseconds startup_;
    Milliseconds answer_;
    bool was_ready_ = false;   // it has answered `isready`, once: so it has started
    bool was_silent_ = false;  // it has not answered, and its input was closed
    std::string name_;
    bool wants_legal_moves_ = false;
    std::deque<SaidLine> lines_;
    Heard heard_;     // since the last wait for a line began
    CpuCount cpu_{};  // of its processes, at the beginning of that wait
    std::string stray_line_;
    StderrText stderr_;
};

}  // namespace arena
