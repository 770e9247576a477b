// A suite is read by a table of keys, and drawn by trial: a candidate is drawn from the mix,
// the solver judges whether it has the wanted outcome and number of winning moves, and the next
// one is drawn until one fits. Building positions to order instead would need theory for each
// ruleset, and would not be uniform. all_heaps() lists what a ruleset can draw, for exhaustive
// tests of bots.
#include "arena/game/suite.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <random>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "arena/base/bad_input.hpp"
#include "engine/rules/game.hpp"
#include "engine/rules/graph.hpp"
#include "protocol/suggest.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using engine::Outcome;
using protocol::Error;
using protocol::Heap;
using protocol::Position;
using protocol::Result;
using protocol::suggestion;

// ---- reading ----

constexpr std::uint64_t kMaxHeaps = 1000;
constexpr std::uint64_t kMaxWinning = 1'000'000;

// A piece of the text, and where it begins.
struct Piece {
    std::string_view text;
    std::size_t column = 1;
};

Piece trimmed(Piece piece) {
    const auto begin = std::min(piece.text.find_first_not_of(" \t"), piece.text.size());
    return {protocol::trim(piece.text), piece.column + begin};
}

// Splits at `separator`, but not within braces.
std::vector<Piece> split(const Piece& whole, char separator) {
    std::vector<Piece> pieces;
    std::size_t begin = 0;
    int depth = 0;
    for (std::size_t i = 0; i <= whole.text.size(); ++i) {
        const char c = i < whole.text.size() ? whole.text[i] : separator;
        if (c == '{') ++depth;
        if (c == '}') --depth;
        if (i < whole.text.size() && (c != separator || depth > 0)) continue;
        pieces.push_back(trimmed({whole.text.substr(begin, i - begin), whole.column + begin}));
        begin = i + 1;
    }
    return pieces;
}

Result<void> read_range(const Piece& piece, std::uint64_t least, std::uint64_t most,
                        Range& range) {
    const auto dots = piece.text.find("..");
    const auto low = protocol::parse_number(piece.text.substr(0, dots));
    const auto high =
        dots == piece.text.npos ? low : protocol::parse_number(piece.text.substr(dots + 2));
    if (!low || !high || *low > *high || *low < least || *high > most) {
        return bad_input_at(piece.column,
                            "read {}, expected a number or a range such as 2..5 within "
                            "{}..{}",
                            protocol::quoted(piece.text), least, most);
    }
    range = {*low, *high};
    return {};
}

Result<void> read_heaps(Suite& suite, const Piece& value) {
    return read_range(value, 1, kMaxHeaps, suite.heaps);
}

Result<void> read_size(Suite& suite, const Piece& value) {
    struct Word {
        std::string_view name;
        Range heaps;
        Range size;
    };
    constexpr std::array<Word, 3> kWords{{
        {"small", {1, 3}, {1, 9}},
        {"medium", {2, 4}, {5, 25}},
        {"large", {4, 8}, {20, 120}},
    }};
    for (const Word& word : kWords) {
        if (word.name != value.text) continue;
        suite.heaps = word.heaps;
        suite.size = word.size;
        return {};
    }
    if (read_range(value, 0, protocol::kMaxNumber, suite.size)) return {};
    return bad_input_at(value.column,
                        "read {}, expected small, medium, large or a range of sizes such as "
                        "5..20",
                        protocol::quoted(value.text));
}

Result<void> read_n(Suite& suite, const Piece& value) {
    suite.n.reset();
    if (value.text == "any") return {};
    if (value.text.ends_with('%')) {
        const auto share = protocol::parse_number(value.text.substr(0, value.text.size() - 1));
        if (share && *share <= 100) {
            suite.n = static_cast<unsigned>(*share);
            return {};
        }
    }
    return bad_input_at(value.column, "read {}, expected a share from 0% to 100%, or any",
                        protocol::quoted(value.text));
}

Result<void> read_winning(Suite& suite, const Piece& value) {
    return read_range(value, 1, kMaxWinning, suite.winning.emplace());
}

constexpr std::array<std::pair<std::string_view, Suite::Misere>, 3> kMisereWords{{
    {"off", Suite::Misere::Off},
    {"on", Suite::Misere::On},
    {"mixed", Suite::Misere::Mixed},
}};

Result<void> read_misere(Suite& suite, const Piece& value) {
    for (const auto& [word, misere] : kMisereWords) {
        if (word != value.text) continue;
        suite.misere = misere;
        return {};
    }
    return bad_input_at(value.column, "read {}, expected off, on or mixed",
                        protocol::quoted(value.text));
}

