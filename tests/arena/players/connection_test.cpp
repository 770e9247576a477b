#include "arena/players/connection.hpp"

#include <poll.h>

#include "arena/base/files.hpp"
#include "protocol/line_buffer.hpp"
#include "tests/arena/loop.hpp"
#include "tests/arena/players/ends.hpp"

namespace arena::connection_test {

using protocol::Error;
using protocol::Fault;
using protocol::Result;
using namespace testing;

constexpr std::string_view kReplyTooLong =
    "read more than 8 MiB or 100000 lines, expected a shorter reply";

template <typename T>
void expect_fault(const Result<T>& result, Fault fault,
                  std::optional<std::string_view> text = std::nullopt) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().fault, fault);
    EXPECT_EQ(result.error().text, text.value_or(result.error().text));
}

// The player's side of a connection. It blocks, as players do, so tests use it from a thread of
// its own wherever the other side may have to wait for it.
struct Peer {
    protocol::UniqueFd in, out;

    void write(std::string_view bytes) { write_all(out.get(), bytes); }
    std::string read(std::size_t bytes) {
        std::string text(bytes, '\0');
        std::size_t got = 0;
        while (got < bytes) {
            const ssize_t size = ::read(in.get(), text.data() + got, bytes - got);
            if (size <= 0) break;
            got += static_cast<std::size_t>(size);
        }
        return text.substr(0, got);
    }
    void hang_up() {
        in.reset();
        out.reset();
    }
};

enum class Kind { Pipes, Socket };

class ConnectionTest : public ::testing::TestWithParam<Kind> {
  protected:
    ConnectionTest() {
        std::signal(SIGPIPE, SIG_IGN);
        connect();
    }

    void connect() { GetParam() == Kind::Pipes ? connect_pipes() : connect_socket(); }
    void connect_pipes() {
        auto [stdin_read, stdin_write] = pipe_ends();
        auto [stdout_read, stdout_write] = pipe_ends();
        peer.in = std::move(stdin_read);
        peer.out = std::move(stdout_write);
        connection = std::make_unique<Connection>(loop.context(), std::move(stdin_write),
                                                  std::move(stdout_read));
    }
    void connect_socket() {
        auto [theirs, ours] = socket_ends();
        peer.out.reset(::dup(theirs.get()));
        peer.in = std::move(theirs);
        connection = std::make_unique<Connection>(loop.context(), std::move(ours));
    }

    // The next line, copied before the next wait.
    static Awaitable<Result<std::string>> copy_line(Connection& connection,
                                                    Clock::time_point deadline) {
        const auto line = co_await connection.read_line(deadline);
        if (!line) co_return line.error();
        co_return std::string(*line);
    }
    auto start_reading(Clock::time_point deadline = in_the_end()) {
        return loop.start(copy_line(*connection, deadline));
    }
    Result<std::string> next_line(Clock::time_point deadline = in_the_end()) {
        return loop.finish(copy_line(*connection, deadline));
    }
    // Lines with their ends, up to this many bytes, or up to an error, which is appended in
    // brackets.
    static Awaitable<std::string> copy_lines(Connection& connection, std::size_t bytes) {
        std::string text;
        while (text.size() < bytes) {
            const auto line = co_await copy_line(connection, in_the_end());
            text += text_of(line);
            if (!line) break;
            text += '\n';
        }
        co_return text;
    }
    std::string read_lines(std::size_t bytes) {
        return loop.finish(copy_lines(*connection, bytes));
    }
    // The next line, or the error in brackets.
    std::string read(Clock::time_point deadline = in_the_end()) {
        return text_of(next_line(deadline));
    }
    static std::string text_of(const Result<std::string>& line) {
        return line ? *line : "[" + line.error().text + "]";
    }
    Result<void> write(std::string_view bytes, Clock::time_point deadline = in_the_end()) {
        return loop.finish(connection->write(bytes, deadline));
    }
    // Reads the bytes that the peer has already written.
    void take_in() { loop.poll(); }

    // A write that blocks because the peer does not read.
    auto start_long_write(Clock::time_point deadline = in_the_end()) {
        long_text_.assign(std::size_t{4} << 20, 'x');
        return loop.start(connection->write(long_text_, deadline));
    }

