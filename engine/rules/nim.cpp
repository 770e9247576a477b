// Nim: a heap is a number or an ordinal, and a move makes it any smaller one.
#include "engine/rules/catalogue.hpp"
#include "engine/rules/take.hpp"

namespace engine {
namespace {

// The ordinals below w*2 that can be written are the 2^63 numbers and w .. w+2^63-1: as many as
// a Count has values. Their order is their index.
constexpr Count kNumbers = protocol::kMaxNumber + 1;

Heap ordinal_at(Count index) {
    if (index < kNumbers) return Heap(Number{index});
    Ordinal ordinal{{{1, 1}}};
    if (index > kNumbers) ordinal.terms.push_back({0, index - kNumbers});
    return Heap(std::move(ordinal));
}

// w, w+1, w+2 and so on.
bool is_below_twice_omega(const Ordinal& ordinal) {
    return ordinal.terms.front() == Ordinal::Term{1, 1};
}

}  // namespace

class Nim : public Ruleset {
  public:
    Shape shape() const override {
        static const TakeSet everything({{1, protocol::kMaxNumber}});
        return shape::Subtraction{everything};
    }

    Result<void> check_heap(const Heap& heap) const override {
        if (std::holds_alternative<Number>(heap) || std::holds_alternative<Ordinal>(heap))
            return {};
        return refuse_heap(heap, "a number or an ordinal such as (w+1): heaps of nim");
    }

    bool has_move(const Heap& heap) const override { return !is_zero(heap); }

    bool is_follower(const Heap& heap, std::span<const Heap> result) const override {
        // Heaps are ordered numbers first, ordinals last, which is the order of the ordinals.
        return result.size() == 1 && check_heap(result.front()) && result.front() < heap;
    }

    // Of an ordinal, counts the followers that can be written: their coefficients end at
    // 2^63-1.
    Count follower_count(const Heap& heap) const override {
        if (const auto* number = std::get_if<Number>(&heap)) return *number;
        const auto& ordinal = std::get<Ordinal>(heap);
        if (!is_below_twice_omega(ordinal)) return kMany;
        return kNumbers + (ordinal.terms.size() > 1 ? ordinal.terms.back().coefficient : 0);
    }

    std::vector<Heap> follower(const Heap&, Count index) const override {
        return {ordinal_at(index)};
    }
};

FoundRuleset make_nim(protocol::Scanner&) { return FoundRuleset(std::make_shared<Nim>()); }

}  // namespace engine
