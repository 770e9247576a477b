#include "engine/sums/retrograde.hpp"

#include "tests/agreement/positions.hpp"
#include "tests/agreement/random_rulesets.hpp"
#include "tests/engine/little_memory.hpp"
#include "tests/engine/written_rules.hpp"

namespace engine::test::retrograde_test {

using Goal = Retrograde::Goal;

// Moves one up or one down; ends at 0.
WrittenRules::Results ladder(Number n) {
    if (n == 0) return {};
    if (n == protocol::kMaxNumber) return {{Heap(n - 1)}};
    return {{Heap(n - 1)}, {Heap(n + 1)}};
}

// n -> n,n for n > 0, and n -> n-1.
WrittenRules::Results doubling(Number n) {
    if (n == 0) return {};
    return {{Heap(n - 1)}, {Heap(n), Heap(n)}};
}

Game start(std::string_view position, Game::FindRuleset find) {
    auto game = Game::start(*protocol::parse_position(position), position, find);
    return *std::move(game);
}

Result<std::shared_ptr<const Ruleset>> find_endless(const protocol::RulesetText& text) {
    if (text.text == "nim") return find_ruleset(text);
    const auto results = text.text == "doubling" ? doubling : ladder;
    return std::shared_ptr<const Ruleset>(std::make_shared<WrittenRules>(results));
}

// The lower heaps are won at once, although infinitely many positions can be reached.
TEST(Retrograde, ClaimsAWinThatIsProvenInAnEndlessGame) {
    for (const char* text : {"doubling:1", "ladder:1", "nim:3+nim:1000000000000000000"}) {
        const Game game = start(text, find_endless);
        const Retrograde retrograde(game, Goal::Outcome, {});
        EXPECT_EQ(retrograde.verdict().outcome, Outcome::N) << text;
        EXPECT_FALSE(retrograde.is_complete()) << text;
        EXPECT_LT(retrograde.size(), 20000u) << text;
    }
}

TEST(Retrograde, DoesNotKnowWhatOnlyTheUnexploredDecides) {
    // All moves lead into endless play; nothing is proven.
    const auto stopped = [](std::string_view text) {
        Budget budget;
        budget.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
        return Retrograde(start(text, find_endless), Goal::Outcome, budget).verdict();
    };
    EXPECT_EQ(stopped("ladder:50+ladder:50").outcome, Outcome::Unknown);
    EXPECT_EQ(stopped("doubling:1,1").outcome, Outcome::Unknown);
    EXPECT_EQ(stopped("ladder:7+nim:2 misere").outcome, Outcome::Unknown);
}

// Stops the search after so many heaps had their moves listed, and counts later ones.
class Stopping : public WrittenRules {
  public:
    static constexpr int kStopAt = 5000;

    Stopping() : WrittenRules(ladder) {}
    std::optional<engine::Followers> followers(const Heap& heap,
                                               const GiveUp& give_up) const override {
        if (++listed == kStopAt) source.request_stop();
        return WrittenRules::followers(heap, give_up);
    }

    inline static int listed = 0;
    inline static std::stop_source source;
};

// Work is counted from one sum to the next, however few moves each has.
TEST(Retrograde, StopsSoonAfterTheRequest) {
    const Game game = start("stopping:1000000", [](const protocol::RulesetText&) {
        return Result<std::shared_ptr<const Ruleset>>(std::make_shared<Stopping>());
    });
    Budget budget;
    budget.stop = Stopping::source.get_token();
    const Retrograde retrograde(game, Goal::Outcome, budget);
    EXPECT_GE(Stopping::listed, Stopping::kStopAt);
    EXPECT_LT(Stopping::listed, Stopping::kStopAt + 2000);
}

TEST(Retrograde, EndsWhereMemoryDoes) {
    const LittleMemory memory(1000000);
    const Retrograde retrograde(start("doubling:1,1", find_endless), Goal::Outcome, {});
    EXPECT_EQ(retrograde.verdict().outcome, Outcome::Unknown);
    EXPECT_LE(Memory::used(), Memory::limit());
}

Game quickest_win(const Retrograde& retrograde, const Game& game) {
    std::optional<Game> best;
    for (const Move& move : game.moves(100)) {
        const Game next = after(game, move);
        const auto verdict = retrograde.verdict(next.position());
        if (verdict.outcome != Outcome::P) continue;
        if (!best || verdict.remoteness < retrograde.verdict(best->position()).remoteness)
            best = next;
    }
    EXPECT_TRUE(best) << to_string(game.position());
    return best ? *best : game;
}

TEST(Retrograde, WinsByTheLeastRemoteness) {
    std::mt19937_64 random(23);
    int wins = 0;
    for (int i = 0; i < 300; ++i) {
        const std::string graph = random_graph_text(random, 8);
        Game game = game_of(graph + ":a,b+nim:" + std::to_string(i % 3) +
                            (i % 2 == 0 ? "" : " misere"));
        const Retrograde retrograde(game, Goal::EveryMove, {});
        if (retrograde.verdict().outcome != Outcome::N) continue;
        ++wins;
        const std::uint32_t plies = retrograde.verdict().remoteness;
        for (std::uint32_t ply = 0; game.has_move(); ++ply) {
            ASSERT_LT(ply, plies);
            Game next = game;
            next.play(game.random_move(random));
            if (ply % 2 == 0) next = quickest_win(retrograde, game);
            game = std::move(next);
        }
    }
    EXPECT_GT(wins, 50);
}

}  // namespace engine::test::retrograde_test
