// All meet all, once in each cycle.
#include <utility>

#include "arena/contest/timetable.hpp"

namespace arena {
namespace {

class RoundRobin final : public Timetable {
  public:
    using Timetable::Timetable;

    std::optional<std::uint64_t> total_games() const override {
        const std::uint64_t players = starter_count() + joiners().size();
        return players * (players - 1) / 2 * static_cast<std::uint64_t>(options().cycles) *
               static_cast<std::uint64_t>(options().games);
    }

  private:
    // The number of seats of the circle. It is even: with an odd number of players, the
    // opponent of the extra seat has a bye.
    int seats() const { return static_cast<int>((starters().size() + 1) / 2 * 2); }

    Section section(std::size_t number) const override {
        const int cycles = options().cycles;
        const int players = static_cast<int>(starters().size());
        if (number == 0) return {players < 2 ? 0 : cycles * (seats() - 1), players / 2};
        return {cycles, players + static_cast<int>(number) - 1};
    }

    std::vector<Meeting> meetings(std::size_t number, int round) const override {
        return number == 0 ? circle(round) : meet_all(number - 1, round);
    }

    // The circle method: the last seat is fixed, the others rotate. The first mover alternates,
    // so that in a cycle no player is first more than once more often than second.
    std::vector<Meeting> circle(int round) const {
        if (options().kind == FormatKind::Match) return {{0, 1}};  // the first player begins
        const int turning = seats() - 1;
        const bool swapped = round / turning % 2 == 1;
        const int turn = round % turning;
        std::vector<Meeting> meetings;
        const auto meet = [&](int first, int second, bool swap) {
            const int players = static_cast<int>(starters().size());
            if (first >= players || second >= players) return;
            if (swap != swapped) std::swap(first, second);
            meetings.push_back({starters()[static_cast<std::size_t>(first)],
                                starters()[static_cast<std::size_t>(second)]});
        };
        meet(turn, turning, turn % 2 == 0);
        for (int i = 1; i < seats() / 2; ++i) {
            meet((turn + i) % turning, (turn + turning - i) % turning, i % 2 == 0);
        }
        return meetings;
    }

    // A late joiner meets all earlier players.
    std::vector<Meeting> meet_all(std::size_t joiner, int round) const {
        std::vector<int> others = starters();
        others.insert(others.end(), joiners().begin(),
                      joiners().begin() + static_cast<std::ptrdiff_t>(joiner));
        std::vector<Meeting> meetings;
        for (std::size_t i = 0; i < others.size(); ++i) {
            Meeting meeting{others[i], joiners()[joiner]};
            if ((i + static_cast<std::size_t>(round)) % 2 == 1) {
                std::swap(meeting[0], meeting[1]);
            }
            meetings.push_back(meeting);
        }
        return meetings;
    }
};

}  // namespace

std::unique_ptr<Format> make_round_robin(const FormatOptions& options) {
    return std::make_unique<RoundRobin>(options);
}

}  // namespace arena
