#include "engine/commands/command.hpp"

#include <algorithm>
#include <numeric>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <boost/json.hpp>

#include "engine/misere/quotient.hpp"

namespace engine {

using misere::Element;
using misere::HeapGraph;
using misere::Monoid;
using misere::Quotient;
using misere::Shortage;
using misere::Word;

namespace {

constexpr Number kDefaultHeaps = 64;
constexpr Number kMostQuotientHeaps = 4096;
constexpr Number kDefaultOrder = 1000;
constexpr std::size_t kShownColumns = 10;

// How far to search.
struct Bounds {
    Number heaps = 0;  // the largest
    Number order = 0;
    Number time = 0;  // milliseconds
};

struct Finding {
    std::optional<Quotient> quotient;  // nullopt: not found
    bool heaps_are_listed = true;      // and their moves
    misere::QuotientProgress progress;
    std::vector<Element> elements;   // of heaps 0, 1, 2, …
    std::vector<Number> generators;  // their heaps
    std::optional<Law> law;

    const Monoid& monoid() const { return quotient->monoid; }
};

Finding find(const NamedRuleset& ruleset, const Bounds& bounds) {
    const Budget budget = budget_of(bounds.time);
    misere::HeapGraph graph;
    const auto number = graph.ruleset_index(ruleset.text.text, ruleset.rules);
    std::vector<HeapGraph::Index> indices;
    Finding finding;
    for (Number heap = 0; heap <= bounds.heaps; ++heap) {
        const auto index = graph.add(number, Heap(heap), budget);
        if (!index) {
            finding.heaps_are_listed = false;
            if (budget.is_spent()) finding.progress.shortage = Shortage::Time;
            return finding;
        }
        indices.push_back(*index);
    }
    std::vector<HeapGraph::Index> live(graph.size() - 1);
    std::iota(live.begin(), live.end(), HeapGraph::kDead + 1);
    finding.quotient =
        misere::find_quotient(graph, live, bounds.order, budget, finding.progress);
    if (!finding.quotient) return finding;

    for (const auto index : indices) {
        const bool is_dead = index == HeapGraph::kDead;
        finding.elements.push_back(is_dead ? Element{0}
                                           : finding.quotient->elements[index - 1]);
    }
    for (const std::size_t place : finding.quotient->generators) {
        const auto heap = std::ranges::find(indices, live[place]);
        finding.generators.push_back(static_cast<Number>(heap - indices.begin()));
    }
    const auto moves = misere::find_move_bounds(*ruleset.rules);
    if (moves) finding.law = misere::prove_phi_law(finding.elements, *moves);
    return finding;
}

// a, b, … z, then g27, g28, …
std::string generator_name(std::size_t index) {
    return index < 26 ? std::string(1, static_cast<char>('a' + index))
                      : fmt::format("g{}", index + 1);
}

// "ab^2"; the identity is "1".
std::string text_of(const Word& word) {
    std::string text;
    for (std::size_t g = 0; g < word.size(); ++g) {
        if (word[g] == 0) continue;
        text += generator_name(g);
        if (word[g] > 1) text += fmt::format("^{}", static_cast<unsigned>(word[g]));
    }
    return text.empty() ? "1" : text;
}

std::vector<std::string> p_portion(const Monoid& monoid) {
    std::vector<std::string> texts;
    for (std::size_t x = 0; x < monoid.order(); ++x) {
        const auto element = static_cast<Element>(x);
        if (monoid.is_p(element)) texts.push_back(text_of(monoid.word(element)));
    }
    return texts;
}

std::vector<std::string> phi(const Finding& finding) {
    std::vector<std::string> texts;
    for (const Element element : finding.elements) {
        texts.push_back(text_of(finding.monoid().word(element)));
    }
    return texts;
}

std::string why_not(const Finding& finding, const Bounds& bounds) {
    switch (finding.progress.shortage) {
        case Shortage::Order:
            return fmt::format(
                "it has more than {} elements, or infinitely many (see --order; --heaps of "
                "fewer may be finite)",
                bounds.order);
        case Shortage::Time:
            return fmt::format("not found within {} ms (see --time)", bounds.time);
        case Shortage::Memory:
            break;
    }
    return finding.heaps_are_listed
               ? fmt::format("not found within the {} MB of memory there are (see --hash)",
                             Memory::limit() >> 20)
               : "the moves of the heaps are too many";
}

// ---- for a person ----

void print_phi(const Finding& finding, std::ostream& out) {
    const auto texts = phi(finding);
    std::size_t width = 4;
    for (const std::string& text : texts) width = std::max(width, text.size());
    const std::size_t label = std::to_string(texts.size() - 1).size();
    for (std::size_t heap = 0; heap < texts.size(); ++heap) {
        if (heap % kShownColumns == 0) out << fmt::format("{:>{}}", heap, label);
        const bool last = heap % kShownColumns == kShownColumns - 1 || heap + 1 == texts.size();
        out << (last ? fmt::format("  {}\n", texts[heap])
                     : fmt::format("  {:<{}}", texts[heap], width));
    }
}

void print(const Finding& finding, const NamedRuleset& ruleset, const Bounds& bounds,
           std::ostream& out) {
    out << fmt::format("{}, heaps 0 to {}\n", ruleset.text.text, bounds.heaps);
    if (!finding.quotient) {
        out << "misere quotient: " << why_not(finding, bounds) << '\n';
        return;
    }
    const Monoid& monoid = finding.monoid();
    out << fmt::format("misere quotient: order {}, {} of them P-positions\n", monoid.order(),
                       monoid.p_count());
    if (finding.law) {
        out << fmt::format(
            "period of the pretending function: {} from heap {} on, proven for all heaps\n",
            finding.law->period, finding.law->preperiod);
    } else {
        out << "period of the pretending function: none proven by these heaps; more by "
               "--heaps\n";
    }
    out << "generators:";
    for (std::size_t g = 0; g < finding.generators.size(); ++g) {
        out << fmt::format(" {} = heap {}{}", generator_name(g), finding.generators[g],
                           g + 1 < finding.generators.size() ? "," : "");
    }
    out << "\nrelations:";
    for (const auto& [left, right] : monoid.relations()) {
        out << fmt::format(" {}={}", text_of(left), text_of(monoid.word(right)));
    }
    out << fmt::format("\nP-positions: {}\n\npretending function:\n",
                       fmt::join(p_portion(monoid), " "));
    print_phi(finding, out);
}

// ---- for a program ----

boost::json::array to_array(const std::vector<std::string>& texts) {
    return boost::json::array(texts.begin(), texts.end());
}

void print_as_json(const Finding& finding, const NamedRuleset& ruleset, const Bounds& bounds,
                   std::ostream& out) {
    boost::json::object object{{"ruleset", ruleset.text.text}, {"heaps", bounds.heaps}};
    if (!finding.quotient) {
        object["order"] = nullptr;
        object["reason"] = why_not(finding, bounds);
        out << boost::json::serialize(object) << '\n';
        return;
    }
    const Monoid& monoid = finding.monoid();
    object["order"] = monoid.order();
    object["p_count"] = monoid.p_count();
    object["preperiod"] = finding.law ? boost::json::value(finding.law->preperiod) : nullptr;
    object["period"] = finding.law ? boost::json::value(finding.law->period) : nullptr;
    boost::json::array generators;
    for (std::size_t g = 0; g < finding.generators.size(); ++g) {
        generators.push_back(
            boost::json::object{{"name", generator_name(g)}, {"heap", finding.generators[g]}});
    }
    object["generators"] = std::move(generators);
    boost::json::array relations;
    for (const auto& [left, right] : monoid.relations()) {
        relations.push_back(boost::json::array{text_of(left), text_of(monoid.word(right))});
    }
    object["relations"] = std::move(relations);
    object["p_positions"] = to_array(p_portion(monoid));
    object["phi"] = to_array(phi(finding));
    out << boost::json::serialize(object) << '\n';
}

// The largest heap, by "8", "0-8" or --heaps 8.
Result<Number> read_heaps(const CommandWords& words) {
    const auto& plain = words.plain();
    if (plain.size() < 2) return words.number("--heaps");
    if (words.has("--heaps")) return unexpected_word(plain.back());
    const auto range =
        read_heap_range(plain.back(), RangeSyntax::Numbers, kMostQuotientHeaps + 1);
    if (!range) return marked(range.error(), plain.back());
    const bool fits =
        range->to <= kMostQuotientHeaps && (range->from == 0 || range->from == range->to);
    if (fits) return range->to;
    return misread(plain.back(),
                   fmt::format("0-N or N, of {} at most: the quotient is that of heaps 0 to N",
                               kMostQuotientHeaps));
}

Result<void> run_quotient(const CommandWords& words, std::ostream& out, std::ostream&) {
    const auto heaps = read_heaps(words);
    if (!heaps) return heaps.error();
    const auto ruleset = words.ruleset();
    if (!ruleset) return ruleset.error();
    const auto usable = check_misere_heaps(*ruleset);
    if (!usable) return usable.error();

    const Bounds bounds{*heaps, words.number("--order"), words.number("--time")};
    const Finding finding = find(*ruleset, bounds);
    if (words.has("--json")) {
        print_as_json(finding, *ruleset, bounds, out);
    } else {
        print(finding, *ruleset, bounds, out);
    }
    return {};
}

constexpr Option kQuotientOptions[]{
    {"RANGE", "", "", "0-64, or 64 for the same: with more heaps a period may be proven"},
    number_option("--heaps", "N", "a number of heaps",
                  "the same as RANGE: the largest heap (64)",
                  {kDefaultHeaps, 0, kMostQuotientHeaps}),
    number_option("--order", "N", "a number of elements", "how many elements at most (1000)",
                  {kDefaultOrder, 1, Monoid::kMaxOrder}),
    time_option("how long to look (10000)"),
    kJson};

}  // namespace

const Command kQuotient{"quotient",
                        "misere play: the misere quotient of heaps 0 to N",
                        "RULESET [RANGE]",
                        "a ruleset",
                        2,
                        kQuotientOptions,
                        "  nim-engine quotient kayles 0-168\n",
                        run_quotient};

}  // namespace engine
