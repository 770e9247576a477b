#include "protocol/text.hpp"

namespace protocol::text_test {

TEST(Words, AreSeparatedByRunsOfBlanks) {
    EXPECT_EQ(split_words(" \tgo  movetime\t5 "),
              (std::vector<std::string_view>{"go", "movetime", "5"}));
    EXPECT_TRUE(split_words(" \t ").empty());
    EXPECT_EQ(trim(" \ta b\t "), "a b");
    EXPECT_EQ(lower_case("Hint 2=A\xC3\x84"), "hint 2=a\xC3\x84");
}

using namespace std::string_view_literals;

TEST(Printable, IsValidUtf8WithoutControls) {
    const std::pair<std::string_view, const char*> cases[] = {
        {"plain", "plain"},
        {"é€😀", "é€😀"},
        {"a\nb\tc\rd", "a\\nb\\tc\\rd"},
        {"\x1b[31mred", "\\x1b[31mred"},
        {"\0\x7f"sv, "\\x00\\x7f"},
        {"\xC2\x85", "\\u0085"},
        {"\xE2\x80\xAE", "\\u202e"},
        {"\xEF\xBB\xBF", "\\ufeff"},
        {"\xE2\x80\xA8", "\\u2028"},
        {"a\xC2\xAD\xE2\x80\x8B\xE2\x81\xA0\xEF\xBB\xBF", "a\\u00ad\\u200b\\u2060\\ufeff"},
        {"\xE2\x80\x8C\xE2\x80\x8D", "\xE2\x80\x8C\xE2\x80\x8D"},  // joiners
        {"\xEF\xBF\xBE\xEF\xBF\xBF", "\\ufffe\\uffff"},
        {"\xFF", "\uFFFD"},
        {"\xC3", "\uFFFD"},
        {"\x80x", "\uFFFDx"},
        {"\xC0\xAF", "\uFFFD\uFFFD"},                      // overlong
        {"\xED\xA0\x80", "\uFFFD\uFFFD\uFFFD"},            // surrogate
        {"\xF4\x90\x80\x80", "\uFFFD\uFFFD\uFFFD\uFFFD"},  // beyond U+10FFFF
        {"\xE2\x82x", "\uFFFDx"},                          // cut short
    };
    for (const auto& [text, shown] : cases)
        EXPECT_EQ(printable(text), shown) << ::testing::PrintToString(text);
}

TEST(Printable, IsCutAtACharacter) {
    EXPECT_EQ(printable("ééé", 5), "éé…");
    EXPECT_EQ(printable("abc", 3), "abc");
    EXPECT_EQ(quoted("a\nb"), "'a\\nb'");
}

}  // namespace protocol::text_test
