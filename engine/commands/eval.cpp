#include "engine/commands/command.hpp"

#include <algorithm>
#include <chrono>
#include <ostream>
#include <set>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "engine/heaps/heap_solver.hpp"
#include "engine/rules/moves.hpp"
#include "engine/sums/evaluation.hpp"
#include "protocol/text.hpp"

namespace engine {
namespace {

constexpr std::size_t kShownHeaps = 40;
constexpr std::size_t kMaxCell = 30;  // characters of a heap, ruleset or nimber in the table
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
    constexpr std::string_view kMeanings[]{", the next player (to move) wins",
                                           ", the previous player wins", ", a draw", ""};
    const Outcome outcome = evaluation.outcome();
    return fmt::format("outcome: {}{}\n", to_string(outcome),
                       kMeanings[static_cast<std::size_t>(outcome)]);
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
        is_spent ? fmt::format(
                       "most of its {} ms are spent: --time MS gives more, and --hash MB more "
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

// ---- where the nimber of a heap comes from ----

constexpr std::size_t kShownOptions = 20;
constexpr std::size_t kShownRuns = 12;  // of numbers of a set
constexpr Count kMostOptions = 100'000;
constexpr std::size_t kMoveWidth = 30;    // characters of a move
constexpr std::size_t kPollOptions = 64;  // units of the text of options

// "{0,1,2,5..9}"
std::string set_text(const std::set<std::uint64_t>& numbers) {
    std::string text;
    std::size_t runs = 0;
    for (auto it = numbers.begin(); it != numbers.end();) {
        if (runs++ == kShownRuns) return "{" + text + ",…}";
        const std::uint64_t first = *it;
        std::uint64_t last = first;
        while (++it != numbers.end() && *it == last + 1) ++last;
        if (!text.empty()) text += ",";
        text += std::to_string(first);
        if (last > first + 3) {
            text += fmt::format("..{}", last);
        } else {
            for (std::uint64_t i = first + 1; i <= last; ++i) text += fmt::format(",{}", i);
        }
    }
    return "{" + text + "}";
}

// The options of one heap, asked one by one.
class Options {
  public:
    Options(const HeapSolver& solver, const Budget& budget)
        : solver_(solver), budget_(budget) {}

    void add(const Move& move) {
        std::string terms;
        NimSum sum;
        bool known = true;
        for (const Heap& heap : move.result) {
            const auto nimber = known ? solver_.nimber(heap, budget_) : std::nullopt;
            known = nimber.has_value();
            if (!known) break;
            sum.add(*nimber);
            terms += (terms.empty() ? "" : " XOR ") + to_string(*nimber);
        }
        const Nimber total = sum.value();
        if (!known) {
            ++unknown_;
        } else if (const auto* number = std::get_if<std::uint64_t>(&total)) {
            numbers_.insert(*number);
        } else {
            ++others_;
        }
        if (lines_.size() == kShownOptions) {
            ++more_;
            return;
        }
        const bool is_sum = move.result.size() > 1;
        lines_.emplace_back(protocol::printable(to_string(move), kMoveWidth),
                            !known   ? "?"
                            : is_sum ? terms + " = " + to_string(total)
                                     : to_string(total));
    }

    // For so many there is no time.
    void skip(Count count) {
        unknown_ += count;
        more_ += count;
    }

    bool is_nothing_known() const { return numbers_.empty() && others_ == 0; }

    std::string text(const Nimber& nimber) const {
        std::size_t width = 0;
        for (const auto& [move, value] : lines_) width = std::max(width, move.size());
        std::string text;
        for (const auto& [move, value] : lines_)
            text += fmt::format("  {:<{}}  {}\n", move, width, value);
        if (more_ > 0) text += fmt::format("  … {} more\n", more_);
        return text + "  " + conclusion(nimber) + "\n";
    }

  private:
    std::string conclusion(const Nimber& nimber) const {
        if (unknown_ > 0) {
            return fmt::format(
                "the nimbers of {} options are not known; that of the heap, {}, "
                "was found without them",
                unknown_, to_string(nimber));
        }
        if (is_loopy(nimber)) {
            return to_string(nimber) +
                   ": play can go on for ever; in the braces are the numbers among these";
        }
        return fmt::format(
            "mex of {} is {}: the least number that is not among them{}", set_text(numbers_),
            to_string(nimber),
            others_ > 0 ? "; from each of the others a move leads back to it" : "");
    }

    const HeapSolver& solver_;
    const Budget& budget_;
    std::vector<std::pair<std::string, std::string>> lines_;
    std::set<std::uint64_t> numbers_;
    Count unknown_ = 0, others_ = 0, more_ = 0;  // others_: loopy ones
};

// The options of heap number `index`, from 0; empty if nothing is known of them.
std::string explain_heap(const HeapSolver& solver, const Ruleset& rules, const Heap& heap,
                         std::size_t index, const Nimber& nimber, bool is_misere,
                         const Budget& budget) {
    const auto followers = find_followers(rules, heap, budget);
    if (!followers) return "";
    if (followers->count == 0 && is_misere) return "";
    if (followers->count == 0)
        return fmt::format("\nheap {} has no options: mex of {{}} is 0\n", index + 1);
    if (followers->count > kMostOptions)
        return fmt::format("\nheap {} has too many options to list\n", index + 1);
    Options options(solver, budget);
    BudgetPoll poll(budget, kPollOptions);
    const std::size_t units = text_units(heap);
    for (Count i = 0; i < followers->count; ++i) {
        if (poll.is_spent(units)) {
            options.skip(followers->count - i);
            break;
        }
        options.add(Move{index + 1, followers->at(i)});
    }
    if (options.is_nothing_known()) return "";
    return fmt::format("\noptions of heap {} and their nimbers\n", index + 1) +
           options.text(nimber);
}

std::string explain_xor(const Evaluation& evaluation, std::size_t heaps) {
    constexpr std::size_t kMostTerms = 10;
    const auto total = evaluation.total();
    if (!total || heaps < 2 || heaps > kMostTerms) return "";
    std::string terms;
    for (std::size_t i = 0; i < heaps; ++i) {
        terms += (i == 0 ? "" : " XOR ") + to_string(*evaluation.nimber(i));
    }
    return fmt::format(
        "\n{} = {}: a binary digit of it is 1 where an odd number of the heaps "
        "has a 1\n",
        terms, to_string(*total));
}

// For a person: the options of the first `heaps` heaps that differ, where nimbers are known and
// matter; and how their XOR comes about, where there are several. Empty if nothing is found
// within the budget.
std::string explain_nimbers(const Evaluation& evaluation, std::size_t heaps,
                            const Budget& budget) {
    if (evaluation.worth() != Worth::Nimbers) return "";
    const Game& game = evaluation.game();
    std::string text;
    std::set<std::pair<std::string, std::string>> seen;
    std::size_t index = 0;
    for (std::size_t i = 0; i < game.position().components.size(); ++i) {
        const auto& [ruleset, part] = game.position().components[i];
        const auto solver = find_solver(ruleset, game.ruleset(i));
        for (const Heap& heap : part) {
            const auto& nimber = evaluation.nimber(index++);
            if (!nimber || seen.size() == heaps) continue;
            if (!seen.emplace(ruleset.text, to_string(heap)).second) continue;
            text += explain_heap(*solver, *game.ruleset(i), heap, index - 1, *nimber,
                                 evaluation.is_misere(), budget);
        }
    }
    return text + explain_xor(evaluation, index);
}

// A single heap is explained by its options, which are most often known by then.
constexpr std::chrono::seconds kTimeForOptions{1};
constexpr std::size_t kExplainedHeaps = 10;

Result<void> run(const CommandWords& words, std::ostream& out, std::ostream&) {
    const Number time = words.number("--time");
    const auto game = words.game();
    if (!game) return game.error();

    const bool json = words.has("--json");
    const auto began = std::chrono::steady_clock::now();
    const Budget budget = budget_of(time);
    const Evaluation evaluation(*game, json ? EvaluationLimits{} : kShownToPeople, budget);
    const std::chrono::duration<double, std::milli> used =
        std::chrono::steady_clock::now() - began;
    if (json) {
        out << boost::json::serialize(to_json(evaluation)) << '\n';
        return {};
    }
    out << for_people(evaluation, time, used.count());
    if (words.command().name == kExplain.name) {
        out << explain_nimbers(evaluation, kExplainedHeaps, budget);
    } else if (evaluation.heap_count() == 1) {
        out << explain_nimbers(evaluation, 1, budget.at_most(kTimeForOptions));
    }
    return {};
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
                    run};

const Command kExplain{"explain",
                       "where nimbers come from: options, mex and XOR",
                       "POSITION",
                       "a position",
                       kAnyNumber,
                       kExplainOptions,
                       "  nim-engine explain kayles:5+nim:3\n",
                       run};

}  // namespace engine