    // What fill_until_full() writes.
    const std::string line_of_1_kib = std::string(1023, 'x') + "\n";
    // Writes such lines out of turn until no more are read. Returns how many whole ones.
    std::size_t fill_until_full() {
        ::fcntl(peer.out.get(), F_SETFL, O_NONBLOCK);
        for (std::size_t lines = 0; lines < 4096; ++lines) {
            take_in();
            const ssize_t written = ::write(peer.out.get(), line_of_1_kib.data(), 1024);
            if (written == 1024) continue;
            EXPECT_TRUE(written > 0 || errno == EAGAIN);
            return lines;
        }
        return 4096;
    }

    Loop loop;
    Peer peer;
    std::unique_ptr<Connection> connection;

  private:
    std::string long_text_;
};

INSTANTIATE_TEST_SUITE_P(Over, ConnectionTest, ::testing::Values(Kind::Pipes, Kind::Socket),
                         [](const auto& kind) {
                             return kind.param == Kind::Pipes ? "Pipes" : "Socket";
                         });

// ---- reading ----

TEST_P(ConnectionTest, GivesLinesHoweverTheyArrive) {
    const std::string text = "one\r\ntwo\n\n \tthree \r\n\r\nfour\rfive\n";
    for (std::size_t size = 1; size <= text.size(); ++size) {
        std::vector<std::string> lines;
        auto line = start_reading();
        for (std::size_t at = 0; at < text.size(); at += size) {
            peer.write(std::string_view(text).substr(at, size));
            take_in();
            while (line->has_value()) {
                lines.push_back(text_of(**line));
                line = start_reading();
            }
        }
        EXPECT_THAT(lines, ElementsAre("one", "two", "", " \tthree ", "", "four\rfive"))
            << size;
        peer.write("end of round\n");
        EXPECT_EQ(text_of(loop.finish(line)), "end of round");
    }
}

TEST_P(ConnectionTest, TakesALineAsLongAsAllowed) {
    const std::string longest(protocol::kMaxLine, 'x');
    std::thread writer([&] { peer.write(longest + "\r\nnext\n"); });
    EXPECT_TRUE(read() == longest);
    EXPECT_EQ(read(), "next");
    writer.join();
}

TEST_P(ConnectionTest, RefusesALongerLine) {
    std::thread writer(
        [&] { peer.write(std::string(protocol::kMaxLine + 1, 'x') + "\nnext\n"); });
    expect_fault(next_line(), Fault::TooLong,
                 "read a line beyond 1048576 bytes, expected a shorter one");
    EXPECT_EQ(read(), "next");
    writer.join();
}

TEST_P(ConnectionTest, RefusesALineWithoutEnd) {
    std::thread writer([&] { peer.write(std::string(2 * protocol::kMaxLine, 'x')); });
    EXPECT_THAT(read(), StartsWith("[read a line beyond 1048576 bytes"));
    connection.reset();  // or the writer would wait for ever
    loop.poll();
    writer.join();
}

TEST_P(ConnectionTest, TakesAsManyLinesAsAllowed) {
    connection->begin_question();
    std::string lines;
    for (std::size_t i = 0; i < kMaxReplyLines; ++i) lines += "a\n";
    std::thread writer([&] { peer.write(lines + "b\n"); });
    EXPECT_TRUE(read_lines(lines.size()) == lines);
    expect_fault(next_line(), Fault::TooLong, kReplyTooLong);
    writer.join();
}

TEST_P(ConnectionTest, TakesAsManyBytesAsAllowed) {
    connection->begin_question();
    const std::string line = std::string(65535, 'x') + "\n";
    std::string lines;
    while (lines.size() < kMaxReplyBytes) lines += line;
    ASSERT_EQ(lines.size(), kMaxReplyBytes);
    std::thread writer([&] { peer.write(lines); });
    EXPECT_TRUE(read_lines(lines.size()) == lines);
    writer.join();

    peer.write("\n");
    EXPECT_EQ(read(), "[" + std::string(kReplyTooLong) + "]");
    // A new question starts a new count.
    connection->begin_question();
    peer.write("bestmove 1=0\n");
    EXPECT_EQ(read(), "bestmove 1=0");
}

