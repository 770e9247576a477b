// What the points find out, of bots with one mistake each. The bots are scripted: what only a
// process shows is in tests/e2e/test_check.py and test_check_processes.py.
#include "arena/check/check.hpp"

#include "tests/arena/check/scripted_bot.hpp"

namespace arena::check_test {

using namespace std::chrono_literals;
using namespace testing;

constexpr auto kNothing = [](Bot&, const Words&) {};

// These points alone fail, and these have a note.
Checked expect_failed(const Ids& failed, const Ids& noted, const CheckOptions& options,
                      const Script& script) {
    Checked checked = check_scripted(options, script);
    EXPECT_EQ(checked.failed(), failed) << checked.text;
    EXPECT_EQ(checked.noted(), noted) << checked.text;
    EXPECT_EQ(has_passed(checked.report), failed.empty());
    for (const std::string& id : checked.failed()) {
        EXPECT_TRUE(checked[id].needed) << id;
        EXPECT_NE(checked[id].detail, "") << id;
        EXPECT_NE(checked[id].expected, "") << id;
        EXPECT_THAT(checked[id].lines, Not(IsEmpty())) << id;
    }
    return checked;
}

Checked expect_failed(const Ids& failed, const Ids& noted, const Script& script) {
    return expect_failed(failed, noted, usual_options(), script);
}

Checked expect_failed(const Ids& failed, const Script& script) {
    return expect_failed(failed, {}, script);
}

Checked expect_passed(const Ids& noted, const CheckOptions& options, const Script& script) {
    return expect_failed({}, noted, options, script);
}

Checked expect_passed(const Ids& noted, const Script& script) {
    return expect_failed({}, noted, script);
}

Checked expect_passed(const Script& script) { return expect_failed({}, script); }

void sound(Bot&) {}

// All rulesets, and asks for the legal moves.
void plays_all(Bot& bot) {
    bot.knows = [](std::string_view) { return true; };
}

// The position is not its business: it plays what it is offered.
void lives_from_searchmoves(Bot& bot) {
    bot.acts["ugi"] = asks_for_legal_moves;
    bot.acts["position"] = bot.acts["moves"] = kNothing;
    bot.acts["go"] = [](Bot& self, const Words& words) {
        self.say("bestmove " + words.back());
    };
}

// ---- sound bots ----

TEST(Check, ABotOfAllRulesetsHoldsAllPoints) {
    const Checked checked = expect_passed(plays_all);
    EXPECT_THAT(checked.not_checked(), ElementsAre("given"));
    EXPECT_EQ(checked["given"].detail, "none is given");
    EXPECT_TRUE(checked["given"].excused);
    EXPECT_EQ(checked.report.name, "Scripted");
    EXPECT_THAT(checked["rulesets"].detail, StartsWith("nim, nim misere, sums of nim, take{1"));
    EXPECT_EQ(checked["handshake"].detail, "0 ms, it calls itself Scripted");
    EXPECT_EQ(checked["many-moves"].detail, "it is sent none");
    EXPECT_EQ(checked["movetime"].detail, "0 of 400 ms, 0 of 100 ms");
    EXPECT_EQ(checked["clock"].detail, "0 of 400 ms as player 1, 0 of 400 ms as player 2");
    EXPECT_EQ(summary_text(checked.report),
              "passed: 36 ok, 0 failed, 0 notes, 1 not checked\n");
}

TEST(Check, ABotOfOneRulesetHoldsAllPointsOfIt) {
    const Checked checked = expect_passed(sound);
    EXPECT_THAT(checked.not_checked(), ElementsAre("take", "mixed", "others", "given"));
    EXPECT_EQ(checked["take"].detail, "it says that it plays none of these");
    EXPECT_EQ(checked["mixed"].detail, "it does not play both");
    EXPECT_EQ(checked["rulesets"].detail, "nim, nim misere, sums of nim, numbers up to 2^63-1");
    // An answer at once is no fault.
    EXPECT_EQ(checked["stop"].detail, "it answers before it can be stopped");
    EXPECT_EQ(checked["ready-during-go"].detail, "it answers before it can be asked");
}

TEST(Check, PointsOfNimAreExcusedForABotThatPlaysNone) {
    const Checked checked = expect_passed({"take"}, [](Bot& bot) {
        bot.knows = [](std::string_view fen) {
            return fen.starts_with("take{1,3,4}:") && fen.find('+') == fen.npos;
        };
    });
    EXPECT_THAT(checked["take"].detail, StartsWith("it does not play take{2,5}, take{3-5}"));
    EXPECT_EQ(checked["rulesets"].detail, "take{1,3,4}, take{1,3,4} misere");
    EXPECT_EQ(checked["huge"].detail, "it plays no kind of nim");
    EXPECT_EQ(checked["startpos"].detail, "it plays no kind of nim");
}

TEST(Check, ABotThatLivesFromTheLegalMovesNeedNotKnowThatThereAreNone) {
    const Checked checked = expect_passed({"finished", "go-infinite"}, lives_from_searchmoves);
    EXPECT_TRUE(checked["searchmoves"].needed);
    EXPECT_TRUE(checked["many-moves"].needed);
    EXPECT_THAT(checked["many-moves"].detail, MatchesRegex("a line of [0-9]+ bytes"));
    EXPECT_FALSE(checked["finished"].needed);
    EXPECT_EQ(checked["go-infinite"].detail, "it answers at once");
}

TEST(Check, WithoutHistoryNoMovesAreSent) {
    CheckOptions options = usual_options();
    options.player.history = false;
    const Checked checked =
        expect_passed({}, options, instead_of("position", [](Bot& bot, const Words& words) {
                          EXPECT_FALSE(Bot::has(words, "moves"));
                          bot.act_soundly("position", words);
                      }));
    EXPECT_EQ(checked["long-history"].detail, "it is set up with history=off");
    EXPECT_EQ(checked["moves"].detail, "it is set up with history=off");
}

// ---- the start ----

TEST(Check, AMuteBotIsAwaitedForTheStartupTime) {
    const Checked checked = expect_failed({"handshake"}, instead_of("ugi", kNothing));
    EXPECT_EQ(checked["handshake"].detail,
              "no 'ugiok' within 10000 ms; it used no CPU: is it waiting for input or a disk, "
              "or sleeping?");
    EXPECT_EQ(checked["handshake"].fix,
              "write 'ugiok' as a line of its own; --startup MS gives it more time");
    EXPECT_THAT(checked.lines("handshake"), ElementsAre("< ugi"));
    EXPECT_EQ(checked.not_checked().size() + 1, checked.report.points.size());
    EXPECT_EQ(checked["isready"].detail, "it does not shake hands");
    EXPECT_FALSE(checked.report.started);
    EXPECT_EQ(summary_text(checked.report).substr(0, 23), "FAILED: 0 ok, 1 failed,");
}

TEST(Check, ALoopAtTheStartIsNoBuffer) {
    const Checked checked = expect_failed(
        {"handshake"}, instead_of("ugi", [](Bot& bot, const Words&) { bot.loop(); }));
    EXPECT_EQ(checked["handshake"].detail,
              "no 'ugiok' within 10000 ms; it used 10.00 s of CPU: an endless loop or a long "
              "search");
}

TEST(Check, ADeathTellsWhatTheBotMayLackUntilItHasStarted) {
    CheckOptions options = usual_options();
    options.player.environment_mode = EnvironmentMode::Clean;
    const std::string fix = "it wrote nothing on stderr: let it say there why it ends";
    const std::vector<std::tuple<std::string, std::string, std::string>> cases{
        {"ugi", "handshake", fix + "; it has PATH alone"},
        {"isready", "isready", fix + "; it has PATH alone"},
        {"go", "go", fix}};
    for (const auto& [command, point, expected] : cases) {
        const Script script = instead_of(command, [](Bot& bot, const Words&) { bot.exit(9); });
        EXPECT_EQ(check_scripted(options, script)[point].fix, expected) << command;
    }
}

TEST(Check, ADeathAtTheStartShowsStderr) {
    const Checked checked =
        expect_failed({"handshake"}, instead_of("ugi", [](Bot& bot, const Words&) {
                          bot.complain("no licence found\n");
                          bot.exit(9);
                      }));
    EXPECT_EQ(checked["handshake"].detail, "its process ended with exit status 9");
    EXPECT_EQ(checked["handshake"].stderr_tail, "no licence found\n");
    EXPECT_EQ(checked["handshake"].fix,
              "its messages on stderr tell more. It must run until `quit`");
}

TEST(Check, ABotOfAnotherProtocolIsToldSo) {
    const Checked checked =
        expect_failed({"handshake"}, instead_of("ugi", [](Bot& bot, const Words&) {
                          bot.say("id name Chess");
                          bot.say("uciok");
                      }));
    EXPECT_EQ(checked["handshake"].detail, "no 'ugiok' within 10000 ms");
    EXPECT_EQ(checked["handshake"].fix,
              "the protocol is UGI, not UCI: `ugi` is answered by 'ugiok'");
    EXPECT_THAT(checked.lines("handshake"), ElementsAre("< ugi", "> id name Chess", "> uciok"));
}

TEST(Check, ABotThatCannotBeStartedFailsTheHandshake) {
    Clock::time_point now{1h};
    const Checked checked = check_scripted_by(
        [](const PlayerSpec&) {
            return protocol::Error{protocol::Fault::BadInput, "./bot: no such file", 0};
        },
        now, usual_options());
    EXPECT_THAT(checked.failed(), ElementsAre("handshake"));
    EXPECT_EQ(checked["handshake"].detail, "./bot: no such file");
    EXPECT_EQ(checked["handshake"].expected, "a bot that can be started, or reached");
}

// A peer that serves one session, as over a socket.
TEST(Check, APeerThatCannotBeReachedAgainIsNotCheckedFurther) {
    CheckOptions options = usual_options();
    options.player = *parse_player("tcp://localhost:5000");
    Clock::time_point now{1h};
    int starts = 0;
    const ScriptedPeer::Start once =
        [&](const PlayerSpec& spec) -> protocol::Result<std::unique_ptr<Bot>> {
        if (++starts > 1)
            return protocol::Error{protocol::Fault::Disconnected, "Connection refused", 0};
        return std::make_unique<Bot>(now, spec);
    };
    const Checked checked = check_scripted_by(once, now, options);
    EXPECT_THAT(checked.failed(), IsEmpty());
    EXPECT_EQ(checked["quit"].verdict, PointVerdict::Ok);
    for (const char* point : {"quit-during-go", "end-of-input", "pending-answer"}) {
        EXPECT_EQ(checked[point].verdict, PointVerdict::NotChecked) << point;
        EXPECT_EQ(checked[point].detail, "it could not be reached again: Connection refused");
    }
}

TEST(Check, AConnectionMayStayOpenAtTheEnd) {
    CheckOptions options = usual_options();
    options.player = *parse_player("tcp://localhost:5000");
    const Checked checked =
        expect_passed({"quit", "quit-during-go"}, options, instead_of("quit", kNothing));
    EXPECT_EQ(checked["quit"].detail, "it keeps the connection open after `quit`");
    EXPECT_EQ(checked["quit"].fix, "close the connection: the session is over");
}

// ---- flushing ----

const std::string kOnceClosed = "; it came once the bot's input was closed";

TEST(Check, ABotThatNeverFlushesFailsThatPoint) {
    const Checked checked = check_scripted([](Bot& bot) { bot.flushes = false; });
    EXPECT_THAT(checked.failed(), ElementsAre("flush")) << checked.text;
    EXPECT_THAT(checked.noted(), ElementsAre("handshake"));
    EXPECT_EQ(checked["flush"].detail,
              "no 'ugiok' within 10000 ms; it came later, out of a buffer");
    EXPECT_EQ(checked["flush"].fix, kFlushAdvice);
    EXPECT_FALSE(has_passed(checked.report));
}

TEST(Check, OneAnswerThatIsNotFlushedFailsThePointThatAwaitsIt) {
    const Checked checked = expect_failed({"go"}, instead_of("go", [](Bot& bot, const Words&) {
                                              bot.flushes = false;
                                              bot.say("bestmove 1=0");
                                          }));
    EXPECT_EQ(checked["go"].detail, "no 'bestmove' within 3900 ms" + kOnceClosed);
    EXPECT_EQ(checked["go"].fix, kFlushAdvice);
}

// What a bot answers in the end is told whatever else the machine does.
TEST(Check, WaitingForACoreIsNoSilence) {
    const auto answers_after = [](Milliseconds queued) {
        return [queued](Bot& bot) {
            bot.acts["go"] = [](Bot& asked, const Words&) {
                asked.flushes = false;
                asked.say("bestmove 1=0");
            };
            bot.acts["end"] = [queued](Bot& closed, const Words&) {
                closed.wait_for_core(queued);
            };
        };
    };
    const std::string none = "no 'bestmove' within 3900 ms";
    EXPECT_EQ(check_scripted(answers_after(9s))["go"].detail, none + kOnceClosed);
    EXPECT_THAT(check_scripted(answers_after(11s))["go"].detail,
                StartsWith(none + "; it used"));
}

// As most people write it: Python keeps the lines, unless a variable tells it not to.
TEST(Check, ABotThatIsFlushedByTheArenaAloneGetsANote) {
    const auto prints = [](Bot& bot) { bot.flushes = !bot.is_unhelped(); };
    const Checked checked = expect_passed({"flush"}, prints);
    EXPECT_EQ(checked["flush"].detail,
              "only because the arena sets PYTHONUNBUFFERED=1; elsewhere it will hang");
    EXPECT_EQ(checked["flush"].fix, kFlushAdvice);
    CheckOptions options = usual_options();
    options.player.environment.emplace_back("PYTHONUNBUFFERED", "1");
    expect_passed({}, options, prints);
}

TEST(Check, ASlowSecondStartIsNoBuffer) {
    Clock::time_point now{1h};
    int starts = 0;
    const ScriptedPeer::Start slow = [&](const PlayerSpec& spec) {
        auto bot = std::make_unique<Bot>(now, spec);
        if (++starts == 2) bot->think(1500ms);
        return bot;
    };
    const Checked checked = check_scripted_by(slow, now, usual_options());
    EXPECT_THAT(checked.failed(), IsEmpty());
    EXPECT_THAT(checked.noted(), IsEmpty());
}

// ---- answers ----

// A bot whose only mistake is at `go`, and what it is told.
struct WrongAnswer {
    const char* what;
    Bot::Act go;
    std::string detail;
    std::string fix;
    Ids noted = {};
};

TEST(Check, ABotThatDoesNotAnswerGoIsToldWhy) {
    const auto says = [](std::string before, std::string after = "") -> Bot::Act {
        return [=](Bot& bot, const Words&) { bot.say(before + bot.some_move() + after); };
    };
    const std::string none = "no 'bestmove' within 3900 ms";
    const std::vector<WrongAnswer> cases{
        {"capital letters",
         says("bestMove "),
         none,
         "'bestMove' is written 'bestmove', in lower case",
         {"stdout"}},
        {"a colon",
         says("bestmove: "),
         none,
         "'bestmove:' is written 'bestmove', without the colon",
         {"stdout"}},
        {"two words",
         says("best move "),
         none,
         "write 'bestmove 1=8' instead of 'best move 1=8'",
         {"stdout"}},
        {"a prompt before it",
         says("> bestmove "),
         none,
         "'bestmove' must begin its line: prompts and debug text belong on stderr",
         {"stdout"}},
        {"no line end", [](Bot& bot, const Words&) { bot.mumble("> bestmove 1=8"); }, none,
         "'bestmove' must begin its line: prompts and debug text belong on stderr"},
        {"nothing", kNothing,
         none + "; it used no CPU: is it waiting for input or a disk, or sleeping?",
         "write 'bestmove MOVE' as a line of its own, after each `go`"},
        {"a loop", [](Bot& bot, const Words&) { bot.loop(); },
         none + "; it used 3.90 s of CPU: an endless loop or a long search",
         "look at the clock while it thinks, and answer in time"},
        {"a long search that ends",
         [](Bot& bot, const Words&) {
             bot.compute(2000ms);
             bot.hang();
         },
         none + "; it used 2.00 s of CPU in 3.90 s: an endless loop or a long search",
         "look at the clock while it thinks, and answer in time"},
        {"the word alone", [](Bot& bot, const Words&) { bot.say("bestmove"); },
         "it wrote 'bestmove' alone",
         "a move is INDEX=RESULT: heap INDEX, counted from 1 over the whole position, becomes "
         "RESULT; play from the last `position` line, with all the moves after `moves`"},
        {"an end",
         [](Bot& bot, const Words&) {
             bot.say("bestmove 1=0");
             bot.exit(4);
         },
         "its process ended with exit status 4",
         "it wrote nothing on stderr: let it say there why it ends"},
        {"an exception",
         [](Bot& bot, const Words&) {
             bot.complain("Traceback\nIndexError: list index out of range\n");
             bot.exit(1);
         },
         "its process ended with exit status 1: IndexError: list index out of range",
         "its messages on stderr tell more. It must run until `quit`"},
        {"a crash", [](Bot& bot, const Words&) { bot.crash(SIGSEGV); },
         "its process was ended by SIGSEGV",
         "a fault in the program's memory: run it in a debugger, or build it with "
         "-fsanitize=address"},
        {"too much memory", [](Bot& bot, const Words&) { bot.run_out_of_memory(); },
         "its process was ended by SIGKILL: it used up the memory that the sandbox has for it",
         "let it keep less, or allow more by --sandbox-memory"},
    };
    for (const WrongAnswer& wrong : cases) {
        SCOPED_TRACE(wrong.what);
        const Checked checked = expect_failed({"go"}, wrong.noted, instead_of("go", wrong.go));
        EXPECT_EQ(checked["go"].detail, wrong.detail);
        EXPECT_EQ(checked["go"].fix, wrong.fix);
        EXPECT_EQ(checked["nim"].detail, "it does not answer `go`");
    }
}

TEST(Check, AFailureShowsTheLinesUpToIt) {
    const Checked checked = expect_failed({"go"}, instead_of("go", kNothing));
    EXPECT_THAT(checked.lines("go"),
                ElementsAre("< position fen nim:9,5,7", "< go movetime 40"));
    EXPECT_EQ(checked["go"].expected, "bestmove within 3900 ms");
}

TEST(Check, AMoveBeforeGoIsNoAnswer) {
    const Checked checked = expect_failed({"go"}, [](Bot& bot) {
        bot.acts["position"] = [usual = bot.acts["position"]](Bot& self, const Words& words) {
            usual(self, words);
            self.say("bestmove " + self.some_move());
        };
        bot.acts["go"] = kNothing;
    });
    EXPECT_EQ(checked["go"].detail, "it wrote 'bestmove' after `position`, before `go`");
    EXPECT_EQ(checked["go"].fix, "answer `go`, not `position`: the move came before `go`");
}

TEST(Check, ABotThatDoesNotReadALongLineIsToldSo) {
    const Checked checked =
        expect_failed({"long-history"}, [](Bot& bot) { bot.longest_line = 65'000; });
    EXPECT_THAT(checked["long-history"].detail,
                MatchesRegex("it did not read 68[0-9]+ bytes within 3900 ms"));
    EXPECT_EQ(checked["long-history"].fix,
              "read lines of any length up to 1 MiB, and do not stop reading");
}

TEST(Check, SilenceAfterIsreadyIsAPointOfItsOwn) {
    const Checked checked = expect_failed({"isready"}, instead_of("isready", kNothing));
    EXPECT_EQ(
        checked["isready"].fix,
        "answer each `isready` by a line 'readyok', and read each line, also where several "
        "come at once");
    EXPECT_EQ(checked["go"].detail, "it does not answer `isready`");
}

TEST(Check, OneProcessPlaysManyGames) {
    const Checked checked = expect_failed(
        {"new-game"}, instead_of("uginewgame", [](Bot& bot, const Words&) {
            bot.acts["uginewgame"] = [](Bot& self, const Words&) { self.exit(0); };
        }));
    EXPECT_EQ(checked["new-game"].detail, "its process ended with exit status 0");
    EXPECT_EQ(checked["new-game"].fix,
              "it ended by itself: let it read lines until `quit` or the end of input");
}

TEST(Check, ALineWithoutAnEndIsNamedAlsoWhereTheBotEnds) {
    const Checked checked =
        expect_failed({"new-game"}, instead_of("uginewgame", [](Bot& bot, const Words&) {
                          bot.acts["uginewgame"] = [](Bot& self, const Words&) {
                              self.mumble("readyok");
                              self.exit(0);
                          };
                      }));
    EXPECT_EQ(checked["new-game"].detail,
              "its process ended with exit status 0; its last line has no end: does it write a "
              "newline?");
}

TEST(Check, OptionsThatItDoesNotKnowAreNoFault) {
    const Checked checked =
        expect_failed({"new-game"}, instead_of("setoption", [](Bot& bot, const Words&) {
                          bot.complain("ValueError: unknown option\n");
                          bot.exit(1);
                      }));
    EXPECT_EQ(checked["new-game"].detail,
              "its process ended with exit status 1: ValueError: unknown option");
}

// ---- positions ----

const std::string kMoveForm =
    "a move is INDEX=RESULT: heap INDEX, counted from 1 over the whole position, becomes "
    "RESULT; "
    "play from the last `position` line, with all the moves after `moves`";
const std::string kNotToPlay =
    "if it is not to play these rulesets, let it answer such a `position` by `info string "
    "error "
    "…` and go on: then this is no failure";
const std::string kStderrTellsMore =
    "its messages on stderr tell more. It must run until `quit`";

[[noreturn]] void die(Bot& bot, const std::string& error) {
    bot.complain(error + "\n");
    bot.exit(1);
}

// As a bot that does not expect that a position may be one that it cannot play.
void dies_of_other_rulesets(Bot& bot, const Words& words) {
    try {
        bot.set_up(words);
    } catch (const std::invalid_argument&) {
        die(bot, "ValueError: not nim");
    }
}

TEST(Check, AnIllegalMoveIsShownWithALegalOne) {
    const Checked checked = expect_failed({"nim"}, {"searchmoves"},
                                          instead_of("go", [](Bot& bot, const Words& words) {
                                              if (Bot::has(words, "infinite"))
                                                  bot.pending = "1=0";
                                              else if (bot.game.has_move())
                                                  bot.say("bestmove 1=0");
                                              else
                                                  bot.say("bestmove 0000");
                                          }));
    EXPECT_EQ(checked.lines("nim").back(), "> bestmove 1=0");
    EXPECT_EQ(checked["nim"].expected, "a legal move in nim:0,3, such as 2=0");
    EXPECT_THAT(checked["nim"].detail, StartsWith("it answered '1=0': "));
    EXPECT_EQ(checked["rulesets"].detail, "it does not play legally, see nim");
}

TEST(Check, AMoveWithBlanksIsShownWithoutThem) {
    const Checked checked = check_scripted(instead_of("go", [](Bot& bot, const Words&) {
        std::string move = bot.some_move();
        if (const auto sign = move.find('='); sign != move.npos) move.replace(sign, 1, " = ");
        bot.say("bestmove " + move);
    }));
    EXPECT_EQ(checked["nim"].fix, "write it without blanks: 1=0");
}

TEST(Check, HeapsOfZeroCount) {
    const Checked checked =
        expect_failed({"nim"}, instead_of("position", [](Bot& bot, const Words& words) {
                          Words kept = words;
                          if (kept.size() > 2 && kept[2].starts_with("nim:0,"))
                              kept[2].erase(4, 2);
                          bot.act_soundly("position", kept);
                      }));
    EXPECT_THAT(checked["nim"].detail,
                StartsWith("it answered '1=2': column 3: heap 1 is '0' and has no move"));
}

TEST(Check, ABotRefusesAKindOrPlaysAllOfIt) {
    const Checked checked = expect_failed({"nim"}, [](Bot& bot) {
        bot.knows = [](std::string_view fen) {
            return fen.starts_with("nim:") && fen != "nim:0,3";
        };
    });
    EXPECT_EQ(checked["nim"].detail, "it refused 'nim:0,3', but plays other positions of nim");
    EXPECT_EQ(checked["nim"].expected, "a legal move in every position of nim");
    EXPECT_EQ(
        checked["nim"].fix,
        "heaps of zero, heaps without a move and positions in the middle of a game must be "
        "played too");
}

TEST(Check, AnotherRulesetTakenForNimIsExplained) {
    const Checked checked = check_scripted([](Bot& bot) {
        plays_all(bot);
        bot.acts["position"] = [](Bot& self, const Words& words) {
            Words read = words;
            if (read.size() > 2) read[2] = "nim:" + read[2].substr(read[2].rfind(':') + 1);
            self.act_soundly("position", read);
        };
    });
    EXPECT_THAT(checked["take"].fix,
                StartsWith("this would be a move in nim: read the name before the ':'. Else " +
                           kNotToPlay +
                           ", or let it print `option name LegalMoves type check "
                           "default true`"));
}

TEST(Check, ADeathAtAnotherRulesetHasBothRemedies) {
    const Checked checked =
        expect_failed({"take"}, instead_of("position", dies_of_other_rulesets));
    EXPECT_EQ(checked["take"].detail,
              "its process ended with exit status 1: ValueError: not nim");
    EXPECT_EQ(checked["take"].fix, kNotToPlay + ". If it is to play them: " + kStderrTellsMore);
    EXPECT_EQ(checked["others"].verdict, PointVerdict::NotChecked);
    EXPECT_EQ(checked["others"].detail, "it dies as at take");
    EXPECT_EQ(checked["rulesets"].verdict, PointVerdict::Ok);
    // Once for all.
    EXPECT_EQ(checked.text.find("let it answer such a"),
              checked.text.rfind("let it answer such"));
}

TEST(Check, ABotThatRefusesARulesetAndDiesThenIsNotToldToRefuseIt) {
    const Checked checked =
        check_scripted(instead_of("position", [](Bot& bot, const Words& words) {
            try {
                bot.set_up(words);
            } catch (const std::invalid_argument&) {
                bot.say("info string error only nim");
                bot.acts["go"] = [](Bot& self, const Words&) {
                    die(self, "KeyError: 'heaps'");
                };
            }
        }));
    EXPECT_EQ(checked["take"].verdict, PointVerdict::Failed);
    EXPECT_EQ(checked["take"].fix, kStderrTellsMore);
}

TEST(Check, ADeathAtSumsOfNimIsAboutThePlus) {
    const Checked checked = check_scripted([](Bot& bot) {
        bot.acts["position"] = [](Bot& self, const Words& words) {
            if (words.size() > 2 && words[2].find('+') != std::string::npos)
                die(self, "ValueError: too many values to unpack");
            dies_of_other_rulesets(self, words);
        };
    });
    EXPECT_THAT(checked.failed(), ElementsAre("nim", "take"));
    EXPECT_EQ(checked["nim"].fix,
              "a position may have several parts, joined by '+', each with its ruleset: the "
              "heaps are counted over all of them. " +
                  kStderrTellsMore);
    EXPECT_EQ(checked["take"].fix, kNotToPlay + ". If it is to play them: " + kStderrTellsMore);
    EXPECT_EQ(checked["others"].detail, "it dies as at take");
}

TEST(Check, ADeathAtMiserePlayIsAboutTheWord) {
    const Checked checked = check_scripted([](Bot& bot) {
        bot.acts["position"] = [](Bot& self, const Words& words) {
            if (Bot::has(words, "misere")) die(self, "IndexError: x");
            self.act_soundly("position", words);
        };
    });
    EXPECT_EQ(checked["nim"].fix,
              "the word `misere` may follow the heaps: the legal moves are the same. " +
                  kStderrTellsMore);
}

TEST(Check, ABotThatHangsIsAwaitedForLongOnce) {
    const Checked checked =
        check_scripted(instead_of("position", [](Bot& bot, const Words& words) {
            try {
                bot.set_up(words);
            } catch (const std::invalid_argument&) {
                bot.hang();
            }
        }));
    EXPECT_THAT(checked["take"].detail, StartsWith("no 'bestmove' within 3900 ms; "));
    EXPECT_THAT(checked["others"].detail, StartsWith("no 'bestmove' within 1400 ms; "));
}

// A bot that dies wherever it is asked for the third time.
TEST(Check, OneMistakeIsOneFailure) {
    const Checked checked = check_scripted(instead_of("go", [](Bot& bot, const Words& words) {
        bot.act_soundly("go", words);
        bot.acts["go"] = [](Bot& second, const Words& again) {
            second.act_soundly("go", again);
            second.acts["go"] = [](Bot& third, const Words&) { die(third, "KeyError: 'x'"); };
        };
    }));
    EXPECT_THAT(checked.failed(), ElementsAre("nim")) << checked.text;
    EXPECT_EQ(checked["position"].verdict, PointVerdict::NotChecked);
    EXPECT_EQ(checked["position"].detail, "it dies as at nim");
}

TEST(Check, PointsThatDependOnNimNameTheDeathThere) {
    const Checked checked = check_scripted(instead_of("go", [](Bot& bot, const Words& words) {
        if (to_string(bot.game.position()) != "nim:9,5,7") bot.crash(SIGSEGV);
        bot.act_soundly("go", words);
    }));
    for (const char* id : {"huge", "startpos", "rulesets"}) {
        EXPECT_EQ(checked[id].verdict, PointVerdict::NotChecked) << id;
        EXPECT_THAT(checked[id].detail,
                    StartsWith("it failed at nim: its process was ended by SIGSEGV; a fault in "
                               "the program's memory: run it in a debugger"));
    }
    EXPECT_EQ(checked["mixed"].detail, "it failed at one of them");
    EXPECT_THAT(checked.text, Not(HasSubstr("no kind of nim")));
}

TEST(Check, ABotThatResignsPlaysNothing) {
    const Checked checked = expect_failed(
        {"rulesets"}, {"nim", "go-infinite"},
        instead_of("go", [](Bot& bot, const Words&) { bot.say("bestmove 0000"); }));
    EXPECT_EQ(checked["nim"].detail, "it plays none of these");
    EXPECT_EQ(checked["rulesets"].detail, "it plays none of the positions that it was asked");
    EXPECT_EQ(checked["position"].detail, "it plays neither nim nor take{1,3,4}");
}

TEST(Check, ASlowBotIsAskedLess) {
    const Script slow = instead_of("go", [](Bot& bot, const Words& words) {
        if (!Bot::has(words, "infinite")) bot.think(60ms);
        bot.act_soundly("go", words);
    });
    CheckOptions options = usual_options();
    options.movetime = 100ms;
    const Checked checked = check_scripted(options, slow);
    EXPECT_EQ(checked["nim"].verdict, PointVerdict::Ok);
    EXPECT_EQ(checked["nim"].detail, "9 of 32 positions: it takes long for a move");
}

TEST(Check, RulesetsThatWereNotAskedAreNamed) {
    const Script slower = [](Bot& bot) {
        lives_from_searchmoves(bot);
        bot.acts["go"] = [](Bot& self, const Words& words) {
            self.think(300ms);
            self.act_soundly("go", words);
        };
    };
    CheckOptions options = usual_options();
    options.movetime = 100ms;
    options.margin = 5000ms;
    const Checked checked = check_scripted(options, slower);
    EXPECT_EQ(checked["others"].verdict, PointVerdict::Note);
    EXPECT_EQ(
        checked["others"].detail,
        "2 of 51 positions: it takes long for a move; not asked: dawson-chess, treblecross, "
        "officers, octal{4.37}, hex{0.8F}, lasker, grundy, wythoff, cookie, graph{…} without "
        "cycles, graph{…} with cycles, sums of many rulesets");
    EXPECT_EQ(checked["others"].fix,
              "answer in the time after `movetime`, or check with more time: --movetime MS");
}

TEST(Check, GivenPositionsMustBePlayed) {
    const auto given = [](const char* position) {
        CheckOptions options = usual_options();
        options.positions = {*protocol::parse_position(position)};
        return check_scripted(options, sound);
    };
    EXPECT_EQ(given("nim:0,4 misere")["given"].detail, "1 positions");
    EXPECT_EQ(given("nim:0")["given"].verdict, PointVerdict::Ok) << "without a move";
    EXPECT_THAT(given("take{1,3,4}:21").failed(), ElementsAre("given"));
    const Checked finished = given("take{2}:1");
    EXPECT_THAT(finished.failed(), ElementsAre("given"));
    EXPECT_EQ(finished["given"].expected, "bestmove 0000: no move is left in take{2}:1");
}

// ---- following the game ----

// Adds only the new moves of the line to its position, as if play always continued.
TEST(Check, ABotThatNeverGoesBackDoesNotFollow) {
    struct Told {
        Words fen;
        std::size_t words = 0;
    };
    expect_failed({"position"}, [](Bot& bot) {
        bot.acts["position"] = [told = std::make_shared<Told>()](Bot& self,
                                                                 const Words& words) {
            const Words fen(words.begin(), std::ranges::find(words, "moves"));
            if (fen != told->fen || words.size() > told->words)
                self.act_soundly("position", words);
            *told = {fen, words.size()};
        };
    });
}

TEST(Check, TheStartPositionMustBeKnown) {
    const Checked checked =
        expect_failed({"startpos"}, instead_of("position", [](Bot& bot, const Words& words) {
                          if (words[1] != "startpos") bot.act_soundly("position", words);
                      }));
    EXPECT_EQ(checked.lines("startpos").back(), "> bestmove 5=0");
}

TEST(Check, ASmallBufferIsFoundByLongGames) {
    const Checked checked = expect_failed({"long-history"}, [](Bot& bot) {
        bot.split = [usual = bot.split](std::string_view line) {
            if (line.size() <= 4096) return usual(line);
            line = line.substr(0, 4096);
            return usual(line.substr(0, line.rfind(' ')));
        };
    });
    EXPECT_THAT(checked["long-history"].detail,
                MatchesRegex("it answered '1=[0-9]+' to a line of [0-9]+ bytes"));
    EXPECT_THAT(checked["long-history"].fix,
                StartsWith("is its line buffer too small? Read lines whole, of up to 1 MiB"));
    EXPECT_GT(checked["long-history"].lines.front().bytes, 4096u);
}

// Nothing but `go` is long for this bot. The points after it say no other reason.
TEST(Check, ASmallBufferIsFoundByTheLegalMoves) {
    const Checked checked = check_scripted([](Bot& bot) {
        lives_from_searchmoves(bot);
        bot.split = [usual = bot.split](std::string_view line) {
            return usual(line.substr(0, 63));
        };
        bot.acts["go"] = [](Bot& self, const Words& words) {
            const std::string& last = words.back();
            self.say("bestmove " + (last.find('=') == last.npos ? "0000" : last));
        };
    });
    ASSERT_THAT(checked.failed(), Not(IsEmpty()));
    EXPECT_EQ(checked.failed().front(), "many-moves");
    EXPECT_THAT(checked["many-moves"].detail,
                MatchesRegex("it answered '[^']*' to a line of [0-9]+ bytes"));
    for (const std::string& id : checked.failed())
        EXPECT_EQ(checked[id].fix, checked["many-moves"].fix) << id;
    EXPECT_THAT(checked["many-moves"].fix, StartsWith("is its line buffer too small?"));
}

TEST(Check, FinishedGamesAreAnsweredToo) {
    const Checked checked =
        expect_failed({"finished"}, instead_of("go", [](Bot& bot, const Words& words) {
                          if (!bot.game.has_move()) die(bot, "AssertionError");
                          bot.act_soundly("go", words);
                      }));
    EXPECT_EQ(checked["finished"].detail,
              "its process ended with exit status 1: AssertionError");
    const Checked other =
        expect_failed({"finished"}, instead_of("go", [](Bot& bot, const Words& words) {
                          if (bot.game.has_move()) return bot.act_soundly("go", words);
                          bot.say("bestmove 1=0");
                      }));
    EXPECT_EQ(other["finished"].detail, "it answered '1=0' where there is no move");
}

// ---- time ----

TEST(Check, AnAnswerMayComeUpToTheMargin) {
    const auto takes = [](Milliseconds more) {
        return instead_of("go", [more](Bot& bot, const Words& words) {
            if (Bot::has(words, "movetime"))
                bot.think(Milliseconds(Bot::number(words, "movetime")) + more);
            bot.act_soundly("go", words);
        });
    };
    const Checked checked = expect_passed({"stop", "ready-during-go"}, takes(100ms));
    EXPECT_EQ(checked["movetime"].detail, "500 of 400 ms, 200 of 100 ms");
    const Checked late = expect_failed({"movetime"}, {"stop", "ready-during-go"}, takes(101ms));
    EXPECT_EQ(late["movetime"].detail, "it took 501 ms");
    EXPECT_EQ(late["movetime"].expected, "bestmove within 400 ms, and a margin of 100 ms");
}

TEST(Check, TheClockIsThatOfThePlayerToMove) {
    const Checked checked =
        expect_failed({"clock"}, instead_of("go", [](Bot& bot, const Words& words) {
                          if (Bot::has(words, "p1time"))
                              bot.think(Milliseconds(Bot::number(words, "p1time") / 1800));
                          bot.act_soundly("go", words);
                      }));
    EXPECT_EQ(checked["clock"].detail, "it took 2000 ms");
    EXPECT_EQ(checked.lines("clock")[1], "< go p1time 3600000 p2time 400 p1inc 0 p2inc 0");
    EXPECT_THAT(checked["clock"].fix,
                StartsWith("p1time and p1inc are the clock of player 1, who moves first"));
}

TEST(Check, ABareGoHasASecond) {
    expect_failed({"bare-go"}, instead_of("go", [](Bot& bot, const Words& words) {
                      if (words.size() == 1) die(bot, "ValueError: x");
                      bot.act_soundly("go", words);
                  }));
    const Checked slow =
        expect_passed({"bare-go"}, instead_of("go", [](Bot& bot, const Words& words) {
                          if (words.size() == 1) bot.think(1101ms);
                          bot.act_soundly("go", words);
                      }));
    EXPECT_EQ(slow["bare-go"].detail, "it took 1101 ms");
}

// ---- stop ----

TEST(Check, GoInfiniteIsAnsweredAfterStop) {
    const Checked ignored = expect_failed({"go-infinite"}, instead_of("stop", kNothing));
    EXPECT_THAT(ignored["go-infinite"].detail, StartsWith("no 'bestmove' within 3900 ms"));
    const Checked early = expect_passed({"go-infinite", "searchmoves"},
                                        instead_of("go", [](Bot& bot, const Words&) {
                                            bot.say("bestmove " + bot.some_move());
                                        }));
    EXPECT_EQ(early["go-infinite"].detail, "it answers at once");
    const Checked starved =
        expect_passed({"go-infinite"}, instead_of("go", [](Bot& bot, const Words& words) {
                          if (words.size() < 2 || words[1] != "infinite")
                              return bot.act_soundly("go", words);
                          bot.wait_for_core(400ms);
                          bot.say("bestmove " + bot.some_move());
                      }));
    EXPECT_EQ(starved["go-infinite"].detail, "it answers at once");
    const Checked late = expect_passed([](Bot& bot) {
        bot.acts["stop"] = [](Bot& self, const Words& words) {
            self.think(30ms);
            self.act_soundly("stop", words);
        };
    });
    EXPECT_EQ(late["go-infinite"].detail, "30 ms after `stop`");
}

TEST(Check, AnIdleStopIsNotAnswered) {
    const Checked checked =
        expect_failed({"idle-stop"}, instead_of("stop", [](Bot& bot, const Words&) {
                          bot.say("bestmove " + bot.pending.value_or("0000"));
                          bot.pending.reset();
                      }));
    EXPECT_EQ(checked["idle-stop"].detail,
              "it wrote 'bestmove' after `stop`, without a `go` before it");
    EXPECT_THAT(checked.lines("idle-stop"),
                ElementsAre("< stop", "< isready", "> bestmove 0000", "> readyok"));
}

TEST(Check, ABotThatReadsWhileItThinksAnswersStopAtOnce) {
    const Checked checked = expect_passed([](Bot& bot) {
        bot.acts["go"] = [](Bot& self, const Words& words) {
            if (Bot::has(words, "infinite")) return self.act_soundly("go", words);
            const bool is_timed = Bot::has(words, "movetime");
            self.say_after(is_timed ? Milliseconds(Bot::number(words, "movetime")) : 300ms,
                           "bestmove " + self.move_for(words));
        };
        bot.acts["stop"] = [](Bot& self, const Words& words) {
            if (self.take_back()) self.pending = self.some_move();
            self.act_soundly("stop", words);
        };
        bot.acts["end"] = [](Bot& self, const Words&) { self.think(400ms); };
    });
    EXPECT_EQ(checked["movetime"].detail, "400 of 400 ms, 100 of 100 ms");
    EXPECT_EQ(checked["stop"].detail, "0 ms after `stop`");
    EXPECT_EQ(checked["ready-during-go"].detail, "");
}

TEST(Check, ABotThatDoesNotReadWhileItThinksGetsNotes) {
    const Script thinks = instead_of("go", [](Bot& bot, const Words& words) {
        if (Bot::has(words, "movetime"))
            bot.think(Milliseconds(Bot::number(words, "movetime")));
        bot.act_soundly("go", words);
    });
    const Checked checked = expect_passed({"stop", "ready-during-go"}, thinks);
    EXPECT_EQ(checked["stop"].detail, "it answered 360 ms after `stop`");
    EXPECT_EQ(checked["stop"].fix, "read lines while thinking, and answer `stop` at once");
    EXPECT_EQ(checked["ready-during-go"].detail, "readyok came after bestmove");
    CheckOptions options = usual_options();
    options.movetime = 600ms;
    expect_passed({"stop", "ready-during-go", "quit-during-go"}, options, thinks);
}

// ---- how lines are written ----

TEST(Check, OneOfTheSearchmovesMustBePlayed) {
    const Checked checked = expect_failed({"searchmoves"}, [](Bot& bot) {
        bot.acts["ugi"] = asks_for_legal_moves;
        bot.acts["go"] = [](Bot& self, const Words& words) {
            Words other = words;
            std::erase(other, "searchmoves");
            self.act_soundly("go", other);
        };
    });
    EXPECT_THAT(checked["searchmoves"].expected, StartsWith("bestmove "));
}

TEST(Check, LinesMayEndInCrLf) {
    const Checked checked = expect_failed({"crlf"}, [](Bot& bot) {
        bot.split = [usual = bot.split](std::string_view line) {
            Words words = usual(line);
            if (line.ends_with('\r')) words.back() += '\r';
            return words;
        };
    });
    EXPECT_THAT(checked.lines("crlf"), ElementsAre("< isready\r"));
    EXPECT_EQ(checked["crlf"].fix,
              "strip a CR ('\\r') from the end of each line: our arena sends LF alone, others "
              "may not");
}

TEST(Check, ALineWithRunsOfBlanksIsNotRefused) {
    const Checked checked = expect_failed({"blanks"}, [](Bot& bot) {
        bot.split = [&bot](std::string_view line) {
            if (line.find("\t") != line.npos) bot.say("info string error cannot read that");
            if (line.ends_with('\r')) line.remove_suffix(1);
            const auto words = protocol::split_words(line);
            return Words(words.begin(), words.end());
        };
    });
    EXPECT_EQ(checked["blanks"].detail, "it refused a line with runs of blanks and tabs");
}

TEST(Check, WordsMayBeFarApart) {
    expect_failed({"blanks"}, [](Bot& bot) {
        bot.split = [](std::string_view line) {
            if (line.ends_with('\r')) line.remove_suffix(1);
            Words words(1);
            for (const char c : line) {
                if (c == ' ')
                    words.emplace_back();
                else
                    words.back() += c;
            }
            return words;
        };
    });
}

TEST(Check, UnknownCommandsAreIgnored) {
    const Checked checked = expect_failed({"unknown"}, [](Bot& bot) {
        bot.acts["uginewgame"] = bot.acts["setoption"] = kNothing;
        bot.acts["else"] = [](Bot& self, const Words&) {
            die(self, "ValueError: unknown command");
        };
    });
    EXPECT_EQ(checked["unknown"].detail,
              "its process ended with exit status 1: ValueError: unknown command");
}

TEST(Check, AnAnswerToNothingIsToldOnce) {
    const Checked checked = check_scripted([](Bot& bot) {
        bot.acts["uginewgame"] = bot.acts["setoption"] = kNothing;
        bot.acts["else"] = [](Bot& self, const Words&) { self.say("bestmove 0000"); };
    });
    EXPECT_THAT(checked.failed(), ElementsAre("unknown"));
    EXPECT_EQ(checked["unknown"].detail,
              "it wrote 'bestmove' after a command that it does not know");
}

// ---- what a bot can do without ----

TEST(Check, OtherLinesOnItsOutputAreNoted) {
    const Checked checked =
        expect_passed({"stdout"}, instead_of("go", [](Bot& bot, const Words& words) {
                          bot.say("Your move, sir:");
                          bot.act_soundly("go", words);
                      }));
    EXPECT_EQ(checked["stdout"].detail, "it wrote 'Your move, sir:'");
    EXPECT_THAT(checked.lines("stdout"), ElementsAre("> Your move, sir:"));
}

TEST(Check, TwoAnswersAreNoted) {
    const Checked checked =
        expect_passed({"answers"}, instead_of("go", [](Bot& bot, const Words& words) {
                          bot.act_soundly("go", words);
                          if (!Bot::has(words, "infinite")) bot.act_soundly("go", words);
                      }));
    EXPECT_EQ(checked["answers"].detail, "it wrote 'bestmove' more than once after a `go`");
}

TEST(Check, AnAnswerOfMoreWordsIsNoted) {
    const Checked checked = expect_passed(
        {"searchmoves", "answers"}, instead_of("go", [](Bot& bot, const Words& words) {
            if (Bot::has(words, "infinite")) return bot.act_soundly("go", words);
            bot.say("bestmove " + bot.some_move() + " ponder 1=0");
        }));
    EXPECT_THAT(checked["answers"].detail, HasSubstr("ponder 1=0"));
}

TEST(Check, ANoteOnADeathShowsWhatWasSentAndStderr) {
    const Checked checked =
        expect_passed({"unreadable"}, instead_of("position", [](Bot& bot, const Words& words) {
                          if (words[1] == "fen" && words.size() > 2 && !bot.knows(words[2]))
                              return bot.say("info string error only nim");
                          dies_of_other_rulesets(bot, words);
                      }));
    EXPECT_THAT(
        checked.text,
        HasSubstr("note         unreadable        keeps the position when it cannot read "
                  "one: its process ended with exit status 1: ValueError: not nim\n"
                  "             sent      position fen nim:9,5,7\n"
                  "             sent      position fen nim:3,\n"));
    EXPECT_THAT(checked.text, HasSubstr("             stderr    ValueError: not nim\n"
                                        "             to do     " +
                                        kStderrTellsMore + "\n"));
}

// ---- the end ----

TEST(Check, QuitEndsTheProcess) {
    const Checked checked =
        expect_failed({"quit"}, {"quit-during-go"}, instead_of("quit", kNothing));
    EXPECT_THAT(
        checked.text,
        HasSubstr("FAILED       quit              ends at `quit`: it still ran 1000 ms "
                  "after `quit`\n"
                  "             sent      quit\n"
                  "             received  nothing\n"
                  "             expected  the end of the process within 1000 ms\n"
                  "             to do     end the program when the line `quit` is read\n"));
    EXPECT_EQ(summary_text(checked.report), "FAILED: 31 ok, 1 failed, 1 note, 4 not checked\n");
}

TEST(Check, WaitingForACoreIsNoStayAfterQuit) {
    const auto ends_after = [](Milliseconds queued, Milliseconds more) {
        return instead_of("quit", [queued, more](Bot& bot, const Words&) {
            bot.wait_for_core(queued);
            bot.think(more);
            bot.exit(0);
        });
    };
    EXPECT_EQ(expect_passed(ends_after(2500ms, 900ms))["quit"].detail, "3400 ms");
    const Checked idle = expect_failed({"quit"}, {"quit-during-go"}, ends_after(100ms, 1001ms));
    EXPECT_EQ(idle["quit"].detail, "it still ran 1000 ms after `quit`");
    expect_failed({"quit"}, {"quit-during-go"}, ends_after(10'000ms, 0ms));
}

TEST(Check, AMachineThatIsTooBusyIsNotTakenForALoop) {
    const Checked checked = expect_failed({"go"}, instead_of("go", [](Bot& bot, const Words&) {
                                              bot.compute(500ms);
                                              bot.wait_for_core(5000ms);
                                          }));
    EXPECT_EQ(
        checked["go"].detail,
        "no 'bestmove' within 3900 ms; it used 0.50 s of CPU in 3.90 s, and waited 3.40 s "
        "for a core: the machine is too busy to tell whether it would have answered");
}

TEST(Check, ACrashAtQuitIsAFailureAndAStatusANote) {
    const Checked crash =
        expect_failed({"quit"}, instead_of("quit", [](Bot& bot, const Words&) {
                          bot.complain("double free\n");
                          bot.crash(SIGABRT);
                      }));
    EXPECT_EQ(crash["quit"].detail, "its process was ended by SIGABRT");
    EXPECT_EQ(crash["quit"].stderr_tail, "double free\n");
    const Checked status =
        expect_passed({"quit", "quit-during-go"},
                      instead_of("quit", [](Bot& bot, const Words&) { bot.exit(3); }));
    EXPECT_EQ(status["quit"].detail, "its process ended with exit status 3");
    EXPECT_EQ(status["quit"].fix, "exit with status 0 where all is well");
}

TEST(Check, TheEndOfInputEndsTheProcess) {
    const Checked checked =
        expect_failed({"end-of-input"}, {"pending-answer"},
                      instead_of("end", [](Bot& bot, const Words&) { bot.hang(); }));
    EXPECT_EQ(checked["end-of-input"].detail,
              "it still ran 1000 ms after the end of its input");
}

}  // namespace arena::check_test
