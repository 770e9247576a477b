// The built-in players: builtin:perfect, builtin:random, builtin:greedy, builtin:eps:E.
#include <algorithm>
#include <functional>
#include <optional>
#include <random>

#include <boost/asio/awaitable.hpp>

#include "arena/base/compute.hpp"
#include "arena/base/heartbeat.hpp"
#include "arena/players/builtin_choice.hpp"
#include "arena/players/player.hpp"
#include "bots/greedy/greedy_choice.hpp"
#include "protocol/move.hpp"

namespace arena {
namespace {

// The player stops thinking well before the clock runs out.
SteadyClock::time_point think_until(const Referee& referee, SteadyClock::time_point asked) {
    const int seat = referee.seat_to_move();
    const TimeControl& clock = referee.clock(seat);
    if (const auto left = referee.time_left(seat)) {
        return asked + *left / 20 + std::min(clock.increment, *left) / 2;
    }
    return asked + clock.movetime.value_or(Milliseconds(1000)) * 9 / 10;
}

class BuiltinPlayer : public Player {
  public:
    BuiltinPlayer(const PlayerSpec& spec, const PlayerContext& context)
        : context_(context),
          build_(std::make_shared<const PlayerBuild>(
              PlayerBuild{to_string(spec), "name nim-arena " NIMARENA_VERSION, {}})),
          spec_(spec) {}

    Awaitable<std::optional<Cause>> prepare(std::uint64_t seed) override {
        random_.seed(seed);
        co_return std::nullopt;
    }

    Awaitable<Answer> ask(const Question& question) override {
        const auto asked = SteadyClock::now();
        std::optional<protocol::Move> move;
        const std::function<void()> think = [&] {
            const engine::Budget budget{think_until(question.referee, asked),
                                        context_.shared.stop};
            move = builtin_choice(spec_, question.referee.game(), *context_.shared.analyst,
                                  random_, budget);
        };
        // Changing threads takes longer than such a move.
        if (answers_at_once(question.referee))
            think();
        else
            co_await compute(context_.loop.compute, think);
        Answer answer;
        if (move) answer.word = to_string(*move);
        const auto answered = SteadyClock::now();
        if (!Heartbeat::knows(asked, answered)) co_await Heartbeat::await(answered);
        answer.used = Heartbeat::present(asked, answered);
        co_return answer;
    }

    std::shared_ptr<const PlayerBuild> build() const override { return build_; }

    Awaitable<void> end_game(bool) override { co_return; }
    Awaitable<void> quit() override { co_return; }

  private:
    bool answers_at_once(const Referee& referee) const {
        if (referee.is_costly()) return false;
        if (spec_.builtin == "perfect")
            return context_.shared.analyst->answers_at_once(referee.game());
        if (spec_.builtin == "greedy") return bots::is_quick(referee.game().position());
        return spec_.builtin == "random";
    }

    const PlayerContext& context_;
    std::shared_ptr<const PlayerBuild> build_;
    PlayerSpec spec_;
    std::mt19937_64 random_;
};

}  // namespace

std::unique_ptr<Player> make_builtin_player(const PlayerSpec& spec,
                                            const PlayerContext& context) {
    return std::make_unique<BuiltinPlayer>(spec, context);
}

}  // namespace arena
