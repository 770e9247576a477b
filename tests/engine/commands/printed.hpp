// The output of a command of nim-engine, and the answers of its dialogue.
#pragma once

#include "engine/commands/command.hpp"
#include "engine/commands/engine_bot.hpp"
#include "protocol/bot.hpp"
#include "tests/harness/patience.hpp"

namespace engine::test {

struct Printed {
    int status;
    std::string out, errors;
};

inline Printed printed(const Command& command, const std::vector<std::string>& words,
                       const std::string& catalogue = "") {
    std::ostringstream out, errors;
    const int status =
        run_command(command, words, *RulesetNames::parse(catalogue), out, errors);
    return {status, out.str(), errors.str()};
}

// Words that a command refuses, and the text of its error after its name.
struct RefusedWords {
    std::vector<std::string> words;
    std::string error;
    int status = 2;  // 1: they can be read, but it cannot be done
};

inline void expect_refused(const Command& command, std::initializer_list<RefusedWords> cases) {
    for (const auto& [words, error, status] : cases) {
        SCOPED_TRACE(::testing::PrintToString(words));
        const Printed refused = printed(command, words);
        EXPECT_EQ(refused.status, status);
        EXPECT_EQ(refused.out, "");
        EXPECT_EQ(refused.errors,
                  "nim-engine " + std::string(command.name) + ": " + error + "\n");
    }
}

using Lines = std::vector<std::string>;

// All answers of the engine to these lines and the end of input. No query runs out of time,
// unless they say so.
inline Lines talk(const Lines& lines, const std::string& catalogue = "") {
    std::string output;
    {
        const auto names = std::make_shared<RulesetNames>(*RulesetNames::parse(catalogue));
        protocol::Session session(
            engine_info(), std::make_unique<EngineBot>(names),
            [&output](std::string_view written) {
                output += written;
                return true;
            },
            protocol::test::kPatience);
        session.feed("setoption name QueryTime value 3600000");
        for (const std::string& line : lines) {
            if (!session.feed(line)) break;
        }
        session.finish();
    }
    Lines answers;
    std::istringstream stream(output);
    for (std::string line; std::getline(stream, line);) answers.push_back(line);
    return answers;
}

}  // namespace engine::test
