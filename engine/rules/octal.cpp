#include "engine/rules/octal.hpp"

#include <algorithm>
#include <numeric>

namespace engine {

using protocol::Scanner;

namespace {

constexpr std::size_t kMostHeaps = 3;
constexpr std::size_t kMostRepeated = 10000;  // a place takes some 500 bytes

// Partitions of n into three parts are (n^2 - excess)/12 by n modulo 6: n^2/12 rounded.
constexpr std::array<int, 6> kExcess{0, 1, 4, -3, 4, 1};

// In how many ways `size` is a sum of one, two or three positive numbers.
Wide partitions(std::size_t parts, Number size) {
    if (parts == 1) return size > 0 ? 1 : 0;
    if (parts == 2) return size / 2;
    return (Wide{size} * size + 3) / 12;
}

// Beyond it three heaps can be left in more ways than a Count holds, by one place alone.
constexpr Number kHuge = Number{1} << 40;

// Number `index` of the ways to write `size` as `parts` positive numbers, ascending.
std::vector<Heap> partition(std::size_t parts, Number size, Count index) {
    if (parts == 1) return {Heap(size)};
    if (parts == 2) return {Heap(index + 1), Heap(size - index - 1)};
    // With the least part a or below: all, less those whose parts all exceed a, which is to
    // say, after taking a from each part, the partitions of size - 3a.
    const auto up_to = [&](Number a) {
        return partitions(3, size) - partitions(3, size - 3 * a);
    };
    Number low = 0;
    Number high = size / 3;
    while (high - low > 1) {
        const Number middle = low + (high - low) / 2;
        (up_to(middle) > index ? high : low) = middle;
    }
    const auto second = high + static_cast<Number>(index - up_to(low));
    return {Heap(high), Heap(second), Heap(size - high - second)};
}

// The value of a digit of the base; 16 for any other character.
unsigned digit_value(char c, CodeBase base) {
    constexpr unsigned kNone = 16;
    if (c >= '0' && c <= '7') return static_cast<unsigned>(c - '0');
    if (base == CodeBase::Octal) return kNone;
    if (c == '8' || c == '9') return static_cast<unsigned>(c - '0');
    return c >= 'A' && c <= 'F' ? static_cast<unsigned>(c - 'A' + 10) : kNone;
}

}  // namespace

OctalCode::OctalCode(std::vector<std::uint8_t> digits, std::size_t repeated)
    : digits_(std::move(digits)), repeated_(repeated) {
    const auto cycle = digits_.end() - static_cast<std::ptrdiff_t>(repeated_);
    if (std::all_of(cycle, digits_.end(), [](unsigned digit) { return digit == 0; })) {
        repeated_ = 0;
    }
    while (repeated_ == 0 && digits_.size() > 1 && digits_.back() == 0) digits_.pop_back();
}

Result<OctalCode> read_octal_code(Scanner& scanner, CodeBase base) {
    const bool hex = base == CodeBase::Hex;
    const auto is_code_digit = [&](char c) { return digit_value(c, base) < 16; };
    const std::size_t begin = scanner.at();
    std::vector<std::uint8_t> digits{0};
    std::string read = ".";

    if (is_code_digit(scanner.peek())) {
        read.insert(0, 1, scanner.peek());
        const unsigned splits = digit_value(scanner.peek(), base);
        if (splits % 4 != 0) {
            return Scanner::refuse_word(
                begin, std::string(1, scanner.peek()),
                (hex ? std::string("0, 4, 8 or C") : std::string("0 or 4")) +
                    " before the point: a move must change something");
        }
        digits[0] = static_cast<std::uint8_t>(splits);
        scanner.advance();
        if (scanner.peek() != '.') return scanner.refuse("'.' after the first digit");
    }
    if (!scanner.accept('.')) {
        return scanner.refuse(hex ? "a code such as 0.8F" : "a code such as 0.77");
    }
    std::string places(scanner.take_while(is_code_digit));
    const std::string digit = hex ? "a digit 0-9 or A-F" : "a digit 0-7";
    std::size_t repeated = 0;
    const std::size_t bracket = scanner.at();
    if (scanner.accept('[')) {
        const std::string_view cycle = scanner.take_while(is_code_digit);
        repeated = cycle.size();
        if (repeated == 0) return scanner.refuse(digit);
        if (repeated > kMostRepeated) {
            return scanner.refuse_at(
                bracket, "at most " + std::to_string(kMostRepeated) + " digits that repeat");
        }
        if (!scanner.accept(']')) return scanner.refuse(digit + " or ']'");
        places += cycle;
        if (!scanner.at_end() && scanner.peek() != '}') {
            return scanner.refuse("the end of the code after the digits that repeat");
        }
    }
    const bool could_be_hex = !hex && digit_value(scanner.peek(), CodeBase::Hex) < 16;
    if (could_be_hex) return scanner.refuse(digit + "; with more it is a hex{CODE}");
    const bool ends = scanner.at_end() || scanner.peek() == '}';
    // Not the brace, which is not there where the code stands alone.
    const bool is_empty = places.empty() && digits[0] == 0;
    if (is_empty && ends) {
        return Error{Fault::BadInput, "read the end of the code, expected " + digit,
                     scanner.at() + 1};
    }
    if (!ends) return scanner.refuse(digit + (is_empty ? "" : " or the end of the code"));

    digits.reserve(1 + places.size());
    for (const char c : places) {
        digits.push_back(static_cast<std::uint8_t>(digit_value(c, base)));
    }
    if (std::ranges::count(digits, 0) == static_cast<std::ptrdiff_t>(digits.size())) {
        return Scanner::refuse_word(begin, read + places, "a code with a digit that is not 0");
    }
    return OctalCode(std::move(digits), repeated);
}

Octal::Octal(OctalCode code, bool unequal) : code_(std::move(code)), unequal_(unequal) {
    const std::size_t size = code_.digits().size();
    const std::size_t repeated = code_.repeated();
    if (repeated > 0) cycle_ = std::lcm(repeated, std::size_t{6});
    for (std::size_t heaps = 1; heaps <= kMostHeaps; ++heaps) {
        const std::size_t cycle = size - repeated;
        leaving_[heaps] = places_between(heaps, 0, cycle);
        repeating_[heaps] = places_between(heaps, cycle, cycle + cycle_);
    }
}

Octal::Places Octal::places_between(std::size_t heaps, std::size_t begin,
                                    std::size_t end) const {
    Places places;
    Places::Sums sums;
    for (std::size_t taken = begin; taken < end; ++taken) {
        if ((code_.digit(taken) >> heaps & 1) == 0) continue;
        places.taken.push_back(static_cast<std::uint32_t>(taken));
        if (heaps == 1) continue;
        places.before.push_back(sums);
        sums.places += taken;
        sums.squares += std::uint64_t{taken} * taken;
        ++sums.by_residue[taken % 6];
    }
    if (heaps > 1) places.before.push_back(sums);
    return places;
}

Number Octal::usable_places(std::size_t heaps, Number size) const {
    if (size < least(heaps)) return 0;
    const auto up_to = [](const std::vector<std::uint32_t>& taken, Number most) {
        return static_cast<Number>(std::ranges::upper_bound(taken, most) - taken.begin());
    };
    const Number most = size - least(heaps);
    const Number first = up_to(leaving_[heaps].taken, most);
    const auto& cycle = repeating_[heaps].taken;
    if (cycle.empty() || cycle.front() > most) return first;
    const Number whole = (most - cycle.front()) / cycle_;
    return first + whole * cycle.size() + up_to(cycle, most - whole * cycle_);
}

Number Octal::place(std::size_t heaps, Number index) const {
    const auto& first = leaving_[heaps].taken;
    if (index < first.size()) return first[static_cast<std::size_t>(index)];
    const auto& cycle = repeating_[heaps].taken;
    index -= first.size();
    return cycle[static_cast<std::size_t>(index % cycle.size())] +
           index / cycle.size() * cycle_;
}

// With r = size - place: sums of r, and of r^2, less what rounding takes off.
Wide Octal::ways_by(const Places& all, std::size_t heaps, Number size,
                    std::size_t places) const {
    if (heaps == 1 || places == 0) return places;
    const Places::Sums& sums = all.before[places];
    if (heaps == 2) {
        Wide lost = 0;  // of an odd r one; of an even one, whose halves are equal, two
        for (std::size_t i = 0; i < 6; ++i) {
            const unsigned each = (size + i) % 2 == 1 ? 1 : unequal_ ? 2 : 0;
            lost += Wide{each} * sums.by_residue[i];
        }
        return (Wide{places} * size - sums.places - lost) / 2;
    }
    // The squares of many huge numbers would overflow, and one of them is more than enough.
    if (size - all.taken.front() >= kHuge) return partitions(3, size - all.taken.front());
    Wide twelve = Wide{places} * size * size + sums.squares - 2 * Wide{size} * sums.places;
    for (std::size_t i = 0; i < 6; ++i) {
        const int excess = kExcess[(size % 6 + 6 - i) % 6];
        const Wide total = Wide{sums.by_residue[i]} * static_cast<unsigned>(std::abs(excess));
        twelve = excess < 0 ? twelve + total : twelve - total;
    }
    return twelve / 12;
}

// In each cycle r is cycle_ smaller than in the one before it, and rounding takes off the same.
// So the ways are w(0) + w(1) + … with
//   two heaps:   w(i) = w(0) - i * cycle_ * places / 2,
//   three heaps: w(i) = w(0) - (2 * i * cycle_ * (sum of r) - i^2 * cycle_^2 * places) / 12.
Wide Octal::ways_in_cycles(std::size_t heaps, Number size, Number cycles) const {
    const Places& all = repeating_[heaps];
    const std::size_t places = all.taken.size();
    if (heaps == 1 || cycles == 0) return Wide{places} * cycles;
    const Wide once = ways_by(all, heaps, size, places);
    const Wide steps = Wide{cycles} * (cycles - 1) / 2;  // 0 + 1 + 2 + …
    if (heaps == 2) return once * cycles - places * (Wide{cycle_} * steps / 2);
    if (size - all.taken.front() >= kHuge) return once;
    const Wide squares = steps * (2 * Wide{cycles} - 1) / 3;  // 0 + 1 + 4 + …
    const Wide sizes = Wide{places} * size - all.before[places].places;
    return once * cycles -
           (2 * steps * cycle_ * sizes - squares * cycle_ * cycle_ * places) / 12;
}

Wide Octal::ways(std::size_t heaps, Number size, Number places) const {
    const std::size_t listed = leaving_[heaps].taken.size();
    if (places <= listed) {
        return ways_by(leaving_[heaps], heaps, size, static_cast<std::size_t>(places));
    }
    const Places& cycle = repeating_[heaps];
    const Number cycles = (places - listed) / cycle.taken.size();
    const auto more = static_cast<std::size_t>((places - listed) % cycle.taken.size());
    return ways_by(leaving_[heaps], heaps, size, listed) + ways_in_cycles(heaps, size, cycles) +
           ways_by(cycle, heaps, size - cycles * cycle_, more);
}

Result<void> Octal::check_heap(const Heap& heap) const {
    if (std::holds_alternative<Number>(heap)) return {};
    return refuse_heap(heap, "a number: heaps of octal games are numbers");
}

bool Octal::has_move(const Heap& heap) const {
    const Number size = std::get<Number>(heap);
    if (code_.digit(size) & 1) return true;
    for (std::size_t heaps = 1; heaps <= kMostHeaps; ++heaps) {
        if (usable_places(heaps, size) > 0) return true;
    }
    return false;
}

bool Octal::is_follower(const Heap& heap, std::span<const Heap> result) const {
    Number rest = std::get<Number>(heap);
    std::size_t heaps = 0;
    for (const Heap& left : result) {
        const auto* size = std::get_if<Number>(&left);
        if (size == nullptr || *size > rest || ++heaps > kMostHeaps) return false;
        if (*size == 0 && result.size() > 1) return false;
        rest -= *size;
    }
    if (heaps == 1 && is_zero(result.front())) heaps = 0;
    if (unequal_ && heaps == 2 && result.front() == result.back()) return false;
    return !result.empty() && (code_.digit(rest) >> heaps & 1) != 0;
}

Count Octal::follower_count(const Heap& heap) const {
    const Number size = std::get<Number>(heap);
    Wide count = code_.digit(size) & 1;
    for (std::size_t heaps = 1; heaps <= kMostHeaps; ++heaps) {
        count += ways(heaps, size, usable_places(heaps, size));
    }
    return count < kMany ? static_cast<Count>(count) : kMany;
}

// Followers in order of the number of heaps left, none first; then of the number taken.
std::vector<Heap> Octal::follower(const Heap& heap, Count index) const {
    const Number size = std::get<Number>(heap);
    if (code_.digit(size) & 1) {
        if (index == 0) return {Heap(Number{0})};
        --index;
    }
    for (std::size_t heaps = 1; heaps <= kMostHeaps; ++heaps) {
        const Number places = usable_places(heaps, size);
        const Wide count = ways(heaps, size, places);
        if (index >= count) {
            index -= static_cast<Count>(count);
            continue;
        }
        // The last place with no more than `index` ways before it.
        Number low = 0;
        Number high = places;
        while (high - low > 1) {
            const Number middle = low + (high - low) / 2;
            (ways(heaps, size, middle) <= index ? low : high) = middle;
        }
        index -= static_cast<Count>(ways(heaps, size, low));
        return partition(heaps, size - place(heaps, low), index);
    }
    return {};  // there is no such follower
}

std::size_t Octal::bytes() const {
    std::size_t bytes = sizeof *this + code_.digits().size();
    for (const auto* all : {&leaving_, &repeating_}) {
        for (const Places& places : *all) {
            bytes += places.taken.capacity() * sizeof(places.taken[0]) +
                     places.before.capacity() * sizeof(Places::Sums);
        }
    }
    return bytes;
}

}  // namespace engine
