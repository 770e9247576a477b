// The search for the winner of a game with a nim heap, compared with the nimbers of all
// reachable positions; and Wythoff's table compared with a plain mex. Ratios of one run.
//
//     engine_bench search

#include <fmt/format.h>

#include "engine/heaps/nimber_search.hpp"
#include "engine/heaps/search_games.hpp"
#include "engine/heaps/wythoff_table.hpp"
#include "engine/rules/catalogue.hpp"
#include "tests/bench/sections.hpp"

namespace {

using engine::Number;

template <typename Work>
double seconds(Work work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The nimbers of all reachable states, each computed once.
template <typename Game>
class AllNimbers {
  public:
    using State = typename Game::State;

    explicit AllNimbers(const Game& game) : game_(game) {}

    std::uint64_t nimber(const State& state) {
        if (const auto known = nimbers_.find(state); known != nimbers_.end()) {
            return known->second;
        }
        std::vector<bool> seen(64);
        game_.visit_followers(state, {}, [&](std::span<const State> sum) {
            std::uint64_t value = 0;
            for (const State& part : sum) {
                value ^= nimber(part);
            }
            if (value >= seen.size()) seen.resize(2 * value);
            seen[value] = true;
            return true;
        });
        const auto mex = std::ranges::find(seen, false) - seen.begin();
        return nimbers_[state] = static_cast<std::uint64_t>(mex);
    }
    std::size_t nodes() const { return nimbers_.size(); }

  private:
    const Game& game_;
    std::unordered_map<State, std::uint64_t> nimbers_;
};

template <typename Game>
void compare(const std::string& name, const Game& game, const typename Game::State& state) {
    const engine::NimberSearch<Game> outcome(game);
    const engine::NimberSearch<Game> nimber(game);
    AllNimbers<Game> all(game);
    engine::SearchResult found;
    engine::SearchResult exact;
    std::uint64_t expected = 0;
    const double outcome_time = seconds([&] { found = outcome.ask(state, 0, {}); });
    const double nimber_time = seconds([&] { exact = nimber.ask(state, std::nullopt, {}); });
    const double all_time = seconds([&] { expected = all.nimber(state); });
    const bool agrees =
        exact.facts.low() == expected && found.facts.excludes(0) == (expected > 0);
    fmt::print("{:<34} {:>9} {:>8.4f} {:>9} {:>8.4f} {:>9} {:>8.4f} {:>7.1f} {:>7.1f} {}\n",
               name, found.nodes, outcome_time, exact.nodes, nimber_time, all.nodes(), all_time,
               static_cast<double>(all.nodes()) / static_cast<double>(found.nodes),
               all_time / outcome_time, agrees ? "" : "WRONG");
}

void compare_cookie(const std::string& name, std::vector<std::uint32_t> sizes) {
    engine::reduce_cookies(sizes);
    compare(name, engine::CookieGame<engine::ShortCookieCode>(),
            engine::ShortCookieCode::encode(sizes));
}

void compare_rules(const std::string& text, const std::vector<Number>& entries) {
    const auto rules = engine::find_ruleset({text});
    const engine::RulesetGame game(*rules);
    compare(fmt::format("({})", fmt::join(entries, ",")), game,
            engine::RulesetGame::state_of(entries));
}

// Cram as texts of boards, and as sets of cells.
void compare_board(const std::string& board) {
    const engine::Heap heap = protocol::Vertex{board};
    const auto rules = *engine::find_ruleset({"cram"});
    compare(board + ", text", engine::RulesetGame(rules), engine::RulesetGame::state_of(heap));
    const engine::VertexGame game;
    compare(board + ", cells", game, game.states_of(heap).front());
}

// By definition: the mex over row, column and diagonal.
double plain_wythoff(std::size_t size) {
    std::vector<std::uint32_t> table(size * size);
    std::vector<std::uint32_t> seen(2 * size + 1);
    std::uint32_t stamp = 0;
    return seconds([&] {
        for (std::size_t a = 0; a < size; ++a) {
            for (std::size_t b = 0; b < size; ++b) {
                ++stamp;
                for (std::size_t k = 1; k <= a; ++k) seen[table[(a - k) * size + b]] = stamp;
                for (std::size_t k = 1; k <= b; ++k) seen[table[a * size + b - k]] = stamp;
                for (std::size_t k = 1; k <= std::min(a, b); ++k) {
                    seen[table[(a - k) * size + b - k]] = stamp;
                }
                std::uint32_t mex = 0;
                while (seen[mex] == stamp) ++mex;
                table[a * size + b] = mex;
            }
        }
    });
}

void compare_wythoff() {
    const auto rate = [](std::size_t size, double time) {
        return static_cast<double>(size * size) / time / 1e6;
    };
    constexpr std::size_t kPlain = 500;
    const double plain = rate(kPlain, plain_wythoff(kPlain));
    fmt::print("\nWythoff, cells a second: plain mex {}x{} {:.2f} M\n", kPlain, kPlain, plain);
    for (const std::size_t size : {500U, 2000U, 5000U}) {
        engine::WythoffTable table(size);
        const double time = seconds([&] { table.extend(size, {}); });
        fmt::print("  bitset rows {0}x{0} {1:.1f} M, ratio {2:.0f}\n", size, rate(size, time),
                   rate(size, time) / plain);
    }
}

}  // namespace

int bench::search(int, char**) {
    fmt::print("{:<34} {:>18} {:>18} {:>18} {:>15}\n", "", "outcome search", "nimber search",
               "all nimbers", "all/outcome");
    fmt::print("{:<34} {:>9} {:>8} {:>9} {:>8} {:>9} {:>8} {:>7} {:>7}\n", "position", "nodes",
               "s", "nodes", "s", "nodes", "s", "nodes", "time");
    for (const std::uint32_t cookies : {12U, 18U, 24U}) {
        std::vector<std::uint32_t> sizes(cookies);
        std::iota(sizes.begin(), sizes.end(), 1U);
        compare_cookie(fmt::format("cookie 1..{}", cookies), sizes);
    }
    std::mt19937_64 random(1);
    for (int i = 0; i < 3; ++i) {
        std::vector<std::uint32_t> sizes(26);
        for (auto& size : sizes) size = static_cast<std::uint32_t>(1 + random() % 26);
        std::ranges::sort(sizes);
        compare_cookie(fmt::format("cookie, 26 at random ({})", i + 1), sizes);
    }
    compare_rules("rules{(a,b)->(a-k,b):k>=1;(a,b)->(a,b-k):k>=1;(a,b)->(a-k,b-k):k>=1}",
                  {36, 58});
    compare_rules("rules{(a,b,c)->(a-k,b,c):k>=1&a%k=0;(a,b,c)->(a,b-1,c-1);stop:a+b+c<=1}",
                  {60, 30, 31});
    compare_rules(
        "rules{(a,b,c)->(a-k,b,c):k>=1;(a,b,c)->(a,b-k,c):k>=1;(a,b,c)->(a,b,c-k):"
        "k>=1;(a,b,c)->(a-k,b-k,c-k):k>=1}",
        {14, 15, 17});
    compare_board("ooooo_ooooo_ooooo_ooooo");
    compare_wythoff();
    return 0;
}
