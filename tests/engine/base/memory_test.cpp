#include "engine/base/memory.hpp"

namespace engine::test::memory_test {

class MemoryTest : public testing::Test {
  protected:
    ~MemoryTest() override { Memory::set_limit(Memory::kDefaultLimit); }
};

TEST_F(MemoryTest, GivesUpToTheLimit) {
    const std::size_t before = Memory::used();
    Memory::set_limit(before + 1000);
    Reservation first;
    EXPECT_TRUE(first.resize(600));
    Reservation second;
    EXPECT_TRUE(second.resize(400));
    EXPECT_EQ(Memory::used(), before + 1000);

    Reservation moved = std::move(second);
    EXPECT_EQ(moved.bytes(), 400U);
    EXPECT_TRUE(moved.resize(100));
    EXPECT_TRUE(first.resize(900));
    moved = {};
    EXPECT_EQ(Memory::used(), before + 900);
}

TEST_F(MemoryTest, KeepsWhatItHasWhereThereIsNoMore) {
    Memory::set_limit(Memory::used() + 1000);
    Reservation held;
    ASSERT_TRUE(held.resize(700));
    while (held.resize(held.bytes() + 1000)) {  // as long as something else is dropped
    }
    const std::size_t bytes = held.bytes();
    EXPECT_GE(bytes, 700U);
    EXPECT_FALSE(held.resize(bytes + 1000));
    EXPECT_EQ(held.bytes(), bytes);
    EXPECT_LE(Memory::used(), Memory::limit());
}

TEST_F(MemoryTest, IsSharedByQuestions) {
    Memory::set_limit(0);  // drops what other tests left
    Memory::set_limit(Memory::kDefaultLimit);
    constexpr std::size_t kLimit = Memory::kDefaultLimit;
    const SharedQuestion first(kLimit);
    Reservation kept;
    EXPECT_FALSE(kept.resize(kLimit / 2 + 1)) << "nothing left for another question";
    EXPECT_TRUE(kept.resize(100));
    Reservation more;
    EXPECT_TRUE(more.resize(kLimit / 2 - 100));
    EXPECT_FALSE(kept.resize(101));

    std::thread([&] {
        const SharedQuestion second(kLimit);
        Reservation own;
        EXPECT_FALSE(own.resize(kLimit / 3 + 1)) << "a third for each of two";
        EXPECT_FALSE(more.resize(kLimit / 2)) << "what it makes grow counts as a whole";
        EXPECT_TRUE(own.resize(kLimit / 3));
    }).join();
    EXPECT_TRUE(more.resize(10)) << "what is given back";
    EXPECT_TRUE(kept.resize(kLimit / 2 - 10));
    EXPECT_FALSE(kept.resize(kLimit / 2 - 9));
}

TEST_F(MemoryTest, TakesOffAQuestionWhatAnotherThreadFrees) {
    Memory::set_limit(0);  // drops what other tests left
    Memory::set_limit(Memory::kDefaultLimit);
    constexpr std::size_t kLimit = Memory::kDefaultLimit;
    const SharedQuestion first(kLimit);
    Reservation table;
    ASSERT_TRUE(table.resize(kLimit / 2));
    std::thread([&] { EXPECT_TRUE(table.resize(kLimit / 4)); }).join();
    Reservation own;
    EXPECT_TRUE(own.resize(kLimit / 4)) << "half of what it held is free again";
    EXPECT_FALSE(own.resize(kLimit / 4 + 1));
    std::thread([&] {
        const SharedQuestion second(kLimit);
        EXPECT_TRUE(table.resize(kLimit / 4 + 1)) << "which pays for all of it from here on";
    }).join();
    EXPECT_TRUE(own.resize(kLimit / 2));
}

TEST_F(MemoryTest, GivesAQuestionNoMoreThanItsWish) {
    Reservation kept;
    {
        const SharedQuestion modest(100);
        EXPECT_FALSE(kept.resize(101));
        EXPECT_TRUE(kept.resize(100));
    }
    EXPECT_TRUE(kept.resize(1000));
    const SharedQuestion later(100);
    Reservation own;
    EXPECT_TRUE(own.resize(100)) << "what was kept before is not its own";
    EXPECT_FALSE(own.resize(101));
    EXPECT_TRUE(kept.resize(0));
    EXPECT_FALSE(own.resize(101)) << "nor is it made its own by being given back";
}

}  // namespace engine::test::memory_test
