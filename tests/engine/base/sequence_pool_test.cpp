#include "engine/base/sequence_pool.hpp"

namespace engine::test::sequence_pool_test {

using Sequence = std::vector<std::uint32_t>;

class SequencePoolTest : public testing::Test {
  protected:
    ~SequencePoolTest() override { Memory::set_limit(Memory::kDefaultLimit); }
};

// Far beyond the size from which its table is divided.
TEST_F(SequencePoolTest, KeepsEachSequenceOnceAsAMapDoes) {
    std::mt19937_64 random(1);
    SequencePool pool;
    std::map<Sequence, SequencePool::Index> known;
    std::size_t items = 0;
    for (int i = 0; i < 60000; ++i) {
        Sequence sequence(random() % 5);
        for (auto& item : sequence) item = static_cast<std::uint32_t>(random() % 30);
        const auto found = pool.find(sequence);
        const auto place = known.find(sequence);
        ASSERT_EQ(found.has_value(), place != known.end());
        const auto index = pool.intern(sequence);
        ASSERT_TRUE(index);
        if (found) {
            ASSERT_EQ(*index, place->second);
        } else {
            ASSERT_EQ(*index, known.size());
            items += sequence.size();
            known.emplace(sequence, *index);
        }
    }
    EXPECT_GT(known.size(), 20000u);
    EXPECT_EQ(pool.size(), known.size());
    EXPECT_EQ(pool.item_count(), items);
    for (const auto& [sequence, index] : known) {
        ASSERT_TRUE(std::ranges::equal(pool[index], sequence));
        ASSERT_EQ(pool.find(sequence), index);
    }
}

// When memory ends, sequences in the pool stay, and new ones are refused.
TEST_F(SequencePoolTest, StaysAsItIsWhereMemoryEnds) {
    for (const std::size_t room : {1000, 20000, 300000, 400000, 500000, 700000, 2000000}) {
        SequencePool pool;
        Memory::set_limit(Memory::used() + room);
        std::uint32_t next = 0;
        while (pool.intern(Sequence{next, 7})) ++next;
        EXPECT_EQ(pool.size(), next);
        EXPECT_LE(Memory::used(), Memory::limit());
        EXPECT_FALSE(pool.intern(Sequence{next, 8}));
        std::uint32_t same = 0;  // an expectation for each would take longer than the pool
        while (same < next && pool.find(Sequence{same, 7}) == same &&
               pool.intern(Sequence{same, 7}) == same)
            ++same;
        EXPECT_EQ(same, next) << room;
    }
}

}  // namespace engine::test::sequence_pool_test
