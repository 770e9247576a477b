// A game from a row, as both databases keep it. How rows are selected, where strikes are, and
// what becomes of a damaged game is their own.
#pragma once

#include <limits>
#include <map>
#include <memory>

#include "arena/record/packing.hpp"
#include "arena/record/store_rules.hpp"
#include "protocol/text.hpp"

namespace arena {

// What GameReader reads: a game `g`, its fault, its annotation `a`.
inline constexpr std::string_view kGameColumns =
    "g.winner, g.reason, g.detail, g.moves, g.times, g.p1_seed, g.p2_seed, g.started, "
    "g.p1_cpu, g.p2_cpu, g.p1_off_turn, g.p2_off_turn, g.p1_build, g.p2_build, g.p1_stderr, "
    "g.p2_stderr, received, expected, stderr, exit_code, exit_signal, a.text";

// `Row`: its columns, one call each. All throw DamagedRow.
template <typename Row>
class GameReader {
  public:
    // A seat, which the databases count from 1.
    static std::optional<int> seat(Row& row, std::string_view what = "seat") {
        auto seat = small(row, 1, 2, what);
        if (seat) --*seat;
        return seat;
    }

    // What an event has of a game besides its key and its players: winner, reason, CPU time off
    // turn and strikes of both, moves, times.
    static void read_result(Row& row, GameResult& result) {
        constexpr int kMostStrikes = 1'000'000'000;
        read_verdict(row, result);
        for (Microseconds& cpu : result.off_turn_cpu) cpu = time(row, "CPU time off turn");
        for (int& strikes : result.strikes)
            strikes = static_cast<int>(number(row, kMostStrikes, "strikes"));
        const std::size_t moves = protocol::split_words(row.text()).size();
        result.set_times(read_times(row.bytes(), moves), moves);
    }

    // `read_build`: reads the command, name and executable of the build of a number.
    void read(Row& row, GameRecord& record, const auto& read_build) {
        read_verdict(row, record);
        record.detail = row.text();
        read_moves(row, record);
        for (auto& seed : record.task.seeds) {
            seed = static_cast<std::uint64_t>(number(row, kMost, "seed"));
        }
        record.started = std::chrono::system_clock::time_point(
            Microseconds(number(row, kLatestMicroseconds, "time of its start")));
        for (Microseconds& cpu : record.cpu) cpu = time(row, "CPU time");
        for (Microseconds& cpu : record.off_turn_cpu) cpu = time(row, "CPU time off turn");
        for (auto& ran : record.builds) ran = build(row.maybe_number(), read_build);
        for (std::string& tail : record.stderr_tails) tail = row.text();
        record.received = row.text();
        record.expected = row.text();
        record.stderr_tail = row.text();
        using Code = std::numeric_limits<int>;
        ExitStatus exit;
        exit.code = small(row, Code::min(), Code::max(), "exit code");
        exit.signal = small(row, Code::min(), Code::max(), "signal");
        if (exit.code || exit.signal) record.exit = exit;
        record.annotation = row.text();
    }

  private:
    static constexpr std::size_t kMostBuilds = 10'000;
    static constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

    static std::int64_t number(Row& row, std::int64_t most, std::string_view what) {
        return checked_number(row.number(), 0, most, what);
    }
    static Microseconds time(Row& row, std::string_view what) {
        return Microseconds(number(row, kMostMicroseconds, what));
    }
    static std::optional<int> small(Row& row, int least, int most, std::string_view what) {
        const std::optional<std::int64_t> value = row.maybe_number();
        if (!value) return std::nullopt;
        return static_cast<int>(checked_number(*value, least, most, what));
    }

    static void read_verdict(Row& row, auto& game) {
        game.winner = seat(row, "winner");
        game.reason = recorded_reason(row.text());
        check_result(game.reason, game.winner);
    }
    static void read_moves(Row& row, GameRecord& record) {
        record.moves = split_joined(row.text());
        record.times = read_times(row.bytes(), record.moves.size());
        if (record.times.size() > record.moves.size()) {
            record.fault_time = record.times.back();
            record.times.pop_back();
        }
    }

    std::shared_ptr<const PlayerBuild> build(std::optional<std::int64_t> id,
                                             const auto& read_build) {
        if (!id) return nullptr;
        if (builds_.size() >= kMostBuilds) builds_.clear();
        auto& kept = builds_[*id];
        if (!kept) {
            read_build(*id, [&kept](auto& row) {
                kept = std::make_shared<const PlayerBuild>(
                    PlayerBuild{row.text(), row.text(), row.text()});
            });
        }
        return kept;
    }

    std::map<std::int64_t, std::shared_ptr<const PlayerBuild>> builds_;
};

}  // namespace arena
