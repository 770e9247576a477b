// Clinic: whoever connects meets the server's own player, number 0, as often as it connects.
#include <algorithm>
#include <vector>

#include "arena/contest/planning.hpp"

namespace arena {
namespace {

class Clinic final : public Format {
  public:
    explicit Clinic(const FormatOptions& options) : options_(options) {}

    void add(const Entrant&) override { players_.emplace_back(); }

    void add(const RoundPlan& plan) override {
        for (const PlannedPair& pair : plan.pairs) {
            Visitor& who = visitor(pair.players);
            who.open_games += 2;
            who.is_due = false;
            rounds_planned_ = std::max(rounds_planned_, plan.round);
        }
    }

    void add(const GameResult& result) override { --visitor(result.players).open_games; }

    NextRound next(std::chrono::milliseconds) override {
        RoundPlan plan;
        plan.round = rounds_planned_ + 1;
        for (int number = 1; number < static_cast<int>(players_.size()); ++number) {
            if (!players_[static_cast<std::size_t>(number)].is_due) continue;
            const int pairing = static_cast<int>(plan.pairs.size()) / (options_.games / 2) + 1;
            add_pairs(plan, pairing, {number, 0}, 1, options_.games / 2);
        }
        if (plan.pairs.empty()) return AwaitResults{};
        return plan;
    }

    // The games of a visit that broke off are played first.
    void set_present(int number, bool is_present) override {
        Visitor& who = players_[static_cast<std::size_t>(number)];
        who.is_due = is_present && who.open_games == 0;
    }

    std::optional<std::uint64_t> total_games() const override { return std::nullopt; }

  private:
    struct Visitor {
        bool is_due = false;
        int open_games = 0;
    };

    Visitor& visitor(const std::array<int, 2>& players) {
        return players_[static_cast<std::size_t>(std::max(players[0], players[1]))];
    }

    const FormatOptions options_;
    std::vector<Visitor> players_;
    int rounds_planned_ = 0;
};

}  // namespace

std::unique_ptr<Format> make_clinic(const FormatOptions& options) {
    return std::make_unique<Clinic>(options);
}

}  // namespace arena
