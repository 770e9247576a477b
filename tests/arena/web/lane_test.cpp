#include "arena/web/lane.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <future>
#include <latch>
#include <utility>

namespace arena::web::lane_test {

// Jobs that record their names, on a lane whose only thread is blocked by a first job.
class HeldLane {
  public:
    explicit HeldLane(LaneLimits limits = {.threads = 1}) : lane_(limits) {
        EXPECT_TRUE(lane_.post("holder", [this](bool) {
            begun_.count_down();
            go_on_.wait();
        }));
        begun_.wait();
    }

    bool post(const std::string& client, const std::string& name) {
        return lane_.post(client, [this, name](bool is_closed) {
            const std::lock_guard lock(mutex_);
            done_.push_back(is_closed ? name + " closed" : name);
        });
    }
    // Lets all jobs run; returns their names in the order in which they ran.
    std::vector<std::string> finish() {
        std::latch last(1);
        EXPECT_TRUE(lane_.post("last", [&](bool) { last.count_down(); }));
        go_on_.count_down();
        last.wait();
        lane_.close();
        return done_;
    }
    std::vector<std::string> close() {
        std::jthread closing([this] { lane_.close(); });
        while (!lane_.stop_token().stop_requested()) std::this_thread::yield();
        go_on_.count_down();
        closing.join();
        std::ranges::sort(done_);
        return done_;
    }
    Lane& lane() { return lane_; }

  private:
    std::latch begun_{1}, go_on_{1};
    std::mutex mutex_;
    std::vector<std::string> done_;
    Lane lane_;
};

using Names = std::vector<std::string>;

TEST(Lane, ClientsTakeTurns) {
    HeldLane lane;
    for (const char* name : {"a1", "a2", "a3"}) EXPECT_TRUE(lane.post("a", name));
    EXPECT_TRUE(lane.post("b", "b1"));
    const Names done = lane.finish();
    // "last" was added after three jobs of "a" and runs after the first of them.
    EXPECT_EQ(Names(done.begin(), done.begin() + 2), (Names{"a1", "b1"}));
}

TEST(Lane, RefusesWhereTooManyWait) {
    HeldLane lane({.threads = 1, .waiting = 3, .waiting_of_client = 2});
    EXPECT_TRUE(lane.post("a", "a1"));
    EXPECT_TRUE(lane.post("a", "a2"));
    EXPECT_FALSE(lane.post("a", "a3"));
    EXPECT_TRUE(lane.post("b", "b1"));
    EXPECT_FALSE(lane.post("c", "c1"));
    EXPECT_EQ(lane.close(), (Names{"a1 closed", "a2 closed", "b1 closed"}));
}

TEST(Lane, TellsWhatWaitsThatItIsClosed) {
    HeldLane lane;
    EXPECT_TRUE(lane.post("a", "a1"));
    EXPECT_EQ(lane.close(), Names{"a1 closed"});
    EXPECT_FALSE(lane.post("a", "a2"));
}

TEST(Lane, LeavesAThreadToOthers) {
    // A client gets at most one of the two threads: its second job waits for its first, while
    // another client's job does not wait.
    Lane lane({.threads = 2, .running_of_client = 1});
    std::latch go_on(1), other(1), all(2);
    const auto wait = [&](bool) {
        go_on.wait();
        all.count_down();
    };
    EXPECT_TRUE(lane.post("a", wait));
    EXPECT_TRUE(lane.post("a", wait));
    EXPECT_TRUE(lane.post("b", [&](bool) { other.count_down(); }));
    other.wait();
    go_on.count_down();
    all.wait();
}

TEST(Lane, LowersThePriorityOfItsThreadsAlone) {
    const int own = ::getpriority(PRIO_PROCESS, 0);
    std::promise<std::pair<int, int>> nice;
    Lane lane({.threads = 1, .nice = 7});
    lane.post("client", [&](bool) {
        const int lowered = ::getpriority(PRIO_PROCESS, 0);
        lower_priority(0);  // no way back
        nice.set_value({lowered, ::getpriority(PRIO_PROCESS, 0)});
    });
    const auto [lowered, after] = nice.get_future().get();
    EXPECT_EQ(lowered, std::max(own, 7));
    EXPECT_EQ(after, lowered);
    EXPECT_EQ(::getpriority(PRIO_PROCESS, 0), own);
}

}  // namespace arena::web::lane_test
