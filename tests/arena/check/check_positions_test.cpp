#include "arena/check/check_positions.hpp"

#include "protocol/message.hpp"

namespace arena::check_positions_test {

using namespace testing;

std::vector<PositionKind> all_kinds(const PositionMaker& maker, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<PositionKind> all;
    for (auto& kinds :
         {nim_kinds(maker, random), take_kinds(maker, random), mixed_kinds(maker, random),
          other_kinds(maker, random), huge_kinds(maker)}) {
        all.insert(all.end(), kinds.begin(), kinds.end());
    }
    return all;
}

// The position that a reader of the line gets.
std::string position_after(const std::string& line) {
    const auto command = protocol::parse_command(line);
    const auto& sent = std::get<protocol::PositionCommand>(*command);
    engine::Game game = *engine::read_game(sent.position);
    for (const auto move : sent.moves) game.play(*game.read_move(move));
    return to_string(game.position());
}

TEST(CheckPositions, LinesLeadToTheirGames) {
    for (const bool history : {true, false}) {
        for (const PositionKind& kind : all_kinds(PositionMaker(history), 1)) {
            for (const TestPosition& test : kind.positions) {
                EXPECT_EQ(position_after(test.line), to_string(test.game.position()));
                EXPECT_TRUE(test.game.has_move()) << test.line;
                EXPECT_TRUE(history || test.line.find("moves") == std::string::npos);
            }
        }
    }
}

TEST(CheckPositions, AreDrawnFromTheSeed) {
    const auto lines_of = [](std::uint64_t seed) {
        std::vector<std::string> lines;
        for (const PositionKind& kind : all_kinds(PositionMaker(true), seed)) {
            for (const TestPosition& test : kind.positions) lines.push_back(test.line);
        }
        return lines;
    };
    EXPECT_EQ(lines_of(1), lines_of(1));
    EXPECT_NE(lines_of(1), lines_of(2));
    EXPECT_THAT(lines_of(1), Contains(HasSubstr(" moves ")));
    EXPECT_THAT(lines_of(1), Contains(HasSubstr("misere moves ")));
    EXPECT_THAT(lines_of(1), Contains("position fen nim:5,0,0,2"));
}

TEST(CheckPositions, LongPlayHasEveryMoveInItsLine) {
    for (const char* ruleset : {"nim", "take{1,3,4}"}) {
        for (const bool first : {true, false}) {
            const auto test = PositionMaker(true).make_after_long_play(ruleset, 10000, first);
            EXPECT_EQ(position_after(test.line), to_string(test.game.position()));
            EXPECT_EQ(to_string(test.game.position()),
                      std::string(ruleset) + (first ? ":0,1" : ":1,0"));
            EXPECT_GT(test.line.size(), 60'000u);
        }
    }
}

TEST(CheckPositions, ManyMovesMakeALineLongerThanAnyUsualBuffer) {
    for (const char* ruleset : {"nim", "take{1,3,4}"}) {
        std::size_t most = 0;
        for (const auto& test : positions_of_many_moves(PositionMaker(true), ruleset)) {
            EXPECT_EQ(position_after(test.line), to_string(test.game.position()));
            most = std::max(most, test.game.moves(10000).size());
        }
        EXPECT_GE(most, 5000u);
    }
}

TEST(CheckPositions, RandomPlayStopsBeforeTheEnd) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        std::mt19937_64 random(seed);
        EXPECT_TRUE(
            PositionMaker(true).make_after_random_play("nim:2,1", 10, random).game.has_move());
    }
}

}  // namespace arena::check_positions_test
