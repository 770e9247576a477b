#include "engine/heaps/subtraction_table.hpp"

#include <algorithm>

#include "engine/base/turn.hpp"

namespace engine {
namespace {

constexpr Count kMostMembers = 256;
constexpr unsigned kEight = 8;

}  // namespace

bool OutcomeSweep::serves(const TakeSet& set) { return !set.members(kMostMembers).empty(); }

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
