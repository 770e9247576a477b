// `nim-arena show`: prints a recorded game. The text comes from the record alone; the rules
// only draw the positions and find mistakes, so a game of rules that this build does not know
// is still shown.
#include "arena/commands/options.hpp"

#include <cstdio>
#include <string_view>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "arena/base/console.hpp"
#include "arena/base/counted.hpp"
#include "arena/base/exit_codes.hpp"
#include "arena/commands/commands.hpp"
#include "arena/record/annotate.hpp"
#include "arena/record/store.hpp"
#include "arena/report/record_head.hpp"
#include "engine/rules/game.hpp"
#include "engine/sums/analyst.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

constexpr std::string_view kShowHelp = R"(Usage: nim-arena show FILE.db GAME

Prints a game of a record move by move: the players, each position with its
move, the time it took and whether it was a mistake, and how the game ended; for
a fault, what was read, what was expected, and the player's stderr. GAME is the
game's key, such as 1.3.12.1.1.2: stage, round, pairing, position, attempt, leg;
exports and reports name games by it, and `nim-arena games` lists the keys. A
unique beginning of the key is enough; in the record of a match, so is the
number of the game.

Example:
  nim-arena show spring.db 1.3.12.1.1.2

Exit status:
  0  shown
  1  the record cannot be read, or has no such game
  2  the command line is wrong
  7  the record is damaged; what is left out is named
)";

std::string time_text(Microseconds time) {
    return fmt::format("{:.3f} ms", static_cast<double>(time.count()) / 1000);
}

// Indents each line.
std::string indented(std::string_view text) {
    std::string lines;
    for (const std::string& line : split_printable(text))
        lines += fmt::format("    {}\n", line);
    return lines;
}

class Shown {
  public:
    Shown(const GameRecord& record, const GameAnalysis& analysis,
          const std::vector<std::string>& names)
        : record_(record), analysis_(analysis), names_(names) {}

    std::string text() {
        add_head();
        for (const int seat : {0, 1}) add_player(seat);
        text_ += '\n';
        add_moves();
        text_ += '\n';
        add_ending();
        for (const int seat : {0, 1}) add_stderr(seat);
        return std::move(text_);
    }

  private:
    std::string name_of(int seat) const {
        return protocol::printable(names_[static_cast<std::size_t>(
            record_.task.players[static_cast<std::size_t>(seat)])]);
    }

    void add_head() {
        const GameKey& key = record_.task.key;
        text_ += fmt::format(
            "game {}: stage {}, round {}, pairing {}, position {}, attempt {}, leg {}\n",
            to_string(key), key.pair.stage, key.pair.round, key.pair.pairing, key.pair.position,
            key.pair.attempt, key.leg);
        if (record_.started != std::chrono::system_clock::time_point{})
            text_ +=
                fmt::format("began {:%Y-%m-%d %H:%M:%S} UTC\n", fmt::gmtime(record_.started));
    }

    void add_player(int seat) {
        const auto index = static_cast<std::size_t>(seat);
        text_ +=
            fmt::format("p{} {}, seed {}", seat + 1, name_of(seat), record_.task.seeds[index]);
        // 0: not known, because no process of the arena played.
        if (record_.cpu[index] > Microseconds(0))
            text_ += ", CPU time " + time_text(record_.cpu[index]);
        if (record_.off_turn_cpu[index] > Microseconds(0))
            text_ += fmt::format(", {} of it off turn", time_text(record_.off_turn_cpu[index]));
        text_ += '\n';
        if (!record_.builds[index]) return;
        const PlayerBuild& build = *record_.builds[index];
        for (const std::string& line : {build.command, build.id, build.executable})
            text_ += indented(line);
    }

