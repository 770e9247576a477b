#include "arena/game/game_record.hpp"

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

namespace arena {
namespace {

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
        {Reason::Void, "void", false},
    };
    for (const auto& [reason, text, fault] : cases) {
        EXPECT_EQ(name(reason), text);
        EXPECT_EQ(parse_reason(text), reason);
        EXPECT_EQ(is_fault(reason), fault) << text;
    }
    EXPECT_EQ(parse_reason("unknown"), std::nullopt);
}

TEST(KeptText, IsFitToBeShownAndShort) {
    EXPECT_EQ(kept_text("bestmove 1=\x1b\xff"), "bestmove 1=\\x1b\xEF\xBF\xBD");
    const std::string kept = kept_text(std::string(1 << 20, '9'));
    EXPECT_EQ(kept, std::string(1000, '9') + "…");
    EXPECT_EQ(kept_text(kept), kept);
}

}  // namespace
}  // namespace arena
