// Heaps of rulesets that take a tuple, or a number as a tuple of one entry.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "engine/rules/ruleset.hpp"

namespace engine {

inline bool has_entries(const protocol::Heap& heap) {
    return std::holds_alternative<protocol::Number>(heap) ||
           std::holds_alternative<protocol::Tuple>(heap);
}

// Of a heap that has_entries().
inline std::span<const protocol::Number> entries_of(const protocol::Heap& heap) {
    if (const auto* number = std::get_if<protocol::Number>(&heap)) return {number, 1};
    return std::get<protocol::Tuple>(heap).entries;
}

inline std::vector<protocol::Number> entry_list(const protocol::Heap& heap) {
    const auto entries = entries_of(heap);
    return {entries.begin(), entries.end()};
}

// In their order.
inline std::vector<protocol::Number> positive_entries(const protocol::Heap& heap) {
    auto entries = entry_list(heap);
    std::erase(entries, protocol::Number{0});
    return entries;
}

// There is one entry at least.
inline protocol::Heap heap_with(std::vector<protocol::Number> entries) {
    if (entries.size() == 1) return protocol::Heap(entries.front());
    return protocol::Heap(protocol::Tuple{std::move(entries)});
}

inline protocol::Heap heap_with(std::span<const protocol::Number> entries) {
    if (entries.size() == 1) return protocol::Heap(entries.front());
    return protocol::Heap(protocol::Tuple{{entries.begin(), entries.end()}});
}

// The only heap of a result that has entries, as many as `heap`; else null.
inline const protocol::Heap* as_changed(const protocol::Heap& heap,
                                        std::span<const protocol::Heap> result) {
    if (result.size() != 1 || result.front().index() != heap.index()) return nullptr;
    const protocol::Heap& to = result.front();
    return entries_of(to).size() == entries_of(heap).size() ? &to : nullptr;
}

// A ruleset whose moves change entries of a heap, and leave as many.
class ChangingEntries : public Ruleset {
  public:
    bool has_move(const Heap& heap) const override {
        return std::ranges::any_of(entries_of(heap), [](Number entry) { return entry > 0; });
    }
    bool is_follower(const Heap& heap, std::span<const Heap> result) const override {
        const Heap* changed = as_changed(heap, result);
        return changed != nullptr && is_move(entries_of(heap), entries_of(*changed));
    }

  protected:
    virtual bool is_move(std::span<const Number> from, std::span<const Number> to) const = 0;
};

}  // namespace engine
