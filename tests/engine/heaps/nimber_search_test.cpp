#include "engine/heaps/nimber_search.hpp"

#include "tests/engine/little_memory.hpp"

namespace engine::test::nimber_search_test {

using namespace std::chrono_literals;

// A game written down: state i moves to one of the sums of states in followers[i].
struct WrittenGame {
    using State = std::uint64_t;
    using Sum = std::vector<State>;

    std::shared_ptr<std::vector<std::vector<Sum>>> followers;
    bool loops = false;

    bool can_repeat() const { return loops; }
    std::uint64_t size(State state) const { return state; }
    template <typename Visit>
    bool visit_followers(State state, const Budget&, Visit visit) const {
        for (const Sum& sum : (*followers)[state]) {
            if (!visit(std::span<const State>(sum))) return false;
        }
        return true;
    }
};

// States whose followers are sums of up to three smaller ones.
WrittenGame random_game(std::mt19937_64& random, std::size_t states) {
    const auto draw = [&](std::size_t below) { return random() % below; };
    auto followers = std::make_shared<std::vector<std::vector<WrittenGame::Sum>>>(states);
    for (std::size_t i = 1; i < states; ++i) {
        for (std::size_t moves = draw(7); moves > 0; --moves) {
            WrittenGame::Sum sum(draw(4));
            for (auto& part : sum) part = draw(i);
            (*followers)[i].push_back(sum);
        }
    }
    return {followers};
}

// By the definition: the mex of the followers' nimbers.
std::vector<std::uint64_t> nimbers_by_mex(const WrittenGame& game) {
    std::vector<std::uint64_t> nimbers;
    for (const auto& sums : *game.followers) {
        std::set<std::uint64_t> seen;
        for (const auto& sum : sums) {
            std::uint64_t total = 0;
            for (const auto part : sum) total ^= nimbers[part];
            seen.insert(total);
        }
        std::uint64_t mex = 0;
        while (seen.contains(mex)) ++mex;
        nimbers.push_back(mex);
    }
    return nimbers;
}

// Nim heaps of 0..last, moved to in one go: state n has the followers 0..n-1.
struct NimGame {
    using State = std::uint64_t;
    bool can_repeat() const { return false; }
    std::uint64_t size(State state) const { return state; }
    template <typename Visit>
    bool visit_followers(State state, const Budget&, Visit visit) const {
        for (State next = 0; next < state; ++next) {
            if (!visit(std::span(&next, 1))) return false;
        }
        return true;
    }
};

// One move from n to n-1, in states of any length.
struct Countdown {
    using State = std::string;
    bool can_repeat() const { return false; }
    std::uint64_t size(const State& state) const { return state.size(); }
    template <typename Visit>
    bool visit_followers(const State& state, const Budget&, Visit visit) const {
        if (state.empty()) return true;
        const State next = state.substr(1);
        return visit(std::span(&next, 1));
    }
};

TEST(NimberFacts, KnowWhatIsExcludedInAWindow) {
    NimberFacts facts;
    EXPECT_TRUE(facts.is_empty());
    facts.exclude(2);
    facts.exclude(1);
    EXPECT_EQ(facts.low(), 0u);
    EXPECT_TRUE(facts.excludes(1) && facts.excludes(2) && !facts.excludes(3));
    facts.exclude(0);
    EXPECT_EQ(facts.low(), 3u);
    facts.exclude(3 + NimberFacts::kWindow);
    EXPECT_TRUE(facts.excludes(3 + NimberFacts::kWindow));
    facts.exclude(4 + NimberFacts::kWindow);
    EXPECT_FALSE(facts.excludes(4 + NimberFacts::kWindow)) << "beyond the window";
    facts.exclude_below(1000);
    EXPECT_EQ(facts.low(), 1000u);
    EXPECT_FALSE(facts.excludes(1000) || facts.is_exact());
    EXPECT_TRUE(NimberFacts::exactly(7).excludes(6) && !NimberFacts::exactly(7).excludes(7));
}

TEST(NimberFacts, ArePackedAndMergedWithoutLoss) {
    std::mt19937_64 random(1);
    for (int round = 0; round < 2000; ++round) {
        std::set<std::uint64_t> all;
        NimberFacts merged;
        for (int part = 0; part < 2; ++part) {
            NimberFacts facts;
            for (int i = 0; i < 6; ++i) {
                const std::uint64_t value = random() % 9;
                all.insert(value);
                facts.exclude(value);
            }
            EXPECT_EQ(NimberFacts::unpacked(facts.packed()), facts);
            merged.merge(facts);
        }
        for (std::uint64_t value = 0; value < 12; ++value) {
            EXPECT_EQ(merged.excludes(value), all.contains(value));
        }
    }
    const auto exact = NimberFacts::exactly(NimberFacts::kMaxValue);
    EXPECT_EQ(NimberFacts::unpacked(exact.packed()), exact);
}

TEST(NimberTable, ForgetsButNeverLies) {
    NimberTable<std::uint64_t> table(40000);
    for (std::uint64_t state = 0; state < 20000; ++state) {
        table.store(state, NimberFacts::exactly(state % 1000), state);
    }
    std::size_t kept = 0;
    for (std::uint64_t state = 0; state < 20000; ++state) {
        const NimberFacts facts = table.find(state);
        if (facts.is_empty()) continue;
        ++kept;
        EXPECT_EQ(facts, NimberFacts::exactly(state % 1000));
    }
    EXPECT_EQ(kept, table.size());
    EXPECT_GT(kept, 1500u);
    EXPECT_LE(table.bytes(), 40000u);
    EXPECT_TRUE(table.find(99999).is_empty());
}

TEST(NimberTable, KeepsEverythingWhileItMayGrow) {
    NimberTable<std::string> table;
    const auto state = [](int i) {
        return std::string(static_cast<std::size_t>(i % 40), 'x') + std::to_string(i);
    };
    for (int i = 0; i < 5000; ++i) table.store(state(i), NimberFacts::exactly(3), 1);
    std::size_t kept = 0;
    for (int i = 0; i < 5000; ++i) kept += table.find(state(i)).is_exact() ? 1 : 0;
    EXPECT_GT(kept, 4900u);  // but for buckets that are full on the way
}

TEST(NimberTable, HoldsNoMoreThanMemoryAllows) {
    const LittleMemory memory(100000);
    NimberTable<std::string> table;
    for (int i = 0; i < 20000; ++i) {
        table.store(std::string(50, 'x') + std::to_string(i), NimberFacts::exactly(1), 1);
    }
    EXPECT_GT(table.size(), 400u);
    EXPECT_LE(table.size() * 50, 100000u);
    EXPECT_LE(table.bytes(), 100000u);
    EXPECT_LE(Memory::used(), Memory::limit());
}

TEST(NimberSearch, FindsTheMexOfTheFollowers) {
    std::mt19937_64 random(2);
    for (int round = 0; round < 150; ++round) {
        const WrittenGame game = random_game(random, 60);
        const auto nimbers = nimbers_by_mex(game);
        const NimberSearch<WrittenGame> search(game);
        for (int i = 0; i < 60; ++i) {
            const std::uint64_t state = random() % nimbers.size();
            const std::uint64_t number = random() % 8;
            ASSERT_EQ(search.has_nimber(state, number, {}), nimbers[state] == number);
        }
        for (std::size_t state = nimbers.size(); state-- > 0;) {
            ASSERT_EQ(search.nimber(state, {}), nimbers[state]);
        }
    }
}

TEST(NimberSearch, IsAsRightWithATableOfAFewHundredStates) {
    std::mt19937_64 random(3);
    for (int round = 0; round < 5; ++round) {
        const WrittenGame game = random_game(random, 2500);
        const auto nimbers = nimbers_by_mex(game);
        const NimberSearch<WrittenGame> search(game, 20000);
        for (std::size_t state = 600; state < 700; ++state) {
            ASSERT_EQ(search.nimber(state, {}), nimbers[state]);
            ASSERT_EQ(search.has_nimber(state, 1, {}), nimbers[state] == 1);
        }
        EXPECT_LE(search.table().bytes(), 20000u);
    }
}

TEST(NimberSearch, NeverClaimsWhatItHadNoTimeFor) {
    std::mt19937_64 random(4);
    std::size_t unknown = 0;
    for (int round = 0; round < 30; ++round) {
        const WrittenGame game = random_game(random, 4000);
        const auto nimbers = nimbers_by_mex(game);
        const NimberSearch<WrittenGame> search(game);
        const std::size_t state = nimbers.size() - 1 - static_cast<std::size_t>(round);
        for (bool known = false; !known;) {
            const auto deadline = std::chrono::steady_clock::now() + 1us * (random() % 300);
            const auto found = search.nimber(state, Budget{deadline, {}});
            known = found.has_value();
            if (known) {
                EXPECT_EQ(*found, nimbers[state]);
            } else {
                ++unknown;
                const auto facts = search.known(state);
                EXPECT_FALSE(facts.excludes(nimbers[state]));
            }
        }
    }
    EXPECT_GT(unknown, 30u);
}

TEST(NimberSearch, ResumesWhereAnEarlierOneStopped) {
    const NimberSearch<NimGame> search{NimGame{}};
    const Budget spent = Budget::spent();
    int calls = 1;
    while (!search.nimber(40, spent)) ++calls;  // each works until it first reads its budget
    EXPECT_EQ(search.nimber(40, spent), 40u);
    EXPECT_GT(calls, 2);
}

TEST(NimberSearch, FindsNumbersFarAboveThoseItKeeps) {
    const NimberSearch<NimGame> search{NimGame{}};
    EXPECT_EQ(search.has_nimber(200, 199, {}), false);
    EXPECT_EQ(search.has_nimber(200, 201, {}), false);
    EXPECT_EQ(search.has_nimber(200, ~std::uint64_t{0}, {}), false);
    EXPECT_EQ(search.has_nimber(200, 200, {}), true);
    EXPECT_EQ(search.nimber(400, {}), 400u);
}

TEST(NimberSearch, PlaysAsDeepAsMemoryAllows) {
    auto followers = std::make_shared<std::vector<std::vector<WrittenGame::Sum>>>(300001);
    for (std::uint64_t i = 1; i < followers->size(); ++i) (*followers)[i] = {{i - 1}};
    const NimberSearch<WrittenGame> search(WrittenGame{followers});
    EXPECT_EQ(search.nimber(300000, {}), 0u);
    EXPECT_EQ(search.nimber(299999, {}), 1u);
}

TEST(NimberSearch, GivesUpWhereMemoryEnds) {
    const LittleMemory memory(1000000);
    const NimberSearch<Countdown> search{Countdown{}};
    const std::string deep(5000, 'x');  // 12.5 MB of states
    EXPECT_EQ(search.ask(deep, std::nullopt, {}).end, SearchEnd::OutOfMemory);
    EXPECT_LE(Memory::used(), Memory::limit());
    EXPECT_EQ(search.nimber(deep.substr(0, 500), {}), 0u);
}

TEST(NimberSearch, ReportsALoopAndTrustsNothingAboutIt) {
    // 0 <-> 1; 2 -> 0, 3; 3 -> nothing; 4 -> 0, 2.
    const auto followers = std::make_shared<std::vector<std::vector<WrittenGame::Sum>>>(
        std::vector<std::vector<WrittenGame::Sum>>{{{1}}, {{0}}, {{0}, {3}}, {}, {{0}, {2}}});
    const NimberSearch<WrittenGame> search(WrittenGame{followers, true});
    EXPECT_EQ(search.ask(1, std::nullopt, {}).end, SearchEnd::Loop);
    EXPECT_EQ(search.nimber(1, {}), std::nullopt);
    EXPECT_EQ(search.nimber(3, {}), 0u);
    EXPECT_EQ(search.has_nimber(2, 0, {}), false) << "it can move to 3";
    EXPECT_EQ(search.ask(2, std::nullopt, {}).end, SearchEnd::Loop);
    EXPECT_EQ(search.has_nimber(4, 0, {}), std::nullopt);
}

TEST(NimberSearch, CancelsEqualPartsOnlyWherePlayEnds) {
    // 2 moves to 1+1 and to nothing else; 1 moves to 0 or to itself.
    const auto followers = std::make_shared<std::vector<std::vector<WrittenGame::Sum>>>(
        std::vector<std::vector<WrittenGame::Sum>>{{}, {{0}, {1}}, {{1, 1}}});
    const NimberSearch<WrittenGame> search(WrittenGame{followers, true});
    EXPECT_EQ(search.nimber(2, {}), std::nullopt);
}

TEST(NimberSearch, SharesItsTableAmongThreads) {
    std::mt19937_64 random(5);
    const WrittenGame game = random_game(random, 3000);
    const auto nimbers = nimbers_by_mex(game);
    const NimberSearch<WrittenGame> search(game, 100000);
    std::atomic<int> wrong = 0;
    const auto ask = [&](std::uint64_t seed) {
        std::mt19937_64 own(seed);
        for (int i = 0; i < 300; ++i) {
            const std::uint64_t state = own() % nimbers.size();
            if (search.nimber(state, {}) != nimbers[state]) ++wrong;
        }
    };
    std::thread other(ask, 1);
    ask(2);
    other.join();
    EXPECT_EQ(wrong, 0);
}

}  // namespace engine::test::nimber_search_test
