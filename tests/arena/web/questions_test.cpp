#include "arena/web/questions.hpp"

#include <boost/json.hpp>

#include "arena/report/drawing.hpp"
#include "engine/sums/analyst.hpp"
#include "tests/arena/stand_in_analyst.hpp"

namespace arena::web::questions_test {

namespace json = boost::json;

const engine::Analyst& analyst() {
    static const auto made = engine::make_analyst();
    return *made;
}

ApiOptions options() {
    ApiOptions made;
    made.names = *engine::RulesetNames::parse("evens = take{2,4,6}\n");
    made.records = {{"spring", "Spring cup"}};
    return made;
}

Answered ask(Answered (*question)(const Asked&), const json::object& request,
             const engine::Budget& budget = {}) {
    const ApiOptions all = options();
    return question({request, all, analyst(), nullptr, 7, budget});
}

json::object told(Answered (*question)(const Asked&), const char* request) {
    const Answered answered = ask(question, json::parse(request).as_object());
    if (const auto* error = std::get_if<ApiError>(&answered.what)) {
        ADD_FAILURE() << request << ": " << error->error.text;
        return {};
    }
    EXPECT_TRUE(answered.is_complete) << request;
    return std::get<json::object>(answered.what);
}

// "400 position 7: text".
std::string error(Answered (*question)(const Asked&), const char* request) {
    const Answered answered = ask(question, json::parse(request).as_object());
    const auto* refused = std::get_if<ApiError>(&answered.what);
    if (refused == nullptr) return "answered";
    std::string text = std::to_string(refused->status) + " " + refused->field;
    if (refused->ply) text += " ply " + std::to_string(*refused->ply);
    if (refused->error.column > 0) text += " " + std::to_string(refused->error.column);
    return text + ": " + refused->error.text;
}

TEST(Questions, SiteListsItsParts) {
    const json::object site = told(ask_site, "{}");
    EXPECT_EQ(site.at("start"), "nim:1,3,5,7");
    EXPECT_EQ(site.at("opponents").as_array().size(), 7U);
    EXPECT_EQ(json::serialize(site.at("records")),
              R"([{"name":"spring","title":"Spring cup"}])");
    const json::array& rulesets = site.at("rulesets").as_array();
    const auto games = std::ranges::count_if(rulesets, [](const json::value& entry) {
        return entry.as_object().contains("literature");
    });
    EXPECT_GE(games, 40);
    EXPECT_EQ(rulesets.size() - static_cast<std::size_t>(games), 25U);
    EXPECT_EQ(json::serialize(rulesets.back()),
              R"({"ruleset":"evens","title":"evens","rules":"take{2,4,6}","drawing":"pile",)"
              R"("parameters":false})");
    // Each example can be played.
    for (const json::value& entry : rulesets) {
        const json::object request{{"ruleset", entry.at("ruleset")}};
        const Answered answered = ask(ask_pile, request);
        const auto* pile = std::get_if<json::object>(&answered.what);
        ASSERT_NE(pile, nullptr) << entry;
        const std::string position = std::string(entry.at("ruleset").as_string()) + ":" +
                                     std::string(pile->at("heap").as_string());
        const auto game = std::get<json::object>(ask(ask_game, {{"position", position}}).what);
        EXPECT_FALSE(game.at("over").as_bool()) << position;
        const json::value& kind = game.at("piles").at(0).at("drawing").at("kind");
        const json::value& wanted = entry.at("drawing");
        const bool is_pair = wanted == "entries" && kind == "board";
        const bool is_row = wanted == "squares" && kind == "row";
        EXPECT_TRUE(is_pair || is_row || kind == wanted) << position;
    }
}

TEST(Questions, GameTellsTheStartAndTheMoves) {
    const json::object game =
        told(ask_game, R"({"position": "evens:9+nim:03   misere", "moves": ["1=7"]})");
    EXPECT_EQ(game.at("start"), "take{2,4,6}:9+nim:3 misere");
    EXPECT_EQ(game.at("position"), "take{2,4,6}:7+nim:3 misere");
    EXPECT_EQ(game.at("convention"), "misere");
    EXPECT_EQ(json::serialize(game.at("moves")), R"(["1=7"])");
    EXPECT_EQ(game.at("player"), 2);
    EXPECT_EQ(game.at("over"), false);
    EXPECT_EQ(
        json::serialize(game.at("piles").at(1)),
        R"({"pile":2,"ruleset":"nim","title":"Nim","heap":"3",)"
        R"("drawing":{"kind":"pile","count":3},"results":["0","1","2"],"result_count":3})");
}

TEST(Questions, GameTellsItsEnd) {
    const auto end = [](const char* request) {
        const json::object game = told(ask_game, request);
        return json::serialize(json::array{game.at("over"), game.at("winner"), game.at("end")});
    };
    EXPECT_EQ(end(R"({"position": "nim:1"})"), R"([false,null,null])");
    EXPECT_EQ(end(R"({"position": "nim:1", "moves": ["1=0"]})"), R"([true,1,"no-moves"])");
    EXPECT_EQ(end(R"({"position": "nim:1 misere", "moves": ["1=0"]})"),
              R"([true,2,"no-moves"])");
    EXPECT_EQ(end(R"({"position": "graph{a->b;b->a}:a",
                      "moves": ["1=b", "1=a", "1=b", "1=a"]})"),
              R"([true,null,"repetition"])");
}

