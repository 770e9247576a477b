#include "arena/play/worker.hpp"

namespace arena::worker_test {

TEST(CountStart, TellsOnceThatAPlayerIsOut) {
    std::atomic<int> failed{0};
    EXPECT_FALSE(count_start(failed, false));
    EXPECT_FALSE(count_start(failed, false));
    EXPECT_FALSE(count_start(failed, true)) << "not three in a row";
    EXPECT_FALSE(count_start(failed, false));
    EXPECT_FALSE(count_start(failed, false));
    EXPECT_TRUE(count_start(failed, false));
    EXPECT_FALSE(count_start(failed, true)) << "it began before";
    EXPECT_GE(failed, kMaxFailedStarts);
    for (int i = 0; i < 4; ++i) EXPECT_FALSE(count_start(failed, false));
}

}  // namespace arena::worker_test
