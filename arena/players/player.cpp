#include "arena/players/player.hpp"

#include <algorithm>
#include <utility>

#include <boost/asio/awaitable.hpp>

namespace arena {

Awaitable<std::optional<Cause>> Player::try_start() { co_return std::nullopt; }
Awaitable<std::optional<Cause>> Player::go_on(std::uint64_t) { co_return std::nullopt; }

Awaitable<std::optional<Cause>> Player::recover(Reason, Milliseconds, std::uint64_t) {
    co_return std::nullopt;
}

Awaitable<void> Player::notify(std::string) { co_return; }

std::unique_ptr<Player> make_player(const PlayerSpec& spec, std::size_t index,
                                    const PlayerContext& context) {
    if (spec.kind == PlayerKind::Builtin) return make_builtin_player(spec, context);
    if (spec.kind == PlayerKind::Human) return make_human_player(context);
    return make_ugi_player(spec, index, context);
}

PlayerPool::PlayerPool(const std::vector<PlayerSpec>& specs, const PlayerContext& context,
                       int processes)
    : specs_(specs), context_(context), processes_(processes) {}

Awaitable<std::unique_ptr<Player>> PlayerPool::take(int number) {
    ++playing_;
    const auto found = std::find_if(idle_.rbegin(), idle_.rend(),
                                    [&](const Idle& idle) { return idle.number == number; });
    if (found != idle_.rend()) {
        auto player = std::move(found->player);
        idle_.erase(std::next(found).base());
        co_return player;
    }
    co_await let_go_down_to(processes_);
    const auto index = static_cast<std::size_t>(number);
    co_return make_player(specs_[index], index, context_);
}

Awaitable<void> PlayerPool::give_back(int number, std::unique_ptr<Player> player) {
    --playing_;
    if (specs_[static_cast<std::size_t>(number)].instances > 0) {
        co_await player->quit();
        co_return;
    }
    idle_.push_back({number, std::move(player)});
    co_await let_go_down_to(processes_);
}

Awaitable<void> PlayerPool::quit() { co_await let_go_down_to(0); }

Awaitable<void> PlayerPool::let_go_down_to(int most) {
    while (!idle_.empty() && playing_ + static_cast<int>(idle_.size()) > most) {
        const auto player = std::move(idle_.front().player);
        idle_.pop_front();
        co_await player->quit();
    }
}

}  // namespace arena
