#include "arena/contest/format.hpp"

namespace arena::clinic_test {

using std::chrono::milliseconds;
using namespace testing;
using Meetings = std::vector<std::array<int, 2>>;

// Three students, and the server's own player.
class Clinic : public ::testing::Test {
  protected:
    Clinic() {
        FormatOptions options;
        options.kind = FormatKind::Clinic;
        options.players = 4;
        options.open = true;
        format_ = *make_format(options);
        for (int i = 0; i < 4; ++i) format_->add(Entrant{std::to_string(i), "", 1});
    }

    // Who meets whom in the next round; it is played by play().
    Meetings plan() {
        Meetings meetings;
        const auto next = format_->next(milliseconds(0));
        if (const auto* plan = std::get_if<RoundPlan>(&next)) {
            for (const PlannedPair& pair : plan->pairs) meetings.push_back(pair.players);
            format_->add(*plan);
            plans_.push_back(*plan);
        }
        return meetings;
    }
    void play(const PlannedPair& pair, int leg) {
        GameResult result{{pair.key, leg}, pair.players, 0, Reason::NoMoves};
        if (leg == 2) std::swap(result.players[0], result.players[1]);
        format_->add(result);
    }

    std::unique_ptr<Format> format_;
    std::vector<RoundPlan> plans_;
};

TEST_F(Clinic, PlansForWhoeverHasConnected) {
    EXPECT_THAT(plan(), IsEmpty());
    format_->set_present(2, true);
    format_->set_present(1, true);
    EXPECT_THAT(plan(), ElementsAre(std::array{1, 0}, std::array{2, 0}));
    format_->set_present(3, true);
    EXPECT_THAT(plan(), ElementsAre(std::array{3, 0}));
    EXPECT_THAT(plan(), IsEmpty());
    EXPECT_FALSE(format_->total_games());
}

TEST_F(Clinic, PlansAnewAfterEachConnectionOnceAllIsPlayed) {
    format_->set_present(1, true);
    plan();
    const PlannedPair pair = plans_.back().pairs[0];
    play(pair, 1);
    format_->set_present(1, false);
    format_->set_present(1, true);
    EXPECT_THAT(plan(), IsEmpty()) << "one game is open";
    play(pair, 2);
    EXPECT_THAT(plan(), IsEmpty()) << "the connection has had its games";
    format_->set_present(1, false);
    EXPECT_THAT(plan(), IsEmpty());
    format_->set_present(1, true);
    EXPECT_THAT(plan(), ElementsAre(std::array{1, 0}));
    EXPECT_EQ(plans_.back().round, 2);
}

TEST_F(Clinic, WhoHasGoneBeforeThePlanIsLeftOut) {
    format_->set_present(1, true);
    format_->set_present(1, false);
    EXPECT_THAT(plan(), IsEmpty());
}

TEST(ClinicFormat, IsForAServer) {
    FormatOptions options;
    options.kind = FormatKind::Clinic;
    options.players = 2;
    EXPECT_EQ(check_format(options).error().text,
              "--format: read clinic, expected another: see nim-arena serve --clinic");
}

}  // namespace arena::clinic_test
