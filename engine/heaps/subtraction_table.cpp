#include "engine/heaps/subtraction_table.hpp"

#include <algorithm>
#include <utility>

#include "engine/base/turn.hpp"

namespace engine {
namespace {

LawPlan laws_of(const TakeSet& set) {
    const Interval& last = set.intervals().back();
    return {.reach = set.is_open() ? last.first - 1 : last.last, .rises = set.is_open()};
}

}  // namespace

SubtractionTable::SubtractionTable(const TakeSet& set)
    : set_(set),
      is_listed_(!SubtractionSweep::is_small(set)),
      sequence_(std::make_unique<SubtractionSweep>(set), laws_of(set), {.listed = is_listed_}) {
}

std::size_t SubtractionTable::most_heaps(Number heap) const {
    constexpr std::size_t kShare = 4;
    const std::size_t bytes = is_listed_ ? 2 + sizeof(std::uint32_t) : 1;
    const std::size_t most = std::min(kMaxHeaps, Memory::limit() / kShare / bytes);
    return heap >= most && laws_of(set_).reach >= most ? std::min(kFewHeaps, most) : most;
}

std::optional<ProvenLaw> SubtractionTable::law(Number limit, const Budget& budget) const {
    const auto law = sequence_.law(limit, budget, most_heaps(limit));
    if (!law) return std::nullopt;
    return ProvenLaw{*law, set_.is_open() ? "state" : "window", sequence_.known()->heaps()};
}

// ---- nimbers ----

namespace {

constexpr std::size_t kUnrolled = 16;

constexpr std::uint64_t bit(std::uint8_t value) { return std::uint64_t{1} << value; }

// The nimbers of heaps begin..end-1, none of which is below a member. The number of members is
// a template argument, so that a heap takes a few instructions a member. If 1 is a member too
// (it is not among `members`), the previous nimber stays in a register, since loading what has
// just been stored would take longer than all the rest.
template <bool HasOne, std::size_t... I>
void fill(std::uint8_t* values, std::size_t begin, std::size_t end, const Number* members,
          std::index_sequence<I...>) {
    const std::array<const std::uint8_t*, sizeof...(I)> options{values - members[I]...};
    std::uint8_t last = HasOne ? values[begin - 1] : 0;
    for (std::size_t heap = begin; heap < end; ++heap) {
        std::uint64_t mask = (bit(options[I][heap]) | ...);
        if constexpr (HasOne) mask |= bit(last);
        last = static_cast<std::uint8_t>(std::countr_one(mask));
        values[heap] = last;
    }
}

using Fill = void (*)(std::uint8_t*, std::size_t, std::size_t, const Number*);

template <bool HasOne, std::size_t... Count>
constexpr std::array<Fill, sizeof...(Count)> fills(std::index_sequence<Count...>) {
    return {
        +[](std::uint8_t* values, std::size_t begin, std::size_t end, const Number* members) {
            fill<HasOne>(values, begin, end, members, std::make_index_sequence<Count + 1>());
        }...};
}

// For 1, 2, … members, and for the same numbers of members besides 1.
constexpr auto kFills = fills<false>(std::make_index_sequence<kUnrolled>());
constexpr auto kFillsWithOne = fills<true>(std::make_index_sequence<kUnrolled>());

// `members` descend.
void fill(std::uint8_t* values, std::size_t begin, std::size_t end,
          std::span<const Number> members) {
    const bool has_one = members.size() > 1 && members.back() == 1;
    const std::size_t others = members.size() - (has_one ? 1 : 0);
    if (others > 0 && others <= kUnrolled) {
        const auto& by_count = has_one ? kFillsWithOne : kFills;
        return by_count[others - 1](values, begin, end, members.data());
    }
    for (std::size_t heap = begin; heap < end; ++heap) {
        std::uint64_t mask = 0;
        for (const Number member : members) mask |= bit(values[heap - member]);
        values[heap] = static_cast<std::uint8_t>(std::countr_one(mask));
    }
}

}  // namespace

SubtractionSweep::SubtractionSweep(TakeSet set)
    : set_(std::move(set)), members_(set_.members(kFewMembers)) {
    std::ranges::reverse(members_);
}

bool SubtractionSweep::reserve(std::size_t heaps) {
    auto larger = values_
                      ? NimberArray::copy(*values_, values_->size(), heaps, values_->width())
                      : NimberArray::make(heaps, NimberArray::Width::Byte);
    if (larger == nullptr) return false;
    values_ = std::move(larger);
    return true;
}

bool SubtractionSweep::extend(std::size_t end, std::size_t work) {
    if ((!values_ || end > values_->capacity()) && !reserve(end)) return false;
    const std::size_t heaps = work / 2 / set_.intervals().size();  // a heap takes that, roughly
    end = std::min(end, size() + std::max<std::size_t>(heaps, 1));
    if (!members_.empty()) {
        extend_by_mask(end);
        return true;
    }
    while (size() < end) {
        // Once for each heap, also if memory is short and the heap's turn comes again.
        if (noted_ == size()) note_options(noted_++);
        const auto value = static_cast<std::uint32_t>(option_values_.least_missing());
        if (!make_room_for(value) || !NimberArray::make_room_for(values_, value)) return false;
        values_->push_back(value);
    }
    return true;
}

// A heap that is smaller than a member does not have that one's option: members come into play
// one by one.
void SubtractionSweep::extend_by_mask(std::size_t end) {
    while (size() < end) {
        const std::size_t begin = size();
        const auto first = std::ranges::lower_bound(members_, begin, std::ranges::greater());
        const std::size_t stop =
            first == members_.begin() ? end : std::min<Number>(end, *(first - 1));
        values_->append(stop - begin, [&]<typename Value>(Value* values) {
            if constexpr (sizeof(Value) == 1)
                fill(values, begin, stop, {first, members_.end()});
        });
    }
}

// From one heap to the next, the options of each interval move on by one heap.
void SubtractionSweep::note_options(std::size_t heap) {
    const NimberArray& values = *values_;
    for (const Interval& interval : set_.intervals()) {
        if (interval.first > heap) break;
        const std::uint32_t gained = values[heap - interval.first];
        if (option_counts_[gained]++ == 0) option_values_.insert(gained);
        if (interval.last >= heap) continue;
        const std::uint32_t lost = values[heap - interval.last - 1];
        if (--option_counts_[lost] == 0) option_values_.erase(lost);
    }
}

bool SubtractionSweep::make_room_for(std::uint32_t value) {
    if (value < option_counts_.size()) return true;
    const std::size_t size = std::max<std::size_t>(1024, 2 * (std::size_t{value} + 1));
    if (!counts_memory_.resize(size * (sizeof(std::uint32_t) + 1))) return false;
    option_counts_.resize(size);
    return true;
}

// ---- P-positions ----

namespace {

constexpr unsigned kEight = 8;

}  // namespace

OutcomeSweep::OutcomeSweep(const TakeSet& set) {
    for (const Number member : set.members(kMostMembers)) {
        if (member < 64) {
            near_.push_back(static_cast<unsigned>(member));
        } else {
            far_.push_back(
                {static_cast<std::size_t>(member / 64), static_cast<unsigned>(member % 64)});
        }
    }
    for (unsigned seen = 0; seen < p_of_eight_.size(); ++seen) {
        unsigned n = seen;
        for (unsigned heap = 0; heap < kEight; ++heap) {
            if (n >> heap & 1) continue;
            p_of_eight_[seen] = static_cast<std::uint8_t>(p_of_eight_[seen] | 1U << heap);
            for (const unsigned member : near_) {
                if (member < kEight) n |= 1U << heap << member;
            }
        }
    }
}

bool OutcomeSweep::reserve(std::size_t heaps) {
    const std::size_t words = (heaps + 63) / 64;
    if (words <= p_.size()) return true;
    // While it moves, both are held.
    if (!memory_.resize((p_.size() + words) * sizeof(std::uint64_t))) return false;
    std::vector<std::uint64_t> larger(words);
    std::copy_n(p_.begin(), words_, larger.begin());
    p_ = std::move(larger);
    return memory_.resize(words * sizeof(std::uint64_t));
}

void OutcomeSweep::extend(std::size_t end) {
    while (size() < end) {
        p_[words_] = next_word();
        ++words_;
    }
}

std::uint64_t OutcomeSweep::next_word() const {
    const std::uint64_t* next = p_.data() + words_;
    std::uint64_t n = 0;
    for (const auto [words, bits] : far_) {
        if (words > words_) break;
        n |= next[-static_cast<std::ptrdiff_t>(words)] << bits;
        if (bits > 0 && words < words_)
            n |= next[-static_cast<std::ptrdiff_t>(words) - 1] >> (64 - bits);
    }
    if (near_.empty()) return ~n;

    const std::uint64_t before = words_ > 0 ? next[-1] : 0;
    for (const unsigned member : near_) n |= before >> (64 - member);
    // `step` heaps at a time: no member leads from one of them to another, unless some are
    // below eight; then it is eight heaps, and p_of_eight_ follows the moves among them.
    const unsigned step = std::max(near_.front(), kEight);
    const std::uint64_t chunk = (std::uint64_t{1} << step) - 1;
    std::uint64_t p = 0;
    for (unsigned begin = 0; begin < 64; begin += step) {
        const std::uint64_t seen = n >> begin & chunk;
        const std::uint64_t fresh = step == kEight ? p_of_eight_[seen] : ~seen & chunk;
        p |= fresh << begin;
        for (const unsigned member : near_) n |= fresh << begin << member;
    }
    return p;
}

std::optional<bool> OutcomeTable::is_p_position(Number heap, const Budget& budget) const {
    constexpr std::size_t kShare = 4;
    constexpr std::size_t kStep = std::size_t{1} << 18;
    if (heap / 8 >= Memory::limit() / kShare) return std::nullopt;
    const auto wanted = static_cast<std::size_t>(heap);
    while (!budget.is_spent()) {
        const auto turn = take_turn(mutex_, budget);
        if (!turn) break;
        if (wanted < sweep_.size()) return sweep_.is_p_position(wanted);
        if (!sweep_.reserve(wanted + 1)) return std::nullopt;
        sweep_.extend(std::min(wanted + 1, sweep_.size() + kStep));
    }
    return std::nullopt;
}

}  // namespace engine
