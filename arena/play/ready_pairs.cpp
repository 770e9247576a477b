#include "arena/play/ready_pairs.hpp"

#include <algorithm>
#include <utility>

namespace arena {

void ReadyPairs::add(std::vector<Claim> claims) {
    for (Claim& claim : claims) {
        const Place place = next_++;
        Pair pair{std::move(claim), 0, 0};
        for (const int player : pair.claim.pair.players) {
            if (!is_bounded(player)) continue;
            places_[player].insert(place);
            pair.busy += !is_free(player);
            pair.absent += absent_.contains(player) ? 1 : 0;
        }
        sort(place, pair);
        pairs_.emplace(place, std::move(pair));
    }
}

std::optional<Claim> ReadyPairs::take() { return take_from(free_); }

std::optional<Claim> ReadyPairs::take_absent() { return take_from(free_absent_); }

std::optional<Claim> ReadyPairs::take_from(const std::set<Place>& places) {
    if (places.empty()) return std::nullopt;
    Claim claim = remove(*places.begin());
    for (const int player : claim.pair.players) seat(player);
    return claim;
}

std::optional<Claim> ReadyPairs::take_with(const std::array<int, 2>& seated) {
    const auto is_seated = [&](int player) { return std::ranges::count(seated, player) > 0; };
    const auto goes_on = [&](Place place) {
        return std::ranges::all_of(pairs_.at(place).claim.pair.players, [&](int player) {
            return !absent_.contains(player) && (is_seated(player) || is_free(player));
        });
    };
    std::optional<Place> first;
    for (const int player : seated) {
        const auto own = places_.find(player);
        if (own == places_.end()) continue;
        const auto place = std::ranges::find_if(own->second, goes_on);
        if (place != own->second.end()) first = std::min(first.value_or(*place), *place);
    }
    if (!first) return std::nullopt;
    Claim claim = remove(*first);
    for (const int player : claim.pair.players) {
        if (!is_seated(player)) seat(player);
    }
    return claim;
}

void ReadyPairs::leave(int player) {
    const auto playing = playing_.find(player);
    if (playing == playing_.end()) return;  // it has no limit
    const bool was_free = is_free(player);
    if (--playing->second == 0) playing_.erase(playing);
    if (!was_free) add_busy(player, -1);
}

void ReadyPairs::set_present(int player, bool is_present) {
    const bool is_new = is_present ? absent_.erase(player) > 0 : absent_.insert(player).second;
    const auto own = places_.find(player);
    if (!is_new || own == places_.end()) return;
    for (const Place place : own->second) {
        Pair& pair = pairs_.at(place);
        pair.absent += is_present ? -1 : 1;
        sort(place, pair);
    }
}

std::vector<Claim> ReadyPairs::clear() {
    std::vector<Claim> claims;
    for (auto& [place, pair] : std::exchange(pairs_, {}))
        claims.push_back(std::move(pair.claim));
    free_.clear();
    free_absent_.clear();
    places_.clear();
    return claims;
}

bool ReadyPairs::is_free(int player) const {
    const auto playing = playing_.find(player);
    return playing == playing_.end() || playing->second < instances_(player);
}

void ReadyPairs::seat(int player) {
    if (!is_bounded(player)) return;
    ++playing_[player];
    if (!is_free(player)) add_busy(player, 1);
}

void ReadyPairs::add_busy(int player, int change) {
    const auto own = places_.find(player);
    if (own == places_.end()) return;
    for (const Place place : own->second) {
        Pair& pair = pairs_.at(place);
        pair.busy += change;
        sort(place, pair);
    }
}

// Into the set that it belongs to.
void ReadyPairs::sort(Place place, const Pair& pair) {
    free_.erase(place);
    free_absent_.erase(place);
    if (pair.busy == 0) (pair.absent == 0 ? free_ : free_absent_).insert(place);
}

Claim ReadyPairs::remove(Place place) {
    const auto pair = pairs_.find(place);
    Claim claim = std::move(pair->second.claim);
    pairs_.erase(pair);
    free_.erase(place);
    free_absent_.erase(place);
    for (const int player : claim.pair.players) {
        const auto own = places_.find(player);
        if (own == places_.end()) continue;
        own->second.erase(place);
        if (own->second.empty()) places_.erase(own);
    }
    return claim;
}

}  // namespace arena