TEST_P(ConnectionTest, DropsOutputOutOfTurn) {
    const struct {
        std::string_view text;
        int best_moves;
    } cases[] = {
        {"", 0},
        {"info depth 1\nreadyok\n\n", 0},
        {"bestmove 1=0\n", 1},
        {"bestmove\ninfo x\n \t bestmove 1=0\nbestmove 2=0 ponder 1=0\r\n", 3},
        {"bestmoves 1=0\nBESTMOVE 1=0\ninfo bestmove 1=0\n", 0},
    };
    for (const auto& row : cases) {
        peer.write(row.text);
        take_in();
        EXPECT_EQ(connection->begin_question(), row.best_moves) << row.text;
        peer.write("answer\n");
        EXPECT_EQ(read(), "answer");
    }
}

TEST_P(ConnectionTest, ReadsOnlyALimitedAmountOutOfTurn) {
    EXPECT_LT(fill_until_full(), 4096u);
    EXPECT_EQ(connection->begin_question(), 0);
    EXPECT_EQ(read() + "\n", line_of_1_kib);
}

TEST_P(ConnectionTest, TimesOutWithoutALine) {
    for (const auto deadline : {past(), soon()}) {
        expect_fault(next_line(deadline), Fault::TimedOut, "no line came in time");
        EXPECT_GE(Clock::now(), deadline);
    }
}

TEST_P(ConnectionTest, TimesOutInTheMiddleOfALine) {
    peer.write("bestmove 1=0");
    EXPECT_EQ(read(soon()), "[no line came in time]");
    peer.write(" and more\n");
    EXPECT_EQ(read(), "bestmove 1=0 and more");
}

TEST_P(ConnectionTest, TimesOutAlthoughSomethingComesAllTheTime) {
    std::thread writer([&] {
        // until the connection is closed
        while (::write(peer.out.get(), "x", 1) == 1) {
            // Never a whole line within the time of this test: one byte of each kibibyte.
            pollfd nothing{-1, 0, 0};
            ::poll(&nothing, 1, 0);
        }
    });
    const std::string line = read(soon());
    EXPECT_TRUE(line == "[no line came in time]" || line.starts_with("[read a line beyond"))
        << line;
    connection.reset();
    loop.poll();
    peer.in.reset();
    writer.join();
}

TEST_P(ConnectionTest, SaysWhenALineCame) {
    const auto before = SteadyClock::now();
    peer.write("late\n");
    take_in();
    const auto after = SteadyClock::now();
    // A line that has arrived is returned, however late the call is; arrived() is its time.
    EXPECT_EQ(read(past()), "late");
    EXPECT_GE(connection->arrived(), before);
    EXPECT_LE(connection->arrived(), after);
}

// Two that wait: each answer has the time at which it came, although the coroutine of the first
// is busy before that of the second goes on.
TEST_P(ConnectionTest, ReadsAllBeforeWhoWaitsGoesOn) {
    Connection* const first = connection.get();
    const auto own = std::move(connection);
    const Peer first_peer = std::move(peer);
    connect();
    Connection* const second = connection.get();
    const auto take = [](Connection& one, Connection& other) -> Awaitable<bool> {
        co_await one.read_line(in_the_end());
        co_return other.heard();
    };
    const auto one = loop.start(take(*first, *second));
    const auto two = loop.start(take(*second, *first));
    Peer{{}, protocol::UniqueFd(::dup(first_peer.out.get()))}.write("a\n");
    peer.write("b\n");
    EXPECT_TRUE(loop.finish(one));
    EXPECT_TRUE(loop.finish(two));
}

TEST_P(ConnectionTest, KnowsWhetherAnythingCameSinceTheQuestion) {
    EXPECT_FALSE(connection->heard());
    peer.write("x");
    take_in();
    EXPECT_TRUE(connection->heard());
    connection->begin_question();
    EXPECT_FALSE(connection->heard());
}

// ---- the end ----

