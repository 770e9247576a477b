#include "engine/eval.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <ostream>
#include <set>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "engine/analysis/nimber_json.hpp"
#include "engine/command.hpp"
#include "engine/solver/misere/misere_solution.hpp"
#include "engine/solver/sum.hpp"
#include "protocol/text.hpp"

namespace engine {

using protocol::Ordinal;

namespace {

constexpr std::size_t kShownHeaps = 40;
constexpr std::size_t kShownMoves = 60;
constexpr std::size_t kJsonMoves = 10000;
constexpr std::size_t kShownPowers = 8;
constexpr std::size_t kMaxCell =
    30;  // characters of a heap, a ruleset or a nimber in the table
constexpr std::size_t kShownRefutations = 10;
constexpr std::size_t kJsonRefutations = 100;
constexpr Number kDefaultTime = 10'000;  // milliseconds

constexpr std::chrono::milliseconds kGenusTime{500};

constexpr std::array kOptions{
    CommandWords::Option{"--time", "a number of milliseconds"},
    CommandWords::Option{"--json"},
};

// A move that loses, and an answer that wins; none where a misere game is over, and won by that.
struct Refutation {
    Move move;
    std::optional<Move> answer;
};

// A position with all that is to be said about it.
struct Evaluation {
    const Game& game;
    Sum sum;  // nimbers heap by heap
    std::shared_ptr<const Solution> solution;
    std::optional<MoveList> moves;        // the best
    std::optional<Count> move_count;      // how many; saturates
    std::optional<Move> best_move;        // known though not all may be; it leads to an end
    std::vector<Refutation> refutations;  // where every move loses: of the first ones
    Budget genus_budget;                  // for all heaps together
};

std::vector<Refutation> find_refutations(const Game& game, std::size_t limit,
                                         const Budget& budget) {
    std::vector<Refutation> found;
    std::mt19937_64 random(0);
    for (const Move& move : game.moves(limit)) {
        if (budget.is_spent()) break;
        Game next = game;
        next.play(move);
        auto answer = solve(next, budget, Aim::Winner)->best_move(Choice::First, random);
        if (answer || !next.has_move()) found.push_back({move, std::move(answer)});
    }
    return found;
}

Evaluation evaluate(const Game& game, std::size_t limit, std::size_t refuted,
                    const Budget& all) {
    const Budget budget = all.at_most(all.left() * 4 / 5);  // the rest is for refutations
    const bool misere = game.position().convention == protocol::Convention::Misere;
    // Who wins may be known though not all nimbers are; under misere play the way is the same.
    std::shared_ptr<const Solution> winner =
        solve(game, misere ? budget : budget.at_most(budget.left() / 2), Aim::Winner);
    Evaluation result{game, Sum(game, budget), winner, {}, {}, {}, {}, {}};
    if (!misere) result.solution = solve(game, budget, Aim::Values);
    if (result.solution->outcome() == Outcome::Unknown) result.solution = winner;
    result.moves = result.solution->best_moves(limit);
    if (result.moves) {
        result.move_count = result.moves->cut ? result.solution->best_move_count()
                                              : Count{result.moves->moves.size()};
    }
    std::mt19937_64 random(0);
    result.best_move = result.solution->best_move(Choice::First, random);
    if (result.solution->outcome() == Outcome::P) {
        result.refutations = find_refutations(game, refuted, all);
    }
    result.genus_budget = all.at_most(kGenusTime);
    return result;
}

// ---- for a person ----

// Coefficient of w^exponent.
std::uint64_t coefficient(const Nimber& nimber, Number exponent) {
    if (const auto* number = std::get_if<std::uint64_t>(&nimber)) {
        return exponent == 0 ? *number : 0;
    }
    const auto* ordinal = std::get_if<Ordinal>(&nimber);
    if (ordinal == nullptr) return 0;
    for (const Ordinal::Term& term : ordinal->terms) {
        if (term.exponent == exponent) return term.coefficient;
    }
    return 0;
}

// One column of binary digits for each power of w that occurs.
struct BinaryColumn {
    Number exponent = 0;
    int digits = 1;
    int width = 1;  // with room for the name of the power above
};

std::string power_name(Number exponent) {
    if (exponent == 0) return "1";
    return exponent == 1 ? "w" : "w^" + std::to_string(exponent);
}

std::vector<BinaryColumn> binary_columns(const Sum& sum) {
    std::set<Number, std::greater<>> exponents{0};
    for (const auto& nimber : sum.nimbers()) {
        if (!nimber) continue;
        const auto* ordinal = std::get_if<Ordinal>(&*nimber);
        if (ordinal == nullptr) continue;
        for (const Ordinal::Term& term : ordinal->terms) exponents.insert(term.exponent);
        if (exponents.size() > kShownPowers) return {};
    }
    std::vector<BinaryColumn> columns;
    for (const Number exponent : exponents) {
        std::uint64_t bits = 1;
        for (const auto& nimber : sum.nimbers()) {
            if (nimber) bits |= coefficient(*nimber, exponent);
        }
        const auto digits = static_cast<int>(std::bit_width(bits));
        const auto name = static_cast<int>(power_name(exponent).size());
        columns.push_back({exponent, digits, std::max(digits, name)});
    }
    return columns;
}

std::string binary_header(const std::vector<BinaryColumn>& columns) {
    if (columns.empty()) return "";
    if (columns.size() == 1) return "binary";
    std::string text;
    for (const BinaryColumn& column : columns) {
        text += fmt::format("{:>{}}  ", power_name(column.exponent), column.width);
    }
    return text;
}

std::string in_binary(const Nimber& nimber, const std::vector<BinaryColumn>& columns) {
    std::string text;
    if (is_loopy(nimber)) return text;
    for (const BinaryColumn& column : columns) {
        const auto digits =
            fmt::format("{:0{}b}", coefficient(nimber, column.exponent), column.digits);
        text += fmt::format("{:>{}}  ", digits, column.width);
    }
    return text;
}

std::string cell(const std::string& text) { return protocol::printable(text, kMaxCell); }

struct Row {
    std::string heap, ruleset, size, nimber, binary;
};

// Under misere play, where nimbers do not tell all.
const misere::MisereSolution* misere_of(const Evaluation& evaluation) {
    if (evaluation.sum.is_known()) return nullptr;
    return dynamic_cast<const misere::MisereSolution*>(evaluation.solution.get());
}

std::optional<std::string> genus_of(const Evaluation& evaluation, std::size_t heap) {
    const auto* misere = misere_of(evaluation);
    return misere != nullptr ? misere->genus(heap, evaluation.genus_budget) : std::nullopt;
}

// Who wins the heap alone, where nimbers do not tell.
Outcome outcome_of_heap(const Evaluation& evaluation, std::size_t heap) {
    const auto* misere = misere_of(evaluation);
    return misere != nullptr ? misere->heap_outcome(heap) : Outcome::Unknown;
}

// Says a row what its heap is worth?
enum class Worth { Nimber, Genus, None };

Worth worth_of_heaps(const Evaluation& evaluation) {
    if (misere_of(evaluation) != nullptr) return Worth::Genus;
    return evaluation.sum.is_solvable() ? Worth::Nimber : Worth::None;
}

std::vector<Row> table_rows(const Evaluation& evaluation) {
    const auto columns = binary_columns(evaluation.sum);
    const Worth worth = worth_of_heaps(evaluation);
    std::vector<Row> rows{{"heap", "ruleset", "size", "", ""}};
    if (worth == Worth::Genus) {
        rows.front().nimber = "genus";
        rows.front().binary = "alone";
    } else if (worth == Worth::Nimber) {
        rows.front().nimber = "nimber";
        rows.front().binary = binary_header(columns);
    }
    std::size_t number = 0;
    for (const auto& component : evaluation.game.position().components) {
        for (const Heap& heap : component.heaps) {
            const auto& nimber = evaluation.sum.nimbers()[number];
            if (++number > kShownHeaps) continue;
            Row row{std::to_string(number), cell(component.ruleset.text), cell(to_string(heap)),
                    "", ""};
            if (worth == Worth::Genus) {
                row.nimber = cell(genus_of(evaluation, number - 1).value_or("unknown"));
                row.binary = to_string(outcome_of_heap(evaluation, number - 1));
            } else if (worth == Worth::Nimber) {
                row.nimber = cell(nimber ? to_string(*nimber) : "unknown");
                if (nimber) row.binary = in_binary(*nimber, columns);
            }
            rows.push_back(std::move(row));
        }
    }
    if (number > kShownHeaps) {
        rows.push_back({"…", fmt::format("{} more", number - kShownHeaps), "", "", ""});
    }
    if (evaluation.sum.is_known()) {
        const Nimber& total = evaluation.sum.total();
        rows.push_back({"XOR", "", "", cell(to_string(total)), in_binary(total, columns)});
    }
    return rows;
}

std::size_t characters(const std::string& text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string table(const Evaluation& evaluation) {
    const auto rows = table_rows(evaluation);
    const auto width = [&](std::string Row::*column) {
        std::size_t widest = 0;
        for (const Row& row : rows) widest = std::max(widest, characters(row.*column));
        return widest;
    };
    std::string text;
    for (const Row& row : rows) {
        std::string line =
            fmt::format("  {:>{}}  {:<{}}  {:>{}}  {:>{}}  {}", row.heap, width(&Row::heap),
                        row.ruleset, width(&Row::ruleset), row.size, width(&Row::size),
                        row.nimber, width(&Row::nimber), row.binary);
        line.resize(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

std::string moves_line(const Evaluation& evaluation) {
    const bool draw = evaluation.solution->outcome() == Outcome::D;
    const std::string name = draw ? "moves that hold the draw" : "winning moves";
    if (!evaluation.moves) {
        const std::string known =
            evaluation.best_move ? ", one is " + to_string(*evaluation.best_move) : "";
        return name + ": not all known" + known + "\n";
    }
    if (evaluation.moves->moves.empty()) return name + ": none\n";
    const bool more = !evaluation.move_count || *evaluation.move_count == kMany;
    std::string line =
        fmt::format("{} ({}{}):", name, more ? "at least " : "",
                    evaluation.move_count.value_or(evaluation.moves->moves.size()));
    for (const Move& move : evaluation.moves->moves) line += " " + to_string(move);
    return line + (evaluation.moves->cut ? " …\n" : "\n");
}

std::string refutation_lines(const Evaluation& evaluation) {
    if (evaluation.refutations.empty()) return "";
    std::string text = "\n  each move has an answer, such as\n";
    for (const auto& [move, answer] : evaluation.refutations) {
        text += fmt::format("  {} {}\n", cell(to_string(move)),
                            answer ? "with " + cell(to_string(*answer))
                                   : "ends play: who cannot move wins");
    }
    return text;
}

std::string outcome_line(const Evaluation& evaluation) {
    switch (evaluation.solution->outcome()) {
        case Outcome::N:
            return "outcome: N, the next player (to move) wins\n";
        case Outcome::P:
            return "outcome: P, the previous player wins\n";
        case Outcome::D:
            return "outcome: D, a draw\n";
        case Outcome::Unknown:
            break;
    }
    return "outcome: unknown\n";
}

std::string nimber_line(const Evaluation& evaluation) {
    if (evaluation.sum.is_misere()) return "nimber: none under misere\n";
    const auto nimber = evaluation.solution->nimber();
    return "nimber: " + (nimber ? to_string(*nimber) : "unknown") + "\n";
}

// ---- for a program ----

boost::json::array json_heaps(const Evaluation& evaluation) {
    boost::json::array heaps;
    std::size_t number = 0;
    for (const auto& component : evaluation.game.position().components) {
        for (const Heap& heap : component.heaps) {
            const auto& nimber = evaluation.sum.nimbers()[number];
            heaps.push_back(boost::json::object{{"heap", ++number},
                                                {"ruleset", component.ruleset.text},
                                                {"size", to_string(heap)},
                                                {"nimber", to_json(nimber)},
                                                {"genus", nullptr},
                                                {"outcome", nullptr}});
            boost::json::object& told = heaps.back().as_object();
            if (auto genus = genus_of(evaluation, number - 1)) told["genus"] = *genus;
            const Outcome alone = outcome_of_heap(evaluation, number - 1);
            if (alone != Outcome::Unknown) told["outcome"] = to_string(alone);
        }
    }
    return heaps;
}

std::string for_people(const Evaluation& evaluation) {
    return protocol::printable(to_string(evaluation.game.position()), 1000) + "\n" +
           outcome_line(evaluation) + nimber_line(evaluation) + moves_line(evaluation) +
           "why: " + evaluation.solution->reason() + "\n\n" + table(evaluation) +
           refutation_lines(evaluation);
}

std::string for_programs(const Evaluation& evaluation) {
    const bool misere = evaluation.sum.is_misere();
    boost::json::object object{
        {"position", to_string(evaluation.game.position())},
        {"convention", misere ? "misere" : "normal"},
        {"outcome", to_string(evaluation.solution->outcome())},
        {"nimber", to_json(evaluation.solution->nimber())},
        {"heaps", json_heaps(evaluation)},
        {"winning_moves", nullptr},
        {"winning_move_count", nullptr},
        {"best_move", nullptr},
        {"holding_moves", boost::json::array()},
        {"refutations", boost::json::array()},
        {"reason", evaluation.solution->reason()},
    };
    if (evaluation.best_move) object["best_move"] = to_string(*evaluation.best_move);
    if (evaluation.moves) {
        const bool draw = evaluation.solution->outcome() == Outcome::D;
        boost::json::array moves;
        for (const Move& move : evaluation.moves->moves) moves.emplace_back(to_string(move));
        object[draw ? "holding_moves" : "winning_moves"] = std::move(moves);
        if (draw) {
            object["winning_moves"] = boost::json::array();
            object["winning_move_count"] = 0;
        } else if (evaluation.move_count) {
            object["winning_move_count"] = *evaluation.move_count;
        }
    }
    for (const auto& [move, answer] : evaluation.refutations) {
        boost::json::value text;  // null where there is no answer
        if (answer) text = to_string(*answer);
        object["refutations"].as_array().push_back(
            boost::json::object{{"move", to_string(move)}, {"answer", std::move(text)}});
    }
    return boost::json::serialize(object) + "\n";
}

}  // namespace

int run_eval(const std::vector<std::string>& words, const RulesetNames& names,
             std::ostream& out, std::ostream& errors) {
    const auto read = CommandWords::read(words, kOptions, 2, "a position");
    if (!read) return refuse_usage("eval", read.error(), "", errors);
    const auto time = read->number("--time", kDefaultTime);
    if (!time) return refuse_usage("eval", time.error(), "", errors);
    const std::string text = read->joined();
    const auto game = read_game(text, names);
    if (!game) return refuse_usage("eval", game.error(), text, errors);

    const Budget budget = budget_of(*time);
    out << (read->has("--json")
                ? for_programs(evaluate(*game, kJsonMoves, kJsonRefutations, budget))
                : for_people(evaluate(*game, kShownMoves, kShownRefutations, budget)));
    return out ? kExitDone : kExitFailed;
}

}  // namespace engine
