#include "protocol/text.hpp"

namespace protocol::text_test {

TEST(Words, AreSeparatedByRunsOfBlanks) {
    EXPECT_EQ(split_words(" \tgo  movetime\t5 "),
              (std::vector<std::string_view>{"go", "movetime", "5"}));
    EXPECT_TRUE(split_words(" \t ").empty());
    EXPECT_EQ(trim(" \ta b\t "), "a b");
    EXPECT_EQ(lower_case("Hint 2=A\xC3\x84"), "hint 2=a\xC3\x84");
}

struct Shown {
    std::string_view text;
    const char* printable;
};

class Printable : public testing::TestWithParam<Shown> {};

TEST_P(Printable, IsValidUtf8WithoutControls) {
    EXPECT_EQ(printable(GetParam().text), GetParam().printable);
}

using namespace std::string_view_literals;

INSTANTIATE_TEST_SUITE_P(
    Cases, Printable,
    testing::Values(Shown{"plain", "plain"}, Shown{"é€😀", "é€😀"},
                    Shown{"a\nb\tc\rd", "a\\nb\\tc\\rd"}, Shown{"\x1b[31mred", "\\x1b[31mred"},
                    Shown{"\0\x7f"sv, "\\x00\\x7f"}, Shown{"\xC2\x85", "\\u0085"},
                    Shown{"\xE2\x80\xAE", "\\u202e"}, Shown{"\xE2\x80\xA8", "\\u2028"},
                    Shown{"\xFF", "\uFFFD"}, Shown{"\xC3", "\uFFFD"}, Shown{"\x80x", "\uFFFDx"},
                    Shown{"\xC0\xAF", "\uFFFD\uFFFD"},                      // overlong
                    Shown{"\xED\xA0\x80", "\uFFFD\uFFFD\uFFFD"},            // surrogate
                    Shown{"\xF4\x90\x80\x80", "\uFFFD\uFFFD\uFFFD\uFFFD"},  // beyond U+10FFFF
                    Shown{"\xE2\x82x", "\uFFFDx"}));                        // cut short

TEST(Printable, IsCutAtACharacter) {
    EXPECT_EQ(printable("ééé", 5), "éé…");
    EXPECT_EQ(printable("abc", 3), "abc");
    EXPECT_EQ(quoted("a\nb"), "'a\\nb'");
}

}  // namespace protocol::text_test
