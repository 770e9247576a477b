#include "arena/players/lobby.hpp"

#include <sys/socket.h>

#include "arena/players/tokens.hpp"
#include "tests/arena/loop.hpp"
#include "tests/harness/child_process.hpp"
#include "tests/harness/patience.hpp"
#include "tests/harness/temporary_file.hpp"

namespace arena::lobby_test {

using namespace testing;

using protocol::test::Connection;
using protocol::test::kPatience;

// A client that dials in; the test decides what it sends and reads.
class Caller {
  public:
    explicit Caller(const std::string& address)
        : connection_(Connection::dial(std::stoi(address.substr(address.find(':') + 1)))) {}

    void say(const std::string& text) { ASSERT_TRUE(connection_->write(text)); }
    // The next line; "" at the end.
    std::string hear() { return connection_->read_line().value_or(""); }
    void hang_up() { connection_.reset(); }

    // Completes the handshake.
    void join(const std::string& secret) {
        EXPECT_EQ(hear(), "ugi");
        prove(secret);
    }
    void prove(const std::string& secret) {
        say("id name Zed\noption name LegalMoves type check default false\nid token " + secret +
            "\nugiok\n");
        EXPECT_EQ(hear(), "isready");
        say("readyok\n");
    }

  private:
    std::optional<Connection> connection_;
};

// A lobby with Ann (0) and Bob (1), and its messages.
class LobbyTest : public testing::Test {
  protected:
    LobbyTest() {
        std::signal(SIGPIPE, SIG_IGN);
        options_.listen = {"127.0.0.1", 0};
        options_.tokens = folder_.file("tokens");
        options_.answer = options_.handshake = kPatience;
        options_.idle = std::chrono::hours(1);
        for (const char* name : {"Ann", "Bob"})
            secrets_.push_back(*add_token(options_.tokens, name));
    }

    // Its thread sends messages until it ends.
    ~LobbyTest() override { lobby_.reset(); }

    void open() {
        auto lobby = Lobby::open(options_);
        ASSERT_TRUE(lobby) << lobby.error().text;
        lobby_ = *std::move(lobby);
        lobby_->start(
            {[this](const std::string& name) { return admit(name); },
             [this](int player, const LobbySession& session) {
                 note("came " + std::to_string(player) + " " + session.id +
                      (session.lists_legal_moves ? " with LegalMoves" : ""));
             },
             [](int player) { return "connected as number " + std::to_string(player); },
             [this](int player, const std::string& why) {
                 note("left " + std::to_string(player) + " " + why);
             },
             [this](const std::string& what) { note("trouble " + what); }});
    }

    // Dials and joins; the lobby's message may come later.
    std::unique_ptr<Caller> join(int player) {
        auto caller = std::make_unique<Caller>(lobby_->address());
        caller->join(secrets_[static_cast<std::size_t>(player)]);
        return caller;
    }

    // The next message of the lobby.
    std::string told() {
        std::unique_lock lock(mutex_);
        const bool came = news_.wait_for(lock, kPatience, [this] { return !told_.empty(); });
        if (!came) return "nothing was told";
        const std::string line = told_.front();
        told_.pop_front();
        return line;
    }

    void note(std::string line) {
        const std::lock_guard lock(mutex_);
        told_.push_back(std::move(line));
        news_.notify_all();
    }

    // Takes the player to a table, on the thread of the test, which is also that of the slots.
    protocol::Result<LobbySession> take(int player) {
        return loop_.finish(lobby_->take(player));
    }

    // The game that has taken a session speaks to this caller.
    static void expect_speaks_to(Caller& caller,
                                 const protocol::Result<LobbySession>& session) {
        ASSERT_TRUE(session) << session.error().text;
        ASSERT_EQ(::write(session->socket.get(), "go\n", 3), 3);
        EXPECT_EQ(caller.hear(), "go");
    }

    LobbyOptions options_;
    std::vector<std::string> secrets_;
    ::test::TemporaryFolder folder_;
    std::unique_ptr<Lobby> lobby_;
    Loop loop_;
    std::atomic<int> admitted_ = 0;

