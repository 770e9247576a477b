#include "arena/check/certify.hpp"

#include <fmt/format.h>
#include <boost/asio/awaitable.hpp>

#include "tests/arena/loop.hpp"
#include "tests/arena/stand_in_analyst.hpp"

namespace arena::certify_test {

using namespace testing;

PositionSet some_positions() {
    return *PositionSet::make({*Family::parse("nim;heaps=1..2;size=0..3")}, {});
}

std::string right_move(const engine::Game& game) {
    auto moves = StandInAnalyst().best_moves(game, 1, {})->moves;
    if (moves.empty()) moves = game.moves(1);
    return to_string(moves.front());
}

// A report on a bot that has answered all questions rightly.
class Certify : public Test {
  protected:
    Certify() {
        options_.asked = some_positions();
        survey_.emplace(*options_.asked, analyst_, 1);
        survey_->solve();
        for (const std::uint32_t number : survey_->order(1)) {
            survey_->take(number, {right_move(survey_->asked(number).game), "", nullptr},
                          false);
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

TEST_F(Certify, ShowsTheSmallestCounterexampleOfThePositionsThatWereAsked) {
    survey_.emplace(*options_.asked, analyst_, 1);
    survey_->solve();
    const Cause cause{Reason::Disconnected, "exit status 1"};
    survey_->take(survey_->order(1).front(), {"", "", &cause}, false);
    survey_->judge();
    end_.gave_up = true;
    EXPECT_THAT(to_text(report()),
                ContainsRegex("\nthe smallest counterexample among the positions asked is "
                              "nim:[0-9,]+: it ended\n"));
}

TEST_F(Certify, CountsWhatWasNeverAskedWithMovesAsNotAsked) {
    survey_.emplace(*options_.asked, analyst_, 1);
    survey_->solve();
    survey_->add_moves(1);
    const Cause cause{Reason::Disconnected, "exit status 1"};
    std::uint64_t with_moves = 0;
    for (const std::uint32_t number : survey_->order(1)) {
        const bool is_plain = number < options_.asked->size();
        with_moves += !is_plain;
        if (is_plain)
            survey_->take(number, {right_move(survey_->asked(number).game), "", nullptr},
                          false);
        else if (with_moves == 1)
            survey_->take(number, {"", "", &cause}, false);
    }
    survey_->judge();
    end_.gave_up = true;
    ASSERT_GT(with_moves, 2U);
    EXPECT_THAT(
        to_text(report()),
        AllOf(HasSubstr("\nright in 0 of 1 position that was sent with `moves`\n"),
              HasSubstr(fmt::format("; {} positions were not asked\n", with_moves - 1))));
    EXPECT_THAT(to_json(report()),
                HasSubstr(fmt::format(R"("moves":{{"positions":1,"right":0,"not_asked":{}}})",
                                      with_moves - 1)));
}

TEST_F(Certify, ComparesWhatIsAnsweredWhenItAsksAgain) {
    const auto asked_again = [&](const AskedMove& first, const AskedMove& then) {
        survey_.emplace(*options_.asked, analyst_, 1);
        survey_->solve();
        const std::uint32_t position = survey_->order(1).front();
        survey_->take(position, first, false);
        survey_->take(position, then, true);
        survey_->judge();
        return to_text(report());
    };
    const Cause illegal{Reason::IllegalMove, "not legal"}, late{Reason::Timeout, "late"};
    const auto same = HasSubstr("\nits answers do not vary: asked again once, it ");
    EXPECT_THAT(asked_again({"1=0", "error no", nullptr}, {"9=9", "error no", &illegal}), same);
    EXPECT_THAT(asked_again({"1=0", "", &late}, {"1=1", "", &late}), same);
    EXPECT_THAT(asked_again({"9=9", "", &illegal}, {"9=9", "", &illegal}), same);
    EXPECT_THAT(asked_again({"9=9", "", &illegal}, {"8=8", "", &illegal}),
                HasSubstr(": illegal-move 9=9, then illegal-move 8=8)\n"));
    EXPECT_THAT(asked_again({"9=9", "", &late}, {"9=9", "", &illegal}),
                HasSubstr(": timeout, then illegal-move 9=9)\n"));
}

// Its process has ended when a block begins.
class EndsBetweenBlocks : public Player {
  public:
    Awaitable<std::optional<Cause>> prepare(std::uint64_t) override {
        if (prepared_++ > 0) end_ = Cause{Reason::Disconnected, "exit status 1"};
        co_return std::nullopt;
    }
    std::optional<Cause> take_own_end() override { return std::exchange(end_, std::nullopt); }
    Awaitable<Answer> ask(const Question& question) override {
        Answer answer;
        answer.word = right_move(question.referee.game());
        co_return answer;
    }
    Awaitable<void> end_game(bool) override { co_return; }
    Awaitable<void> quit() override { co_return; }

  private:
    int prepared_ = 0;
    std::optional<Cause> end_;
};

TEST(Asking, CountsAnEndAfterTheLastAnswerOfABlock) {
    const auto positions = PositionSet::make({*Family::parse("nim;heaps=1;size=1..40")}, {});
    const StandInAnalyst analyst;
    Survey survey(*positions, analyst, 1);
    survey.solve();
    const std::vector<std::uint32_t> order = survey.order(1);
    EndsBetweenBlocks player;
    Loop loop;
    const Asking asking{survey, order};
    const TimeControl clock;
    loop.finish(ask_player(player, clock, 0, asking));
    survey.judge();
    EXPECT_EQ(survey.counts().won.right, 40u);
    EXPECT_EQ(survey.counts().won.ended, 1u);
    EXPECT_FALSE(survey.is_right());
    const auto faults = survey.faults();
    ASSERT_TRUE(faults.contains(kEndedAfterAnswer));
    EXPECT_EQ(faults.at(kEndedAfterAnswer).count, 1u);
    EXPECT_EQ(faults.at(kEndedAfterAnswer).cause.detail, "exit status 1");
}

}  // namespace arena::certify_test
