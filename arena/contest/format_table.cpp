#include "arena/contest/format_table.hpp"

#include <algorithm>

namespace arena {

using protocol::Result;

OptionTable format_table(FormatOptions& options) {
    constexpr int kMostSeeds = 20'000;
    const auto milliseconds_of = [](const std::string& text) {
        return parse_milliseconds(text, 0);
    };
    return {
        value(
            {"Tournament",
             "format",
             "FORMAT",
             "round-robin, gauntlet, swiss, knockout or ladder (default: {})",
             false,
             false,
             {"round-robin", "gauntlet", "swiss", "knockout", "ladder"}},
            options.kind, parse_format_kind, [](FormatKind kind) { return name(kind); },
            parse_format_kind)
            .recorded(),
        even_count(
            {"Tournament", "games", "N",
             "games of each pairing, even; two from each position (default: as many as the "
             "positions need, {} at least)"},
            options.games, kMaxGamesOfPairing)
            .recorded(),
        count({"Tournament", "cycles", "N",
               "round-robin: how many times each player meets each other (default: {})"},
              options.cycles, 1, kMaxCycles)
            .recorded(),
        count({"Tournament", "seeds", "N",
               "gauntlet: how many of the first players meet all the others (default: {})"},
              options.seeds, 1, kMostSeeds)
            .recorded(),
        count({"Tournament", "rounds", "N",
               "swiss: rounds (default: as many as a knockout needs)"},
              options.rounds, 1, kMaxSwissRounds)
            .recorded(),
        value({"Tournament", "budget", "TIME",
               "ladder: the time for as many fair rounds as fit, such as 90m, 2h or 30s; "
               "required there"},
              options.budget, parse_duration, kPrinted, milliseconds_of)
            .recorded(),
    };
}

int games_up_to(std::uint64_t most) {
    return static_cast<int>(std::min<std::uint64_t>(most, kMaxGamesOfPairing));
}

int first_players(const std::vector<Entrant>& entrants) {
    return static_cast<int>(std::ranges::count(entrants, 1, &Entrant::first_round));
}

Result<FormatOptions> recorded_format(const Configuration& configuration,
                                      const std::vector<Entrant>& entrants) {
    FormatOptions options;
    std::uint64_t max_games = 0;
    OptionTable table = format_table(options);
    table.push_back(count({"", "max-games", "", ""}, max_games, 0, 0).recorded());
    table.push_back(count({"", "seed", "", ""}, options.seed, 0, 0).recorded());
    options.players = first_players(entrants);
    Configuration numbers = configuration;
    std::erase(numbers, std::pair<std::string, std::string>("games", kUpToMost));
    const auto done = recall(table, numbers);
    if (!done) return done.error();
    if (numbers.size() < configuration.size()) options.games = games_up_to(max_games);
    options.open = options.kind == FormatKind::Clinic ||
                   (options.kind == FormatKind::Ladder && options.budget.count() == 0);
    return options;
}

std::optional<std::uint64_t> games_in_all(const Configuration& configuration,
                                          const Format& format) {
    const auto total = format.total_games();
    const auto most = protocol::parse_number(setting(configuration, "max-games"));
    if (!most || *most == 0) return total;
    return std::min(total.value_or(*most), *most);
}

}  // namespace arena