struct Key {
    std::string_view name;
    Result<void> (*read)(Suite& suite, const Piece& value);
};
// In the order in which they are read: heaps= overrides the count of size=large.
constexpr std::array kKeys{Key{"size", read_size}, Key{"heaps", read_heaps}, Key{"n", read_n},
                           Key{"winning", read_winning}, Key{"misere", read_misere}};

Result<Suite::Sum> read_sum(const Piece& piece, const engine::RulesetNames& names) {
    Suite::Sum sum;
    for (const Piece& part : split(piece, '+')) {
        const auto refuse = [&](const Error& error, std::size_t column) {
            return bad_input_at(part.column + std::max<std::size_t>(column, 1) - 1, "{}",
                                error.text);
        };
        const auto given = protocol::parse_ruleset_text(part.text);
        if (!given) return refuse(given.error(), given.error().column);
        auto text = names.expand(*given);
        auto ruleset = engine::find_ruleset(text);
        // After a user-defined name, errors can only name the column of the name itself.
        if (!ruleset)
            return refuse(ruleset.error(), text == *given ? ruleset.error().column : 1);
        sum.push_back({std::move(text), *std::move(ruleset)});
    }
    return sum;
}

Result<void> read_mix(Suite& suite, const Piece& piece, const engine::RulesetNames& names) {
    for (const Piece& each : split(piece, ',')) {
        auto sum = read_sum(each, names);
        if (!sum) return sum.error();
        suite.mix.push_back(*std::move(sum));
    }
    return {};
}

// `piece` is "key=value".
Result<std::size_t> find_key(const Piece& piece) {
    const std::string_view name = protocol::trim(piece.text.substr(0, piece.text.find('=')));
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < kKeys.size(); ++i) {
        if (kKeys[i].name == name) return i;
        names.push_back(kKeys[i].name);
    }
    return bad_input_at(piece.column, "read {}, expected one of {}, with =VALUE after it{}",
                        protocol::quoted(name), fmt::join(names, ", "),
                        suggestion(name, names));
}

Result<void> read_keys(Suite& suite, std::span<const Piece> pieces) {
    std::array<std::optional<Piece>, kKeys.size()> values;
    for (const Piece& piece : pieces) {
        const auto key = find_key(piece);
        if (!key) return key.error();
        if (values[*key]) {
            return bad_input_at(piece.column, "read {} a second time",
                                protocol::quoted(kKeys[*key].name));
        }
        const auto equals = std::min(piece.text.find('='), piece.text.size() - 1);
        values[*key] = trimmed({piece.text.substr(equals + 1), piece.column + equals + 1});
    }
    for (std::size_t i = 0; i < kKeys.size(); ++i) {
        if (!values[i]) continue;
        if (auto read = kKeys[i].read(suite, *values[i]); !read) return read;
    }
    return {};
}

// ---- drawing ----

constexpr int kMaxDraws = 10'000;
constexpr int kMaxUnsolved = 10;
constexpr auto kTimeToSolve = std::chrono::seconds(1);

std::uint64_t draw_from(const Range& range, std::mt19937_64& random) {
    return range.least + engine::uniform_below(random, range.most - range.least + 1);
}

Heap draw_tuple(std::size_t entries, const Range& size, std::mt19937_64& random) {
    protocol::Tuple tuple;
    for (std::size_t i = 0; i < entries; ++i) tuple.entries.push_back(draw_from(size, random));
    return tuple;
}

Heap vertex(const engine::Digraph& graph, std::uint64_t number) {
    const auto index = static_cast<engine::Digraph::Index>(number);
    return protocol::Vertex{std::string(graph.name(index))};
}

// Of tuples of any length 2 to 5 entries are drawn.
constexpr std::size_t kLeastEntries = 2, kMostEntries = 5;

engine::HeapForm form_of(const Suite::Part& part) {
    const engine::RulesetGuide* const guide = engine::find_guide(part.text.name());
    return guide != nullptr ? guide->form : engine::HeapForm::Plain;
}

// Of the entries of such a tuple: those of `welter` differ, so that there must be enough.
Range size_of_entries(const Suite::Part& part, Range size) {
    if (part.text.name() != "welter") return size;
    const std::uint64_t most = std::max<std::uint64_t>(size.most, kMostEntries - 1);
    return {std::min(size.least, most + 1 - kMostEntries), most};
}

Heap draw_any_length(const Suite::Part& part, const Range& size, std::mt19937_64& random) {
    const std::size_t entries =
        kLeastEntries + engine::uniform_below(random, kMostEntries - kLeastEntries + 1);
    Heap heap = draw_tuple(entries, size_of_entries(part, size), random);
    if (part.text.name() == "chomp") {
        std::ranges::sort(std::get<protocol::Tuple>(heap).entries, std::greater<>());
    }
    return heap;
}

