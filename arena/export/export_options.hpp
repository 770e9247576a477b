// The command lines of `nim-arena export` and `nim-arena show`, checked.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "arena/command_line.hpp"
#include "arena/store/game_key.hpp"

namespace arena {

enum class ExportFormat { Pgn, JsonLines, CrossTable, Grades };

struct ExportOptions {
    std::string record;  // a file
    ExportFormat format = ExportFormat::Pgn;
    std::string output = "-";
};
using ExportCommand = std::variant<ExportOptions, HelpText, UsageError>;
ExportCommand parse_export_options(const std::vector<std::string>& arguments);

struct ShowOptions {
    std::string record;
    GameKey game;
};
using ShowCommand = std::variant<ShowOptions, HelpText, UsageError>;
ShowCommand parse_show_options(const std::vector<std::string>& arguments);

}  // namespace arena
