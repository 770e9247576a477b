#include "arena/web/watch.hpp"

#include <sys/resource.h>

#include <exception>

#include "tests/arena/game_records.hpp"
#include "tests/arena/stand_in_analyst.hpp"

namespace arena::web::watch_test {

// On a process of its own, in which nothing more can be opened.
void watch_without_descriptors() {
    rlimit before{};
    ::getrlimit(RLIMIT_NOFILE, &before);
    const rlimit none{0, before.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &none);
    PlayOptions options;
    options.web.listen = protocol::Endpoint{"127.0.0.1", 0};
    try {
        static_cast<void>(open_watch(options, ""));
    } catch (const std::exception&) {
        // main() says why
    }
    ::setrlimit(RLIMIT_NOFILE, &before);  // the search for leaks at the exit opens files
    std::exit(0);
}

TEST(Watch, LeavesWhatItThrowsToTheCaller) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(watch_without_descriptors(), testing::ExitedWithCode(0), "");
}

TEST(Watch, ReviewsAgainAGameThatHadNoCore) {
    const Starved starved;
    const GameRecord record = game_record("nim:1,2", {"2=1", "1=0", "2=0"});
    EXPECT_EQ(to_string(review_in_time(record, starved, {})), "1 vPv P");
}

}  // namespace arena::web::watch_test
