#include "arena/commands/options.hpp"

namespace arena::suite_options_test {

using Arguments = std::vector<std::string>;

// The message without the text common to all messages.
std::string usage_error(const Arguments& arguments) {
    const auto command = parse_suite_options(arguments, 99);
    const auto* error = std::get_if<UsageError>(&command);
    if (error == nullptr) return "no error";
    const std::string head = "nim-arena suite: ";
    const std::string tail = "\nTry 'nim-arena suite --help' for what it takes.\n";
    EXPECT_TRUE(error->text.starts_with(head) && error->text.ends_with(tail)) << error->text;
    return error->text.substr(head.size(), error->text.size() - head.size() - tail.size());
}

TEST(SuiteOptions, RefuseWhatMakesNoSense) {
    EXPECT_EQ(usage_error({}), "read no suite, expected one, such as 'nim;size=small'");
    EXPECT_EQ(usage_error({"nim", "kayles"}),
              "read a second suite, 'kayles', expected one: quote it for your shell");
    EXPECT_THAT(usage_error({"nim", "--count", "0"}), testing::HasSubstr("read '0'"));
    EXPECT_EQ(usage_error({"nim;n=200%"}),
              "suite: column 7: read '200%', expected a share from 0% to 100%, or any\n"
              "  nim;n=200%\n"
              "        ^");
    EXPECT_THAT(usage_error({"nim", "--rulesets", "/nowhere"}), testing::HasSubstr("/nowhere"));
}

}  // namespace arena::suite_options_test
