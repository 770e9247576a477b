#include "engine/heaps/heap_labels.hpp"

#include "engine/base/turn.hpp"

namespace engine {
namespace {

constexpr std::size_t kMostHopeless = 1024;

}  // namespace

std::unique_lock<std::timed_mutex> ExploredLabels::explore(const Heap& heap,
                                                           const Budget& budget) const {
    auto lock = take_turn(mutex_, budget);
    if (!lock) return lock;
    if (!labels_) labels_ = std::make_unique<HeapLabels>(rules_);
    if (hopeless_.contains(heap)) return lock;
    if (labels_->explore(heap, budget) == HeapLabels::End::TooMany) {
        labels_ = std::make_unique<HeapLabels>(rules_);
        if (hopeless_.size() == kMostHopeless) hopeless_.clear();
        hopeless_.insert(heap);
    }
    return lock;
}

std::optional<Nimber> ExploredLabels::nimber(const Heap& heap, const Budget& budget) const {
    const auto lock = explore(heap, budget);
    if (!lock.owns_lock()) return std::nullopt;
    return labels_->nimber(heap);
}

std::uint64_t ExploredLabels::counter(const Heap& heap, const Budget& budget) const {
    const auto lock = explore(heap, budget);
    return lock.owns_lock() ? labels_->counter(heap) : 0;
}

}  // namespace engine
