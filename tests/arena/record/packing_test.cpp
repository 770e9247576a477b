#include "arena/record/packing.hpp"

#include <limits>

#include "arena/record/store_rules.hpp"

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
    record.times = {Microseconds(1), Microseconds(2)};
    record.fault_time = Microseconds(3);
    const std::string bytes = pack_times(all_times(record));
    EXPECT_EQ(read_times(bytes, 2), all_times(record));
    EXPECT_EQ(read_times(bytes, 3), all_times(record));
    EXPECT_THROW(read_times(bytes, 1), DamagedRow);
    EXPECT_THROW(read_times(bytes, 4), DamagedRow);
}

TEST(JoinWords, IsUndone) {
    for (const auto& words :
         std::vector<std::vector<std::string>>{{}, {"1=0"}, {"1=(0,3)", "2=0", "10=5,6"}}) {
        EXPECT_EQ(split_joined(join_words(words)), words);
    }
    EXPECT_EQ(join_words({"a", "b"}), "a b");
}

}  // namespace arena::packing_test
