#include "engine/rules/take.hpp"

#include "tests/engine/follower_listing.hpp"

namespace engine::test::take_test {

using protocol::kMaxNumber;

TEST(TakeSet, IsKeptAsDisjointIntervals) {
    struct Case {
        const char* text;
        const char* kept;
    };
    const Case cases[] = {
        {"1,3,4", "1,3-4"},
        {"4,1,3", "1,3-4"},
        {"007,0002-0003", "2-3,7"},
        {"1-5,3-9,9", "1-9"},
        {"1-5,6-7", "1-7"},
        {"2-2", "2"},
        {"4-", "4-"},
        {"4-,9-", "4-"},
        {"1-3,5-9223372036854775807", "1-3,5-"},
        {"9223372036854775807", "9223372036854775807"},
        {"!1", "2-"},
        {"!5", "1-4,6-"},
        {"!2,4-6", "1,3,7-"},
        {"!4-", "1-3"},
        {"!2-9223372036854775807", "1"},
        {"!9223372036854775807", "1-9223372036854775806"},
    };
    for (const auto& [text, kept] : cases) {
        const TakeSet set = take_set(text);
        EXPECT_EQ(to_string(set), kept);
        EXPECT_EQ(take_set(to_string(set)), set);
    }
}

TEST(TakeSet, SaysWhatIsWrong) {
    const std::string item = "expected a number from 1 or a range such as 2-5 or 4-";
    const std::string large = "expected a number up to 9223372036854775807";
    expect_refused({
        {"take{}", 6, "read '}', " + item},
        {"take{!}", 7, "read '}', " + item},
        {"take{1,}", 8, "read '}', " + item},
        {"take{,1}", 6, "read ',', " + item},
        {"take{1,,2}", 8, "read ',', " + item},
        {"take{x}", 6, "read 'x', " + item},
        {"take{-3}", 6, "read '-', " + item},
        {"take{1,!2}", 8, "read '!', " + item},
        {"take{!!2}", 7, "read '!', " + item},
        {"take{0}", 6, "read '0', expected a number from 1"},
        {"take{0-3}", 6, "read '0', expected a number from 1"},
        {"take{5-3}", 8, "read '3', expected a number from 5: a range ascends"},
        {"take{5-0}", 8, "read '0', expected a number from 5: a range ascends"},
        {"take{9223372036854775808}", 6, "read '9223372036854775808', " + large},
        {"take{1-99999999999999999999}", 8, "read '99999999999999999999', " + large},
        {"take{1;2}", 7, "read ';', expected ',', '-' or '}'"},
        {"take{1-2-3}", 9, "read '-', expected ',', '-' or '}'"},
        {"take{1--2}", 8, "read '-', expected ',', '-' or '}'"},
        {"take{1..3}", 7, "read '.', expected '-': a range is written 1-3"},
        {"take{1w}", 7, "read 'w', expected ',', '-' or '}'"},
        {"take{!1-}", 6, "read '!1-', expected a complement that leaves something over"},
        {"take{!5-,1-4}", 6, "read '!1-', expected a complement that leaves something over"},
        {"take", 1, "read 'take', expected parameters in braces after it, such as take{1,3,4}"},
    });
}

TEST(TakeSet, CountsAndNumbersItsMembers) {
    const TakeSet set = take_set("2-4,9,20-");
    EXPECT_EQ(set.count_to(1), 0u);
    EXPECT_EQ(set.count_to(3), 2u);
    EXPECT_EQ(set.count_to(8), 3u);
    EXPECT_EQ(set.count_to(21), 6u);
    EXPECT_EQ(set.count_to(kMaxNumber), kMaxNumber - 19 + 4);
    const Number members[] = {2, 3, 4, 9, 20, 21};
    for (Count i = 0; i < std::size(members); ++i) EXPECT_EQ(set.member(i), members[i]);
    EXPECT_EQ(set.member(kMaxNumber - 19 + 3), kMaxNumber);
}

TEST(Take, AllowsWhatTheSetSays) {
    const std::pair<std::string, std::set<Number>> cases[] = {
        {"1,3,4", {1, 3, 4}},  // members up to 12
        {"3-5,5,4", {3, 4, 5}},
        {"9-", {9, 10, 11, 12}},
        {"!1,4-10", {2, 3, 11, 12}},
        {"2,1000000000000", {2}},
        {"1-9223372036854775807", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}},
    };
    const Followers results = number_results(13);
    for (const auto& [set, all] : cases) {
        const auto moves_of = [&members = all](const std::vector<Number>& heap) {
            Followers moves;
            for (const Number member : members) {
                if (member <= heap[0]) moves.insert({Heap(heap[0] - member)});
            }
            return moves;
        };
        expect_by_the_book("take{" + set + "}", heaps_with(all_tuples(1, 12)), moves_of,
                           results);
    }
}

TEST(Take, RefusesHeapsThatAreNoNumbers) {
    expect_refused_heaps("take{1}", {"(1,2)", "(w)"}, "a number: heaps of take are numbers");
}

}  // namespace engine::test::take_test
