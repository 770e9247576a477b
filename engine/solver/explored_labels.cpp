#include "engine/solver/explored_labels.hpp"

#include <chrono>
#include <thread>

namespace engine {
namespace {

constexpr std::size_t kMostHopeless = 1024;
constexpr std::chrono::microseconds kTurnPoll(100);

}  // namespace

std::unique_lock<std::mutex> ExploredLabels::explore(const Heap& heap,
                                                     const Budget& budget) const {
    std::unique_lock lock(mutex_, std::try_to_lock);
    while (!lock.owns_lock()) {
        if (budget.is_spent()) return lock;
        std::this_thread::sleep_for(kTurnPoll);
        if (lock.try_lock()) break;
    }
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