TEST_P(ConnectionTest, ReadsAllBeforeTheEndOfOutput) {
    peer.write("one\nbestmove 1=0\nhalf a li");
    peer.hang_up();
    take_in();
    EXPECT_EQ(read(past()), "one");
    EXPECT_EQ(read(past()), "bestmove 1=0");
    for (int i = 0; i < 2; ++i) {
        expect_fault(next_line(), Fault::Disconnected, "end of output");
    }
}

TEST_P(ConnectionTest, NoticesTheEndOfOutputWhileItWaits) {
    auto line = start_reading();
    peer.hang_up();
    EXPECT_EQ(text_of(loop.finish(line)), "[end of output]");
}

TEST_P(ConnectionTest, AwaitsNoMoreOfAProcessThatHasEnded) {
    // `peer` plays the part of a child of the process that holds the pipes open.
    for (const bool waiting : {false, true}) {
        auto line = waiting ? start_reading() : nullptr;
        peer.write("bestmove 1=0\nhalf a li");
        connection->peer_ended();
        if (!waiting) line = start_reading();
        EXPECT_EQ(text_of(loop.finish(line)), "bestmove 1=0");
        EXPECT_EQ(read(), "[the process has ended]");
        EXPECT_EQ(read(), "[the process has ended]");
        connection.reset();
        connect();
    }
}

TEST_P(ConnectionTest, ReadsAllThatAnEndedProcessLeft) {
    // More than is read out of turn, so that no read is pending when it ends.
    const std::size_t lines = fill_until_full();
    connection->peer_ended();
    for (std::size_t i = 0; i < lines; ++i) {
        ASSERT_EQ(read() + "\n", line_of_1_kib) << i << " of " << lines;
    }
    EXPECT_EQ(read(), "[the process has ended]");
}

TEST_P(ConnectionTest, GivesUpWritingToAProcessThatHasEnded) {
    auto written = start_long_write();
    connection->peer_ended();
    expect_fault(loop.finish(written), Fault::Disconnected, "the process has ended");
}

TEST_P(ConnectionTest, EndsThePlayersInput) {
    EXPECT_TRUE(write("quit\n"));
    connection->end_input();
    EXPECT_EQ(peer.read(100), "quit\n");
    // It may still answer.
    peer.write("bestmove 1=0\n");
    EXPECT_EQ(read(), "bestmove 1=0");
    expect_fault(write("more\n"), Fault::Disconnected);
}

// ---- writing ----

TEST_P(ConnectionTest, WritesAllOfIt) {
    std::string text;
    for (int i = 0; text.size() < 1 << 20; ++i) text += std::to_string(i) + "\n";
    std::string got;
    std::thread reader([&] { got = peer.read(text.size()); });
    EXPECT_TRUE(write(text));
    reader.join();
    EXPECT_TRUE(got == text);
}

TEST_P(ConnectionTest, WritesWhateverTheTimeWhileThereIsRoom) {
    EXPECT_TRUE(write("quit\n", past()));
    EXPECT_EQ(peer.read(5), "quit\n");
}

TEST_P(ConnectionTest, WritesWhatThereIsRoomForWithoutAWait) {
    std::string_view few = "go\n";
    EXPECT_TRUE(connection->try_write(few));
    EXPECT_TRUE(few.empty());
    EXPECT_EQ(peer.read(3), "go\n");
    const std::string much(std::size_t{4} << 20, 'x');
    std::string_view rest = much;
    EXPECT_FALSE(connection->try_write(rest));
    EXPECT_GT(rest.size(), 0U);
    EXPECT_LT(rest.size(), much.size());
    peer.hang_up();
    const auto failed = connection->try_write(rest);
    ASSERT_TRUE(failed);
    expect_fault(*failed, Fault::Disconnected);
}

TEST_P(ConnectionTest, ReadsWhileItWrites) {
    std::string there;
    std::string back;
    for (int i = 0; there.size() < 1 << 20; ++i) there += "to " + std::to_string(i) + "\n";
    for (int i = 0; back.size() < 1 << 20; ++i) back += "from " + std::to_string(i) + "\n";
    connection->begin_question();
    std::string got;
    std::thread player([&] {
        peer.write(back);  // all, before it reads a byte
        got = peer.read(there.size());
    });
    EXPECT_TRUE(write(there));
    EXPECT_TRUE(read_lines(back.size()) == back);
    player.join();
    EXPECT_TRUE(got == there);
}

