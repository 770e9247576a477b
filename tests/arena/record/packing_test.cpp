#include "arena/record/packing.hpp"

#include <limits>

namespace arena::packing_test {

TEST(PackTimes, TakesSevenBitsAByte) {
    EXPECT_EQ(pack_times({Microseconds(0), Microseconds(127), Microseconds(128)}),
              std::string("\0\x7f\x80\x01", 4));
    EXPECT_EQ(pack_times({Microseconds(16'383)}).size(), 2u);
}

TEST(PackTimes, IsUndone) {
    std::mt19937_64 random(7);
    std::vector<Microseconds> times{
        Microseconds(std::numeric_limits<Microseconds::rep>::max())};
    for (int i = 0; i < 1000; ++i)
        times.emplace_back(static_cast<Microseconds::rep>(random() >> (1 + random() % 63)));
    EXPECT_EQ(unpack_times(pack_times(times)), times);
    EXPECT_EQ(unpack_times(""), std::vector<Microseconds>());
}

TEST(PackTimes, RefusesWhatIsCutOffOrTooLong) {
    EXPECT_EQ(unpack_times("\x80"), std::nullopt);
    EXPECT_EQ(unpack_times(std::string(9, '\xff') + "\x01"), std::nullopt);
}

TEST(AllTimes, AreOneMoreThanTheMovesAfterAFault) {
    GameRecord record;
    record.moves = {"1=0", "2=0"};
    EXPECT_TRUE(set_all_times(record, {Microseconds(1), Microseconds(2)}));
    EXPECT_FALSE(record.fault_time);
    EXPECT_TRUE(set_all_times(record, {Microseconds(1), Microseconds(2), Microseconds(3)}));
    EXPECT_EQ(record.fault_time, Microseconds(3));
    EXPECT_EQ(record.times.size(), 2u);
    EXPECT_EQ(all_times(record).size(), 3u);
    EXPECT_FALSE(set_all_times(record, {Microseconds(1)}));
    EXPECT_FALSE(set_all_times(record, std::vector<Microseconds>(4)));
}

TEST(JoinWords, IsUndone) {
    for (const auto& words :
         std::vector<std::vector<std::string>>{{}, {"1=0"}, {"1=(0,3)", "2=0", "10=5,6"}}) {
        EXPECT_EQ(split_joined(join_words(words)), words);
        EXPECT_EQ(count_words(join_words(words)), words.size());
    }
    EXPECT_EQ(join_words({"a", "b"}), "a b");
}

}  // namespace arena::packing_test
