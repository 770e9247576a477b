#include "arena/check/check_positions.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace arena {
namespace {

using protocol::Result;

// All positions and moves here are the arena's own: an error is a defect of this program.
template <typename T>
T value_of(Result<T> result) {
    if (!result) throw std::logic_error(describe(result.error()));
    return *std::move(result);
}

std::string line_of(std::string_view fen, const std::vector<std::string>& moves) {
    return fmt::format("position fen {}{}{}", fen, moves.empty() ? "" : " moves ",
                       fmt::join(moves, " "));
}

std::size_t below(std::mt19937_64& random, std::size_t limit) {
    return static_cast<std::size_t>(engine::uniform_below(random, limit));
}

// "7,12,3": each heap `least`..`most`.
std::string draw_heaps(std::mt19937_64& random, std::size_t count, std::size_t least,
                       std::size_t most) {
    std::string heaps;
    for (std::size_t i = 0; i < count; ++i) {
        if (i > 0) heaps += ',';
        heaps += std::to_string(least + below(random, most - least + 1));
    }
    return heaps;
}

// Adds positions that begin with `prefix` and have one to four more heaps, half of them in the
// middle of a game.
void draw(PositionKind& kind, std::string_view prefix, std::string_view suffix,
          std::size_t number, const PositionMaker& maker, std::mt19937_64& random) {
    for (std::size_t i = 0; i < number; ++i) {
        const std::string fen =
            fmt::format("{}{}{}", prefix, draw_heaps(random, 1 + i % 4, 5, 20), suffix);
        const std::size_t plies = i % 2 == 0 ? 0 : 1 + below(random, 5);
        kind.positions.push_back(maker.make_after_random_play(fen, plies, random));
    }
}

PositionKind kind_of(std::string name, const std::vector<std::string>& fens,
                     const PositionMaker& maker) {
    PositionKind kind{std::move(name), {}};
    for (const std::string& fen : fens) kind.positions.push_back(maker.make(fen));
    return kind;
}

}  // namespace

TestPosition PositionMaker::make(std::string_view fen,
                                 const std::vector<std::string>& moves) const {
    const engine::Game first = value_of(engine::read_game(fen));
    engine::Game game = first;
    for (const std::string& move : moves) game.play(value_of(game.read_move(move)));
    if (!history_) return {line_of(to_string(game.position()), {}), std::move(game)};
    if (moves.empty()) return {line_of(fen, moves), std::move(game)};
    return {line_of(fen, moves), std::move(game), first};
}

TestPosition PositionMaker::make_after_random_play(std::string_view fen, std::size_t plies,
                                                   std::mt19937_64& random) const {
    engine::Game game = value_of(engine::read_game(fen));
    std::vector<std::string> moves;
    while (moves.size() < plies && game.has_move()) {
        engine::Game next = game;
        const protocol::Move move = next.random_move(random);
        next.play(move);
        if (!next.has_move()) break;
        moves.push_back(to_string(move));
        game = std::move(next);
    }
    return make(fen, moves);
}

TestPosition PositionMaker::make_after_long_play(std::string_view ruleset, std::size_t plies,
                                                 bool first_heap) const {
    std::vector<std::string> moves;
    for (std::size_t left = plies; left-- > 0;) {
        moves.push_back(fmt::format("{}={}", first_heap ? 1 : 2, left));
    }
    const std::string heaps =
        first_heap ? fmt::format("{},1", plies) : fmt::format("1,{}", plies);
    return make(fmt::format("{}:{}", ruleset, heaps), moves);
}

std::vector<PositionKind> nim_kinds(const PositionMaker& maker, std::mt19937_64& random) {
    std::vector<PositionKind> kinds{
        kind_of("nim", {"nim:1", "nim:3,4,5", "nim:0,3", "nim:5,0,0,2", "nim:7,7"}, maker),
        kind_of("nim misere", {"nim:1 misere", "nim:1,0,1 misere", "nim:2,1 misere"}, maker),
        kind_of("sums of nim", {"nim:3+nim:4,5", "nim:0+nim:0,2+nim:1,1 misere"}, maker)};
    draw(kinds[0], "nim:", "", 12, maker, random);
    draw(kinds[1], "nim:", " misere", 6, maker, random);
    draw(kinds[2], "nim:2,6+nim:", "", 4, maker, random);
    return kinds;
}

