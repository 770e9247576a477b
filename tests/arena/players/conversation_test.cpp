#include "arena/players/conversation.hpp"

#include "tests/arena/loop.hpp"
#include "tests/arena/players/ends.hpp"

namespace arena::conversation_test {

using protocol::Fault;
using protocol::Result;
using namespace testing;

class ConversationTest : public ::testing::Test {
  protected:
    ConversationTest() {
        std::signal(SIGPIPE, SIG_IGN);
        auto [theirs, ours] = socket_ends();
        bot = std::move(theirs);
        connection.emplace(loop.context(), std::move(ours));
        talk.emplace(*connection, [this](char direction, std::string_view lines) {
            said.push_back(direction + std::string(lines));
        });
    }

    void bot_says(std::string_view lines) {
        ASSERT_EQ(::write(bot.get(), lines.data(), lines.size()),
                  static_cast<ssize_t>(lines.size()));
    }
    std::string bot_reads() {
        std::string text(1000, '\0');
        const ssize_t size = ::recv(bot.get(), text.data(), text.size(), MSG_DONTWAIT);
        text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
        return text;
    }

    static Awaitable<std::string> copied(Awaitable<Conversation::Line> line) {
        const auto heard = co_await std::move(line);
        co_return heard ? std::string(*heard) : "[" + heard.error().text + "]";
    }
    std::string hear(std::string_view awaited, std::string_view other = {},
                     Clock::time_point deadline = in_the_end()) {
        return loop.finish(copied(talk->hear(awaited, deadline, other)));
    }
    Result<void> shake_hands(const Conversation::Options& options = {},
                             Clock::time_point deadline = in_the_end()) {
        return loop.finish(talk->shake_hands(deadline, options));
    }

    Loop loop;
    protocol::UniqueFd bot;
    std::optional<Connection> connection;
    std::optional<Conversation> talk;
    std::vector<std::string> said;
};

TEST_F(ConversationTest, HearsTheLineThatItAwaitsAndKeepsTheLastOther) {
    bot_says("info depth 1\nbestmoves 1=0\n  bestmove 1=2 ponder\nlater\n");
    EXPECT_EQ(hear("bestmove"), "  bestmove 1=2 ponder");
    EXPECT_EQ(talk->last_line(), "bestmoves 1=0");
    EXPECT_EQ(hear("bestmove", {}, soon()), "[no line came in time]");
    EXPECT_EQ(talk->last_line(), "later");
    EXPECT_THAT(said, ElementsAre(">info depth 1", ">bestmoves 1=0", ">  bestmove 1=2 ponder",
                                  ">later"));
}

TEST_F(ConversationTest, KeepsTheFirstErrorsOfAMessage) {
    bot_says("info string error one\ninfo string err\n info  string error  two \nreadyok\n");
    hear("readyok");
    EXPECT_THAT(talk->refusals(),
                ElementsAre("info string error one", " info  string error  two "));
    EXPECT_EQ(refusal_text(talk->refusals().back()), "two");
    EXPECT_TRUE(loop.finish(talk->send("isready\n", in_the_end())));
    EXPECT_THAT(talk->refusals(), ElementsAre());
}

TEST_F(ConversationTest, NamesOptionsThatTheBotDoesNotDeclare) {
    bot_says("option name Hash type spin\noption name Own Book type check\nugiok\n");
    const Conversation::Options set{
        {"Own Book", "true"}, {"Seed", "1"}, {"hash", "3"}, {"Foo", ""}};
    ASSERT_TRUE(shake_hands(set));
    EXPECT_THAT(undeclared_options(set, talk->introduction()),
                ElementsAre("read option.hash, expected one that it declares in its handshake: "
                            "Hash, Own Book, did you mean 'Hash'?",
                            "read option.Foo, expected one that it declares in its handshake: "
                            "Hash, Own Book"));
    EXPECT_THAT(undeclared_options(set, {}),
                Contains("read option.Foo, expected one that it declares in its "
                         "handshake, but it declares none"));
}

TEST_F(ConversationTest, HearsEitherOfTwo) {
    bot_says("bestmove 1=2\nreadyok\n");
    EXPECT_EQ(hear("readyok", "bestmove"), "bestmove 1=2");
    EXPECT_EQ(hear("readyok", "bestmove"), "readyok");
}

TEST_F(ConversationTest, AsksAndHears) {
    bot_says("readyok\n");
    EXPECT_EQ(loop.finish(copied(talk->ask("uginewgame\nisready\n", "readyok", in_the_end()))),
              "readyok");
    EXPECT_EQ(bot_reads(), "uginewgame\nisready\n");
    EXPECT_THAT(said, ElementsAre("<uginewgame\nisready\n", ">readyok"));
}

TEST_F(ConversationTest, AFailedAskReturnsTheReason) {
    bot_says("bye\n");
    bot.reset();
    EXPECT_EQ(loop.finish(copied(talk->ask("isready\n", "readyok", in_the_end()))),
              "[end of output]");
    EXPECT_EQ(talk->last_line(), "bye");
}

TEST_F(ConversationTest, ShakesHandsAndSetsOptions) {
    bot_says(
        "hello\nid name  Ann\x1b 1.0 \nid author Bob\noption name LegalMoves type check "
        "default "
        "false\nid token secret\nugiok\n");
    ASSERT_TRUE(shake_hands({{"Depth", "3"}, {"Own Book", "a b"}}));
    const Introduction& told = talk->introduction();
    EXPECT_EQ(told.id, "name Ann\\x1b 1.0; author Bob") << "the token is a secret";
    EXPECT_EQ(told.token, "secret");
    EXPECT_TRUE(told.lists_legal_moves);
    EXPECT_EQ(bot_reads(),
              "ugi\nsetoption name Depth value 3\nsetoption name Own Book value a b\n");
}

TEST_F(ConversationTest, AFailedHandshakeKeepsTheIntroduction) {
    bot_says("id name Ann\nstarting\n");
    loop.poll();  // it has come before the deadline
    const auto done = shake_hands({}, soon());
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().fault, Fault::TimedOut);
    EXPECT_EQ(talk->introduction().name, "Ann");
    EXPECT_FALSE(talk->introduction().lists_legal_moves);
    EXPECT_EQ(talk->last_line(), "starting");
}

TEST_F(ConversationTest, AsksASilentPlayerForAnotherProtocol) {
    // Its silence has ended before the deadline, however late it is.
    const auto done = loop.finish(talk->shake_hands(soon(), {}, -std::chrono::hours(1)));
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().fault, Fault::TimedOut);
    EXPECT_EQ(bot_reads(), "ugi\nuci\n");
    bot_says("id name Ann\nuciok\n");
    EXPECT_EQ(shake_hands().error().text, "it wrote 'uciok'");
}

TEST_F(ConversationTest, RefusesASecondToken) {
    bot_says("id token one\nid token two\nugiok\n");
    const auto done = shake_hands();
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().fault, Fault::BadInput);
    EXPECT_EQ(done.error().text, "token: read a second one, expected one of them");
}

TEST_F(ConversationTest, KeepsNoMoreOfAnIntroductionThanIsShown) {
    std::string lines;
    for (int i = 0; i < 1000; ++i) lines += "id name of a bot that says much of itself\n";
    bot_says(lines + "ugiok\n");
    ASSERT_TRUE(shake_hands());
    EXPECT_LT(talk->introduction().id.size(), 1100u);
}

}  // namespace arena::conversation_test
