#include "arena/play/ready_pairs.hpp"

namespace arena::ready_pairs_test {

using Players = std::array<int, 2>;

Claim claim(std::uint64_t number, Players players) {
    Claim claim;
    claim.pair.key.position = static_cast<int>(number);
    claim.pair.players = players;
    return claim;
}

std::vector<Claim> claims(const std::vector<Players>& pairs) {
    std::vector<Claim> claims;
    for (const Players& players : pairs) claims.push_back(claim(claims.size() + 1, players));
    return claims;
}

// The number of a pair, or 0.
std::uint64_t number(const std::optional<Claim>& claim) {
    return claim ? static_cast<std::uint64_t>(claim->pair.key.position) : 0;
}

ReadyPairs one_of_each() {
    return ReadyPairs([](int) { return 1; });
}

TEST(ReadyPairs, HoldBackPairsOfAnAbsentPlayer) {
    auto ready = one_of_each();
    ready.set_present(1, false);
    ready.add(claims({{0, 1}, {1, 2}, {0, 2}, {3, 4}, {0, 3}}));
    EXPECT_EQ(number(ready.take()), 3u);
    EXPECT_EQ(number(ready.take()), 4u);
    EXPECT_EQ(number(ready.take_absent()), 0u) << "0 and 2 play";
    ready.leave(2);
    EXPECT_EQ(number(ready.take()), 0u);
    EXPECT_EQ(number(ready.take_absent()), 2u) << "1 waits there";
    ready.leave(0);
    EXPECT_EQ(number(ready.take_absent()), 0u);
    ready.leave(1);
    ready.set_present(1, true);
    EXPECT_EQ(number(ready.take()), 1u);
    ready.set_present(3, false);
    EXPECT_EQ(number(ready.take_with({0, 3})), 0u) << "3 has gone";
}

TEST(ReadyPairs, GiveTheFirstWhosePlayersAreFree) {
    auto ready = one_of_each();
    ready.add(claims({{0, 1}, {1, 2}, {3, 0}, {2, 3}}));
    EXPECT_EQ(number(ready.take()), 1u);
    EXPECT_EQ(number(ready.take()), 4u) << "0 and 1 play";
    EXPECT_EQ(number(ready.take()), 0u);
    ready.leave(1);
    EXPECT_EQ(number(ready.take()), 0u) << "2 plays";
    ready.leave(2);
    EXPECT_EQ(number(ready.take()), 2u);
    EXPECT_EQ(ready.size(), 1u);
}

TEST(ReadyPairs, KeepTheOrderWhereAnyNumberMayPlay) {
    ReadyPairs ready([](int) { return 0; });
    ready.add(claims({{0, 1}, {0, 1}}));
    ready.add({claim(9, {0, 1})});
    for (const std::uint64_t wanted : {1u, 2u, 9u, 0u}) EXPECT_EQ(number(ready.take()), wanted);
    EXPECT_FALSE(ready.take_with({0, 1})) << "nobody has to stay";
}

TEST(ReadyPairs, PreferAPlayerWhoStays) {
    auto ready = one_of_each();
    ready.add(claims({{0, 1}, {2, 3}, {2, 1}, {4, 1}, {1, 0}}));
    ASSERT_EQ(number(ready.take()), 1u);
    ASSERT_EQ(number(ready.take()), 2u);
    EXPECT_EQ(number(ready.take_with({0, 1})), 4u) << "2 plays";
    ready.leave(0);
    EXPECT_EQ(number(ready.take_with({4, 1})), 5u);
    EXPECT_EQ(number(ready.take_with({1, 0})), 0u);
}

// The same, by examining all pairs in turn.
class Plain {
  public:
    void add(const Claim& claim) { pairs_.push_back(claim); }
    std::uint64_t take(const std::map<int, int>& most, const std::optional<Players>& seated) {
        const auto is_seated = [&](int player) {
            return seated && std::ranges::count(*seated, player) > 0;
        };
        const auto fits = [&](const Claim& claim) {
            const auto& players = claim.pair.players;
            const bool stays = !seated || std::ranges::any_of(players, [&](int player) {
                return is_seated(player) && most.at(player) > 0;
            });
            return stays && std::ranges::all_of(players, [&](int player) {
                       return is_seated(player) || most.at(player) == 0 ||
                              playing[player] < most.at(player);
                   });
        };
        const auto found = std::ranges::find_if(pairs_, fits);
        if (found == pairs_.end()) return 0;
        for (const int player : found->pair.players) playing[player] += !is_seated(player);
        const std::uint64_t place = number(*found);
        pairs_.erase(found);
        return place;
    }
    std::map<int, int> playing;

  private:
    std::deque<Claim> pairs_;
};

TEST(ReadyPairs, AgreeWithATestOfAllPairs) {
    const std::map<int, int> most{{0, 1}, {1, 1}, {2, 2}, {3, 0}, {4, 1}, {5, 3}};
    std::mt19937 random(1);
    const auto any_player = [&] { return static_cast<int>(random() % most.size()); };
    for (int round = 0; round < 200; ++round) {
        ReadyPairs ready([&](int player) { return most.at(player); });
        Plain plain;
        std::vector<Players> tables;
        for (std::uint64_t step = 1; step <= 60; ++step) {
            const int first = any_player();
            const Players players{first, (first + 1 + static_cast<int>(random() % 5)) % 6};
            const Claim next = claim(step, players);
            ready.add({next});
            plain.add(next);
            const bool ends = !tables.empty() && random() % 2 == 0;
            std::optional<Claim> taken;
            std::optional<Players> seated;
            if (ends) {
                seated = tables.back();
                tables.pop_back();
                taken = ready.take_with(*seated);
            } else {
                taken = ready.take();
            }
            ASSERT_EQ(number(taken), plain.take(most, seated)) << round << ", " << step;
            if (taken) tables.push_back(taken->pair.players);
            if (!seated) continue;
            for (const int player : *seated) {
                if (taken && std::ranges::count(taken->pair.players, player) > 0) continue;
                ready.leave(player);
                --plain.playing[player];
            }
        }
    }
}

}  // namespace arena::ready_pairs_test
