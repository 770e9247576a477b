#include "engine/rules/formula/formula_ruleset.hpp"

#include <bit>

#include <fmt/format.h>

#include "engine/rules/entries.hpp"
#include "tests/agreement/positions.hpp"
#include "tests/engine/follower_listing.hpp"
#include "tests/engine/rules/formula_trees.hpp"
#include "tests/harness/patience.hpp"

namespace engine::test::rules_test {

std::shared_ptr<const UserRules> rules_of(const std::string& text) {
    return std::dynamic_pointer_cast<const UserRules>(ruleset_of(text));
}

Followers listed(const Ruleset& rules, const Heap& heap) {
    Followers followers;
    const Count count = rules.follower_count(heap);
    for (Count i = 0; i < count; ++i) followers.insert(rules.follower(heap, i));
    EXPECT_EQ(followers.size(), count) << "a follower is listed twice";
    return followers;
}

Followers visited(const UserRules& rules, const Heap& heap, bool by_ranges) {
    Followers followers;
    const auto add_range = [&](Number first, Number last) {
        for (Number left = first; left <= last; ++left) followers.insert({Heap(left)});
        return true;
    };
    const rules::VisitMoves add_block = [&](const rules::MoveBlock& block) {
        for (std::size_t i = 0; i < block.count; ++i) {
            std::vector<Heap> result;
            for (std::size_t j = 0; j < block.heaps; ++j) {
                result.push_back(
                    heap_with(block.row(i).subspan(j * block.entries, block.entries)));
            }
            followers.insert(result);
        }
        return true;
    };
    rules.visit_moves(entries_of(heap), add_block,
                      by_ranges ? rules::VisitRange(add_range) : rules::VisitRange());
    return followers;
}

// Moves that are visited are the same as those listed; the visitor may stop early.
void expect_same_followers(const UserRules& rules, const Heap& heap,
                           const Followers& expected) {
    const auto followers = rules.followers(heap, [](std::size_t) { return false; });
    ASSERT_TRUE(followers);
    Followers found;
    for (Count i = 0; i < followers->count; ++i) found.insert(followers->at(i));
    EXPECT_EQ(found, expected) << to_string(heap);
    EXPECT_EQ(found.size(), followers->count);
    const auto some = rules.some_followers(heap, 2);
    EXPECT_EQ(some.empty(), expected.empty());
    EXPECT_LE(some.size(), 2u);
    for (const auto& result : some) EXPECT_TRUE(expected.contains(result));
}

void compare(const UserRules& rules, const TreeRules& tree, const std::vector<Number>& entries,
             RandomRules& random) {
    const Heap heap = heap_with(entries);
    ASSERT_TRUE(rules.check_heap(heap));
    const Followers expected = tree.followers(entries);
    ASSERT_EQ(listed(rules, heap), expected) << to_string(heap);
    ASSERT_EQ(visited(rules, heap, false), expected) << to_string(heap);
    ASSERT_EQ(visited(rules, heap, true), expected) << to_string(heap);
    expect_same_followers(rules, heap, expected);
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
    for (int i = 0; i < ::test::tries(600); ++i) {
        const std::size_t entries = 1 + random.below(3);
        const TreeRules tree = random.draw(entries);
        const std::string text = tree.text(random.random());
        SCOPED_TRACE(text);
        const auto rules = rules_of(text);
        const Number last = entries == 1 ? 9 : entries == 2 ? 3 : 2;
        for (const auto& heap : all_tuples(entries, last)) {
            compare(*rules, tree, heap, random);
            moves += tree.followers(heap).size();
        }
        if (HasFatalFailure()) return;
    }
    EXPECT_GT(moves, 9600U / ::test::kShare) << "hardly a random ruleset has moves";
}

// ---- text ----

TEST(RulesText, SaysWhatIsWrong) {
    const std::string atom =
        "expected a number, a variable, gcd(…), min(…), max(…), xor(…) or '('";
    const std::string comparison = "expected an operator or a comparison: = != < <= > >=";
    const std::string clause = "expected a clause such as n->n-1 or stop:n=1";
    const std::string functions = "expected one of the functions gcd, min, max, xor";
    const std::string end = "expected an operator, ',', ':', ';' or '}'";
    const std::string condition_end = "expected an operator, ';' or '}'";
    const std::string no_number = "expected '&', '|' or the end: a comparison is not a number";
    const std::string new_variable = "expected a variable that the pattern does not have yet";
    expect_refused({
        {"rules{}", 7, "read '}', " + clause},
        {"rules{;n->n-1}", 7, "read ';', " + clause},
        {"rules{n->n-1;}", 14, "read '}', " + clause},
        {"rules{N->N-1}", 7, "read 'N', " + clause},
        {"rules{1->0}", 7, "read '1', " + clause},
        {"rules{stop:1=1}", 15, "read '}', expected a clause with a move, such as ;n->n-1"},
        {"rules{stop}", 11, "read '}', expected ':' after stop"},
        {"rules{stop->1}", 11, "read '-', expected ':' after stop"},
        {"rules{n}", 8, "read '}', expected '->' after the pattern"},
        {"rules{n=1}", 8, "read '=', expected '->' after the pattern"},
        {"rules{n-1}", 9, "read '1', expected '>' of '->'"},
        {"rules{n->}", 10, "read '}', " + atom},
        {"rules{n->-1}", 10, "read '-', " + atom},
        {"rules{n->N}", 10, "read 'N', " + atom},
        {"rules{n->n-1,}", 14, "read '}', " + atom},
        {"rules{n->n+}", 12, "read '}', " + atom},
        {"rules{n->n*/2}", 12, "read '/', " + atom},
        {"rules{n->2n}", 11, "read 'n', " + end},
        {"rules{n->n(1)}", 10, "read 'n', " + functions},
        {"rules{n->n-1:lcm(n,2)=1}", 14, "read 'lcm', " + functions},
        {"rules{n->stop(1,2)}", 10, "read 'stop', " + functions},
        {"rules{n->gcd}", 13, "read '}', expected '(' after gcd"},
        {"rules{n->gcd+1}", 13, "read '+', expected '(' after gcd"},
        {"rules{n->gcd(n)}", 15, "read ')', expected an operator or ','"},
        {"rules{n->gcd(n,1,2)}", 17, "read ',', expected an operator or ')'"},
        {"rules{n->xor()}", 14, "read ')', " + atom},
        {"rules{n->n-stop}", 12, "read 'stop', expected a variable, not the word stop"},
        {"rules{min->1}", 7, "read 'min', expected a variable, not a function"},
        {"rules{(a,max)->(a,1)}", 10, "read 'max', expected a variable, not a function"},
        {"rules{(a,stop)->(a,1)}", 10, "read 'stop', expected a variable, not the word stop"},
        {"rules{(a,a)->(a,1)}", 10, "read 'a', " + new_variable},
        {"rules{(a)->(a)}", 9, "read ')', expected ',': a tuple has two entries or more"},
        {"rules{(a,)->(a,1)}", 10, "read ')', expected a variable"},
        {"rules{(a,1)->(a,1)}", 10, "read '1', expected a variable"},
        {"rules{(a,b->(a,1)}", 11, "read '-', expected ',' or ')'"},
        {"rules{(a,b)->a}", 14,
         "read 'a', expected '(': a result has 2 entries, as the first "
         "pattern has"},
        {"rules{(a,b)->(a)}", 16,
         "read ')', expected an operator or ',': a result has 2 entries, "
         "as the first pattern has"},
        {"rules{(a,b)->(a,b,1)}", 18,
         "read ',', expected an operator or ')': a result has 2 "
         "entries, as the first pattern has"},
        {"rules{(a,b)->(a,b),a}", 20,
         "read 'a', expected '(': a result has 2 entries, as the first "
         "pattern has"},
        {"rules{(a,b)->(a,b)+1}", 19, "read '+', expected ',', ':', ';' or '}'"},
        {"rules{n->(n,1)}", 12, "read ',', expected an operator or ')'"},
        {"rules{n->n-1;(a,b)->(a,1)}", 14,
         "read '(', expected a pattern of one number, as the first pattern has"},
        {"rules{(a,b)->(a,1);n->n-1}", 20,
         "read 'n', expected a pattern of 2 entries, as the first pattern has"},
        {"rules{n->n-1:}", 14, "read '}', " + atom},
        {"rules{n->n-1:n}", 15, "read '}', " + comparison},
        {"rules{n->n-1:n&n=1}", 15, "read '&', " + comparison},
        {"rules{n->n-1:n=1|n}", 19, "read '}', " + comparison},
        {"rules{n->n-1:!n}", 16, "read '}', " + comparison},
        {"rules{n->n-1:(n)}", 17, "read '}', " + comparison},
        {"rules{n->n-1:(n&n=1)}", 16, "read '&', " + comparison},
        {"rules{n->n-1:n==1}", 16, "read '=', expected a single '=': equality is written a=b"},
        {"rules{n->n-k**2}", 14, "read '*', expected a factor: a square is written k*k"},
        {"rules{n->n-1:n=1||n=2}", 18,
         "read '|', expected a single '|': one of the conditions is written a|b"},
        {"rules{n->n-1:n=1=1}", 17, "read '=', " + no_number},
        {"rules{n->n-1:0<n<9}", 17, "read '<', " + no_number},
        {"rules{n->n-1:(0<n)=1}", 19, "read '=', " + no_number},
        {"rules{n->n-1:(0<n)+1=1}", 19, "read '+', " + no_number},
        {"rules{n->n-1:1+(0<n)=1}", 18, "read '<', expected an operator or ')'"},
        {"rules{n->n-1:(n=1}", 18, "read '}', expected '&', '|' or ')'"},
        {"rules{n->n-1:(n}", 16, "read '}', expected an operator, a comparison or ')'"},
        {"rules{n->n-1:n=1)}", 17, "read ')', " + condition_end},
        {"rules{n->n-1:n=1&}", 18, "read '}', " + atom},
        {"rules{n->n-1:n=1&&n=2}", 18,
         "read '&', expected a single '&': both conditions are written a&b"},
        {"rules{n->n-1:n=1,n-2}", 17, "read ',', " + condition_end},
        {"rules{n->n-1:n=1:n=2}", 17, "read ':', " + condition_end},
        {"rules{n->n-1)}", 13, "read ')', " + end},
        {"rules{n->[]n}", 11, "read ']', expected a variable"},
        {"rules{n->[n=1..2]n}", 11,
         "read 'n', expected a variable that the clause does not have yet"},
        {"rules{n->[i-1..2]n}", 12, "read '-', expected '=' after the variable"},
        {"rules{n->[i=1,2]n}", 14, "read ',', expected an operator or '..'"},
        {"rules{n->[i=1.2]n}", 15, "read '2', expected an operator or '..'"},
        {"rules{n->[i=1..2,n}", 17, "read ',', expected an operator or ']'"},
        {"rules{n->[i=1..2]}", 18, "read '}', " + atom},
        {"rules{n->[i=1..i]n}", 16,
         "read 'i', expected another variable: one of [ ] belongs to the result after it"},
        {"rules{n->[i=1..2]i:i<n}", 20,
         "read 'i', expected another variable: one of [ ] belongs to the result after it"},
        {"rules{(a,b)->[i=1..2]i}", 22,
         "read 'i', expected '(': a result has 2 entries, as the first pattern has"},
        {"rules{n->9223372036854775808}", 10,
         "read '9223372036854775808', expected a number up to 9223372036854775807"},
    });
}

std::string repeated(const std::string& text, std::size_t count) {
    std::string all;
    for (std::size_t i = 0; i < count; ++i) all += text;
    return all;
}

TEST(RulesText, MayNestAHundredDeep) {
    struct Case {
        std::string open, inside, close;
        std::size_t place;  // of the first too many in "open"
    };
    const Case cases[] = {
        {"(", "n", ")=n", 0},   {"(", "n=n", ")", 0},       {"!", "n=n", "", 0},
        {"1+(", "n", ")>0", 2}, {"gcd(n,", "n", ")<=n", 3},
    };
    for (const auto& [open, inside, close, place] : cases) {
        const std::string shut = close.substr(0, close.find_first_not_of(')'));
        const std::string rest = close.substr(shut.size());
        const auto text = [&](std::size_t depth) {
            return "rules{n->n-1:" + repeated(open, depth) + inside + repeated(shut, depth) +
                   rest + '}';
        };
        EXPECT_TRUE(rules_of(text(100))->has_move(Heap(Number{1}))) << open;
        const auto found = find_ruleset({text(101)});
        ASSERT_FALSE(found) << open;
        EXPECT_EQ(found.error().column, 14 + 100 * open.size() + place);
        EXPECT_TRUE(found.error().text.ends_with("expected nesting at most 100 deep"));
    }
    // Brackets that stand side by side do not nest.
    EXPECT_TRUE(find_ruleset({"rules{n->n-1:" + repeated("(n=n)&", 500) + "n=n}"}));
}

TEST(RulesText, MayBeLong) {
    const Heap five(Number{5});
    const std::string sum = "rules{n->n-1:n" + repeated("+n", 100000) + "=500005}";
    EXPECT_TRUE(rules_of(sum)->has_move(five));
    const std::string product = "rules{n->n-1:n" + repeated("*n", 100000) + "=1}";
    EXPECT_FALSE(rules_of(product)->has_move(five));
    const std::string all = "rules{n->n-1:n>0" + repeated("&n>0", 100000) + '}';
    EXPECT_TRUE(rules_of(all)->has_move(five));
    const std::string any = "rules{n->n-1:n=0" + repeated("|n=0", 100000) + '}';
    EXPECT_FALSE(rules_of(any)->has_move(five));
    const std::string clauses = "rules{n->n-1" + repeated(";n->n-1", 50000) + '}';
    EXPECT_EQ(rules_of(clauses)->follower_count(five), 1U);
    std::string variables = "rules{n->n:n=0";
    for (int i = 0; i < 30000; ++i) variables += "&x" + std::to_string(i) + "=n";
    EXPECT_TRUE(rules_of(variables + '}')->has_move(Heap(Number{0})));
    EXPECT_FALSE(rules_of(variables + '}')->check_heap(Heap(Number{1})));
    EXPECT_EQ(rules_of("rules{n->n" + repeated(",n", 100000) + '}')->follower(five, 0).size(),
              100001U);
}

// The clauses `stop` share the slots of the pattern after them.
TEST(RulesText, MayHaveManyClausesBeforeALongPattern) {
    std::string pattern = "v0";
    for (int i = 1; i < 20000; ++i) pattern += ",v" + std::to_string(i);
    const auto read =
        find_ruleset({"rules{" + repeated("stop:v1=2;", 20000) + '(' + pattern + ")->v0}"});
    ASSERT_FALSE(read);
    EXPECT_THAT(read.error().text, testing::HasSubstr("a result has 20000 entries"));
}

// ---- what the specification gives as examples ----

TEST(RulesExamples, AreTheGamesTheyAreSaidToBe) {
    struct Case {
        std::string text;
        std::string same_as;
        Number last;
    };
    const Case cases[] = {
        {"rules{n->x,n-x:0<x&x<n-x}", "grundy", 40},
        {"rules{(a,b)->(a-k,b):k>=1;(a,b)->(a,b-k):k>=1;(a,b)->(a-k,b-k):k>=1}", "wythoff", 7},
        {"rules{n->n-k:k>=1}", "nim", 30},
        {"rules{n->n-1;n->n-3;n->n-4}", "take{1,3,4}", 30},
    };
    for (const auto& [text, same_as, last] : cases) {
        const auto rules = rules_of(text);
        const auto same = *find_ruleset({same_as});
        for (const auto& entries : all_tuples(rules->entries(), last)) {
            const Heap heap = heap_with(entries);
            Followers expected;
            for (auto result : listed(*same, heap)) {
                if (same_as == "wythoff" && is_zero(result.front()))
                    result = {heap_with({0, 0})};
                expected.insert(result);
            }
            ASSERT_EQ(listed(*rules, heap), expected) << text << ' ' << to_string(heap);
        }
    }
}

TEST(RulesExamples, TakeAProperDivisor) {
    const auto rules = rules_of("rules{n->n-k:k>=1&n%k=0&k<n}");
    EXPECT_EQ(listed(*rules, Heap(Number{12})), (Followers{{Heap(Number{6})},
                                                           {Heap(Number{8})},
                                                           {Heap(Number{9})},
                                                           {Heap(Number{10})},
                                                           {Heap(Number{11})}}));
    EXPECT_FALSE(rules->has_move(Heap(Number{1})));
    EXPECT_EQ(rules->follower_count(Heap(Number{9999990})), 255U);
    const auto nimbers = nimbers_by_mex(*rules, 64);
    for (Number heap = 1; heap <= 64; ++heap) {
        EXPECT_EQ(nimbers[heap], static_cast<Number>(std::countr_zero(heap))) << heap;
    }
}

TEST(RulesExamples, StopWhereTheTextSaysSo) {
    const auto rules =
        rules_of("rules{(a,b,c)->(a-k,b,c):k>=1&a%k=0;(a,b,c)->(a,b-1,c-1);stop:a+b+c<=1}");
    const auto tuple = [&](Number a, Number b, Number c) { return heap_with({a, b, c}); };
    EXPECT_FALSE(rules->has_move(tuple(1, 0, 0)));
    EXPECT_FALSE(rules->is_follower(tuple(1, 0, 0), {{tuple(0, 0, 0)}}));
    EXPECT_EQ(listed(*rules, tuple(2, 1, 1)),
              (Followers{{tuple(0, 1, 1)}, {tuple(1, 1, 1)}, {tuple(2, 0, 0)}}));
    EXPECT_FALSE(rules->can_repeat());
}

// ---- arithmetic ----

bool holds(const std::string& condition, Number heap = 7) {
    return rules_of("rules{n->0:" + condition + '}')->has_move(Heap(heap));
}

TEST(RulesArithmetic, IsThatOfPython) {
    const std::string most = "9223372036854775807";
    const std::string least = "(0-9223372036854775807-1)";
    const std::string held[] = {
        "(0-7)/2=0-4",
        "(0-7)%2=1",
        "7/(0-2)=0-4",
        "7%(0-2)=0-1",
        "(0-7)/(0-2)=3",
        "(0-7)%(0-2)=0-1",
        "0%(0-5)=0",
        "(0-6)/3=0-2",
        "(0-6)%3=0",
        "2+3*4-5=9",
        "20-5-3=12",
        "100/5/2=10",
        "100/5*2=40",
        "17%10%4=3",
        "2*3%4=2",
        "gcd(0-12,18)=6",
        "gcd(0,0)=0",
        "gcd(0,0-5)=5",
        "xor(6,3)=5",
        "xor(0-1,5)=0-6",
        "xor(0-4,0-7)=5",
        "min(0-3,2)=0-3",
        "max(0-3,2)=2",
        "0007=7",
        most + "/(0-1)=0-" + most,
        least + "%(0-1)=0",
        least + "/1=" + least,
        least + "%" + most + "=" + most + "-1",
        "xor(" + least + "," + most + ")=0-1",
        most + "*(0-1)=0-" + most,
        "gcd(" + least + ",6)=2",
        "min(" + least + ",0)+1=0-" + most,
        "!(1=2)",
        "!!(1=1)",
        "!(1=1&1=2)",
        "!1=2",
        "1=1|1=2&1=3",
        "!1=1|1=1",
        "(1=2|1=1)&1=1",
        "((n))=7",
        "(n+1)*2=16",
        "((n=7))",
        "(n)*(n)=49",
    };
    for (const std::string& condition : held) {
        EXPECT_TRUE(holds(condition)) << condition;
    }
    // Neither they nor their negations hold: they fail.
    const std::string failed[] = {
        "n/0=0",
        "n%0=0",
        most + "+1>0",
        least + "-1<0",
        "4611686018427387904*2>0",
        "3037000500*3037000500>0",
        least + "/(0-1)>0",
        "0-1*" + least + ">0",
        "gcd(" + least + ",0)>0",
        "gcd(" + least + "," + least + ")>0",
        "0*(n/0)=0",
        "1/(n-7)=1|1=1",
        "1=1&n/0=0",
        "n/0=0|1=1",
    };
    for (const std::string& condition : failed) {
        EXPECT_FALSE(holds(condition)) << condition;
        EXPECT_FALSE(holds("!(" + condition + ")")) << condition;
    }
    // The right side is skipped where the left decides.
    for (const char* condition : {"1=1|n/0=0", "!(1=2&n/0=0)", "n!=0&7/n=1", "n=0|7/n=1",
                                  "(1=2&n/0=0)|n=7", "(1=1|n%0=0)&n=7"}) {
        EXPECT_TRUE(holds(condition)) << condition;
    }
}

TEST(RulesArithmetic, GuardsEachBindingOfItsOwn) {
    // k=0 divides by zero in an "or" that other bindings pass.
    const auto rules = rules_of("rules{n->k:k=3|n/k=2|k=0}");
    EXPECT_EQ(listed(*rules, Heap(Number{8})),
              (Followers{{Heap(Number{3})}, {Heap(Number{4})}}));
    EXPECT_EQ(listed(*rules, Heap(Number{8})), visited(*rules, Heap(Number{8}), false));
    // A result that fails or is negative is no move.
    EXPECT_EQ(listed(*rules_of("rules{n->n/k}"), Heap(Number{3})),
              (Followers{{Heap(Number{1})}, {Heap(Number{3})}}));
    EXPECT_EQ(
        listed(*rules_of("rules{n->n-2*k,k}"), Heap(Number{3})),
        (Followers{{Heap(Number{0}), Heap(Number{3})}, {Heap(Number{1}), Heap(Number{1})}}));
    EXPECT_FALSE(rules_of("rules{n->n+1}")->has_move(Heap(protocol::kMaxNumber)));
    EXPECT_TRUE(
        rules_of("rules{n->n-1}")
            ->is_follower(Heap(protocol::kMaxNumber), {{Heap(protocol::kMaxNumber - 1)}}));
    // A failed value counts as 0 until it is dropped: that must not overflow.
    EXPECT_EQ(
        listed(*rules_of("rules{n->k:10/k-9223372036854775807-2<0}"), Heap(Number{5})).size(),
        5U);
    // If stop fails, it is not true.
    EXPECT_TRUE(rules_of("rules{stop:1/n=0;n->0}")->has_move(Heap(Number{0})));
    EXPECT_FALSE(rules_of("rules{stop:1/n=0;n->0}")->has_move(Heap(Number{2})));
}

TEST(RulesArithmetic, LooksForOverflowWhereHeapsAreLarge) {
    const auto rules = rules_of("rules{(a,b)->(a*b,k):k<3&a*b>0}");
    const Number root = 3037000499;  // root * root is just below 2^63
    const auto heap = [&](Number a, Number b) { return heap_with({a, b}); };
    const auto fixed = rules_of("rules{(a,b)->(a*b,1):a*b>0}");
    EXPECT_TRUE(fixed->has_move(heap(root, root)));
    EXPECT_FALSE(fixed->has_move(heap(root + 1, root + 1)));
    EXPECT_TRUE(fixed->is_follower(heap(root, root), {{heap(root * root, 1)}}));
    const auto cube = rules_of("rules{n->n-k:k*k*k*k*k*k*k*k*k*k>0&k<=9}");
    EXPECT_EQ(cube->follower_count(Heap(Number{9000000})), 9U);
    const auto grown = rules_of("rules{n->n-k:k*k*k*k*k*k*k*k*k*k>0}");
    EXPECT_EQ(grown->follower_count(Heap(Number{1000})), 78U);  // 78^10 < 2^63 < 79^10
}

// ---- size ----

TEST(RulesSize, IsLimitedByBindings) {
    const auto one = rules_of("rules{n->n-k:k>=1}");
    EXPECT_TRUE(one->check_heap(Heap(Number{9999999})));
    EXPECT_EQ(
        one->check_heap(Heap(Number{10000000})).error().text,
        "read '10000000', expected a heap with at most 10000000 bindings a clause: clause 1 "
        "has 10000001^1");
    EXPECT_FALSE(one->check_heap(Heap(protocol::kMaxNumber)));
    const auto two = rules_of("rules{(a,b)->(a-1,b);(a,b)->(x,y):x<a}");
    EXPECT_TRUE(two->check_heap(heap_with({3161, 5})));
    EXPECT_EQ(
        two->check_heap(heap_with({5, 3162})).error().text,
        "read '(5,3162)', expected a heap with at most 10000000 bindings a clause: clause 2 "
        "has 3163^2");
    EXPECT_TRUE(rules_of("rules{n->n-1}")->check_heap(Heap(protocol::kMaxNumber)));
    const std::string many = "rules{n->k" + repeated(",k", 9) + '}';
    EXPECT_EQ(
        rules_of(many)->check_heap(Heap(Number{7000000})).error().text,
        "read '7000000', expected a heap with at most 67108864 entries in the results of all "
        "its bindings, not 70000010");
    const auto series = rules_of("rules{n->[i=1..n]n-i,[j=1..n]n-j:n>5}");
    EXPECT_TRUE(series->check_heap(Heap(Number{1000000})));
    for (const Number large : {Number{1} << 20, protocol::kMaxNumber}) {
        EXPECT_EQ(
            series->check_heap(Heap(large)).error().text,
            fmt::format("read '{}', expected numbers below 1048576, since a move of clause "
                        "1 may leave that many heaps",
                        large));
    }
    EXPECT_EQ(one->check_heap(heap_with({1, 2})).error().text,
              "read '(1,2)', expected a number, as the ruleset's first pattern is");
    EXPECT_EQ(two->check_heap(Heap(Number{5})).error().text,
              "read '5', expected a tuple of 2 entries, as the ruleset's first pattern has");
    EXPECT_FALSE(two->check_heap(heap_with({1, 2, 3})));
    EXPECT_FALSE(one->check_heap(Heap(protocol::Ordinal{{{1, 1}}})));
}

TEST(RulesSize, IsRefusedByGamesAsAWhole) {
    EXPECT_TRUE(read_game("rules{n->n-k:k>=1}:9999999,9999999"));
    EXPECT_TRUE(read_game("rules{n->n-k:gcd(n,k)=1&k>=1}:9999999"));
    std::string heaps = "rules{n->n-k:gcd(n,k)=1&k>=1}:9999999";
    for (int i = 1; i < 30; ++i) heaps += ",9999999";
    const auto refused = read_game(heaps);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().column, 39U);
    EXPECT_TRUE(
        refused.error().text.starts_with("read '9999999', expected fewer or smaller heaps"));
}

