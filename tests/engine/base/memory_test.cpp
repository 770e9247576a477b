#include "engine/base/memory.hpp"

#include <gtest/gtest.h>

namespace engine::test {
namespace {

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

}  // namespace
}  // namespace engine::test
