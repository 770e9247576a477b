#include "bots/greedy/greedy_choice.hpp"

#include "protocol/text.hpp"

namespace bots::greedy_choice_test {

engine::Game game(std::string_view text) {
    auto started = engine::Game::start(*protocol::parse_position(text));
    EXPECT_TRUE(started) << text;
    return *std::move(started);
}

std::string text_of(const std::optional<protocol::Move>& move) {
    return move ? to_string(*move) : "none";
}

TEST(GreedyChoice, TakesMostFromTheLargestHeap) {
    const std::pair<const char*, const char*> cases[] = {
        {"nim:3,4,5", "3=0"},
        {"nim:5,4,5", "1=0"},
        {"nim:3,4,5 misere", "3=0"},
        {"nim:0,0", "none"},
        {"nim:0,1", "2=0"},
        {"take{1,3,4}:21", "1=17"},
        {"take{1,3,4}:2,2", "1=1"},
        // the largest heap with a move
        {"take{5}:4+nim:3", "2=0"},
        {"take{7-9}:6,8,7", "2=0"},
        {"take{!1,2}:10", "1=0"},
        {"take{2-}:9223372036854775807", "1=0"},
        {"take{1-5}:9223372036854775807", "1=9223372036854775802"},
        {"nim:9223372036854775807,9223372036854775806", "1=0"},
        {"nim:9,(w),(w^2),(w*5)", "3=0"},
    };
    for (const auto& [position, move] : cases) {
        EXPECT_EQ(text_of(greedy_choice(game(position))), move) << position;
    }
}

TEST(Greedy, AgreesWithATestOfAllMoves) {
    for (const char* ruleset : {"nim", "take{1,3,4}", "take{2-5,9}", "take{!1,4}"}) {
        for (int size = 0; size <= 40; ++size) {
            const auto position = game(std::string(ruleset) + ":" + std::to_string(size));
            const auto moves = position.moves(1000);
            EXPECT_EQ(greedy_choice(position), greedy_choice(position.position(), moves))
                << ruleset << ' ' << size;
        }
    }
}

TEST(Greedy, ChoosesAmongCandidatesOfUnknownRules) {
    const auto choose = [](const char* text, const char* words) {
        const auto position = *protocol::parse_position(text);
        std::vector<protocol::Move> candidates;
        for (const auto word : protocol::split_words(words)) {
            candidates.push_back(*protocol::parse_move(word, position));
        }
        return text_of(greedy_choice(position, candidates));
    };
    EXPECT_EQ(choose("unknown:3,9,9", "1=0 2=8 2=1,3 2=4 3=0"), "3=0");
    EXPECT_EQ(choose("unknown:3,9,9", "1=0 2=8 2=1,3 2=4"), "2=1,3");  // the first of equals
    EXPECT_EQ(choose("unknown:(3,5),7", "2=0 1=(1,1) 1=(0,3)"), "1=(1,1)");
    EXPECT_EQ(choose("graph{a->b,c;b->c}:a", "1=c 1=b"), "1=c");
    EXPECT_EQ(choose("unknown:3", ""), "none");
}

}  // namespace bots::greedy_choice_test
