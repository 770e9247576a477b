// A small tournament that fills a store.
#pragma once

#include "arena/record/store.hpp"
#include "tests/arena/game_records.hpp"

namespace arena {

inline const Configuration kConfiguration{{"format", "swiss"}, {"seed", "7"}};

inline std::vector<Entrant> four_players() {
    return {{"Ann", "cmd=ann", 1},
            {"Bob", "cmd=bob", 1},
            {"Cid", "cmd=cid", 1},
            {"Dan", "cmd=dan", 1}};
}

// Ann against Bob and Cid against Dan, a pair of games each.
inline RoundPlan round_plan(int round) {
    RoundPlan plan;
    plan.round = round;
    plan.pairs = {{{1, round, 1, 1, 1}, {0, 1}, position("nim:3,4,5")},
                  {{1, round, 2, 1, 1}, {2, 3}, position("nim:3,4,5")}};
    return plan;
}

// The first mover wins, in three moves.
inline GameRecord finished(const Claim& claim, int leg) {
    GameRecord record = game_record(claim.pair.position.text(), {"1=0", "2=0", "3=0"});
    record.task.players = claim.pair.players;
    record = in_pair(claim.pair.key, leg, std::move(record));
    record.task.seeds = {1, (std::uint64_t{1} << 53) - 1};
    record.times = {Microseconds(0), Microseconds(127), Microseconds(3'600'000'000)};
    record.detail = "p2 has no move and loses";
    record.cpu = {Microseconds(1), Microseconds(2)};
    record.started =
        std::chrono::system_clock::time_point(std::chrono::milliseconds(1'700'000'000'123));
    return record;
}

// One game with everything that can happen in a game.
inline GameRecord eventful_game(const Claim& claim, int leg) {
    GameRecord record = finished(claim, leg);
    record.moves.pop_back();
    record.times.pop_back();
    const Cause crash{
        Reason::Disconnected, "its process was ended by SIGSEGV", "\x1b[31m\xff",
        "bestmove MOVE",      ExitStatus{std::nullopt, SIGSEGV},  "Traceback:\n  \aline 3\n"};
    static_cast<Cause&>(record) = crash;
    record.winner = 0;
    record.fault_time = Microseconds(300);
    record.off_turn_cpu = {Microseconds(5), Microseconds(6)};
    record.stderr_tails = {"", "Traceback:\n  \aline 3\n"};
    record.builds = {std::make_shared<PlayerBuild>(
                         PlayerBuild{"ann --fast", "Ann 1.0", "abc  /ann\ndef  /ann.py"}),
                     std::make_shared<PlayerBuild>(PlayerBuild{"bob", "Bob's", ""})};
    record.strikes[0] = {{1, Reason::IllegalMove, "9=9"}, {3, Reason::Timeout, ""}};
    record.strikes[1] = {{2, Reason::Protocol, "bestmove"}};
    return record;
}

inline std::vector<GameRecord> games_of(Store& store) {
    std::vector<GameRecord> games;
    EXPECT_TRUE(store.for_each_game([&](const GameRecord& game) {
        games.push_back(game);
        return true;
    }));
    return games;
}

inline std::vector<std::string> keys_of(Store& store) {
    std::vector<std::string> keys;
    for (const GameRecord& game : games_of(store)) keys.push_back(to_string(game.task.key));
    return keys;
}

// Plays all that is planned, by a thread for each of `players`, and reads the events of
// `watched` meanwhile: they come in order and without gaps, up to `last`. Returns how many
// games were new.
inline int play_and_watch(const std::vector<Store*>& players, Store& watched,
                          std::uint64_t last) {
    std::atomic<int> fresh{0};
    std::atomic<bool> done{false};
    const auto play = [&](Store* store) {
        for (;;) {
            const auto claims = *store->claim(3);
            if (claims.empty()) return;
            std::vector<GameRecord> games;
            for (const Claim& claim : claims) {
                games.push_back(finished(claim, 1));
                games.push_back(finished(claim, 2));
            }
            const auto answers = *store->record(games);
            for (const Recorded answer : answers) fresh += answer == Recorded::New;
        }
    };
    std::thread watcher([&] {
        std::uint64_t seen = 0;
        for (bool over = false; !over;) {
            over = done;
            const auto events = *watched.events(seen, 1000);
            for (const Event& event : events) {
                EXPECT_EQ(event.number, seen + 1);
                seen = event.number;
            }
            EXPECT_TRUE(watched.for_each_game([](const GameRecord&) { return true; }));
        }
        EXPECT_EQ(seen, last);
    });
    std::vector<std::thread> threads;
    for (Store* player : players) threads.emplace_back(play, player);
    for (std::thread& thread : threads) thread.join();
    done = true;
    watcher.join();
    return fresh;
}

inline void expect_equal(const GameRecord& read, const GameRecord& written) {
    EXPECT_EQ(read.task.key, written.task.key);
    EXPECT_EQ(read.task.position.text(), written.task.position.text());
    EXPECT_EQ(read.task.players, written.task.players);
    EXPECT_EQ(read.task.seeds, written.task.seeds);
    EXPECT_EQ(read.moves, written.moves);
    EXPECT_EQ(read.times, written.times);
    EXPECT_EQ(read.fault_time, written.fault_time);
    EXPECT_EQ(read.winner, written.winner);
    EXPECT_EQ(read.reason, written.reason);
    EXPECT_EQ(read.detail, written.detail);
    EXPECT_EQ(read.received, written.received);
    EXPECT_EQ(read.expected, written.expected);
    EXPECT_EQ(read.stderr_tail, written.stderr_tail);
    ASSERT_EQ(read.exit.has_value(), written.exit.has_value());
    if (read.exit) {
        EXPECT_EQ(read.exit->code, written.exit->code);
        EXPECT_EQ(read.exit->signal, written.exit->signal);
    }
    EXPECT_EQ(read.off_turn_cpu, written.off_turn_cpu);
    EXPECT_EQ(read.cpu, written.cpu);
    EXPECT_EQ(read.stderr_tails, written.stderr_tails);
    EXPECT_EQ(read.started, written.started);
    for (std::size_t seat = 0; seat < 2; ++seat) {
        ASSERT_EQ(read.builds[seat] != nullptr, written.builds[seat] != nullptr);
        if (read.builds[seat]) {
            EXPECT_EQ(*read.builds[seat], *written.builds[seat]);
        }
        ASSERT_EQ(read.strikes[seat].size(), written.strikes[seat].size());
        for (std::size_t i = 0; i < read.strikes[seat].size(); ++i) {
            EXPECT_EQ(read.strikes[seat][i].ply, written.strikes[seat][i].ply);
            EXPECT_EQ(read.strikes[seat][i].reason, written.strikes[seat][i].reason);
            EXPECT_EQ(read.strikes[seat][i].received, written.strikes[seat][i].received);
        }
    }
}

}  // namespace arena
