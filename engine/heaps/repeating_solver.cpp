// octal{CODE} and hex{CODE} with digits that repeat for ever, such as octal{4.[3]}.
//
// An option of heap n is a set of heaps with some total t = n - k, where the digit at place k
// allows that many heaps. For each total the nimbers of all such sets are kept as bits. A digit
// that repeats every c places allows the totals t, t - c, t - 2c, …: so each total also keeps
// the union of its bits and those of the totals c, 2c, … below it, which is one `or` more than
// the union of total t - c. A heap then costs one `or` a digit, whatever its size, besides the
// pairs (or triples) of its own total. Only the totals that the digits reach are kept.
#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "engine/heaps/heap_solver.hpp"
#include "engine/heaps/nimber_sequence.hpp"
#include "engine/heaps/solvers.hpp"

namespace engine {
namespace {

// Whether any number may be taken, leaving one heap or none, and nothing split without taking:
// then heap n reaches all smaller ones, and no split has the nimber n, since a XOR b <= a + b.
bool takes_any(const shape::TakeAndBreak& moves) {
    return moves.digits[0] == 0 && std::all_of(moves.digits.begin() + 1, moves.digits.end(),
                                               [](unsigned digit) { return (digit & 3) == 3; });
}

constexpr std::size_t kFirstHeaps = 256;
constexpr std::size_t kParts = 4;  // 0 to 3 heaps may be left

using Bits = std::vector<std::uint64_t>;

void mark(Bits& bits, std::uint32_t value) {
    if (value / 64 >= bits.size()) bits.resize(value / 64 + 1);
    bits[value / 64] |= std::uint64_t{1} << (value % 64);
}

void merge(Bits& into, const Bits& from) {
    if (from.size() > into.size()) into.resize(from.size());
    for (std::size_t word = 0; word < from.size(); ++word) into[word] |= from[word];
}

std::uint32_t mex_of(const Bits& bits) {
    std::uint32_t word = 0;
    while (word < bits.size() && bits[word] == ~std::uint64_t{0}) ++word;
    const unsigned ones = word < bits.size() ? std::countr_one(bits[word]) : 0;
    return word * 64 + ones;
}

// Heaps that the table reaches at most: fewer where three heaps may be left, which costs the
// square of a heap.
constexpr std::size_t kMostHeaps = std::size_t{1} << 17;
constexpr std::size_t kMostHeapsOfThree = std::size_t{1} << 12;

class RepeatingSweep final : public NimberSweep {
  public:
    RepeatingSweep(std::vector<std::uint8_t> digits, std::size_t repeated)
        : digits_(std::move(digits)), repeated_(repeated) {
        for (const unsigned digit : digits_) leaves_ |= digit;
        for (auto* rings : {&exactly_, &down_to_}) {
            for (auto& ring : *rings) ring.resize(digits_.size());
        }
        start();
    }

    bool extend(std::size_t end, std::size_t work) override {
        if (!values_ && !start()) return false;
        const bool triples = (leaves_ & 8) != 0;
        const std::size_t most = triples ? kMostHeapsOfThree : kMostHeaps;
        for (std::size_t done = 0; size() < end && done < work;) {
            const std::size_t heap = size();
            if (heap >= most || !add_next(heap)) return false;
            done +=
                (triples ? heap * heap / 12 : heap / 2) + digits_.size() * options_.size() + 1;
        }
        return true;
    }

  private:
    bool start() {
        values_ = NimberArray::make(kFirstHeaps, NimberArray::Width::Byte);
        return values_ && add_value(0);
    }

    bool add_next(std::size_t heap) {
        // No play from a heap is longer than twice its size, and so no nimber is larger.
        const std::size_t longest = std::bit_ceil(2 * heap + 2) / 64 + 1;  // words of a set
        const std::size_t sets =
            2 * digits_.size() * static_cast<std::size_t>(std::popcount(leaves_ & 0xEu)) + 1;
        if (!memory_.resize(sets * longest * sizeof(std::uint64_t))) return false;
        add_splits(heap);
        options_.clear();
        for (std::size_t place = 0; place < digits_.size() && place <= heap; ++place) {
            const auto& rings = place + repeated_ < digits_.size() ? exactly_ : down_to_;
            for (std::size_t parts = 1; parts < kParts; ++parts) {
                if ((digits_[place] >> parts & 1) == 0) continue;
                merge(options_, rings[parts][slot(heap - place)]);
            }
        }
        if ((digit(heap) & 1) != 0) mark(options_, 0);
        return add_value(mex_of(options_));
    }

