// Rulesets and catalogue files.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "engine/rules/catalogue.hpp"

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

// The followers that are listed are those that are allowed.
void check_heap(const engine::Ruleset& ruleset, engine::Number number) {
    const engine::Heap heap(number);
    if (!ruleset.check_heap(heap)) return;
    const engine::Count count = ruleset.follower_count(heap);
    require(ruleset.has_move(heap) == (count > 0));
    for (engine::Count i = 0; i < std::min<engine::Count>(count, 50); ++i) {
        require(ruleset.is_follower(heap, ruleset.follower(heap, i)));
        require(ruleset.is_follower(heap, ruleset.follower(heap, count - 1 - i)));
    }
    if (number > 30) return;
    engine::Count allowed = 0;
    for (engine::Number left = 0; left <= number; ++left) {
        const std::vector<engine::Heap> result{engine::Heap(left)};
        if (ruleset.is_follower(heap, result)) ++allowed;
    }
    require(allowed == count);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const auto ruleset = engine::find_ruleset({text});
    if (!ruleset) require(ruleset.error().column <= size + 1);
    if (ruleset) {
        for (const engine::Number heap : {0, 1, 2, 7, 30, 1000}) check_heap(**ruleset, heap);
        check_heap(**ruleset, protocol::kMaxNumber);
    }
    const auto names = engine::RulesetNames::parse(text);
    if (!names) require(names.error().text.starts_with("line "));
    return 0;
}
