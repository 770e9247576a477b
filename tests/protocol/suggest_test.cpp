#include "protocol/suggest.hpp"

namespace protocol::suggest_test {

constexpr std::array<std::string_view, 4> kWords{"games", "movetime", "margin", "name"};

TEST(Suggest, FindsTheWordWithTheFewestEdits) {
    EXPECT_EQ(nearest("game", kWords), "games");
    EXPECT_EQ(nearest("nmae", kWords), "name") << "swapped letters are one edit";
    EXPECT_EQ(nearest("move-time", kWords), "movetime");
    EXPECT_EQ(nearest("MARGIN", std::array<std::string_view, 1>{"margin"}), "");
}

TEST(Suggest, HasNothingToSayWhereNoWordIsNear) {
    EXPECT_EQ(nearest("", kWords), "");
    EXPECT_EQ(nearest("zebra", kWords), "");
    EXPECT_EQ(nearest(std::string(65, 'g'), kWords), "");
    EXPECT_EQ(nearest("games", {}), "");
}

TEST(Suggest, MakesTheEndOfASentence) {
    EXPECT_EQ(suggestion("gmaes", kWords), ", did you mean 'games'?");
    EXPECT_EQ(suggestion("zebra", kWords), "");
}

}  // namespace protocol::suggest_test
