#include "engine/rules/octal.hpp"

#include "tests/engine/follower_listing.hpp"

namespace engine::test::octal_test {

using protocol::kMaxNumber;

std::string code_text(const std::vector<int>& digits) {
    std::string text;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        text += "0123456789ABCDEF"[digits[i]];
        if (i == 0) text += '.';
    }
    return text;
}

// By the definition of Guy and Smith.
Followers followers_by_digits(const std::vector<int>& digits, Number heap) {
    Followers followers;
    for (Number taken = 0; taken < digits.size() && taken <= heap; ++taken) {
        const int digit = digits[taken];
        const Number rest = heap - taken;
        if ((digit & 1) && rest == 0) followers.insert({Heap(Number{0})});
        if ((digit & 2) && rest > 0) followers.insert({Heap(rest)});
        for (Number a = 1; a <= rest; ++a) {
            for (Number b = a; a + b <= rest; ++b) {
                if ((digit & 4) && a + b == rest) followers.insert({Heap(a), Heap(b)});
                const Number c = rest - a - b;
                if ((digit & 8) && c >= b) followers.insert({Heap(a), Heap(b), Heap(c)});
            }
        }
    }
    return followers;
}

std::vector<int> random_digits(std::mt19937_64& random, int most, std::size_t places) {
    std::vector<int> digits{static_cast<int>(random() % 4) * 4 % (most + 1)};
    while (digits.size() <= places) {
        digits.push_back(static_cast<int>(random() % static_cast<unsigned>(most + 1)));
    }
    digits.back() |= 1;
    return digits;
}

TEST(Octal, AllowsWhatTheDigitsSay) {
    std::mt19937_64 random(1);
    const Followers results = number_results(9);
    for (int i = 0; i < 200; ++i) {
        const bool hex = i % 2 == 0;
        const auto digits = random_digits(random, hex ? 15 : 7, 1 + random() % 6);
        const std::string text = (hex ? "hex{" : "octal{") + code_text(digits) + "}";
        const auto moves = [&](const std::vector<Number>& heap) {
            return followers_by_digits(digits, heap[0]);
        };
        expect_by_the_book(text, heaps_with(all_tuples(1, 10)), moves, results);
        expect_by_the_book(text, heaps_with({{15}, {20}, {25}}), moves);
    }
}

TEST(Octal, HasNamesForFamousGames) {
    const std::pair<const char*, const char*> names[] = {
        {"kayles", "octal{0.77}"},        {"dawson-kayles", "octal{0.07}"},
        {"dawson-chess", "octal{0.137}"}, {"treblecross", "octal{0.007}"},
        {"officers", "octal{0.6}"},
    };
    for (const auto& [name, code] : names) {
        const auto& named = dynamic_cast<const Octal&>(*ruleset_of(name));
        EXPECT_EQ(named.code(), dynamic_cast<const Octal&>(*ruleset_of(code)).code()) << name;
    }
}

TEST(Octal, DropsZerosThatMeanNothing) {
    const auto code = [](const char* text) {
        return dynamic_cast<const Octal&>(*ruleset_of(text)).code();
    };
    EXPECT_EQ(code("octal{.77}"), code("octal{0.7700}"));
    EXPECT_EQ(code("octal{0.77}"), code("hex{0.77}"));
    EXPECT_EQ(code("octal{4.000}").digits(), (std::vector<std::uint8_t>{4}));
    EXPECT_EQ(code("hex{.0F}").digits(), (std::vector<std::uint8_t>{0, 0, 15}));
    EXPECT_EQ(code("hex{.0F}").digit(2), 15u);
    EXPECT_EQ(code("hex{.0F}").digit(3), 0u);
}

