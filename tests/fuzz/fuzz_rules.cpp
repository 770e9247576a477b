// User-defined rules, evaluated on small heaps and on the largest.
#include <algorithm>
#include <cstdint>
#include <set>
#include <string>

#include "engine/rules/catalogue.hpp"
#include "engine/rules/entries.hpp"
#include "engine/rules/formula/formula_ruleset.hpp"
#include "tests/fuzz/require.hpp"

namespace {

using engine::Count;
using engine::Heap;
using engine::Number;
using engine::UserRules;
using Followers = std::set<std::vector<Heap>>;

// Listing the moves, visiting them, and asking for them one by one give the same moves.
void check_moves(const UserRules& rules, const Heap& heap) {
    constexpr Count kLittleWork = 1000000;
    if (!rules.check_heap(heap) || rules.work(heap) > kLittleWork) return;
    const Count count = rules.follower_count(heap);
    require(rules.has_move(heap) == (count > 0));
    Followers listed;
    for (Count i = 0; i < std::min<Count>(count, 200); ++i) {
        listed.insert(rules.follower(heap, i));
    }
    require(listed.size() == std::min<Count>(count, 200));
    std::size_t asked = 0;
    for (const auto& result : listed) {
        if (++asked > 20) break;
        require(rules.is_follower(heap, result));
        auto other = result;
        if (auto* number = std::get_if<Number>(&other.back())) *number ^= 1;
        std::ranges::sort(other);
        if (count <= 200) require(rules.is_follower(heap, other) == listed.contains(other));
    }
    std::size_t visited = 0;
    rules.visit_moves(engine::entries_of(heap), [&](const engine::rules::MoveBlock& block) {
        visited += block.count;
        return true;
    });
    require(visited >= count);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text = "rules{" + std::string(data, data + size) + '}';
    const auto found = engine::find_ruleset({text});
    if (!found) {
        require(found.error().column <= text.size() + 1);
        return 0;
    }
    const auto rules = std::dynamic_pointer_cast<const UserRules>(*found);
    for (const Number number : {Number{0}, Number{1}, Number{2}, Number{5}, Number{12},
                                Number{3037000500}, protocol::kMaxNumber}) {
        std::vector<Number> entries(rules->entries(), number);
        check_moves(*rules, engine::heap_with(entries));
        entries.back() = 1;
        check_moves(*rules, engine::heap_with(entries));
        entries.front() = 3;
        check_moves(*rules, engine::heap_with(entries));
    }
    return 0;
}
