#include "tests/engine/follower_listing.hpp"

namespace engine::test::moore_test {

using protocol::kMaxNumber;

// All tuples below `entries` that differ from it in 1 to `most` places.
Followers moves_of(const std::vector<Number>& entries, Number most) {
    std::vector<std::pair<std::vector<Number>, Number>> begun{{{}, 0}};
    for (const Number entry : entries) {
        decltype(begun) longer;
        for (const auto& [left, lowered] : begun) {
            for (Number to = 0; to <= entry; ++to) {
                longer.emplace_back(left, lowered + (to < entry ? 1 : 0));
                longer.back().first.push_back(to);
            }
        }
        begun = std::move(longer);
    }
    Followers moves;
    for (const auto& [left, lowered] : begun) {
        if (lowered >= 1 && lowered <= most) moves.insert({heap_with(left)});
    }
    return moves;
}

std::shared_ptr<const Ruleset> moore(Number most) {
    return ruleset_of("moore{" + std::to_string(most) + "}");
}

TEST(Moore, LowersOneEntryOrSeveral) {
    const Followers results = tuple_results(4, 2);
    for (Number most = 1; most <= 4; ++most) {
        const auto moves = [&](const std::vector<Number>& tuple) {
            return moves_of(tuple, most);
        };
        for (const std::size_t length : {1u, 2u, 3u, 4u}) {
            expect_by_the_book("moore{" + std::to_string(most) + "}",
                               heaps_with(all_tuples(length, length == 4 ? 2 : 4)), moves,
                               results);
        }
    }
}

TEST(Moore, FindsAMoveAmongManyOnes) {
    const auto rules = moore(5);
    const auto solver = solver_of("moore{5}");
    const Heap ones = heap_with(std::vector<Number>(1000, 1));
    EXPECT_EQ(solver->nimber(ones, {}), finite(4));
    for (Number nimber = 0; nimber <= 7; ++nimber) {
        const auto follower = solver->find_follower(ones, finite(nimber), Budget::spent());
        EXPECT_EQ(follower.has_value(), nimber != 4 && nimber <= 5) << nimber;
        if (!follower) continue;
        EXPECT_TRUE(rules->is_follower(ones, *follower));
        EXPECT_EQ(solver->nimber(follower->front(), {}), finite(nimber));
    }
}

TEST(Moore, ReadsAMoveInItsOrder) {
    EXPECT_EQ(to_string(*game_of("moore{2}:(3,1,2)").read_move("1=(0,1,0)")), "1=(0,1,0)");
}

TEST(Moore, RefusesWhatIsNoHeap) {
    expect_refused_heaps("moore{2}", {"(w)"},
                         "a number or a tuple such as (3,4,5): heaps of moore");
    const std::string expected =
        ", expected a number from 1: how many entries a move lowers at most";
    expect_refused({{"moore{0}", 7, "read '0'" + expected},
                    {"moore{}", 7, "read '}'" + expected},
                    {"moore{x}", 7, "read 'x'" + expected},
                    {"moore{2,3}", 8, "read ',', expected '}'"},
                    {"moore", 1,
                     "read 'moore', expected parameters in braces after it, such as "
                     "moore{2}"}});
}

TEST(Moore, NumbersMoreMovesThanCanBeListed) {
    std::mt19937_64 random(3);
    for (int i = 0; i < 300; ++i) {
        std::vector<Number> entries(1 + random() % 80);
        for (Number& entry : entries) {
            entry = random() % 2 == 0 ? random() % 3 : random() % (kMaxNumber + 1);
        }
        const auto rules = moore(1 + random() % (i % 2 == 0 ? 4 : 90));
        expect_numbered(*rules, heap_with(entries));
    }
    const std::vector<Number> large(3, kMaxNumber);
    EXPECT_EQ(moore(1)->follower_count(heap_with({kMaxNumber, kMaxNumber - 1})),
              2 * kMaxNumber - 1);
    EXPECT_EQ(moore(1)->follower_count(heap_with(large)), kMany);
    EXPECT_EQ(moore(3)->follower_count(heap_with(std::vector<Number>(63, 1))),
              63U + 63 * 62 / 2 + 63 * 62 * 61 / 6);
}

// With the one that lowers nothing there are 2^64-1 ways: the second product is that of the
// Fermat numbers up to 2^32+1, whose last one is 641 * 6700417.
TEST(Moore, CountsUpToTheLargestCount) {
    const std::vector<Number> fermat{2, 4, 16, 256, 65536, 640, 6700416};
    for (const auto& entries : {std::vector<Number>(2, kMaxNumber), fermat}) {
        const auto rules = moore(entries.size() == 2 ? 1 : entries.size());
        EXPECT_EQ(rules->follower_count(heap_with(entries)), kMany - 1);
        expect_numbered(*rules, heap_with(entries));
    }
    EXPECT_EQ(moore(1)->follower_count(heap_with({kMaxNumber, kMaxNumber, 1})), kMany);
    EXPECT_EQ(moore(1)->follower_count(heap_with({kMaxNumber, kMaxNumber, 2})), kMany);
}

TEST(Moore, LosesWhereEachPlaceHasAMultipleOfOnes) {
    for (Number most = 1; most <= 3; ++most) {
        const auto rules = moore(most);
        Mex mex(*rules);
        for (const std::size_t length : {1u, 2u, 3u, 4u}) {
            for (const auto& tuple : all_tuples(length, length == 4 ? 3 : 5)) {
                bool is_lost = true;
                for (int place = 0; place < 3; ++place) {
                    Number ones = 0;
                    for (const Number entry : tuple) ones += entry >> place & 1;
                    is_lost = is_lost && ones % (most + 1) == 0;
                }
                EXPECT_EQ(mex.nimber(heap_with(tuple)) == 0, is_lost);
            }
        }
    }
}

// Without one entry at least, all ones: lost where their number is 1 more than a multiple of
// K+1; else as in normal play.
TEST(Moore, MisereIsMooresTheorem) {
    const auto analyst = make_analyst();
    for (Number most = 1; most <= 3; ++most) {
        const std::string name = "moore{" + std::to_string(most) + "}:";
        for (const std::size_t length : {2u, 3u, 4u}) {
            for (const auto& tuple : all_tuples(length, length == 4 ? 2 : 3)) {
                const std::string text = name + to_string(heap_with(tuple));
                const auto ones = std::ranges::count(tuple, Number{1});
                const bool small = std::ranges::max(tuple) <= 1;
                const auto normal = analyst->outcome(game_of(text), {});
                const auto expected = !small ? normal
                                      : static_cast<Number>(ones) % (most + 1) == 1
                                          ? Outcome::P
                                          : Outcome::N;
                EXPECT_EQ(analyst->outcome(game_of(text + " misere"), {}), expected) << text;
            }
        }
    }
}

TEST(Moore, MisereIsSolvedForHeapsOfAnySize) {
    std::mt19937_64 random(6);
    std::map<Outcome, int> counts;
    for (int i = 0; i < 300; ++i) {
        const Number most = 1 + random() % 5;
        std::vector<Number> entries(2 + random() % 9);
        for (Number& entry : entries) {
            entry =
                random() % 3 > 0 ? random() % 2 : random() % (kMaxNumber + 1) >> random() % 60;
        }
        if (most == 1 || i % 3 == 0)
            std::ranges::replace_if(
                entries, [](Number n) { return n > 1; }, 1);
        const std::string text =
            "moore{" + std::to_string(most) + "}:" + to_string(heap_with(entries)) + " misere";
        ++counts[expect_won_by_choice(game_of(text))];
    }
    EXPECT_GT(counts[Outcome::P], 10);
    EXPECT_GT(counts[Outcome::N], 100);
}

// By the definition, and of winning moves the one that the theorem gives.
TEST(Moore, MisereMovesAreRight) {
    for (Number most = 1; most <= 4; ++most) {
        const std::string text = "moore{" + std::to_string(most) + "}";
        const auto rules = ruleset_of(text);
        const auto solver = solver_of(text);
        for (const std::size_t length : {1u, 2u, 3u, 4u, 5u}) {
            for (const auto& tuple : all_tuples(length, length == 5 ? 2 : 3)) {
                const Heap heap = heap_with(tuple);
                SCOPED_TRACE(text + ':' + to_string(heap));
                const auto follower = solver->misere_follower(heap);
                const bool lost = *solver->misere_previous_win(heap);
                EXPECT_EQ(follower.has_value(), !lost && rules->has_move(heap));
                bool wins = !rules->has_move(heap);
                for (Count i = 0; i < rules->follower_count(heap) && !wins; ++i) {
                    wins = *solver->misere_previous_win(rules->follower(heap, i).front());
                }
                EXPECT_EQ(wins, !lost);
                if (!follower) continue;
                EXPECT_TRUE(rules->is_follower(heap, *follower));
                EXPECT_TRUE(*solver->misere_previous_win(follower->front()));
            }
        }
    }
}

TEST(Moore, IsSolvedForHeapsOfAnySize) {
    std::mt19937_64 random(5);
    int lost = 0;
    for (int i = 0; i < 300; ++i) {
        const Number most = 1 + random() % 5;
        std::vector<Number> entries(2 + random() % 9);
        for (Number& entry : entries) entry = random() % (kMaxNumber + 1) >> random() % 60;
        const std::string text =
            "moore{" + std::to_string(most) + "}:" + to_string(heap_with(entries));
        if (expect_won_by_choice(game_of(text)) == Outcome::P) ++lost;
    }
    EXPECT_LT(lost, 100);
    EXPECT_EQ(nimber_text("moore{3}:(1000000000000000000,2000000000000000000,5)"),
              "3000000000000000005");
}

}  // namespace engine::test::moore_test
