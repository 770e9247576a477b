// Grundy's game: split the heap into two unequal non-empty ones.
#include "engine/rules/catalogue.hpp"

namespace engine {

class Grundy : public Ruleset {
  public:
    Shape shape() const override;
    Result<void> check_heap(const Heap& heap) const override;
    bool has_move(const Heap& heap) const override;
    bool is_follower(const Heap& heap, std::span<const Heap> result) const override;
    Count follower_count(const Heap& heap) const override;
    std::vector<Heap> follower(const Heap& heap, Count index) const override;
};

Shape Grundy::shape() const {
    static const std::vector<std::uint8_t> kDigits{4};
    return shape::TakeAndBreak{kDigits, true};
}

Result<void> Grundy::check_heap(const Heap& heap) const {
    if (std::holds_alternative<Number>(heap)) return {};
    return refuse_heap(heap, "a number: heaps of grundy are numbers");
}

bool Grundy::has_move(const Heap& heap) const { return std::get<Number>(heap) >= 3; }

bool Grundy::is_follower(const Heap& heap, std::span<const Heap> result) const {
    const Number size = std::get<Number>(heap);
    if (result.size() != 2) return false;
    const auto* less = std::get_if<Number>(&result.front());
    const auto* more = std::get_if<Number>(&result.back());
    if (less == nullptr || more == nullptr) return false;
    return *less > 0 && *less < *more && *more < size && *less == size - *more;
}

Count Grundy::follower_count(const Heap& heap) const {
    const Number size = std::get<Number>(heap);
    return size == 0 ? 0 : (size - 1) / 2;
}

std::vector<Heap> Grundy::follower(const Heap& heap, Count index) const {
    return {Heap(Number{index + 1}), Heap(std::get<Number>(heap) - index - 1)};
}

FoundRuleset make_grundy(protocol::Scanner&) {
    return FoundRuleset(std::make_shared<Grundy>());
}

}  // namespace engine
