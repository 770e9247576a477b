#include "engine/rules/game.hpp"

#include "tests/agreement/known_rulesets.hpp"
#include "tests/agreement/positions.hpp"
#include "tests/engine/written_rules.hpp"

namespace engine::test::game_test {

TEST(Game, AlternatesUntilNoMoveIsLeft) {
    Game game = game_of("nim:1,2");
    EXPECT_EQ(game.player(), 1);
    for (const char* word : {"2=1", "1=0"}) {
        EXPECT_EQ(game.end(), End::None);
        EXPECT_EQ(game.winner(), std::nullopt);
        game.play(*game.read_move(word));
    }
    EXPECT_EQ(game.player(), 1);
    game.play(*game.read_move("2=0"));
    EXPECT_EQ(game.end(), End::NoMoves);
    EXPECT_EQ(game.winner(), 1);
    EXPECT_EQ(to_string(game.position()), "nim:0,0");
}

TEST(Game, IsDecidedAtOnceWithoutMoves) {
    struct Case {
        const char* position;
        int winner;
    };
    for (const auto& [position, winner] :
         {Case{"nim:0", 2}, Case{"nim:0 misere", 1}, Case{"take{3,4}:2,1+nim:0", 2},
          Case{"take{3,4}:2,1+nim:0 misere", 1}}) {
        EXPECT_EQ(game_of(position).end(), End::NoMoves) << position;
        EXPECT_EQ(game_of(position).winner(), winner) << position;
    }
}

TEST(Game, DoesNotTakeAPartOfASplitForWhatIsTaken) {
    EXPECT_EQ(game_of("kayles:7").read_move("1=1").error().text,
              "heap 1 is '7' and cannot become '1' under 'kayles'");
}

TEST(Game, SaysWhyAMoveIsNotLegal) {
    const Game game = game_of("nim:3,4+take{1,3}:9+nim:0");
    struct Case {
        const char* word;
        std::size_t column;
        const char* text;
    };
    const Case cases[] = {
        {"1=3", 3,
         "heap 1 is '3' and cannot become '3' under 'nim': RESULT is what the heap becomes, "
         "not "
         "what is taken"},
        {"3=1", 3,
         "heap 3 is '9' and cannot become '1' under 'take{1,3}': RESULT is what the heap "
         "becomes, "
         "not what is taken"},
        {"3=7", 3, "heap 3 is '9' and cannot become '7' under 'take{1,3}'"},
        {"4=0", 3, "heap 4 is '0' and has no move under 'nim'"},
        {"2=1,1", 3, "heap 2 is '4' and cannot become '1,1' under 'nim'"},
        {"2=(w)", 3, "heap 2 is '4' and cannot become '(w)' under 'nim'"},
        {"5=1", 1, "read '5', expected the number of a heap, 1..4"},
        {"0000", 0, "read '0000', which is for positions without a move"},
    };
    for (const auto& [word, column, text] : cases) {
        const auto move = game.read_move(word);
        ASSERT_FALSE(move) << word;
        EXPECT_EQ(move.error().text, text) << word;
        EXPECT_EQ(move.error().column, column) << word;
    }
    EXPECT_EQ(game.check({5, {Heap(Number{0})}}).error().text,
              "there is no heap 5: the position has 4 heaps");
}

TEST(Game, ReadsAnyOrderAndExtraZeros) {
    const Game game = game_of("nim:3");
    EXPECT_EQ(to_string(*game.read_move("1=1,0")), "1=1");
    EXPECT_EQ(to_string(*game.read_move("1=0,0")), "1=0");
}

TEST(ReadGame, NamesTheColumnInTheTextThatWasRead) {
    struct Case {
        const char* text;
        std::size_t column;
        std::string error;
    };
    const Case cases[] = {
        {"3,(1,2)", 3,
         "read '(1,2)', expected a number or an ordinal such as (w+1): heaps of nim"},
        {"  03,4+tak:5", 8,
         "read 'tak', expected " + a_known_ruleset("; did you mean 'take'?")},
        {"nim:(w+1),5+take{1,0}:3", 20, "read '0', expected a number from 1"},
        {"nim:(w^2+w),5+take{!1,2}:007,(w+1)  misere", 30,
         "read '(w+1)', expected a number: heaps of take are numbers"},
        {"nim:3,x", 7, "read 'x', expected a heap such as 5, (3,5) or (w+1)"},
        {"3+0.79:5", 6, "read '9', expected a digit 0-7; with more it is a hex{CODE}"},
        {"0.77:5,(1,2)", 8,
         "read '(1,2)', expected a number: heaps of octal games are numbers"},
    };
    for (const auto& [text, column, error] : cases) {
        const auto game = read_game(text);
        ASSERT_FALSE(game) << text;
        EXPECT_EQ(game.error().text, error) << text;
        EXPECT_EQ(game.error().column, column) << text;
    }
    // The column counts in the canonical text if none is given.
    const auto game = Game::start(*protocol::parse_position("3,(1,2)"));
    EXPECT_EQ(game.error().column, 7u);
}

TEST(ReadGame, ExpandsNames) {
    const auto names = *RulesetNames::parse("odd = take{1,3}");
    EXPECT_EQ(to_string(read_game("3+odd:5", names)->position()), "nim:3+take{1,3}:5");
    const auto wrong = read_game("3+odd:5,(w)", names);
    EXPECT_EQ(wrong.error().column, 9u);
}

TEST(Game, ListsAndCountsMovesHeapByHeap) {
    const Game game = game_of("nim:2,0+take{2,3}:4,1");
    std::string listed;
    for (const Move& move : game.moves(100)) listed += to_string(move) + ' ';
    EXPECT_EQ(listed, "1=0 1=1 3=2 3=1 ");
    EXPECT_EQ(game.move_count(), 4u);
    EXPECT_EQ(game.moves(3).size(), 3u);
    EXPECT_TRUE(game.moves(0).empty());
    EXPECT_EQ(game_of("nim:(w^2),3").move_count(), kMany);
    EXPECT_EQ(game_of("take{1-}:9223372036854775807,9223372036854775807,5").move_count(),
              kMany);
}

TEST(Game, DrawsEveryMoveEquallyOften) {
    const Game game = game_of("nim:1,3+take{1,3}:3");
    std::mt19937_64 random(11);
    std::map<std::string, int> drawn;
    constexpr int kDraws = 6000;
    for (int i = 0; i < kDraws; ++i) ++drawn[to_string(game.random_move(random))];
    EXPECT_EQ(drawn.size(), 6u);
    for (const auto& [move, count] : drawn) EXPECT_NEAR(count, kDraws / 6, 150) << move;
}

TEST(Game, DrawsFromMoreMovesThanACountHolds) {
    const Game game = game_of("nim:(w^2),(w*5)+take{1-}:9223372036854775807");
    std::mt19937_64 random(11);
    std::map<std::size_t, int> heaps;
    for (int i = 0; i < 3000; ++i) {
        const Move move = game.random_move(random);
        ASSERT_TRUE(game.check(move)) << to_string(move);
        ASSERT_TRUE(game.read_move(to_string(move))) << to_string(move);
        ++heaps[move.heap];
    }
    EXPECT_NEAR(heaps[1], 1200, 120);  // the shares are 2 : 2 : 1
    EXPECT_NEAR(heaps[3], 600, 100);
}

TEST(Game, PlaysWhatItLists) {
    std::mt19937_64 random(3);
    for (int i = 0; i < 200; ++i) {
        Game game = game_of("nim:5,2+take{!2}:6,7+take{2,5}:9 misere");
        while (game.has_move()) {
            const auto moves = game.moves(1000);
            ASSERT_EQ(moves.size(), game.move_count());
            const Move move = game.random_move(random);
            ASSERT_EQ(std::ranges::count(moves, move), 1);
            ASSERT_TRUE(game.read_move(to_string(move)));
            game.play(move);
        }
        ASSERT_TRUE(game.moves(10).empty());
        ASSERT_EQ(game.winner(), game.player());
    }
}

TEST(UniformBelow, ReachesBothEnds) {
    std::mt19937_64 random(1);
    std::map<Count, int> drawn;
    for (int i = 0; i < 3000; ++i) ++drawn[uniform_below(random, 3)];
    EXPECT_EQ(drawn.size(), 3u);
    for (const auto& [value, count] : drawn) EXPECT_NEAR(count, 1000, 120);
    EXPECT_EQ(uniform_below(random, 1), 0u);
    EXPECT_LT(uniform_below(random, kMany), kMany);
}

// A seed identifies a game, so it must draw the same on all platforms.
TEST(UniformBelow, DrawsTheSameEverywhere) {
    std::mt19937_64 random(1);
    std::vector<Count> drawn;
    for (const Count below : {Count{10}, Count{1000}, Count{1} << 63, kMany}) {
        drawn.push_back(uniform_below(random, below));
    }
    EXPECT_EQ(drawn, (std::vector<Count>{1, 136, 4161722926731829965, 387828560950575246}));
}

TEST(Game, DrawsTheSameRandomMovesEverywhere) {
    const Game small = game_of("nim:3,4");
    const Game large =
        game_of("nim:9223372036854775807,9223372036854775807,9223372036854775807");
    std::mt19937_64 random(1);
    std::vector<std::string> drawn;
    for (int i = 0; i < 3; ++i) {
        drawn.push_back(to_string(small.random_move(random)));
        drawn.push_back(to_string(large.random_move(random)));
    }
    EXPECT_EQ(drawn, (std::vector<std::string>{"1=0", "1=2516265689700432462", "1=0",
                                               "3=6472927700900931386", "2=0",
                                               "3=1372899666868390667"}));
}

// ---- repetition, with a ruleset that goes round: a heap of n becomes (n+1) mod 3 ----

Result<std::shared_ptr<const Ruleset>> find_carousel(const protocol::RulesetText&) {
    const auto next = [](Number n) { return WrittenRules::Results{{Heap((n + 1) % 3)}}; };
    return std::shared_ptr<const Ruleset>(std::make_shared<WrittenRules>(next));
}

TEST(Game, EndsAtTheThirdOccurrenceWithTheSamePlayer) {
    auto game = *Game::start(*protocol::parse_position("nim:0"), {}, find_carousel);
    // The position comes back after 3 plies, with the same player after 6; the start counts.
    for (int ply = 1; ply <= 12; ++ply) {
        EXPECT_EQ(game.end(), End::None) << ply;
        game.play(game.moves(1).front());
    }
    EXPECT_EQ(game.end(), End::Repetition);
    EXPECT_EQ(game.winner(), std::nullopt);
    game.play(game.moves(1).front());
    EXPECT_EQ(game.end(), End::Repetition);  // and stays
}

// ---- play that can repeat, against positions written out ----

std::string state_of(const Game& game) {
    return std::to_string(game.player()) + to_string(game.position());
}

const char* const kLoopySums[] = {
    "graph{a->b;b->a}:a",
    "graph{a->b,a;b->a,c}:a,b",
    "graph{a->b;b->c;c->a,d}:a,c+graph{x->y;y->x}:x",
    "graph{a->b;b->a}:a+nim:2+kayles:6",
    "graph{a->a}:a+graph{b->c}:b misere",
};

TEST(Game, CountsOccurrencesAsTheirTextsAre) {
    std::mt19937_64 random(7);
    int draws = 0;
    for (int i = 0; i < 500; ++i) {
        Game game = game_of(kLoopySums[i % std::size(kLoopySums)]);
        std::map<std::string, int> seen{{state_of(game), 1}};
        bool repeated = false;
        for (int ply = 0; ply < 60 && game.has_move(); ++ply) {
            game.play(game.random_move(random));
            repeated = ++seen[state_of(game)] >= 3 || repeated;
            ASSERT_EQ(game.end() == End::Repetition, repeated) << to_string(game.position());
        }
        draws += repeated ? 1 : 0;
    }
    EXPECT_GT(draws, 100);
}

// A move that is taken back leaves no trace: the same moves lead to the same ends.
TEST(Game, TakesMovesBack) {
    std::mt19937_64 random(8);
    for (int i = 0; i < 300; ++i) {
        Game game = game_of(kLoopySums[i % std::size(kLoopySums)]);
        for (int ply = 0; ply < 8 && game.has_move(); ++ply)
            game.play(game.random_move(random));
        const Game before = game;

        std::vector<Game::Played> played;
        for (int ply = 0; ply < 10 && game.has_move(); ++ply) {
            played.push_back(game.play(game.random_move(random)));
        }
        for (; !played.empty(); played.pop_back()) game.take_back(std::move(played.back()));
        ASSERT_EQ(game.position(), before.position());
        ASSERT_EQ(game.player(), before.player());

        Game other = before;
        for (int ply = 0; ply < 30; ++ply) {
            ASSERT_EQ(game.end(), other.end());
            ASSERT_EQ(game.has_move(), other.has_move());
            ASSERT_EQ(game.moves(100), other.moves(100));
            if (!game.has_move()) break;
            const Move move = game.random_move(random);
            game.play(move);
            other.play(move);
        }
    }
}

TEST(Game, FindsHeapsInManyComponents) {
    Game game = game_of("kayles:9,8+nim:3+grundy:7+octal{4.7}:5,5+lasker:4");
    std::mt19937_64 random(9);
    while (game.has_move()) {
        for (const Move& move : game.moves(1000)) {
            Position by_text = game.position();
            protocol::apply(by_text, move);
            const Game next = after(game, *game.read_move(to_string(move)));
            ASSERT_EQ(next.position(), by_text) << to_string(move);
        }
        game.play(game.random_move(random));
    }
}

}  // namespace engine::test::game_test
