#include "arena/players/stderr_text.hpp"

namespace arena::stderr_text_test {

TEST(StderrText, KeepsAllWhereThatIsLittle) {
    StderrText text;
    EXPECT_EQ(text.text(), "");
    text.add("one\n");
    text.add(std::string(StderrText::kHead, 'x'));
    EXPECT_EQ(text.text(), "one\n" + std::string(StderrText::kHead, 'x'));
}

TEST(StderrText, KeepsBothEndsOfAFlood) {
    for (const std::size_t piece : {1, 100, 5000, 16384}) {
        StderrText text;
        std::string all;
        for (std::size_t i = 0; all.size() < 100'000; ++i) {
            std::string some = std::to_string(i) + "\n";
            some.resize(piece, 'x');
            text.add(some);
            all += some;
        }
        const std::string kept = text.text();
        EXPECT_LE(kept.size(), StderrText::kHead + 2 * StderrText::kTail + 50);
        EXPECT_EQ(kept.substr(0, StderrText::kHead), all.substr(0, StderrText::kHead));
        const auto begin = kept.find("... ", StderrText::kHead);
        const auto end = kept.find(" bytes left out ...\n", begin);
        ASSERT_NE(end, kept.npos);
        const std::string tail = kept.substr(end + std::string(" bytes left out ...\n").size());
        EXPECT_GE(tail.size(), StderrText::kTail);
        EXPECT_TRUE(all.ends_with(tail));
        EXPECT_EQ(std::stoul(kept.substr(begin + 4)),
                  all.size() - StderrText::kHead - tail.size());
    }
}

}  // namespace arena::stderr_text_test
