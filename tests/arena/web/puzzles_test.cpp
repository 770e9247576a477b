#include "arena/web/questions.hpp"

#include <boost/json.hpp>

#include "engine/rules/game.hpp"

namespace arena::web::puzzles_test {

namespace json = boost::json;

Answered ask(const json::object& request, std::uint64_t seed) {
    static const auto analyst = engine::make_analyst();
    const ApiOptions options;
    return ask_puzzle({request, options, *analyst, nullptr, seed, {}});
}

// The positions that moves lead to; those with the same piles in another order are one.
std::set<std::multiset<std::string>> after(const engine::Game& game,
                                           const std::vector<protocol::Move>& moves) {
    std::set<std::multiset<std::string>> left;
    for (const protocol::Move& move : moves) {
        engine::Game next = game;
        next.play(move);
        std::multiset<std::string> piles;
        for (const auto& component : next.position().components) {
            for (const auto& heap : component.heaps) {
                piles.insert(component.ruleset.text + ":" + to_string(heap));
            }
        }
        left.insert(std::move(piles));
    }
    return left;
}

TEST(Puzzles, HaveFewWinningMovesOfMany) {
    for (const char* ruleset : {"nim", "kayles", "take{1,3,4}", "wythoff", "treblecross",
                                "arc-kayles{a->b;b->c;c->d;d->a,e}", ""}) {
        for (int level = 1; level <= 3; ++level) {
            SCOPED_TRACE(std::string(ruleset) + " " + std::to_string(level));
            json::object request{{"level", level}};
            if (*ruleset != 0) request["ruleset"] = ruleset;
            const Answered answered = ask(request, 7);
            const auto* puzzle = std::get_if<json::object>(&answered.what);
            ASSERT_NE(puzzle, nullptr);
            const auto position = protocol::parse_position(puzzle->at("position").as_string());
            ASSERT_TRUE(position);
            const auto game = engine::Game::start(*position);
            ASSERT_TRUE(game);
            const auto best = engine::make_analyst()->best_moves(*game, 100, {});
            ASSERT_TRUE(best);
            const std::size_t winning = after(*game, best->moves).size();
            EXPECT_EQ(puzzle->at("winning").to_number<std::size_t>(), winning);
            const std::size_t moves = after(*game, game->moves(10'000)).size();
            EXPECT_EQ(puzzle->at("moves").to_number<std::size_t>(), moves);
            EXPECT_LE(2 * winning, moves);
        }
    }
}

TEST(Puzzles, OfNimHaveOneWinningMove) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Answered answered = ask({{"ruleset", "nim"}, {"level", 2}}, seed);
        EXPECT_EQ(std::get<json::object>(answered.what).at("winning"), 1) << seed;
    }
}

TEST(Puzzles, AreNotTheSameTwiceInARow) {
    // Nearly all of level 1 are of two piles, 1 and 2.
    const std::set<std::string> same{"hex{0.3F}:1,2", "hex{0.3F}:2,1"};
    std::string last = *same.begin();
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Answered answered =
            ask({{"ruleset", "hex{0.3F}"}, {"level", 1}, {"last", last}}, seed);
        const std::string next{
            std::get<json::object>(answered.what).at("position").as_string()};
        EXPECT_NE(next, last);
        EXPECT_LE(same.count(last) + same.count(next), 1U);
        last = next;
    }
}

TEST(Puzzles, OfOneHeapInAHundredAreFound) {
    const char* stalk = "hackenbush{ground->a;a->b;b->c;c->d;d->e;e->f}";
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        const Answered answered = ask({{"ruleset", stalk}, {"level", 3}}, seed);
        EXPECT_EQ(std::get<json::object>(answered.what).at("winning"), 1) << seed;
    }
}

TEST(Puzzles, RefuseWhatTheyDoNotKnow) {
    const auto error = [](const json::object& request) {
        return std::get<ApiError>(ask(request, 7).what);
    };
    EXPECT_EQ(error({{"level", 4}}).error.text, "expected a level 1..3");
    EXPECT_EQ(error({{"level", "hard"}}).field, "level");
    EXPECT_EQ(error({{"ruleset", "kayle"}}).field, "ruleset");
    EXPECT_EQ(error({{"last", "nim"}}).field, "last");
}

}  // namespace arena::web::puzzles_test
