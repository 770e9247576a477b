#include "engine/sums/analyst.hpp"
#include "tests/engine/follower_listing.hpp"

namespace engine::test::pass_test {

using protocol::kMaxNumber;

// By the rules of an octal game: each move in each heap, or a pass where there is one.
Followers moves_of(const Ruleset& octal, std::vector<Number> heaps, Number passes) {
    Followers moves;
    const auto add = [&](std::vector<Number> left, Number p) {
        std::erase(left, Number{0});
        std::ranges::sort(left);
        if (left.empty()) left.push_back(0);
        left.push_back(p);
        moves.insert({heap_with(left)});
    };
    for (std::size_t i = 0; i < heaps.size(); ++i) {
        for (Count j = 0; j < octal.follower_count(Heap(heaps[i])); ++j) {
            std::vector<Number> left = heaps;
            left[i] = 0;
            for (const Heap& part : octal.follower(Heap(heaps[i]), j)) {
                left.push_back(std::get<Number>(part));
            }
            add(left, passes);
        }
    }
    if (!moves.empty() && passes > 0) add(heaps, passes - 1);
    return moves;
}

constexpr std::array kCodes{"0.77", "0.07", "0.137", "0.6", "4.0", "0.356", "4.07", "0.1"};

TEST(Pass, MovesInOneHeapOrPasses) {
    Followers results = tuple_results(3, 6);
    for (const auto& three : all_tuples(3, 7)) {
        if (std::ranges::is_sorted(three)) {
            results.insert({heap_with({three[0], three[1], three[2], 1})});
        }
    }
    for (const std::string code : kCodes) {
        const auto octal = ruleset_of("octal{" + code + "}");
        const auto moves = [&](std::vector<Number> heap) {
            const Number passes = heap.back();
            heap.pop_back();
            return moves_of(*octal, heap, passes);
        };
        std::vector<Heap> heaps{heap_with({3, 0, 3, 2, 1})};
        for (Number p = 0; p <= 3; ++p) {
            for (Number a = 0; a <= 9; ++a) {
                heaps.push_back(heap_with({a, p}));
                for (Number b = 0; b <= 6; ++b) heaps.push_back(heap_with({a, b, p}));
            }
        }
        expect_by_the_book("pass{" + code + "}", heaps, moves, results);
    }
}

TEST(Pass, NumbersTheMovesOfHugeHeaps) {
    const auto pass = ruleset_of("pass{0.77}");
    const Heap heap = heap_with({5, kMaxNumber, 7});
    const Count count = pass->follower_count(heap);
    expect_numbered(*pass, heap);
    EXPECT_EQ(pass->follower(heap, count - 1), std::vector{heap_with({5, kMaxNumber, 6})});
}

TEST(Pass, WritesMovesAsTuples) {
    EXPECT_EQ(texts_of(game_of("pass{0.77}:(0,3,1)").moves(100)),
              (std::vector<std::string>{"1=(2,1)", "1=(1,1)", "1=(1,1,1)", "1=(3,0)"}));
    EXPECT_EQ(to_string(game_of("pass{0.07}:(2,1)").moves(9).front()), "1=(0,1)");
}

TEST(Pass, RefusesWhatItCannotRead) {
    expect_refused({
        {"pass", 1, "read 'pass', expected parameters in braces after it, such as pass{0.77}"},
        {"pass{0.8}", 8, "read '8', expected a digit 0-7; with more it is a hex{CODE}"},
    });
    EXPECT_EQ(read_game("pass{0.77}:5").error().text,
              "read '5', expected heaps and how many passes they share, such as (5,1) or "
              "(3,4,2)");
}

TEST(Pass, JudgesAMoveAmongMillionsOfHeaps) {
    constexpr Number kCount = 2'000'000;  // pairs of which would take hours
    std::vector<Number> from(kCount), to;
    std::iota(from.begin(), from.end(), 1);
    to = from;
    to.back() = 1;  // removes two from the largest heap, and splits the rest
    to.push_back(kCount - 3);
    std::ranges::sort(to);
    from.push_back(3);  // passes
    to.push_back(3);
    const std::vector<Heap> result{heap_with(to)};
    EXPECT_TRUE(ruleset_of("pass{0.77}")->is_follower(heap_with(from), result));
}

}  // namespace engine::test::pass_test
