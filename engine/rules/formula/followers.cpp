#include "engine/rules/formula/evaluator.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>

#include "engine/base/sort_in_pieces.hpp"

namespace engine::rules {
namespace {

constexpr std::size_t kPollEvery = std::size_t{1} << 16;  // numbers

}  // namespace

void FollowerList::expect(std::size_t heaps, std::span<const Range> ranges) {
    Group& rows = group(heaps);
    const bool is_new = rows.bits.empty();
    std::size_t total = 0;
    rows.bits.clear();
    for (std::size_t i = 0; i < entries_; ++i) {
        const auto lowest = static_cast<Number>(std::max<std::int64_t>(0, ranges[i].lowest));
        const auto highest =
            std::max(lowest, static_cast<Number>(std::max<std::int64_t>(0, ranges[i].highest)));
        rows.lowest[i] = is_new ? lowest : std::min(rows.lowest[i], lowest);
        rows.highest[i] = is_new ? highest : std::max(rows.highest[i], highest);
        rows.bits.push_back(std::bit_width(rows.highest[i] - rows.lowest[i]));
        total += static_cast<std::size_t>(rows.bits.back());
    }
    rows.is_packed = total * heaps <= 64;
    rows.key_bits = rows.is_packed ? static_cast<int>(total * heaps) : 0;
}

FollowerList::Group& FollowerList::group(std::size_t heaps) {
    auto found = std::ranges::lower_bound(groups_, heaps, {}, &Group::heaps);
    if (found == groups_.end() || found->heaps != heaps) {
        found = groups_.insert(found, Group());
        found->heaps = heaps;
        found->lowest.resize(entries_);
        found->highest.resize(entries_);
    }
    return *found;
}

std::uint64_t FollowerList::Group::pack(std::span<const Number> row) const {
    std::uint64_t key = 0;
    std::size_t entry = 0;
    for (const Number number : row) {
        if (bits[entry] > 0)
            key = (bits[entry] < 64 ? key << bits[entry] : 0) | (number - lowest[entry]);
        entry = entry + 1 == bits.size() ? 0 : entry + 1;
    }
    return key;
}

std::vector<Number> FollowerList::Group::unpack(std::uint64_t key) const {
    std::vector<Number> row(width());
    for (std::size_t i = row.size(); i-- > 0;) {
        const std::size_t entry = i % bits.size();
        row[i] = lowest[entry];
        if (bits[entry] == 0) continue;
        row[i] += bits[entry] < 64 ? key & ((std::uint64_t{1} << bits[entry]) - 1) : key;
        key = bits[entry] < 64 ? key >> bits[entry] : 0;
    }
    return row;
}

bool FollowerList::Group::sort(const GiveUp& give_up) {
    return is_packed ? sort_keys(give_up) : sort_rows(give_up);
}

bool FollowerList::Group::sort_keys(const GiveUp& give_up) {
    constexpr int kMaxBits = 28;  // 32 MiB
    const bool are_dense =
        key_bits <= kMaxBits && numbers.size() >= (std::size_t{1} << key_bits) / 64;
    if (are_dense) return mark_keys(give_up);
    const std::size_t bytes = 2 * numbers.capacity() * sizeof(std::uint64_t);
    if (!sort_in_pieces(numbers, std::less<>(), [&] { return give_up(bytes); })) return false;
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return true;
}

// Many keys from a small range are marked in a bitmap.
bool FollowerList::Group::mark_keys(const GiveUp& give_up) {
    const std::size_t words = ((std::size_t{1} << key_bits) + 63) / 64;
    const std::size_t bytes = (words + numbers.capacity()) * sizeof(std::uint64_t);
    if (words > kPollEvery && give_up(bytes)) return false;
    std::vector<std::uint64_t> marks(words);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        marks[numbers[i] / 64] |= std::uint64_t{1} << (numbers[i] % 64);
        if (i % kPollEvery == kPollEvery - 1 && give_up(bytes)) return false;
    }
    numbers.clear();
    for (std::size_t word = 0; word < words; ++word) {
        for (std::uint64_t left = marks[word]; left != 0; left &= left - 1) {
            numbers.push_back(word * 64 + static_cast<std::uint64_t>(std::countr_zero(left)));
        }
        if (word % kPollEvery == kPollEvery - 1 && give_up(bytes)) return false;
    }
    return true;
}

bool FollowerList::Group::sort_rows(const GiveUp& give_up) {
    const std::size_t size = width();
    const auto row = [&](std::size_t index) {
        return std::span(numbers).subspan(index * size, size);
    };
    const std::size_t bytes = 2 * (numbers.capacity() + count()) * sizeof(std::uint64_t);
    if (count() > kPollEvery && give_up(bytes)) return false;
    std::vector<std::size_t> order(count());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto is_less = [&](std::size_t a, std::size_t b) {
        return std::ranges::lexicographical_compare(row(a), row(b));
    };
    if (!sort_in_pieces(order, is_less, [&] { return give_up(bytes); })) return false;
    std::vector<std::uint64_t> sorted;
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (i % kPollEvery == kPollEvery - 1 && give_up(bytes)) return false;
        const auto from = row(order[i]);
        if (i > 0 && std::ranges::equal(from, row(order[i - 1]))) continue;
        sorted.insert(sorted.end(), from.begin(), from.end());
    }
    numbers = std::move(sorted);
    return true;
}

bool FollowerList::add(const MoveBlock& block, const GiveUp& give_up) {
    if (give_up(bytes())) return false;
    if (block.count == 0) return true;
    constexpr std::size_t kSweep = 1 << 20;  // keep repeated rows from piling up
    Group& rows = group(block.heaps);
    if (rows.is_packed) {
        for (std::size_t i = 0; i < block.count; ++i) {
            rows.numbers.push_back(rows.pack(block.row(i)));
        }
    } else {
        rows.numbers.insert(rows.numbers.end(), block.rows,
                            block.rows + block.count * block.width());
    }
    if (rows.numbers.size() < std::max(kSweep, rows.next_sweep)) return true;
    if (!rows.sort(give_up)) return false;
    rows.next_sweep = 2 * rows.numbers.size();
    return true;
}

bool FollowerList::finish(const GiveUp& give_up) {
    size_ = 0;
    for (Group& rows : groups_) {
        if (!rows.sort(give_up)) return false;
        if (rows.numbers.size() < kPollEvery) rows.numbers.shrink_to_fit();
        size_ += rows.count();
    }
    return true;
}

std::vector<Number> FollowerList::row(std::size_t index) const {
    for (const Group& rows : groups_) {
        if (index >= rows.count()) {
            index -= rows.count();
            continue;
        }
        if (rows.is_packed) return rows.unpack(rows.numbers[index]);
        const auto begin =
            rows.numbers.begin() + static_cast<std::ptrdiff_t>(index * rows.width());
        return {begin, begin + static_cast<std::ptrdiff_t>(rows.width())};
    }
    return {};
}

std::size_t FollowerList::bytes() const {
    std::size_t bytes = sizeof *this;
    for (const Group& rows : groups_) {
        bytes += sizeof rows + rows.numbers.capacity() * sizeof(std::uint64_t);
    }
    return bytes;
}

}  // namespace engine::rules
