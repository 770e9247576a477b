// Heaps of rulesets that take a tuple, or a number as a tuple of one entry.
#pragma once

#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "protocol/heap.hpp"

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

}  // namespace engine
