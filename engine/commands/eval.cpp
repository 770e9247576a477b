#include "engine/commands/command.hpp"

#include <algorithm>
#include <chrono>
#include <ostream>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "engine/commands/explain.hpp"
#include "engine/sums/evaluation.hpp"
#include "protocol/text.hpp"

namespace engine {

namespace {

constexpr std::size_t kShownHeaps = 40;
constexpr std::size_t kMaxCell =
    30;  // characters of a heap, a ruleset or a nimber in the table
constexpr EvaluationLimits kShownToPeople{60, 10};  // for a person

// As wide as its digits, or as the name of the power above them.
std::size_t width_of(const BinaryColumns::Power& power) {
    return std::max(static_cast<std::size_t>(power.digits), power_name(power.exponent).size());
}

std::string binary_header(const BinaryColumns& columns) {
    if (columns.powers.empty()) return "";
    if (columns.powers.size() == 1) return "binary";
    std::string text;
    for (const auto& power : columns.powers) {
        text += fmt::format("{:>{}}  ", power_name(power.exponent), width_of(power));
    }
    return text;
}

std::string in_binary(const Nimber& nimber, const BinaryColumns& columns) {
    std::string text;
    const auto digits = columns.digits_of(nimber);
    for (std::size_t i = 0; i < digits.size(); ++i) {
        text += fmt::format("{:>{}}  ", digits[i], width_of(columns.powers[i]));
    }
    return text;
}

std::string cell(const std::string& text) { return protocol::printable(text, kMaxCell); }

struct Row {
    std::string heap, ruleset, size, nimber, binary;
};

using Worth = Evaluation::Worth;

std::vector<Row> table_rows(const Evaluation& evaluation) {
    const auto columns = evaluation.columns();
    const Worth worth = evaluation.worth();
    std::vector<Row> rows{{"heap", "ruleset", "size", "", ""}};
    if (worth == Worth::Genera) {
        rows.front().nimber = "genus";
        rows.front().binary = "alone";
    } else if (worth == Worth::Nimbers) {
        rows.front().nimber = "nimber";
        rows.front().binary = binary_header(columns);
    }
    std::size_t number = 0;
    for (const auto& component : evaluation.game().position().components) {
        for (const Heap& heap : component.heaps) {
            const auto& nimber = evaluation.nimber(number);
            if (++number > kShownHeaps) continue;
            Row row{std::to_string(number), cell(component.ruleset.text), cell(to_string(heap)),
                    "", ""};
            if (worth == Worth::Genera) {
                const auto genus = evaluation.genus(number - 1);
                row.nimber = cell(genus ? to_string(*genus) : "unknown");
                row.binary = to_string(evaluation.outcome(number - 1));
            } else if (worth == Worth::Nimbers) {
                row.nimber = cell(nimber ? to_string(*nimber) : "unknown");
                if (nimber) row.binary = in_binary(*nimber, columns);
            }
            rows.push_back(std::move(row));
        }
    }
    if (number > kShownHeaps) {
        rows.push_back({"…", fmt::format("{} more", number - kShownHeaps), "", "", ""});
    }
    if (const auto total = evaluation.total()) {
        rows.push_back({"XOR", "", "", cell(to_string(*total)), in_binary(*total, columns)});
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
    const bool draw = evaluation.outcome() == Outcome::D;
    const std::string name = draw ? "moves that hold the draw" : "winning moves";
    if (!evaluation.moves()) {
        const std::string known =
            evaluation.best_move() ? ", one is " + to_string(*evaluation.best_move()) : "";
        return name + ": not all known" + known + "\n";
    }
    if (evaluation.moves()->moves.empty()) return name + ": none\n";
    const bool more = !evaluation.move_count() || *evaluation.move_count() == kMany;
    std::string line =
        fmt::format("{} ({}{}):", name, more ? "at least " : "",
                    evaluation.move_count().value_or(evaluation.moves()->moves.size()));
    for (const Move& move : evaluation.moves()->moves) line += " " + to_string(move);
    return line + (evaluation.moves()->cut ? " …\n" : "\n");
}

std::string refutation_lines(const Evaluation& evaluation) {
    if (evaluation.refutations().empty()) return "";
    std::string text = "\n  each move has an answer, such as\n";
    for (const auto& [move, answer] : evaluation.refutations()) {
        text += fmt::format(
            "  {} {}\n", cell(to_string(move)),
            answer ? "with " + cell(to_string(*answer)) : "ends play: who cannot move wins");
    }
    return text;
}

std::string outcome_line(const Evaluation& evaluation) {
    switch (evaluation.outcome()) {
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
    if (evaluation.is_misere()) return "nimber: none under misere\n";
    const auto nimber = evaluation.nimber();
    return "nimber: " + (nimber ? to_string(*nimber) : "unknown") + "\n";
}

// Solvers share the time, and the last one may not get all of it.
constexpr double kMostOfTime = 0.7;

// A table that has reached its largest size does not grow by more time.
std::string limits_line(const Evaluation& evaluation, Number time, double used) {
    if (evaluation.outcome() != Outcome::Unknown) return "";
    const bool is_spent = used >= kMostOfTime * static_cast<double>(time);
    return fmt::format(
        "{}, unless a heap is beyond all tables (engine/doc/limits.md)\n",
        is_spent ? fmt::format("its {} ms are spent: --time MS gives more, and --hash MB more "
                               "memory, which may find it",
                               time)
                 : "it ended before its time: --hash MB gives more memory, which may find it");
}

std::string for_people(const Evaluation& evaluation, Number time, double used) {
    return protocol::printable(to_string(evaluation.game().position()), 1000) + "\n" +
           outcome_line(evaluation) + nimber_line(evaluation) + moves_line(evaluation) +
           "why: " + evaluation.reason() + "\n" + limits_line(evaluation, time, used) + "\n" +
           table(evaluation) + refutation_lines(evaluation);
}

// A single heap is explained by its options, which are most often known by then.
constexpr std::chrono::seconds kTimeForOptions{1};
constexpr std::size_t kExplainedHeaps = 10;

int run(std::string_view command, const CommandWords& words, const RulesetNames& names,
        std::ostream& out, std::ostream& errors) {
    const auto time = words.number("--time", kDefaultTime);
    if (!time) return refuse_usage(command, time.error(), "", errors);
    const std::string text = words.joined();
    const auto game = read_game(text, names);
    if (!game) return refuse_usage(command, game.error(), text, errors);

    const bool json = words.has("--json");
    const bool explains = command == kExplain.name;
    const auto began = std::chrono::steady_clock::now();
    const Budget budget = budget_of(*time);
    const Evaluation evaluation(*game, json ? EvaluationLimits{} : kShownToPeople, budget);
    const std::chrono::duration<double, std::milli> used =
        std::chrono::steady_clock::now() - began;
    if (json) {
        out << boost::json::serialize(to_json(evaluation)) << '\n';
        return out ? kExitDone : kExitFailed;
    }
    out << for_people(evaluation, *time, used.count());
    if (explains) {
        out << explain_nimbers(evaluation, kExplainedHeaps, budget);
    } else if (evaluation.heap_count() == 1) {
        out << explain_nimbers(evaluation, 1, budget.at_most(kTimeForOptions));
    }
    return out ? kExitDone : kExitFailed;
}

int run_eval(const CommandWords& words, const RulesetNames& names, std::ostream& out,
             std::ostream& errors) {
    return run(kEval.name, words, names, out, errors);
}

int run_explain(const CommandWords& words, const RulesetNames& names, std::ostream& out,
                std::ostream& errors) {
    return run(kExplain.name, words, names, out, errors);
}

constexpr Option kEvalOptions[]{kTime, kJson};
constexpr Option kExplainOptions[]{kTime};

}  // namespace

const Command kEval{"eval",
                    "who wins, by which moves, and why",
                    "POSITION",
                    "a position",
                    kAnyNumber,
                    kEvalOptions,
                    "  nim-engine eval 'nim:3,4,5 misere'\n",
                    run_eval};

const Command kExplain{"explain",
                       "where nimbers come from: options, mex and XOR",
                       "POSITION",
                       "a position",
                       kAnyNumber,
                       kExplainOptions,
                       "  nim-engine explain kayles:5+nim:3\n",
                       run_explain};

}  // namespace engine
