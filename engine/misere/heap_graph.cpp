#include "engine/misere/heap_graph.hpp"

namespace engine::misere {

std::size_t HeapGraph::ruleset_index(const std::string& text,
                                     const std::shared_ptr<const Ruleset>& rules) {
    const auto [place, is_new] = rulesets_.try_emplace(text, rulesets_.size());
    if (is_new) {
        pool_.add_ruleset(rules);
        rules_memory_.resize(rules_memory_.bytes() + rules->bytes() +
                             text.size());  // if it can
    }
    return place->second;
}

std::optional<HeapGraph::Index> HeapGraph::find(std::size_t ruleset, const Heap& heap) const {
    const auto known = pool_.find(ruleset, heap);
    if (known == HeapPool::kDead) return kDead;
    if (!known || *known >= numbers_.size() || numbers_[*known] == kDead) return std::nullopt;
    return numbers_[*known];
}

std::optional<HeapGraph::Index> HeapGraph::add(std::size_t ruleset, const Heap& heap,
                                               const Budget& budget) {
    if (const auto known = find(ruleset, heap)) return known;
    const auto root = pool_.intern(ruleset, heap);
    if (!root) fail(Shortage::Memory, budget);
    if (!root || (*root != HeapPool::kDead && !add_all(*root, budget))) return std::nullopt;
    return find(ruleset, heap);
}

// A heap is opened when play comes to it, and gets its number once all heaps that its moves
// leave have one.
bool HeapGraph::add_all(HeapPool::Index root, const Budget& budget) {
    std::vector<Open> way;
    if (!open(root, way, budget)) return false;
    while (!way.empty()) {
        if (const auto part = next_part(way.back())) {
            if (!open(*part, way, budget)) return false;
            continue;
        }
        numbers_[way.back().heap] = static_cast<Index>(heaps_.size());
        heaps_.push_back(way.back().heap);
        way.pop_back();
    }
    return true;
}

// Rules may lead to heaps that are beyond their own limits.
bool HeapGraph::open(HeapPool::Index heap, std::vector<Open>& way, const Budget& budget) {
    if (budget.is_spent()) return fail(Shortage::Time, budget);
    if (!pool_.check_heap(heap)) return fail(Shortage::Heap, budget);
    if (way.size() == kMaxDepth) return fail(Shortage::Depth, budget);
    if (is_full() || !pool_.list_moves(heap, budget)) return fail(Shortage::Memory, budget);
    if (pool_.is_cut(heap)) return fail(Shortage::Moves, budget);
    if (is_full() || !make_room(heaps_, way.size() + 1, memory_) ||
        !make_room(numbers_, pool_.size() - numbers_.size(), memory_)) {
        return fail(Shortage::Memory, budget);
    }
    numbers_.resize(pool_.size());
    way.push_back({heap});
    return true;
}

std::optional<HeapPool::Index> HeapGraph::next_part(Open& open) const {
    for (; open.move < pool_.move_count(open.heap); ++open.move, open.part = 0) {
        const auto parts = pool_.result(open.heap, open.move);
        while (open.part < parts.size()) {
            const HeapPool::Index part = parts[open.part++];
            if (numbers_[part] == kDead) return part;
        }
    }
    return std::nullopt;
}

bool HeapGraph::fail(Shortage why, const Budget& budget) {
    shortage_ = budget.is_spent() ? Shortage::Time : why;
    return false;
}

}  // namespace engine::misere
