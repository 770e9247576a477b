#include "engine/solver/sequence_pool.hpp"

namespace engine {
namespace {

// Multiply and fold, 64 bits to each item.
std::uint64_t hash_of(std::span<const std::uint32_t> sequence) {
    std::uint64_t hash = sequence.size() + 0x9e3779b97f4a7c15;
    for (const std::uint32_t item : sequence) {
        hash = (hash ^ item) * 0xff51afd7ed558ccd;
        hash ^= hash >> 32;
    }
    return hash;
}

}  // namespace

std::size_t SequencePool::slot_of(std::span<const std::uint32_t> sequence) const {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = hash_of(sequence) & mask;; i = (i + 1) & mask) {
        if (slots_[i] == kFree || std::ranges::equal((*this)[slots_[i]], sequence)) return i;
    }
}

std::optional<SequencePool::Index> SequencePool::find(
    std::span<const std::uint32_t> sequence) const {
    if (slots_.empty()) return std::nullopt;
    const Index index = slots_[slot_of(sequence)];
    if (index == kFree) return std::nullopt;
    return index;
}

std::optional<SequencePool::Index> SequencePool::intern(
    std::span<const std::uint32_t> sequence) {
    if (slots_.size() * 2 <= ends_.size() * 3 && !grow()) return find(sequence);
    const std::size_t slot = slot_of(sequence);
    if (slots_[slot] != kFree) return slots_[slot];
    if (size() == kFree - 1 || !make_room(items_, sequence.size(), memory_) ||
        !make_room(ends_, 1, memory_)) {
        return std::nullopt;
    }
    slots_[slot] = size();
    items_.insert(items_.end(), sequence.begin(), sequence.end());
    ends_.push_back(items_.size());
    return slots_[slot];
}

bool SequencePool::grow() {
    const std::size_t old = slots_.size();
    const std::size_t wanted = std::max<std::size_t>(64, old * 2);
    if (!memory_.resize(memory_.bytes() + (wanted + old) * sizeof(Index))) return false;
    slots_.assign(wanted, kFree);
    for (Index i = 0; i < size(); ++i) slots_[slot_of((*this)[i])] = i;
    return memory_.resize(memory_.bytes() - 2 * old * sizeof(Index));
}

}  // namespace engine