  private:
    protocol::Result<int> admit(const std::string& name) {
        ++admitted_;
        if (name == "Ann") return 0;
        if (name == "Bob") return 1;
        return protocol::Error{protocol::Fault::BadInput, "late: it has begun", 0};
    }
    std::mutex mutex_;
    std::condition_variable news_;
    std::deque<std::string> told_;
};

TEST_F(LobbyTest, APlayerIsTakenToATableAndReturns) {
    open();
    const auto ann = join(0);
    EXPECT_EQ(told(), "came 0 name Zed with LegalMoves");
    auto first = take(0);
    ASSERT_TRUE(first);
    EXPECT_EQ(first->id, "name Zed");
    EXPECT_THAT(first->address, StartsWith("127.0.0.1:"));
    lobby_->give_back(0, *std::move(first));
    auto second = take(0);
    expect_speaks_to(*ann, second);
    second->socket.reset();
    lobby_->give_back(0, {});
    EXPECT_EQ(told(), "left 0 its connection ended in a game");
    EXPECT_EQ(ann->hear(), "");
}

TEST_F(LobbyTest, OneThatIsLetGoLeavesBeforeWhatFollows) {
    open();
    const auto ann = join(0);
    EXPECT_THAT(told(), StartsWith("came 0"));
    {
        auto session = take(0);
        ASSERT_TRUE(session);
        BorrowedSession borrowed(*lobby_, 0, *std::move(session));
        borrowed.let_go("its visit is over");
    }
    lobby_->run_there([this] { note("over"); });
    EXPECT_EQ(told(), "left 0 its visit is over");
    EXPECT_EQ(told(), "over");
}

TEST_F(LobbyTest, AllPlayersGetQuitAtTheEndAlsoAtTables) {
    open();
    const auto ann = join(0);
    const auto bob = join(1);
    const auto seated = take(0);
    ASSERT_TRUE(seated);
    lobby_->close();
    EXPECT_EQ(ann->hear(), "quit");
    EXPECT_EQ(bob->hear(), "quit");
}

TEST_F(LobbyTest, AGameWaitsForOneWhoComesBackInTime) {
    open();
    const auto game = loop_.start(lobby_->take(1));
    const auto bob = join(1);
    EXPECT_TRUE(loop_.finish(game));
}

TEST_F(LobbyTest, AGameWaitsNoLongerThanAbsenceMayLast) {
    options_.absence = Milliseconds(50);
    open();
    const auto none = take(1);
    ASSERT_FALSE(none);
    EXPECT_THAT(none.error().text, StartsWith("it was not connected, for "));
}

// Two slots wait for a player who is at a table and whose connection ends there.
TEST_F(LobbyTest, AllGamesThatWaitAreAnswered) {
    options_.absence = Milliseconds(50);
    open();
    const auto bob = join(1);
    EXPECT_THAT(told(), StartsWith("came 1"));
    auto seated = take(1);
    ASSERT_TRUE(seated);
    const auto second = loop_.start(lobby_->take(1));
    const auto third = loop_.start(lobby_->take(1));
    seated->socket.reset();
    lobby_->give_back(1, {});
    EXPECT_FALSE(loop_.finish(second));
    EXPECT_FALSE(loop_.finish(third));
}

TEST_F(LobbyTest, AGameThatWaitsIsCalledOffWhenTheLobbyIsShut) {
    open();
    const auto game = loop_.start(lobby_->take(1));
    lobby_->shut();
    EXPECT_THROW(loop_.finish(game), GameCalledOff);
    EXPECT_THROW(take(0), GameCalledOff) << "nobody can come any more";
}

// A table wants a bot that has just been sent `isready` and answers in pieces: the game gets it
// after its answer.
TEST_F(LobbyTest, AnAnswerInPiecesKeepsNoGameWaiting) {
    options_.idle = Milliseconds(50);
    open();
    const auto ann = join(0);
    EXPECT_EQ(ann->hear(), "isready");
    const auto game = loop_.start(lobby_->take(0));
    for (const char* piece : {"re", "ady", "ok", "\n"}) ann->say(piece);
    const auto taken = loop_.finish(game);
    expect_speaks_to(*ann, taken);
}

TEST_F(LobbyTest, OneThatDoesNotAnswerIsLetGoAndItsGameWaitsForTheNext) {
    options_.idle = Milliseconds(50);
    options_.answer = std::nullopt;
    open();
    const auto silent = join(0);
    EXPECT_THAT(told(), StartsWith("came 0"));
    EXPECT_EQ(silent->hear(), "isready");
    const auto game = loop_.start(lobby_->take(0));
    EXPECT_EQ(silent->hear(), "refused no 'readyok' came in time");
    EXPECT_EQ(told(), "left 0 it did not answer 'isready' in time");
    const auto ann = join(0);
    EXPECT_TRUE(loop_.finish(game));
}

TEST_F(LobbyTest, TheNewerConnectionWithATokenLives) {
    open();
    const auto old = join(0);
    EXPECT_THAT(told(), StartsWith("came 0"));
    const auto newer = join(0);
    EXPECT_EQ(old->hear(), "refused replaced: another connection came with the same token");
    auto taken = take(0);
    expect_speaks_to(*newer, taken);
}

// The older connection is closed when it returns from its table; waiting games get the newer.
TEST_F(LobbyTest, ANewerConnectionWhileOneIsAtATableServesTheGamesThatWait) {
    open();
    const auto old = join(0);
    auto seated = take(0);
    ASSERT_TRUE(seated);
    const auto game = loop_.start(lobby_->take(0));
    Caller newer(lobby_->address());
    newer.say("id notices on\n");
    newer.join(secrets_[0]);
    EXPECT_EQ(newer.hear(), "info notice connected as number 0") << "it waits by now";
    lobby_->give_back(0, *std::move(seated));
    EXPECT_EQ(old->hear(), "refused replaced: another connection came with the same token");
    const auto taken = loop_.finish(game);
    expect_speaks_to(newer, taken);
}

// The same, but the older connection ends at the table.
TEST_F(LobbyTest, ANewerConnectionServesTheGamesOfOneThatDropped) {
    open();
    const auto old = join(0);
    auto seated = take(0);
    ASSERT_TRUE(seated);
    const auto newer = join(0);
    const auto game = loop_.start(lobby_->take(0));
    seated->socket.reset();
    lobby_->give_back(0, {});
    EXPECT_TRUE(loop_.finish(game));
}

TEST_F(LobbyTest, ARefusedPlayerGetsTheReason) {
    const auto late = add_token(options_.tokens, "Cy");
    open();
    std::string many_lines;
    for (int i = 0; i < 2000; ++i) many_lines += "id name x\n";
    const std::map<std::string, std::string> cases{
        {"id token " + std::string(32, '0') + "\nugiok\n",
         "refused token: no player here has this one"},
        {"ugiok\n", "refused token: read 'ugiok', expected 'id token SECRET' before it"},
        {"id token " + secrets_[0] + "\nid token " + secrets_[1] + "\n",
         "refused token: read a second one"},
        {many_lines, "refused handshake: read 16384 bytes without 'ugiok'"},
    };
    for (const auto& [said, answer] : cases) {
        Caller caller(lobby_->address());
        EXPECT_EQ(caller.hear(), "ugi");
        caller.say(said);
        EXPECT_THAT(caller.hear(), StartsWith(answer));
        EXPECT_EQ(caller.hear(), "");
    }
    Caller caller(lobby_->address());
    caller.join(*late);
    EXPECT_EQ(caller.hear(), "refused late: it has begun");
    EXPECT_EQ(caller.hear(), "");
}

TEST_F(LobbyTest, EachReasonForARefusalIsToldOnceAMinuteAndTheRestAtTheEnd) {
    open();
    const std::vector<std::pair<std::string, std::string>> cases{
        {"id token x\nugiok\n", "token: no player here has this one"},
        {"ugiok\n", "token: read 'ugiok'"},
        {"uciok\n", "handshake: it wrote 'uciok'"},
        {"Unknown command: ugi\n", ""},
        {"id token y\nugiok\n", ""},
    };
    for (const auto& [said, told_of] : cases) {
        Caller caller(lobby_->address());
        caller.say(said);
        EXPECT_EQ(caller.hear(), "ugi");
        EXPECT_THAT(caller.hear(), StartsWith("refused "));
        if (told_of.empty()) continue;
        EXPECT_THAT(told(), HasSubstr(" was refused: " + told_of));
    }
    lobby_->close();
    EXPECT_EQ(told(), "trouble 2 more connections refused, for reasons told before");
}

// Again with more time where the lobby was too slow to read what was said.
TEST_F(LobbyTest, ARefusalForWantOfTimeTellsWhatWasMissingAndRead) {
    const std::string token = "id token " + secrets_[0] + "\n";
    struct Case {
        std::string said, missing, read;
    };
    const std::vector<Case> cases{
        {"UGIOK\n", "ugiok", "'UGIOK'; 'UGIOK' is written 'ugiok', in lower case"},
        {token + "ugiok", "ugiok",
         "'ugiok'; its last line has no end: does it write a newline?"},
        {token + "ugiok\n> readyok\n", "readyok",
         "'> readyok'; 'readyok' must begin its line: prompts and debug text belong on stderr"},
    };
    for (const Case& each : cases) {
        std::string heard;
        options_.handshake = Milliseconds(5);
        do {
            options_.handshake *= 2;
            open();
            Caller caller(lobby_->address());
            caller.say(each.said);
            do heard = caller.hear();
            while (heard == "ugi" || heard == "isready");
            lobby_.reset();
        } while (heard.ends_with("read nothing"));
        EXPECT_EQ(heard, "refused handshake: no '" + each.missing + "' within " +
                             std::to_string(options_.handshake.count()) + " ms, read " +
                             each.read);
    }
}

TEST_F(LobbyTest, NoConnectionLeavesADescriptorOpen) {
    open();
    std::size_t before = 0;
    for (int i = 0; i < 20; ++i) {
        join(0)->hang_up();
        EXPECT_THAT(told(), StartsWith("came 0"));
        EXPECT_THAT(told(), StartsWith("left 0"));
        if (i == 0) before = ::test::open_descriptors();
    }
    EXPECT_LT(::test::open_descriptors(), before + 10) << "the last may be about to be closed";
}

TEST_F(LobbyTest, APlayerJoinsOnlyAfterItsHandshake) {
    open();
    Caller half(lobby_->address());
    half.say("id token " + secrets_[0] + "\n");
    half.hang_up();
    const auto bob = join(1);
    EXPECT_THAT(told(), StartsWith("came 1"));
    EXPECT_EQ(admitted_, 1);
}

TEST_F(LobbyTest, TheOldestSilentHandshakeMakesRoom) {
    options_.unproven = 3;
    open();
    Caller first(lobby_->address());
    EXPECT_EQ(first.hear(), "ugi");
    first.say("id token " + secrets_[0] + "\nugiok\n");
    EXPECT_EQ(first.hear(), "isready");
    Caller silent(lobby_->address());
    EXPECT_EQ(silent.hear(), "ugi");
    std::vector<std::unique_ptr<Caller>> crowd;
    for (int i = 0; i < 20; ++i) {
        crowd.push_back(std::make_unique<Caller>(lobby_->address()));
        EXPECT_EQ(crowd.back()->hear(), "ugi");
    }
    EXPECT_THAT(silent.hear(), HasSubstr("too many connections"));
    EXPECT_THAT(crowd.front()->hear(), HasSubstr("too many connections"));
    first.say("readyok\n");
    EXPECT_THAT(told(), StartsWith("came 0"));
    crowd.back()->prove(secrets_[1]);
    EXPECT_THAT(told(), StartsWith("came 1"));
}

// Nobody hangs up, and each may stay as long as a handshake may last.
TEST_F(LobbyTest, RefusedConnectionsMakeRoomToo) {
    options_.unproven = 2;
    options_.connections = 6;
    open();
    std::vector<std::unique_ptr<Caller>> refused;
    for (int i = 0; i < 20; ++i) {
        refused.push_back(std::make_unique<Caller>(lobby_->address()));
        ASSERT_EQ(refused.back()->hear(), "ugi");
        refused.back()->say("id token x\nugiok\n");
        EXPECT_THAT(refused.back()->hear(), StartsWith("refused token: "));
    }
    const auto ann = join(0);
    EXPECT_TRUE(take(0));
}

// New connections that have sent something do not make room for another.
TEST_F(LobbyTest, HandshakesOfAnAddressAreLimited) {
    options_.unproven = 1;
    open();
    Caller first(lobby_->address());
    EXPECT_EQ(first.hear(), "ugi");
    first.say("id token " + secrets_[0] + "\nugiok\n");
    EXPECT_EQ(first.hear(), "isready");
    // It is refused, or, if this machine stalled for a second, the first one makes room.
    const std::string answer = Caller(lobby_->address()).hear();
    if (answer == "ugi") return;
    EXPECT_THAT(answer, HasSubstr("too many connections"));
    first.say("readyok\n");
    EXPECT_THAT(told(), StartsWith("came 0"));
    EXPECT_EQ(Caller(lobby_->address()).hear(), "ugi") << "a proven one counts no more";
}

TEST_F(LobbyTest, AbsencesShareOneTime) {
    options_.absence = Milliseconds(200);
    open();
    const auto patience = Clock::now() + kPatience;
    for (;;) {
        // A game waits for it; it connects soon and leaves again in the game.
        const auto game = loop_.start(lobby_->take(1));
        const auto bob = join(1);
        auto seated = loop_.finish(game);
        if (!seated) {
            EXPECT_THAT(seated.error().text, StartsWith("it was not connected"));
            return;
        }
        ASSERT_LT(Clock::now(), patience) << "each absence has the whole time";
        seated->socket.reset();
        lobby_->give_back(1, {});
    }
}

TEST_F(LobbyTest, ConnectionsAreLimited) {
    options_.connections = 2;
    open();
    // Bob is gone and a game waits for him: neither uses a place.
    const auto game = loop_.start(lobby_->take(1));
    const auto ann = join(0);
    EXPECT_THAT(told(), StartsWith("came 0"));
    auto seated = take(0);
    ASSERT_TRUE(seated);
    const auto bob = join(1);
    EXPECT_TRUE(loop_.finish(game));
    EXPECT_EQ(Caller(lobby_->address()).hear(), "refused the server is full: come again later");
    lobby_->give_back(0, {});
    EXPECT_THAT(told(), StartsWith("came 1"));
    EXPECT_THAT(told(), StartsWith("left 0"));
    EXPECT_EQ(Caller(lobby_->address()).hear(), "ugi");
}

TEST_F(LobbyTest, UnreadableTokensAreReportedAndTheOldOnesStayValid) {
    open();
    std::filesystem::remove(options_.tokens);
    const auto ann = join(0);
    EXPECT_THAT(told(), StartsWith("trouble the old tokens stay valid"));
    EXPECT_THAT(told(), StartsWith("came 0"));
    const auto bob = join(1);
    EXPECT_THAT(told(), StartsWith("came 1")) << "it was told";
}

TEST_F(LobbyTest, TakesLeave) {
    open();
    Caller ann(lobby_->address());
    ann.say("id notices on\n");
    ann.join(secrets_[0]);
    EXPECT_EQ(ann.hear(), "info notice connected as number 0");
    const auto bob = join(1);
    EXPECT_THAT(told(), StartsWith("came 0"));
    EXPECT_THAT(told(), StartsWith("came 1"));
    lobby_->close({{0, "Ann's score"}, {1, "Bob's score"}});
    for (const char* line : {"info notice Ann's score", "quit", ""})
        EXPECT_EQ(ann.hear(), line);
    EXPECT_EQ(bob->hear(), "quit") << "it wants no notices";
    EXPECT_EQ(bob->hear(), "");
}

TEST_F(LobbyTest, IsNotOpenedWithoutTlsBeyondLoopbackNorWithoutTokens) {
    options_.listen = {"0.0.0.0", 0};
    EXPECT_THAT(Lobby::open(options_).error().text, HasSubstr("open to the network"));
    options_.listen = {"127.0.0.1", 0};
    options_.tokens = folder_.file("none");
    EXPECT_THAT(Lobby::open(options_).error().text, HasSubstr("none"));
    options_.tokens = folder_.file("tokens");
    options_.certificate = options_.key = options_.tokens;
    EXPECT_THAT(Lobby::open(options_).error().text, HasSubstr("cannot use the certificate"));
}

}  // namespace arena::lobby_test
