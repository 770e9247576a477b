// moore{K}: nim where a move lowers 1 to K entries of a tuple (Moore 1910). There may be far
// more moves than can be listed: they are counted and numbered by the last entry that they
// lower.
#include <algorithm>
#include <vector>

#include "engine/base/wide.hpp"
#include "engine/rules/catalogue.hpp"
#include "engine/rules/entries.hpp"
#include "protocol/heap_parser.hpp"
#include "protocol/scanner.hpp"

namespace engine {
namespace {

// The ways to lower at most 0, 1, … entries of those seen so far, none included; saturating.
class Ways {
  public:
    // Of 65 entries at most 64 can be lowered in more ways than are counted.
    Ways(Number most, std::size_t entries)
        : at_most_(std::min<Number>({most, 64, entries}) + 1, 1) {}

    std::size_t most() const { return at_most_.size() - 1; }
    Count with(std::size_t lowered) const { return at_most_[lowered]; }
    // Whether with(most()) is less than the truth: kMany may be exact.
    bool is_saturated() const { return saturated_; }

    void add(Number entry) {
        if (entry == 0) return;
        for (std::size_t i = at_most_.size() - 1; i > 0; --i) {
            const Wide sum = at_most_[i] + Wide{entry} * at_most_[i - 1];
            at_most_[i] = sum > kMany ? kMany : static_cast<Count>(sum);
            if (i == most() && sum > kMany) saturated_ = true;
        }
    }

  private:
    std::vector<Count> at_most_;
    bool saturated_ = false;
};

// All functions take time linear in the entries, or in K times the entries for small K.
class Moore : public ChangingEntries {
  public:
    // `most`: K, at least 1.
    explicit Moore(Number most) : most_(most) {}

    Shape shape() const override { return shape::Lowering{most_}; }

    Result<void> check_heap(const Heap& heap) const override {
        if (has_entries(heap)) return {};
        return refuse_heap(heap, "a number or a tuple such as (3,4,5): heaps of moore");
    }

    bool is_move(std::span<const Number> from, std::span<const Number> to) const override {
        Number lowered = 0;
        for (std::size_t i = 0; i < from.size(); ++i) {
            if (to[i] > from[i]) return false;
            if (to[i] < from[i]) ++lowered;
        }
        return lowered > 0 && lowered <= most_;
    }

    Count follower_count(const Heap& heap) const override {
        const auto entries = entries_of(heap);
        Ways ways(most_, entries.size());
        for (const Number entry : entries) {
            ways.add(entry);
            if (ways.is_saturated()) return kMany;
        }
        return ways.with(ways.most()) - 1;
    }

    // By the last entry that is lowered, then by what it becomes, then by the entries before
    // it.
    std::vector<Heap> follower(const Heap& heap, Count index) const override {
        const auto from = entries_of(heap);
        std::vector<Number> to(from.begin(), from.end());
        Number most = most_;
        for (Count rest = index + 1; rest > 0 && most > 0; --most) {
            --rest;
            Ways ways(most, from.size());
            for (std::size_t i = 0;; ++i) {
                const Count before = ways.with(ways.most() - 1);
                const Wide here = Wide{from[i]} * before;
                if (rest >= here) {
                    rest -= static_cast<Count>(here);
                    ways.add(from[i]);
                    continue;
                }
                to[i] = rest / before;
                rest %= before;
                break;
            }
        }
        return {heap_with(std::move(to))};
    }

    // The order of the entries does not matter, nor do those of 0. Where a move lowers one,
    // they are heaps of nim; under misere it stays one heap, of which the theorem tells the
    // winner.
    std::optional<std::vector<Heap>> reduced(const Heap& heap,
                                             Convention convention) const override {
        auto entries = positive_entries(heap);
        std::ranges::sort(entries);
        if (entries.empty()) return std::vector<Heap>();
        if (most_ == 1 && convention == Convention::Normal)
            return std::vector<Heap>(entries.begin(), entries.end());
        return std::vector<Heap>{heap_with(std::move(entries))};
    }

  private:
    Number most_;
};

}  // namespace

FoundRuleset read_moore(protocol::Scanner& scanner) {
    constexpr std::string_view kExpected =
        "a number from 1: how many entries a move lowers at most";
    const std::size_t at = scanner.at();
    if (!protocol::is_digit(scanner.peek())) return scanner.refuse(kExpected);
    const auto most = protocol::scan_number(scanner);
    if (!most) return most.error();
    if (*most == 0) return scanner.refuse_at(at, kExpected);
    return FoundRuleset(std::make_shared<Moore>(*most));
}

}  // namespace engine
