#include "arena/web/questions.hpp"

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <string>

#include "engine/rules/game.hpp"

namespace arena::web::puzzles_test {

namespace json = boost::json;

Answered ask(const json::object& request, std::uint64_t seed) {
    static const auto analyst = engine::make_analyst();
    const ApiOptions options;
    return ask_puzzle({request, options, *analyst, nullptr, seed, {}});
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
            EXPECT_EQ(puzzle->at("moves").to_number<std::uint64_t>(), game->move_count());
            const auto best = engine::make_analyst()->best_moves(*game, 10, {});
            ASSERT_TRUE(best);
            EXPECT_EQ(puzzle->at("winning").to_number<std::size_t>(), best->moves.size());
            EXPECT_LT(best->moves.size(), game->move_count());
        }
    }
}

TEST(Puzzles, OfNimHaveOneWinningMove) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Answered answered = ask({{"ruleset", "nim"}, {"level", 2}}, seed);
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
}

}  // namespace arena::web::puzzles_test
