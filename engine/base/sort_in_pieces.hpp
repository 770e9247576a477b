// A stable sort that can be cancelled.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace engine {

// Merge sort. Calls `give_up` after each piece of work, a fraction of a millisecond for
// numbers; false if that returned true, and items are lost. Doubles the memory for a while.
template <typename Item, typename Less, typename GiveUp>
bool sort_in_pieces(std::vector<Item>& items, Less less, const GiveUp& give_up) {
    constexpr std::size_t kPiece = std::size_t{1} << 14;
    const auto at = [](std::vector<Item>& of, std::size_t index) {
        return of.begin() + static_cast<std::ptrdiff_t>(std::min(index, of.size()));
    };
    for (std::size_t begin = 0; begin < items.size(); begin += kPiece) {
        if (begin > 0 && give_up()) return false;
        std::stable_sort(at(items, begin), at(items, begin + kPiece), less);
    }
    if (items.size() <= kPiece) return true;
    std::vector<Item> merged(items.size());
    std::size_t work = 0;
    for (std::size_t run = kPiece; run < items.size(); run *= 2) {
        auto out = merged.begin();
        for (std::size_t begin = 0; begin < items.size(); begin += 2 * run) {
            auto left = at(items, begin);
            const auto middle = at(items, begin + run);
            auto right = middle;
            const auto end = at(items, begin + 2 * run);
            while (left != middle || right != end) {
                if (++work % kPiece == 0 && give_up()) return false;
                const bool take_right = left == middle || (right != end && less(*right, *left));
                *out++ = std::move(take_right ? *right++ : *left++);
            }
        }
        items.swap(merged);
    }
    return true;
}

}  // namespace engine