TEST(RulesSize, MayGrowBeyondTheLimit) {
    const std::string text = "rules{n->n*1000:n>0;n->n-k:k>0}";
    Game game = game_of(text + ":9000,5");
    const auto move = game.read_move("1=9000000");
    ASSERT_TRUE(move);
    game.play(*move);
    EXPECT_TRUE(game.check_limits());
    const auto beyond = game.read_move("1=9000000000");
    ASSERT_TRUE(beyond) << beyond.error().text;
    game.play(*beyond);
    EXPECT_EQ(game.end(), End::None);
    EXPECT_EQ(
        game.check_limits().error().text,
        "read '9000000000', expected a heap with at most 10000000 bindings a clause: clause 2 "
        "has 9000000001^1");
    EXPECT_EQ(to_string(game.position()), text + ":9000000000,5");
}

TEST(RulesSize, ListsTenMillionBindings) {
    const auto rules = rules_of("rules{n->n-k:k>=1}");
    const Heap heap(Number{9999999});
    EXPECT_EQ(rules->follower_count(heap), 9999999U);
    EXPECT_EQ(rules->follower(heap, 1234567), std::vector<Heap>{Heap(Number{1234567})});
    EXPECT_TRUE(rules->is_follower(heap, {{Heap(Number{0})}}));
    EXPECT_FALSE(rules->is_follower(heap, {{heap}}));
    std::mt19937_64 random(1);
    const Game game = game_of("rules{n->n-k:k>=1}:9999999");
    EXPECT_TRUE(game.check(game.random_move(random)));
    // Wide rows do not fit a key; most of these are the same.
    const auto wide = rules_of("rules{(a,b,c,d)->(k,k,k/2,k/3),(k%7,d*d*d,d*d*d,k)}");
    const Heap tuple = heap_with({1000, 2, 3, 4});
    EXPECT_EQ(wide->follower_count(tuple), 1001U);
    EXPECT_TRUE(wide->is_follower(tuple, wide->follower(tuple, 1000)));
}

