// `nim-arena games`: a line for each game of a record.
#include <algorithm>
#include <cstdio>
#include <string_view>

#include <fmt/format.h>

#include "arena/base/console.hpp"
#include "arena/base/counted.hpp"
#include "arena/base/exit_codes.hpp"
#include "arena/base/option_table.hpp"
#include "arena/commands/commands.hpp"
#include "arena/record/annotate.hpp"
#include "arena/report/record_head.hpp"
#include "engine/sums/analyst.hpp"
#include "protocol/suggest.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

struct GamesOptions {
    std::string record;  // a file
    std::string player;  // a number or a name; empty: all players
    bool faults = false;
    bool thrown = false;
};

OptionTable games_command_table(GamesOptions& options) {
    return {
        text(
            {"Options", "player", "N|NAME",
             "only games of this player: its number, from 1 in the order of the tournament, or "
             "its name"},
            options.player, "a player"),
        flag({"Options", "faults", nullptr,
              "only games with a fault (of --player, if given): those it ended, and those in "
              "which the arena moved instead"},
             options.faults),
        flag({"Options", "thrown", nullptr,
              "only games that a player (--player, if given) did not win although it could, "
              "with the move that threw it; games that have no analysis get one now, at most "
              "two seconds each"},
             options.thrown),
    };
}

constexpr std::string_view kGamesHead = R"(Usage: nim-arena games FILE.db [OPTION]...

Lists the games of a record in the order of its schedule: key, result, start
position. `show` and `replay` take a key, or the beginning of one. --faults and
--thrown together list games of either kind.

)";

constexpr std::string_view kGamesTail = R"(
Examples:
  nim-arena games spring.db
  nim-arena games spring.db --player Ann --faults --thrown

Exit status:
  0  listed
  1  the record cannot be read, or has no such player
  2  the command line is wrong
  7  the record is damaged; what is left out is named
)";

// nullopt: any player.
Result<std::optional<int>> find_player(const std::string& text,
                                       const std::vector<std::string>& names) {
    if (text.empty()) return std::optional<int>();
    if (const auto number = parse_count(text, 1, names.size())) {
        return std::optional(static_cast<int>(*number) - 1);
    }
    const auto name = std::ranges::find(names, text);
    if (name != names.end()) return std::optional(static_cast<int>(name - names.begin()));
    const std::vector<std::string_view> known(names.begin(), names.end());
    return bad_input("--player: read {}, expected a number 1..{} or one of the names: {}{}",
                     protocol::quoted(text), names.size(),
                     protocol::printable(fmt::format("{}", fmt::join(names, ", ")), 1000),
                     protocol::suggestion(text, known));
}

class Listing {
  public:
    Listing(const GamesOptions& options, const std::vector<std::string>& names,
            std::optional<int> player, const engine::Analyst& analyst)
        : options_(options), names_(names), player_(player), analyst_(analyst) {}

    // The line of a game, without its end; empty if it is not listed.
    std::string line(const GameRecord& record) const {
        if (player_ && std::ranges::count(record.task.players, *player_) == 0) return {};
        std::string notes;
        for (std::size_t seat = 0; seat < 2; ++seat) {
            if (player_ && record.task.players[seat] != *player_) continue;
            if (options_.faults) notes += fault_note(record, seat);
        }
        if (options_.thrown && record.reason != Reason::Void) notes += throw_notes(record);
        if (notes.empty() && (options_.faults || options_.thrown)) return {};
        return fmt::format("{}  {}, from {}{}", to_string(record.task.key),
                           outcome_text(record, names_),
                           protocol::printable(record.task.position.text()), notes);
    }

  private:
    const std::string& name_of(const GameRecord& record, std::size_t seat) const {
        return names_[static_cast<std::size_t>(record.task.players[seat])];
    }

    std::string fault_note(const GameRecord& record, std::size_t seat) const {
        std::string note;
        if (record.faulty_seat() == static_cast<int>(seat)) {
            note += fmt::format("; {} is at fault: {}", name_of(record, seat),
                                protocol::printable(record.detail));
        }
        if (!record.strikes[seat].empty()) {
            note += fmt::format("; {} made by the arena for {}",
                                counted(record.strikes[seat].size(), "move"),
                                name_of(record, seat));
        }
        return note;
    }

    std::string throw_notes(const GameRecord& record) const {
        const GameAnalysis analysis = analysis_of(record, analyst_);
        std::string notes;
        for (std::size_t seat = 0; seat < 2; ++seat) {
            if (player_ && record.task.players[seat] != *player_) continue;
            const std::size_t ply = first_throw(record, analysis, seat);
            if (ply == 0 || record.winner == static_cast<int>(seat)) continue;
            notes += fmt::format("; {} threw it by move {}, {}", name_of(record, seat), ply,
                                 protocol::printable(record.moves[ply - 1]));
        }
        return notes;
    }

    const GamesOptions& options_;
    const std::vector<std::string>& names_;
    std::optional<int> player_;
    const engine::Analyst& analyst_;
};

int list_games(Store& store, const RecordHead& head, const GamesOptions& options) {
    const auto player = find_player(options.player, head.names);
    if (!player) return refuse_record(player.error());
    const auto analyst = engine::make_analyst();
    const Listing listing(options, head.names, *player, *analyst);
    Console console(stdout);
    std::uint64_t games = 0;
    std::uint64_t listed = 0;
    const auto read = store.for_each_game([&](const GameRecord& game) {
        if (!head.has_players(game.task.players)) return true;
        const std::string line = listing.line(game);
        ++games;
        if (line.empty()) return true;
        ++listed;
        console.write(line + "\n");
        return !console.failed();
    });
    if (!read) return refuse_record(read.error());
    console.write(listed == games ? counted(games, "game") + "\n"
                                  : fmt::format("{} of {}\n", listed, counted(games, "game")));
    return console.finish(kExitPlayed);
}

int run_games(const GamesOptions& options) {
    return on_record(options.record, [&](Store& store, const RecordHead& head) {
        return list_games(store, head, options);
    });
}

}  // namespace

int commands::games(const Words& words, const Guardian&) {
    GamesOptions options;
    CommandLine line("nim-arena games", games_command_table(options), kGamesHead, kGamesTail);
    line.argument = takes_record(options.record);
    line.finish = [&](const Given&) { return needs_record(options.record); };
    return run(parse(line, words, options), run_games);
}

}  // namespace arena
