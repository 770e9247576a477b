#include "engine/rules/rules_followers.hpp"

#include <algorithm>
#include <bit>
#include <boost/sort/spreadsort/integer_sort.hpp>
#include <numeric>

namespace engine::rules {

void FollowerList::expect(std::size_t heaps, std::span<const Range> ranges) {
    Group& rows = group(heaps);
    const bool is_new = rows.lowest.empty();
    rows.lowest.resize(entries_);
    rows.highest.resize(entries_);
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

void FollowerList::Group::sort() {
    if (is_packed) {
        sort_keys();
    } else {
        sort_rows();
    }
}

// Many keys from a small range are marked in a bitmap.
void FollowerList::Group::sort_keys() {
    constexpr int kMaxBits = 28;  // 32 MiB
    if (key_bits > kMaxBits || numbers.size() < (std::size_t{1} << key_bits) / 64) {
        boost::sort::spreadsort::integer_sort(numbers.begin(), numbers.end());
        numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
        return;
    }
    std::vector<std::uint64_t> marks(((std::size_t{1} << key_bits) + 63) / 64);
    for (const std::uint64_t key : numbers) marks[key / 64] |= std::uint64_t{1} << (key % 64);
    numbers.clear();
    for (std::size_t word = 0; word < marks.size(); ++word) {
        for (std::uint64_t left = marks[word]; left != 0; left &= left - 1) {
            numbers.push_back(word * 64 + static_cast<std::uint64_t>(std::countr_zero(left)));
        }
    }
}

void FollowerList::Group::sort_rows() {
    const std::size_t size = width();
    const auto row = [&](std::size_t index) {
        return std::span(numbers).subspan(index * size, size);
    };
    std::vector<std::size_t> order(count());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
        return std::ranges::lexicographical_compare(row(a), row(b));
    });
    const auto same = [&](std::size_t a, std::size_t b) {
        return std::ranges::equal(row(a), row(b));
    };
    order.erase(std::unique(order.begin(), order.end(), same), order.end());
    std::vector<std::uint64_t> sorted;
    sorted.reserve(order.size() * size);
    for (const std::size_t index : order) {
        const auto from = row(index);
        sorted.insert(sorted.end(), from.begin(), from.end());
    }
    numbers = std::move(sorted);
}

void FollowerList::add(const MoveBlock& block) {
    if (block.count == 0) return;
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
    if (rows.numbers.size() < std::max(kSweep, rows.next_sweep)) return;
    rows.sort();
    rows.next_sweep = 2 * rows.numbers.size();
}

void FollowerList::finish() {
    size_ = 0;
    for (Group& rows : groups_) {
        rows.sort();
        rows.numbers.shrink_to_fit();
        size_ += rows.count();
    }
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
