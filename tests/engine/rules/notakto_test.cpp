#include "tests/agreement/play_back_oracle.hpp"
#include "tests/engine/follower_listing.hpp"

namespace engine::test::notakto_test {

// Bit 3*row+column of `taken` says that the cell has an x.
std::string board_of(unsigned taken) {
    std::string text;
    for (unsigned cell = 0; cell < 9; ++cell) {
        if (cell > 0 && cell % 3 == 0) text += '_';
        text += (taken >> cell & 1) != 0 ? 'x' : 'o';
    }
    return text;
}

bool has_line(unsigned taken) {
    for (const unsigned line : {0007u, 0070u, 0700u, 0111u, 0222u, 0444u, 0421u, 0124u}) {
        if ((taken & line) == line) return true;
    }
    return false;
}

Followers moves_of(unsigned taken) {
    Followers moves;
    for (unsigned cell = 0; cell < 9 && !has_line(taken); ++cell) {
        if ((taken >> cell & 1) != 0) continue;
        moves.insert({vertex(board_of(taken | 1U << cell))});
    }
    return moves;
}

Outcome outcome_of(const std::string& text) {
    return make_analyst()->outcome(game_of("notakto:" + text), {});
}

TEST(Notakto, WritesXUntilALineIsFull) {
    std::vector<Heap> boards;
    std::map<Heap, unsigned> taken_of;
    for (unsigned taken = 0; taken < 512; ++taken) {
        boards.push_back(vertex(board_of(taken)));
        taken_of[boards.back()] = taken;
    }
    const auto moves = [&](const Heap& board) { return moves_of(taken_of.at(board)); };
    expect_by_the_book("notakto", boards, moves, results_of(boards));
}

TEST(Notakto, RefusesWhatIsNoBoardOfThreeByThree) {
    expect_refused_heaps("notakto",
                         {"ooo", "oo_oo", "ooo_ooo", "ooo_ooo_ooo_ooo", "ooo_ooo_oo_",
                          "ooo_ooo_ooa", "5", "ooooooooooo"},
                         "a board such as oxo_ooo_ooo: three rows of three cells, o (free) or "
                         "x (taken)",
                         vertex);
    EXPECT_EQ(read_game("notakto:3").error().column, 9U);
    const Game game = game_of("notakto:xxo_ooo_ooo,ooo_ooo_ooo");
    EXPECT_EQ(to_string(*game.read_move("1=xxx_ooo_ooo")), "1=xxx_ooo_ooo");
    EXPECT_FALSE(game.read_move("1=xxo_ooo_ooo"));
    EXPECT_FALSE(game.read_move("1=x"));
    EXPECT_FALSE(after(game, *game.read_move("1=xxx_ooo_ooo")).read_move("1=xxx_xoo_ooo"));
}

unsigned turned(unsigned taken) {
    unsigned image = 0;
    for (unsigned cell = 0; cell < 9; ++cell) {
        if ((taken >> cell & 1) != 0) image |= 1U << (cell % 3 * 3 + 2 - cell / 3);
    }
    return image;
}

unsigned mirrored(unsigned taken) {
    return (taken & 0111) << 2 | (taken & 0222) | (taken & 0444) >> 2;
}

TEST(Notakto, TellsNoSymmetricBoardsApart) {
    const auto notakto = ruleset_of("notakto");
    const auto reduced = [&](unsigned taken) {
        return *notakto->reduced(vertex(board_of(taken)), Convention::Misere);
    };
    std::set<std::vector<Heap>> boards;
    std::set<unsigned> orbits;
    for (unsigned taken = 0; taken < 512; ++taken) {
        const auto board = reduced(taken);
        EXPECT_EQ(board.empty(), has_line(taken)) << taken;
        if (board.empty()) continue;
        EXPECT_EQ(board, reduced(turned(taken)));
        EXPECT_EQ(board, reduced(mirrored(taken)));
        boards.insert(board);
        unsigned least = taken, image = taken;
        for (int i = 0; i < 8; ++i) {
            image = i == 3 ? mirrored(turned(image)) : turned(image);
            least = std::min(least, image);
        }
        orbits.insert(least);
    }
    EXPECT_EQ(boards.size(), orbits.size());
}

// Plambeck and Whitehead, "The secrets of Notakto: winning at X-only tic-tac-toe", 2013: who
// completes the last line loses. One board is won, by the centre alone; two are lost.
TEST(Notakto, HasThePublishedOutcomes) {
    const std::string board = "ooo_ooo_ooo";
    EXPECT_EQ(outcome_of(board + " misere"), Outcome::N);
    EXPECT_EQ(texts_of(make_analyst()
                           ->best_moves(game_of("notakto:" + board + " misere"), 100, {})
                           ->moves),
              std::vector<std::string>({"1=ooo_oxo_ooo"}));
    EXPECT_EQ(outcome_of(board + "," + board + " misere"), Outcome::P);
    EXPECT_EQ(outcome_of(board + "," + board + "," + board + " misere"), Outcome::N);
}

TEST(Notakto, AgreesWithPlayUnderMisere) {
    std::mt19937_64 random(1);
    PlayBackOracle oracle(200000);
    for (int i = 0; i < 60; ++i) {
        const unsigned first = random() % 512, second = random() % 512;
        const std::string text = board_of(first) + "," + board_of(second) + " misere";
        EXPECT_EQ(outcome_of(text), oracle.outcome(game_of("notakto:" + text))) << text;
    }
}

}  // namespace engine::test::notakto_test