constexpr std::uint64_t kMostCells = 64, kMostColumns = 8;  // of a board

// The only size of board that a ruleset takes, if it takes just one: rows and columns.
std::optional<std::pair<std::uint64_t, std::uint64_t>> fixed_sides(const Suite::Part& part) {
    if (part.text.name() == "notakto") return std::pair{3, 3};
    return std::nullopt;
}

// The rows with '_' between them; a taken cell is an x.
template <typename IsTaken>
Heap board_of(std::uint64_t rows, std::uint64_t columns, const IsTaken& is_taken) {
    protocol::Vertex board;
    for (std::uint64_t cell = 0; cell < rows * columns; ++cell) {
        if (cell > 0 && cell % columns == 0) board.name += '_';
        board.name += is_taken(cell) ? 'x' : 'o';
    }
    return board;
}

// A board with about as many cells as `size` says, most of them free.
Heap draw_board(const Suite::Part& part, const Range& size, std::mt19937_64& random) {
    const auto fixed = fixed_sides(part);
    const std::uint64_t cells = std::min(draw_from(size, random), kMostCells);
    const std::uint64_t drawn =
        1 + engine::uniform_below(random, std::clamp<std::uint64_t>(cells, 1, kMostColumns));
    const std::uint64_t columns = fixed ? fixed->second : drawn;
    const std::uint64_t rows =
        fixed ? fixed->first : std::max(cells / columns, std::uint64_t{1});
    return board_of(rows, columns, [&](auto) { return engine::uniform_below(random, 8) == 0; });
}

// How many entries a tuple of the ruleset has; 0: its heaps are numbers.
std::size_t entries_of(const engine::Ruleset& ruleset) {
    constexpr std::size_t kMaxEntries = 16;
    if (ruleset.check_heap(protocol::Number{1})) return 0;
    for (std::size_t entries = 2; entries <= kMaxEntries; ++entries) {
        const protocol::Tuple ones{std::vector<protocol::Number>(entries, 1)};
        if (ruleset.check_heap(ones)) return entries;
    }
    return 0;
}

// ---- listing ----

// `count` to this power, where that is at most `limit`; else more.
std::uint64_t bounded_power(std::uint64_t count, std::size_t exponent, std::uint64_t limit) {
    std::uint64_t power = 1;
    for (std::size_t i = 0; i < exponent; ++i) {
        if (count > 0 && power > limit / count) return limit + 1;
        power *= count;
    }
    return power;
}

std::uint64_t length_of(const Range& range) { return range.most - range.least + 1; }

// Returns false if there are too many.
bool list_tuples(std::size_t entries, const Range& size, std::size_t limit,
                 std::vector<Heap>& heaps) {
    if (bounded_power(length_of(size), entries, limit) > limit - heaps.size()) return false;
    protocol::Tuple tuple{std::vector<protocol::Number>(entries, size.least)};
    for (;;) {
        heaps.emplace_back(tuple);
        std::size_t place = entries;
        while (place > 0 && tuple.entries[place - 1] == size.most) {
            tuple.entries[--place] = size.least;
        }
        if (place == 0) return true;
        ++tuple.entries[place - 1];
    }
}

bool list_boards(std::uint64_t rows, std::uint64_t columns, std::size_t limit,
                 std::vector<Heap>& heaps) {
    const std::uint64_t cells = rows * columns;
    if (bounded_power(2, cells, limit) > limit - heaps.size()) return false;
    for (std::uint64_t taken = 0; taken < std::uint64_t{1} << cells; ++taken) {
        heaps.push_back(board_of(rows, columns,
                                 [&](std::uint64_t cell) { return (taken >> cell & 1) == 1; }));
    }
    return true;
}

bool list_all_boards(const Range& size, std::size_t limit, std::vector<Heap>& heaps) {
    std::set<std::pair<std::uint64_t, std::uint64_t>> sides;
    for (std::uint64_t cells = size.least; cells <= std::min(size.most, kMostCells); ++cells) {
        for (std::uint64_t columns = 1;
             columns <= std::clamp<std::uint64_t>(cells, 1, kMostColumns); ++columns) {
            sides.emplace(std::max(cells / columns, std::uint64_t{1}), columns);
        }
    }
    return std::ranges::all_of(sides, [&](const auto& side) {
        return list_boards(side.first, side.second, limit, heaps);
    });
}

