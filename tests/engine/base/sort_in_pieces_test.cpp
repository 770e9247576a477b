#include "engine/base/sort_in_pieces.hpp"

namespace engine::test::sort_in_pieces_test {

// Many sizes, with keys that repeat: the second of each pair tells in which order they were.
TEST(SortInPieces, SortsAsStableSortDoes) {
    std::mt19937_64 random(1);
    for (const std::size_t size : {0, 1, 2, 16383, 16384, 16385, 32767, 32768, 80000}) {
        std::vector<std::pair<std::uint64_t, std::string>> items;
        for (std::size_t i = 0; i < size; ++i) {
            items.emplace_back(random() % 1000, std::to_string(i));
        }
        auto expected = items;
        const auto is_less = [](const auto& a, const auto& b) { return a.first < b.first; };
        std::ranges::stable_sort(expected, is_less);
        EXPECT_TRUE(sort_in_pieces(items, is_less, [] { return false; }));
        EXPECT_EQ(items, expected);
    }
}

TEST(SortInPieces, AsksAfterEachPieceOfWork) {
    constexpr std::size_t kSize = 1 << 19;
    std::mt19937_64 random(1);
    std::vector<std::uint64_t> items(kSize);
    for (auto& item : items) item = random();
    std::size_t asked = 0;
    auto sorted = items;
    EXPECT_TRUE(sort_in_pieces(sorted, std::less<>(), [&] { return ++asked == 0; }));
    // 32 pieces of 16,384, merged in five rounds.
    EXPECT_EQ(asked, 31u + 5 * 32);
    for (std::size_t limit = 1; limit <= asked; limit += 37) {
        std::size_t left = limit;
        auto again = items;
        EXPECT_FALSE(sort_in_pieces(again, std::less<>(), [&] { return --left == 0; }));
        EXPECT_EQ(left, 0u);
    }
}

}  // namespace engine::test::sort_in_pieces_test