    unsigned digit(std::size_t taken) const {
        if (taken < digits_.size()) return digits_[taken];
        return digits_[digits_.size() - repeated_ + (taken - digits_.size()) % repeated_];
    }

    std::size_t slot(std::size_t total) const { return total % digits_.size(); }

    // The nimbers of all pairs and triples of a total, whose parts are known.
    void add_splits(std::size_t total) {
        values_->visit([&](const auto* values) {
            Bits& pairs = start(2, total);
            if ((leaves_ & 4) != 0) {
                for (std::size_t a = 1; a <= total / 2; ++a) {
                    mark(pairs, values[a] ^ values[total - a]);
                }
            }
            Bits& triples = start(3, total);
            if ((leaves_ & 8) == 0) return;
            for (std::size_t a = 1; a <= total / 3; ++a) {
                for (std::size_t b = a; b <= (total - a) / 2; ++b) {
                    mark(triples, values[a] ^ values[b] ^ values[total - a - b]);
                }
            }
        });
        finish(2, total);
        finish(3, total);
    }

    bool add_value(std::uint32_t value) {
        const std::size_t heap = size();
        if (!NimberArray::make_room_for(values_, value)) return false;
        values_->push_back(value);
        Bits& alone = start(1, heap);
        if (heap > 0 && (leaves_ & 2) != 0) mark(alone, value);
        finish(1, heap);
        return true;
    }

    // The sets of a total overwrite the sets of a total that no digit reaches any more.
    Bits& start(std::size_t parts, std::size_t total) {
        Bits& exactly = exactly_[parts][slot(total)];
        exactly.clear();
        return exactly;
    }
    void finish(std::size_t parts, std::size_t total) {
        Bits& down_to = down_to_[parts][slot(total)];
        down_to = exactly_[parts][slot(total)];
        if (total >= repeated_) merge(down_to, down_to_[parts][slot(total - repeated_)]);
    }

    const std::vector<std::uint8_t> digits_;
    const std::size_t repeated_;
    unsigned leaves_ = 0;  // all digits together
    // [parts]: by total, modulo the number of digits, the nimbers of that many heaps with
    // exactly that total, and with that total or the same less a multiple of `repeated_`.
    std::array<std::vector<Bits>, kParts> exactly_, down_to_;
    Bits options_;  // of the heap at hand
    Reservation memory_;
};

// Nimbers by table, heap after heap. No theorem proves a law of theirs: any number can be
// taken.
class RepeatingSolver : public EnumeratingSolver {
  public:
    // `moves` lives in the rules.
    RepeatingSolver(RulesetPtr rules, shape::TakeAndBreak moves)
        : EnumeratingSolver(std::move(rules)),
          is_size_(takes_any(moves)),
          table_(std::make_unique<RepeatingSweep>(moves.digits, moves.repeated),
                 {.is_known = false}, {.first = 256, .percent = 125}) {}

    std::optional<Nimber> nimber(const Heap& heap, const Budget& budget) const override {
        const Number size = std::get<Number>(heap);
        if (is_size_) return finite(size);
        return table_.value(size, budget, kMostHeaps);
    }

    // Listing all splits may take very long.
    bool visit_followers(const Heap& heap, const Nimber& nimber, const Budget& budget,
                         VisitFollowers visit) const override {
        if (is_size_ && nimber >= finite(std::get<Number>(heap))) return true;
        return EnumeratingSolver::visit_followers(heap, nimber, budget, visit);
    }

    std::optional<std::vector<Heap>> find_follower(const Heap& heap, const Nimber& nimber,
                                                   const Budget& budget) const override {
        if (is_size_ && nimber < finite(std::get<Number>(heap))) {
            return std::vector{Heap(std::get<std::uint64_t>(nimber))};
        }
        return EnumeratingSolver::find_follower(heap, nimber, budget);
    }

    std::optional<ProvenLaw> law(Number, const Budget&) const override {
        if (!is_size_) return std::nullopt;
        return ProvenLaw{{0, 1, 1}, "formula", 0};
    }

  private:
    const bool is_size_;  // each nimber is the size of its heap
    NimberSequence table_;
};

}  // namespace

SolverPtr make_repeating_solver(const RulesetPtr& rules, shape::TakeAndBreak moves) {
    return std::make_shared<RepeatingSolver>(rules, moves);
}

}  // namespace engine
