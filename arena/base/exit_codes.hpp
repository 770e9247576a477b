// Exit statuses of all commands of nim-arena.
#pragma once

#include <string_view>

namespace arena {

enum ExitCode : int {
    kExitPlayed = 0,
    kExitInternal = 1,  // or `check` found a fault
    kExitUsage = 2,
    kExitStartup = 3,
    kExitStrict = 4,
    kExitH0 = 5,  // of a sequential test
    kExitH1 = 6,
    kExitRecord = 7,         // another tournament's record, or one that cannot be written
    kExitRefuted = 8,        // `certify`: the bot is not right everywhere
    kExitHungUp = 129,       // SIGHUP
    kExitInterrupted = 130,  // SIGINT
    kExitTerminated = 143,   // SIGTERM
};

// Of the commands that play games.
inline constexpr std::string_view kExitTable = R"(Exit status:
  0        played to the end
  1        an error of the arena itself, or a file cannot be written
  2        the command line is wrong; nothing was started
  3        a player cannot be started, or the handshake fails; or the sandbox does not work
  4        with --strict: a player's fault ended some game
  5, 6     a sequential test (--sprt, --sprt-error) accepted H0, H1
  7        the record is of another tournament, or cannot be written (disk full)
  129/130/143
           interrupted; what was played is reported and written
)";

}  // namespace arena