TEST(Octal, SaysWhatIsWrong) {
    const std::string place = "expected a digit 0-7";
    const std::string more = "; with more it is a hex{CODE}";
    const std::string change = " before the point: a move must change something";
    expect_refused({
        {"octal{}", 7, "read '}', expected a code such as 0.77"},
        {"hex{}", 5, "read '}', expected a code such as 0.8F"},
        {"octal{x.7}", 7, "read 'x', expected a code such as 0.77"},
        {"octal{77}", 7, "read '7', expected 0 or 4" + change},
        {"octal{1.7}", 7, "read '1', expected 0 or 4" + change},
        {"octal{2.7}", 7, "read '2', expected 0 or 4" + change},
        {"octal{3.7}", 7, "read '3', expected 0 or 4" + change},
        {"octal{5.7}", 7, "read '5', expected 0 or 4" + change},
        {"octal{8.7}", 7, "read '8', expected a code such as 0.77"},
        {"hex{D.1}", 5, "read 'D', expected 0, 4, 8 or C" + change},
        {"hex{1.1}", 5, "read '1', expected 0, 4, 8 or C" + change},
        {"octal{0}", 8, "read '}', expected '.' after the first digit"},
        {"octal{00.7}", 8, "read '0', expected '.' after the first digit"},
        {"octal{0.}", 9, "read the end of the code, " + place},
        {"octal{.}", 8, "read the end of the code, " + place},
        {"octal{0.8}", 9, "read '8', " + place + more},
        {"octal{0.78}", 10, "read '8', " + place + more},
        {"octal{0.7.7}", 10, "read '.', " + place + " or the end of the code"},
        {"octal{0.[]}", 10, "read ']', " + place},
        {"octal{0.7[}", 11, "read '}', " + place},
        {"octal{0.[38]}", 11, "read '8', " + place + " or ']'"},
        {"octal{0.[3}", 11, "read '}', " + place + " or ']'"},
        {"octal{0.[3]7}", 12,
         "read '7', expected the end of the code after the digits that repeat"},
        {"octal{0.0[00]}", 7, "read '0.000', expected a code with a digit that is not 0"},
        {"octal{0.[" + std::string(10001, '7') + "]}", 9,
         "read '[', expected at most 10000 digits that repeat"},
        {"0.8", 3, "read '8', " + place + more},
        {".", 2, "read the end of the code, " + place},
        {"hex{0.f}", 7, "read 'f', expected a digit 0-9 or A-F"},
        {"hex{0.1G}", 8, "read 'G', expected a digit 0-9 or A-F or the end of the code"},
        {"octal{0.000}", 7, "read '0.000', expected a code with a digit that is not 0"},
        {"hex{.0}", 5, "read '.0', expected a code with a digit that is not 0"},
        {"octal", 1,
         "read 'octal', expected parameters in braces after it, such as octal{0.77}"},
        {"kayles{}", 7, "read '{', expected kayles without parameters"},
    });
    for (const char* ruleset : {"kayles", "grundy"}) {
        expect_refused_heaps(ruleset, {"(1,2)", "(w)"},
                             "a number: heaps of octal games are numbers");
    }
}

