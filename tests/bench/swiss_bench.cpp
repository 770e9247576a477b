// The time to pair a simulated Swiss tournament: seconds per round, and as a ratio to sorting
// as many players by points, which any pairing has to do.
//
//   swiss_bench [PLAYERS] [ROUNDS]      (default: 10000 9)
#include <fmt/format.h>

#include <cstdlib>

#include "arena/contest/format.hpp"

namespace {

using arena::GameResult;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// The stronger one (with the lower number) wins three games in four.
std::optional<int> play(const std::array<int, 2>& players, std::mt19937_64& random) {
    const int stronger = players[0] < players[1] ? 0 : 1;
    return random() % 4 == 0 ? 1 - stronger : stronger;
}

double sort_seconds(int players, std::mt19937_64& random) {
    std::vector<std::uint64_t> points(static_cast<std::size_t>(players));
    for (auto& point : points) point = random() % 37;
    const auto start = Clock::now();
    std::ranges::stable_sort(points);
    return seconds_since(start);
}

int run(int players, int rounds) {
    arena::FormatOptions options;
    options.kind = arena::FormatKind::Swiss;
    options.players = players;
    options.rounds = rounds;
    const auto made = arena::make_format(options);
    if (!made) {
        fmt::print(stderr, "swiss_bench: {}\n", made.error().text);
        return 2;
    }
    arena::Format& format = **made;
    for (int i = 0; i < players; ++i) format.add(arena::Entrant{"", "", 1});
    std::mt19937_64 random(1);
    const double sorting = sort_seconds(players, random);
    double worst = 0;
    double all = 0;
    for (;;) {
        const auto start = Clock::now();
        const arena::NextRound next = format.next({});
        const double seconds = seconds_since(start);
        const auto* plan = std::get_if<arena::RoundPlan>(&next);
        if (plan == nullptr) break;
        worst = std::max(worst, seconds);
        all += seconds;
        fmt::print("round {:2}: {:.3f} s, {} pairs{}{}\n", plan->round, seconds,
                   plan->pairs.size(), plan->note.empty() ? "" : ", ", plan->note);
        format.add(*plan);
        for (const arena::PlannedPair& pair : plan->pairs) {
            const std::array<int, 2> swapped{pair.players[1], pair.players[0]};
            format.add(GameResult{{pair.key, 1},
                                  pair.players,
                                  play(pair.players, random),
                                  arena::Reason::NoMoves});
            format.add(GameResult{
                {pair.key, 2}, swapped, play(swapped, random), arena::Reason::NoMoves});
        }
    }
    fmt::print(
        "{} players, {} rounds: {:.3f} s in all, {:.3f} s the slowest round, {:.0f} times "
        "a sort\n",
        players, rounds, all, worst, worst / sorting);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    return run(argc > 1 ? std::atoi(argv[1]) : 10000, argc > 2 ? std::atoi(argv[2]) : 9);
}
