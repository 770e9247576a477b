#include "engine/heaps/break_moves.hpp"

#include <algorithm>

namespace engine {

BreakMoves BreakMoves::of_digits(const std::vector<std::uint8_t>& digits, bool unequal) {
    BreakMoves moves;
    moves.unequal = unequal;
    std::vector<std::uint32_t>* const lists[] = {&moves.to_none, &moves.to_one, &moves.to_two,
                                                 &moves.to_three};
    for (std::uint32_t place = 0; place < digits.size(); ++place) {
        for (unsigned bit = 0; bit < 4; ++bit) {
            if ((digits[place] >> bit & 1) != 0) lists[bit]->push_back(place);
        }
    }
    return moves;
}

Number BreakMoves::last_place() const {
    Number last = 0;
    for (const auto* places : {&to_none, &to_one, &to_two, &to_three}) {
        if (!places->empty()) last = std::max<Number>(last, places->back());
    }
    return last;
}

Number BreakMoves::most_heaps() const { return to_three.empty() ? 2 : 3; }

std::size_t BreakMoves::size() const {
    return to_none.size() + to_one.size() + to_two.size() + to_three.size();
}

}  // namespace engine
