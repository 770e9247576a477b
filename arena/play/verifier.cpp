#include "arena/play/verifier.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "protocol/text.hpp"

namespace arena {

using protocol::Error;
using protocol::Result;

std::string difference_of(const GameRecord& recorded, const GameRecord& now) {
    const auto& there = recorded.moves;
    const auto& here = now.moves;
    const auto move = [](const std::vector<std::string>& moves, std::size_t ply) {
        return ply < moves.size() ? moves[ply] : std::string("none");
    };
    for (std::size_t ply = 0; ply < std::max(there.size(), here.size()); ++ply) {
        if (move(there, ply) == move(here, ply)) continue;
        return fmt::format("move {} is {} there, {} here", ply + 1, move(there, ply),
                           move(here, ply));
    }
    if (recorded.reason == now.reason && recorded.winner == now.winner) return {};
    return fmt::format("all moves are the same, but it ended by {} there, {} here",
                       name(recorded.reason), name(now.reason));
}

bool Verifier::can_verify(const GameRecord& record) {
    const bool has_strikes = !record.strikes[0].empty() || !record.strikes[1].empty();
    return !has_strikes && (!is_fault(record.reason) || record.reason == Reason::IllegalMove) &&
           record.reason != Reason::Void;
}

void Verifier::expect(const GameKey& key) {
    const std::lock_guard lock(mutex_);
    expected_.insert(key);
}

bool Verifier::takes(const GameKey& key) {
    const std::lock_guard lock(mutex_);
    return expected_.erase(key) > 0;
}

void Verifier::compare(const GameRecord& now) {
    const auto done = compare_or_fail(now);
    if (!done) fail_(done.error());
}

Result<void> Verifier::compare_or_fail(const GameRecord& now) {
    Sharing* sharing = store_.sharing();
    const auto game = store_.game(now.task.key);
    if (!game) return game.error();
    // A game that ended here by time or by a process shows nothing of the other machine.
    if (sharing == nullptr || !*game || !can_verify(now)) return {};
    ++games_;
    const std::string difference = difference_of((*game)->record, now);
    if (!difference.empty()) {
        const auto machine = machine_of(*sharing, (*game)->worker);
        if (!machine) return machine.error();
        tell_(fmt::format("mismatch: game {} of {}: {}", game_name(now.task), *machine,
                          difference));
    }
    return sharing->verify({now.task.key, 0, difference});
}

Result<std::string> Verifier::machine_of(Sharing& sharing, int worker) {
    const auto workers = sharing.workers();
    if (!workers) return workers.error();
    const auto found = std::ranges::find(*workers, worker, &WorkerStatus::id);
    if (found == workers->end()) return std::string("an unknown worker");
    return fmt::format("worker {} ({})", worker, protocol::printable(found->info.machine));
}

}  // namespace arena
