// `nim-arena export`: what a record holds, for other programs.
#pragma once

#include <functional>
#include <string>

#include "arena/base/option_table.hpp"
#include "arena/record/store.hpp"
#include "protocol/result.hpp"

namespace engine {
class Analyst;
}

namespace arena {

enum class ExportFormat { Pgn, JsonLines, CrossTable, Grades, Starts };

struct ExportOptions {
    std::string record;  // a file
    ExportFormat format = ExportFormat::Pgn;
    std::string output = "-";
};
Parsed<ExportOptions> parse_export_options(const Words& words);

// Writes the record in the format to `write`, piece by piece. Memory: a game, and for the
// tables a cell for each two players that met. For grades, games that have not been analysed
// are so now, for two seconds each at the most.
protocol::Result<void> export_record(Store& store, ExportFormat format,
                                     const engine::Analyst& analyst,
                                     const std::function<void(const std::string&)>& write);

}  // namespace arena
