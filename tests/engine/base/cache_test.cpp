#include "engine/base/cache.hpp"

namespace engine {
namespace {

using Texts = Cache<std::string, const std::string, TextHash>;

// Caches live as long as the process.
Texts& texts(std::size_t most_entries, std::size_t most_bytes) {
    static std::deque<Texts> all;
    return all.emplace_back(most_entries, most_bytes);
}

void add(Texts& cache, const std::string& key, std::size_t bytes) {
    cache.add(key, std::make_shared<const std::string>(key), bytes);
}

TEST(Cache, KeepsTheEntriesUsedLast) {
    Texts& cache = texts(2, 1000);
    add(cache, "a", 1);
    add(cache, "b", 1);
    EXPECT_NE(cache.find(std::string_view("a")), nullptr);
    add(cache, "c", 1);
    EXPECT_NE(cache.find("a"), nullptr);
    EXPECT_EQ(cache.find("b"), nullptr);
    EXPECT_NE(cache.find("c"), nullptr);
}

TEST(Cache, KeepsTheLatestHoweverLargeItIs) {
    Texts& cache = texts(10, 100);
    add(cache, "a", 60);
    add(cache, "b", 40);
    EXPECT_NE(cache.find("a"), nullptr);
    add(cache, "c", 101);
    EXPECT_EQ(cache.find("a"), nullptr);
    EXPECT_EQ(cache.find("b"), nullptr);
    EXPECT_NE(cache.find("c"), nullptr);
}

TEST(Cache, ReturnsTheValueThatIsThere) {
    Texts& cache = texts(10, 100);
    const auto first = cache.add("a", std::make_shared<const std::string>("1"), 1);
    const auto second = cache.add("a", std::make_shared<const std::string>("2"), 1);
    EXPECT_EQ(first, second);
}

TEST(Cache, FindsByValueAndTakesOut) {
    Texts& cache = texts(10, 100);
    add(cache, "a", 1);
    add(cache, "b", 1);
    EXPECT_NE(cache.find_if([](const std::string& value) { return value == "a"; }), nullptr);
    EXPECT_EQ(*cache.take(), "a");
    EXPECT_EQ(*cache.take(), "b");
    EXPECT_EQ(cache.take(), nullptr);
}

TEST(Cache, DropsItsOldestUnusedEntryWhenMemoryIsShort) {
    Texts& cache = texts(10, std::size_t{1} << 30);
    Memory::set_limit(0);  // empties the caches of the process
    Memory::set_limit(Memory::kDefaultLimit);
    const std::size_t used = Memory::used();
    add(cache, "used", 1 << 20);
    add(cache, "oldest", 1 << 20);
    add(cache, "latest", 1 << 20);
    EXPECT_EQ(Memory::used(), used + (3 << 20));
    {
        const auto in_use = cache.find_if([](const std::string& v) { return v == "used"; });
        add(cache, "latest", 0);
        Memory::set_limit(used + (2 << 20));
        Memory::set_limit(Memory::kDefaultLimit);
        EXPECT_EQ(cache.find("oldest"), nullptr);
    }
    EXPECT_NE(cache.find("used"), nullptr);
    EXPECT_NE(cache.find("latest"), nullptr);
}

TEST(Cache, HoldsOneThatMemoryRefuses) {
    Texts& cache = texts(10, std::size_t{1} << 40);
    add(cache, "a", Memory::kDefaultLimit + 1);
    EXPECT_NE(cache.find("a"), nullptr);
    add(cache, "b", 1);
    EXPECT_NE(cache.find("a"), nullptr);
    add(cache, "c", Memory::kDefaultLimit + 1);
    EXPECT_EQ(cache.find("a"), nullptr);
    EXPECT_NE(cache.find("c"), nullptr);
}

}  // namespace
}  // namespace engine
