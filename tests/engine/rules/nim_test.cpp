#include "tests/engine/follower_listing.hpp"

namespace engine::test::nim_test {

using protocol::kMaxNumber;

bool is_follower(std::string_view from, std::string_view to) {
    const auto left = protocol::parse_position("nim:" + std::string(to));
    return ruleset_of("nim")->is_follower(heap_of(from), left->components.front().heaps);
}

TEST(Nim, MovesToEverySmallerHeap) {
    EXPECT_TRUE(is_follower("3", "2"));
    EXPECT_TRUE(is_follower("3", "0"));
    EXPECT_FALSE(is_follower("3", "3"));
    EXPECT_FALSE(is_follower("3", "4"));
    EXPECT_FALSE(is_follower("3", "1,1"));
    EXPECT_FALSE(is_follower("3", "(0,1)"));
    EXPECT_FALSE(is_follower("0", "0"));
    EXPECT_TRUE(is_follower("9223372036854775807", "9223372036854775806"));
}

TEST(Nim, OrdersOrdinals) {
    const char* ascending[] = {
        "0",     "5",       "9223372036854775807", "(w)",    "(w+1)", "(w*2)", "(w*2+7)",
        "(w^2)", "(w^2+w)", "(w^2+w*3+1)",         "(w^3*4)"};
    for (std::size_t i = 0; i < std::size(ascending); ++i) {
        for (std::size_t j = 0; j < std::size(ascending); ++j) {
            EXPECT_EQ(is_follower(ascending[i], ascending[j]), j < i)
                << ascending[i] << " to " << ascending[j];
        }
    }
}

TEST(Nim, RefusesTuples) {
    expect_refused_heaps("nim", {"(1,2)"},
                         "a number or an ordinal such as (w+1): heaps of nim");
}

TEST(Nim, CountsTheFollowersThatCanBeWritten) {
    const auto rules = ruleset_of("nim");
    const Ruleset& nim = *rules;
    EXPECT_EQ(nim.follower_count(heap_of("7")), 7u);
    EXPECT_EQ(nim.follower_count(heap_of("(w)")), kMaxNumber + 1);
    EXPECT_EQ(nim.follower_count(heap_of("(w+5)")), kMaxNumber + 6);
    EXPECT_EQ(nim.follower_count(heap_of("(w+9223372036854775807)")), kMany);
    EXPECT_EQ(nim.follower_count(heap_of("(w*2)")), kMany);
    EXPECT_EQ(nim.follower_count(heap_of("(w^5+1)")), kMany);
}

TEST(Nim, GivesEachFollowerOneIndex) {
    const auto rules = ruleset_of("nim");
    const Ruleset& nim = *rules;
    struct Case {
        const char* heap;
        Count index;
        const char* follower;
    };
    const Case cases[] = {
        {"3", 0, "0"},
        {"3", 2, "2"},
        {"(w)", 0, "0"},
        {"(w)", kMaxNumber, "9223372036854775807"},
        {"(w+1)", kMaxNumber + 1, "(w)"},
        {"(w+3)", kMaxNumber + 3, "(w+2)"},
        {"(w^2)", kMany - 1, "(w+9223372036854775806)"},
    };
    for (const auto& [text, index, follower] : cases) {
        const auto result = nim.follower(heap_of(text), index);
        EXPECT_EQ(result, std::vector{heap_of(follower)}) << text << ' ' << index;
        EXPECT_TRUE(nim.is_follower(heap_of(text), result)) << text << ' ' << index;
    }
}

}  // namespace engine::test::nim_test
