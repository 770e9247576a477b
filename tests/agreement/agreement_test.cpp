// Compares every claim of the solver with the oracle, which knows no theory: on all small sums
// of each ruleset of the table, on random sums of them, and on random rulesets.
#include "engine/rules/literature.hpp"
#include "engine/sums/retrograde.hpp"
#include "engine/sums/solution.hpp"
#include "protocol/text.hpp"
#include "tests/agreement/known_rulesets.hpp"
#include "tests/agreement/play_back_oracle.hpp"
#include "tests/agreement/random_rulesets.hpp"
#include "tests/harness/patience.hpp"

namespace engine::test::agreement_test {

class Agreement {
  public:
    enum class Misere { AsSolved, AlsoByTheories };

    // If play may not end, positions that can reach more than `most` others are left out.
    explicit Agreement(Misere misere = Misere::AlsoByTheories, std::size_t most = 3000)
        : misere_(misere), oracle_(most) {}

    void check(const std::string& text) {
        SCOPED_TRACE(text);
        const Game game = game_of(text);
        const Outcome outcome = oracle_.outcome(game);
        ++counts[outcome];
        if (outcome == Outcome::Unknown) return;
        EXPECT_EQ(analyst_->outcome(game, {}), outcome);
        if (!game.is_misere()) check_nimber(game);
        const auto best = oracle_.best_moves(game);
        if (!best) return;
        check_moves(game, *best);
        const bool by_theories = misere_ == Misere::AlsoByTheories && !game.can_repeat();
        if (game.is_misere() && by_theories) check_misere(game, *best);
    }

    // By retrograde analysis, as the oracle: also the length of play.
    void check_retrograde(const std::string& text) {
        SCOPED_TRACE(text);
        const Game game = game_of(text);
        PlayBackOracle fresh;
        const Retrograde retrograde(game, Retrograde::Goal::EveryMove, {});
        expect_same(retrograde.verdict(), fresh.verdict(game));
        ASSERT_TRUE(retrograde.is_complete());
        ASSERT_LE(retrograde.size(), fresh.size());
        for (const Move& move : game.moves(1000)) {
            const Game next = after(game, move);
            expect_same(retrograde.verdict(next.position()), fresh.verdict(next));
        }
    }

    std::map<Outcome, int> counts;
    // Labels are proven complete if heaps do not split. If they loop and split, some labels are
    // not found.
    int unknown_nimbers = 0;

  private:
    static bool has_looping_rules(const Game& game) {
        for (std::size_t i = 0; i < game.position().components.size(); ++i) {
            const bool is_rules =
                game.position().components[i].ruleset.text.starts_with("rules{");
            if (is_rules && game.ruleset(i)->can_repeat()) return true;
        }
        return false;
    }

    static void expect_same(Retrograde::Verdict actual, const Verdict& expected) {
        EXPECT_EQ(actual.outcome, expected.outcome);
        EXPECT_EQ(actual.remoteness, expected.plies);
    }

    void check_nimber(const Game& game) {
        const auto expected = oracle_.nimber(game);
        if (!expected) return;
        const auto nimber = analyst_->nimber(game, {});
        if (!nimber && has_looping_rules(game)) {
            ++unknown_nimbers;
            return;
        }
        ASSERT_TRUE(nimber) << "not known, but " << to_string(*expected);
        EXPECT_EQ(to_string(*nimber), to_string(*expected));
    }

    void check_moves(const Game& game, const std::vector<Move>& best) {
        const auto found = analyst_->best_moves(game, 100000, {});
        ASSERT_TRUE(found);
        EXPECT_FALSE(found->cut);
        EXPECT_EQ(sorted_texts(found->moves), sorted_texts(best));
        const bool first = random_() % 2 == 0;
        check_choice(game, best,
                     {first ? Choice::First : Choice::Random,
                      random_() % 2 == 0 ? Losing::Random : Losing::Longest});
        const auto moves = game.moves(100000);
        if (moves.empty()) return;
        const Move& only = moves[uniform_below(random_, moves.size())];
        EXPECT_EQ(analyst_->choose(game, {only}, {}, random_, {}), only);
    }

    void check_choice(const Game& game, const std::vector<Move>& best, const Style& style) {
        const auto move = analyst_->choose(game, {}, style, random_, {});
        ASSERT_EQ(move.has_value(), game.has_move());
        if (!move) return;
        EXPECT_TRUE(game.check(*move)) << to_string(*move);
        if (!best.empty()) {
            EXPECT_TRUE(std::ranges::count(best, *move)) << to_string(*move);
        }
    }

