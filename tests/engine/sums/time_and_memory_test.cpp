// The engine answers although time or memory is short, whatever the position. The time limit of
// the tests checks that nothing hangs.
#include "engine/base/memory.hpp"
#include "engine/commands/engine_bot.hpp"
#include "engine/rules/moves.hpp"
#include "engine/sums/choice.hpp"
#include "engine/sums/solution.hpp"
#include "protocol/line_buffer.hpp"
#include "tests/agreement/positions.hpp"
#include "tests/engine/commands/printed.hpp"
#include "tests/engine/little_memory.hpp"

namespace engine::test::time_and_memory_test {

// At least one position of each ruleset: too hard to solve in a millisecond, too large to list,
// or of very many heaps.
const char* const kHard[] = {
    "nim:(w^3*5+w^2+9),9223372036854775807,(w)",
    "kayles:9223372036854775807",
    "kayles:40,39,38,37,36+dawson-kayles:33,44+grundy:50,51",
    "treblecross:9223372036854775807",
    "officers:9223372036854775807",
    "octal{4.4}:60,61,62",
    "octal{.31415326535}:1000000000",
    "hex{8.F}:3000",
    "hex{C.0123456789ABCDEF}:100000",
    "lasker:9223372036854775807",
    "grundy:9223372036854775807",
    "wythoff:(9223372036854775807,9223372036854775807)",
    "wythoff:(9223372036854775802,3074457345618258602)",
    "wythoff:(1000000000000000000,1000000000000000000)+nim:1000000000000000",
    "wythoff:(1000000000000000000,1000000000000000000)+"
    "moore{3}:(9223372036854775807,9223372036854775807,1)",
    "cookie:(50,49,48,47,46,45,44,43,42,41,40)",
    "cookie:9223372036854775807",
    "moore{3}:(9223372036854775807,9223372036854775807,9,9,8,7,6,5)",
    "welter:(9223372036854775807,9223372036854775806,9,6,4,1)+nim:5",
    "chomp:(9223372036854775807,9223372036854775807,4000000000,7)",
    "chomp:(30,30,30,30,30,29)",
    "notakto:ooo_ooo_ooo,ooo_ooo_ooo,ooo_oxo_ooo+chomp:(9,9,9,8)",
    "take{!1,1000000}:9000000000000",
    "take{3,5,1000000}:5000000000000",
    "graph{a->b,c;b->c,d;c->a,e;d->c;e->f}:a,b,c,d",
    "rules{n->n-k:k>=1&n%k=0}:100000",
    "rules{n->x,n-x:0<x&x<n-x}:200000",
    "rules{(a,b)->(a-k,b):k>=1;(a,b)->(a,b-k):k>=1;(a,b)->(a-k,b-k):k>=1}:(90000,90001)",
    "rules{n->n+1;n->n-1}:5",
    "rules{(a,b,c,d)->(a-k,b,c,d):k>0;(a,b,c,d)->(b,c,d,a-1);(a,b,c,d)->(a+1,b-1,c,d)}:"
    "(9,9,9,9)",
    "take{1,3}:5+graph{a->a}:a+grundy:1000000000",
};

std::string many_heaps(const std::string& ruleset, int count, int sizes) {
    std::string text;
    for (int i = 0; i < count; ++i) {
        if (i > 0) text += '+';
        text += ruleset + ':' + std::to_string(i % sizes);
    }
    return text;
}

std::string staircase(int count) {
    std::string text = "(1";
    for (int i = 2; i <= count; ++i) text += ',' + std::to_string(i);
    return text + ')';
}

std::string many_cookies(int heaps, int each) {
    std::string text = "cookie:" + staircase(each);
    for (int i = 1; i < heaps; ++i) text += ',' + staircase(each - i % 5);
    return text;
}

// Every vertex is there.
std::string on_grid(const std::string& ruleset, int rows, int columns) {
    std::string text = ruleset + '{';
    for (int cell = 0; cell < rows * columns; ++cell) {
        text += (cell > 0 ? ";v" : "v") + std::to_string(cell);
    }
    for (int cell = 0; cell < rows * columns; ++cell) {
        const std::string from = ";v" + std::to_string(cell) + "->v";
        if (cell % columns + 1 < columns) text += from + std::to_string(cell + 1);
        if (cell / columns + 1 < rows) text += from + std::to_string(cell + columns);
    }
    return text + "}:" + std::to_string((Number{1} << rows * columns) - 1);
}

std::string many_conditions(int count) {
    std::string text = "rules{n->n-k:k>=1";
    for (int i = 0; i < count; ++i) text += "&n>0";
    return text + "}:300";
}

Lines hard_positions() {
    Lines all(std::begin(kHard), std::end(kHard));
    all.push_back(many_cookies(1, 20000));
    all.push_back(many_cookies(1000, 30));
    all.push_back("welter:" + staircase(20000));
    all.push_back(on_grid("node-kayles", 7, 9));
    all.push_back(on_grid("arc-kayles", 7, 9));
    all.push_back(many_conditions(10000));
    all.push_back(many_heaps("kayles", 20000, 90));
    all.push_back(many_heaps("take{2,3}", 20000, 90));
    all.push_back(many_heaps("rules{n->x,n-1-x}", 2000, 30));
    all.push_back(many_heaps("kayles", 10000, 30) + '+' + many_heaps("grundy", 10000, 30));
    const std::size_t count = all.size();
    for (std::size_t i = 0; i < count; ++i) all.push_back(all[i] + " misere");
    return all;
}

// The answers without `info` lines of the search.
Lines answers_to(const Lines& lines) {
    Lines answers = talk(lines);
    std::erase_if(answers,
                  [](const std::string& line) { return line.starts_with("info depth"); });
    return answers;
}

// The list of moves of a heap never ends; one move is found at once. Code that lists all moves
// without a limit would hang.
class Endless : public Ruleset {
  public:
    explicit Endless(bool can_repeat) : can_repeat_(can_repeat) {}

