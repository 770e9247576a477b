#include "engine/commands/command.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <ostream>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "engine/commands/find_period.hpp"
#include "engine/heaps/heap_solver.hpp"
#include "engine/heaps/nimber_json.hpp"
#include "engine/rules/graph.hpp"
#include "engine/sums/value_picture.hpp"
#include "protocol/text.hpp"

namespace engine {
namespace {

constexpr Number kMostValues = 1000000000;
constexpr Number kDefaultColumns = 10;
constexpr Number kMostColumns = 1000;

// Finds what is printed for a heap.
class ValuesQuestion {
  public:
    ValuesQuestion(const NamedRuleset& ruleset, bool outcomes, const Budget& budget)
        : rules_(ruleset.rules),
          solver_(find_solver(ruleset.text, ruleset.rules)),
          outcomes_(outcomes),
          budget_(budget) {}

    const char* key() const { return outcomes_ ? "outcomes" : "values"; }
    // "-": no heap of the ruleset, such as (1,1) under welter.
    std::string as_text(const Heap& heap) const {
        if (!is_heap(heap)) return "-";
        if (outcomes_) return outcome(heap);
        const auto nimber = solver_->nimber(heap, budget_);
        return nimber ? to_string(*nimber) : "?";
    }
    // The width of a column of texts: more where some are loopy values, such as inf{0,1}.
    std::size_t width(std::size_t of_finite) const {
        return outcomes_ || !rules_->can_repeat() ? of_finite
                                                  : std::max<std::size_t>(8, of_finite);
    }
    std::string as_json(const Heap& heap) const {
        if (!is_heap(heap)) return "null";
        if (!outcomes_) return boost::json::serialize(to_json(solver_->nimber(heap, budget_)));
        const std::string text = outcome(heap);
        return text == "?" ? "null" : '"' + text + '"';
    }

  private:
    std::string outcome(const Heap& heap) const {
        const Outcome known = outcome_of_heap(*solver_, rules_->can_repeat(), heap, budget_);
        return known == Outcome::Unknown ? "?" : to_string(known);
    }

    bool is_heap(const Heap& heap) const { return rules_->check_heap(heap).has_value(); }

