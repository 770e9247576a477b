#include "engine/heaps/break_moves.hpp"

#include <algorithm>

#include "engine/base/wide.hpp"

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

namespace {

constexpr std::size_t kPollPairs = 1 << 16;  // pairs

// The size of `rows` rows of which the first has `count` followers and each later one three
// fewer.
Wide in_rows(Count count, Wide rows) { return rows * count - 3 * (rows * (rows - 1) / 2); }

std::vector<Heap> sorted(std::vector<Number> parts) {
    std::ranges::sort(parts);
    return {parts.begin(), parts.end()};
}

class Visitor {
  public:
    Visitor(const BreakMoves& moves, const KnownNimbers& known, const Budget& budget,
            const std::function<bool(const FollowerFamily&)>& visit)
        : moves_(moves), known_(known), poll_(budget, kPollPairs), visit_(visit) {
        if (known.law()) law_ = *known.law();
    }

    bool run(Number heap, Number value) {
        if (value == 0 && std::ranges::binary_search(moves_.to_none, heap)) emit({});
        for (const Number place : moves_.to_one) {
            if (place >= heap || stopped_) break;
            leave_one(heap - place, value);
        }
        for (const Number place : moves_.to_two) {
            if (place + 2 > heap || stopped_) break;
            leave_two({.heaps = 2, .total = heap - place}, 1, heap - place, value);
        }
        for (const Number place : moves_.to_three) {
            if (place + 3 > heap || stopped_) break;
            leave_three(heap - place, value);
        }
        return complete_ && !stopped_;
    }

  private:
    void emit(const FollowerFamily& family) {
        if (!visit_(family)) stopped_ = true;
    }

    bool is_polled_out() {
        if (poll_.is_spent()) stopped_ = true;
        return stopped_;
    }

    void leave_one(Number rest, Number value) {
        if (is_polled_out()) return;
        if (!known_.has(rest)) {
            complete_ = false;
            return;
        }
        if (known_[rest] == value) emit({.heaps = 1, .total = rest});
    }

    // Two parts of `total`, the smaller one `from` at least: one by one while it is
    // below the preperiod, then class by class modulo the period.
    void leave_two(FollowerFamily family, Number from, Number total, Number value) {
        if (is_polled_out()) return;
        const Number half = moves_.unequal ? (total - 1) / 2 : total / 2;
        Number last = half;
        Number classes = half + 1;
        if (known_.law()) {
            classes = std::max(from, law_.preperiod);
            if (half >= classes) last = std::min(half, classes + law_.period - 1);
        } else {
            if (known_.size() == 0 || total - from >= known_.size()) complete_ = false;
            if (known_.size() == 0) return;
            if (total >= known_.size()) from = std::max(from, total - (known_.size() - 1));
        }
        if (from > last) return;
        known_.values()->visit([&](const auto* values) {
            scan(family, values, from, last, total, value, [&](Number low) {
                return low < classes ? Count{1} : (half - low) / law_.period + 1;
            });
        });
    }

    template <typename Value, typename CountFrom>
    void scan(FollowerFamily& family, const Value* values, Number from, Number last,
              Number total, Number value, CountFrom count_from) {
        const std::size_t size = known_.size();
        const auto wrap = static_cast<std::size_t>(law_.preperiod);
        std::size_t low_place = known_.place(from);
        std::size_t high_place = known_.place(total - from);
        family.step = std::max<Number>(law_.period, 1);
        for (Number low = from;; ++low) {
            if (static_cast<Number>(values[low_place] ^ values[high_place]) == value) {
                family.first = low;
                family.count = count_from(low);
                emit(family);
            }
            if (low == last || is_polled_out()) return;
            if (++low_place == size) low_place = wrap;
            const Number high = total - low - 1;
            high_place = high < size ? static_cast<std::size_t>(high)
                                     : (high_place == wrap ? size : high_place) - 1;
        }
    }

    void leave_three(Number total, Number value) {
        const Number third = total / 3;
        FollowerFamily family{.heaps = 3, .total = total};
        Number least = 1;
        const Number one_by_one =
            known_.law() ? std::max<Number>(law_.preperiod, 1) : third + 1;
        if (!known_.law() && total - 2 >= known_.size()) {
            complete_ = false;
            if (known_.size() == 0) return;
        }
        for (; least <= third && least < one_by_one && !stopped_; ++least) {
            if (!known_.has(least)) return;
            family.least = least;
            leave_two(family, least, total - least, value ^ known_[least]);
        }
        if (known_.law() && least <= third) leave_three_by_classes(total, value, least);
    }

    // All three parts lie in the period. When the least part grows by two periods, each residue
    // class offers three choices fewer for the second part.
    void leave_three_by_classes(Number total, Number value, Number begin) {
        const Number period = law_.period;
        for (Number least = begin; least < begin + 2 * period; ++least) {
            if (least > total / 3) return;
            const Number half = (total - least) / 2;
            const Number rest = value ^ known_[least];
            for (Number second = least; second < least + period && second <= half; ++second) {
                if (is_polled_out()) return;
                const Number third = total - least - second;
                if ((known_[second] ^ known_[third]) != rest) continue;
                emit({.heaps = 3,
                      .total = total,
                      .least = least,
                      .first = second,
                      .step = period,
                      .count = (half - second) / period + 1,
                      .row_step = 2 * period});
            }
        }
    }

    const BreakMoves& moves_;
    const KnownNimbers& known_;
    BudgetPoll poll_;
    const std::function<bool(const FollowerFamily&)>& visit_;
    Law law_;
    bool complete_ = true;
    bool stopped_ = false;
};

}  // namespace

Count FollowerFamily::size() const {
    if (row_step == 0) return count;
    const Wide all = in_rows(count, (Wide{count} + 2) / 3);
    return all < kMany ? static_cast<Count>(all) : kMany;
}

std::vector<Heap> FollowerFamily::at(Count index) const {
    if (heaps == 0) return {Heap(Number{0})};
    if (heaps == 1) return {Heap(total)};
    Number row = 0;
    if (row_step > 0) {
        Number end = (count + 2) / 3;  // index is in the row or above, and below this one
        while (end - row > 1) {
            const Number middle = row + (end - row) / 2;
            (in_rows(count, middle) > index ? end : row) = middle;
        }
        index -= static_cast<Count>(in_rows(count, row));
    }
    const Number one = least + row * row_step;
    const Number two = first + row * row_step + index * step;
    if (heaps == 2) return sorted({two, total - two});
    return sorted({one, two, total - one - two});
}

bool visit_families(const BreakMoves& moves, const KnownNimbers& known, Number heap,
                    Number value, const Budget& budget,
                    const std::function<bool(const FollowerFamily&)>& visit) {
    return Visitor(moves, known, budget, visit).run(heap, value);
}

}  // namespace engine
