#include "arena/commands/options.hpp"

#include "tests/arena/usage.hpp"

namespace arena::suite_options_test {

using Arguments = std::vector<std::string>;

std::string usage_error(const Arguments& arguments) {
    return arena::usage_error(parse_suite_options(arguments, 99), "nim-arena suite");
}

TEST(SuiteOptions, RefuseWhatMakesNoSense) {
    EXPECT_EQ(usage_error({}), "read no suite, expected one, such as 'nim;size=small'");
    EXPECT_EQ(usage_error({"nim", "kayles"}),
              "read a second suite, 'kayles', expected one: quote it for your shell");
    EXPECT_THAT(usage_error({"nim", "--count", "0"}), testing::HasSubstr("read '0'"));
    EXPECT_EQ(usage_error({"nim;n=200%"}),
              "SPEC: column 7: read '200%', expected a share from 0% to 100%, or any\n"
              "  nim;n=200%\n"
              "        ^");
    EXPECT_THAT(usage_error({"nim", "--rulesets", "/nowhere"}), testing::HasSubstr("/nowhere"));
}

}  // namespace arena::suite_options_test
