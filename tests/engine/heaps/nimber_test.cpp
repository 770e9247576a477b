#include "engine/heaps/nimber.hpp"

namespace engine::test::nimber_test {

Nimber nimber(std::string_view text) {
    const auto heap = *protocol::parse_heap(text, protocol::HeapSyntax::Plain);
    if (const auto* number = std::get_if<protocol::Number>(&heap)) return finite(*number);
    return std::get<protocol::Ordinal>(heap);
}

TEST(Nimber, AddsByXorOfEachCoefficient) {
    struct Case {
        const char *left, *right, *sum;
    };
    const Case cases[] = {
        {"3", "5", "6"},
        {"7", "7", "0"},
        {"(w)", "0", "(w)"},
        {"(w)", "(w)", "0"},
        {"(w+1)", "(w)", "1"},
        {"(w*3)", "(w*2+4)", "(w+4)"},
        {"(w^2+w*5+1)", "(w^2+w*4+1)", "(w)"},
        {"(w^7)", "(w^3+2)", "(w^7+w^3+2)"},
    };
    for (const auto& [left, right, sum] : cases) {
        EXPECT_EQ(to_string(nim_sum(nimber(left), nimber(right))), sum);
        EXPECT_EQ(to_string(nim_sum(nimber(right), nimber(left))), sum);
        EXPECT_EQ(nim_sum(nimber(left), nimber(right)), nimber(sum));
    }
}

TEST(Nimber, IsOrderedAsOrdinals) {
    const char* ascending[] = {"0",     "1",    "9223372036854775807", "(w)", "(w+1)",
                               "(w*2)", "(w^2)"};
    for (std::size_t i = 0; i + 1 < std::size(ascending); ++i) {
        EXPECT_LT(nimber(ascending[i]), nimber(ascending[i + 1]));
    }
    EXPECT_TRUE(is_zero(nimber("0")));
    EXPECT_FALSE(is_zero(nimber("(w)")));
}

// Smith's addition: Winning Ways, chapter 12.
TEST(Nimber, AddsLoopyValues) {
    const Nimber loopy = Loopy{{0, 2}, {}};
    EXPECT_EQ(to_string(loopy), "inf{0,2}");
    EXPECT_EQ(to_string(Nimber(Loopy{})), "inf{}");
    EXPECT_EQ(nim_sum(loopy, finite(3)), Nimber(Loopy{{1, 3}, {}}));
    EXPECT_EQ(nim_sum(finite(2), loopy), Nimber(Loopy{{0, 2}, {}}));
    EXPECT_EQ(nim_sum(loopy, loopy), Nimber(Loopy{}));
    EXPECT_EQ(nim_sum(nim_sum(loopy, loopy), nimber("(w+1)")), Nimber(Loopy{}));
    EXPECT_EQ(to_string(nim_sum(loopy, nimber("(w+1)"))), "inf{(w+1),(w+3)}");
    EXPECT_EQ(nim_sum(nim_sum(loopy, nimber("(w+1)")), nimber("(w)")),
              Nimber(Loopy{{1, 3}, {}}));
    EXPECT_TRUE(is_loopy(loopy));
    EXPECT_FALSE(is_loopy(nimber("(w)")));
}

}  // namespace engine::test::nimber_test
