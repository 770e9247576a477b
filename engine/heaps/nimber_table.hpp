// The memory of a nimber search: the facts found about each state, in a bounded table.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>
#include <vector>

#include "engine/base/memory.hpp"

namespace engine {

// Either the nimber itself, or some numbers that it is not: all below `low()`, which itself is
// not excluded, and any of the kWindow numbers above that. What is excluded farther up is
// forgotten, so that a table can hold the whole in 56 bits.
class NimberFacts {
  public:
    static constexpr unsigned kWindow = 24;
    static constexpr std::uint64_t kMaxValue = (std::uint64_t{1} << 31) - 1;

    static NimberFacts exactly(std::uint64_t value) {
        NimberFacts facts;
        facts.exact_ = true;
        facts.low_ = static_cast<std::uint32_t>(value);
        return facts;
    }

    bool is_exact() const { return exact_; }
    // The nimber, if it is known; else the least number that it may be.
    std::uint64_t low() const { return low_; }
    bool is_empty() const { return !exact_ && low_ == 0 && above_ == 0; }

    // How many numbers are known to be excluded, those farther up left out.
    std::uint64_t excluded() const {
        return low_ + static_cast<std::uint64_t>(std::popcount(above_));
    }

    // Whether it is known that the nimber is not `value`.
    bool excludes(std::uint64_t value) const {
        if (exact_) return value != low_;
        if (value <= low_) return value < low_;
        const std::uint64_t above = value - low_ - 1;
        return above < kWindow && (above_ >> above & 1) != 0;
    }

    // The nimber is not `value`.
    void exclude(std::uint64_t value) {
        if (exact_ || value < low_) return;
        if (value == low_) {
            exclude_below(value + 1);
        } else if (value - low_ - 1 < kWindow) {
            above_ |= 1u << (value - low_ - 1);
        }
    }

    // The nimber is at least `bound`.
    void exclude_below(std::uint64_t bound) {
        if (exact_ || bound <= low_) return;
        const std::uint64_t step = bound - low_;
        above_ = step > kWindow ? 0 : above_ >> (step - 1);  // bit 0 now stands for `bound`
        low_ = static_cast<std::uint32_t>(bound);
        while ((above_ & 1) != 0) {
            above_ >>= 1;
            ++low_;
        }
        above_ >>= 1;
    }

    // Knows what either knows. Both are about the same nimber.
    void merge(const NimberFacts& other) {
        if (exact_) return;
        if (other.exact_) {
            *this = other;
            return;
        }
        exclude_below(other.low_);
        for (std::uint32_t rest = other.above_, value = other.low_ + 1; rest != 0;
             rest >>= 1, ++value) {
            if ((rest & 1) != 0) exclude(value);
        }
    }

    // 56 bits, not all 0 unless nothing is known; and back.
    std::uint64_t packed() const {
        return std::uint64_t{exact_} << 55 | std::uint64_t{low_} << kWindow | above_;
    }
    static NimberFacts unpacked(std::uint64_t bits) {
        NimberFacts facts;
        facts.exact_ = (bits >> 55 & 1) != 0;
        facts.low_ = static_cast<std::uint32_t>(bits >> kWindow & kMaxValue);
        facts.above_ = static_cast<std::uint32_t>(bits & ((1u << kWindow) - 1));
        return facts;
    }

    friend bool operator==(const NimberFacts&, const NimberFacts&) = default;

