// What the author of a bot is told: the remedy that fits, once, and no more than is needed.

#include "tests/arena/check/scripted_bot.hpp"

namespace arena::check_words_test {

using namespace testing;

constexpr const char* kRefuse =
    "if it is not to play these rulesets, let it answer such a `position` by `info string "
    "error …` and go on: then this is no failure";

TEST(CheckWords, ABotThatReadsAllOfItsInputFirstIsNotToldToFlush) {
    const Checked checked = check_scripted([](Bot& bot) {
        auto read = std::make_shared<std::vector<Words>>();
        const auto acts = std::exchange(bot.acts, {});
        bot.acts["else"] = [read](Bot&, const Words& words) { read->push_back(words); };
        bot.acts["end"] = [read, acts](Bot& self, const Words&) {
            for (const Words& words : *read) {
                const auto act = acts.find(words.front());
                if (act != acts.end()) act->second(self, words);
            }
        };
    });
    EXPECT_EQ(checked["handshake"].verdict, PointVerdict::Failed);
    EXPECT_EQ(checked["handshake"].detail,
              "no 'ugiok' within 10000 ms; it came once the bot's input was closed");
    EXPECT_EQ(checked["handshake"].fix, kReadLinesAdvice);
    EXPECT_EQ(checked["flush"].verdict, PointVerdict::NotChecked);
}

TEST(CheckWords, AProgramOfAnotherProtocolIsToldSo) {
    const Checked checked = check_scripted([](Bot& bot) {
        bot.acts.erase("ugi");
        bot.acts["uci"] = [](Bot& self, const Words&) { self.say("uciok"); };
    });
    EXPECT_EQ(checked["handshake"].detail, "no 'ugiok' within 10000 ms; it answers `uci`");
    EXPECT_EQ(checked["handshake"].fix, kForeignAdvice);
}

TEST(CheckWords, AnUgiokThatAnswersUciAloneIsNoHandshake) {
    const Checked checked = check_scripted([](Bot& bot) {
        bot.acts["uci"] = std::exchange(bot.acts["ugi"], [](Bot&, const Words&) {});
    });
    EXPECT_THAT(checked.failed(), Contains("handshake")) << checked.text;
    EXPECT_EQ(checked["handshake"].detail, "no 'ugiok' within 10000 ms; it answers `uci`");
    EXPECT_EQ(checked["handshake"].fix, kForeignAdvice);
    EXPECT_FALSE(has_passed(checked.report));
}

TEST(CheckWords, ABotThatStartsSlowlyMayAnswerTheFirstUgiAlone) {
    const Checked checked = check_scripted([](Bot& bot) {
        const auto sound = bot.acts["ugi"];
        bot.acts["ugi"] = [sound](Bot& self, const Words& words) {
            self.compute(Milliseconds(2000));
            sound(self, words);
            self.acts["ugi"] = [](Bot&, const Words&) {};
        };
    });
    EXPECT_EQ(checked["handshake"].verdict, PointVerdict::Ok) << checked.text;
}

TEST(CheckWords, ABotThatComputesForAWhileAndDoesNotFlushIsToldSo) {
    const Checked checked = check_scripted([](Bot& bot) {
        bot.compute(Milliseconds(3000));
        bot.flushes = false;
    });
    EXPECT_EQ(checked["flush"].fix, kFlushAdvice) << checked.text;
}

TEST(CheckWords, MovesThatTheArenaFlushesAreANote) {
    const Checked checked = check_scripted([](Bot& bot) {
        const auto sound = bot.acts["go"];
        bot.acts["go"] = [sound](Bot& self, const Words& words) {
            self.flushes = !self.is_unhelped();
            sound(self, words);
        };
    });
    EXPECT_EQ(checked["flush"].verdict, PointVerdict::Note) << checked.text;
    EXPECT_EQ(checked["flush"].fix, kFlushAdvice);
    EXPECT_THAT(checked["flush"].expected, HasSubstr("bestmove within "));
    EXPECT_EQ(checked["go"].verdict, PointVerdict::Ok);
}

// It keeps the position before.
TEST(CheckWords, ABotThatIgnoresARulesetIsToldToRefuseIt) {
    const Checked checked =
        check_scripted(instead_of("position", [](Bot& bot, const Words& words) {
            try {
                bot.set_up(words);
            } catch (const std::invalid_argument&) {
            }
        }));
    EXPECT_EQ(checked["nim"].verdict, PointVerdict::Ok) << checked.text;
    EXPECT_EQ(checked["take"].verdict, PointVerdict::Failed) << checked.text;
    EXPECT_THAT(checked["take"].fix, HasSubstr(kRefuse));
}

TEST(CheckWords, MovesThatWereNotPlayedAreSuspectedOfABotThatHasPlayedNone) {
    const auto told = [](int least) {
        const Checked checked = check_scripted([least](Bot& bot) {
            auto asked = std::make_shared<int>(0);
            bot.acts["position"] = [asked, least](Bot& self, const Words& words) {
                const bool has_moves = Bot::has(words, "moves");
                const bool plays = !has_moves || (*asked)++ < least;
                const auto end = plays ? words.end() : std::ranges::find(words, "moves");
                try {
                    self.set_up(Words(words.begin(), end));
                } catch (const std::invalid_argument&) {
                    self.say("info string error only nim");
                }
            };
        });
        EXPECT_EQ(checked["nim"].verdict, PointVerdict::Failed) << checked.text;
        return checked["nim"].fix;
    };
    EXPECT_EQ(told(0), "play the moves after `moves`: this one was legal before them");
    EXPECT_THAT(told(4), AllOf(HasSubstr("a move is INDEX=RESULT"),
                               Not(HasSubstr("legal before them"))));
}

TEST(CheckWords, ANumberThatIsNotWhole) {
    const Checked checked = check_scripted(instead_of("go", [](Bot& bot, const Words&) {
        const std::string move = bot.some_move();
        bot.say("bestmove " + move + (move == "0000" ? "" : ".0"));
    }));
    EXPECT_THAT(checked["nim"].detail, EndsWith(".0', expected a whole number"));
}

TEST(CheckWords, OneReasonNotToCheckIsToldOnce) {
    const Checked checked = check_scripted(
        instead_of("go", [](Bot& bot, const Words&) { bot.say("bestmove 9=9"); }));
    const std::string reason = "it does not play legally, see nim";
    for (const char* id : {"huge", "rulesets", "startpos"})
        EXPECT_EQ(checked[id].detail, reason) << id;
    EXPECT_THAT(checked.text, HasSubstr("not checked  huge, rulesets, startpos: " + reason));
    const auto first = checked.text.find(reason);
    EXPECT_EQ(checked.text.find(reason, first + 1), std::string::npos) << checked.text;
}

TEST(CheckWords, ANoteShowsWhatWasSentAndExpectedAndTheEndOfATraceback) {
    const Checked checked = check_scripted([](Bot& bot) {
        const auto sound = bot.acts["position"];
        bot.acts["position"] = [sound](Bot& self, const Words& words) {
            if (words.size() > 2 || words[1] != "fen") return sound(self, words);
            self.complain(
                "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n"
                "    main()\n    ^^^^\n  File \"a.py\", line 9, in main\n    x = words[2]\n"
                "        ~~~~~^^^\nIndexError: list index out of range\n");
            self.exit(1);
        };
    });
    EXPECT_EQ(checked["unreadable"].verdict, PointVerdict::Note) << checked.text;
    const auto begin = checked.text.find("note         unreadable");
    ASSERT_NE(begin, std::string::npos) << checked.text;
    const std::string note =
        checked.text.substr(begin, checked.text.find("\nok ", begin) - begin);
    EXPECT_THAT(note, StartsWith("note         unreadable        keeps the position when it "
                                 "cannot read one: its process ended with exit status 1: "
                                 "IndexError: list index out of range\n"
                                 "             sent      position fen nim:9,5,7\n"));
    EXPECT_THAT(note, HasSubstr("\n             sent      position fen\n"));
    EXPECT_THAT(note, HasSubstr("\n             expected  readyok within "));
    EXPECT_THAT(note, HasSubstr("\n             stderr      File \"a.py\", line 9, in main\n"
                                "             stderr        x = words[2]\n"
                                "             stderr    IndexError: list index out of range\n"
                                "             to do     "));
    EXPECT_THAT(note, Not(HasSubstr("Traceback")));
    EXPECT_THAT(note, Not(HasSubstr("^")));
}

TEST(CheckWords, ANoteWithoutADeathShowsItsLines) {
    const Checked checked = check_scripted(instead_of("go", [](Bot& bot, const Words& words) {
        if (Bot::has(words, "infinite"))
            bot.pending = bot.some_move();
        else
            bot.say("bestmove " + bot.some_move());
    }));
    const PointResult& point = checked["searchmoves"];
    EXPECT_EQ(point.verdict, PointVerdict::Note) << checked.text;
    ASSERT_FALSE(point.lines.empty());
    EXPECT_THAT(to_text(point),
                AllOf(HasSubstr("             sent      go movetime 400 searchmoves "),
                      HasSubstr("             received  bestmove "),
                      HasSubstr("             expected  bestmove ")));
    EXPECT_THAT(checked.text, HasSubstr(to_text(point)));
}

}  // namespace arena::check_words_test
