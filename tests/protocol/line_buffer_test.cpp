#include "protocol/line_buffer.hpp"

namespace protocol::line_buffer_test {

// Feeds `text` in pieces of `piece` bytes; returns the lines, and "!" for errors.
std::vector<std::string> lines_of(LineBuffer& buffer, std::string_view text,
                                  std::size_t piece) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const auto room = buffer.space();
        const std::size_t size = std::min({piece, text.size(), room.size()});
        std::copy_n(text.data(), size, room.data());
        buffer.commit(size);
        text.remove_prefix(size);
        while (const auto line = buffer.next_line()) {
            lines.emplace_back(*line ? std::string(**line) : "!");
        }
    }
    return lines;
}

TEST(LineBuffer, GivesTheSameLinesHoweverBytesArrive) {
    for (std::size_t piece = 1; piece < 20; ++piece) {
        LineBuffer buffer;
        EXPECT_EQ(lines_of(buffer, "one\ntwo\r\n\n\rthree\r\r\nrest", piece),
                  (std::vector<std::string>{"one", "two", "", "\rthree\r"}));
        EXPECT_EQ(**buffer.rest(), "rest");
        EXPECT_FALSE(buffer.rest());
    }
}

TEST(LineBuffer, AllowsTheLimitAndReportsLongerLinesOnce) {
    for (const std::size_t piece : {1u, 2u, 3u, 7u, 100u}) {
        LineBuffer buffer(4);
        EXPECT_EQ(lines_of(buffer, "1234\n1234\r\n12345\nab\n123456789012\r\ncd\n", piece),
                  (std::vector<std::string>{"1234", "1234", "!", "ab", "!", "cd"}));
        EXPECT_FALSE(buffer.rest());
    }
}

TEST(LineBuffer, HoldsTheLastLineToTheLimitToo) {
    const std::pair<const char*, bool> cases[] = {
        {"1234", true}, {"1234\r", true}, {"12345", false}};
    for (const auto& [text, fits] : cases) {
        LineBuffer buffer(4);
        lines_of(buffer, text, 1);
        const auto rest = buffer.rest();
        ASSERT_TRUE(rest) << text;
        EXPECT_EQ(rest->has_value(), fits) << text;
        if (!fits) {
            EXPECT_EQ(rest->error().fault, Fault::TooLong);
        }
        EXPECT_FALSE(buffer.rest());
    }
}

TEST(LineBuffer, ForgetsALineWithoutEnd) {
    LineBuffer buffer(100);
    const std::string flood(100000, 'x');
    EXPECT_EQ(lines_of(buffer, flood, 1000), (std::vector<std::string>{"!"}));
    EXPECT_LT(buffer.space().size(), 20000u);
    EXPECT_FALSE(buffer.rest());
    EXPECT_EQ(lines_of(buffer, "x\nnext\n", 3), (std::vector<std::string>{"next"}));
}

TEST(LineBuffer, HasMoreRoomForAPeerThatFillsIt) {
    LineBuffer buffer;
    const std::size_t at_first = buffer.space().size();
    std::string lines;
    while (lines.size() < at_first) lines += "\n";
    lines_of(buffer, lines, at_first);
    EXPECT_GT(buffer.space().size(), at_first);
    lines_of(buffer, "\n", 1);
    EXPECT_EQ(buffer.space().size(), 2 * at_first) << "and no more without need";
}

TEST(LineBuffer, NamesTheLimitInItsError) {
    LineBuffer buffer(4);
    const auto room = buffer.space();
    std::fill_n(room.data(), 10, 'x');
    buffer.commit(10);
    const auto line = buffer.next_line();
    ASSERT_TRUE(line);
    EXPECT_EQ(line->error(),
              (Error{Fault::TooLong, "read a line beyond 4 bytes, expected a shorter one", 0}));
}

TEST(LineBuffer, KeepsMemoryBoundedOverAMillionShortLines) {
    LineBuffer buffer;
    std::string text;
    for (int i = 0; i < 1000; ++i) text += "bestmove 1=0\n";
    for (int i = 0; i < 1000; ++i) EXPECT_EQ(lines_of(buffer, text, 5000).size(), 1000u);
    EXPECT_LT(buffer.space().size(), 100000u);
}

}  // namespace protocol::line_buffer_test
