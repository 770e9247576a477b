// nim-greedy takes as much as it can from the largest heap, as greedy_choice.cpp says. If
// `searchmoves` lists moves, it plays one of them, and so it plays rulesets that it does not
// know.
#include <memory>

#include "bots/greedy/greedy_choice.hpp"
#include "engine/rules/game_bot.hpp"
#include "protocol/manual/manual.hpp"

namespace {

using protocol::Move;
using protocol::Position;

class GreedyBot : public engine::GameBot {
  public:
    GreedyBot() : GameBot(UnknownRules::Follow) {}

    std::optional<Move> choose(const protocol::Turn& turn) override {
        if (!turn.candidates.empty())
            return bots::greedy_choice(turn.position, turn.candidates);
        if (game()) return bots::greedy_choice(*game());
        const auto unknown = engine::Game::start(turn.position);
        if (!unknown) turn.info_with_move("string error " + describe(unknown.error()));
        return std::nullopt;
    }

    bool answers_at_once(const Position& position) const override {
        return bots::is_quick(position);
    }
};

}  // namespace

int main(int argc, char** argv) {
    return protocol::bot_main(argc, argv,
                              {"nim-greedy", "the Nimarena authors", {}, protocol::bot_manual},
                              [] { return std::make_unique<GreedyBot>(); });
}
