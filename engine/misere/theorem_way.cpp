// A heap alone whose ruleset has a theorem on misere play, such as Moore's nim.
#include <algorithm>

#include "engine/misere/way.hpp"

namespace engine::misere {
namespace {

class TheoremWay : public Way {
  public:
    using Way::Way;

    // The heap that has a move; nullopt: there are several, or none.
    std::optional<std::size_t> live_part() const {
        std::optional<std::size_t> live;
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            const auto& place = parts_[i].place;
            if (!place.rules->has_move(*place.heap)) continue;
            if (live) return std::nullopt;
            live = i;
        }
        return live;
    }

    std::optional<bool> is_previous_win(const Budget& budget) const override {
        const auto live = live_part();
        return live ? is_previous_win_alone(*live, budget) : std::nullopt;
    }

    // Without a heap there is no move, which wins.
    std::optional<bool> is_previous_win(std::size_t part, std::span<const Heap> left,
                                        const Budget&) const override {
        if (left.empty()) return false;
        if (left.size() > 1) return std::nullopt;
        return parts_[part].place.solver->misere_previous_win(left.front());
    }

    std::optional<bool> is_previous_win_alone(std::size_t part, const Budget&) const override {
        const auto& place = parts_[part].place;
        if (!place.rules->has_move(*place.heap)) return false;
        return place.solver->misere_previous_win(*place.heap);
    }

    Candidates candidates(std::size_t part, const Budget&) const override {
        const auto& place = parts_[part].place;
        auto found = place.solver->misere_follower(*place.heap);
        if (!found) return {};
        return {{*std::move(found)}, Cover::One};
    }

    std::string reason() const override {
        return "a theorem on misere play of this ruleset tells who wins a heap alone";
    }
};

}  // namespace

std::unique_ptr<Way> find_theorem_way(const std::vector<Part>& parts) {
    auto way = std::make_unique<TheoremWay>(parts);
    if (!way->live_part()) return nullptr;
    return way;
}

}  // namespace engine::misere