bool list_vertices(const engine::Digraph& graph, std::size_t limit, std::vector<Heap>& heaps) {
    if (graph.vertex_count() > limit) return false;
    for (std::size_t i = 0; i < graph.vertex_count(); ++i) heaps.push_back(vertex(graph, i));
    return true;
}

bool list_numbers(const Range& size, std::size_t limit, std::vector<Heap>& heaps) {
    if (length_of(size) > limit) return false;
    for (std::uint64_t i = 0; i < length_of(size); ++i) heaps.emplace_back(size.least + i);
    return true;
}

bool list_candidates(const Suite::Part& part, const Range& size, std::size_t limit,
                     std::vector<Heap>& heaps) {
    if (const auto digraph = engine::shape_as<engine::shape::Digraph>(*part.ruleset)) {
        return list_vertices(digraph->graph, limit, heaps);
    }
    if (form_of(part) == engine::HeapForm::Board) {
        const auto fixed = fixed_sides(part);
        return fixed ? list_boards(fixed->first, fixed->second, limit, heaps)
                     : list_all_boards(size, limit, heaps);
    }
    if (form_of(part) == engine::HeapForm::AnyLength) {
        const Range range = size_of_entries(part, size);
        for (std::size_t entries = kLeastEntries; entries <= kMostEntries; ++entries) {
            if (!list_tuples(entries, range, limit, heaps)) return false;
        }
        return true;
    }
    const std::size_t entries = entries_of(*part.ruleset);
    return entries > 0 ? list_tuples(entries, size, limit, heaps)
                       : list_numbers(size, limit, heaps);
}

protocol::Convention draw_convention(Suite::Misere misere, std::mt19937_64& random) {
    const bool on = misere == Suite::Misere::Mixed ? engine::uniform_below(random, 2) == 1
                                                   : misere == Suite::Misere::On;
    return on ? protocol::Convention::Misere : protocol::Convention::Normal;
}

Position draw_candidate(const Suite& suite, const Suite::Sum& sum,
                        protocol::Convention convention, std::mt19937_64& random) {
    Position position;
    position.convention = convention;
    for (const Suite::Part& part : sum) position.components.push_back({part.text, {}});
    const std::uint64_t heaps =
        std::max<std::uint64_t>(draw_from(suite.heaps, random), sum.size());
    for (std::uint64_t i = 0; i < heaps; ++i) {
        const auto part = static_cast<std::size_t>(
            i < sum.size() ? i : engine::uniform_below(random, sum.size()));
        position.components[part].heaps.push_back(draw_heap(sum[part], suite.size, random));
    }
    return position;
}

// Spread evenly: exactly `n` of every hundred consecutive positions are won.
std::optional<Outcome> wanted_outcome(const Suite& suite, std::uint64_t index) {
    if (!suite.n) return std::nullopt;
    const std::uint64_t place = (index - 1) % 100;
    const auto won_before = [&](std::uint64_t count) { return (count * *suite.n + 99) / 100; };
    return won_before(place + 1) > won_before(place) ? Outcome::N : Outcome::P;
}

enum class Fit { Yes, No, Unsolved };

// Evaluates `drawn` within a second; sets its outcome.
Fit judge(const Suite& suite, std::optional<Outcome> wanted, SuitePosition& drawn,
          const engine::Analyst& analyst, const engine::Budget& budget) {
    const auto game = engine::Game::start(drawn.position);
    if (!game || !game->has_move()) return Fit::No;
    drawn.outcome = analyst.outcome(*game, budget.at_most(kTimeToSolve));
    if (drawn.outcome == Outcome::Unknown) return Fit::Unsolved;
    if (wanted && drawn.outcome != *wanted) return Fit::No;
    if (!suite.winning || drawn.outcome != Outcome::N) return Fit::Yes;
    const auto winning =
        analyst.best_moves(*game, suite.winning->most, budget.at_most(kTimeToSolve));
    if (!winning) return Fit::Unsolved;
    return !winning->cut && winning->moves.size() >= suite.winning->least ? Fit::Yes : Fit::No;
}

Error none_found(const Suite& suite, std::optional<Outcome> wanted, int draws, int unsolved) {
    std::string sought =
        wanted ? fmt::format(" of outcome {}", *wanted == Outcome::N ? 'N' : 'P') : "";
    if (suite.winning && wanted != Outcome::P) {
        sought += fmt::format(" with {}..{} winning moves", suite.winning->least,
                              suite.winning->most);
    }
    return bad_input(
        "the suite {}: found no position{} in {} draws{}; ask for other sizes, or for less",
        protocol::quoted(suite.text), sought, draws,
        unsolved == 0 ? ""
                      : fmt::format(", {} of which could not be solved in time", unsolved));
}

}  // namespace

