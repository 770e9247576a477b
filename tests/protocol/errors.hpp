// Tables of what a parser refuses.
#pragma once

#include "protocol/result.hpp"

namespace protocol::test {

// A text with one mistake, and its error: "column COLUMN: read READ, expected EXPECTED".
struct BadText {
    std::string_view text;
    int column;
    std::string_view read;
    std::string_view expected;
};

// What is often expected.
constexpr std::string_view kHeap = "a heap such as 5, (3,5) or (w+1)";
constexpr std::string_view kPosition = "a position such as nim:3,4,5";
constexpr std::string_view kSmallNumber = "a number up to 9223372036854775807";

// `parse` refuses each text with its error.
template <typename Parse>
void expect_errors(const Parse& parse, std::initializer_list<BadText> cases) {
    for (const auto& [text, column, read, expected] : cases) {
        SCOPED_TRACE(text);
        const auto parsed = parse(text);
        EXPECT_FALSE(parsed);
        if (parsed) continue;
        EXPECT_EQ(describe(parsed.error()), "column " + std::to_string(column) + ": read " +
                                                std::string(read) + ", expected " +
                                                std::string(expected));
    }
}

}  // namespace protocol::test
