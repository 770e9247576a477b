// `nim-arena export`: what a record holds, for other programs.
#pragma once

#include <functional>
#include <string>

#include "arena/export/export_options.hpp"
#include "arena/store/store.hpp"
#include "protocol/result.hpp"

namespace engine {
class Analyst;
}

namespace arena {

class Guardian;

// Writes the record in the format to `write`, piece by piece. Memory: a game, and for the
// tables a cell for each two players that met. For grades, games that have not been analysed
// are so now, for two seconds each at the most.
protocol::Result<void> export_record(Store& store, ExportFormat format,
                                     const engine::Analyst& analyst,
                                     const std::function<void(const std::string&)>& write);

// To the file, or standard output. Gives the exit status.
int run_export(const ExportOptions& options, const Guardian&);

}  // namespace arena
