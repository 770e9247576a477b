#include "engine/rules/rules_ruleset.hpp"

#include <gtest/gtest.h>

#include "oracle.hpp"
#include "rules_oracle.hpp"

namespace engine::test {
namespace {

using Followers = std::set<std::vector<Heap>>;

std::shared_ptr<const UserRules> rules_of(const std::string& text) {
    const auto found = find_ruleset({text});
    if (!found) throw std::runtime_error(text + ": " + describe(found.error()));
    return std::dynamic_pointer_cast<const UserRules>(*found);
}

Followers listed(const Ruleset& rules, const Heap& heap) {
    Followers followers;
    const Count count = rules.follower_count(heap);
    for (Count i = 0; i < count; ++i) followers.insert(rules.follower(heap, i));
    EXPECT_EQ(followers.size(), count) << "a follower is listed twice";
    return followers;
}

Followers visited(const UserRules& rules, const Heap& heap) {
    Followers followers;
    rules.visit_moves(rules.entries_of(heap), [&](const rules::MoveBlock& block) {
        for (std::size_t i = 0; i < block.count; ++i) {
            std::vector<Heap> result;
            for (std::size_t j = 0; j < block.heaps; ++j) {
                result.push_back(
                    rules.heap_of(block.row(i).subspan(j * block.entries, block.entries)));
            }
            followers.insert(result);
        }
        return true;
    });
    return followers;
}

// Calls `visit` for every heap of so many entries 0..last.
void for_each_heap(std::size_t entries, Number last,
                   const std::function<void(const std::vector<Number>&)>& visit) {
    std::vector<Number> heap(entries, 0);
    for (;;) {
        visit(heap);
        std::size_t i = 0;
        while (i < entries && heap[i] == last) heap[i++] = 0;
        if (i == entries) return;
        ++heap[i];
    }
}

void compare(const UserRules& rules, const TreeRules& tree, const std::vector<Number>& entries,
             RandomRules& random) {
    const Heap heap = rules.heap_of(entries);
    ASSERT_TRUE(rules.check_heap(heap));
    const Followers expected = tree.followers(entries);
    ASSERT_EQ(listed(rules, heap), expected) << to_string(heap);
    ASSERT_EQ(visited(rules, heap), expected) << to_string(heap);
    ASSERT_EQ(rules.has_move(heap), !expected.empty()) << to_string(heap);
    for (const auto& result : expected) {
        ASSERT_TRUE(rules.is_follower(heap, result)) << to_string(protocol::Move{1, result});
        auto other = result;
        if (auto* number = std::get_if<Number>(&other[random.below(other.size())])) {
            *number += random.below(2) + 1;
        } else {
            auto& numbers =
                std::get<protocol::Tuple>(other[random.below(other.size())]).entries;
            numbers[random.below(numbers.size())] ^= 1;
        }
        std::ranges::sort(other);
        ASSERT_EQ(rules.is_follower(heap, other), expected.contains(other))
            << to_string(heap) << ' ' << to_string(protocol::Move{1, other});
    }
}

TEST(Rules, HaveTheMovesThatTheirTextSays) {
    RandomRules random(20261121);
    std::size_t moves = 0;
    for (int i = 0; i < 2500; ++i) {
        const std::size_t entries = 1 + random.below(3);
        const TreeRules tree = random.draw(entries);
        const std::string text = tree.text(random.random());
        SCOPED_TRACE(text);
        const auto rules = rules_of(text);
        const Number last = entries == 1 ? 9 : entries == 2 ? 3 : 2;
        for_each_heap(entries, last, [&](const std::vector<Number>& heap) {
            compare(*rules, tree, heap, random);
            moves += tree.followers(heap).size();
        });
        if (HasFatalFailure()) return;
    }
    EXPECT_GT(moves, 40000U) << "hardly a random ruleset has moves";
}

}  // namespace
}  // namespace engine::test
