#include "arena/commands/options.hpp"

#include "tests/arena/usage.hpp"

namespace arena::work_test {

using namespace testing;

const std::string kRecord = "postgresql:///spring";

std::string error_of(const Words& words) {
    return usage_error(parse_work_options(words), "nim-arena work");
}

WorkOptions options_of(Words words) {
    words.insert(words.begin(), kRecord);
    return options_in<WorkOptions>(parse_work_options(words));
}

TEST(WorkOptions, ReadsWhatAMachineDecides) {
    const auto options = options_of({"--cores", "3", "--players", "here.toml", "--idle", "10m",
                                     "--scale-time", "--lease", "5s"});
    EXPECT_EQ(options.record, kRecord);
    EXPECT_EQ(options.concurrency, 3);
    EXPECT_EQ(options.players_file, "here.toml");
    EXPECT_EQ(options.idle, Milliseconds(600'000));
    EXPECT_TRUE(options.scale_time);
    EXPECT_EQ(options.lease, Milliseconds(5000));
    EXPECT_TRUE(options.is_worker);
}

TEST(WorkOptions, RefusesWhatTheRecordDecides) {
    for (const char* option : {"--movetime", "--games", "--format", "--seed"}) {
        EXPECT_THAT(error_of({kRecord, option, "1"}), HasSubstr(option)) << option;
    }
}

TEST(WorkOptions, SaysWhatIsWrong) {
    EXPECT_THAT(error_of({}), HasSubstr("read nothing, expected postgresql://…"));
    EXPECT_THAT(error_of({"spring.db"}), HasSubstr("one process alone plays into a file"));
    EXPECT_THAT(error_of({kRecord, "other"}), HasSubstr("after the record"));
    EXPECT_THAT(error_of({kRecord, "--lease", "10ms"}), HasSubstr("expected a second or more"));
}

}  // namespace arena::work_test
