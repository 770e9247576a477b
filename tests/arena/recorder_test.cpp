#include "arena/recorder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <latch>
#include <string>
#include <utility>
#include <vector>

#include "arena/names.hpp"
#include "tests/arena/loop.hpp"
#include "tests/arena/stand_in_analyst.hpp"
#include "tests/arena/temporary_file.hpp"

namespace arena {
namespace {

using ::testing::ElementsAre;

constexpr std::uint64_t kSeed = 42;

std::vector<PlayerSpec> ann_and_bob() {
    std::vector<PlayerSpec> players(2);
    players[0].name = "Ann";
    players[1].name = "Bob";
    return players;
}

// Who moves first wins nim:1.
GameRecord game(std::uint64_t number) {
    GameRecord record;
    record.task.game = number;
    record.task.pair = (number + 1) / 2;
    if (number % 2 == 0) record.task.players = {1, 0};
    record.task.position =
        std::make_shared<protocol::Position>(*protocol::parse_position("nim:1"));
    record.moves = {"1=0"};
    record.times = {Microseconds(7)};
    record.winner = 0;
    record.reason = Reason::NoMoves;
    return record;
}

std::unique_ptr<LineFile> open_file(const std::string& path) {
    auto file = LineFile::open(path);
    if (!file) throw std::runtime_error(file.error().text);
    return *std::move(file);
}

std::vector<std::string> lines_of(const std::string& path) {
    std::vector<std::string> lines;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
}

class RecorderTest : public ::testing::Test {
  protected:
    void open(std::unique_ptr<LineFile> file, int most_waiting = 100) {
        recorder = std::make_unique<Recorder>(
            std::move(file), analyst, names, kSeed, most_waiting,
            [this](const GameRecord& record, const Tally& tally) {
                told.emplace_back(record.task.game, tally.finished());
                if (on_game) on_game();
            },
            [this](const protocol::Error& error) { errors.push_back(error.text); });
    }

    StandInAnalyst analyst;
    Names names{ann_and_bob()};
    Loop loop;
    // What is told, on the recorder's thread: to be read once that has finished.
    std::vector<std::pair<std::uint64_t, std::uint64_t>> told;
    std::vector<std::string> errors;
    std::function<void()> on_game;
    std::unique_ptr<Recorder> recorder;
};

TEST_F(RecorderTest, WritesReviewsAndCountsGamesInTheirOrder) {
    const TemporaryFile file;
    open(open_file(file.path()));
    for (std::uint64_t number : {2, 1, 3}) loop.finish(recorder->add(game(number)));
    recorder->finish();

    EXPECT_THAT(told, ElementsAre(std::pair(2, 1), std::pair(1, 2), std::pair(3, 3)));
    EXPECT_THAT(errors, ElementsAre());
    EXPECT_THAT(lines_of(file.path()), ElementsAre(json_line(game(2), {"Ann", "Bob"}, kSeed),
                                                   json_line(game(1), {"Ann", "Bob"}, kSeed),
                                                   json_line(game(3), {"Ann", "Bob"}, kSeed)));
    const Tally tally = recorder->tally();
    EXPECT_EQ(tally.finished(), 3u);
    EXPECT_EQ(tally.players()[0].wins, 2u);
    EXPECT_EQ(tally.players()[1].wins, 1u);
    EXPECT_EQ(tally.players()[0].theory_halves, 4u);  // the review asks the analyst
}

TEST_F(RecorderTest, CallsPlayersWhatTheyAreCalledThen) {
    const TemporaryFile file;
    open(open_file(file.path()));
    names.introduce(0, "Perfect");
    loop.finish(recorder->add(game(1)));
    recorder->finish();
    EXPECT_THAT(lines_of(file.path()),
                ElementsAre(json_line(game(1), {"Perfect", "Bob"}, kSeed)));
}

TEST_F(RecorderTest, CountsWithoutAFile) {
    open(nullptr);
    loop.finish(recorder->add(game(1)));
    recorder->finish();
    EXPECT_EQ(recorder->tally().finished(), 1u);
    EXPECT_THAT(errors, ElementsAre());
}

TEST_F(RecorderTest, TellsOnceThatTheFileCannotBeWritten) {
    open(open_file("/dev/full"));
    for (std::uint64_t number : {1, 2, 3}) loop.finish(recorder->add(game(number)));
    recorder->finish();
    EXPECT_THAT(errors, ElementsAre("cannot write to '/dev/full': No space left on device"));
    EXPECT_EQ(recorder->tally().finished(), 3u);
}

TEST_F(RecorderTest, HoldsUpWhoHandsOverGamesTooFast) {
    std::latch reached(1);
    std::latch released(1);
    open(nullptr, 10);
    on_game = [&] {
        if (told.size() != 1) return;
        reached.count_down();
        released.wait();
    };
    loop.finish(recorder->add(game(1)));
    reached.wait();
    for (std::uint64_t number = 2; number <= 11; ++number) {
        loop.finish(recorder->add(game(number)));
    }
    const auto one_more = [&]() -> Awaitable<bool> {
        co_await recorder->add(game(12));
        co_return true;
    };
    const auto added = loop.start(one_more());
    EXPECT_FALSE(added->has_value());
    released.count_down();
    EXPECT_TRUE(loop.finish(added));
    EXPECT_EQ(recorder->tally().finished(), 12u);
}

TEST_F(RecorderTest, TellsOfEachGameBeforeTheNextIfAsked) {
    open(nullptr, 0);
    for (std::uint64_t number = 1; number <= 3; ++number) {
        loop.finish(recorder->add(game(number)));
        EXPECT_EQ(recorder->tally().finished(), number);
    }
}

TEST_F(RecorderTest, FinishesWhatItWasGivenBeforeItGoes) {
    open(nullptr);
    for (std::uint64_t number = 1; number <= 100; ++number) {
        loop.finish(recorder->add(game(number)));
    }
    recorder.reset();
    EXPECT_EQ(told.size(), 100u);
}

}  // namespace
}  // namespace arena
