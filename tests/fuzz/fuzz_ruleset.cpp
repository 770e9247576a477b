// Rulesets and catalogue files.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/rules/catalogue.hpp"
#include "engine/rules/graph.hpp"
#include "protocol/move.hpp"
#include "tests/fuzz/require.hpp"

namespace {

using engine::Count;
using engine::Heap;
using engine::Number;

struct Subject {
    std::string_view name;  // of the ruleset
    const engine::Ruleset& rules;
};

void check_follower(const Subject& subject, const Heap& heap, Count index) {
    const auto follower = subject.rules.follower(heap, index);
    require(subject.rules.is_follower(heap, follower));
    require(protocol::canonical_result(subject.name, follower) == follower);
    for (const Heap& left : follower) require(subject.rules.check_heap(left).has_value());
}

// Adds all results with `heaps` more numbers, ascending and at most `most`.
void add_results(std::vector<std::vector<Heap>>& results, std::vector<Heap> result,
                 Number least, Number most, int heaps) {
    if (!result.empty()) results.push_back(result);
    if (heaps == 0) return;
    for (Number left = least; left <= most; ++left) {
        auto longer = result;
        longer.emplace_back(left);
        add_results(results, std::move(longer), left, most, heaps - 1);
    }
}

// As many of all possible results of a small heap are legal as are counted. Not for rules{},
// with which a heap can become larger.
void check_count(const Subject& subject, Number number) {
    std::vector<std::vector<Heap>> results{{Heap(Number{0})}};
    add_results(results, {}, 1, number, 3);
    const auto allowed = std::ranges::count_if(results, [&](const std::vector<Heap>& result) {
        return subject.rules.is_follower(Heap(number), result);
    });
    require(static_cast<Count>(allowed) == subject.rules.follower_count(Heap(number)));
}

// The listed followers are the legal ones.
void check_heap(const Subject& subject, const Heap& heap) {
    if (!subject.rules.check_heap(heap)) return;
    const Count count = subject.rules.follower_count(heap);
    require(subject.rules.has_move(heap) == (count > 0));
    for (Count i = 0; i < std::min<Count>(count, 50); ++i) {
        check_follower(subject, heap, i);
        check_follower(subject, heap, count - 1 - i);
    }
    const auto* number = std::get_if<Number>(&heap);
    if (number != nullptr && *number <= 9 && subject.name != "rules") {
        check_count(subject, *number);
    }
}

void check_vertices(const Subject& subject, const engine::Digraph& graph) {
    for (engine::Digraph::Index i = 0; i < graph.vertex_count(); ++i) {
        require(graph.find(graph.name(i)) == i);
        check_heap(subject, Heap(protocol::Vertex{std::string(graph.name(i))}));
    }
}

void check_heaps(const Subject& subject) {
    for (const Number number : {Number{0}, Number{1}, Number{2}, Number{5}, Number{9},
                                Number{30}, Number{1000}, protocol::kMaxNumber}) {
        check_heap(subject, Heap(number));
    }
    for (const auto& entries :
         std::vector<std::vector<Number>>{{0, 0},
                                          {1, 1},
                                          {3, 5},
                                          {7, 7, 2},
                                          {0, 1, 2},
                                          {1, 2, 3, 4},
                                          {protocol::kMaxNumber, protocol::kMaxNumber - 1}}) {
        check_heap(subject, Heap(protocol::Tuple{entries}));
    }
    if (const auto* graph = dynamic_cast<const engine::Graph*>(&subject.rules)) {
        check_vertices(subject, graph->graph());
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const auto ruleset = engine::find_ruleset({text});
    if (!ruleset) require(ruleset.error().column <= size + 1);
    if (ruleset) {
        const protocol::RulesetText read{text};
        check_heaps({read.name(), **ruleset});
    }
    const auto names = engine::RulesetNames::parse(text);
    if (!names) require(names.error().text.starts_with("line "));
    return 0;
}