TEST(RulesSize, VisitorsMayStopAndNest) {
    const auto rules = rules_of("rules{n->n-k:k>=1}");
    const std::vector<Number> heap{5000};
    std::size_t outer = 0;
    std::size_t inner = 0;
    EXPECT_TRUE(rules->visit_moves(heap, [&](const rules::MoveBlock& block) {
        const std::vector<Number> before(block.rows, block.rows + block.count);
        EXPECT_FALSE(rules->visit_moves(heap, [&](const rules::MoveBlock& other) {
            inner += other.count;
            return inner < 1000;
        }));
        EXPECT_TRUE(std::ranges::equal(before, std::span(block.rows, block.count)));
        outer += block.count;
        return true;
    }));
    EXPECT_EQ(outer, 5000U);
    EXPECT_GE(inner, 1000U);
    // Asked also where nothing is found.
    const auto barren = rules_of("rules{n->n-k:k*k+k=7}");
    std::size_t asked = 0;
    barren->visit_moves(std::vector<Number>{5000000}, [&](const rules::MoveBlock& block) {
        EXPECT_EQ(block.count, 0U);
        return ++asked < 10;
    });
    EXPECT_EQ(asked, 10U);
    // And where results cost much and none is a heap.
    std::string wide = "rules{n->0-1-k*k";
    for (int i = 0; i < 2000; ++i) wide += ",0-1-k*k";
    asked = 0;
    EXPECT_FALSE(rules_of(wide + "}")
                     ->visit_moves(std::vector<Number>{5000},
                                   [&](const rules::MoveBlock&) { return ++asked < 10; }));
    EXPECT_EQ(asked, 10U);
    // And between the conditions of one block.
    std::string many = "rules{n->n-k:k>=1";
    for (int i = 0; i < 20000; ++i) many += "&k*k>=0";
    asked = 0;
    EXPECT_FALSE(rules_of(many + "}")
                     ->visit_moves(std::vector<Number>{200},
                                   [&](const rules::MoveBlock&) { return ++asked < 10; }));
    EXPECT_EQ(asked, 10U);
}

