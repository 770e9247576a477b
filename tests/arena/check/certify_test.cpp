#include "arena/check/certify.hpp"

#include "tests/arena/stand_in_analyst.hpp"

namespace arena::certify_test {

using namespace testing;

PositionSet some_positions() {
    return *PositionSet::make({*Family::parse("nim;heaps=1..2;size=0..3")}, {});
}

// A report on a bot that has answered all questions rightly.
class Certify : public Test {
  protected:
    Certify() {
        options_.asked = some_positions();
        survey_.emplace(*options_.asked, analyst_, 1);
        survey_->solve();
        for (const std::uint32_t number : survey_->order(1)) {
            const engine::Game game = survey_->asked(number).game;
            auto moves = analyst_.best_moves(game, 1, {})->moves;
            if (moves.empty()) moves = game.moves(1);
            survey_->take(number, {to_string(moves.front()), "", nullptr}, false);
        }
        survey_->judge();
        end_.has_answered = true;
    }

    CertifyReport report() const { return {options_, *survey_, end_, Milliseconds(1)}; }

    StandInAnalyst analyst_;
    CertifyOptions options_;
    std::optional<Survey> survey_;
    AskEnd end_;
};

TEST_F(Certify, CertifiesABotThatIsRight) {
    EXPECT_THAT(to_text(report()), EndsWith("\ncertified: 18 positions\n"));
    EXPECT_THAT(to_json(report()), HasSubstr(R"("starved":false,"certified":true)"));
}

TEST_F(Certify, DoesNotCertifyABotThatDidNotStartAgain) {
    end_.start_failure = Cause{Reason::Startup, "no 'ugiok'"};
    EXPECT_THAT(to_text(report()), HasSubstr("\nit did not start again: no 'ugiok'\n"))
        << "all positions were asked once";
    EXPECT_THAT(to_text(report()), EndsWith("\nREFUTED\n"));
    EXPECT_THAT(to_json(report()), HasSubstr(R"("starved":false,"certified":false)"));
    end_.start_failure->is_starved = true;
    EXPECT_THAT(to_json(report()), HasSubstr(R"("starved":true,"certified":false)"));
}

}  // namespace arena::certify_test
