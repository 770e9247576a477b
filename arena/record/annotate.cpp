#include "arena/record/annotate.hpp"

#include <vector>

namespace arena {
namespace {

using protocol::Result;

constexpr std::size_t kBatch = 256;
constexpr auto kTimeOnceMore = 5 * kAnalysisTime;

class Annotator {
  public:
    Annotator(Store& store, const engine::Analyst& analyst, const engine::Budget& budget,
              const std::function<void(std::uint64_t)>& progress)
        : store_(store), analyst_(analyst), budget_(budget), progress_(progress) {}

    Result<Annotated> run() {
        const auto incomplete = incomplete_games();
        if (!incomplete) return incomplete.error();
        std::optional<GameKey> after;
        while (result_.complete) {
            const auto keys = store_.unannotated(after, kBatch);
            if (!keys) return keys.error();
            if (keys->empty()) break;
            const auto noted = annotate(*keys, kAnalysisTime);
            if (!noted) return noted.error();
            after = keys->back();
        }
        if (!result_.complete) return result_;
        const auto noted = annotate(*incomplete, kTimeOnceMore);
        if (!noted) return noted.error();
        return result_;
    }

  private:
    // Games of earlier runs with unknown values.
    Result<std::vector<GameKey>> incomplete_games() const {
        std::vector<GameKey> keys;
        const auto read = store_.for_each_game([&](const StoredGame& game) {
            const auto analysis = noted_analysis(game);
            if (analysis && !analysis->is_complete()) keys.push_back(game.record.task.key);
            return true;
        });
        if (!read) return read.error();
        return keys;
    }

    Result<void> annotate(const std::vector<GameKey>& keys, std::chrono::seconds time) {
        std::vector<Annotation> notes;
        for (const GameKey& key : keys) {
            const auto game = store_.game(key);
            if (!game) return game.error();
            if (!*game) continue;
            const auto analysis =
                analyse_game((*game)->record, analyst_, budget_.at_most(time));
            result_.complete = !budget_.is_spent();
            if (!result_.complete) break;
            notes.push_back({key, to_string(analysis)});
        }
        const auto noted = store_.annotate(notes);
        if (!noted) return noted;
        result_.games += notes.size();
        if (progress_) progress_(result_.games);
        return {};
    }

    Store& store_;
    const engine::Analyst& analyst_;
    const engine::Budget& budget_;
    const std::function<void(std::uint64_t)>& progress_;
    Annotated result_;
};

}  // namespace

std::optional<GameAnalysis> noted_analysis(const StoredGame& game) {
    auto noted = parse_game_analysis(game.annotation);
    if (!noted || noted->plies.size() != game.record.moves.size()) return std::nullopt;
    return *std::move(noted);
}

GameAnalysis analysis_of(const StoredGame& game, const engine::Analyst& analyst) {
    auto noted = noted_analysis(game);
    if (noted) return *std::move(noted);
    return analyse_game(game.record, analyst, {SteadyClock::now() + kAnalysisTime, {}});
}

Result<Annotated> annotate_games(Store& store, const engine::Analyst& analyst,
                                 const engine::Budget& budget,
                                 const std::function<void(std::uint64_t)>& progress) {
    return Annotator(store, analyst, budget, progress).run();
}

}  // namespace arena
