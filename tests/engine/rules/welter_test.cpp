#include "tests/engine/follower_listing.hpp"

namespace engine::test::welter_test {

using protocol::kMaxNumber;

bool are_different(std::vector<Number> entries) {
    std::ranges::sort(entries);
    return std::ranges::adjacent_find(entries) == entries.end();
}

std::vector<Heap> all_heaps(std::size_t length, Number most) {
    auto heaps = all_tuples(length, most);
    std::erase_if(heaps, [](const auto& heap) { return !are_different(heap); });
    return heaps_with(heaps);
}

Followers moves_of(const std::vector<Number>& entries) {
    Followers moves;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        for (Number to = 0; to < entries[i]; ++to) {
            auto left = entries;
            left[i] = to;
            if (are_different(left)) moves.insert({heap_with(left)});
        }
    }
    return moves;
}

TEST(Welter, MovesToFreeNumbers) {
    const Followers results = tuple_results(4, 3);
    for (const std::size_t length : {1u, 2u, 3u, 4u}) {
        expect_by_the_book("welter", all_heaps(length, length == 4 ? 6 : 9), moves_of, results);
    }
}

TEST(Welter, RefusesEqualEntries) {
    expect_refused_heaps(
        "welter", {"(1,1)", "(4,2,4)", "(w+1)"},
        "a number or a tuple of different numbers such as (1,4,6): heaps of welter");
}

TEST(Welter, NumbersMoreMovesThanCanBeListed) {
    const auto rules = ruleset_of("welter");
    std::mt19937_64 random(3);
    for (int i = 0; i < 200; ++i) {
        std::vector<Number> entries(1 + random() % 40);
        for (Number& entry : entries) entry = random() % (kMaxNumber + 1) >> random() % 60;
        if (!are_different(entries)) continue;
        expect_numbered(*rules, heap_with(entries));
    }
    EXPECT_EQ(rules->follower_count(Heap(kMaxNumber)), kMaxNumber);
    EXPECT_EQ(rules->follower_count(heap_of("(9223372036854775807,9223372036854775806,4)")),
              2 * kMaxNumber);
}

TEST(Welter, LeavesStuckEntriesOut) {
    const auto rules = ruleset_of("welter");
    const auto reduced = [&](const char* text) {
        return *rules->reduced(heap_of(text), Convention::Misere);
    };
    EXPECT_EQ(reduced("(5,1,3)"), std::vector{heap_of("(1,3,5)")});
    EXPECT_EQ(reduced("(0,4,1)"), std::vector{heap_of("2")});
    EXPECT_EQ(reduced("(0,5,3)"), std::vector{heap_of("(2,4)")});
    EXPECT_TRUE(reduced("(2,0,1)").empty());
}

// Conway, On Numbers and Games, chapter 13, as it stands there.
TEST(Welter, HasTheValueOfTheFormula) {
    const auto solver = solver_of("welter");
    std::mt19937_64 random(4);
    for (int i = 0; i < 500; ++i) {
        std::vector<Number> entries(1 + random() % 12);
        for (Number& entry : entries) entry = random() % (kMaxNumber + 1) >> random() % 62;
        if (!are_different(entries)) continue;
        Number value = 0;
        for (std::size_t a = 0; a < entries.size(); ++a) {
            value ^= entries[a];
            for (std::size_t b = 0; b < a; ++b) {
                const Number difference =
                    std::max(entries[a], entries[b]) - std::min(entries[a], entries[b]);
                value ^= difference ^ (difference - 1);
            }
        }
        EXPECT_EQ(solver->nimber(heap_with(entries), {}), finite(value));
    }
}

TEST(Welter, IsSolvedForHeapsOfAnySize) {
    std::mt19937_64 random(5);
    int won = 0;
    for (int i = 0; i < 100; ++i) {
        std::vector<Number> entries(2 + random() % 30);
        for (Number& entry : entries) entry = random() % (kMaxNumber + 1) >> random() % 55;
        if (!are_different(entries)) continue;
        const Game game = game_of("welter:" + to_string(heap_with(entries)) + ",(1,4,6)+nim:9");
        if (expect_won_by_choice(game) == Outcome::N) {
            ++won;
            continue;
        }
        std::mt19937_64 choice(1);
        EXPECT_TRUE(make_analyst()->choose(game, {}, {}, choice, {}));  // though lost
    }
    EXPECT_GT(won, 50);
}

}  // namespace engine::test::welter_test
