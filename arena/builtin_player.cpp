// Players inside the arena: builtin:perfect, builtin:random, builtin:greedy, builtin:eps:E.
#include <algorithm>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <utility>

#include <boost/asio/awaitable.hpp>

#include "arena/compute.hpp"
#include "arena/decision.hpp"
#include "arena/player.hpp"
#include "bots/greedy/greedy_choice.hpp"
#include "bots/random/random_choice.hpp"
#include "engine/solver/analyst.hpp"
#include "protocol/move.hpp"

namespace arena {
namespace {

// When to stop thinking: well before the clock does.
Clock::time_point think_until(const Referee& referee, Clock::time_point asked) {
    const int seat = referee.seat_to_move();
    const TimeControl& clock = referee.clock(seat);
    if (const auto left = referee.left(seat)) {
        return asked + *left / 20 + std::min(clock.increment, *left) / 2;
    }
    return asked + clock.movetime.value_or(Milliseconds(1000)) * 9 / 10;
}

class BuiltinPlayer : public Player {
  public:
    using Choose =
        std::function<std::optional<protocol::Move>(const Referee&, Clock::time_point)>;

    BuiltinPlayer(const PlayerSpec& spec, const PlayerContext& context)
        : context_(context),
          build_(std::make_shared<const PlayerBuild>(
              PlayerBuild{to_string(spec), "name nim-arena " NIMARENA_VERSION, {}})) {
        if (spec.builtin == "perfect") {
            choose_ = [this](const Referee& referee, Clock::time_point asked) {
                return perfect_choice(referee, asked);
            };
        } else if (spec.builtin == "eps") {
            choose_ = [this, rate = spec.error_rate](const Referee& referee,
                                                     Clock::time_point asked) {
                auto mistake = draw_mistake(rate, referee, asked);
                return mistake ? mistake : perfect_choice(referee, asked);
            };
        } else if (spec.builtin == "greedy") {
            choose_ = [](const Referee& referee, Clock::time_point) {
                return bots::greedy_choice(referee.game());
            };
        } else {
            choose_ = [this](const Referee& referee, Clock::time_point) {
                return bots::random_choice(referee.game(), random_);
            };
        }
    }

    Awaitable<std::optional<Failure>> prepare(std::uint64_t seed) override {
        random_.seed(seed);
        co_return std::nullopt;
    }

    Awaitable<Answer> ask(const Question& question) override {
        const auto asked = Clock::now();
        std::optional<protocol::Move> move;
        const std::function<void()> think = [&] { move = choose_(question.referee, asked); };
        co_await compute(context_.compute, think);
        Answer answer;
        if (move) answer.word = to_string(*move);
        answer.used = std::chrono::duration_cast<Microseconds>(Clock::now() - asked);
        co_return answer;
    }

    std::shared_ptr<const PlayerBuild> build() const override { return build_; }

    Awaitable<void> end_game(bool) override { co_return; }
    Awaitable<void> quit() override { co_return; }

  private:
    std::optional<protocol::Move> perfect_choice(const Referee& referee,
                                                 Clock::time_point asked) {
        const engine::Budget budget{think_until(referee, asked), context_.stop};
        return context_.analyst.choose(referee.game(), {}, {}, random_, budget);
    }

    // Where it is drawn, and there is something to throw.
    std::optional<protocol::Move> draw_mistake(double rate, const Referee& referee,
                                               Clock::time_point asked) {
        constexpr engine::Count kSteps = engine::Count{1} << 53;
        const auto drawn = static_cast<double>(engine::uniform_below(random_, kSteps));
        if (drawn >= rate * static_cast<double>(kSteps)) return std::nullopt;
        const engine::Budget budget{think_until(referee, asked), context_.stop};
        const auto value = context_.analyst.outcome(referee.game(), budget);
        return random_mistake(referee.game(), value, context_.analyst, random_, budget);
    }

    const PlayerContext& context_;
    std::shared_ptr<const PlayerBuild> build_;
    Choose choose_;
    std::mt19937_64 random_;
};

}  // namespace

std::unique_ptr<Player> make_builtin_player(const PlayerSpec& spec,
                                            const PlayerContext& context) {
    return std::make_unique<BuiltinPlayer>(spec, context);
}

}  // namespace arena
