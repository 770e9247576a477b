#include <new>

#include "protocol/bot.hpp"
#include "protocol/line_buffer.hpp"
#include "tests/harness/patience.hpp"

namespace protocol::session_test {

using namespace std::chrono_literals;
using protocol::test::kPatience;
using namespace testing;
using Clock = std::chrono::steady_clock;

// Collects the lines that a session writes; tests can wait for them.
class Lines {
  public:
    bool add(std::string_view text) {
        const std::lock_guard lock(mutex_);
        ++writes_;
        for (std::size_t end = text.find('\n'); end != text.npos; end = text.find('\n')) {
            lines_.emplace_back(text.substr(0, end));
            text.remove_prefix(end + 1);
        }
        EXPECT_EQ(text, "") << "half a line";
        came_.notify_all();
        return !lost_;
    }

    // All lines so far. Waits until there are `count`, for kPatience at most.
    std::vector<std::string> wait(std::size_t count) {
        std::unique_lock lock(mutex_);
        came_.wait_for(lock, kPatience, [&] { return lines_.size() >= count; });
        return lines_;
    }

    std::vector<std::string> now() { return wait(0); }
    int writes() {
        const std::lock_guard lock(mutex_);
        return writes_;
    }
    void lose() {
        const std::lock_guard lock(mutex_);
        lost_ = true;
    }

  private:
    std::mutex mutex_;
    std::condition_variable came_;
    std::vector<std::string> lines_;
    int writes_ = 0;
    bool lost_ = false;
};

// Opens once, for all threads that wait.
class Gate {
  public:
    void open() {
        const std::lock_guard lock(mutex_);
        open_ = true;
        opened_.notify_all();
    }
    void wait() {
        std::unique_lock lock(mutex_);
        opened_.wait_for(lock, kPatience, [&] { return open_; });
    }

  private:
    std::mutex mutex_;
    std::condition_variable opened_;
    bool open_ = false;
};

void wait_for_stop(const std::stop_token& stop) {
    Gate stopped;
    const std::stop_callback callback(stop, [&] { stopped.open(); });
    stopped.wait();
}

class FunctionBot : public Bot {
  public:
    explicit FunctionBot(Choose function) : function_(std::move(function)) {}
    std::optional<Move> choose(const Turn& turn) override { return function_(turn); }

  private:
    Choose function_;
};

const BotInfo kInfo{"Tester", "the tests", {{"Level", "spin default 1 min 0 max 9"}}};

// Takes heap 1.
std::optional<Move> take_heap_one(const Turn&) { return Move{1, {Number{0}}}; }

// Does so once the gate is open.
Choose gated(Gate& gate) {
    return [&gate](const Turn& turn) {
        gate.wait();
        return take_heap_one(turn);
    };
}

struct Talk {
    explicit Talk(Choose choose, std::chrono::milliseconds patience = kPatience)
        : Talk(std::make_unique<FunctionBot>(std::move(choose)), patience) {}
    explicit Talk(std::unique_ptr<Bot> bot, std::chrono::milliseconds patience = kPatience,
                  std::chrono::milliseconds grace = kPatience)
        : session(
              kInfo, std::move(bot), [this](std::string_view text) { return lines.add(text); },
              patience, grace) {}

    void feed(std::initializer_list<const char*> all) {
        for (const char* line : all) session.feed(line);
    }

