// Lasker's nim: take any number, or split the heap into two non-empty ones.
#include "engine/rules/catalogue.hpp"

namespace engine {

class Lasker : public Ruleset {
  public:
    Result<void> check_heap(const Heap& heap) const override;
    bool has_move(const Heap& heap) const override;
    bool is_follower(const Heap& heap, std::span<const Heap> result) const override;
    Count follower_count(const Heap& heap) const override;
    std::vector<Heap> follower(const Heap& heap, Count index) const override;
};

Result<void> Lasker::check_heap(const Heap& heap) const {
    if (std::holds_alternative<Number>(heap)) return {};
    return refuse_heap(heap, "a number: heaps of lasker are numbers");
}

bool Lasker::has_move(const Heap& heap) const { return !is_zero(heap); }

bool Lasker::is_follower(const Heap& heap, std::span<const Heap> result) const {
    const Number size = std::get<Number>(heap);
    if (result.empty() || result.size() > 2) return false;
    const auto* first = std::get_if<Number>(&result.front());
    const auto* second = std::get_if<Number>(&result.back());
    if (first == nullptr || second == nullptr) return false;
    if (result.size() == 1) return *first < size;
    return *first > 0 && *first < size && *second == size - *first;
}

Count Lasker::follower_count(const Heap& heap) const {
    const Number size = std::get<Number>(heap);
    return size + size / 2;
}

// The heaps after taking, then the splits.
std::vector<Heap> Lasker::follower(const Heap& heap, Count index) const {
    const Number size = std::get<Number>(heap);
    if (index < size) return {Heap(Number{index})};
    const Number part = index - size + 1;
    return {Heap(part), Heap(size - part)};
}

FoundRuleset make_lasker(protocol::Scanner&) {
    return FoundRuleset(std::make_shared<Lasker>());
}

}  // namespace engine
