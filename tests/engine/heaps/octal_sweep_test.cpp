#include "engine/heaps/octal_sweep.hpp"

#include "engine/rules/game.hpp"

namespace engine::test::octal_sweep_test {

std::vector<std::uint8_t> digits_of(const std::string& code) {
    std::vector<std::uint8_t> digits;
    for (const char c : code) {
        if (c == '.') continue;
        digits.push_back(static_cast<std::uint8_t>(c <= '9' ? c - '0' : c - 'A' + 10));
    }
    return digits;
}

BreakMoves moves_of(const std::string& code) {
    return code == "grundy" ? BreakMoves::of_digits({4}, true)
                            : BreakMoves::of_digits(digits_of(code));
}

// The nimbers of the heaps below `end`, by the definition.
std::vector<std::uint32_t> by_definition(const BreakMoves& moves, std::size_t end) {
    std::vector<std::uint32_t> values;
    for (std::size_t heap = 0; heap < end; ++heap) {
        std::vector<bool> seen(2 * end + 2);
        for (const std::size_t place : moves.to_none) {
            if (place == heap && heap > 0) seen[0] = true;
        }
        for (const std::size_t place : moves.to_one) {
            if (place < heap) seen[values[heap - place]] = true;
        }
        for (const std::size_t place : moves.to_two) {
            for (std::size_t a = 1; a + a + place <= heap; ++a) {
                const std::size_t b = heap - place - a;
                if (!moves.unequal || a != b) seen[values[a] ^ values[b]] = true;
            }
        }
        for (const std::size_t place : moves.to_three) {
            for (std::size_t a = 1; 3 * a + place <= heap; ++a) {
                for (std::size_t b = a; a + 2 * b + place <= heap; ++b) {
                    seen[values[a] ^ values[b] ^ values[heap - place - a - b]] = true;
                }
            }
        }
        values.push_back(
            static_cast<std::uint32_t>(std::ranges::find(seen, false) - seen.begin()));
    }
    return values;
}

std::vector<std::uint32_t> first(OctalSweep& sweep, std::size_t end, std::size_t work) {
    while (sweep.size() < end) {
        if (!sweep.extend(end, work)) throw std::runtime_error("memory is short");
    }
    std::vector<std::uint32_t> values;
    for (std::size_t heap = 0; heap < end; ++heap) values.push_back((*sweep.values())[heap]);
    return values;
}

std::vector<std::uint32_t> first(const std::string& code, std::size_t end, bool sparse = true) {
    OctalSweep sweep(moves_of(code), sparse);
    return first(sweep, end, std::size_t{1} << 30);
}

TEST(OctalSweep, AgreesWithTheDefinitionForAllCodesOfThreeDigits) {
    constexpr std::size_t kHeaps = 70;
    for (unsigned code = 1; code < 2 * 512; ++code) {
        const BreakMoves moves = BreakMoves::of_digits(
            {static_cast<std::uint8_t>(code / 512 * 4),
             static_cast<std::uint8_t>(code / 64 % 8), static_cast<std::uint8_t>(code / 8 % 8),
             static_cast<std::uint8_t>(code % 8)});
        OctalSweep sweep(moves);
        ASSERT_EQ(first(sweep, kHeaps, 1 << 20), by_definition(moves, kHeaps)) << code;
    }
}

TEST(OctalSweep, AgreesWithTheDefinitionForLongCodes) {
    std::mt19937_64 random(1);
    for (int i = 0; i < 200; ++i) {
        std::string code = uniform_below(random, 4) == 0 ? "4." : "0.";
        const Count places = 4 + uniform_below(random, 90);
        for (Count j = 0; j < places; ++j) {
            const bool zero = uniform_below(random, 3) > 0;
            code += zero ? '0' : static_cast<char>('0' + uniform_below(random, 8));
        }
        ASSERT_EQ(first(code, 150), by_definition(moves_of(code), 150)) << code;
    }
}

TEST(OctalSweep, AgreesWithTheDefinitionForLargeHeapsThatDoNotSplit) {
    for (const char* code : {"0.13", "0.3303", "0.0033", "0.30000003"}) {
        ASSERT_EQ(first(code, 4000), by_definition(moves_of(code), 4000)) << code;
    }
}

TEST(OctalSweep, AgreesWithTheDefinitionForHexCodes) {
    std::mt19937_64 random(2);
    for (int i = 0; i < 300; ++i) {
        std::string code{"048C"[uniform_below(random, 4)], '.'};
        const Count places = 1 + uniform_below(random, 5);
        for (Count j = 0; j < places; ++j)
            code += "0123456789ABCDEF"[uniform_below(random, 16)];
        ASSERT_EQ(first(code, 80), by_definition(moves_of(code), 80)) << code;
    }
}

// The codes of theory that have a sparse space, with and without the parity of the heap.
constexpr const char* kSparse[] = {"0.77",  "0.6",   "grundy", "0.104", "0.106", "0.127",
                                   "0.205", "0.007", "0.16",   "0.56",  "4.3",   "4.7",
                                   "0.376", "0.644", "0.0077", "0.165", "4.007", "0.354"};

TEST(OctalSweep, TellsRareFromCommonAsThePlainSweepDoesNot) {
    for (const char* code : kSparse) {
        const auto values = first(code, 9000, false);
        ASSERT_EQ(first(code, 9000), values) << code;
        const auto expected = by_definition(moves_of(code), 300);
        ASSERT_TRUE(std::ranges::equal(expected, std::span(values).first(300))) << code;
    }
}

TEST(OctalSweep, FindsTheSparseSpaces) {
    // The number of rare heaps of all; Kayles has 9.
    OctalSweep kayles(moves_of("0.77"));
    first(kayles, 5000, 1 << 20);
    EXPECT_EQ(kayles.rare().size(), 9u);
    OctalSweep game_106(moves_of("0.106"));
    first(game_106, 9000, 1 << 20);
    EXPECT_EQ(game_106.rare().size(), 15u);
}

TEST(OctalSweep, DoesNotDependOnWhereItPauses) {
    for (const char* code : {"0.6", "grundy", "0.07", "0.F8", "0.106"}) {
        OctalSweep paused(moves_of(code));
        ASSERT_EQ(first(paused, 1500, 50), first(code, 1500)) << code;
    }
}

TEST(OctalSweep, KnowsGrundysGame) {
    // OEIS A002188.
    const std::vector<std::uint32_t> expected{
        0, 0, 0, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 3, 2, 1, 3, 2, 4, 3, 0, 4, 3, 0, 4, 3, 0,
        4, 1, 2, 3, 1, 2, 4, 1, 2, 4, 1, 2, 4, 1, 5, 4, 1, 5, 4, 1, 5, 4, 1, 0, 2, 1, 0};
    EXPECT_EQ(first("grundy", expected.size()), expected);
}

TEST(OctalSweep, KnowsOfficers) {
    const std::vector<std::uint32_t> expected{0, 0, 1, 2, 0, 1, 2, 3, 1, 2, 3, 4,
                                              0, 3, 4, 2, 1, 3, 2, 1, 0, 2, 1, 4};
    EXPECT_EQ(first("0.6", expected.size()), expected);
}

}  // namespace engine::test::octal_sweep_test