  private:
    bool exact_ = false;
    std::uint32_t low_ = 0;
    std::uint32_t above_ = 0;  // bit i: the nimber is not low_ + 1 + i
};

// The memory that a state allocates in addition to its own size.
template <typename State>
std::size_t allocated_bytes(const State& state) {
    if constexpr (std::is_same_v<State, std::string>) {
        return state.capacity() > std::string().capacity() ? state.capacity() + 1 : 0;
    } else {
        return 0;
    }
}

template <typename State>
std::uint64_t hash_state(const State& state) {
    std::uint64_t hash = std::hash<State>()(state) + 0x9e3779b97f4a7c15;
    hash = (hash ^ hash >> 30) * 0xbf58476d1ce4e5b9;
    hash = (hash ^ hash >> 27) * 0x94d049bb133111eb;  // the finalizer of SplitMix64
    return hash ^ hash >> 31;
}

// Keeps whole states, so that no two are ever mistaken for each other. It grows a bucket at a
// time, without pauses (linear hashing: Litwin 1980), as long as Memory and its own limit
// allow; from then on a new state takes the place of the one in its buckets that is worth
// least: little work to find out, long ago. Safe to share by threads.
template <typename State>
class NimberTable {
  public:
    explicit NimberTable(std::size_t max_bytes = std::numeric_limits<std::size_t>::max())
        : max_bytes_(max_bytes) {}

    NimberFacts find(const State& state) const {
        const std::uint64_t hash = hash_state(state);
        const std::lock_guard lock(mutex_);
        if (segments_.empty()) return {};
        const Slot* known = slot_of(hash, state);
        return known != nullptr ? known->facts() : NimberFacts();
    }

    // Adds to what is known of a state; `work` is how many nodes were searched for it.
    void store(const State& state, const NimberFacts& facts, std::uint64_t work) {
        if (facts.is_empty()) return;
        const std::uint64_t hash = hash_state(state);
        const std::lock_guard lock(mutex_);
        if (segments_.empty() && !add_segment()) return;
        if (Slot* known = slot_of(hash, state)) {
            NimberFacts all = known->facts();
            all.merge(facts);
            known->set(all, std::max(effort_of(work), known->effort()), age_);
            return;
        }
        insert(hash, state, facts, effort_of(work));
    }

    std::size_t bytes() const {
        const std::lock_guard lock(mutex_);
        return memory_.bytes();
    }

    // How many states it holds.
    std::size_t size() const {
        const std::lock_guard lock(mutex_);
        return used_;
    }

  private:
    static constexpr std::uint64_t kAges = 8;

    // `bits`: 56 of facts, 5 of effort, 3 of age; all 0: free.
    struct Slot {
        State state{};
        std::uint64_t bits = 0;

        bool is_used() const { return bits != 0; }
        NimberFacts facts() const { return NimberFacts::unpacked(bits >> 8); }
        std::uint64_t effort() const { return bits >> 3 & 31; }
        std::uint64_t age() const { return bits & 7; }
        void set(const NimberFacts& facts, std::uint64_t effort, std::uint64_t age) {
            bits = facts.packed() << 8 | effort << 3 | age;
        }
    };
    struct Bucket {
        std::array<Slot, 4> slots;
    };
    static constexpr std::size_t kSegment = 256;  // buckets

    static std::uint64_t effort_of(std::uint64_t work) {
        return std::min<std::uint64_t>(static_cast<std::uint64_t>(std::bit_width(work)), 31);
    }

    // Linear hashing: with 2^k <= bucket_count_ < 2^(k+1), the buckets below bucket_count_ -
    // 2^k have been split in two by bit k of the hash.
    std::size_t bucket_index(std::uint64_t hash) const {
        const std::uint64_t low = std::bit_floor(bucket_count_);
        const std::uint64_t split = hash & (2 * low - 1);
        return split < bucket_count_ ? split : hash & (low - 1);
    }
    Bucket& bucket_at(std::size_t index) const {
        return segments_[index / kSegment][index % kSegment];
    }
    // A state may stand in either of two buckets, so that few are full before most are.
    std::array<Bucket*, 2> buckets_of(std::uint64_t hash) const {
        return {&bucket_at(bucket_index(hash)), &bucket_at(bucket_index(std::rotl(hash, 32)))};
    }

    Slot* slot_of(std::uint64_t hash, const State& state) const {
        for (Bucket* bucket : buckets_of(hash)) {
            for (Slot& slot : bucket->slots) {
                if (slot.is_used() && slot.state == state) return &slot;
            }
        }
        return nullptr;
    }