TEST(Questions, ResultsAreAllLegalMoves) {
    for (const char* position :
         {"kayles:9,4", "lasker:7+nim:5", "grundy:11", "wythoff:(4,6)", "cookie:(1,2,4)",
          "graph{a->b,c;b->c}:a,b", "rules{(a,b)->(a-1,b):a>=1;(a,b)->(a,b-k):k>=1}:(3,4)",
          "hex{0.8F}:12", "octal{4.007}:13 misere"}) {
        const auto game = std::get<json::object>(ask(ask_game, {{"position", position}}).what);
        std::vector<std::string> listed, legal;
        for (const json::value& pile : game.at("piles").as_array()) {
            for (const json::value& result : pile.at("results").as_array()) {
                listed.push_back(std::to_string(pile.at("pile").to_number<int>()) + "=" +
                                 std::string(result.as_string()));
            }
        }
        for (const auto& move : engine::read_game(position)->moves(10'000)) {
            legal.push_back(to_string(move));
        }
        std::ranges::sort(listed);
        std::ranges::sort(legal);
        EXPECT_EQ(listed, legal) << position;
    }
}

TEST(Questions, RefusalsSayWhere) {
    EXPECT_EQ(error(ask_game, "{}"),
              "400 position: expected a position as a text, such as \"nim:3,4,5\"");
    EXPECT_EQ(error(ask_game, R"({"position": "nim:3,x"})"),
              "400 position 7: read 'x', expected a heap such as 5, (3,5) or (w+1)");
    EXPECT_EQ(error(ask_game, R"({"position": "nim:3", "moves": ["1=2", "1=9"]})"),
              "400 moves ply 2 3: heap 1 is '2' and cannot become '9' under 'nim'");
    EXPECT_EQ(error(ask_game, R"({"position": "nim:1", "moves": ["1=0", "1=0"]})"),
              "400 moves ply 2: read '1=0', expected no move: the game is over");
    EXPECT_EQ(error(ask_game, R"({"position": "nim:1", "moves": "1=0"})"),
              "400 moves: expected a list of at most 10000 moves, such as [\"2=1\"]");
    EXPECT_EQ(error(ask_moves, R"({"position": "nim:1", "pile": 2})"),
              "400 pile: expected the number of a pile, 1..1");
    EXPECT_EQ(error(ask_reply, R"({"position": "nim:1", "opponent": "bot:0"})"),
              "404 opponent: read 'bot:0', expected an opponent that /api/site names, such as "
              "perfect or eps:0.25");
    EXPECT_EQ(error(ask_reply, R"({"position": "nim:0", "opponent": "perfect"})"),
              "400 moves: there is no move: the game is over");
    EXPECT_EQ(error(ask_pile, R"({"ruleset": "kayle"})").substr(0, 22),
              "400 ruleset 1: read 'k");
}

TEST(Questions, APositionFitsALineOnceItsNamesAreExpanded) {
    std::string position = "subtract-a-prime:9";
    for (int i = 1; i < 2000; ++i) position += "+subtract-a-prime:9";
    const std::string request = R"({"position": ")" + position + "\"}";
    const std::string expected = "400 position: the position has ";
    EXPECT_EQ(error(ask_game, request.c_str()).substr(0, expected.size()), expected);
}

