#include "engine/commands/command.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <boost/json.hpp>

#include "engine/commands/find_period.hpp"
#include "protocol/text.hpp"

namespace engine {
namespace {

constexpr std::size_t kShownNumbers = 60;  // numbers in a line, or lines
constexpr std::size_t kJsonNumbers = 10000;
constexpr Number kDefaultLimit = 1000000;

// ---- for a person ----

std::string list(std::span<const Number> numbers, Values values = Values::Nimbers) {
    std::vector<std::string> shown;
    for (const Number number : numbers.first(std::min(numbers.size(), kShownNumbers))) {
        shown.push_back(values == Values::Nimbers ? std::to_string(number)
                                                  : to_string(static_cast<Outcome>(number)));
    }
    return fmt::format("{}{}", fmt::join(shown, " "),
                       shown.size() < numbers.size() ? " …" : "");
}

// "G(n+7) = G(n) + 2 for all n >= 3"; purely, with period 1, "G(n) = n".
std::string formula_of(const PeriodFinding& finding) {
    const Law& law = *finding.law;
    const std::string raised = law.saltus == 0 ? "" : fmt::format(" + {}", law.saltus);
    const std::string all =
        fmt::format("for all n{}{}\n", finding.theorem ? "" : " seen",
                    law.preperiod == 0 ? "" : fmt::format(" >= {}", law.preperiod));
    if (law.kind() == Law::Kind::Sapp) {
        return fmt::format(
            "G(n+{0}) = G(n){1} for n of these residues, else G(n+{0}) = G(n), {2}", law.period,
            raised, all);
    }
    const bool is_nim = law.period == 1 && law.preperiod == 0 && law.saltus == 1 &&
                        finding.period_values == std::vector<Number>{0};
    if (is_nim) return "G(n) = n " + all;
    return fmt::format("G(n+{}) = G(n){} {}", law.period, raised, all);
}

std::string describe_law(const Law& law) {
    const auto from = law.preperiod == 0 ? std::string("purely")
                                         : fmt::format("from heap {} on", law.preperiod);
    switch (law.kind()) {
        case Law::Kind::Periodic:
            return fmt::format("periodic, period {}, {}\n", law.period, from);
        case Law::Kind::Arithmetic:
            return fmt::format("arithmetic periodic, period {}, saltus {}, {}\n", law.period,
                               law.saltus, from);
        case Law::Kind::Sapp:
            break;
    }
    return fmt::format(
        "sapp regular, period {}, saltus {}, {}\n"
        "residues modulo {} that carry the saltus ({}): {}\n",
        law.period, law.saltus, from, law.period, law.rising.size(), list(law.rising));
}

std::string describe_proof(const PeriodFinding& finding) {
    if (!finding.theorem) {
        return fmt::format("not proven: seen in heaps 0 to {}\n", finding.heaps - 1);
    }
    const std::string_view theorem = *finding.theorem;
    if (theorem == "formula") return "proven: by a formula\n";
    const std::string_view name =
        theorem == "window"  ? "a window as long as the largest member repeats"
        : theorem == "state" ? "the state that determines all later nimbers repeats"
        : theorem == "octal" ? "the octal periodicity theorem (Guy and Smith)"
                             : theorem;
    return fmt::format("proven: {}, within heaps 0 to {}\n", name, finding.heaps - 1);
}

std::string list_exceptions(const std::vector<LawException>& exceptions, Values values) {
    if (exceptions.empty()) return {};
    std::string text = fmt::format("exceptions ({}):\n", exceptions.size());
    const std::size_t shown = std::min(exceptions.size(), kShownNumbers);
    for (const auto& [heap, value, lawful] : std::span(exceptions).first(shown)) {
        if (values == Values::Nimbers) {
            text += fmt::format("  G({}) = {}, the law {} {}\n", heap, value,
                                lawful < 0 ? "would need" : "says", lawful);
        } else {
            text += fmt::format("  heap {} is {}, the law says {}\n", heap,
                                to_string(static_cast<Outcome>(value)),
                                to_string(static_cast<Outcome>(lawful)));
        }
    }
    const std::size_t more = exceptions.size() - shown;
    return more == 0 ? text : text + fmt::format("  and {} more\n", more);
}

std::string for_people(const std::string& name, const PeriodFinding& finding,
                       Values values = Values::Nimbers) {
    if (!finding.law && finding.heaps == 0) {
        return fmt::format(
            "{}: no law known: no nimber of heap 0 was found; where play can go on for "
            "ever there may be none\n",
            name);
    }
    if (!finding.law) {
        return fmt::format(
            "{}: no law known from the first {}\n", name,
            finding.heaps == 1 ? "heap" : fmt::format("{} heaps", finding.heaps));
    }
    std::string text = name + ": " + describe_law(*finding.law);
    if (values == Values::Nimbers) text += formula_of(finding);
    text += describe_proof(finding);
    text += list_exceptions(finding.exceptions, values);
    if (!finding.period_values.empty()) {
        text += fmt::format("{} from heap {} on: {}\n",
                            values == Values::Nimbers ? "nimbers" : "outcomes",
                            finding.law->preperiod, list(finding.period_values, values));
    }
    return text;
}

// ---- for a program ----

boost::json::array json_list(const std::vector<Number>& numbers) {
    const std::size_t count = std::min(numbers.size(), kJsonNumbers);
    const auto end = numbers.begin() + static_cast<std::ptrdiff_t>(count);
    return boost::json::array(numbers.begin(), end);
}

std::string for_programs(const boost::json::value& ruleset, const PeriodFinding& finding) {
    boost::json::object object{{"ruleset", ruleset},    {"kind", "unknown"},
                               {"preperiod", nullptr},  {"period", nullptr},
                               {"saltus", nullptr},     {"proven", finding.theorem.has_value()},
                               {"theorem", nullptr},    {"checked_to", nullptr},
                               {"exceptions", nullptr}, {"rising", nullptr}};
    if (finding.heaps > 0) object["checked_to"] = finding.heaps - 1;
    if (finding.theorem) object["theorem"] = *finding.theorem;
    if (!finding.law) return boost::json::serialize(object) + "\n";

    const Law& law = *finding.law;
    object["kind"] = to_string(law.kind());
    object["preperiod"] = law.preperiod;
    object["period"] = law.period;
    object["saltus"] = law.saltus;
    if (!finding.period_values.empty()) {
        std::vector<Number> heaps;
        for (const LawException& exception : finding.exceptions)
            heaps.push_back(exception.heap);
        object["exceptions"] = json_list(heaps);
    }
    if (law.kind() == Law::Kind::Sapp) object["rising"] = json_list(law.rising);
    return boost::json::serialize(object) + "\n";
}

// ---- the two questions ----

// At most a line a second, from the first second on.
class ProgressLines {
  public:
    explicit ProgressLines(std::ostream& errors) : errors_(errors) {}

