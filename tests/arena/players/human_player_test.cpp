#include "arena/players/launcher.hpp"
#include "arena/players/player.hpp"
#include "arena/process/guardian.hpp"
#include "tests/arena/loop.hpp"
#include "tests/arena/stand_in_analyst.hpp"

namespace arena::human_player_test {

class HumanPlayerTest : public ::testing::Test {
  protected:
    HumanPlayerTest() : guardian(*Guardian::start(protocol::test::kPatience)) {}
    ~HumanPlayerTest() override { std::fclose(console); }

    long told() const { return std::ftell(console); }  // bytes

    Guardian guardian;
    Launcher launcher;
    StandInAnalyst analyst;
    Loop loop;
    std::FILE* console = std::tmpfile();
    PlayerResources resources{
        .guardian = guardian, .launcher = launcher, .analyst = &analyst, .console = console};
    PlayerContext context{loop.context(), resources};
    std::unique_ptr<Player> player = make_human_player(context);
};

TEST_F(HumanPlayerTest, IsToldOfTheEnd) {
    const Referee decided(*engine::read_game("nim:0"), {}, 100);
    EXPECT_FALSE(loop.finish(player->prepare(1)));
    player->take_seat(decided, 0);
    loop.finish(player->end_game(false));
    EXPECT_GT(told(), 0);
}

// A void game is played again without an end, and its referee is gone then. If the opponent
// does not start, nobody takes a seat the second time.
TEST_F(HumanPlayerTest, ForgetsAVoidGame) {
    const Referee decided(*engine::read_game("nim:0"), {}, 100);
    EXPECT_FALSE(loop.finish(player->prepare(1)));
    player->take_seat(decided, 0);
    EXPECT_FALSE(loop.finish(player->prepare(1)));
    loop.finish(player->end_game(false));
    EXPECT_EQ(told(), 0);
}

TEST_F(HumanPlayerTest, MayLeaveOutTheEndOfTheLastLine) {
    const protocol::UniqueFd own(::dup(STDIN_FILENO));
    std::FILE* const typed = std::tmpfile();
    std::fputs("1=0", typed);
    std::rewind(typed);
    ::dup2(::fileno(typed), STDIN_FILENO);
    const Referee referee(*engine::read_game("nim:2"), {}, 100);
    const std::string history = "position fen nim:2";
    EXPECT_EQ(loop.finish(player->ask({referee, history})).word, "1=0");
    EXPECT_TRUE(loop.finish(player->ask({referee, history})).failure) << "once";
    ::dup2(own.get(), STDIN_FILENO);
    std::fclose(typed);
}

}  // namespace arena::human_player_test
