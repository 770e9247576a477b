// The cookie game (Ullman and Propp 1992): eat one cookie, that is, a positive entry, which
// becomes 0, and every other entry goes down by 1, never below 0. A heap is a tuple, or a
// number, which is one cookie.
#include <algorithm>

#include "engine/rules/catalogue.hpp"
#include "engine/rules/entries.hpp"

namespace engine {
namespace {

Number aged(Number entry) { return entry > 0 ? entry - 1 : 0; }

}  // namespace

// All functions take time linear in the entries.
class Cookie : public ChangingEntries {
  public:
    Result<void> check_heap(const Heap& heap) const override {
        if (has_entries(heap)) return {};
        return refuse_heap(heap, "a number or a tuple such as (1,2,4): heaps of cookie");
    }

    bool is_move(std::span<const Number> from, std::span<const Number> to) const override {
        // An entry that should be there and is 0 has been eaten; an eaten 1 looks like any
        // aged 1.
        std::size_t eaten = 0;
        bool has_one = false;
        for (std::size_t i = 0; i < from.size(); ++i) {
            has_one = has_one || from[i] == 1;
            if (to[i] == aged(from[i])) continue;
            if (to[i] != 0) return false;
            ++eaten;
        }
        return eaten == 1 || (eaten == 0 && has_one);
    }

    // Eating one entry of 1 or another gives the same heap, which counts once.
    Count follower_count(const Heap& heap) const override {
        const auto entries = entries_of(heap);
        const auto large =
            std::ranges::count_if(entries, [](Number entry) { return entry > 1; });
        const bool has_one = std::ranges::find(entries, Number{1}) != entries.end();
        return static_cast<Count>(large) + (has_one ? 1 : 0);
    }

    // The entries above 1 are eaten from left to right, and last of all a 1.
    std::vector<Heap> follower(const Heap& heap, Count index) const override {
        if (std::holds_alternative<Number>(heap)) return {Heap(Number{0})};
        Tuple left = std::get<Tuple>(heap);
        for (Number& entry : left.entries) {
            const bool is_eaten = entry > 1 && index-- == 0;
            entry = is_eaten ? 0 : aged(entry);
        }
        return {Heap(std::move(left))};
    }
};

FoundRuleset make_cookie(protocol::Scanner&) {
    return FoundRuleset(std::make_shared<Cookie>());
}

}  // namespace engine