    // By genera and quotients, even if the solver would choose another way.
    void check_misere(const Game& game, const std::vector<Move>& winning) {
        const auto solution = solve_misere(game, {});
        EXPECT_EQ(solution->outcome(), oracle_.outcome(game));
        const auto found = solution->best_moves(100000);
        ASSERT_TRUE(found);
        EXPECT_EQ(found->moves, winning);
        EXPECT_EQ(solution->best_move_count(), winning.size());
        for (const Choice choice : {Choice::First, Choice::Random}) {
            const auto move = solution->best_move(choice, random_);
            ASSERT_EQ(move.has_value(), !winning.empty());
            if (!move) continue;
            EXPECT_TRUE(std::ranges::count(winning, *move)) << to_string(*move);
        }
        for (const Move& move : game.moves(100000)) {
            const bool wins = std::ranges::count(winning, move) > 0;
            EXPECT_EQ(solution->outcome_after(move, {}), wins ? Outcome::P : Outcome::N)
                << to_string(move);
        }
        EXPECT_FALSE(solution->reason().empty());
    }

    Misere misere_;
    std::unique_ptr<Analyst> analyst_ = make_analyst();
    PlayBackOracle oracle_;
    std::mt19937_64 random_{7};
};

class KnownRulesets : public ::testing::TestWithParam<KnownRuleset> {};

TEST_P(KnownRulesets, AgreeWithPlayOnEverySmallSum) {
    const auto& [ruleset, heaps] = GetParam();
    Agreement agreement;
    const auto check = [&](const std::string& sum) {
        agreement.check(ruleset + ':' + sum);
        agreement.check(ruleset + ':' + sum + " misere");
    };
    for (const std::string& heap : heaps) check(heap);
    std::size_t small = std::min<std::size_t>(heaps.size(), ::test::kShare == 1 ? 8 : 4);
    // Sums of eight heaps with so many moves take seconds, for each ruleset.
    if (small > 5 && game_of(ruleset + ':' + heaps[small - 1]).moves(32).size() == 32)
        small = 5;
    for (std::size_t a = 0; a < small; ++a) {
        for (std::size_t b = a; b < small && !HasFailure(); ++b) {
            const std::string two = heaps[a] + ',' + heaps[b];
            check(two);
            check(two + ',' + heaps[std::min<std::size_t>(small - 1, 3)]);
            check(two + "+nim:2");
        }
    }
}

std::string name_of(const ::testing::TestParamInfo<KnownRuleset>& row) {
    std::string name = row.param.ruleset.substr(0, row.param.ruleset.find('{'));
    std::erase(name, '-');
    return name + std::to_string(row.index);
}

INSTANTIATE_TEST_SUITE_P(Table, KnownRulesets, ::testing::ValuesIn(known_rulesets()), name_of);

std::string ruleset_of(const LiteratureGame& game) { return std::string(game.guide.example); }

// The small heaps of a game, of the form of those that its entry shows.
std::vector<std::string> small_heaps(const LiteratureGame& game) {
    const auto shown = game_of(ruleset_of(game) + ':' + std::string(game.guide.heaps));
    const Heap& first = shown.position().components.front().heaps.front();
    std::vector<std::string> texts;
    if (std::holds_alternative<Number>(first)) texts = numbers(9);
    if (const auto* tuple = std::get_if<protocol::Tuple>(&first)) {
        std::vector<Number> entries(tuple->entries.size(), 0);
        const Number below = entries.size() == 2 ? 5 : entries.size() == 3 ? 3 : 2;
        for (std::size_t i = 0; i < entries.size();) {
            texts.push_back(to_string(Heap(protocol::Tuple{entries})));
            for (i = 0; i < entries.size() && ++entries[i] == below; ++i) entries[i] = 0;
        }
    }
    std::erase_if(texts, [&](const std::string& heap) {
        return !read_game(ruleset_of(game) + ':' + heap);
    });
    return texts;
}

// Those whose rules are not those of a row of the table.
std::vector<KnownRuleset> literature_rulesets() {
    std::vector<KnownRuleset> rows;
    for (const LiteratureGame& game : literature()) {
        const std::string ruleset = ruleset_of(game);
        const bool is_row =
            std::ranges::count(known_rulesets(), ruleset, &KnownRuleset::ruleset);
        if (!is_row) rows.push_back({ruleset, small_heaps(game)});
    }
    return rows;
}

INSTANTIATE_TEST_SUITE_P(Published, KnownRulesets, ::testing::ValuesIn(literature_rulesets()),
                         name_of);

std::vector<std::string> words_of(std::string_view text) {
    const auto words = protocol::split_words(text);
    return {words.begin(), words.end()};
}

TEST(Literature, TellsOfEachGame) {
    EXPECT_GE(literature().size(), 50U);
    const auto names = RulesetNames::parse(kLiterature);
    ASSERT_TRUE(names) << names.error().text;
    for (const LiteratureGame& game : literature()) {
        const RulesetGuide& guide = game.guide;
        SCOPED_TRACE(guide.name);
        EXPECT_FALSE(guide.title.empty());
        EXPECT_TRUE(guide.rules.ends_with('.')) << guide.rules;
        EXPECT_FALSE(guide.source.empty());
        EXPECT_FALSE(game.wins.empty());
        EXPECT_EQ(names->expand({std::string(guide.name)}).text, guide.example);
        EXPECT_EQ(find_literature(guide.name) != nullptr, guide.name != guide.example);
        const auto position = RulesetNames().read_position(std::string(guide.name) + ":1");
        if (position) {
            EXPECT_EQ(position->components.front().ruleset.text, guide.example);
        }
    }
}

TEST(Literature, WinsByTheMovesThatItShows) {
    Agreement agreement(Agreement::Misere::AsSolved);
    const auto analyst = make_analyst();
    for (const LiteratureGame& game : literature()) {
        const std::string text = ruleset_of(game) + ':' + std::string(game.guide.heaps);
        agreement.check(text);
        const auto best = analyst->best_moves(game_of(text), 100000, {});
        ASSERT_TRUE(best) << text;
        EXPECT_EQ(sorted_texts(best->moves), [&] {
            auto wins = words_of(game.wins);
            std::ranges::sort(wins);
            return wins;
        }()) << text;
    }
}

TEST(Literature, HasTheValuesThatArePublished) {
    const auto analyst = make_analyst();
    int with_sequence = 0;
    for (const LiteratureGame& game : literature()) {
        SCOPED_TRACE(game.guide.name);
        with_sequence += game.guide.source.find("A0") != game.guide.source.npos ? 1 : 0;
        const auto nimber = [&](const std::string& heap) {
            const auto found = analyst->nimber(game_of(ruleset_of(game) + ':' + heap), {});
            return found ? to_string(*found) : "unknown";
        };
        int next = 0;
        for (const std::string& word : words_of(game.values)) {
            const auto is = word.find('=');
            const std::string heap =
                is == word.npos ? std::to_string(next++) : word.substr(0, is);
            EXPECT_EQ(nimber(heap), is == word.npos ? word : word.substr(is + 1)) << heap;
        }
        const auto lost = words_of(game.lost);
        for (const std::string& heap : lost) EXPECT_EQ(nimber(heap), "0") << heap;
        if (lost.empty() || lost.back().front() == '(') continue;
        int zeros = 0;
        for (int heap = 0; heap <= std::stoi(lost.back()); ++heap) {
            zeros += nimber(std::to_string(heap)) == "0" ? 1 : 0;
        }
        EXPECT_EQ(zeros, lost.size());
    }
    EXPECT_GE(with_sequence, 25);
}

TEST(Agreement, CoversEveryRuleset) {
    std::string names;
    for (const RulesetGuide& guide : ruleset_guides()) {
        names += (names.empty() ? "" : ", ") + std::string(guide.name);
    }
    EXPECT_EQ(a_known_ruleset().find("a known ruleset: " + names), 0U);
}

TEST(Agreement, HoldsOnRandomSums) {
    std::mt19937_64 random(20260);
    std::map<Outcome, int> counts;
    const int sums = ::test::tries(6000);
    for (int i = 0; i < sums && !::testing::Test::HasFailure();) {
        Agreement agreement;  // new tables each time, or they would grow without bound
        for (int j = 0; j < 200; ++i, ++j) agreement.check(draw_known_sum(random));
        for (const auto& [outcome, count] : agreement.counts) counts[outcome] += count;
    }
    EXPECT_GT(counts[Outcome::N], sums / 2);
    EXPECT_GT(counts[Outcome::P], sums / 5);
    EXPECT_GT(counts[Outcome::D], sums / 100);
    EXPECT_LT(counts[Outcome::Unknown], sums / 20);
}

TEST(Agreement, HoldsOnRandomRulesets) {
    const int rulesets = ::test::tries(150);
    constexpr int kPositions = 40;  // for each three rulesets
    RandomPositions positions(1902);
    std::map<Outcome, int> counts;
    int unknown_nimbers = 0;
    for (int i = 0; i < rulesets && !::testing::Test::HasFailure(); ++i) {
        // Theories of new rulesets take time to find.
        Agreement agreement(i % 20 == 0 ? Agreement::Misere::AlsoByTheories
                                        : Agreement::Misere::AsSolved);
        for (int j = 0; j < kPositions; ++j) agreement.check(positions.draw());
        for (const auto& [outcome, count] : agreement.counts) counts[outcome] += count;
        unknown_nimbers += agreement.unknown_nimbers;
        positions.draw_rulesets();
    }
    const int checked = rulesets * kPositions;
    EXPECT_GT(counts[Outcome::N], checked / 2);
    EXPECT_GT(counts[Outcome::P], checked / 5);
    EXPECT_GT(counts[Outcome::D], checked / 50);
    EXPECT_LT(counts[Outcome::Unknown], checked / 20);
    EXPECT_LT(unknown_nimbers, checked / 100);
    RecordProperty("unknown_nimbers", unknown_nimbers);
}

TEST(Agreement, HoldsOnTheLengthOfPlay) {
    std::mt19937_64 random(21);
    Agreement agreement;
    for (int i = 0; i < ::test::tries(900) && !::testing::Test::HasFailure(); ++i) {
        agreement.check_retrograde(i % 3 == 0 ? "nim:" + std::to_string(random() % 4) + "," +
                                                    std::to_string(random() % 5) +
                                                    "+take{1,3}:" + std::to_string(random() % 6)
                                              : random_loopy_sum(random));
    }
}

// The nimber of the cookies takes a search; next to inf{} it does not matter.
TEST(Agreement, HoldsOnDrawsWithHeapsThatTakeWork) {
    Agreement agreement(Agreement::Misere::AsSolved, 100000);
    for (const char* text :
         {"graph{a->b;b->a}:a+cookie:(2,3)", "cookie:(1,2,3,4,4)+graph{a->a}:a",
          "graph{a->b;b->c;c->a}:a,b+cookie:(3,3,3)"}) {
        agreement.check(text);
    }
    EXPECT_EQ(agreement.counts[Outcome::D], 3);
}

// With infinitely many moves the oracle is of no use: claims about a position are compared with
// those about random followers, down to the end of play.
TEST(Agreement, HoldsTogetherOnTransfiniteSums) {
    const auto analyst = make_analyst();
    std::mt19937_64 random(1908);
    constexpr const char* kHeaps[] = {"0",     "1",           "2",        "3",     "6",
                                      "(w)",   "(w+1)",       "(w+3)",    "(w*2)", "(w*3+2)",
                                      "(w^2)", "(w^2+w*2+1)", "(w^3*2+5)"};
    const auto heap = [&] { return kHeaps[uniform_below(random, std::size(kHeaps))]; };
    for (int i = 0; i < ::test::tries(1500); ++i) {
        std::string text = std::string("nim:") + heap() + ',' + heap();
        if (i % 3 == 0) text += std::string("+nim:") + heap();
        if (i % 5 == 0) text += "+kayles:" + std::to_string(uniform_below(random, 6));
        const bool misere = i % 2 == 1 && i % 5 != 0;
        if (misere) text += " misere";
        Game game = game_of(text);
        for (int ply = 0; ply < 40; ++ply) {
            const Outcome outcome = analyst->outcome(game, {});
            if (!game.has_move()) {
                EXPECT_EQ(outcome, misere ? Outcome::N : Outcome::P) << text;
                break;
            }
            const auto outcome_after = [&](const Move& move) {
                return analyst->outcome(after(game, move), {});
            };
            const auto best = analyst->best_moves(game, 1000, {});
            ASSERT_TRUE(best) << text;
            EXPECT_EQ(best->moves.empty(), outcome == Outcome::P) << text;
            for (const Move& move : best->moves) {
                ASSERT_TRUE(game.check(move)) << text;
                EXPECT_EQ(outcome_after(move), Outcome::P) << text << ' ' << to_string(move);
            }
            const Move any = game.random_move(random);
            if (outcome_after(any) == Outcome::P && !best->cut) {
                EXPECT_TRUE(std::ranges::count(best->moves, any)) << text << to_string(any);
            }
            game.play(ply % 2 == 0 || best->moves.empty() ? any : best->moves.front());
        }
    }
}

}  // namespace engine::test::agreement_test
