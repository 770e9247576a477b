#include "arena/contest/format.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include <fmt/format.h>

#include "arena/base/bad_input.hpp"
#include "arena/contest/planning.hpp"
#include "protocol/suggest.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Result;
using protocol::suggestion;

// Numbers of games and rounds stay within an int, with room for late joiners; and the product
// of these within 64 bits.
constexpr std::uint64_t kMaxPairsOfRound = 1'000'000;

Result<void> check_sizes(const FormatOptions& options) {
    if (options.players < 2 || options.players > kMaxPlayers) {
        return bad_input("players: read {}, expected 2 to {}", options.players, kMaxPlayers);
    }
    const bool is_match = options.kind == FormatKind::Match;
    if (is_match && options.players != 2) {
        return bad_input("players: read {}, expected 2: those of a match", options.players);
    }
    const int most = is_match ? kMaxGames : kMaxGamesOfPairing;
    if (options.games < 2 || options.games > most || options.games % 2 != 0) {
        return bad_input(
            "--games: read {}, expected an even number from 2 to {}, since "
            "games of a pairing come in pairs, sides swapped",
            options.games, most);
    }
    return {};
}

// For formats that plan whole rounds.
Result<void> check_round_size(const FormatOptions& options) {
    const std::uint64_t pairs = static_cast<std::uint64_t>(options.players) *
                                static_cast<std::uint64_t>(options.games) / 2;
    if (pairs <= kMaxPairsOfRound) return {};
    return bad_input(
        "--games: read {} a pairing among {} players, expected {} at the most, "
        "since a round is planned whole",
        options.games, options.players,
        2 * (kMaxPairsOfRound / static_cast<std::uint64_t>(options.players)));
}

Result<void> check_round_robin(const FormatOptions& options) {
    if (options.cycles >= 1 && options.cycles <= kMaxCycles) return {};
    return bad_input("--cycles: read {}, expected 1 to {}", options.cycles, kMaxCycles);
}

Result<void> check_gauntlet(const FormatOptions& options) {
    if (options.seeds >= 1 && options.seeds < options.players) return {};
    return bad_input("--seeds: read {}, expected 1 to {}, so that some are left to meet",
                     options.seeds, options.players - 1);
}

Result<void> check_swiss(const FormatOptions& options) {
    if (options.rounds >= 0 && options.rounds <= kMaxSwissRounds)
        return check_round_size(options);
    return bad_input("--rounds: read {}, expected 1 to {}, or 0 for as few as it takes",
                     options.rounds, kMaxSwissRounds);
}

Result<void> check_ladder(const FormatOptions& options) {
    if (options.budget.count() > 0 || options.open) return check_round_size(options);
    return bad_input("--budget: read {} ms, expected a time to be filled with games",
                     options.budget.count());
}

Result<void> check_clinic(const FormatOptions& options) {
    if (options.open) return check_round_size(options);
    return bad_input("--format: read clinic, expected another: see nim-arena serve --clinic");
}

struct FormatRow {
    FormatKind kind;
    std::string_view name;
    Result<void> (*check)(const FormatOptions& options);
    std::unique_ptr<Format> (*make)(const FormatOptions& options);
};
constexpr std::array kFormats{
    FormatRow{FormatKind::RoundRobin, "round-robin", check_round_robin, make_round_robin},
    FormatRow{FormatKind::Gauntlet, "gauntlet", check_gauntlet, make_gauntlet},
    FormatRow{FormatKind::Swiss, "swiss", check_swiss, make_swiss},
    FormatRow{FormatKind::Knockout, "knockout", check_round_size, make_knockout},
    FormatRow{FormatKind::Ladder, "ladder", check_ladder, make_ladder},
    FormatRow{FormatKind::Match, "match", check_round_robin, make_round_robin},
    FormatRow{FormatKind::Clinic, "clinic", check_clinic, make_clinic},
};

const FormatRow& row_of(FormatKind kind) {
    return *std::ranges::find(kFormats, kind, &FormatRow::kind);
}

// The number of rounds that need further positions; 0: not known.
std::uint64_t rounds_of(const FormatOptions& options) {
    switch (options.kind) {
        case FormatKind::Match:
        case FormatKind::Gauntlet:
            return 1;
        case FormatKind::RoundRobin:
            return static_cast<std::uint64_t>(options.cycles);
        case FormatKind::Swiss:
            if (options.rounds > 0) return static_cast<std::uint64_t>(options.rounds);
            [[fallthrough]];
        case FormatKind::Knockout: {
            const int players = std::max(options.players, 1);
            return std::bit_width(static_cast<unsigned>(players - 1));
        }
        case FormatKind::Ladder:
        case FormatKind::Clinic:
            return 0;
    }
    return 0;
}

}  // namespace

std::string_view name(FormatKind kind) { return row_of(kind).name; }

Result<FormatKind> parse_format_kind(std::string_view text) {
    std::vector<std::string_view> names;
    for (const FormatRow& row : kFormats) {
        if (row.name == text) return row.kind;
        names.push_back(row.name);
    }
    return bad_input("read {}, expected {}{}", protocol::quoted(text), fmt::join(names, ", "),
                     suggestion(text, names));
}

std::uint64_t least_games(const FormatOptions& options, std::uint64_t positions) {
    const std::uint64_t rounds = rounds_of(options);
    if (rounds == 0) return 2;
    return 2 * std::max<std::uint64_t>(1, (positions + rounds - 1) / rounds);
}

int most_rounds(const FormatOptions& options) {
    return options.kind == FormatKind::Swiss ? static_cast<int>(rounds_of(options)) : 0;
}

Result<void> check_format(const FormatOptions& options) {
    const auto made = make_format(options);
    return made ? Result<void>() : made.error();
}

Result<std::unique_ptr<Format>> make_format(const FormatOptions& options) {
    const FormatRow& row = row_of(options.kind);
    auto checked = check_sizes(options);
    if (checked) checked = row.check(options);
    if (!checked) return checked.error();
    auto format = row.make(options);
    if (const auto games = format->total_games(); games && *games > std::uint64_t{kMaxGames}) {
        return bad_input(
            "--games: read numbers that come to {} games in all, expected "
            "{} at the most",
            *games, kMaxGames);
    }
    return format;
}

// ---- what the formats share ----

void add_pairs(RoundPlan& plan, int pairing, const Meeting& meeting, int first, int last) {
    for (int position = first; position <= last; ++position) {
        PlannedPair& pair = plan.pairs.emplace_back();
        pair.key = {plan.stage, plan.round, pairing, position, plan.attempt};
        pair.players = meeting;
    }
}

std::uint64_t lot(const FormatOptions& options, int round, int number) {
    return Seeds(options.seed).of_lot(round, number);
}

}  // namespace arena
