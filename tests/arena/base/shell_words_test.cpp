#include "arena/base/shell_words.hpp"

namespace arena::shell_words_test {

using Words = std::vector<std::string>;

struct Split {
    const char* text;
    Words words;
};

TEST(ShellWords, SplitAsAShellDoes) {
    const std::vector<Split> cases{
        {"", {}},
        {" \t\n ", {}},
        {"python3 bot.py --fast", {"python3", "bot.py", "--fast"}},
        {"  a   b\tc\n", {"a", "b", "c"}},
        {"'a b' c", {"a b", "c"}},
        {"\"a b\" c", {"a b", "c"}},
        {"a'b c'\"d e\"f", {"ab cd ef"}},
        {"'' \"\" x", {"", "", "x"}},
        {"a\\ b \\'c \\\\", {"a b", "'c", "\\"}},
        {"'a\\b'", {"a\\b"}},
        {R"("a\"b" "c\\d" "\$x" "\`y" "\n")", {"a\"b", "c\\d", "$x", "`y", "\\n"}},
        {"a\\\nb \"c\\\nd\"", {"ab", "cd"}},
        {"'it'\\''s'", {"it's"}},
        {"$HOME *.py ~ a|b #c", {"$HOME", "*.py", "~", "a|b", "#c"}},
    };
    for (const Split& split : cases) {
        const auto words = split_shell_words(split.text);
        ASSERT_TRUE(words) << split.text;
        EXPECT_EQ(*words, split.words) << split.text;
    }
}

TEST(ShellWords, AreReadableInsideAQuotedCommand) {
    const std::vector<std::pair<std::string, std::string>> cases{
        {"/home/ann/bot.py", "/home/ann/bot.py"},
        {"/my bot/bot.py", "\"/my bot/bot.py\""},
        {"it's", "\"it's\""},
        {"a \"b\" $c", "'a \"b\" $c'"},
        {"", "\"\""},
    };
    for (const auto& [text, word] : cases) {
        EXPECT_EQ(inner_shell_word(text), word);
        EXPECT_EQ(*split_shell_words(word), std::vector{text});
    }
}

TEST(ShellWords, KnowTheirColumns) {
    const auto words = scan_shell_words("  ab 'c d'  e");
    ASSERT_TRUE(words);
    std::vector<std::size_t> columns;
    for (const ShellWord& word : *words) columns.push_back(word.column);
    EXPECT_THAT(columns, testing::ElementsAre(3, 6, 13));
}

TEST(ShellWords, RefuseWhatIsNotClosed) {
    const std::vector<std::pair<const char*, const char*>> cases{
        {"a 'b c", "column 3: the quote opened here is not closed, expected another '"},
        {"'", "column 1: the quote opened here is not closed, expected another '"},
        {"ab\"c d'", "column 3: the quote opened here is not closed, expected another \""},
        {"\"c\\\"", "column 1: the quote opened here is not closed, expected another \""},
        {"\"c\\", "column 1: the quote opened here is not closed, expected another \""},
        {"a b\\", "column 4: a backslash ends the text, expected a character after it"},
    };
    for (const auto& [text, error] : cases) {
        const auto words = split_shell_words(text);
        ASSERT_FALSE(words) << text;
        EXPECT_EQ(protocol::describe(words.error()), error) << text;
    }
}

}  // namespace arena::shell_words_test