    std::shared_ptr<const Ruleset> rules_;
    std::shared_ptr<const HeapSolver> solver_;
    bool outcomes_;
    Budget budget_;
};

// ---- numbers ----

void print_numbers_as_json(const ValuesQuestion& question, const HeapRange& range,
                           std::ostream& out) {
    out << "\"from\":" << range.from << ",\"" << question.key() << "\":[";
    for (Number heap = range.from; heap <= range.to && out; ++heap) {
        if (heap > range.from) out << ',';
        out << question.as_json(Heap(heap));
    }
    out << "]}\n";
}

// Rows begin at multiples of `columns`, so that a period of this length is seen.
void print_numbers(const ValuesQuestion& question, const HeapRange& range, Number columns,
                   std::ostream& out) {
    const std::size_t label = std::to_string(range.to).size();
    const std::size_t width = question.width(std::max<std::size_t>(4, label));
    out << std::string(label, ' ');
    for (Number i = 0; i < columns; ++i) out << fmt::format(" {:>{}}", i, width);
    for (Number heap = range.from - range.from % columns; heap <= range.to && out; ++heap) {
        if (heap % columns == 0) out << fmt::format("\n{:>{}}", heap, label);
        out << fmt::format(" {:>{}}", heap < range.from ? "" : question.as_text(Heap(heap)),
                           width);
    }
    out << '\n';
}

// ---- tuples ----

void print_json_level(const ValuesQuestion& question, const HeapRange& range,
                      std::vector<Number>& entries, std::ostream& out) {
    if (entries.size() == range.sizes.size()) {
        out << question.as_json(range.heap(entries));
        return;
    }
    const Number size = range.sizes[entries.size()];
    out << '[';
    for (Number i = 0; i < size && out; ++i) {
        if (i > 0) out << ',';
        entries.push_back(i);
        print_json_level(question, range, entries, out);
        entries.pop_back();
    }
    out << ']';
}

// The table of the last two entries.
void print_table(const ValuesQuestion& question, const HeapRange& range,
                 std::vector<Number> entries, std::ostream& out) {
    const auto& sizes = range.sizes;
    const Number rows = sizes[sizes.size() - 2];
    const Number columns = sizes.back();
    const std::size_t label = std::to_string(rows - 1 + range.first()).size();
    const std::size_t width =
        question.width(std::to_string(std::max(rows, columns)).size() + 1);
    const std::size_t row_entry = sizes.size() - 2;
    out << std::string(label, ' ');
    for (Number column = 0; column < columns; ++column)
        out << fmt::format(" {:>{}}", column + range.first(), width);
    out << '\n';
    entries.resize(sizes.size());
    for (Number row = 0; row < rows && out; ++row) {
        entries[row_entry] = row;
        out << fmt::format("{:>{}}", row + range.first(), label);
        for (Number column = 0; column < columns; ++column) {
            entries.back() = column;
            out << fmt::format(" {:>{}}", question.as_text(range.heap(entries)), width);
        }
        out << '\n';
    }
}

void print_tuples(const ValuesQuestion& question, const HeapRange& range, bool json,
                  std::ostream& out) {
    const auto& sizes = range.sizes;
    if (json) {
        if (sizes.size() == 3) out << "\"layers\":" << sizes.front() << ',';
        out << fmt::format("\"rows\":{},\"columns\":{},\"{}\":", sizes[sizes.size() - 2],
                           sizes.back(), question.key());
        std::vector<Number> entries;
        print_json_level(question, range, entries, out);
        out << "}\n";
        return;
    }
    if (sizes.size() == 2) return print_table(question, range, {}, out);
    for (Number layer = 0; layer < sizes.front() && out; ++layer) {
        out << (layer > 0 ? "\n" : "") << "first entry " << layer << '\n';
        print_table(question, range, {layer}, out);
    }
}

// ---- vertices ----

void print_vertices(const ValuesQuestion& question, const Digraph& graph, bool json,
                    std::ostream& out) {
    if (json) out << "\"" << question.key() << "\":{";
    for (Digraph::Index i = 0; i < graph.vertex_count() && out; ++i) {
        const std::string name(graph.name(i));
        const Heap heap = Vertex{name};
        if (json) {
            out << (i > 0 ? "," : "") << '"' << name << "\":" << question.as_json(heap);
        } else {
            out << name << "  " << question.as_text(heap) << '\n';
        }
    }
    if (json) out << "}}\n";
}

// ---- the command ----

// Writes the picture to the file of --svg, and says what it shows.
Result<void> write_picture(const NamedRuleset& ruleset, std::optional<std::string_view> range,
                           const CommandWords& words, const Budget& budget, std::ostream& out) {
    PictureWanted wanted{.is_plot = words.has("--plot")};
    if (words.has("--outcomes")) wanted.kind = ValueKind::Outcomes;
    if (words.has("--misere")) wanted.kind = ValueKind::Misere;
    if (words.has("--genus")) wanted.kind = ValueKind::Genera;
    if (words.has("--columns")) wanted.columns = words.number("--columns");
    wanted.name = words.plain().front();
    const auto picture = draw_values(ruleset, range, wanted, budget);
    if (!picture) return marked(picture.error(), std::string(range.value_or("")));
    const std::string path(*words.value("--svg"));
    std::ofstream file(path, std::ios::binary);
    file << picture->svg << std::flush;
    if (!file) {
        return Error{Fault::Failed, fmt::format("cannot write {}: {}", protocol::quoted(path),
                                                std::strerror(errno))};
    }
    out << picture->title;
    if (picture->columns > 0) out << ", " << picture->columns << " in a row";
    out << ": " << path << '\n';
    return {};
}

Result<void> run_values(const CommandWords& words, std::ostream& out, std::ostream&) {
    const auto& plain = words.plain();
    const auto ruleset = words.ruleset();
    if (!ruleset) return ruleset.error();
    std::optional<std::string_view> range_text;
    if (plain.size() == 2) range_text = plain.back();
    const Budget budget = budget_of(words.number("--time"));
    if (words.has("--svg") && words.has("--json")) {
        return Error{Fault::BadInput, "read --json and --svg, expected one of them"};
    }
    if (words.has("--svg")) return write_picture(*ruleset, range_text, words, budget, out);
    for (const std::string_view option : {"--plot", "--misere", "--genus"}) {
        if (words.has(option)) return missing(fmt::format("--svg FILE with {}", option));
    }
    const auto range = read_range_of(*ruleset, range_text, kMostValues);
    if (!range) return marked(range.error(), plain.back());

    const bool json = words.has("--json");
    const ValuesQuestion question(*ruleset, words.has("--outcomes"), budget);
    if (json) out << "{\"ruleset\":" << boost::json::serialize(ruleset->text.text) << ',';
    if (!*range) {
        const auto digraph = shape_as<shape::Digraph>(*ruleset->rules);
        print_vertices(question, digraph->graph, json, out);
    } else if ((*range)->sizes.empty()) {
        json ? print_numbers_as_json(question, **range, out)
             : print_numbers(question, **range, words.number("--columns"), out);
    } else {
        print_tuples(question, **range, json, out);
    }
    return {};
}

constexpr Option kValuesOptions[]{
    {"RANGE", "", "", "0-99 or 7; 8x8: tuples below it, boards up to it; none: a graph"},
    {"--outcomes", "", "", "N, P or D instead of nimbers"},
    number_option("--columns", "N", "a number of columns",
                  "how many heaps in a row (10; of a picture the period)",
                  {kDefaultColumns, 1, kMostColumns}),
    {"--svg", "FILE", "a file", "write a picture: a strip, a map of pairs, a graph"},
    {"--plot", "", "", "with --svg: the value over the size"},
    {"--misere", "", "", "with --svg: outcomes under misere play"},
    {"--genus", "", "", "with --svg: genus symbols"},
    time_option("what is not known by then is '?' (no limit)", protocol::kMaxNumber),
    kJson};

}  // namespace

const Command kValues{"values",
                      "the nimbers of a range of heaps",
                      "RULESET [RANGE]",
                      "a ruleset",
                      2,
                      kValuesOptions,
                      "  nim-engine values kayles 0-99\n"
                      "  nim-engine values wythoff 8x8\n"
                      "  nim-engine values kayles 0-199 --svg kayles.svg\n",
                      run_values};

}  // namespace engine
