#include "arena/commands/examiner.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <memory>
#include <optional>
#include <random>
#include <utility>

#include <fmt/format.h>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/thread_pool.hpp>

#include "arena/base/compute.hpp"
#include "arena/base/console.hpp"
#include "arena/check/asking.hpp"
#include "arena/check/certify.hpp"
#include "arena/check/check.hpp"
#include "arena/check/peer.hpp"
#include "arena/game/seeds.hpp"
#include "arena/players/lobby.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

constexpr std::size_t kQuestions = 200;
constexpr int kRestarts = 2;                 // while it is asked
constexpr std::chrono::seconds kAsking{10};  // all questions together
constexpr std::size_t kMostSaid = 100;

// Some positions of the family, and what the player answers there.
struct Sample {
    Sample(const PositionSet& all, const engine::Analyst& analyst, std::uint64_t the_seed)
        : seed(the_seed), set(draw(all, the_seed)), survey(set, analyst, 1) {
        survey.solve();
        order = survey.order(seed);
    }

    static PositionSet draw(const PositionSet& all, std::uint64_t seed) {
        std::mt19937_64 random(seed);
        std::vector<std::size_t> numbers(all.size()), drawn;
        for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = i;
        std::ranges::sample(numbers, std::back_inserter(drawn),
                            static_cast<std::ptrdiff_t>(kQuestions), random);
        std::vector<protocol::Position> positions;
        for (const std::size_t number : drawn) positions.push_back(all.position(number));
        return *PositionSet::make({}, std::move(positions));
    }

    void judge(Visit& visit) {
        survey.judge();
        const SurveyCounts counts = survey.counts();
        visit.asked = counts.asked;
        visit.right =
            counts.won.right + counts.drawn.right + counts.lost.right + counts.unknown.right;
        const auto wrong = survey.counterexample();
        if (!wrong) return;
        visit.position = wrong->position;
        visit.said = protocol::printable(wrong->move, kMostSaid);
        if (wrong->kind != "wrong") {
            const std::string read = visit.said.empty() ? "" : ", it wrote " + visit.said;
            visit.said = fmt::format("{}{}", words_of_kind(wrong->kind), read);
        }
        visit.better = wrong->better;
    }

    std::uint64_t seed;
    PositionSet set;
    Survey survey;
    std::vector<std::uint32_t> order;
};

Awaitable<void> check_visitor(const TournamentOptions& contest, const PlayerContext& context,
                              Visit& visit) {
    CheckOptions options;
    const auto player = static_cast<std::size_t>(visit.player);
    options.player = contest.players[player];
    options.positions = contest.positions;
    const TimeControl clock = clock_of(contest, player);
    if (clock.movetime) options.movetime = std::chrono::ceil<Milliseconds>(*clock.movetime);
    options.seed = contest.seed;
    options.json = true;  // nothing is printed
    const MakePeer make_peer = [&context, player](const PlayerSpec& spec) {
        return linked_peer(spec, player, context);
    };
    CheckReport report;
    Console console(stdout);
    co_await check_bot(options, make_peer, report, console);
    visit.check = to_text(report);
}

Awaitable<void> ask_visitor(const PositionSet& family, const TournamentOptions& contest,
                            const PlayerContext& context, Player& player, Visit& visit) {
    std::optional<Sample> sample;
    const std::function<void()> draw = [&] {
        const auto seed =
            Seeds(contest.seed)
                .of_game(static_cast<std::uint64_t>(visit.began.time_since_epoch().count()), 0);
        sample.emplace(family, *context.shared.analyst, seed);
    };
    co_await compute(context.loop.compute, draw);
    Asking asking{sample->survey, sample->order, sample->seed};
    asking.until = Clock::now() + kAsking;
    const TimeControl clock = clock_of(contest, static_cast<std::size_t>(visit.player));
    try {
        co_await ask_player(player, clock, kRestarts, asking);
    } catch (const GameCalledOff&) {  // the server ends: what was answered counts
    }
    const std::function<void()> judge = [&] { sample->judge(visit); };
    co_await compute(context.loop.compute, judge);
}

}  // namespace

Examiner make_examiner(PositionSet family) {
    Examiner examiner;
    examiner.check = check_visitor;
    examiner.certify = [all = std::make_shared<const PositionSet>(std::move(family))](
                           const TournamentOptions& contest, const PlayerContext& context,
                           Player& player, Visit& visit) {
        return ask_visitor(*all, contest, context, player, visit);
    };
    return examiner;
}

}  // namespace arena
