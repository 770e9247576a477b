#include "engine/heaps/solvers.hpp"

#include "engine/heaps/octal_sweep.hpp"
#include "tests/agreement/play_back_oracle.hpp"
#include "tests/engine/follower_listing.hpp"

namespace engine::test::lasker_solver_test {

using protocol::kMaxNumber;

Number value_of(const HeapSolver& solver, const std::vector<Heap>& heaps) {
    Number sum = 0;
    for (const Heap& heap : heaps) sum ^= std::get<std::uint64_t>(*solver.nimber(heap, {}));
    return sum;
}

// Of nimbers that outgrow a byte.
TEST(LaskerSolver, AgreesWithTheTable) {
    const auto solver = make_lasker_solver();
    std::vector<std::uint8_t> digits(900, 3);
    digits[0] = 4;
    OctalSweep sweep(BreakMoves::of_digits(digits));
    ASSERT_TRUE(sweep.extend(900, std::size_t{1} << 40));
    for (Number heap = 0; heap < 900; ++heap) {
        ASSERT_EQ(value_of(*solver, {Heap(heap)}), (*sweep.values())[heap]);
    }
}

TEST(LaskerSolver, FindsFollowersByNimber) {
    const auto solver = make_lasker_solver();
    const auto rules = ruleset_of("lasker");
    Mex mex(*rules);
    for (Number heap = 0; heap <= 140; ++heap) expect_solved(*rules, *solver, Heap(heap), mex);
}

TEST(LaskerSolver, FindsFollowersOfHugeHeaps) {
    const auto solver = make_lasker_solver();
    const auto rules = ruleset_of("lasker");
    std::mt19937_64 random(1);
    int found = 0;
    for (int i = 0; i < 2000; ++i) {
        const Number heap = kMaxNumber - uniform_below(random, 5000);
        // The nimber of some move, so that there is one.
        const Number part = 1 + uniform_below(random, heap - 1);
        const Number nimber = value_of(*solver, {Heap(part), Heap(heap - part)});
        const Count count = solver->count_followers(Heap(heap), finite(nimber), {}).count;
        ASSERT_GE(count, 1u);
        const auto follower =
            solver->follower(Heap(heap), finite(nimber), uniform_below(random, count), {});
        ASSERT_TRUE(rules->is_follower(Heap(heap), follower));
        ASSERT_EQ(value_of(*solver, follower), nimber);
        if (follower.size() == 2) ++found;
    }
    EXPECT_GT(found, 1000);
}

TEST(LaskerSolver, HasNoFollowerOfTheLargestNumber) {
    const auto solver = make_lasker_solver();
    for (const Number heap : {Number{1}, Number{5}, kMaxNumber}) {
        const auto tally = solver->count_followers(Heap(heap), finite(~Number{0}), {});
        EXPECT_EQ(tally.count, 0u) << heap;
        EXPECT_TRUE(tally.complete) << heap;
    }
}

TEST(LaskerSolver, WinsMisereSumsByNimbers) {
    // What is_tame() promises.
    PlayBackOracle oracle;
    const auto solver = make_lasker_solver();
    for (Number a = 0; a <= 7; ++a) {
        for (Number b = a; b <= 7; ++b) {
            for (Number c = b; c <= 5; ++c) {
                const Game game =
                    game_of("lasker:" + std::to_string(a) + "," + std::to_string(b) + "," +
                            std::to_string(c) + " misere");
                const Number total = value_of(*solver, {Heap(a), Heap(b), Heap(c)});
                const bool firm = a > 1 || b > 1 || c > 1;
                ASSERT_EQ(oracle.wins(game), firm ? total != 0 : total == 0);
            }
        }
    }
}

}  // namespace engine::test::lasker_solver_test
