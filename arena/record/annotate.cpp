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
        // Analysed after the visit, during which a store may keep all that is written
        // meanwhile.
        std::vector<GameKey> fresh,
            incomplete;  // without an analysis; with one of earlier runs
        const auto visited = store_.for_each_game([&](const GameRecord& game) {
            if (game.annotation.empty())
                fresh.push_back(game.task.key);
            else if (const auto noted = noted_analysis(game); noted && !noted->is_complete())
                incomplete.push_back(game.task.key);
            return true;
        });
        if (!visited) return visited.error();
        auto done = annotate_all(fresh, kAnalysisTime);
        if (done) done = annotate_all(incomplete, kTimeOnceMore);
        if (done) done = note();
        if (!done) return done.error();
        return result_;
    }

  private:
    // Until the time is up.
    Result<void> annotate_all(const std::vector<GameKey>& keys, std::chrono::seconds time) {
        for (const GameKey& key : keys) {
            if (!result_.complete) break;
            const auto game = store_.game(key);
            if (!game) return game.error();
            if (!*game) continue;
            const auto analysis = analyse_game(**game, analyst_, budget_.at_most(time));
            result_.complete = !budget_.is_spent();
            if (result_.complete) notes_.push_back({key, to_string(analysis)});
            const auto noted = notes_.size() < kBatch ? Result<void>() : note();
            if (!noted) return noted;
        }
        return {};
    }

    Result<void> note() {
        if (notes_.empty()) return {};
        auto noted = store_.annotate(notes_);
        if (!noted) return noted;
        result_.games += notes_.size();
        notes_.clear();
        if (progress_) progress_(result_.games);
        return {};
    }

    Store& store_;
    const engine::Analyst& analyst_;
    const engine::Budget& budget_;
    const std::function<void(std::uint64_t)>& progress_;
    Annotated result_;
    std::vector<Annotation> notes_;  // not stored yet
};

}  // namespace

std::optional<GameAnalysis> noted_analysis(const GameRecord& game) {
    auto noted = parse_game_analysis(game.annotation);
    if (!noted || noted->plies.size() != game.moves.size()) return std::nullopt;
    return *std::move(noted);
}

GameAnalysis analysis_of(const GameRecord& game, const engine::Analyst& analyst) {
    auto noted = noted_analysis(game);
    if (noted) return *std::move(noted);
    return analyse_game(game, analyst, {SteadyClock::now() + kAnalysisTime, {}});
}

Result<Annotated> annotate_games(Store& store, const engine::Analyst& analyst,
                                 const engine::Budget& budget,
                                 const std::function<void(std::uint64_t)>& progress) {
    return Annotator(store, analyst, budget, progress).run();
}

}  // namespace arena
