#include "arena/formats/format.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "arena/formats/planning.hpp"
#include "arena/suggest.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Error;
using protocol::Fault;
using protocol::Result;

constexpr std::array<std::pair<FormatKind, std::string_view>, 5> kNames{{
    {FormatKind::RoundRobin, "round-robin"},
    {FormatKind::Gauntlet, "gauntlet"},
    {FormatKind::Swiss, "swiss"},
    {FormatKind::Knockout, "knockout"},
    {FormatKind::Ladder, "ladder"},
}};

// Numbers of games and rounds stay within an int, with room for late joiners; and the product
// of these within 64 bits.
constexpr std::uint64_t kMaxGames = 1'000'000'000;
constexpr int kMaxPlayers = 20'000;
constexpr int kMaxGamesOfPairing = 10'000'000;
constexpr int kMaxCycles = 1'000;
constexpr int kMaxSwissRounds = 400;  // pairing a round costs the square of their number
constexpr std::uint64_t kMaxPairsOfRound = 1'000'000;

Error refuse(std::string text) { return Error{Fault::BadInput, std::move(text), 0}; }

Result<void> check_sizes(const FormatOptions& options) {
    if (options.players < 2 || options.players > kMaxPlayers) {
        return refuse(
            fmt::format("players: read {}, expected 2 to {}", options.players, kMaxPlayers));
    }
    if (options.games < 2 || options.games > kMaxGamesOfPairing || options.games % 2 != 0) {
        return refuse(
            fmt::format("--games: read {}, expected an even number from 2 to {}, since "
                        "games of a pairing come in pairs, sides swapped",
                        options.games, kMaxGamesOfPairing));
    }
    return {};
}

Result<void> check_round_robin(const FormatOptions& options) {
    if (options.cycles >= 1 && options.cycles <= kMaxCycles) return {};
    return refuse(
        fmt::format("--cycles: read {}, expected 1 to {}", options.cycles, kMaxCycles));
}

Result<void> check_gauntlet(const FormatOptions& options) {
    if (options.seeds >= 1 && options.seeds < options.players) return {};
    return refuse(
        fmt::format("--seeds: read {}, expected 1 to {}, so that some are left to meet",
                    options.seeds, options.players - 1));
}

Result<void> check_swiss(const FormatOptions& options) {
    if (options.rounds >= 0 && options.rounds <= kMaxSwissRounds) return {};
    return refuse(
        fmt::format("--rounds: read {}, expected 1 to {}, or 0 for as few as it takes",
                    options.rounds, kMaxSwissRounds));
}

Result<void> check_ladder(const FormatOptions& options) {
    if (options.budget.count() > 0 || options.open) return {};
    return refuse(fmt::format("--budget: read {} ms, expected a time to be filled with games",
                              options.budget.count()));
}

// Rounds that are planned whole.
Result<void> check_round_size(const FormatOptions& options) {
    const std::uint64_t pairs = static_cast<std::uint64_t>(options.players) *
                                static_cast<std::uint64_t>(options.games) / 2;
    if (pairs <= kMaxPairsOfRound) return {};
    return refuse(
        fmt::format("--games: read {} a pairing among {} players, expected {} at the most, "
                    "since a round is planned whole",
                    options.games, options.players,
                    2 * (kMaxPairsOfRound / static_cast<std::uint64_t>(options.players))));
}

Result<void> check(const FormatOptions& options) {
    if (auto checked = check_sizes(options); !checked) return checked;
    switch (options.kind) {
        case FormatKind::RoundRobin:
            return check_round_robin(options);
        case FormatKind::Gauntlet:
            return check_gauntlet(options);
        case FormatKind::Swiss:
            if (auto checked = check_swiss(options); !checked) return checked;
            break;
        case FormatKind::Knockout:
            break;
        case FormatKind::Ladder:
            if (auto checked = check_ladder(options); !checked) return checked;
            break;
    }
    return check_round_size(options);
}

std::unique_ptr<Format> make(const FormatOptions& options) {
    switch (options.kind) {
        case FormatKind::RoundRobin:
            return make_round_robin(options);
        case FormatKind::Gauntlet:
            return make_gauntlet(options);
        case FormatKind::Swiss:
            return make_swiss(options);
        case FormatKind::Knockout:
            return make_knockout(options);
        case FormatKind::Ladder:
            return make_ladder(options);
    }
    return nullptr;
}

}  // namespace

std::string_view name(FormatKind kind) {
    return std::ranges::find(kNames, kind, [](const auto& row) { return row.first; })->second;
}

Result<FormatKind> parse_format_kind(std::string_view text) {
    std::vector<std::string_view> names;
    for (const auto& [kind, word] : kNames) {
        if (word == text) return kind;
        names.push_back(word);
    }
    return refuse(fmt::format("read {}, expected {}{}", protocol::quoted(text),
                              fmt::join(names, ", "), suggestion(text, names)));
}

Result<std::unique_ptr<Format>> make_format(const FormatOptions& options) {
    if (const auto checked = check(options); !checked) return checked.error();
    auto format = make(options);
    if (const auto games = format->total_games(); games && *games > kMaxGames) {
        return refuse(
            fmt::format("--games: read numbers that come to {} games in all, expected "
                        "{} at the most",
                        *games, kMaxGames));
    }
    return format;
}

}  // namespace arena
