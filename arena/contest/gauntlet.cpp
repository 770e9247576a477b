// The first players ("seeds") each against all the others; they do not meet each other.
#include <algorithm>
#include <utility>

#include "arena/contest/timetable.hpp"

namespace arena {
namespace {

class Gauntlet final : public Timetable {
  public:
    using Timetable::Timetable;

    std::optional<std::uint64_t> total_games() const override {
        const auto seeds = static_cast<std::uint64_t>(options().seeds);
        const std::uint64_t players = starter_count() + joiners().size();
        return seeds * (players - seeds) * static_cast<std::uint64_t>(options().games);
    }

  private:
    int seeds() const { return std::min(options().seeds, static_cast<int>(starters().size())); }
    int others() const { return static_cast<int>(starters().size()) - seeds(); }

    Section section(std::size_t number) const override {
        if (number == 0) {
            return {others() == 0 ? 0 : std::max(seeds(), others()),
                    std::min(seeds(), others())};
        }
        return {1, seeds()};
    }

    std::vector<Meeting> meetings(std::size_t number, int round) const override {
        std::vector<Meeting> meetings;
        for (int seed = 0; seed < seeds(); ++seed) {
            const int other = number == 0 ? opponent(seed, round) : joiners()[number - 1];
            if (other < 0) continue;
            Meeting meeting{starters()[static_cast<std::size_t>(seed)], other};
            if (round % 2 == 1) std::swap(meeting[0], meeting[1]);
            meetings.push_back(meeting);
        }
        return meetings;
    }

    // Seeds rotate over the others, each one step ahead; -1: no opponent in this round, because
    // there are more seeds than others.
    int opponent(int seed, int round) const {
        const int at = (seed + round) % std::max(seeds(), others());
        return at < others() ? starters()[static_cast<std::size_t>(seeds() + at)] : -1;
    }
};

}  // namespace

std::unique_ptr<Format> make_gauntlet(const FormatOptions& options) {
    return std::make_unique<Gauntlet>(options);
}

}  // namespace arena
