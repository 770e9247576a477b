// Solves sums by retrograde analysis, where positions can recur and labels do not decide who
// wins.
#include <memory>

#include "engine/base/cache.hpp"
#include "engine/sums/retrograde.hpp"
#include "engine/sums/solution.hpp"

namespace engine {
namespace {

using SolvedSums = Cache<const Retrograde*, const Retrograde>;

SolvedSums& solved_sums() {
    static SolvedSums tables(8, Memory::kMaxMegabytes << 20);
    return tables;
}

// A table that knows all that is asked of the position. Where not all could be explored, that
// is how to win it.
std::shared_ptr<const Retrograde> find_table(const Position& position, Aim aim) {
    return solved_sums().find_if([&](const Retrograde& table) {
        const Outcome outcome = table.verdict(position).outcome;
        return table.is_complete() ? outcome != Outcome::Unknown
                                   : outcome == Outcome::N && aim == Aim::Winner;
    });
}

class RetrogradeSolution : public JudgedSolution {
  public:
    // The latest tables that were finished are kept for the process and asked first: most
    // positions of a game are in the table of an earlier one.
    RetrogradeSolution(const Game& game, const Budget& budget, Aim aim)
        : JudgedSolution(game, budget), table_(find_table(game.position(), aim)) {
        if (table_) return;
        const auto goal =
            aim == Aim::Winner ? Retrograde::Goal::Outcome : Retrograde::Goal::EveryMove;
        table_ = std::make_shared<const Retrograde>(game, goal, budget);
        if (outcome() != Outcome::Unknown) solved_sums().add(table_.get(), table_, 0);
    }

    Outcome outcome() const override { return table_->verdict(game_.position()).outcome; }

    Outcome outcome_after(const Move& move, const Budget&) const override {
        return judge_after(move).outcome;
    }

    std::string reason() const override {
        const std::string seen = std::to_string(table_->size()) + " sums that can be reached";
        if (outcome() == Outcome::Unknown) {
            return "time or memory ended among the " + seen;
        }
        const auto remoteness = table_->verdict(game_.position()).remoteness;
        const std::string back = "going back from the ends of play through the " + seen;
        if (outcome() == Outcome::D) return back + ", neither player can force an end";
        return back + ", the end can be forced in " + std::to_string(remoteness) + " moves" +
               (table_->is_complete() ? "" : " or fewer");
    }

  private:
    bool tells_remoteness() const override { return true; }

    Judgement judge_after(const Move& move) const override {
        const auto verdict = table_->verdict(game_.position(), &move);
        return {verdict.outcome, verdict.remoteness};
    }

    std::shared_ptr<const Retrograde> table_;
};

}  // namespace

std::unique_ptr<Solution> solve_backwards(const Game& game, const Budget& budget, Aim aim) {
    return std::make_unique<RetrogradeSolution>(game, budget, aim);
}

}  // namespace engine