TEST_P(ConnectionTest, TimesOutWithoutAReader) {
    auto written = start_long_write(soon());
    peer.write("meanwhile\n");
    expect_fault(loop.finish(written), Fault::TimedOut,
                 "did not read what it was sent in time");
    take_in();
    EXPECT_EQ(read(past()), "meanwhile");
}

TEST_P(ConnectionTest, IsNotConfusedByRoomForAWriteThatWasGivenUp) {
    EXPECT_FALSE(loop.finish(start_long_write(soon())));
    auto line = start_reading();
    peer.read(60000);  // now there is room
    take_in();
    EXPECT_FALSE(line->has_value());
    peer.write("line\n");
    EXPECT_EQ(text_of(loop.finish(line)), "line");
}

TEST_P(ConnectionTest, SaysWhyItCannotWrite) {
    peer.hang_up();
    expect_fault(write("go\n"), Fault::Disconnected, "Broken pipe");
}

TEST_P(ConnectionTest, NoticesAHangUpWhileItWrites) {
    auto written = start_long_write();
    peer.hang_up();
    expect_fault(loop.finish(written), Fault::Disconnected);
}

// ---- its own end ----

TEST_P(ConnectionTest, EndsWaitsWhenItIsDestroyed) {
    auto line = start_reading();
    connection.reset();
    expect_fault(loop.finish(line), Fault::Disconnected);
    EXPECT_EQ(peer.read(1), "");  // the player reads the end of its input
}

// Which of several questions a player had read when it ended.
TEST_P(ConnectionTest, KnowsOfAPipeWhetherAQuestionWasRead) {
    const bool is_pipe = GetParam() == Kind::Pipes;
    connection->begin_question();
    ASSERT_TRUE(write("first\n"));
    EXPECT_EQ(connection->is_unread(), is_pipe);
    EXPECT_EQ(peer.read(1), "f");
    EXPECT_FALSE(connection->is_unread());
    EXPECT_EQ(peer.read(5), "irst\n");
    connection->begin_question();
    ASSERT_TRUE(write("second\n"));
    peer.hang_up();
    EXPECT_EQ(connection->is_unread(), is_pipe);
    connection->begin_question();
    EXPECT_FALSE(write("third\n"));
    EXPECT_EQ(connection->is_unread(), is_pipe);
}

TEST_P(ConnectionTest, EndsWritesWhenItIsDestroyed) {
    auto written = start_long_write();
    connection.reset();
    expect_fault(loop.finish(written), Fault::Disconnected);
}

TEST_P(ConnectionTest, MayGoWithItsLoopInTheMiddleOfAWait) {
    // An interrupted match runs neither to its end. Memory checkers watch this.
    auto line = start_reading(soon());
    connection->peer_ended();  // wakes the coroutine later
    peer.write("never read\n");
}

// A coroutine that owns the connection on which it waits.
Awaitable<bool> wait_for_ever(Loop& loop, protocol::UniqueFd to_player,
                              protocol::UniqueFd from_player, std::shared_ptr<bool> alive) {
    Connection connection(loop.context(), std::move(to_player), std::move(from_player));
    co_await connection.read_line(in_the_end());
    co_return *alive;
}

TEST(Connection, GoesWithItsOwnerWhenTheLoopEnds) {
    auto [stdin_read, stdin_write] = pipe_ends();
    auto [stdout_read, stdout_write] = pipe_ends();
    auto alive = std::make_shared<bool>(true);
    const std::weak_ptr<bool> owner = alive;
    {
        Loop loop;
        loop.start(wait_for_ever(loop, std::move(stdin_write), std::move(stdout_read),
                                 std::move(alive)));
        EXPECT_FALSE(owner.expired());
    }
    EXPECT_TRUE(owner.expired());
}

}  // namespace arena::connection_test
