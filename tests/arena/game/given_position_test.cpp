#include "arena/game/given_position.hpp"

namespace arena::given_position_test {

TEST(GivenPosition, DropsNeedlessBlanks) {
    for (const auto& [given, expected] : std::vector<std::pair<const char*, const char*>>{
             {"take{1, 2}: 5", "take{1,2}:5"},
             {" nim:3, 4 ,5\tmisere ", "nim:3,4,5 misere"},
             {"rules{ n -> n-k : k>=1 & k<=3 }: 9 misere", "rules{n->n-k:k>=1&k<=3}:9 misere"},
             {"nim:3 4", "nim:3 4"}}) {  // two heaps, or a heap of 34? It stays an error.
        EXPECT_EQ(given_position(given)->text, expected);
    }
}

TEST(GivenPosition, MarksErrorsInTheTextWithoutBlanks) {
    const auto given = given_position("take{1, 2}: x");
    EXPECT_EQ(check_position(*given, {}).error().text.substr(0, 40),
              "--position: column 11: read 'x', expecte");
    EXPECT_EQ(to_string(*check_position(*given_position("take{1, 2}: 5"), {})), "take{1,2}:5");
}

}  // namespace arena::given_position_test