TEST(Octal, NumbersTheMovesOfHugeHeaps) {
    const char* rulesets[] = {"kayles",       "octal{4.107}",    "hex{0.F}",
                              "hex{8.4070F}", "hex{C.0008}",     "octal{0.5[04]}",
                              "hex{4.[8]}",   "hex{8.01[30C72]}"};
    for (const char* text : rulesets) {
        const auto rules = ruleset_of(text);
        for (const Number heap :
             {Number{1000}, Number{3'000'000'017}, kMaxNumber / 7, kMaxNumber}) {
            expect_numbered(*rules, Heap(heap));
        }
    }
}

TEST(Octal, CountsMovesExactlyAndSaturates) {
    const auto count = [](const char* text, Number heap) {
        return ruleset_of(text)->follower_count(Heap(heap));
    };
    EXPECT_EQ(count("kayles", kMaxNumber), 2 + (kMaxNumber - 1) / 2 + (kMaxNumber - 2) / 2);
    EXPECT_EQ(count("octal{4.0}", kMaxNumber), kMaxNumber / 2);
    // Partitions of n into three parts: n^2/12 rounded.
    EXPECT_EQ(count("hex{8.0}", 1'000'000'000), 83'333'333'333'333'333u);
    EXPECT_EQ(count("hex{8.0}", 14'000'000'000), 16'333'333'333'333'333'333u);
    EXPECT_EQ(count("hex{8.0}", 15'000'000'000), kMany);
    EXPECT_EQ(count("hex{8.0}", kMaxNumber), kMany);
    EXPECT_EQ(count("octal{4.77777777}", kMaxNumber), kMany);
}

// A code whose last digits repeat, and the digits that heaps up to `heaps` need.
struct Repeating {
    std::string text;
    std::vector<int> digits;
};

Repeating random_repeating(std::mt19937_64& random, int most, std::size_t heaps) {
    auto digits = random_digits(random, most, random() % 4);
    digits[0] &= ~3;
    const auto cycle = random_digits(random, most, 1 + random() % 7);
    const std::string text = code_text(digits) + '[' + code_text(cycle).substr(2) + ']';
    for (std::size_t i = 0; digits.size() <= heaps; ++i) {
        digits.push_back(cycle[1 + i % (cycle.size() - 1)]);
    }
    return {text, digits};
}

TEST(Octal, RepeatsDigitsForEver) {
    std::mt19937_64 random(4);
    const Followers results = number_results(9);
    for (int i = 0; i < 80; ++i) {
        const bool hex = i % 2 == 0;
        const Repeating code = random_repeating(random, hex ? 15 : 7, 60);
        const std::string text = (hex ? "hex{" : "octal{") + code.text + "}";
        const auto moves = [&](const std::vector<Number>& heap) {
            return followers_by_digits(code.digits, heap[0]);
        };
        expect_by_the_book(text, heaps_with(all_tuples(1, 8)), moves, results);
        for (const Number heap : {13, 19, 26, 60}) {
            expect_followers(*ruleset_of(text), Heap(heap), moves({heap}));
        }
    }
}

TEST(Octal, IsNimOrLaskersNimWhereEveryDigitIsThree) {
    for (const auto& [code, same_as] :
         {std::pair{"octal{0.[3]}", "nim"}, {"octal{4.3[33]}", "lasker"}}) {
        const auto rules = ruleset_of(code);
        const auto other = ruleset_of(same_as);
        for (const Number heap : {Number{17}, Number{1} << 40, kMaxNumber}) {
            EXPECT_EQ(rules->follower_count(Heap(heap)), other->follower_count(Heap(heap)));
        }
    }
}

TEST(Octal, LaskersNimTakesOrSplits) {
    const auto moves_of = [](const std::vector<Number>& heap) {
        Followers moves;
        for (Number left = 0; left < heap[0]; ++left) moves.insert({Heap(left)});
        for (Number part = 1; 2 * part <= heap[0]; ++part) {
            moves.insert({Heap(part), Heap(heap[0] - part)});
        }
        return moves;
    };
    expect_by_the_book("lasker", heaps_with(all_tuples(1, 12)), moves_of, number_results(13));
    EXPECT_EQ(ruleset_of("lasker")->follower_count(Heap(kMaxNumber)),
              kMaxNumber + kMaxNumber / 2);
    expect_refused({{"lasker{2}", 7, "read '{', expected lasker without parameters"}});
}

TEST(Octal, GrundysGameSplitsIntoUnequalHeaps) {
    const auto moves_of = [](const std::vector<Number>& heap) {
        Followers moves;
        for (Number less = 1; 2 * less < heap[0]; ++less) {
            moves.insert({Heap(less), Heap(heap[0] - less)});
        }
        return moves;
    };
    Followers results = number_results(13);
    results.insert({Heap(Number{1}), heap_of("(w)")});
    expect_by_the_book("grundy", heaps_with(all_tuples(1, 12)), moves_of, results);
}

TEST(Octal, NumbersTheMovesOfHugeHeapsOfGrundysGame) {
    const auto rules = ruleset_of("grundy");
    const Ruleset& grundy = *rules;
    for (const Number size : {kMaxNumber, kMaxNumber - 1}) {
        EXPECT_EQ(grundy.follower_count(Heap(size)), (size - 1) / 2);
        expect_numbered(grundy, Heap(size));
        const auto halves = std::vector{Heap(size / 2), Heap(size - size / 2)};
        EXPECT_EQ(grundy.is_follower(Heap(size), halves), size % 2 == 1);
    }
}

// Even with long codes, each move takes few steps.
TEST(Octal, ListsTheMovesOfLongCodes) {
    std::mt19937_64 random(3);
    for (const char* digits : {"0000000000", "3517000246"}) {
        std::string text = "octal{4.";
        std::vector<int> places{4};
        for (int i = 0; i < 400; ++i) {
            text += digits;
            for (int j = 0; j < 10; ++j) places.push_back(digits[j] - '0');
        }
        places.back() |= 5;
        text += "5}";
        places.push_back(5);
        const auto rules = ruleset_of(text);
        for (const Number heap : {1, 7, 450, 700}) {
            expect_followers(*rules, Heap(heap), followers_by_digits(places, heap));
        }
        const Count count = rules->follower_count(Heap(Number{5000}));
        for (int i = 0; i < 1000; ++i) {
            EXPECT_TRUE(rules->is_follower(
                Heap(Number{5000}), rules->follower(Heap(Number{5000}), random() % count)));
        }
    }
}

}  // namespace engine::test::octal_test
