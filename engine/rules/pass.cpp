// pass{CODE}: octal heaps that share passes (Horrocks and Nowakowski 2003). A heap is a tuple
// (h,...,p): an octal move in one h, or, where there is one, a pass, which takes 1 from p.
#include <algorithm>

#include "engine/rules/catalogue.hpp"
#include "engine/rules/octal.hpp"

namespace engine {
namespace {

// The entries but the last, sorted; zeros are left out.
std::vector<Number> heaps_of(const Tuple& tuple) {
    std::vector<Number> heaps(tuple.entries.begin(), tuple.entries.end() - 1);
    std::erase(heaps, Number{0});
    std::ranges::sort(heaps);
    return heaps;
}

Number passes_of(const Tuple& tuple) { return tuple.entries.back(); }

Heap tuple_of(std::vector<Number> heaps, Number passes) {
    std::ranges::sort(heaps);
    if (heaps.empty()) heaps.push_back(0);
    heaps.push_back(passes);
    return Heap(Tuple{std::move(heaps)});
}

// Calls `visit(place of a heap)` for each different heap until it returns true. Did it?
template <typename Visit>
bool any_heap(const std::vector<Number>& heaps, Visit visit) {
    for (std::size_t i = 0; i < heaps.size(); ++i) {
        if (i > 0 && heaps[i] == heaps[i - 1]) continue;
        if (visit(i)) return true;
    }
    return false;
}

// The heaps of `some` that `others` lack; both are sorted. O(heaps).
std::vector<Number> difference(const std::vector<Number>& some,
                               const std::vector<Number>& others) {
    std::vector<Number> rest;
    std::ranges::set_difference(some, others, std::back_inserter(rest));
    return rest;
}

class Pass : public Ruleset {
  public:
    explicit Pass(OctalCode code) : octal_(std::move(code)) {}

    Result<void> check_heap(const Heap& heap) const override {
        if (std::holds_alternative<Tuple>(heap)) return {};
        return refuse_heap(heap,
                           "heaps and how many passes they share, such as (5,1) or (3,4,2)");
    }

    bool has_move(const Heap& heap) const override {
        return std::ranges::any_of(heaps_of(std::get<Tuple>(heap)),
                                   [&](Number h) { return octal_.has_move(Heap(h)); });
    }

    bool is_follower(const Heap& heap, std::span<const Heap> result) const override {
        const auto* to = result.size() == 1 ? std::get_if<Tuple>(&result.front()) : nullptr;
        if (to == nullptr) return false;
        const auto& from = std::get<Tuple>(heap);
        const auto before = heaps_of(from), after = heaps_of(*to);
        if (result.front() != tuple_of(after, passes_of(*to))) return false;
        if (passes_of(*to) != passes_of(from)) {
            return passes_of(from) > 0 && passes_of(*to) == passes_of(from) - 1 &&
                   before == after && has_move(heap);
        }
        // What a heap leaves is smaller than it is, so that the two differ by just that move.
        const auto moved = difference(before, after);
        if (moved.size() != 1) return false;
        const auto parts = difference(after, before);
        std::vector<Heap> left(parts.begin(), parts.end());
        if (left.empty()) left.push_back(Heap(Number{0}));
        return octal_.is_follower(Heap(moved.front()), left);
    }

    // Moves in different heaps never leave the same, as parts are smaller than their heap.
    Count follower_count(const Heap& heap) const override {
        const auto& tuple = std::get<Tuple>(heap);
        const auto heaps = heaps_of(tuple);
        Count count = 0;
        any_heap(heaps, [&](std::size_t i) {
            count = saturating_sum(count, octal_.follower_count(Heap(heaps[i])));
            return false;
        });
        return count + (count > 0 && count < kMany && passes_of(tuple) > 0 ? 1 : 0);
    }

    // The moves in heaps, then the pass.
    std::vector<Heap> follower(const Heap& heap, Count index) const override {
        const auto& tuple = std::get<Tuple>(heap);
        const auto heaps = heaps_of(tuple);
        std::vector<Number> after;
        const bool is_move = any_heap(heaps, [&](std::size_t i) {
            const Heap h(heaps[i]);
            const Count count = octal_.follower_count(h);
            if (index >= count) {
                index -= count;
                return false;
            }
            after = heaps;
            after.erase(after.begin() + static_cast<std::ptrdiff_t>(i));
            for (const Heap& left : octal_.follower(h, index)) {
                if (!is_zero(left)) after.push_back(std::get<Number>(left));
            }
            return true;
        });
        if (is_move) return {tuple_of(std::move(after), passes_of(tuple))};
        return {tuple_of(heaps, passes_of(tuple) - 1)};
    }

    // Heaps without a move do not count; without passes all others are a sum.
    std::optional<std::vector<Heap>> reduced(const Heap& heap, Convention) const override {
        const auto& tuple = std::get<Tuple>(heap);
        auto heaps = heaps_of(tuple);
        std::erase_if(heaps, [&](Number h) { return !octal_.has_move(Heap(h)); });
        std::vector<Heap> parts;
        if (passes_of(tuple) > 0) {
            if (!heaps.empty()) parts.push_back(tuple_of(std::move(heaps), passes_of(tuple)));
        } else {
            for (const Number h : heaps) parts.push_back(tuple_of({h}, 0));
        }
        return parts;
    }

    std::size_t bytes() const override { return octal_.bytes(); }

  private:
    Octal octal_;
};

}  // namespace

FoundRuleset read_pass(protocol::Scanner& scanner) {
    auto code = read_octal_code(scanner, CodeBase::Octal);
    if (!code) return code.error();
    return FoundRuleset(std::make_shared<Pass>(*std::move(code)));
}

}  // namespace engine