    void operator()(Number heaps) {
        const auto now = Clock::now();
        if (now < next_) return;
        next_ = now + std::chrono::seconds(1);
        const std::chrono::duration<double> passed = now - start_;
        errors_ << fmt::format("nim-engine: {} heaps examined, {:.0f} s\n", heaps,
                               passed.count())
                << std::flush;
    }

  private:
    using Clock = std::chrono::steady_clock;
    std::ostream& errors_;
    Clock::time_point start_ = Clock::now();
    Clock::time_point next_ = start_ + std::chrono::seconds(1);
};

Result<void> classify_sequence(std::string text, bool json, std::ostream& out) {
    if (text == "-") text.assign(std::istreambuf_iterator<char>(std::cin), {});
    const auto values = read_sequence(text);
    if (!values) return marked(values.error(), text);
    const PeriodFinding finding = find_period(*values);
    out << (json ? for_programs(nullptr, finding) : for_people("the sequence", finding));
    return {};
}

// The heaps from 0 on up to the first number that is none, such as a set of vertices that a
// graph does not have. All of them where the first millions are heaps.
Number heaps_within(Number limit, const Ruleset& rules) {
    constexpr Number kLookedAt = Number{1} << 22;
    for (Number heap = 0; heap < std::min(limit, kLookedAt); ++heap) {
        if (!rules.check_heap(Heap(heap))) return heap;
    }
    return limit;
}

Result<void> analyse_ruleset(const NamedRuleset& ruleset, const CommandWords& words,
                             std::ostream& out, std::ostream& errors) {
    const auto solver = find_solver(ruleset.text, ruleset.rules);
    ProgressLines progress(errors);
    const Budget budget = budget_of(words.number("--time"));
    const Number heaps = heaps_within(words.number("--limit"), *ruleset.rules);
    const Values values = words.has("--outcomes") ? Values::Outcomes : Values::Nimbers;
    const PeriodFinding finding =
        find_period(*solver, *ruleset.rules, values, heaps, budget, std::ref(progress));
    const std::string& name = ruleset.text.text;
    out << (words.has("--json") ? for_programs(boost::json::string(name), finding)
                                : for_people(protocol::printable(name, 200), finding, values));
    const auto path = words.value("--certificate");
    if (!path) return {};

    const auto text = certificate(ruleset, *solver, finding);
    if (!text) return text.error();
    std::ofstream file(std::string(*path), std::ios::binary);
    file << *text << std::flush;
    if (file) return {};
    return Error{Fault::Failed, fmt::format("cannot write the certificate to {}: {}",
                                            protocol::quoted(*path), std::strerror(errno))};
}

Result<void> run_period(const CommandWords& words, std::ostream& out, std::ostream& errors) {
    if (const auto sequence = words.value("--sequence")) {
        if (words.has("--certificate") || words.has("--outcomes")) {
            return Error{Fault::BadInput,
                         "read more than --sequence, expected --json or the end"};
        }
        std::string numbers(*sequence);
        for (const std::string& more : words.plain()) numbers += " " + more;
        return classify_sequence(std::move(numbers), words.has("--json"), out);
    }
    if (words.plain().empty()) return missing("a ruleset or --sequence");
    if (words.plain().size() > 1) return unexpected_word(words.plain()[1]);
    if (words.has("--outcomes") && words.has("--certificate")) {
        return Error{Fault::BadInput,
                     "read --certificate and --outcomes, expected one of them: a certificate "
                     "proves the law of the nimbers"};
    }
    const auto ruleset = words.ruleset();
    if (!ruleset) return ruleset.error();
    if (!ruleset->rules->check_heap(Heap(Number{0}))) {
        return misread(words.plain().front(), "a ruleset whose heaps are numbers");
    }
    return analyse_ruleset(*ruleset, words, out, errors);
}

constexpr Option kPeriodOptions[]{
    number_option("--limit", "HEAPS", "a number of heaps",
                  "how many heaps to look at (1000000)", {kDefaultLimit, 1, kMostExamined}),
    time_option("how long to look (10000)"),
    {"--outcomes", "", "", "the law of who wins, in place of the nimbers"},
    {"--certificate", "FILE", "a file",
     "write a proof of the law of the nimbers, for a checker"},
    {"--sequence", "NUMBERS", "numbers", "classify these; - reads them from standard input"},
    kJson};

}  // namespace

const Command kPeriod{"period",
                      "the law of the nimbers of a ruleset's heaps",
                      "[RULESET]",
                      "a ruleset",
                      kAnyNumber,  // of --sequence
                      kPeriodOptions,
                      "  nim-engine period 'take{1,3,4}'\n"
                      "  nim-engine period --sequence '0 1 2 3 2 5 2 7 2 9'\n",
                      run_period};

}  // namespace engine