// ---- does play end? ----

TEST(RulesTermination, IsProvenWhereAMeasureFalls) {
    const char* ending[] = {
        "n->n-k:k>=1",
        "n->n-k:k>0&n%k=0",
        "n->n-k:k!=0",
        "n->n-k:!(k<1)",
        "n->n-1;n->n-3",
        "n->x,n-x:0<x&x<n-x",
        "n->x,n-x:0<x&x<n",
        "n->x,y:x+y<n",
        "n->x,y,z:x+y+z+1=n",
        "n->n/2:n>0",
        "n->n/3:n>=1",
        "n->n%k:k<=n",
        "n->n-n%k:n%k>0",
        "n->n-gcd(n,k):gcd(n,k)>0",
        "n->min(n,k)-1",
        "n->n-max(k,1)",
        "n->k:k<n",
        "n->k*2:2*k<n",
        "n->n-k*k-1",
        "n->0:n>0",
        "n->x,x:2*x=n&x>0",
        "(a,b)->(a-k,b):k>=1;(a,b)->(a,b-k):k>=1;(a,b)->(a-k,b-k):k>=1",
        "(a,b,c)->(a-k,b,c):k>=1&a%k=0;(a,b,c)->(a,b-1,c-1);stop:a+b+c<=1",
        "(a,b)->(a-1,b+5);(a,b)->(a,b-1)",
        "(a,b)->(a-1,a*b);(a,b)->(a,k):k<b",
        "(a,b)->(a-b,b):b>0",
        "(a,b)->(a-1,b),(a,b-1)",
        "n->n-k*k:k>=1",
        "n->n-k*k:k*k<=n&0<k",
        "(a,b)->(a-k*b,b):k>=1&b>=1;(a,b)->(a,b-k*a):k>=1&a>=1",
        "(a,b)->(b,a%b)",
        "n->0,[i=1..k-1]n-i:k>=1&k<=n",
        "n->[i=0..k-1](n+i)/k:k>=2&k<=n",
        "n->[i=1..k]n/k:k>=2&k<=n&n%k=0",
        "n->[i=1..n-1]1,[i=2..n-1]i",
        "(a,b)->[i=1..b](a-i,b+i)",
        "(a,b)->[i=1..b](a,b-i)",
    };
    for (const std::string text : ending) {
        EXPECT_FALSE(rules_of("rules{" + text + '}')->can_repeat()) << text;
    }
    const char* unproven[] = {
        "n->n",
        "n->n+1",
        "n->n-k",
        "n->k:k<=n",
        "n->n/2",
        "n->n-1;n->n+1",
        "(a,b)->(b,a)",
        "(a,b)->(a-1,b+1);(a,b)->(a+1,b-1)",
        "n->n,n-1",
        "n->x,n-x:0<=x&x<n-x",
        "n->n-k:k>=1|n=3",
        "n->2*n-n",
        "n->n-(0-1)*k",
        "(a,b)->(a-b,b)",
        "n->n%k",
        "n->n-k*k",
        "n->n-k*(k-2):k>=1",
        "n->xor(n,k)",
        "n->[i=0..k]n-i",
        "n->[i=1..k]n-i,n",
    };
    for (const std::string text : unproven) {
        EXPECT_TRUE(rules_of("rules{" + text + '}')->can_repeat()) << text;
    }
}

