#include "arena/players/watched_fd.hpp"

#include "tests/arena/loop.hpp"
#include "tests/arena/players/ends.hpp"

namespace arena::watched_fd_test {

class WatchedFdTest : public ::testing::Test {
  protected:
    WatchedFdTest() {
        auto [read_end, write_end] = pipe_ends();
        watched = std::make_unique<WatchedFd>(loop.io(), std::move(read_end));
        other_end = std::move(write_end);
    }

    void watch() {
        watched->watch([this](bool hung_up) {
            ++events;
            has_hung_up = hung_up;
        });
    }
    void say(std::string_view text) {
        EXPECT_EQ(::write(other_end.get(), text.data(), text.size()), std::ssize(text));
    }
    std::string read() {
        std::string text(100, '\0');
        const ssize_t size = ::read(watched->get(), text.data(), text.size());
        text.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
        return text;
    }

    Loop loop;
    std::unique_ptr<WatchedFd> watched;
    protocol::UniqueFd other_end;
    int events = 0;
    bool has_hung_up = false;
};

TEST_F(WatchedFdTest, TellsWhatCameBefore) {
    say("early");
    watch();
    loop.poll();
    EXPECT_EQ(events, 1);
    EXPECT_EQ(read(), "early");
}

TEST_F(WatchedFdTest, TellsEachTimeSomethingComes) {
    watch();
    loop.poll();
    EXPECT_EQ(events, 0);
    for (int i = 1; i <= 5; ++i) {
        say("x");
        loop.poll();
        EXPECT_EQ(events, i);
        // It tells once of what comes in one go, whether it is read or not.
        loop.poll();
        EXPECT_EQ(events, i);
        if (i != 3) read();
    }
    EXPECT_FALSE(has_hung_up);
}

TEST_F(WatchedFdTest, TellsOfAHangUpBesidesWhatCame) {
    watch();
    say("last words");
    other_end.reset();
    loop.poll();
    EXPECT_EQ(events, 1);
    EXPECT_TRUE(has_hung_up);
}

TEST_F(WatchedFdTest, TellsOfAHangUpAfterAllWasRead) {
    watch();
    say("x");
    loop.poll();
    EXPECT_EQ(read(), "x");
    other_end.reset();
    loop.poll();
    EXPECT_EQ(events, 2);
    EXPECT_TRUE(has_hung_up);
}

TEST_F(WatchedFdTest, TellsNothingOnceClosedOrReleased) {
    watch();
    say("x");
    const protocol::UniqueFd released = watched->release();
    loop.poll();
    EXPECT_EQ(events, 0);
    char byte = 0;
    EXPECT_EQ(::read(released.get(), &byte, 1), 1);
    watched.reset();
    loop.poll();
    EXPECT_EQ(events, 0);
}

TEST_F(WatchedFdTest, MayBeDestroyedByWhoIsTold) {
    watched->watch([this](bool) {
        ++events;
        watched.reset();
    });
    say("x");
    loop.poll();
    EXPECT_EQ(events, 1);
}

TEST_F(WatchedFdTest, TellsOnceWhenThereIsRoom) {
    WatchedFd writer(loop.io(), std::move(other_end));
    const std::string much(4096, 'x');
    while (::write(writer.get(), much.data(), much.size()) > 0) continue;
    int told = 0;
    writer.await_room([&] { ++told; });
    loop.poll();
    EXPECT_EQ(told, 0);
    std::string room(much.size() * 100, '\0');
    EXPECT_GT(::read(watched->get(), room.data(), room.size()), 0);
    loop.poll();
    loop.poll();
    EXPECT_EQ(told, 1);
    // and again, where it is asked again
    writer.await_room([&] { ++told; });
    loop.poll();
    EXPECT_EQ(told, 2);
}

}  // namespace arena::watched_fd_test
