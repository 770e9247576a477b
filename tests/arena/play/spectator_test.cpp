#include "arena/play/spectator.hpp"

#include "arena/base/exit_codes.hpp"
#include "arena/commands/options.hpp"
#include "arena/commands/tournament.hpp"
#include "arena/play/run.hpp"
#include "arena/process/guardian.hpp"
#include "protocol/move.hpp"
#include "tests/harness/patience.hpp"

namespace arena::spectator_test {

using namespace testing;

// Records the calls, and checks that each game begins, continues ply by ply, and ends.
struct Notes {
    std::mutex mutex;
    std::vector<std::string> calls;
    std::vector<std::string> names;
    std::map<std::string, std::vector<std::string>> moves;  // by game
    std::map<std::string, bool> is_over;
    std::vector<std::vector<std::string>> finished;  // moves
    ContestProgress progress;
    std::vector<Standing> standings;
};

class NotedView : public GameView {
  public:
    NotedView(Notes& notes, const GameTask& task, const GameNow& now)
        : notes_(notes), key_(game_name(task)), position_(now.position) {
        EXPECT_EQ(now.ply, 0u);
        EXPECT_EQ(now.move, "");
    }
    void moved(const GameNow& now) override {
        const std::lock_guard lock(notes_.mutex);
        notes_.moves[key_].push_back(now.move);
        EXPECT_EQ(now.ply, notes_.moves[key_].size());
        apply(position_, *protocol::parse_move(now.move, position_));
        EXPECT_EQ(to_string(position_), to_string(now.position));
        EXPECT_EQ(now.left[0], Milliseconds(604'800'000));
    }
    void over(const GameNow& now, const GameRecord& record) override {
        const std::lock_guard lock(notes_.mutex);
        EXPECT_EQ(record.reason, Reason::NoMoves);
        EXPECT_EQ(now.ply, record.moves.size());
        notes_.is_over[key_] = true;
    }

  private:
    Notes& notes_;
    std::string key_;
    protocol::Position position_;
};

class NotingSpectator : public Spectator {
  public:
    explicit NotingSpectator(Notes& notes) : notes_(notes) {}

    void begin(const ContestInfo& info, ContestSource source) override {
        notes_.calls.push_back("begin " + info.format);
        notes_.names = source.names().value();
        EXPECT_EQ(source.names(), std::nullopt);
        EXPECT_EQ(source.progress().games, 0u);
        EXPECT_THAT(source.standings(), SizeIs(2));
    }
    std::unique_ptr<GameView> begin_game(const GameTask& task, const GameNow& now) override {
        return std::make_unique<NotedView>(notes_, task, now);
    }
    void finished(const GameRecord& record) override {
        const std::lock_guard lock(notes_.mutex);
        notes_.finished.push_back(record.moves);
        EXPECT_EQ(record.moves, notes_.moves[game_name(record.task)]);
    }
    void over(const ContestProgress& progress,
              const std::vector<Standing>& standings) override {
        notes_.calls.emplace_back("over");
        notes_.progress = progress;
        notes_.standings = standings;
    }

  private:
    Notes& notes_;
};

class SpectatorTest : public ::testing::Test {
  protected:
    OpenSpectator open() {
        return [this](const PlayOptions&, const std::string&) {
            return protocol::Result<std::unique_ptr<Spectator>>(
                std::make_unique<NotingSpectator>(notes));
        };
    }
    void expect_all_told(const std::string& format, std::size_t games) {
        EXPECT_THAT(notes.calls, ElementsAre("begin " + format, "over"));
        EXPECT_THAT(notes.names, ElementsAre("perfect", "greedy"));
        EXPECT_THAT(notes.is_over, SizeIs(games));
        EXPECT_THAT(notes.finished, SizeIs(games));
        EXPECT_EQ(notes.progress.games, games);
        EXPECT_EQ(notes.progress.total, games);
        ASSERT_THAT(notes.standings, SizeIs(2));
        EXPECT_EQ(notes.standings[0].player, 0);
        EXPECT_EQ(notes.standings[0].rank, 1);
        EXPECT_EQ(notes.standings[0].games, static_cast<std::int64_t>(games));
        EXPECT_GT(notes.standings[0].points, notes.standings[1].points);
    }

    const protocol::Result<Guardian> guardian = Guardian::start(protocol::test::kPatience);
    Notes notes;
};

TEST_F(SpectatorTest, SeesAMatch) {
    const auto command = parse_match_options(
        {"builtin:perfect", "builtin:greedy", "--games", "10", "--position", "nim:3,4,5",
         "--movetime", "604800000", "--quiet", "--web", "127.0.0.1:0"},
        1);
    EXPECT_EQ(run_contest(std::get<TournamentOptions>(command), *guardian, {}, open()),
              kExitPlayed);
    expect_all_told("match", 10);
}

TEST_F(SpectatorTest, SeesATournament) {
    const auto command = parse_tournament_options(
        {"--player", "cmd=builtin:perfect", "--player", "cmd=builtin:greedy", "--games", "10",
         "--position", "nim:3,4,5", "--movetime", "604800000", "--quiet", "--analysis", "0",
         "--web", "127.0.0.1:0"},
        1);
    EXPECT_EQ(run_contest(std::get<TournamentOptions>(command), *guardian, {}, open()),
              kExitPlayed);
    expect_all_told("round-robin", 10);
    EXPECT_EQ(notes.progress.round, 1);
}

TEST_F(SpectatorTest, AnErrorOfOpeningEndsTheContestBeforeTheFirstGame) {
    const auto command = parse_match_options(
        {"builtin:perfect", "builtin:greedy", "--games", "10", "--web", "127.0.0.1:0"}, 1);
    const OpenSpectator fails = [](const PlayOptions&, const std::string&) {
        return protocol::Error{protocol::Fault::Disconnected, "the port is taken", 0};
    };
    EXPECT_EQ(run_contest(std::get<TournamentOptions>(command), *guardian, {}, fails),
              kExitStartup);
}

}  // namespace arena::spectator_test
