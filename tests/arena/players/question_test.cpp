#include "arena/players/question.hpp"

#include "protocol/line_buffer.hpp"
#include "protocol/text.hpp"

namespace arena::question_test {

using namespace std::chrono_literals;

TimeControl per_move(Milliseconds movetime) {
    TimeControl clock;
    clock.movetime = movetime;
    return clock;
}
TimeControl base(Milliseconds time, Milliseconds increment) {
    TimeControl clock;
    clock.movetime.reset();
    clock.base = time;
    clock.increment = increment;
    return clock;
}
TimeControl no_clock() {
    TimeControl clock;
    clock.movetime.reset();
    return clock;
}

Referee game_at(std::string_view position, const TimeControl& first,
                const TimeControl& second) {
    return Referee(*engine::read_game(position), {first, second}, 10000);
}

std::string text_of(const Referee& referee, const std::string& history, bool with_history,
                    bool with_legal_moves = false) {
    std::string message = "what was in it before";
    write_question(message, {referee, history}, with_history, with_legal_moves);
    return message;
}

TEST(Question, TellsTheHistory) {
    auto referee = game_at("nim:3,4,5", per_move(1000ms), per_move(1000ms));
    EXPECT_EQ(text_of(referee, "position fen nim:3,4,5", true),
              "position fen nim:3,4,5\ngo movetime 1000\n");
    ASSERT_TRUE(referee.answer("1=0", 1us));
    EXPECT_EQ(text_of(referee, "position fen nim:3,4,5 moves 1=0", true),
              "position fen nim:3,4,5 moves 1=0\ngo movetime 1000\n");
}

TEST(Question, TellsThePositionWithoutHistory) {
    auto referee = game_at("3,4+take{1,2}:07 misere", per_move(1000ms), per_move(1000ms));
    EXPECT_EQ(text_of(referee, "position fen x", false),
              "position fen nim:3,4+take{1,2}:7 misere\ngo movetime 1000\n");
    ASSERT_TRUE(referee.answer("1=0", 1us));
    ASSERT_TRUE(referee.answer("3=5", 1us));
    EXPECT_EQ(text_of(referee, "position fen x moves 1=0 3=5", false),
              "position fen nim:0,4+take{1,2}:5 misere\ngo movetime 1000\n");
    // A history that does not fit a line is left out.
    EXPECT_EQ(text_of(referee, "", true),
              "position fen nim:0,4+take{1,2}:5 misere\ngo movetime 1000\n");
}

TEST(Question, TellsTheClocks) {
    auto referee = game_at("nim:9", base(60000ms, 1000ms), base(30000ms, 20ms));
    const std::string history = "position fen nim:9";
    EXPECT_EQ(text_of(referee, history, true),
              history + "\ngo p1time 60000 p2time 30000 p1inc 1000 p2inc 20\n");
    EXPECT_EQ(text_of(referee, history, false),
              history + "\ngo p1time 60000 p2time 30000 p1inc 1000 p2inc 20\n");

    ASSERT_TRUE(referee.answer("1=8", 2500ms));
    const std::string after = "position fen nim:9 moves 1=8";
    EXPECT_EQ(text_of(referee, after, true),
              after + "\ngo p1time 58500 p2time 30000 p1inc 1000 p2inc 20\n");
    // Without the history, player 1 is the one to move, here the former player 2.
    EXPECT_EQ(text_of(referee, after, false),
              "position fen nim:8\ngo p1time 30000 p2time 58500 p1inc 20 p2inc 1000\n");

    ASSERT_TRUE(referee.answer("1=7", 1020ms));
    EXPECT_EQ(text_of(referee, after, false),
              "position fen nim:7\ngo p1time 58500 p2time 29000 p1inc 1000 p2inc 20\n");
}

TEST(Question, HasTheTimeOfThePlayerToMove) {
    const struct {
        TimeControl first, second;
        std::string ask_first, ask_second, ask_second_without_history;
    } cases[] = {
        {per_move(100ms), per_move(200ms), "go movetime 100", "go movetime 200",
         "go movetime 200"},
        {no_clock(), no_clock(), "go", "go", "go"},
        {no_clock(), per_move(200ms), "go", "go movetime 200", "go movetime 200"},
        {no_clock(), base(5000ms, 20ms), "go p2time 5000 p2inc 20", "go p2time 5000 p2inc 20",
         "go p1time 5000 p1inc 20"},
        {base(5000ms, 0ms), no_clock(), "go p1time 5000 p1inc 0", "go p1time 5000 p1inc 0",
         "go p2time 5000 p2inc 0"},
        {base(5000ms, 0ms), per_move(200ms), "go p1time 5000 p1inc 0",
         "go p1time 5000 p1inc 0 movetime 200", "go p2time 5000 p2inc 0 movetime 200"},
    };
    for (const auto& row : cases) {
        auto referee = game_at("nim:9", row.first, row.second);
        EXPECT_EQ(text_of(referee, "position", true), "position\n" + row.ask_first + "\n");
        ASSERT_TRUE(referee.answer("1=8", 0us));
        EXPECT_EQ(text_of(referee, "position", true), "position\n" + row.ask_second + "\n");
        EXPECT_EQ(text_of(referee, "position", false),
                  "position fen nim:8\n" + row.ask_second_without_history + "\n");
    }
}

TEST(Question, ListsTheLegalMovesLast) {
    auto referee = game_at("nim:2,0,1+take{2,3}:7", per_move(1000ms), base(50ms, 7ms));
    EXPECT_EQ(text_of(referee, "position", true, true),
              "position\ngo p2time 50 p2inc 7 movetime 1000 "
              "searchmoves 1=0 1=1 3=0 4=5 4=4\n");
    ASSERT_TRUE(referee.answer("4=4", 0us));
    EXPECT_EQ(text_of(referee, "position", true, true),
              "position\ngo p2time 50 p2inc 7 searchmoves 1=0 1=1 3=0 4=2 4=1\n");
}

TEST(Question, ListsAtMostTenThousandMoves) {
    for (const auto& [position, count] : {std::pair{"nim:9999", 9999u},
                                          {"nim:10000", 10000u},
                                          {"nim:10001", 10000u},
                                          {"nim:9999,9223372036854775807", 10000u}}) {
        const auto referee = game_at(position, no_clock(), no_clock());
        const std::string message = text_of(referee, "position", true, true);
        const std::string go = message.substr(message.find('\n') + 1);
        std::vector<std::string> expected{"go", "searchmoves"};
        for (const auto& move : referee.game().moves(count))
            expected.push_back(to_string(move));
        const auto words = protocol::split_words(std::string_view(go).substr(0, go.size() - 1));
        EXPECT_TRUE(std::equal(words.begin(), words.end(), expected.begin(), expected.end()))
            << position;
        EXPECT_EQ(words.size(), count + 2);
    }
}

TEST(Question, ListsTheMovesThatFitTheLine) {
    const auto game = *engine::read_game("nim:3");
    const std::string all = " searchmoves 1=0 1=1 1=2";
    const struct {
        std::size_t room;
        std::string listed;
    } cases[] = {
        {all.size() + 100, all},
        {all.size(), all},
        {all.size() - 1, " searchmoves 1=0 1=1"},
        {all.size() - 4, " searchmoves 1=0 1=1"},
        {all.size() - 5, " searchmoves 1=0"},
    };
    for (const auto& row : cases) {
        // The text before the line does not count.
        const std::string before(12345, 'p');
        const std::string begun(protocol::kMaxLine - row.room, 'g');
        std::string message = before + begun;
        append_search_moves(message, game, before.size());
        EXPECT_LE(message.size() - before.size(), protocol::kMaxLine);
        EXPECT_EQ(message.substr(before.size() + begun.size()), row.listed) << row.room;
    }
}

}  // namespace arena::question_test