TEST(Questions, PilesHaveTheSizeThatIsAskedFor) {
    EXPECT_EQ(told(ask_pile, R"({"ruleset": "kayles", "size": 7})").at("heap"), "7");
    EXPECT_EQ(told(ask_pile, R"({"ruleset": "wythoff", "size": 7})").at("heap"), "(7,7)");
    EXPECT_EQ(error(ask_pile, R"({"ruleset": "nim", "size": 0})"),
              "400 size: expected a number 1..2^63-1");
    const auto drawn = told(ask_pile, R"({"ruleset": "nim", "size": null})");
    const int size = std::stoi(std::string(drawn.at("heap").as_string()));
    EXPECT_GE(size, 10);
    EXPECT_LE(size, 20);
}

TEST(Questions, MovesArePagedWithTheirValues) {
    const json::object page =
        told(ask_moves, R"({"position": "nim:9,4", "pile": 1, "offset": 3, "limit": 2})");
    EXPECT_EQ(json::serialize(page),
              R"({"count":9,"offset":3,"moves":[{"result":"3","nimber":7,"outcome":"N"},)"
              R"({"result":"4","nimber":0,"outcome":"P"}]})");
    const json::object huge = told(
        ask_moves,
        R"({"position": "nim:9223372036854775807,5", "pile": 1, "offset": 5, "limit": 1})");
    EXPECT_EQ(json::serialize(huge),
              R"({"count":9223372036854775807,"offset":5,"moves":[{"result":"5","nimber":0,)"
              R"("outcome":"P"}]})");
}

