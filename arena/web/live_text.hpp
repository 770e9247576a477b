// The parts of the state that watchers are shown, as text: JSON, see /api/live in doc/web.md.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arena/game/review.hpp"
#include "arena/play/spectator.hpp"
#include "protocol/position.hpp"

namespace arena::web {

inline constexpr std::size_t kMostRows = 1000;  // of the standings

// The state of a game that is shown.
struct TableState {
    enum class Phase { Empty, Playing, Over };

    Phase phase = Phase::Empty;
    std::string game;
    std::array<int, 2> players{};
    std::size_t ply = 0;
    std::string last;
    std::array<std::optional<Milliseconds>, 2> left;
    Clock::time_point since;  // the last move, or the end
    std::optional<int> winner;
    Reason reason = Reason::Void;

    void take(const GameNow& now, Clock::time_point at) {
        ply = now.ply;
        last = now.move;
        left = now.left;
        since = at;
    }
};

struct ShownPlayer {
    std::string name;
    std::optional<bool> is_present;
    bool is_out = false;

    friend bool operator==(const ShownPlayer&, const ShownPlayer&) = default;
};

// Texts of players as they are shown: printable, of bounded length.
std::string shown_player(std::string_view name);
std::string shown_detail(std::string_view detail);

// `info`: nothing before the contest has begun.
std::string tournament_text(const std::optional<ContestInfo>& info, bool is_over);
std::string player_text(std::size_t number, const ShownPlayer& player);
std::string progress_text(const ContestProgress& progress);
std::string standings_text(const std::vector<ContestRow>& standings);
// Without the closing brace, so that keys can follow. `position`: none where it is too large to
// be shown.
std::string board_text(std::size_t number, const TableState& state,
                       const std::optional<protocol::Position>& position);
// `record.times` has an entry for each move, `record.moves` for all or none.
std::string finished_text(const GameRecord& record, const std::optional<GameReview>& review);

}  // namespace arena::web
