#include "tests/agreement/play_back_oracle.hpp"
#include "tests/engine/follower_listing.hpp"

namespace engine::test::cram_test {

using protocol::Vertex;

// A board as rows of cells, played by the book: no symmetry, no paths.
using Rows = std::vector<std::string>;

Rows rows_of(const std::string& text) {
    Rows rows(1);
    for (const char c : text) c == '_' ? rows.emplace_back() : rows.back() += c, void();
    return rows;
}

std::string text_of(const Rows& rows) {
    std::string text;
    for (const std::string& row : rows) text += (text.empty() ? "" : "_") + row;
    return text;
}

void fill(Rows& rows, Rows& region, std::size_t r, std::size_t c) {
    if (r >= rows.size() || c >= rows[0].size() || rows[r][c] != 'o') return;
    rows[r][c] = 'x';
    region[r][c] = 'o';
    fill(rows, region, r + 1, c);
    fill(rows, region, r - 1, c);
    fill(rows, region, r, c + 1);
    fill(rows, region, r, c - 1);
}

Rows without_empty_lines(Rows rows) {
    std::erase_if(rows, [](const std::string& row) { return row.find('o') == row.npos; });
    Rows turned(rows[0].size());
    for (const std::string& row : rows) {
        for (std::size_t c = 0; c < row.size(); ++c) turned[c] += row[c];
    }
    std::erase_if(turned,
                  [](const std::string& column) { return column.find('o') == column.npos; });
    Rows cut(rows.size());
    for (const std::string& column : turned) {
        for (std::size_t r = 0; r < column.size(); ++r) cut[r] += column[r];
    }
    return cut;
}

// The regions of two cells or more, in the order of their first cells.
std::vector<Heap> regions(Rows rows) {
    std::vector<Heap> found;
    const Rows empty(rows.size(), std::string(rows[0].size(), 'x'));
    for (std::size_t r = 0; r < rows.size(); ++r) {
        for (std::size_t c = 0; c < rows[r].size(); ++c) {
            if (rows[r][c] != 'o') continue;
            Rows region = empty;
            fill(rows, region, r, c);
            const std::string text = text_of(without_empty_lines(region));
            if (std::ranges::count(text, 'o') > 1) found.push_back(vertex(text));
        }
    }
    if (found.empty()) found.push_back(vertex("x"));
    return found;
}

Followers moves_of(const std::string& text) {
    Followers moves;
    const Rows rows = rows_of(text);
    for (std::size_t r = 0; r < rows.size(); ++r) {
        for (std::size_t c = 0; c < rows[r].size(); ++c) {
            for (const auto& [down, right] : {std::pair{0, 1}, std::pair{1, 0}}) {
                Rows left = rows;
                const std::size_t r2 = r + static_cast<std::size_t>(down);
                const std::size_t c2 = c + static_cast<std::size_t>(right);
                if (r2 >= rows.size() || c2 >= rows[r].size()) continue;
                if (rows[r][c] != 'o' || rows[r2][c2] != 'o') continue;
                left[r][c] = left[r2][c2] = 'x';
                moves.insert(regions(left));
            }
        }
    }
    return moves;
}

std::string random_board(std::mt19937_64& random, std::size_t rows, std::size_t columns) {
    Rows board(rows, std::string(columns, 'o'));
    for (std::string& row : board) {
        for (char& cell : row) cell = random() % 4 == 0 ? 'x' : 'o';
    }
    return text_of(board);
}

std::string full_board(std::size_t rows, std::size_t columns) {
    return text_of(Rows(rows, std::string(columns, 'o')));
}

TEST(Cram, LaysDominoesOnFreeNeighbours) {
    std::vector<Heap> boards;
    for (std::size_t rows = 1; rows <= 4; ++rows) {
        for (std::size_t columns = rows; rows * columns <= 15; ++columns) {
            boards.push_back(vertex(full_board(rows, columns)));
        }
    }
    std::mt19937_64 random(1);
    for (int i = 0; i < 400; ++i) {
        boards.push_back(vertex(random_board(random, 1 + random() % 4, 1 + random() % 5)));
    }
    expect_by_the_book("cram", boards, [](const Heap& board) {
        return moves_of(std::get<Vertex>(board).name);
    });
}

TEST(Cram, WritesRegionsInTheOrderOfTheirFirstCells) {
    const auto texts = [](const std::string& position) {
        return texts_of(game_of(position).moves(100));
    };
    using Texts = std::vector<std::string>;
    EXPECT_EQ(texts("cram:oo"), Texts({"1=x"}));
    EXPECT_EQ(texts("cram:oxo_oxo"), Texts({"1=o_o"}));  // the rest is cut to its rectangle
    EXPECT_EQ(texts("cram:ooooooo"), Texts({"1=oo,ooo", "1=ooo,oo", "1=oooo", "1=ooooo"}));
    EXPECT_EQ(texts("cram:xoo_oox"), Texts({"1=oo", "1=x"}));
}

TEST(Cram, TakesRegionsInAnyOrder) {
    const Game game = game_of("cram:ooxo_ooxo_ooox");
    EXPECT_EQ(to_string(*game.read_move("1=oo_oo,o_o")), "1=oo_oo,o_o");
    EXPECT_EQ(to_string(*game.read_move("1=o_o,oo_oo")), "1=oo_oo,o_o");
    EXPECT_FALSE(game.read_move("1=o_o"));
}

TEST(Cram, RefusesWhatIsNoBoard) {
    const auto cram = ruleset_of("cram");
    expect_refused_heaps("cram", {"oo_o", "o__o", "_oo", "oo_", "abc", "5", "O"},
                         "a board such as ooo_oxo: rows of o (free) and x (taken), all of one "
                         "length, of 1024 cells at most",
                         vertex);
    EXPECT_TRUE(cram->check_heap(vertex(full_board(32, 32))));
    EXPECT_FALSE(cram->check_heap(vertex(full_board(32, 33))));
    EXPECT_EQ(read_game("cram:(1,2)").error().text,
              "read '(', expected a board such as ooo_oxo");
}

TEST(Cram, TellsNoSymmetricBoardsApart) {
    const auto cram = ruleset_of("cram");
    const auto reduced = [&](const char* text) {
        return *cram->reduced(vertex(text), Convention::Misere);
    };
    const auto board = reduced("ooo_oox");
    EXPECT_EQ(board.size(), 1U);
    for (const char* image :
         {"ooo_xoo", "oox_ooo", "xoo_ooo", "oo_oo_ox", "oo_oo_xo", "ox_oo_oo"}) {
        EXPECT_EQ(reduced(image), board) << image;
    }
    EXPECT_NE(reduced("ooo_oxo"), board);
    EXPECT_EQ(reduced("oxx_oxx_ooo"), reduced("ooooo"));  // a path, whatever its bends
    EXPECT_EQ(reduced("oxo_oxo_xxx_xxo"), std::vector<Heap>(2, vertex("oo")));
    EXPECT_TRUE(reduced("oxo_xox").empty());
}

std::uint64_t nimber_of(const std::string& board) {
    const Game game = game_of("cram:" + board);
    return std::get<std::uint64_t>(make_analyst()->nimber(game, {}).value());
}

// All boards of these sizes, and some of the largest.
TEST(Cram, LosesNothingBySymmetry) {
    const auto cram = ruleset_of("cram");
    Mex mex(*cram);
    std::size_t dropped = 0;
    for (const auto& [rows, columns] :
         {std::pair{4U, 4U}, std::pair{3U, 5U}, std::pair{2U, 6U}}) {
        const std::size_t step = rows * columns == 16 ? 7 : 1;
        for (std::size_t set = 0; set < std::size_t{1} << (rows * columns); set += step) {
            std::string board = full_board(rows, columns);
            std::size_t cell = 0;
            for (char& c : board) {
                if (c == 'o' && (set >> cell++ & 1) != 0) c = 'x';
            }
            const auto parts = *cram->reduced(vertex(board), Convention::Normal);
            ASSERT_EQ(mex.nimber(parts), mex.nimber(vertex(board))) << board;
            const auto all = *cram->reduced(vertex(board), Convention::Misere);
            dropped += all.size() - parts.size();
        }
    }
    EXPECT_GT(dropped, 1000U);
}

TEST(Cram, WinsLargeBoardsBySymmetry) {
    const auto cram = ruleset_of("cram");
    EXPECT_EQ(nimber_of(full_board(32, 32)), 0U);
    const Game odd = game_of("cram:" + full_board(30, 31));
    EXPECT_EQ(make_analyst()->outcome(odd, {}), Outcome::N);
    std::mt19937_64 random(1);
    const auto move = make_analyst()->choose(odd, {}, {}, random, {});
    ASSERT_TRUE(move);
    EXPECT_EQ(cram->reduced(move->result.front(), Convention::Normal), std::vector<Heap>{})
        << "the middle";
    EXPECT_EQ(make_analyst()->outcome(game_of("cram:ooo_oxo_ooo"), {}), Outcome::P)
        << "no middle cell";
    EXPECT_FALSE(cram->reduced(vertex(full_board(6, 6)), Convention::Misere)->empty())
        << "misere play has no such strategy";
}

// Lemoine and Viennot, "Nimbers are inevitable", 2012.
TEST(Cram, HasThePublishedNimbers) {
    const auto expect_row = [](std::size_t rows, const std::vector<std::uint64_t>& nimbers) {
        for (std::size_t i = 0; i < nimbers.size(); ++i) {
            EXPECT_EQ(nimber_of(full_board(rows, rows + i)), nimbers[i])
                << rows << "x" << rows + i;
        }
    };
    expect_row(1, {0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0, 5});  // octal 0.07
    expect_row(2, {0, 1, 0, 1, 0, 1, 0, 1});
    expect_row(3, {0, 1, 1, 4, 1});
    expect_row(4, {0, 2, 0});
    expect_row(5, {0});
}

// Too large for canonical forms in good time: a search.
TEST(Cram, IsSearchedUnderMisere) {
    const auto outcome = [](const std::string& text) {
        return make_analyst()->outcome(game_of(text + " misere"), {});
    };
    PlayBackOracle oracle(1000000);
    const std::string text = "cram:" + full_board(4, 4);
    EXPECT_EQ(outcome(text), oracle.outcome(game_of(text + " misere")));
    EXPECT_EQ(outcome(text + "+nim:1000000000000"), Outcome::N);
}

}  // namespace engine::test::cram_test