TEST(Questions, ManyAndHugePilesStayShort) {
    std::string position = "nim:9223372036854775807";
    for (int i = 1; i < 3000; ++i) position += ",1000000";
    const auto game = std::get<json::object>(ask(ask_game, {{"position", position}}).what);
    EXPECT_EQ(game.at("pile_count"), 3000);
    EXPECT_EQ(game.at("piles").as_array().size(), 500U);
    EXPECT_EQ(game.at("piles").at(0).at("drawing").at("kind"), "text");
    EXPECT_LT(json::serialize(game).size(), 600'000U);
}

TEST(Questions, EvaluationShowsTheColumns) {
    std::mt19937_64 random(11);
    for (int i = 0; i < 200; ++i) {
        std::string position = "nim:" + std::to_string(random() % 100);
        for (int heap = 1; heap < 5; ++heap) position += "," + std::to_string(random() % 100);
        const auto told =
            std::get<json::object>(ask(ask_evaluate, {{"position", position}}).what);
        const json::object& columns = told.at("columns").as_object();
        const auto read = [&](const json::value& digits) {
            std::uint64_t value = 0;
            for (std::size_t k = 0; k < digits.as_array().size(); ++k) {
                if (digits.at(k) == "0") continue;
                value += std::stoull(std::string(columns.at("heads").at(k).as_string()));
            }
            return value;
        };
        std::uint64_t sum = 0;
        for (std::size_t heap = 0; heap < 5; ++heap) {
            const std::uint64_t row = read(columns.at("rows").at(heap).at("digits"));
            EXPECT_EQ(row, told.at("heaps").at(heap).at("nimber").to_number<std::uint64_t>());
            sum ^= row;
        }
        EXPECT_EQ(read(columns.at("total")), sum) << position;
        EXPECT_EQ(told.at("nimber").to_number<std::uint64_t>(), sum) << position;
        EXPECT_EQ(told.at("outcome"), sum == 0 ? "P" : "N") << position;
    }
}

TEST(Questions, EvaluationNamesMovesThatHoldADraw) {
    const json::object value =
        told(ask_evaluate, R"({"position": "graph{a->b;b->a,c;c->d}:b"})");
    EXPECT_EQ(value.at("outcome"), "D");
    EXPECT_EQ(json::serialize(value.at("best_moves")), R"(["1=a"])");
    EXPECT_TRUE(value.at("columns").is_null());
}

TEST(Questions, AValueNotKnownInTimeMakesAnAnswerIncomplete) {
    const engine::Budget none{SteadyClock::now(), {}};
    const Answered answered =
        ask(ask_evaluate, {{"position", "rules{n->x,y:x+y<n}:60,59,58 misere"}}, none);
    EXPECT_FALSE(answered.is_complete);
    const auto& unknown = std::get<json::object>(answered.what);
    EXPECT_EQ(unknown.at("outcome"), "unknown");
    EXPECT_TRUE(unknown.at("best_moves").is_null());
    // The value is known, but words of moves are not found any more.
    for (const auto question : {ask_evaluate, ask_game})
        EXPECT_FALSE(ask(question, {{"position", "nim:3,4,5"}}, none).is_complete);
    const json::array moves{"1=0"};
    const Answered unread = ask(ask_game, {{"position", "nim:3,4,5"}, {"moves", moves}}, none);
    ASSERT_TRUE(std::holds_alternative<ApiError>(unread.what));
    EXPECT_EQ(std::get<ApiError>(unread.what).status, kTooCostly);
    EXPECT_FALSE(unread.is_complete);
}

// Remembers until when it may think.
class Deadlines : public StandInAnalyst {
  public:
    engine::Outcome outcome(const engine::Game& game,
                            const engine::Budget& budget) const override {
        latest = std::max(latest, budget.deadline);
        return StandInAnalyst::outcome(game, budget);
    }
    std::optional<engine::Move> choose(const engine::Game& game,
                                       const std::vector<engine::Move>& candidates,
                                       const engine::Style& style, std::mt19937_64& random,
                                       const engine::Budget& budget) const override {
        latest = std::max(latest, budget.deadline);
        return StandInAnalyst::choose(game, candidates, style, random, budget);
    }
    mutable SteadyClock::time_point latest{};
};

TEST(Questions, OpponentsLeaveTimeToTellTheirMove) {
    const ApiOptions all = options();
    const Deadlines analyst;
    const engine::Budget budget{SteadyClock::now() + std::chrono::hours(1), {}};
    const json::object request{{"position", "nim:3,4,5"}, {"opponent", "eps:0.5"}};
    ask_reply({request, all, analyst, nullptr, 7, budget});
    EXPECT_LE(analyst.latest, budget.deadline - Milliseconds(200));
    EXPECT_GT(analyst.latest, SteadyClock::now());
}

TEST(Questions, OpponentsPlayAsTheyAreCalled) {
    const auto reply = [](const char* opponent, std::uint64_t seed) {
        const Answered answered =
            ask(ask_reply, {{"position", "nim:3,4,5"}, {"opponent", opponent}, {"seed", seed}});
        return std::get<json::object>(answered.what);
    };
    EXPECT_EQ(reply("perfect", 1).at("move"), "1=1");
    EXPECT_EQ(reply("perfect", 1).at("game").at("position"), "nim:1,4,5");
    EXPECT_EQ(reply("eps:0", 1).at("move"), "1=1");
    std::set<std::string> random, mistakes;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        random.emplace(reply("random", seed).at("move").as_string());
        mistakes.emplace(reply("eps:1", seed).at("move").as_string());
    }
    EXPECT_EQ(random.size(), 12U);
    EXPECT_EQ(mistakes.size(), 11U);
    EXPECT_FALSE(mistakes.contains("1=1"));
    EXPECT_EQ(reply("random", 5).at("move"), reply("random", 5).at("move"));
}

TEST(Questions, OpponentsSayWhetherTheirMoveIsProven) {
    const auto reply = [](const char* position, const char* opponent,
                          const engine::Budget& budget = {}) {
        const Answered answered =
            ask(ask_reply, {{"position", position}, {"opponent", opponent}}, budget);
        return std::get<json::object>(answered.what);
    };
    const engine::Budget none{SteadyClock::now(), {}};
    const char* hard = "rules{n->x,y:x+y<n}:60,59,58 misere";
    EXPECT_EQ(reply("nim:3,4,5", "perfect").at("proven"), true);
    EXPECT_EQ(reply(hard, "perfect", none).at("proven"), false);
    EXPECT_EQ(reply(hard, "eps:0.5", none).at("proven"), false);
    EXPECT_FALSE(reply(hard, "random", none).contains("proven"));
}

