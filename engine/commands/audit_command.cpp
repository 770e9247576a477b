#include "engine/commands/command.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "engine/commands/find_period.hpp"
#include "engine/heaps/heap_solver.hpp"
#include "protocol/text.hpp"

namespace engine {
namespace {

constexpr Number kMostAudited = 100'000'000;
constexpr Number kMostOfQuotient = 64;  // its heaps; with more it is rarely found in time

Result<std::vector<Number>> read_file(const std::string& path) {
    std::error_code failed;  // a device or a pipe might never end
    const bool is_regular = std::filesystem::is_regular_file(path, failed);
    std::ifstream file(path, std::ios::binary);
    if (!is_regular || !file) {
        return Error{Fault::BadInput,
                     "cannot read " + protocol::quoted(path) + ", expected a file of nimbers"};
    }
    const std::string text(std::istreambuf_iterator<char>(file), {});
    const auto numbers = read_sequence(text);
    if (numbers) return numbers;
    const auto before = std::string_view(text).substr(0, numbers.error().column - 1);
    return Error{Fault::BadInput,
                 fmt::format("{}, line {}: {}", protocol::quoted(path),
                             1 + std::ranges::count(before, '\n'), numbers.error().text)};
}

// The numbers of a file against the nimbers from the first heap of the range on.
struct Comparison {
    Number compared = 0;
    Number differing = 0;
    std::optional<Number> first;  // heap that differs
    std::string found;            // its nimber
    bool is_whole = false;        // the whole range was compared
};

Comparison compare(const NamedRuleset& ruleset, const HeapRange& range,
                   const std::vector<Number>& numbers, const Budget& budget) {
    const auto solver = find_solver(ruleset.text, ruleset.rules);
    Comparison result;
    Number heap = range.from;
    for (; heap <= range.to && heap - range.from < numbers.size(); ++heap) {
        const auto nimber = solver->nimber(Heap(heap), budget);
        if (!nimber) break;
        std::string found = to_string(*nimber);
        if (found == std::to_string(numbers[heap - range.from])) continue;
        if (result.differing++ > 0) continue;
        result.first = heap;
        result.found = std::move(found);
    }
    result.compared = heap - range.from;
    result.is_whole = heap > range.to;
    return result;
}

std::string text_of(const Comparison& result, const HeapRange& range,
                    const std::vector<Number>& numbers) {
    std::string text = fmt::format("file: {} heaps compared, ", result.compared);
    if (result.first) {
        text += fmt::format("{} differ, first G({}) = {}, the file says {}\n", result.differing,
                            *result.first, result.found, numbers[*result.first - range.from]);
    } else {
        text += "all the same\n";
    }
    if (result.is_whole) return text;
    return text +
           fmt::format("file: from heap {} on not compared: {}\n", range.from + result.compared,
                       result.compared == numbers.size() ? "it ends there"
                                                         : "no nimber was found in time");
}

std::string json_of(const Comparison& result) {
    return fmt::format("{{\"compared\":{},\"differing\":{},\"first\":{},\"whole\":{}}}",
                       result.compared, result.differing,
                       result.first ? std::to_string(*result.first) : "null", result.is_whole);
}

Result<void> run_audit(const CommandWords& words, std::ostream& out, std::ostream& errors) {
    const auto& plain = words.plain();
    const auto ruleset = words.ruleset();
    if (!ruleset) return ruleset.error();
    if (plain.size() < 2) return missing("a range of heaps, such as 0-999");
    const auto range = read_heap_range(plain.back(), RangeSyntax::Numbers, kMostAudited);
    if (!range) return marked(range.error(), plain.back());
    if (!ruleset->rules->check_heap(Heap(Number{0}))) {
        return misread(plain.front(), "a ruleset whose heaps are numbers");
    }
    for (const Number heap : {range->from, range->to}) {
        const auto valid = ruleset->rules->check_heap(Heap(heap));
        if (!valid) return valid.error();
    }
    const bool is_json = words.has("--json");
    bool is_same = true;
    std::string against = is_json ? "null" : "";
    if (const auto path = words.value("--against")) {
        const auto numbers = read_file(std::string(*path));
        if (!numbers) return numbers.error();
        const Comparison result =
            compare(*ruleset, *range, *numbers, budget_of(words.number("--time")));
        is_same = result.differing == 0 && result.is_whole;
        against = is_json ? json_of(result) : text_of(result, *range, *numbers);
    }
    // The laws start at heap 0. Each command says what is proven, and by what.
    int status = kExitDone;
    // What a command prints, without the end of its last line; null in JSON if it fails.
    const auto run = [&](const Command& command, std::vector<std::string> more) {
        std::vector<std::string> of_command{plain.front(), "--time",
                                            std::to_string(words.number("--time"))};
        if (is_json) of_command.emplace_back("--json");
        std::ranges::move(more, std::back_inserter(of_command));
        std::ostringstream printed;
        status = run_command(command, of_command, words.names(), printed, errors);
        std::string text = std::move(printed).str();
        if (text.ends_with('\n')) text.pop_back();
        return is_json && status != kExitDone ? "null" : text;
    };
    const Number heaps = std::min(range->to + 1, kMostExamined);
    const std::string period = run(kPeriod, {"--limit", std::to_string(heaps)});
    std::string quotient = is_json ? "null" : "";
    if (status == kExitDone && check_misere_heaps(*ruleset)) {
        quotient =
            run(kQuotient, {"--heaps", std::to_string(std::min(range->to, kMostOfQuotient))});
    }
    if (is_json) {
        out << fmt::format("{{\"against\":{},\"period\":{},\"quotient\":{}}}\n", against,
                           period, quotient);
    } else {
        out << against << period << '\n';
        if (!quotient.empty()) out << '\n' << quotient << '\n';
        if (!quotient.empty() && range->to > kMostOfQuotient) {
            out << fmt::format(
                "\nnim-engine quotient looks for that of more heaps than 0 to {}\n",
                kMostOfQuotient);
        }
    }
    if (is_same && status == kExitDone) return {};
    return Error{Fault::Failed, ""};  // as is written already
}

constexpr Option kAuditOptions[]{
    {"RANGE", "", "", "0-999: the laws are those of heaps 0 to its end"},
    {"--against", "FILE", "a file",
     "nimbers from the range's first heap on, with blanks or commas"},
    time_option("how long each part looks (10000)"),
    kJson};

}  // namespace

const Command kAudit{"audit",
                     "a table of nimbers against the rules, and its laws",
                     "RULESET RANGE",
                     "a ruleset and a range of heaps",
                     2,
                     kAuditOptions,
                     "  nim-engine audit kayles 0-999 --against table.txt\n",
                     run_audit};

}  // namespace engine
