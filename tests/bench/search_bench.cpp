// The search for the winner of a game with a nim heap, compared with the nimbers of all
// reachable positions, as are the solvers of boards and graphs; and Wythoff's table compared
// with a plain mex. Ratios of one run.
//
//     engine_bench search

#include <fmt/format.h>

#include "engine/heaps/heap_solver.hpp"
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

// A solver against the nimbers of all positions that can be reached, told apart by their texts.
void compare_solver(const std::string& name, const std::string& ruleset,
                    const engine::Heap& heap) {
    const auto rules = *engine::find_ruleset({ruleset});
    const auto solver = engine::find_solver({ruleset}, rules);
    const engine::RulesetGame game(rules);
    AllNimbers<engine::RulesetGame> all(game);
    std::optional<engine::Nimber> nimber;
    std::optional<bool> is_lost;
    std::uint64_t expected = 0;
    const double outcome_time = seconds([&] { is_lost = solver->has_nimber(heap, 0, {}); });
    const double nimber_time = seconds([&] { nimber = solver->nimber(heap, {}); });
    const double all_time =
        seconds([&] { expected = all.nimber(engine::RulesetGame::state_of(heap)); });
    const bool agrees = nimber == engine::finite(expected) && is_lost == (expected == 0);
    fmt::print("{:<24} outcome {:.4f} s, then nimber {:.4f} s, all {:.3f} s, ratio {:.0f} {}\n",
               name, outcome_time, nimber_time, all_time,
               all_time / (outcome_time + nimber_time), agrees ? "" : "WRONG");
}

// Each vertex has three neighbours; the same for the same seed.
std::string cubic_graph(unsigned vertices, unsigned seed) {
    std::mt19937_64 random(seed);
    for (;;) {
        std::vector<unsigned> ends;
        for (unsigned i = 0; i < 3 * vertices; ++i) ends.push_back(i / 3);
        std::ranges::shuffle(ends, random);
        std::set<std::pair<unsigned, unsigned>> edges;
        for (std::size_t i = 0; i < ends.size(); i += 2) {
            const auto [from, to] = std::minmax(ends[i], ends[i + 1]);
            if (from != to) edges.emplace(from, to);
        }
        if (2 * edges.size() < ends.size()) continue;  // loops or double edges
        std::string text;
        for (const auto& [from, to] : edges) {
            text += fmt::format("{}v{}->v{}", text.empty() ? "" : ";", from, to);
        }
        return text;
    }
}

void compare_solvers() {
    fmt::print("\nsolvers\n");
    const auto board = [](int rows, int columns) {
        std::string cells(static_cast<std::size_t>(columns), 'o');
        std::string text = cells;
        for (int row = 1; row < rows; ++row) text += "_" + cells;
        return engine::Heap(protocol::Vertex{text});
    };
    compare_solver("cram 4x5", "cram", board(4, 5));
    compare_solver("cram 5x5", "cram", board(5, 5));
    compare_solver("chomp 8x12", "chomp", protocol::Tuple{std::vector<Number>(8, 12)});
    const auto all = [](unsigned vertices) {
        return engine::Heap((Number{1} << vertices) - 1);
    };
    compare_solver("node-kayles, cubic 36", "node-kayles{" + cubic_graph(36, 1) + "}", all(36));
    compare_solver("arc-kayles, cubic 20", "arc-kayles{" + cubic_graph(20, 1) + "}", all(20));
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
    compare_solvers();
    compare_wythoff();
    return 0;
}