TEST(Questions, ReviewNamesTheMoveThatThrewTheGame) {
    const json::object review =
        told(ask_review, R"({"position": "nim:3,4,5", "moves": ["1=1", "2=3", "3=0", "1=0"]})");
    EXPECT_EQ(json::serialize(review),
              R"({"plies":[{"before":"N","nimber":2,"mistake":false,"better":null,)"
              R"("better_words":null},)"
              R"({"before":"P","nimber":0,"mistake":false,"better":null,"better_words":null},)"
              R"({"before":"N","nimber":7,"mistake":true,"better":"3=2",)"
              R"("better_words":"take 3 from pile 3, leaving 2"},)"
              R"({"before":"N","nimber":2,"mistake":true,"better":"2=1",)"
              R"("better_words":"take 2 from pile 2, leaving 1"}],)"
              R"("end":"N","end_nimber":3})");
}

TEST(Questions, GameTellsTheRulesOfEachRuleset) {
    const json::object game =
        told(ask_game, R"({"position": "evens:9+nim:3+evens:4+kayles:2"})");
    EXPECT_EQ(
        json::serialize(game.at("rules")),
        R"([{"ruleset":"take{2,4,6}","title":"Subtraction game",)"
        R"("rules":"Take 2, 4 or 6 from a heap."},)"
        R"({"ruleset":"nim","title":"Nim","rules":"Take any number of stones from one heap."},)"
        R"({"ruleset":"kayles","title":"Kayles",)"
        R"("rules":"Knock down one pin, or two that stand next to each other."}])");
}

TEST(Questions, GameTellsACodeDigitByDigit) {
    const auto code = [](const std::string& ruleset) {
        const std::string request = R"({"position": ")" + ruleset + R"(:9"})";
        const json::object game = told(ask_game, request.c_str());
        const json::object& rules = game.at("rules").at(0).as_object();
        return rules.contains("code") ? json::serialize(rules.at("code")) : "";
    };
    EXPECT_EQ(code("0.107"), R"({"takes":[{"take":1,"leaves":[0]},{"take":2,"leaves":[]},)"
                             R"({"take":3,"leaves":[0,1,2]}],"goes_on":false})");
    EXPECT_EQ(code("hex{4.8[2]}"),
              R"({"takes":[{"take":0,"leaves":[2]},{"take":1,"leaves":[3]},)"
              R"({"take":2,"leaves":[1]}],"goes_on":true})");
    EXPECT_THAT(code("0.000000000000000001"), testing::HasSubstr(R"("goes_on":true)"));
    EXPECT_EQ(code("kayles"), "");
}

TEST(Questions, RandomPilesAreSolved) {
    for (const char* ruleset : {"moore{2}", "chomp", "cram", "rules{n->n-k:k>=1&2*k<=n}"}) {
        const engine::Budget budget{SteadyClock::now() + std::chrono::seconds(60), {}};
        const Answered answered =
            ask(ask_pile, {{"ruleset", ruleset}, {"convention", "misere"}}, budget);
        EXPECT_EQ(std::get<json::object>(answered.what).at("known"), true) << ruleset;
    }
    const Answered hurried =
        ask(ask_pile, {{"ruleset", "rules{n->x,y:x+y<n}"}, {"convention", "misere"}},
            engine::Budget::spent());
    EXPECT_FALSE(hurried.is_complete);
    EXPECT_EQ(error(ask_pile, R"({"ruleset": "nim", "convention": "odd"})"),
              "400 convention: expected \"normal\" or \"misere\"");
}

