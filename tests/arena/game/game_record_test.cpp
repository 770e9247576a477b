#include "arena/game/game_record.hpp"

#include <tuple>

namespace arena::game_record_test {

TEST(Reason, HasTheNameOfTheRecordAndIsAFaultOrNot) {
    const std::vector<std::tuple<Reason, std::string, bool>> cases{
        {Reason::NoMoves, "no-moves", false},
        {Reason::Repetition, "repetition", false},
        {Reason::PlyLimit, "ply-limit", false},
        {Reason::Adjudicated, "adjudicated", false},
        {Reason::IllegalMove, "illegal-move", true},
        {Reason::Timeout, "timeout", true},
        {Reason::Disconnected, "disconnected", true},
        {Reason::Protocol, "protocol", true},
        {Reason::Startup, "startup", true},
        {Reason::OffTurn, "off-turn", true},
        {Reason::Void, "void", false},
    };
    for (const auto& [reason, text, fault] : cases) {
        EXPECT_EQ(name(reason), text);
        EXPECT_EQ(parse_reason(text), reason);
        EXPECT_EQ(is_fault(reason), fault) << text;
    }
    EXPECT_EQ(parse_reason("unknown"), std::nullopt);
    EXPECT_EQ(fault_words(Reason::Timeout), "no move in time");
    EXPECT_EQ(fault_words(Reason::Adjudicated), "");
}

TEST(LastLines, HaveBlanksForTabs) {
    EXPECT_EQ(last_lines("first\nError\r\n\tat Bot.main(Bot.java:7)\x1b", 2, 40),
              (std::vector<std::string>{"Error", "    at Bot.main(Bot.java:7)\\x1b"}));
    EXPECT_EQ(split_printable("\ta\tb"), std::vector<std::string>{"    a    b"});
}

GameRecord burnt(Microseconds first, Microseconds second, std::optional<int> winner) {
    GameRecord record;
    record.reason = Reason::Timeout;
    record.winner = winner;
    record.times = {std::chrono::seconds(1), std::chrono::seconds(4), std::chrono::seconds(1)};
    record.off_turn_cpu = {first, second};
    return record;
}

TEST(OffTurnVerdict, IsOnWhoUsedMoreThanATenthOfItsOpponentsTime) {
    using std::chrono_literals::operator""ms;
    EXPECT_FALSE(off_turn_verdict(burnt(400ms, 200ms, 0))) << "0.1 * 4 s, and 0.2 s";
    const auto first = off_turn_verdict(burnt(401ms, 0ms, 0));
    ASSERT_TRUE(first);
    EXPECT_EQ(first->reason, Reason::OffTurn);
    EXPECT_EQ(first->winner, 1);
    EXPECT_EQ(first->faulty_seat(), 0);
    EXPECT_EQ(first->detail,
              "p1 used 0.40 s of CPU time while its opponent was to move, expected 0.40 s at "
              "most");
    const auto second = off_turn_verdict(burnt(0ms, 201ms, std::nullopt));
    ASSERT_TRUE(second);
    EXPECT_EQ(second->winner, 0);
    EXPECT_EQ(off_turn_verdict(burnt(500ms, 600ms, 1))->winner, 0) << "of two, who used more";
}

TEST(OffTurnVerdict, LeavesAGameThatItLostAnyway) {
    using std::chrono_literals::operator""ms;
    EXPECT_FALSE(off_turn_verdict(burnt(900ms, 0ms, 1)));
    auto record = burnt(900ms, 0ms, std::nullopt);
    record.reason = Reason::Void;
    EXPECT_FALSE(off_turn_verdict(record));
}

TEST(KeptText, IsPrintableAndShort) {
    EXPECT_EQ(kept_text("bestmove 1=\x1b\xff"), "bestmove 1=\\x1b\xEF\xBF\xBD");
    const std::string kept = kept_text(std::string(1 << 20, '9'));
    EXPECT_EQ(kept, std::string(1000, '9') + "…");
    EXPECT_EQ(kept_text(kept), kept);
}

TEST(AddStrike, KeepsTheTextsOfTheFirstOnes) {
    std::vector<Strike> strikes;
    const Cause fault{Reason::IllegalMove, "", std::string(1 << 20, '\\')};
    for (std::size_t ply = 1; ply <= 5000; ++ply) add_strike(strikes, ply, fault);
    ASSERT_EQ(strikes.size(), 5000u);
    EXPECT_EQ(strikes[99].received, kept_text(fault.received));
    EXPECT_EQ(strikes[100].received, "");
    EXPECT_EQ(strikes[100].ply, 101u);
    EXPECT_EQ(strikes[4999].reason, Reason::IllegalMove);
}

}  // namespace arena::game_record_test
