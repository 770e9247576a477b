// The options of a tournament's format, as the command line, files and records have them.
#pragma once

#include "arena/base/option_table.hpp"
#include "arena/contest/format.hpp"

namespace arena {

OptionTable format_table(FormatOptions& options);

// A sequential test records this for --games where a pairing has as many as --max-games allows.
inline constexpr std::string_view kUpToMost = "up to max-games";
int games_up_to(std::uint64_t most);

// The format of a record with these players. Errors: values that configuration_of() does not
// write.
protocol::Result<FormatOptions> recorded_format(const Configuration& configuration,
                                                const std::vector<Entrant>& entrants);
// The games that a recorded contest of this format plays in all, at most its --max-games; empty
// if unknown. A sequential test or a ladder's budget may end it earlier.
std::optional<std::uint64_t> games_in_all(const Configuration& configuration,
                                          const Format& format);
// How many players were there from the start.
int first_players(const std::vector<Entrant>& entrants);

}  // namespace arena
