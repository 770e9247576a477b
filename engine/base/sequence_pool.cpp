#include "engine/base/sequence_pool.hpp"

namespace engine {
namespace {

// From this many sequences on there are 2^kTableBits tables, because growing one large table
// would take too long.
constexpr std::size_t kDivideAt = 10000;
constexpr int kTableBits = 8;

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

// The first bits of a hash select the table, the following ones the slot.
std::size_t SequencePool::table_of(std::uint32_t hash) const {
    return tables_.size() == 1 ? 0 : hash >> (32 - kTableBits);
}

std::size_t SequencePool::home(const Table& table, std::uint32_t hash) const {
    return (tables_.size() == 1 ? hash : hash << kTableBits) >> table.shift;
}

std::size_t SequencePool::slot_of(const Table& table, std::span<const std::uint32_t> sequence,
                                  std::uint32_t hash) const {
    const std::size_t mask = table.slots.size() - 1;
    for (std::size_t i = home(table, hash);; i = (i + 1) & mask) {
        const Slot& slot = table.slots[i];
        if (slot.index == kFree) return i;
        if (slot.hash == hash && std::ranges::equal((*this)[slot.index], sequence)) return i;
    }
}

std::optional<SequencePool::Index> SequencePool::find(
    std::span<const std::uint32_t> sequence) const {
    const std::uint32_t hash = hash_of(sequence);
    const Table& table = tables_[table_of(hash)];
    if (table.slots.empty()) return std::nullopt;
    const Index index = table.slots[slot_of(table, sequence, hash)].index;
    if (index == kFree) return std::nullopt;
    return index;
}

std::optional<SequencePool::Index> SequencePool::intern(
    std::span<const std::uint32_t> sequence) {
    if (tables_.size() == 1 && size() == kDivideAt && !divide()) return find(sequence);
    const std::uint32_t hash = hash_of(sequence);
    Table& table = tables_[table_of(hash)];
    if (table.slots.size() * 2 <= (table.used + 1) * 3 && !grow(table)) return find(sequence);
    Slot& slot = table.slots[slot_of(table, sequence, hash)];
    if (slot.index != kFree) return slot.index;
    if (size() == kFree - 1 || !make_room(items_, sequence.size(), memory_) ||
        !make_room(ends_, 1, memory_)) {
        return std::nullopt;
    }
    slot = {size(), hash};
    ++table.used;
    items_.append(sequence);
    ends_.push_back(items_.size());
    return slot.index;
}

void SequencePool::put(Table& table, const Slot& slot) const {
    const std::size_t mask = table.slots.size() - 1;
    std::size_t i = home(table, slot.hash);
    while (table.slots[i].index != kFree) i = (i + 1) & mask;
    table.slots[i] = slot;
}

// Slots are in the order of hashes, so that growth goes through both tables from end to end.
bool SequencePool::grow(Table& table) {
    constexpr int kFirstShift = 26;  // 64 slots
    const int shift = table.slots.empty() ? kFirstShift : table.shift - 1;
    if (shift < 0) return false;
    const std::size_t wanted = std::size_t{1} << (32 - shift);
    if (!memory_.resize(memory_.bytes() + wanted * sizeof(Slot))) return false;
    std::vector<Slot> old(wanted);
    old.swap(table.slots);
    table.shift = shift;
    for (const Slot& slot : old) {
        if (slot.index != kFree) put(table, slot);
    }
    return memory_.resize(memory_.bytes() - old.size() * sizeof(Slot));
}

// Returns false, without a change, if memory is short.
bool SequencePool::divide() {
    const std::size_t bytes = memory_.bytes();
    std::vector<Table> whole(std::size_t{1} << kTableBits);
    whole.swap(tables_);
    const std::vector<Slot>& old = whole.front().slots;
    const auto add = [this](const Slot& slot) {
        Table& table = tables_[table_of(slot.hash)];
        if (table.slots.size() * 2 <= (table.used + 1) * 3 && !grow(table)) return false;
        put(table, slot);
        ++table.used;
        return true;
    };
    const auto is_added = [&](const Slot& slot) { return slot.index == kFree || add(slot); };
    if (!memory_.resize(bytes + tables_.size() * sizeof(Table)) ||
        !std::ranges::all_of(old, is_added)) {
        tables_.swap(whole);
        memory_.resize(bytes);
        return false;
    }
    return memory_.resize(memory_.bytes() - old.size() * sizeof(Slot));
}

}  // namespace engine
