#include "arena/submissions/bot_build.hpp"

#include <future>

#include <boost/asio/post.hpp>

#include "tests/arena/loop.hpp"
#include "tests/harness/temporary_file.hpp"

namespace arena::bot_build_test {

namespace fs = std::filesystem;
using namespace testing;

class BotBuilds : public testing::Test {
  protected:
    // Of the folder `ann`, as an earlier run left it.
    BuildResult build(const std::string& by_rule = "") {
        const std::vector<LanguageRule> rules{{"bot.sh", by_rule, "sh {file}"}};
        const BuildContext context{event_loop_, guardian_, any_core_};
        return loop_.finish(
            build_bot(submission_of(folder_.file("ann")), place_, rules, "", {}, context));
    }

    const Guardian guardian_ = *Guardian::start(protocol::test::kPatience);
    const test::TemporaryFolder folder_;
    const fs::path place_ = folder_.file("built");
    const std::vector<int> any_core_;
    Loop loop_;
    const EventLoop event_loop_ = loop_.context();
};

// Which is what other submissions keep busy.
TEST_F(BotBuilds, HasItsTimeAfterItsWaitForTheComputeThread) {
    std::promise<void> others_are_done;
    Clock::time_point free_since, deadline;
    boost::asio::post(loop_.context().compute, [&] {
        others_are_done.get_future().wait();
        free_since = Clock::now();
    });
    SpawnRequest request;
    request.command = {"true"};
    const RunLimit time{protocol::test::kPatience};
    const std::function<std::string()> no_look;
    const ReadOutput read = [&deadline](int, Clock::time_point until) { deadline = until; };
    const BuildContext context{event_loop_, guardian_, any_core_};
    const auto ran = loop_.start(run_program(request, time, no_look, read, context));
    others_are_done.set_value();
    EXPECT_EQ(loop_.finish(ran).trouble, "");
    EXPECT_GE(deadline, free_since + time.most);
}

TEST_F(BotBuilds, BuildsAnewWhatIsGone) {
    fs::create_directory(folder_.file("ann"));
    std::ofstream(folder_.file("ann/bot.sh")) << "exit";
    EXPECT_EQ(build().reason, "");
    fs::remove_all(place_ / "build");
    const BuildResult again = build();
    EXPECT_EQ(again.reason, "");
    EXPECT_TRUE(again.bot);
    EXPECT_TRUE(fs::exists(place_ / "build/bot.sh"));
}

TEST_F(BotBuilds, BlamesNoBotForACompilerThatIsNotThere) {
    fs::create_directory(folder_.file("ann"));
    std::ofstream(folder_.file("ann/bot.sh")) << "exit";
    const BuildResult missing = build("no-such-compiler bot.sh");
    EXPECT_THAT(missing.reason, HasSubstr("exit status 127\n"));
    EXPECT_FALSE(missing.is_own);
    EXPECT_TRUE(build("exit 1").is_own);
    std::ofstream(folder_.file("ann/player.toml")) << "build = \"no-such-compiler\"";
    EXPECT_TRUE(build().is_own) << "its author has named it";
}

TEST(FirstError, IsTheFirstLineThatSaysWhatIsWrong) {
    EXPECT_EQ(first_error("g++ -Wall\nbot.cpp:3:9: error: no\nerror: more\n"),
              "bot.cpp:3:9: error: no");
    EXPECT_EQ(first_error("building\n./main.go:5:2: undefined: x\n"),
              "./main.go:5:2: undefined: x");
    EXPECT_EQ(first_error("building\nsh: 1: cargo: not found\nat last\n"),
              "sh: 1: cargo: not found");
    EXPECT_EQ(first_error("sh: 1: git: not found\nerror: no\n"), "error: no");
    EXPECT_EQ(first_error(":" + std::string(100'000, '1')), "");
    EXPECT_EQ(first_error("building\n"), "");
}

}  // namespace arena::bot_build_test
