#include "engine/commands/command.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <ostream>

#include <fmt/format.h>

#include "engine/commands/heap_range.hpp"
#include "engine/heaps/heap_solver.hpp"
#include "protocol/text.hpp"

namespace engine {

using protocol::Error;
using protocol::Fault;

namespace {

constexpr Number kMostAudited = 100'000'000;
constexpr Number kMostOfQuotient = 64;  // its heaps; with more it is rarely found in time

struct Audit {
    const NamedRuleset& ruleset;
    HeapRange range;
    Number time = 0;  // milliseconds, of each part
};

Result<std::vector<Number>> read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    if (file.bad() || text.empty()) {
        return Error{Fault::BadInput,
                     "cannot read " + protocol::quoted(path) + ", expected a file of nimbers"};
    }
    return read_sequence(text);
}

// Says where the numbers, the first of which is for the first heap of the range, differ from
// the nimbers. Returns whether they are known to be the same.
bool compare(const Audit& audit, const std::vector<Number>& numbers, std::ostream& out) {
    const auto solver = find_solver(audit.ruleset.text, audit.ruleset.rules);
    const Budget budget = budget_of(audit.time);
    Number differing = 0;
    std::string first;
    Number heap = audit.range.from;
    for (; heap <= audit.range.to && heap - audit.range.from < numbers.size(); ++heap) {
        const Number given = numbers[heap - audit.range.from];
        const auto nimber = solver->nimber(Heap(heap), budget);
        if (!nimber) break;
        const std::string found = to_string(*nimber);
        if (found == std::to_string(given)) continue;
        if (differing++ == 0)
            first = fmt::format("G({}) = {}, the file says {}", heap, found, given);
    }
    const Number compared = heap - audit.range.from;
    out << fmt::format("file: {} heaps compared, ", compared)
        << (differing == 0 ? "all the same\n"
                           : fmt::format("{} differ, first {}\n", differing, first));
    const bool is_whole = heap > audit.range.to;
    if (!is_whole) {
        out << fmt::format(
            "file: from heap {} on not compared: {}\n", heap,
            compared == numbers.size() ? "it ends there" : "no nimber was found in time");
    }
    return differing == 0 && is_whole;
}

int run_audit(const CommandWords& words, const RulesetNames& names, std::ostream& out,
              std::ostream& errors) {
    const auto refuse = [&](const Error& error, const std::string& text = {}) {
        return refuse_usage("audit", error, text, errors);
    };
    const auto& plain = words.plain();
    const auto ruleset = read_ruleset(plain, names);
    if (!ruleset) return refuse(ruleset.error(), plain.empty() ? "" : plain.front());
    if (plain.size() < 2) return refuse(missing("a range of heaps, such as 0-999"));
    const auto range = read_heap_range(plain.back(), RangeSyntax::Numbers, kMostAudited);
    if (!range) return refuse(range.error(), plain.back());
    for (const Number heap : {range->from, range->to}) {
        const auto valid = ruleset->rules->check_heap(Heap(heap));
        if (!valid) return refuse(valid.error());
    }
    const auto time = words.number("--time", kDefaultTime);
    if (!time) return refuse(time.error());

    bool is_same = true;
    if (const auto path = words.value("--against")) {
        const auto numbers = read_file(std::string(*path));
        if (!numbers) return refuse(numbers.error());
        is_same = compare({*ruleset, *range, *time}, *numbers, out);
    }
    // The laws start at heap 0. Each command says what is proven, and by what.
    const std::string milliseconds = std::to_string(*time);
    const std::string heaps = std::to_string(range->to + 1);
    const std::vector<std::string> period{plain.front(), "--limit", heaps, "--time",
                                          milliseconds};
    int status = run_command(kPeriod, period, names, out, errors);
    if (status == kExitDone && check_misere_heaps(*ruleset)) {
        out << '\n';
        const std::string last = std::to_string(std::min(range->to, kMostOfQuotient));
        status = run_command(kQuotient, {plain.front(), last, "--time", milliseconds}, names,
                             out, errors);
    }
    return is_same ? status : kExitFailed;
}

constexpr Option kAuditOptions[]{
    {"RANGE", "", "", "0-999: the laws are those of heaps 0 to its end"},
    {"--against", "FILE", "a file",
     "nimbers to compare, blanks or commas between them, from the range's first heap on"},
    {"--time", "MS", "a number of milliseconds", "how long each part looks (10000)"}};

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