    Lines lines;
    Session session;
};

TEST(Session, IntroducesItselfInOneWrite) {
    Talk talk(take_heap_one);
    EXPECT_TRUE(talk.session.feed("ugi"));
    EXPECT_THAT(
        talk.lines.now(),
        ElementsAre("id name Tester", "id author the tests",
                    "option name Seed type spin default 0 min 0 max 9223372036854775807",
                    "option name Level type spin default 1 min 0 max 9", "ugiok"));
    EXPECT_EQ(talk.lines.writes(), 1);
}

TEST(Session, AnswersNothingToWhatItDoesNotKnow) {
    Talk talk(take_heap_one);
    for (const char* line : {"", "   ", "hello", "foo isready", "stop", "uginewgame", "PING"}) {
        EXPECT_TRUE(talk.session.feed(line));
    }
    EXPECT_THAT(talk.lines.now(), IsEmpty());
}

TEST(Session, EndsAtQuit) {
    Talk talk(take_heap_one);
    EXPECT_FALSE(talk.session.feed("quit"));
    EXPECT_THAT(talk.lines.now(), IsEmpty());
}

TEST(Session, BestMoveIsTwoWordsAndZerosWhereThereIsNone) {
    Talk talk([](const Turn& turn) -> std::optional<Move> {
        if (turn.candidates.empty()) return std::nullopt;
        return turn.candidates.back();
    });
    talk.session.feed("go searchmoves 1=0 3=4,0");
    EXPECT_THAT(talk.lines.wait(1), ElementsAre("bestmove 3=4"));
    talk.session.feed("go");
    EXPECT_THAT(talk.lines.wait(2), ElementsAre("bestmove 3=4", "bestmove 0000"));
}

struct SeenTurn {
    std::string position;
    int player = 0;
    std::uint64_t seed = 0;
    Clock::time_point deadline{};
    Clock::time_point before{}, after{};  // the last line is fed in between
};

SeenTurn turn_after(std::initializer_list<const char*> lines) {
    SeenTurn seen;
    {
        Talk talk([&](const Turn& turn) {
            seen.position = to_string(turn.position);
            seen.player = turn.player;
            seen.seed = turn.seed;
            seen.deadline = turn.deadline;
            return std::nullopt;
        });
        for (const char* line : lines) {
            seen.before = Clock::now();
            talk.session.feed(line);
            seen.after = Clock::now();
        }
        talk.session.finish();
    }
    return seen;
}

TEST(Session, StartsAtStartpos) {
    EXPECT_EQ(turn_after({"go"}).position, "nim:1,3,5,7");
    EXPECT_EQ(turn_after({"moves 1=0 2=1", "go"}).position, "nim:0,1,5,7");
}

TEST(Session, ReplacesHeapsOfRulesetsItDoesNotKnow) {
    EXPECT_EQ(
        turn_after({"position fen new{x}:(1,2),3+lasker:7 misere moves 3=4,2 1=(0,2)", "go"})
            .position,
        "new{x}:(0,2),3+lasker:2,4 misere");
}

TEST(Session, KnowsWhoIsToMove) {
    EXPECT_EQ(turn_after({"go"}).player, 1);
    EXPECT_EQ(turn_after({"position startpos moves 1=0", "go"}).player, 2);
    EXPECT_EQ(turn_after({"position startpos moves 1=0", "moves 2=0", "go"}).player, 1);
    EXPECT_EQ(
        turn_after({"position startpos moves 1=0", "position startpos moves 1=0 2=1 2=0", "go"})
            .player,
        2);
    EXPECT_EQ(turn_after({"position startpos moves 1=0", "position fen nim:5", "go"}).player,
              1);
}

TEST(Session, KeepsTheSeed) {
    EXPECT_EQ(turn_after({"go"}).seed, 0u);
    EXPECT_EQ(turn_after({"setoption name Seed value 9223372036854775807", "go"}).seed,
              9223372036854775807u);
}

TEST(Session, KeepsAReserveOfTheTime) {
    const auto expect_time = [](std::initializer_list<const char*> lines, auto time) {
        const auto seen = turn_after(lines);
        EXPECT_GE(seen.deadline, seen.before + time);
        EXPECT_LE(seen.deadline, seen.after + time);
    };
    const auto kept = 10ms;
    expect_time({"go"}, 1s - kept);
    expect_time({"go movetime 50"}, 45ms);
    expect_time({"go movetime 60000"}, 60s - kept);
    expect_time({"go movetime 9223372036854775807"}, 1'000'000'000s - kept);
    expect_time({"go p1time 60000"}, 3s - kept);
    expect_time({"go p1time 60000 p1inc 4000 p2time 1"}, 6s - kept);
    expect_time({"go p1time 60000 movetime 40000"}, 3s - kept);
    expect_time({"position startpos moves 1=0", "go p2time 60000 p1time 1"}, 3s - kept);
    expect_time({"go p2time 60000"}, 1s - kept);
    expect_time({"go p1time -20"}, 0ms);
    const auto unlimited = Clock::time_point::max();
    EXPECT_EQ(turn_after({"go infinite"}).deadline, unlimited);
    EXPECT_EQ(turn_after({"go depth 5"}).deadline, unlimited);
    EXPECT_EQ(turn_after({"go nodes 5"}).deadline, unlimited);
}

TEST(Session, AnswersIsReadyDuringGo) {
    Gate gate;
    Talk talk(gated(gate));
    talk.feed({"go", "isready"});
    EXPECT_THAT(talk.lines.now(), ElementsAre("readyok"));
    gate.open();
    EXPECT_THAT(talk.lines.wait(2), ElementsAre("readyok", "bestmove 1=0"));
}

TEST(Session, StopBringsThePendingMove) {
    Talk talk([](const Turn& turn) {
        wait_for_stop(turn.stop);
        return take_heap_one(turn);
    });
    talk.feed({"go movetime 100000", "stop"});
    EXPECT_THAT(talk.lines.wait(1), ElementsAre("bestmove 1=0"));
    talk.feed({"stop", "isready"});
    EXPECT_THAT(talk.lines.now(), ElementsAre("bestmove 1=0", "readyok"));
}

TEST(Session, GoInfiniteAnswersOnlyAfterStop) {
    Gate chosen;
    Talk talk([&](const Turn& turn) {
        chosen.open();
        return take_heap_one(turn);
    });
    talk.session.feed("go infinite");
    chosen.wait();
    talk.session.feed("isready");
    EXPECT_THAT(talk.lines.now(), ElementsAre("readyok"));
    talk.session.feed("stop");
    EXPECT_THAT(talk.lines.wait(2), ElementsAre("readyok", "bestmove 1=0"));
}

TEST(Session, OtherCommandsWaitForBestMove) {
    Gate gate;
    Talk talk(gated(gate));
    talk.session.feed("go");
    talk.feed({"query fen", "position fen nim:9", "query fen", "position x", "go",
               "query p1turn", "isready"});
    EXPECT_THAT(talk.lines.now(), ElementsAre("readyok"));
    gate.open();
    EXPECT_THAT(
        talk.lines.wait(7),
        ElementsAre("readyok", "bestmove 1=0", "response nim:1,3,5,7", "response nim:9",
                    "info string error column 10: read 'x', expected 'startpos', or 'fen' "
                    "and a position",
                    "bestmove 1=0", "response true"));
}

TEST(Session, StopAfterAMoveIsForTheNextGo) {
    for (int round = 0; round < 200; ++round) {
        Talk talk(take_heap_one);
        talk.session.feed("go movetime 1");
        talk.lines.wait(1);
        // The worker may not have handed the bot back yet.
        talk.feed({"go infinite", "stop"});
        ASSERT_EQ(talk.lines.wait(2).size(), 2u);
    }
}

TEST(Session, EachStopIsForTheNextGo) {
    Gate gate;
    Talk talk(gated(gate));
    talk.feed({"go infinite", "go infinite", "go infinite", "stop", "stop"});
    gate.open();
    EXPECT_EQ(talk.lines.wait(2).size(), 2u);
    talk.session.feed("stop");
    EXPECT_EQ(talk.lines.wait(3).size(), 3u);
}

TEST(Session, WhatWaitsIsBounded) {
    Gate gate;
    Talk talk(gated(gate));
    talk.session.feed("go");
    const std::string line = "setoption name Level value " + std::string(1 << 20, 'x');
    for (int i = 0; i < 3; ++i) talk.session.feed(line);
    EXPECT_THAT(talk.lines.now(), IsEmpty());
    talk.session.feed(line);
    EXPECT_THAT(
        talk.lines.now(),
        ElementsAre(
            "info string error too many lines wait for bestmove; this one is "
            "dropped: 'setoption name Level value xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…'"));
    talk.session.feed("query p1turn");
    gate.open();
    EXPECT_EQ(talk.lines.wait(6).back(), "response true");
}

TEST(Session, TheEndOfInputPrintsThePendingMove) {
    Talk talk(take_heap_one);
    talk.feed({"go infinite", "query fen", "go infinite", "go movetime 1"});
    talk.session.finish();
    EXPECT_THAT(talk.lines.now(), ElementsAre("bestmove 1=0", "response nim:1,3,5,7",
                                              "bestmove 1=0", "bestmove 1=0"));
    EXPECT_FALSE(talk.session.is_thinking());
}

TEST(Session, TheEndOfInputLetsABoundedSearchRun) {
    Gate finishing;
    bool stopped = true;
    Talk talk([&](const Turn& turn) {
        finishing.wait();
        stopped = turn.stop.stop_requested();
        return take_heap_one(turn);
    });
    talk.session.feed("go movetime 5000");
    std::jthread opener([&] { finishing.open(); });
    talk.session.finish();
    EXPECT_FALSE(stopped);
    EXPECT_THAT(talk.lines.now(), ElementsAre("bestmove 1=0"));
}

TEST(Session, TheEndOfInputWaitsForASearchThatIsOverItsTime) {
    Gate late;
    Talk talk([&](const Turn& turn) {
        std::this_thread::sleep_until(turn.deadline);
        late.open();
        return take_heap_one(turn);
    });
    talk.session.feed("go movetime 1");
    late.wait();
    talk.session.finish();
    EXPECT_THAT(talk.lines.now(), ElementsAre("bestmove 1=0"));
}

TEST(Session, TheEndOfInputStopsASearchThatNoTimeLimits) {
    Talk talk([](const Turn& turn) {
        wait_for_stop(turn.stop);
        EXPECT_TRUE(turn.stop.stop_requested());
        return take_heap_one(turn);
    });
    talk.feed({"go depth 3", "go nodes 3"});
    talk.session.finish();
    EXPECT_THAT(talk.lines.now(), ElementsAre("bestmove 1=0", "bestmove 1=0"));
}

TEST(Session, TheEndOfInputGivesUpOnASearchThatIgnoresStop) {
    Gate gate;
    Talk talk(gated(gate), 1ms);
    talk.session.feed("go infinite");
    talk.session.finish();
    EXPECT_TRUE(talk.session.is_thinking());
    EXPECT_THAT(talk.lines.now(), IsEmpty());
    gate.open();
}

TEST(Session, EndsWithoutAReader) {
    Talk talk(take_heap_one);
    EXPECT_TRUE(talk.session.feed("isready"));
    talk.lines.lose();
    EXPECT_FALSE(talk.session.feed("isready"));
    EXPECT_FALSE(talk.session.feed("isready"));
    EXPECT_EQ(talk.lines.writes(), 2);
}

TEST(Session, ALostPeerStopsTheSearchThatInforms) {
    Talk talk([](const Turn& turn) {
        turn.info("depth 1");
        wait_for_stop(turn.stop);
        EXPECT_TRUE(turn.stop.stop_requested());
        return std::nullopt;
    });
    talk.lines.lose();
    talk.session.feed("go depth 5");
    talk.session.finish();
    EXPECT_THAT(talk.lines.now(), ElementsAre("info depth 1"));
}

TEST(Session, PrintsInfosAtOnceOrWithTheMove) {
    Gate gate;
    Talk talk([&](const Turn& turn) {
        turn.info("string first\nline");
        turn.info_with_move("outcome N");
        gate.wait();
        return take_heap_one(turn);
    });
    talk.session.feed("go");
    EXPECT_THAT(talk.lines.wait(1), ElementsAre("info string first\\nline"));
    gate.open();
    EXPECT_THAT(talk.lines.wait(3),
                ElementsAre("info string first\\nline", "info outcome N", "bestmove 1=0"));
    EXPECT_EQ(talk.lines.writes(), 2);
}

TEST(Session, AnExceptionIsReportedAndTheLoopContinues) {
    Talk talk([](const Turn& turn) -> std::optional<Move> {
        if (turn.player == 1) throw std::runtime_error("no idea\a");
        if (turn.go.depth) throw std::bad_alloc();
        throw 5;
    });
    talk.session.feed("go");
    EXPECT_THAT(talk.lines.wait(2),
                ElementsAre("info string error no idea\\x07", "bestmove 0000"));
    talk.feed({"moves 1=0", "go"});
    EXPECT_THAT(
        talk.lines.wait(4),
        ElementsAre(testing::_, testing::_,
                    "info string error the bot threw something that is not a std::exception",
                    "bestmove 0000"));
    talk.session.feed("go depth 1");
    EXPECT_EQ(talk.lines.wait(6)[4],
              "info string error the system gave no more memory for this");
}

TEST(Session, ReportsUnreadableCandidatesOnce) {
    Talk talk([](const Turn& turn) -> std::optional<Move> {
        EXPECT_EQ(turn.candidates.size(), 1u);
        return turn.candidates.front();
    });
    talk.session.feed("go searchmoves 1=x 9=1 2=0");
    EXPECT_THAT(
        talk.lines.wait(2),
        ElementsAre("info string error searchmoves '1=x': column 3: read 'x', expected a "
                    "heap such as 5, (3,5) or (w+1)",
                    "bestmove 2=0"));
}

TEST(Session, ListsACandidateOnce) {
    std::vector<Move> candidates;
    Talk talk([&](const Turn& turn) {
        candidates = turn.candidates;
        return take_heap_one(turn);
    });
    talk.session.feed("go searchmoves 2=1 1=0 1=0,0 2=01 1=00");
    EXPECT_EQ(talk.lines.wait(1).size(), 1u);
    EXPECT_EQ(candidates, (std::vector<Move>{{2, {Number{1}}}, {1, {Number{0}}}}));
}

TEST(Session, AnswersAGoWhoseNumberCannotBeRead) {
    Talk talk([](const Turn& turn) {
        EXPECT_NE(turn.deadline, Clock::time_point::max());
        return take_heap_one(turn);
    });
    const std::string expected = "expected a number 0..9223372036854775807";
    talk.session.feed("go depth -1");
    EXPECT_THAT(
        talk.lines.wait(2),
        ElementsAre("info string error column 10: read '-1', " + expected, "bestmove 1=0"));
    talk.session.feed("go movetime 99999999999999999999");
    EXPECT_EQ(talk.lines.wait(3).back(), "bestmove 1=0");
}

TEST(Session, ReportsALineThatWasTooLong) {
    Talk talk(take_heap_one);
    talk.session.refuse({Fault::TooLong, "read a line beyond 5 bytes, expected a shorter one"});
    talk.session.feed("isready");
    EXPECT_THAT(
        talk.lines.now(),
        ElementsAre("info string error read a line beyond 5 bytes, expected a shorter one",
                    "readyok"));
}

TEST(SessionError, IsReportedAndKeepsThePosition) {
    const std::pair<std::string, std::string> cases[] = {
        {"position fen nim:3,,4",
         "column 20: read ',', expected a heap such as 5, (3,5) or (w+1)"},
        {" position  fen\tnim:3 foo moves 1=2",
         "column 22: read 'foo', expected 'normal', 'misere' or the end"},
        {"position fen nim:3 misere x", "column 27: read 'x', expected the end"},
        {"position startpos junk", "column 19: read 'junk', expected 'moves' or the end"},
        {"position fen nim:3 moves 1=2 2=1",
         "move '2=1': column 1: read '2', expected the number of a heap, 1..1"},
        {"position fen nim:3,4 misere moves 1=2 2=b",
         "move '2=b': column 3: read 'b', expected a heap such as 5, (3,5) or (w+1)"},
        {"moves 1=1 3=0",
         "move '3=0': column 1: read '3', expected the number of a heap, 1..2"},
        {"setoption name Level value 3", "there is no option 'Level'"},
        {"setoption name Seed value -1", "option Seed: column 1: read '-', expected a number"},
        {"setoption name Seed", "option Seed: column 1: read the end, expected a number"},
        {"query", "column 6: read the end, expected a question such as gameover"},
    };
    for (const auto& [line, answer] : cases) {
        SCOPED_TRACE(line);
        Talk talk(take_heap_one);
        talk.session.feed("position fen nim:3,4 misere moves 1=2");
        talk.session.feed(line);
        talk.feed({"query fen", "query p2turn"});
        std::vector<std::string> expected{"info string error " + answer};
        if (line == "query") expected.emplace_back("response unknown");
        expected.insert(expected.end(), {"response nim:2,4 misere", "response true"});
        EXPECT_EQ(talk.lines.now(), expected);
    }
}

// Records the calls of the session.
class ScriptBot : public Bot {
  public:
    explicit ScriptBot(std::vector<std::string>& calls) : calls_(calls) {}

    std::optional<Move> choose(const Turn&) override { return std::nullopt; }
    Result<void> set_option(std::string_view name,
                            std::optional<std::string_view> value) override {
        calls_.push_back("option " + std::string(name) + "=" +
                         std::string(value.value_or("-")));
        return {};
    }
    void seed(std::uint64_t seed) override { calls_.push_back("seed " + std::to_string(seed)); }
    void new_game() override { calls_.push_back("new game"); }
    Result<Position> advance(const Position& from, std::span<const std::string_view> moves,
                             Change change, const std::stop_token& stop) override {
        constexpr const char* kChanges[] = {"restart", "continue", "moves"};
        std::string call = kChanges[static_cast<int>(change)];
        call += " " + to_string(from);
        for (const std::string_view move : moves) call += " " + std::string(move);
        calls_.push_back(call);
        return Bot::advance(from, moves, change, stop);
    }
    std::optional<std::string> answer(const QueryCommand& query,
                                      const std::stop_token&) override {
        if (query.topic != "bestmoves") return std::nullopt;
        return std::string(query.argument);
    }

  private:
    std::vector<std::string>& calls_;
};

// Reads no position before its gate is open, or the session has ended.
class SlowReader : public FunctionBot {
  public:
    SlowReader(Gate& gate, Choose choose) : FunctionBot(std::move(choose)), gate_(gate) {}

    bool advances_at_once(const Position&, std::span<const std::string_view>,
                          Change) const override {
        return false;
    }
    Result<Position> advance(const Position& from, std::span<const std::string_view> moves,
                             Change change, const std::stop_token& stop) override {
        const std::stop_callback callback(stop, [&] { gate_.open(); });
        if (is_started_) gate_.wait();
        is_started_ = true;  // the start position has been read
        return Bot::advance(from, moves, change, stop);
    }

  private:
    Gate& gate_;
    bool is_started_ = false;
};

TEST(Session, IsReadyWhileItReadsAPosition) {
    Gate gate;
    Talk talk(std::make_unique<SlowReader>(gate, take_heap_one));
    talk.feed({"position fen nim:3,4 moves 1=9", "moves 2=5", "query fen", "isready"});
    EXPECT_THAT(talk.lines.now(), ElementsAre("readyok"));
    gate.open();
    talk.session.finish();
    EXPECT_THAT(talk.lines.now(), ElementsAre("readyok", "response nim:9,5"));
}

TEST(Session, ReadsAPositionOnTheClockOfItsGo) {
    Gate gate;
    Clock::time_point deadline;
    Talk talk(std::make_unique<SlowReader>(gate, [&](const Turn& turn) {
        deadline = turn.deadline;
        return take_heap_one(turn);
    }));
    talk.feed({"position fen nim:3,4", "go movetime 1000"});
    const auto asked = Clock::now();
    talk.session.feed("isready");  // which waits for a moment, whether it is read soon
    gate.open();
    talk.session.finish();
    EXPECT_LE(deadline, asked + 1000ms);
    EXPECT_THAT(talk.lines.now(), ElementsAre("readyok", "bestmove 1=0"));
}

TEST(Session, EndsWhileItReadsAPosition) {
    Gate gate;
    Talk talk(std::make_unique<SlowReader>(gate, take_heap_one), 1ms);
    talk.session.feed("position fen nim:3,4");
    EXPECT_FALSE(talk.session.feed("quit"));
}

TEST(Session, ReportsTheErrorsOfPositionsBeforeQuit) {
    Gate gate;
    gate.open();  // it is read on another thread, and quickly
    Talk talk(std::make_unique<SlowReader>(gate, take_heap_one));
    talk.session.feed("position fen nim:3,4 moves 3=0");
    EXPECT_FALSE(talk.session.feed("quit"));
    EXPECT_THAT(talk.lines.now(), ElementsAre(HasSubstr("info string error move '3=0'")));
}

// A piped script does not wait for a `bestmove`: no line is dropped.
TEST(Session, HoldsUpLinesWhileItReadsAPosition) {
    Gate gate;
    Talk talk(std::make_unique<SlowReader>(gate, take_heap_one));
    talk.session.feed("position fen nim:3,4");
    std::thread opener([&] { gate.open(); });
    const std::string long_line = "position fen nim:" + std::string(1 << 19, '1') + "x";
    for (int i = 0; i < 12; ++i) talk.session.feed(long_line);
    talk.session.feed("query fen");
    talk.session.finish();
    opener.join();
    const auto lines = talk.lines.now();
    ASSERT_EQ(lines.size(), 13u);
    EXPECT_EQ(lines.back(), "response nim:3,4");
    for (std::size_t i = 0; i < 12; ++i) {
        EXPECT_THAT(lines[i], HasSubstr("info string error column"));
    }
}

// Answers `query slow` by the reason of its end: `stop` or the gate.
class SlowQueryBot : public FunctionBot {
  public:
    explicit SlowQueryBot(Gate& gate)
        : FunctionBot([](const Turn& turn) {
              wait_for_stop(turn.stop);
              return take_heap_one(turn);
          }),
          gate_(gate) {}
    bool answers_query_at_once(const QueryCommand& query, const Position&) const override {
        return query.topic == "fen";
    }
    std::optional<std::string> answer(const QueryCommand& query,
                                      const std::stop_token& stop) override {
        if (query.topic != "slow") return std::nullopt;
        const std::stop_callback callback(stop, [this] { gate_.open(); });
        gate_.wait();
        return stop.stop_requested() ? "unknown" : "N";
    }

  private:
    Gate& gate_;
};

TEST(Session, AQueryThatTakesAWhileHoldsUpNeitherIsReadyNorStop) {
    Gate gate;
    Talk talk(std::make_unique<SlowQueryBot>(gate));
    talk.session.feed("query slow");
    EXPECT_TRUE(talk.session.is_thinking());
    talk.session.feed("isready");
    EXPECT_THAT(talk.lines.now(), ElementsAre("readyok"));
    talk.session.feed("query fen");  // waits
    talk.session.feed("stop");
    EXPECT_THAT(talk.lines.wait(3),
                ElementsAre("readyok", "response unknown", "response nim:1,3,5,7"));
}

TEST(Session, AStopIsForTheGoThatWaitsAfterAQuery) {
    Gate gate;
    Talk talk(std::make_unique<SlowQueryBot>(gate));
    talk.feed({"query slow", "go infinite", "stop"});
    gate.open();
    EXPECT_THAT(talk.lines.wait(2), ElementsAre("response N", "bestmove 1=0"));
}

TEST(Session, QueriesBeforeQuitAndTheEndOfInputAreAnswered) {
    for (const bool quit : {false, true}) {
        Gate gate;
        Talk talk(std::make_unique<SlowQueryBot>(gate));
        talk.feed({"query slow", "query fen"});
        std::thread opener([&] { gate.open(); });
        if (quit) {
            EXPECT_FALSE(talk.session.feed("quit"));
        } else {
            talk.session.finish();
        }
        EXPECT_THAT(talk.lines.now(), ElementsAre("response N", "response nim:1,3,5,7"));
        opener.join();
    }
}

TEST(Session, QueriesBeforeAGoAreAnsweredAtQuit) {
    Gate gate;
    Talk talk(std::make_unique<SlowQueryBot>(gate));
    talk.feed({"query slow", "query fen", "go infinite", "query slow"});
    std::thread opener([&] { gate.open(); });
    EXPECT_FALSE(talk.session.feed("quit"));
    EXPECT_THAT(talk.lines.now(), ElementsAre("response N", "response nim:1,3,5,7"));
    opener.join();
}

TEST(Session, QuitDoesNotWaitForQueriesAfterAGo) {
    Gate gate;
    Talk talk(std::make_unique<SlowQueryBot>(gate));
    talk.feed({"query slow", "go infinite", "query fen", "go infinite", "query fen"});
    std::thread opener([&] { gate.open(); });
    EXPECT_FALSE(talk.session.feed("quit"));
    EXPECT_THAT(talk.lines.now(), ElementsAre("response N"));
    opener.join();
}

// Answers a query once it is stopped.
class StoppableQueryBot : public FunctionBot {
  public:
    using FunctionBot::FunctionBot;
    bool answers_query_at_once(const QueryCommand&, const Position&) const override {
        return false;
    }
    std::optional<std::string> answer(const QueryCommand&,
                                      const std::stop_token& stop) override {
        wait_for_stop(stop);
        return "stopped";
    }
};

TEST(Session, QuitStopsAQuery) {
    Talk talk(std::make_unique<StoppableQueryBot>(take_heap_one), kPatience, 1ms);
    talk.feed({"query nimber", "query nimber"});
    EXPECT_FALSE(talk.session.feed("quit"));
    EXPECT_THAT(talk.lines.now(), ElementsAre("response stopped", "response stopped"));
}

TEST(Session, ASearchThatWasStoppedAnswersBeforeQuit) {
    Talk talk(take_heap_one);
    talk.feed({"go infinite", "stop", "query fen"});
    EXPECT_FALSE(talk.session.feed("quit"));
    EXPECT_THAT(talk.lines.now(), ElementsAre("bestmove 1=0", "response nim:1,3,5,7"));
}

class QuickBot : public FunctionBot {
  public:
    using FunctionBot::FunctionBot;
    bool answers_at_once(const Position&) const override { return true; }
};

TEST(Session, ABotThatAnswersAtOnceIsCalledByTheLoopItself) {
    std::thread::id caller;
    Talk talk(std::make_unique<QuickBot>([&](const Turn& turn) {
        caller = std::this_thread::get_id();
        return take_heap_one(turn);
    }));
    talk.session.feed("go");
    EXPECT_THAT(talk.lines.now(), ElementsAre("bestmove 1=0"));
    EXPECT_EQ(caller, std::this_thread::get_id());

    talk.feed({"go infinite", "isready"});
    EXPECT_THAT(talk.lines.now(), ElementsAre("bestmove 1=0", "readyok"));
    talk.feed({"go movetime 1", "stop"});
    EXPECT_THAT(talk.lines.wait(4),
                ElementsAre("bestmove 1=0", "readyok", "bestmove 1=0", "bestmove 1=0"));
}

class DoubtfulBot : public FunctionBot {
  public:
    using FunctionBot::FunctionBot;
    bool answers_at_once(const Position&) const override { throw std::runtime_error("hm"); }
};

TEST(Session, ABotThatThrowsWhenAskedForItsSpeedStillAnswers) {
    Talk talk(std::make_unique<DoubtfulBot>(take_heap_one));
    talk.session.feed("go");
    EXPECT_THAT(talk.lines.wait(2), ElementsAre("info string error hm", "bestmove 1=0"));
}

TEST(Session, ReportsAMoveThatCannotBeOne) {
    const std::pair<Move, const char*> cases[] = {
        {{5, {Number{0}}}, "5=0"}, {{0, {Number{0}}}, "0=0"}, {{1, {}}, "1"}};
    for (const auto& [move, text] : cases) {
        Talk talk([chosen = move](const Turn&) { return chosen; });
        talk.session.feed("go");
        EXPECT_THAT(talk.lines.wait(2),
                    ElementsAre("info string error the bot chose '" + std::string(text) +
                                    "', expected a result for one of the heaps 1..4",
                                "bestmove " + std::string(text)));
    }
}

std::vector<std::string> calls_for(std::initializer_list<std::string> lines) {
    std::vector<std::string> calls;
    Talk talk(std::make_unique<ScriptBot>(calls));
    for (const std::string& line : lines) talk.session.feed(line);
    return calls;
}

TEST(Session, HandsTheBotOptionsSeedsAndGames) {
    EXPECT_THAT(calls_for({"setoption name Two Words value a b", "setoption name Button",
                           "setoption name Seed value 7", "uginewgame"}),
                ElementsAre("restart nim:1,3,5,7", "option Two Words=a b", "option Button=-",
                            "seed 7", "new game"));
}

TEST(Session, HandsTheBotOnlyNewMoves) {
    EXPECT_THAT(
        calls_for({"position fen nim:4,4", "position fen nim:4,4 moves 1=3 2=3",
                   "position fen nim:4,4 moves 1=3 2=3", "moves 1=2",
                   "position fen nim:4,4 moves 1=3 2=3 1=2 2=0",
                   "position fen nim:4,4 moves 1=3", "position fen nim:4,4 moves 1=2 2=2",
                   "position fen nim:4,4 misere moves 1=2 2=2 2=1"}),
        ElementsAre("restart nim:1,3,5,7", "restart nim:4,4", "continue nim:4,4 1=3 2=3",
                    "continue nim:3,3", "moves nim:3,3 1=2", "continue nim:2,3 2=0",
                    "restart nim:4,4 1=3", "restart nim:4,4 1=2 2=2",
                    "restart nim:4,4 misere 1=2 2=2 2=1"));
}

TEST(Session, ContinuesFromTheOldPositionAfterAnError) {
    EXPECT_THAT(calls_for({"position startpos moves 1=0", "position startpos moves 1=0 9=9",
                           "position startpos moves 1=0 2=1"}),
                ElementsAre("restart nim:1,3,5,7", "continue nim:1,3,5,7 1=0",
                            "continue nim:0,3,5,7 9=9", "continue nim:0,3,5,7 2=1"));
}

TEST(Session, ForgetsAHistoryThatNoLineCanHold) {
    std::vector<std::string> calls;
    Talk talk(std::make_unique<ScriptBot>(calls));
    std::string moves = "moves";
    while (moves.size() + 4 <= kMaxLine) moves += " 1=9";
    talk.session.feed("position fen nim:9");
    talk.session.feed(moves);
    talk.session.feed("moves 1=8");
    talk.session.finish();  // waits until all lines are processed
    calls.clear();
    talk.feed({"query fen", "position fen nim:9"});
    EXPECT_THAT(calls, ElementsAre("restart nim:9"));
    EXPECT_EQ(talk.lines.now().front(), "response nim:8");
}

TEST(Session, PassesQueriesOn) {
    std::vector<std::string> calls;
    Talk talk(std::make_unique<ScriptBot>(calls));
    talk.feed({"query bestmoves 1=2  3=4", "query bestmoves", "query fen"});
    EXPECT_THAT(talk.lines.now(),
                ElementsAre("response 1=2  3=4", "response", "response nim:1,3,5,7"));
}

TEST(Session, AnswersEveryQuery) {
    Talk talk(take_heap_one);
    talk.feed({"query nimber", "query p1turn"});
    EXPECT_THAT(talk.lines.now(), ElementsAre("info string error query 'nimber' is not known",
                                              "response unknown", "response true"));
}

TEST(Bot, RefusesAPositionThatOutgrowsALine) {
    Talk talk(take_heap_one);
    std::string split = "moves 1=1";
    while (split.size() + 2 <= kMaxLine) split += ",1";
    talk.session.feed("position fen lasker:1");
    talk.session.feed(split);
    EXPECT_THAT(talk.lines.now(), IsEmpty());
    talk.session.feed("moves 1=1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1");
    ASSERT_EQ(talk.lines.now().size(), 1u);
    EXPECT_THAT(talk.lines.now()[0], EndsWith("more heaps than fit a line"));
}

}  // namespace protocol::session_test
