#include "arena/replay_options.hpp"

#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Error;
using protocol::Fault;
using protocol::Result;

constexpr std::array kOptions{
    OptionText{"Options", "player", "N",
               "1 or 2: ask p1 or p2 alone (default: one after the other)"},
    OptionText{"Options", "no-timeouts", nullptr,
               "wait for replies as long as it takes, as for a player under a debugger"},
    OptionText{"Options", "insecure", nullptr,
               "await a listen:// player beyond this machine, too, whoever dials in first"},
    OptionText{"Options", "log", "FILE", "write every line to and from the player into FILE"},
};

constexpr std::string_view kHead =
    R"(Usage: nim-arena replay FILE.db GAME [--player N [-- COMMAND ARGUMENT...]] [OPTION]...

Puts the questions of a recorded game to its players again, byte for byte: seed, positions, moves
and clocks are those of the record. Compares the answers with those that were recorded, and shows
the first that differs. COMMAND takes the place of the player, as for a new version of it, or for
one that runs under a debugger.

)";

constexpr std::string_view kTail = R"(
Examples:
  nim-arena replay spring.db 1.3.12.1.1.2
  nim-arena replay spring.db 1.3.12.1.1.2 --player 2 --no-timeouts -- gdbserver :2345 ./bot

Exit status:
  0  all answers are those of the record
  1  an answer differs, or the record cannot be read, or has no such game
  2  the command line makes no sense; nothing was started
  3  the player cannot be started, or does not shake hands
  129/130/143
     interrupted
)";

UsageError refuse(std::string text) {
    return usage_error("replay", Error{Fault::BadInput, std::move(text), 0});
}

}  // namespace

ReplayCommand parse_replay_options(const std::vector<std::string>& arguments) {
    const auto split = split_arguments(kOptions, arguments);
    if (!split) return usage_error("replay", split.error());
    if (asks_for_help(*split))
        return HelpText{fmt::format("{}{}{}", kHead, describe_options(kOptions), kTail)};
    ReplayOptions options;
    std::vector<std::string> words;
    for (const auto& [option, value] : *split) {
        if (option == "player") {
            const auto number = parse_count(value, 1, 2);
            if (!number) return refuse("--player: " + number.error().text);
            options.seat = static_cast<int>(*number) - 1;
        } else if (option == "no-timeouts") {
            options.timeouts = false;
        } else if (option == "insecure") {
            options.insecure = true;
        } else if (option == "log") {
            options.log = value;
        } else {
            words.push_back(value);
        }
    }
    if (words.size() < 2) {
        return refuse(fmt::format("read {} argument{}, expected the record's file and a game",
                                  words.size(), words.size() == 1 ? "" : "s"));
    }
    options.record = words[0];
    const auto game = parse_game_key(words[1]);
    if (!game) return usage_error("replay", game.error());
    options.game = *game;
    options.command.assign(words.begin() + 2, words.end());
    if (!options.command.empty() && !options.seat)
        return refuse("read a command, expected --player N too: whom it stands in for");
    return options;
}

}  // namespace arena