TEST(Drawing, HasAKindForEachHeap) {
    const auto drawing = [](const char* text) {
        const auto position = *protocol::parse_position(text);
        return json::serialize(
            pages::drawing_of(position.components[0].ruleset, position.components[0].heaps[0]));
    };
    EXPECT_EQ(drawing("nim:5"), R"({"kind":"pile","count":5})");
    EXPECT_EQ(drawing("nim:65"), R"({"kind":"text"})");
    EXPECT_EQ(drawing("nim:(w+1)"), R"({"kind":"text"})");
    EXPECT_EQ(drawing("octal{0.77}:5"), R"({"kind":"row","count":5})");
    EXPECT_EQ(drawing("treblecross:5"), R"({"kind":"row","count":5,"squares":true})");
    EXPECT_EQ(drawing("grundy:5"), R"({"kind":"split","count":5})");
    EXPECT_EQ(drawing("wythoff:(3,5)"), R"({"kind":"board","x":3,"y":5})");
    EXPECT_EQ(drawing("wythoff:(3,26)"), R"({"kind":"text"})");
    EXPECT_EQ(drawing("cookie:(1,2,4)"), R"({"kind":"cookies","entries":[1,2,4]})");
    EXPECT_EQ(drawing("pass{0.77}:(3,1)"), R"({"kind":"entries","entries":[3,1]})");
    EXPECT_EQ(drawing("cram:ooo_oxo"), R"({"kind":"cells"})");
    EXPECT_EQ(drawing("notakto:ooo_oxo_ooo"), R"({"kind":"cells"})");
    EXPECT_EQ(drawing("chomp:(4,3)"), R"({"kind":"bar","entries":[4,3]})");
    EXPECT_EQ(drawing("welter:(4,3)"), R"({"kind":"strip","entries":[4,3]})");
    EXPECT_EQ(drawing("arc-kayles{a->b;b->c}:6"),
              R"({"kind":"links","vertices":["a","b","c"],"edges":[[0,1],[1,2]],)"
              R"("vertices_left":[1,2],"edges_left":[1],"ground":null})");
    EXPECT_EQ(drawing("hackenbush{ground->a;a->b}:1"),
              R"({"kind":"links","vertices":["ground","a","b"],"edges":[[0,1],[1,2]],)"
              R"("vertices_left":[0,1],"edges_left":[0],"ground":0})");
    EXPECT_EQ(drawing("cookie:4"), R"({"kind":"cookies","entries":[4]})");
    EXPECT_EQ(
        drawing("graph{a->b,c;b->c}:b"),
        R"({"kind":"graph","vertices":["a","b","c"],"edges":[[0,1],[0,2],[1,2]],"at":1})");
    EXPECT_EQ(drawing("rules{(a,b)->(b,a):a>b}:(3,5)"),
              R"({"kind":"board","x":3,"y":5,"size":6})");
}

TEST(Drawing, SaysWhichPartsAMoveTouches) {
    const auto touched = [](const char* text, const char* moves) {
        const auto position = *protocol::parse_position(text);
        const auto& [ruleset, heaps] = position.components[0];
        const auto left = *protocol::parse_position(moves);
        const std::vector<std::vector<protocol::Heap>> results{left.components[0].heaps};
        return json::serialize(pages::touched_parts(ruleset, heaps[0], results));
    };
    EXPECT_EQ(touched("nim:3", "nim:2"), "[]");
    EXPECT_EQ(touched("cram:oo", "cram:x"),
              R"([{"move":0,"press":["c0,0","c1,0"],"gone":["c0,0","c1,0"]}])");
    // A vertex with its neighbours.
    EXPECT_EQ(touched("node-kayles{a->b;b->c;c->d}:15", "node-kayles{a->b;b->c;c->d}:8"),
              R"([{"move":0,"press":["v1"],"gone":["v0","v1","v2","e0","e1","e2"]}])");
    EXPECT_EQ(touched("arc-kayles{a->b;b->c;c->d}:15", "arc-kayles{a->b;b->c;c->d}:1,8"),
              R"([{"move":0,"press":["e1"],"gone":["v1","v2","e0","e1","e2"]}])");
    EXPECT_EQ(touched("hackenbush{ground->a;a->b;b->c}:7", "hackenbush{ground->a;a->b;b->c}:1"),
              R"([{"move":0,"press":["e1"],"gone":["e1","e2"]}])");
}

}  // namespace arena::web::questions_test