    std::uint64_t worth(const Slot& slot) const {
        if (!slot.is_used()) return 0;
        return 16 + 2 * slot.effort() - 2 * ((age_ - slot.age()) % kAges);
    }

    void insert(std::uint64_t hash, const State& state, const NimberFacts& facts,
                std::uint64_t effort) {
        if (used_ >= 2 * bucket_count_) split_bucket();
        Slot* least = &least_slot(hash);
        if (least->is_used() && split_bucket()) least = &least_slot(hash);
        Slot& slot = *least;
        const std::size_t more = allocated_bytes(state);
        const std::size_t less = allocated_bytes(slot.state);
        if (more > less && !reserve(allocated_ + more - less)) return;
        used_ += slot.is_used() ? 0 : 1;
        if (++inserted_ % (4 * bucket_count_) == 0) age_ = (age_ + 1) % kAges;
        slot.state = State(state);  // a copy without spare capacity
        slot.set(facts, effort, age_);
        allocated_ += more - less;
    }

    // A free slot in the emptier bucket; where both are full, the one worth least.
    Slot& least_slot(std::uint64_t hash) {
        auto homes = buckets_of(hash);
        const auto free_slots = [](const Bucket* bucket) {
            return std::ranges::count(bucket->slots, 0U, &Slot::bits);
        };
        if (free_slots(homes[1]) > free_slots(homes[0])) std::swap(homes[0], homes[1]);
        Slot* least = homes[0]->slots.data();
        for (Bucket* bucket : homes) {
            for (Slot& slot : bucket->slots) {
                if (worth(slot) < worth(*least)) least = &slot;
            }
        }
        return *least;
    }

    // Bucket bucket_count_ takes over those states of an earlier one that have its bit.
    bool split_bucket() {
        if (bucket_count_ == segments_.size() * kSegment && !add_segment()) return false;
        Bucket& old_bucket = bucket_at(bucket_count_ - std::bit_floor(bucket_count_));
        Bucket& new_bucket = bucket_at(bucket_count_);
        ++bucket_count_;
        for (std::size_t i = 0; i < old_bucket.slots.size(); ++i) {
            Slot& slot = old_bucket.slots[i];
            if (!slot.is_used()) continue;
            const auto homes = buckets_of(hash_state(slot.state));
            if (std::ranges::find(homes, &old_bucket) == homes.end()) {
                std::swap(new_bucket.slots[i], slot);
            }
        }
        return true;
    }

    bool add_segment() {
        if (!reserve(allocated_, segments_.size() + 1)) return false;
        segments_.push_back(std::make_unique<Bucket[]>(kSegment));
        if (bucket_count_ == 0) bucket_count_ = kSegment;
        return true;
    }

    bool reserve(std::size_t allocated) { return reserve(allocated, segments_.size()); }
    bool reserve(std::size_t allocated, std::size_t segments) {
        const std::size_t needed = allocated + segments * kSegment * sizeof(Bucket);
        if (needed <= memory_.bytes()) return true;
        if (needed > max_bytes_ || (patience_ > 0 && --patience_ > 0)) return false;
        if (memory_.resize(std::min(max_bytes_, (needed / kStep + 1) * kStep))) return true;
        patience_ = kPatience;
        return false;
    }

    static constexpr std::size_t kStep = std::size_t{1} << 14;  // bytes asked for at a time
    static constexpr std::size_t kPatience = 4096;  // to ask again, where there were none

    std::size_t max_bytes_;
    mutable std::mutex mutex_;
    std::vector<std::unique_ptr<Bucket[]>> segments_;
    std::uint64_t bucket_count_ = 0;
    std::size_t used_ = 0;
    std::size_t allocated_ = 0;
    std::uint64_t inserted_ = 0;
    std::uint64_t age_ = 0;  // how often as much has been inserted as there is room for
    std::size_t patience_ = 0;
    Reservation memory_;
};

}  // namespace engine