Heap draw_heap(const Suite::Part& part, const Range& size, std::mt19937_64& random) {
    if (const auto digraph = engine::shape_as<engine::shape::Digraph>(*part.ruleset)) {
        const auto drawn = engine::uniform_below(random, digraph->graph.vertex_count());
        return vertex(digraph->graph, drawn);
    }
    if (form_of(part) == engine::HeapForm::Board) return draw_board(part, size, random);
    if (form_of(part) == engine::HeapForm::AnyLength)
        return draw_any_length(part, size, random);
    const std::size_t entries = entries_of(*part.ruleset);
    if (entries > 0) return draw_tuple(entries, size, random);
    return draw_from(size, random);
}

std::optional<std::vector<Heap>> all_heaps(const Suite::Part& part, const Range& size,
                                           std::size_t limit) {
    std::vector<Heap> heaps;
    if (!list_candidates(part, size, limit, heaps)) return std::nullopt;
    std::erase_if(heaps, [&](const Heap& heap) { return !part.ruleset->check_heap(heap); });
    std::ranges::sort(heaps);
    heaps.erase(std::unique(heaps.begin(), heaps.end()), heaps.end());
    return heaps;
}

Result<Suite> parse_suite(std::string_view text, const engine::RulesetNames& names) {
    Suite suite;
    suite.text = std::string(text);
    const auto pieces = split({text, 1}, ';');
    if (pieces.front().text.empty()) {
        return bad_input_at(1, "read {}, expected rulesets first, such as nim,take{{1,3,4}}",
                            protocol::quoted(text));
    }
    if (auto read = read_mix(suite, pieces.front(), names); !read) return read.error();
    auto keys = std::span(pieces).subspan(1);
    if (!keys.empty() && keys.back().text.empty()) keys = keys.first(keys.size() - 1);
    if (auto read = read_keys(suite, keys); !read) return read.error();
    return suite;
}

std::string to_string(const Suite& suite) {
    const auto range = [](const Range& r) { return fmt::format("{}..{}", r.least, r.most); };
    std::string text;
    for (const Suite::Sum& sum : suite.mix) {
        if (!text.empty()) text += ',';
        for (std::size_t i = 0; i < sum.size(); ++i) {
            if (i > 0) text += '+';
            text += sum[i].text.text;
        }
    }
    text += fmt::format(";size={};heaps={};n={}", range(suite.size), range(suite.heaps),
                        suite.n ? fmt::format("{}%", *suite.n) : "any");
    if (suite.winning) text += ";winning=" + range(*suite.winning);
    for (const auto& [word, misere] : kMisereWords) {
        if (misere == suite.misere) text += fmt::format(";misere={}", word);
    }
    return text;
}

Result<SuitePosition> draw(const Suite& suite, std::uint64_t index, const Seeds& seeds,
                           const engine::Analyst& analyst, const engine::Budget& budget) {
    std::mt19937_64 random(seeds.of_position(index));
    const auto wanted = wanted_outcome(suite, index);
    const auto convention = draw_convention(suite.misere, random);
    // The sum is chosen before a fitting position is sought, so that sums with few fitting
    // positions come as often as others. Another sum is tried only if this one has none.
    const std::size_t first = engine::uniform_below(random, suite.mix.size());
    int unsolved = 0;
    int draws = 0;
    for (std::size_t i = 0; i < suite.mix.size(); ++i) {
        const Suite::Sum& sum = suite.mix[(first + i) % suite.mix.size()];
        const int most_unsolved = unsolved + kMaxUnsolved;
        for (int k = 0; k < kMaxDraws && unsolved < most_unsolved; ++k) {
            if (budget.is_spent()) return none_found(suite, wanted, draws, unsolved);
            ++draws;
            SuitePosition drawn{draw_candidate(suite, sum, convention, random),
                                Outcome::Unknown};
            const Fit fit = judge(suite, wanted, drawn, analyst, budget);
            if (fit == Fit::Yes) return drawn;
            if (fit == Fit::Unsolved) ++unsolved;
        }
    }
    return none_found(suite, wanted, draws, unsolved);
}

Result<void> try_to_draw(const Suite& suite, const Seeds& seeds,
                         const engine::Analyst& analyst) {
    std::vector<std::optional<Outcome>> tried;
    for (std::uint64_t index = 1; index <= 100; ++index) {
        const auto wanted = wanted_outcome(suite, index);
        if (std::ranges::find(tried, wanted) != tried.end()) continue;
        const auto drawn = draw(suite, index, seeds, analyst);
        if (!drawn) return drawn.error();
        tried.push_back(wanted);
    }
    return {};
}

}  // namespace arena
