#include "arena/play/roster.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "arena/players/player_spec.hpp"

namespace arena {

Entrant token_entrant(const std::string& name) {
    PlayerSpec spec;
    spec.kind = PlayerKind::Token;
    spec.name = name;
    return {name, to_string(spec), 1};
}

void Roster::add(const std::string& name) {
    const std::lock_guard lock(mutex_);
    append(name);
}

std::size_t Roster::append(const std::string& name) {
    numbers_.try_emplace(name, names_.size());
    names_.push_back(name);
    is_present_.push_back(false);
    show(names_.size() - 1);
    return names_.size() - 1;
}

protocol::Result<int> Roster::admit(const std::string& name) {
    const std::lock_guard lock(mutex_);
    const auto refuse = [](std::string why) {
        return protocol::Error{protocol::Fault::BadInput, std::move(why), 0};
    };
    if (const auto known = numbers_.find(name); known != numbers_.end()) {
        if (known->second < own_)
            return refuse("name: a player of the server is called the same");
        const auto number = static_cast<int>(known->second);
        const auto may = events_.admits ? events_.admits(number) : protocol::Result<void>();
        return may ? protocol::Result<int>(number) : may.error();
    }
    if (is_closed_) return refuse("late: the tournament has begun, and nobody can join it");
    if (names_.size() >= most_)
        return refuse("full: as many players as there can be have joined");
    const auto number = static_cast<int>(append(name));
    if (has_begun_) events_.joined(token_entrant(name));
    return number;
}

void Roster::came(int player, const LobbySession& session, Clock::time_point now) {
    const std::lock_guard lock(mutex_);
    const auto index = static_cast<std::size_t>(player);
    is_present_[index] = true;
    if (spectator_ != nullptr) spectator_->present(player, true);
    if (has_begun_) events_.present(player, true);
    const auto more = awaited();
    tell(came_[player], now,
         fmt::format("{} came from {}, round trip {:.1f} ms{}", names_[index], session.address,
                     static_cast<double>(session.round_trip.count()) / 1000,
                     more == 0 ? "" : fmt::format(", waiting for {} more", more)));
    arrival_.set();
}

void Roster::left(int player, const std::string& why, Clock::time_point now) {
    const std::lock_guard lock(mutex_);
    const auto index = static_cast<std::size_t>(player);
    is_present_[index] = false;
    if (spectator_ != nullptr) spectator_->present(player, false);
    if (has_begun_) events_.present(player, false);
    tell(left_[player], now, fmt::format("{} has gone: {}", names_[index], why));
}

void Roster::awaited(int player, std::chrono::seconds time, Clock::time_point now) {
    const std::lock_guard lock(mutex_);
    tell(awaited_[player], now,
         fmt::format("waiting up to {} s for {}", time.count(),
                     names_[static_cast<std::size_t>(player)]));
}

bool Roster::may_wait(int player) {
    const std::lock_guard lock(mutex_);
    return !events_.may_wait || events_.may_wait(player);
}

void Roster::tell_presence(int player) {
    const std::lock_guard lock(mutex_);
    events_.present(player, is_present_[static_cast<std::size_t>(player)]);
}

std::string Roster::greeting(int player) const {
    const std::lock_guard lock(mutex_);
    return boost::json::serialize(
        boost::json::object{{"event", "connected"},
                            {"name", names_[static_cast<std::size_t>(player)]},
                            {"awaited", awaited()}});
}

void Roster::await(std::size_t wanted) {
    const std::lock_guard lock(mutex_);
    wanted_ = wanted;
}

std::size_t Roster::awaited() const {
    const auto present = static_cast<std::size_t>(std::ranges::count(is_present_, true));
    return has_begun_ || present >= wanted_ ? 0 : wanted_ - present;
}

void Roster::tell(LineLimit& limit, Clock::time_point now, const std::string& line) {
    if (!line_) return;
    if (const auto more = limit.show(now)) line_(line + *more);
}

std::size_t Roster::present() const {
    const std::lock_guard lock(mutex_);
    return static_cast<std::size_t>(std::ranges::count(is_present_, true));
}

std::vector<std::string> Roster::names() const {
    const std::lock_guard lock(mutex_);
    return names_;
}

void Roster::tell(std::function<void(const std::string&)> line) {
    const std::lock_guard lock(mutex_);
    line_ = std::move(line);
}

void Roster::show(Spectator* spectator) {
    const std::lock_guard lock(mutex_);
    spectator_ = spectator;
    for (std::size_t i = 0; i < names_.size(); ++i) show(i);
}

// With the lock held.
void Roster::show(std::size_t player) {
    if (spectator_ == nullptr) return;
    spectator_->player(static_cast<int>(player), names_[player]);
    spectator_->present(static_cast<int>(player), is_present_[player]);
}

void Roster::begin(std::size_t count, bool is_closed, Events events) {
    const std::lock_guard lock(mutex_);
    events_ = std::move(events);
    has_begun_ = true;
    is_closed_ = is_closed;
    for (std::size_t i = count; i < names_.size(); ++i)
        events_.joined(token_entrant(names_[i]));
    for (std::size_t i = own_; i < names_.size(); ++i)
        events_.present(static_cast<int>(i), is_present_[i]);
}

}  // namespace arena