std::vector<PositionKind> take_kinds(const PositionMaker& maker, std::mt19937_64& random) {
    std::vector<PositionKind> kinds;
    // Each set with heaps near its numbers: some of them have no move.
    const std::pair<const char*, const char*> sets[] = {
        {"take{1,3,4}", "0,2,1"}, {"take{2,5}", "1,4,0"},   {"take{3-5}", "2,3,6"},
        {"take{4-}", "3,4,9"},    {"take{!2}", "2,1,3"},    {"take{!1,3-4}", "1,4,2,7"},
        {"take{1,7-9}", "6,7,8"}, {"take{2-3,8-}", "1,9,2"}};
    for (const auto& [set, heaps] : sets) {
        PositionKind kind = kind_of(set, {fmt::format("{}:{}", set, heaps)}, maker);
        draw(kind, fmt::format("{}:", set), "", 4, maker, random);
        kinds.push_back(std::move(kind));
    }
    PositionKind misere = kind_of("take{1,3,4} misere", {"take{1,3,4}:1,0 misere"}, maker);
    draw(misere, "take{1,3,4}:", " misere", 4, maker, random);
    kinds.push_back(std::move(misere));
    return kinds;
}

std::vector<PositionKind> mixed_kinds(const PositionMaker& maker, std::mt19937_64& random) {
    PositionKind kind = kind_of("sums of nim and take{…}",
                                {"nim:2+take{1,3,4}:2", "take{2,5}:1,6+nim:0,1 misere"}, maker);
    draw(kind, "nim:1,4+take{1,3,4}:", "", 4, maker, random);
    draw(kind, "take{2,5}:6,9+take{!2}:3+nim:", " misere", 4, maker, random);
    return {std::move(kind)};
}

std::vector<PositionKind> other_kinds(const PositionMaker& maker, std::mt19937_64& random) {
    std::vector<PositionKind> kinds;
    for (const char* ruleset : {"kayles", "dawson-kayles", "dawson-chess", "treblecross",
                                "officers", "octal{4.37}", "hex{0.8F}", "lasker", "grundy"}) {
        PositionKind kind = kind_of(ruleset, {fmt::format("{}:0,1,7", ruleset)}, maker);
        draw(kind, fmt::format("{}:", ruleset), "", 2, maker, random);
        draw(kind, fmt::format("{}:", ruleset), " misere", 1, maker, random);
        kinds.push_back(std::move(kind));
    }
    const std::pair<const char*, std::vector<std::string>> others[] = {
        {"wythoff", {"wythoff:(3,5)", "wythoff:(0,0),(4,4)", "wythoff:(1,2),(0,7) misere"}},
        {"cookie", {"cookie:(1,2,4)", "cookie:3,(2,2),(0,0,1)", "cookie:(1,1,5,5) misere"}},
        {"graph{…} without cycles",
         {"graph{a->b,c;b->c}:a", "graph{0->007,7;007->7}:7,007,0",
          "graph{a->b,c;b->c;d}:d,b misere"}},
        {"graph{…} with cycles",
         {"graph{a->b;b->a,c}:a", "graph{a->a,b;b->c}:b,a",
          "graph{r1->r2;r2->r3;r3->r1,out}:r2"}},
        {"sums of many rulesets",
         {"kayles:5+wythoff:(2,3)+nim:4", "graph{a->b;b->a,c}:a+grundy:9+cookie:(2,3)",
          "octal{0.6}:8+take{1,3,4}:6+lasker:3 misere"}}};
    for (const auto& [name, fens] : others) kinds.push_back(kind_of(name, fens, maker));
    return kinds;
}

std::vector<TestPosition> positions_of_many_moves(const PositionMaker& maker,
                                                  std::string_view ruleset) {
    // The heaps of a match's default, and then many small ones: a line of moves such as "205=1"
    // is rarely cut so that its last word is a move, too.
    std::vector<TestPosition> positions{maker.make(fmt::format("{}:15,10,17", ruleset))};
    for (const std::size_t heaps : {30, 300, 5000}) {
        std::string fen = fmt::format("{}:2", ruleset);
        for (std::size_t i = 1; i < heaps; ++i) fen += ",2";
        positions.push_back(maker.make(fen));
    }
    return positions;
}

std::vector<PositionKind> huge_kinds(const PositionMaker& maker) {
    return {kind_of("numbers up to 2^63-1",
                    {"nim:5000000000", "nim:9223372036854775807,9223372036854775806"}, maker)};
}

}  // namespace arena
