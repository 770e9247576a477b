#include <future>

#include <boost/asio/post.hpp>
#include "arena/players/launcher.hpp"
#include "arena/players/names.hpp"
#include "arena/players/player.hpp"
#include "arena/players/traffic_log.hpp"
#include "arena/process/guardian.hpp"
#include "tests/arena/loop.hpp"

namespace arena::ugi_player_test {

using namespace std::chrono_literals;
using protocol::test::kPatience;

class UgiPlayerTest : public ::testing::Test {
  protected:
    UgiPlayerTest() : guardian(*Guardian::start(kPatience)) { std::signal(SIGPIPE, SIG_IGN); }

    // A bot that answers each line, of its shell variable `line`, by these cases or the usual
    // ones.
    void make_bot(const std::string& cases) {
        spec.command = {"/bin/sh", "-c",
                        "while read -r line; do case $line in " + cases +
                            " ugi) echo ugiok;; isready) echo readyok;; quit) exit;; esac; "
                            "done"};
        player = make_ugi_player(spec, 0, context);
    }
    bool prepare() { return !loop.finish(player->prepare(1)); }
    Answer ask(Milliseconds movetime) {
        TimeControl clock;
        clock.movetime = movetime;
        clock.margin = 0ms;
        const Referee referee(*engine::read_game("nim:2"), {clock, clock}, 100);
        const std::string history = "position fen nim:2";
        return loop.finish(player->ask({referee, history}));
    }

    Guardian guardian;
    Launcher launcher;
    Loop loop;
    PlayerSpec spec;
    Names names{{spec}};
    TrafficLog log;
    PlayerResources resources{.guardian = guardian,
                              .launcher = launcher,
                              .names = &names,
                              .log = &log,
                              .startup = kPatience};
    PlayerContext context{loop.context(), resources};
    std::unique_ptr<Player> player;
};

// As in a game that is void because the arena did not run: nobody is at fault, so end_game() is
// not called, and the player is prepared for the same game again.
TEST_F(UgiPlayerTest, AwaitsTheAnswerThatItOwesBeforeTheNextGame) {
    make_bot(
        "'go movetime 0') owed='bestmove 2=0';; stop) echo $owed; owed=;; "
        "go*) echo $owed; echo bestmove 1=1;;");
    ASSERT_TRUE(prepare());
    EXPECT_TRUE(ask(0ms).failure);
    ASSERT_TRUE(prepare());
    EXPECT_EQ(ask(kPatience).word, "1=1");
}

TEST_F(UgiPlayerTest, StartsAnewIfItEndsInsteadOfAnsweringWhatItOwes) {
    make_bot("'go movetime 0') ;; stop) exit 1;; go*) echo bestmove 1=1;;");
    ASSERT_TRUE(prepare());
    EXPECT_TRUE(ask(0ms).failure);
    // As on a machine that has no time for the guardian.
    ::kill(guardian.pid(), SIGSTOP);
    const auto prepared = loop.start(player->prepare(1));
    loop.io().restart();
    loop.io().run_for(300ms);
    ::kill(guardian.pid(), SIGCONT);
    ASSERT_FALSE(loop.finish(prepared));
    EXPECT_EQ(ask(kPatience).word, "1=1");
    EXPECT_THAT(names.remarks(), testing::HasSubstr("its process ended with exit status 1 "));
}

TEST_F(UgiPlayerTest, IsToldOfALineWithoutAnEndAlsoWhenItDies) {
    make_bot("go*) printf 'bestmove 1=0'; exit;;");
    ASSERT_TRUE(prepare());
    const auto failure = ask(kPatience).failure;
    ASSERT_TRUE(failure);
    EXPECT_EQ(failure->received, "bestmove 1=0");
    EXPECT_EQ(failure->detail,
              "its process ended with exit status 0; its last line has no end: does it write a "
              "newline?");
}

// Its start waits for a thread that is busy until after the start-up time.
TEST_F(UgiPlayerTest, HasTheStartUpTimeFromTheStartOfItsProcess) {
    make_bot("");
    std::promise<void> work;
    boost::asio::post(loop.context().compute,
                      [done = work.get_future().share()] { done.wait(); });
    resources.startup = 0ms;
    const auto started = loop.start(player->try_start());
    resources.startup = kPatience;
    work.set_value();
    EXPECT_FALSE(loop.finish(started));
}

// It is asked by the end of its input why it does not answer.
TEST_F(UgiPlayerTest, IsNotBlamedForLinesThatItWasProvokedTo) {
    spec.command = {"/bin/sh", "-c",
                    "read -r ugi; echo hello; echo ugiok; read -r isready; echo readyok; "
                    "while read -r line; do :; done; echo bye"};
    player = make_ugi_player(spec, 0, context);
    ASSERT_FALSE(loop.finish(player->try_start()));
    resources.startup = 0ms;
    EXPECT_FALSE(prepare());
    EXPECT_THAT(names.remarks(), testing::HasSubstr("wrote 1 line that nobody asked for"));
    EXPECT_THAT(names.remarks(), testing::HasSubstr("'hello'"));
}

}  // namespace arena::ugi_player_test
