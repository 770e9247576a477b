#include "arena/pages/annotate.hpp"

#include <chrono>
#include <optional>
#include <vector>

#include "arena/statistics/game_analysis.hpp"

namespace arena {
namespace {

constexpr std::size_t kBatch = 256;
constexpr std::chrono::seconds kGameTime{2};

}  // namespace

protocol::Result<Annotated> annotate_games(Store& store, const engine::Analyst& analyst,
                                           const engine::Budget& budget,
                                           const std::function<void(std::uint64_t)>& progress) {
    Annotated result;
    std::optional<GameKey> after;
    while (true) {
        const auto keys = store.unannotated(after, kBatch);
        if (!keys) return keys.error();
        if (keys->empty()) return result;
        std::vector<Annotation> notes;
        for (const GameKey& key : *keys) {
            const auto game = store.game(key);
            if (!game) return game.error();
            if (!*game) continue;
            const auto analysis =
                analyse_game((*game)->record, analyst, budget.at_most(kGameTime));
            result.complete = !budget.is_spent();
            if (!result.complete) break;
            notes.push_back({key, to_string(analysis)});
        }
        const auto noted = store.annotate(notes);
        if (!noted) return noted.error();
        result.games += notes.size();
        if (progress) progress(result.games);
        if (!result.complete) return result;
        after = keys->back();
    }
}

}  // namespace arena
