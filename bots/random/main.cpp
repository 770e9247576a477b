// nim-random plays random legal moves, seeded by the option Seed. If `searchmoves` lists moves,
// it plays one of them, and so it plays rulesets that it does not know.
#include <memory>

#include "bots/greedy/greedy_choice.hpp"
#include "bots/random/random_choice.hpp"
#include "engine/rules/game_bot.hpp"
#include "protocol/manual/manual.hpp"

namespace {

using protocol::Move;
using protocol::Position;

class RandomBot : public engine::GameBot {
  public:
    RandomBot() : GameBot(UnknownRules::Follow) {}

    std::optional<Move> choose(const protocol::Turn& turn) override {
        if (!turn.candidates.empty()) return bots::random_choice(turn.candidates, random_);
        if (game()) return bots::random_choice(*game(), random_);
        const auto unknown = engine::Game::start(turn.position);
        if (!unknown) turn.info_with_move("string error " + describe(unknown.error()));
        return std::nullopt;
    }

    void seed(std::uint64_t seed) override { random_.seed(seed); }

    bool answers_at_once(const Position& position) const override {
        return bots::is_quick(position);
    }

  private:
    std::mt19937_64 random_{0};
};

}  // namespace

int main(int argc, char** argv) {
    return protocol::bot_main(argc, argv,
                              {"nim-random", "the Nimarena authors", {}, protocol::bot_manual},
                              [] { return std::make_unique<RandomBot>(); });
}
