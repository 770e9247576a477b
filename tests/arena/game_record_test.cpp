#include "arena/game_record.hpp"

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

}  // namespace
}  // namespace arena