    Result<void> check_heap(const Heap&) const override { return {}; }
    bool has_move(const Heap& heap) const override { return heap != Heap(Number{0}); }
    bool is_follower(const Heap& heap, std::span<const Heap> result) const override {
        return has_move(heap) && result.size() == 1 && result.front() == Heap(Number{0});
    }
    Count follower_count(const Heap& heap) const override {
        if (has_move(heap)) ADD_FAILURE() << "all moves were asked for";
        return 0;
    }
    std::vector<Heap> follower(const Heap& heap, Count) const override {
        ADD_FAILURE() << "a move of all was asked for";
        return {heap};
    }
    std::optional<engine::Followers> followers(const Heap& heap,
                                               const GiveUp& give_up) const override {
        if (!has_move(heap)) return engine::Followers{};
        while (!give_up(0)) {
        }
        return std::nullopt;
    }
    std::vector<std::vector<Heap>> some_followers(const Heap& heap,
                                                  std::size_t) const override {
        if (!has_move(heap)) return {};
        return {{Heap(Number{0})}};
    }
    bool can_repeat() const override { return can_repeat_; }

  private:
    bool can_repeat_;
};

Result<std::shared_ptr<const Ruleset>> find_endless(const protocol::RulesetText& text) {
    using Found = std::shared_ptr<const Ruleset>;
    if (text.text == "endless") return Found(std::make_shared<Endless>(false));
    if (text.text == "endless-loops") return Found(std::make_shared<Endless>(true));
    return find_ruleset(text);
}

// `Hash` belongs to the process.
class TimeAndMemory : public ::testing::Test {
  protected:
    ~TimeAndMemory() override { Memory::set_limit(Memory::kDefaultLimit); }
};

TEST_F(TimeAndMemory, MovesComeInTimeAndAreLegal) {
    for (const std::string& position : hard_positions()) {
        SCOPED_TRACE(position.substr(0, 80));
        const Lines answers = answers_to(
            {"position fen " + position, "go movetime 1", "go infinite", "stop", "isready"});
        ASSERT_EQ(answers.size(), 3u);
        for (const std::string& answer : answers) {
            if (answer == "readyok") continue;
            ASSERT_TRUE(answer.starts_with("bestmove "));
            const std::string move = answer.substr(std::string("bestmove ").size());
            EXPECT_EQ(answers_to({"position fen " + position, "query islegal " + move}),
                      Lines{"response true"})
                << move;
        }
    }
}

// Checks claims made in little time with much more time: the opponent, who is to move next,
// must not win after the `pv` of a claimed win or draw.
TEST_F(TimeAndMemory, NoMoveContradictsItsClaim) {
    const auto analyst = make_analyst();
    int claims = 0;
    for (const std::string position :
         {"officers:14,12,11 misere", "officers:12,11+nim:9 misere", "grundy:17,15,12 misere",
          "kayles:9,8,7+dawson-kayles:11,9 misere", "wythoff:(7,9),(4,11)+nim:9 misere",
          "octal{4.4}:9,8,7 misere", "cram:oooo_oooo_oooo", "cram:ooo_ooo_ooo+nim:2",
          "rules{(a,b)->(a-k,b):k>=1;(a,b)->(a,b-k):k>=1;(a,b)->(a-k,b-k):k>=1}:(20,30)+nim:5",
          "graph{a->b,c;b->c,d;c->a,e;d->c;e->f}:a,b,c+kayles:7 misere", "nim:9,7,5"}) {
        for (const char* time : {"1", "3", "10"}) {
            Game game = game_of(position);
            const Lines answers =
                talk({"position fen " + position, "go movetime " + std::string(time)});
            ASSERT_EQ(answers.size(), 2u);
            const bool has_pv = answers[0].find(" pv ") != std::string::npos;
            const bool wins = answers[0].find(" outcome N ") != std::string::npos;
            const bool draws = answers[0].find(" outcome D ") != std::string::npos;
            if (!has_pv || !(wins || draws)) continue;
            ++claims;
            game.play(*game.read_move(answers[1].substr(std::string("bestmove ").size())));
            const Budget much = Budget().at_most(std::chrono::minutes(1));
            EXPECT_EQ(analyst->outcome(game, much), wins ? Outcome::P : Outcome::D)
                << position << ": " << answers[0];
        }
    }
    EXPECT_GT(claims, 0);
}

TEST_F(TimeAndMemory, WhereMovesCannotBeListedOneIsPlayed) {
    const Budget over = Budget().at_most(std::chrono::seconds(-1));
    const auto analyst = make_analyst();
    std::mt19937_64 random(1);
    for (const char* text : {"endless:5", "endless:0,5", "endless-loops:5+endless:0",
                             "endless:5 misere", "endless-loops:7,5 misere", "endless:5+nim:0",
                             "endless-loops:5+endless:5+kayles:0"}) {
        SCOPED_TRACE(text);
        const auto position = protocol::parse_position(text);
        ASSERT_TRUE(position);
        const auto game = Game::start(*position, {}, find_endless);
        ASSERT_TRUE(game);
        for (const Losing losing : {Losing::Random, Losing::Longest, Losing::Trap}) {
            const auto move =
                analyst->choose(*game, {}, {Choice::Random, losing}, random, over);
            ASSERT_TRUE(move);
            EXPECT_TRUE(game->check(*move)) << to_string(*move);
        }
        EXPECT_EQ(analyst->outcome(*game, over), Outcome::Unknown);
        EXPECT_EQ(analyst->best_moves(*game, 10, over), std::nullopt);
    }
}

TEST_F(TimeAndMemory, MovesAreDrawnFromThoseThatCanBeListed) {
    const Budget over = Budget().at_most(std::chrono::seconds(-1));
    std::mt19937_64 random(1);
    const auto position = protocol::parse_position("endless:5+nim:3");
    const auto game = Game::start(*position, {}, find_endless);
    ASSERT_TRUE(game);
    EXPECT_THAT(sample_moves(*game, 10, random, over),
                ::testing::ElementsAre(*protocol::parse_move("2=0", *position),
                                       *protocol::parse_move("2=1", *position),
                                       *protocol::parse_move("2=2", *position)));
}

TEST_F(TimeAndMemory, SamplesAreAllMovesOrAFixedNumber) {
    std::mt19937_64 random(1);
    for (const char* text : {"nim:1,0,4", "rules{n->n-k:k>=1}:5,0,3", "graph{a->b,c;b->c}:a,b",
                             "nim:9223372036854775807,9223372036854775807"}) {
        SCOPED_TRACE(text);
        const auto game = read_game(text);
        ASSERT_TRUE(game);
        auto few = sample_moves(*game, 3, random, {});
        EXPECT_THAT(few.size(), ::testing::AllOf(::testing::Ge(1u), ::testing::Le(3u)));
        for (const Move& move : few) EXPECT_TRUE(game->check(move)) << to_string(move);
        if (game->move_count() > 20) continue;
        auto all = sample_moves(*game, 20, random, {});
        EXPECT_EQ(all, game->moves(20));
    }
}

TEST_F(TimeAndMemory, ListsOfFollowersAreCounted) {
    const auto game = read_game("rules{(a,b)->(a-x,b-y):x+y>0}:(900,900)");
    ASSERT_TRUE(game);
    const Heap& heap = game->position().components.front().heaps.front();
    {
        const LittleMemory memory(1 << 20);
        EXPECT_FALSE(find_followers(*game->ruleset(0), heap, {}));
    }
    const std::size_t before = Memory::used();
    const auto followers = find_followers(*game->ruleset(0), heap, {});
    ASSERT_TRUE(followers);
    EXPECT_EQ(followers->count, 901 * 901 - 1);
    EXPECT_GE(Memory::used(), before + followers->count * sizeof(Number));
}

TEST_F(TimeAndMemory, MovesThatHoldADrawAreCounted) {
    for (const char* text : {"graph{a->a}:a+nim:7", "graph{a->a}:a+nim:7,0,3 misere",
                             "graph{a->a,b;b->a,c}:a,b+kayles:5"}) {
        SCOPED_TRACE(text);
        const auto game = read_game(text);
        ASSERT_TRUE(game);
        const auto solution = solve(*game, {}, Aim::Values);
        ASSERT_EQ(solution->outcome(), Outcome::D);
        const auto list = solution->best_moves(1000);
        ASSERT_TRUE(list);
        EXPECT_FALSE(list->cut);
        EXPECT_FALSE(list->moves.empty());
        EXPECT_EQ(solution->best_move_count(), list->moves.size());
    }
    const auto huge = read_game("graph{a->a}:a+nim:9223372036854775807");
    ASSERT_TRUE(huge);
    const Budget little = Budget().at_most(std::chrono::milliseconds(50));
    EXPECT_EQ(solve(*huge, little, Aim::Values)->best_move_count(), std::nullopt);
}

TEST_F(TimeAndMemory, QueriesEndWithTheirTime) {
    for (const std::string& position : hard_positions()) {
        SCOPED_TRACE(position.substr(0, 80));
        const Lines answers = answers_to(
            {"setoption name QueryTime value 2", "position fen " + position, "query outcome",
             "query nimber", "query bestmoves", "query legalmoves", "query gameover"});
        ASSERT_EQ(answers.size(), 5u);
        for (const std::string& answer : answers) {
            EXPECT_TRUE(answer.starts_with("response")) << answer;
        }
    }
}

TEST_F(TimeAndMemory, LittleMemoryIsKeptToAndAnswersAreRight) {
    constexpr const char* kMisereQuestion = "position fen kayles:3,4,5 misere";
    const Lines questions{"setoption name QueryTime value 60000",
                          "position fen nim:3,4,5",
                          "query nimber",
                          "position fen kayles:5,7",
                          "query nimber",
                          "query outcome",
                          "position fen grundy:8,9",
                          "query nimber",
                          "position fen wythoff:(3,6)",
                          "query nimber",
                          kMisereQuestion,
                          "query outcome"};
    const Lines expected = answers_to(questions);
    ASSERT_THAT(expected, ::testing::Not(::testing::Contains("response unknown")));
    for (const std::string& position : hard_positions()) {
        SCOPED_TRACE(position.substr(0, 80));
        Lines lines{"setoption name Hash value 1", "setoption name QueryTime value 10",
                    "position fen " + position, "query outcome", "go movetime 1"};
        EXPECT_EQ(answers_to(lines).size(), 2u);
        EXPECT_EQ(Memory::limit(), std::size_t{1} << 20);
        EXPECT_LE(Memory::used(), Memory::limit());
    }
    EXPECT_EQ(answers_to(questions), expected);
}

}  // namespace engine::test::time_and_memory_test