    void add_moves() {
        auto game = engine::Game::start(*record_.task.position);
        text_ += fmt::format("     {}\n", record_.task.position.text());
        for (std::size_t i = 0; i < record_.moves.size(); ++i) {
            text_ +=
                fmt::format("{:>4} p{} {}, {}", i + 1, i % 2 + 1,
                            protocol::printable(record_.moves[i]), time_text(record_.times[i]));
            if (const Strike* strike = record_.strike_at(i + 1)) {
                text_ += fmt::format(" (by the arena: {}", name(strike->reason));
                if (!strike->received.empty())
                    text_ += fmt::format(", read {}", protocol::quoted(strike->received));
                text_ += ')';
            } else {
                text_ += mistake_text(i);
            }
            text_ += '\n';
            add_position_after(game, record_.moves[i]);
        }
    }

    // What a move gave away, and a move that would have kept it; empty if it kept all or if
    // this is not known.
    std::string mistake_text(std::size_t move) const {
        if (move >= analysis_.plies.size()) return {};
        const PlyAnalysis& ply = analysis_.plies[move];
        if (ply.mistake != Finding::Yes) return {};
        const std::string_view lost =
            ply.before == engine::Outcome::N ? "gives the win away" : "gives the draw away";
        return ply.better.empty() ? fmt::format("  mistake: {}", lost)
                                  : fmt::format("  mistake: {}, {} keeps it", lost, ply.better);
    }

    // After a move that the rules do not allow, moves are still listed, but positions are not.
    void add_position_after(protocol::Result<engine::Game>& game, const std::string& move) {
        if (!game) return;
        const auto read = game->read_move(move);
        if (!read) {
            game = read.error();
            return;
        }
        game->play(*read);
        text_ += fmt::format("     {}\n", to_string(game->position()));
    }

    void add_ending() {
        text_ += fmt::format("{}: {} ({})\n", protocol::printable(winner_text(record_, names_)),
                             protocol::printable(record_.detail), name(record_.reason));
        if (record_.faulty_seat())
            text_ += fmt::format("the fault of {}\n", name_of(*record_.faulty_seat()));
        Cause fault = record_;
        fault.stderr_tail.clear();  // add_stderr() shows all that is kept
        text_ += fault_text(fault, std::string::npos);
    }

    void add_stderr(int seat) {
        std::string_view tail = record_.stderr_tails[static_cast<std::size_t>(seat)];
        if (tail.empty() && record_.faulty_seat() == seat) tail = record_.stderr_tail;
        if (tail.empty()) return;
        text_ += fmt::format("last on the stderr of {}:\n{}", name_of(seat), indented(tail));
    }

    const GameRecord& record_;
    const GameAnalysis& analysis_;
    const std::vector<std::string>& names_;
    std::string text_;
};

int run_show(const ShowOptions& options) {
    const std::string& record = options.words[0];
    return on_record(record, [&](Store& store, const RecordHead& head) {
        const auto game = find_game(store, record, options.game);
        if (!game) return refuse_record(game.error());
        Console console(stdout);
        const GameAnalysis analysis = analysis_of(*game, *engine::make_analyst());
        console.write(show_text(*game, analysis, head.names));
        return console.finish(kExitPlayed);
    });
}

}  // namespace

std::string show_text(const GameRecord& record, const GameAnalysis& analysis,
                      const std::vector<std::string>& names) {
    return Shown(record, analysis, names).text();
}

Parsed<ShowOptions> parse_show_options(const Words& words) {
    ShowOptions options;
    CommandLine line("nim-arena show", {}, kShowHelp);
    line.argument = takes_words(options.words);
    line.finish = [&](const Given&) -> protocol::Result<void> {
        if (options.words.size() != 2) {
            const std::size_t given = options.words.size();
            return bad_input(
                "read {}, expected 2: the record's file and a game, such as 1.1.1.1.1.1 of "
                "nim-arena games FILE.db",
                counted(given, "argument"));
        }
        const auto game = parse_key_prefix(options.words[1]);
        if (!game) return game.error();
        options.game = *game;
        return {};
    };
    return parse(line, words, options);
}

int commands::show(const Words& words, const Guardian&) {
    return run(parse_show_options(words), run_show);
}

}  // namespace arena
