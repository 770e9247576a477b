#include "engine/heaps/solvers.hpp"

#include "engine/heaps/break_moves.hpp"
#include "tests/engine/follower_listing.hpp"
#include "tests/engine/little_memory.hpp"

namespace engine::test::repeating_solver_test {

using Digits = std::vector<std::uint8_t>;

std::string text_of(const Digits& digits, std::size_t repeated) {
    std::string text = "hex{";
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i == digits.size() - repeated) text += '[';
        text += "0123456789ABCDEF"[digits[i]];
        if (i == 0) text += '.';
    }
    return text + "]}";
}

struct Code {
    Digits digits;
    std::size_t repeated;
};

Code random_code(std::mt19937_64& random, unsigned most) {
    Code code{{static_cast<std::uint8_t>(random() % 4 * 4 & most)}, 1 + random() % 5};
    for (std::size_t places = random() % 3 + code.repeated; places > 0; --places) {
        code.digits.push_back(static_cast<std::uint8_t>(random() % (most + 1)));
    }
    code.digits.back() |= 2;
    return code;
}

std::shared_ptr<const HeapSolver> solver_of(const Code& code) {
    return make_repeating_solver(ruleset_of(text_of(code.digits, code.repeated)),
                                 shape::TakeAndBreak{code.digits, false, code.repeated});
}

// The same code written out, as far as the heaps reach.
std::shared_ptr<const HeapSolver> written_out(Code code, std::size_t heaps) {
    for (std::size_t i = code.digits.size(); i <= heaps; ++i) {
        code.digits.push_back(code.digits[i - code.repeated]);
    }
    return make_octal_solver(BreakMoves::of_digits(code.digits));
}

TEST(RepeatingSolver, AgreesWithTheCodeWrittenOut) {
    std::mt19937_64 random(1);
    for (int i = 0; i < 60; ++i) {
        const Code code = random_code(random, i % 3 == 0 ? 15 : 7);
        const Number heaps = i % 3 == 0 ? 70 : 400;
        SCOPED_TRACE(text_of(code.digits, code.repeated));
        const auto solver = solver_of(code);
        const auto expected = written_out(code, heaps);
        for (Number heap = 0; heap <= heaps; ++heap) {
            ASSERT_EQ(solver->nimber(Heap(heap), {}), expected->nimber(Heap(heap), {})) << heap;
        }
    }
}

TEST(RepeatingSolver, KnowsThatSplitsDoNotChangeNim) {
    for (const Code& code : {Code{{0, 7}, 1}, Code{{0, 3, 7}, 2}, Code{{0, 15, 3}, 2}}) {
        const auto solver = solver_of(code);
        const auto expected = written_out(code, 60);
        for (Number heap = 0; heap <= 60; ++heap) {
            EXPECT_EQ(solver->nimber(Heap(heap), {}), finite(heap));
            EXPECT_EQ(expected->nimber(Heap(heap), {}), finite(heap));
        }
        const Heap largest(protocol::kMaxNumber);
        const Nimber all = finite(protocol::kMaxNumber);
        EXPECT_EQ(solver->nimber(largest, {}), all);
        EXPECT_EQ(solver->find_follower(largest, finite(5), Budget::spent()),
                  std::vector{Heap(Number{5})});
        EXPECT_FALSE(solver->find_follower(largest, all, Budget::spent()));
        EXPECT_TRUE(solver->count_followers(largest, all, Budget::spent()).complete);
    }
}

TEST(RepeatingSolver, FindsTheFollowersOfANimber) {
    for (const Code& code : {Code{{0, 3, 7}, 2}, Code{{0, 15, 3}, 2}, Code{{0, 2, 7}, 1}}) {
        const auto rules = ruleset_of(text_of(code.digits, code.repeated));
        Mex mex(*rules);
        for (Number heap = 0; heap <= 14; ++heap)
            expect_solved(*rules, *solver_of(code), Heap(heap), mex);
    }
}

TEST(RepeatingSolver, LeavesHugeHeapsUnknown) {
    const auto solver = solver_of({{0, 8, 3}, 1});
    EXPECT_TRUE(solver->nimber(Heap(Number{1000}), {}));
    const Budget budget{std::chrono::steady_clock::now() + std::chrono::milliseconds(50), {}};
    EXPECT_FALSE(solver->nimber(Heap(protocol::kMaxNumber), budget));
    EXPECT_FALSE(solver->law(1000, {}));
}

TEST(RepeatingSolver, GoesOnOnceThereIsMemory) {
    const Code code{{0, 1, 7}, 2};
    const auto expected = written_out(code, 300);
    for (const std::size_t room : {0, 200, 1500}) {
        auto memory = std::make_unique<LittleMemory>(room);
        const auto solver = solver_of(code);
        ASSERT_EQ(solver->nimber(Heap(Number{300}), {}), std::nullopt) << room;
        memory.reset();
        for (Number heap = 0; heap <= 300; ++heap) {
            ASSERT_EQ(solver->nimber(Heap(heap), {}), expected->nimber(Heap(heap), {})) << heap;
        }
    }
}

TEST(RepeatingSolver, IsAFormulaWhereEveryDigitIsThree) {
    for (const auto& [text, same_as] :
         {std::pair{"octal{0.[3]}", "nim"}, {"octal{4.3[3]}", "lasker"}}) {
        const auto solver = test::solver_of(text);
        const auto other = test::solver_of(same_as);
        for (const Number heap : {Number{0}, Number{3}, Number{1000}, protocol::kMaxNumber}) {
            EXPECT_EQ(solver->nimber(Heap(heap), {}), other->nimber(Heap(heap), {}));
        }
    }
}

}  // namespace engine::test::repeating_solver_test