TEST(RulesTermination, IsNeverClaimedOfRulesThatRepeat) {
    RandomRules random(7);
    std::size_t proven = 0;
    for (int i = 0; i < 1500; ++i) {
        const std::size_t entries = 1 + random.below(2);
        const std::string text = random.draw(entries).text(random.random());
        const auto rules = rules_of(text);
        if (rules->can_repeat()) continue;
        ++proven;
        // No small heap can be reached again from itself.
        enum class Mark { Open, Done };
        std::map<Heap, Mark> marks;
        std::size_t seen = 0;
        const std::function<bool(const Heap&)> ends = [&](const Heap& heap) {
            const auto [found, is_new] = marks.try_emplace(heap, Mark::Open);
            if (!is_new) return found->second == Mark::Done;
            if (++seen > 300) return true;
            for (const auto& result : listed(*rules, heap)) {
                for (const Heap& next : result) {
                    if (rules->check_heap(next) && !ends(next)) return false;
                }
            }
            marks[heap] = Mark::Done;
            return true;
        };
        for (const auto& heap : all_tuples(entries, entries == 1 ? 6 : 2))
            EXPECT_TRUE(ends(heap_with(heap))) << text;
    }
    EXPECT_GT(proven, 100U);
}

// 10^7 bindings, sorted by counting (dense keys) and by merging (sparse ones).
TEST(UserRules, ListingIsGivenUpWhenAsked) {
    for (const char* text : {"rules{n->x,y:x+y<n}", "rules{n->x*n*n*n,y*n*n*n:x+y<n}",
                             "rules{n->x*n*n*n,y*n*n*n,x+y:x+y<n}"}) {
        SCOPED_TRACE(text);
        const auto rules = rules_of(text);
        const Heap heap(Number{600});
        std::size_t questions = 0;
        const auto all = rules->followers(heap, [&](std::size_t) {
            ++questions;
            return false;
        });
        ASSERT_TRUE(all);
        EXPECT_GE(questions, 600u);
        std::string same = text;  // of which no list is kept
        same.replace(same.rfind(':'), 1, ":0=0&");
        const auto afresh = rules_of(same);
        for (std::size_t limit = 1; limit < questions; limit += 1 + limit / 3) {
            std::size_t asked = 0;
            EXPECT_FALSE(
                afresh->followers(heap, [&](std::size_t) { return ++asked >= limit; }));
            EXPECT_EQ(asked, limit);
        }
    }
}

}  // namespace engine::test::rules_test
