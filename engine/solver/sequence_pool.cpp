#include "engine/solver/sequence_pool.hpp"

namespace engine {
namespace {

// Multiply and fold, 64 bits to each item.
std::uint32_t hash_of(std::span<const std::uint32_t> sequence) {
    std::uint64_t hash = sequence.size() + 0x9e3779b97f4a7c15;
    for (const std::uint32_t item : sequence) {
        hash = (hash ^ item) * 0xff51afd7ed558ccd;
        hash ^= hash >> 32;
    }
    return static_cast<std::uint32_t>(hash * 0x9e3779b97f4a7c15 >> 32);
}

}  // namespace

std::size_t SequencePool::slot_of(std::span<const std::uint32_t> sequence,
                                  std::uint32_t hash) const {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = home(hash);; i = (i + 1) & mask) {
        const Slot& slot = slots_[i];
        if (slot.index == kFree) return i;
        if (slot.hash == hash && std::ranges::equal((*this)[slot.index], sequence)) return i;
    }
}

std::optional<SequencePool::Index> SequencePool::find(
    std::span<const std::uint32_t> sequence) const {
    if (slots_.empty()) return std::nullopt;
    const Index index = slots_[slot_of(sequence, hash_of(sequence))].index;
    if (index == kFree) return std::nullopt;
    return index;
}

std::optional<SequencePool::Index> SequencePool::intern(
    std::span<const std::uint32_t> sequence) {
    if (slots_.size() * 2 <= ends_.size() * 3 && !grow()) return find(sequence);
    const std::uint32_t hash = hash_of(sequence);
    Slot& slot = slots_[slot_of(sequence, hash)];
    if (slot.index != kFree) return slot.index;
    if (size() == kFree - 1 || !make_room(items_, sequence.size(), memory_) ||
        !make_room(ends_, 1, memory_)) {
        return std::nullopt;
    }
    slot = {size(), hash};
    items_.insert(items_.end(), sequence.begin(), sequence.end());
    ends_.push_back(items_.size());
    return slot.index;
}

bool SequencePool::grow() {
    constexpr int kFirstShift = 26;  // 64 slots
    const int shift = slots_.empty() ? kFirstShift : shift_ - 1;
    if (shift < 0) return false;
    const std::size_t wanted = std::size_t{1} << (32 - shift);
    if (!memory_.resize(memory_.bytes() + wanted * sizeof(Slot))) return false;
    std::vector<Slot> old(wanted);
    old.swap(slots_);
    shift_ = shift;
    const std::size_t mask = wanted - 1;
    for (const Slot& slot : old) {
        if (slot.index == kFree) continue;
        std::size_t i = home(slot.hash);
        while (slots_[i].index != kFree) i = (i + 1) & mask;
        slots_[i] = slot;
    }
    return memory_.resize(memory_.bytes() - old.size() * sizeof(Slot));
}

}  // namespace engine
