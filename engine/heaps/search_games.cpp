#include "engine/heaps/search_games.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include "engine/base/memory.hpp"
#include "engine/base/sort_in_pieces.hpp"
#include "engine/rules/entries.hpp"
#include "engine/rules/formula/formula_ruleset.hpp"
#include "engine/rules/moves.hpp"

namespace engine {
namespace {

constexpr unsigned char kLast = 0x80;

void append(std::string& out, std::span<const Number> entries) {
    for (Number entry : entries) {
        for (; entry >= kLast; entry >>= 7) out.push_back(static_cast<char>(entry % kLast));
        out.push_back(static_cast<char>(entry | kLast));
    }
}

// Calls `visit(entry, index after it)` for each entry.
template <typename Visit>
void visit_entries(const std::string& text, Visit visit) {
    Number entry = 0;
    unsigned shift = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        entry |= Number{byte} % kLast << shift;
        shift += 7;
        if (byte < kLast) continue;
        visit(entry, i + 1);
        entry = 0;
        shift = 0;
    }
}

std::vector<Number> entries_in(const std::string& state) {
    std::vector<Number> entries;
    visit_entries(state, [&](Number entry, std::size_t) { entries.push_back(entry); });
    return entries;
}

// What an element of a set of such sums takes.
std::size_t bytes_of(const std::vector<std::string>& sum) {
    constexpr std::size_t kNode = 96;       // of the set, with the overhead of two allocations
    constexpr std::size_t kShortText = 15;  // which a string holds in itself
    std::size_t bytes = kNode;
    for (const std::string& state : sum) {
        bytes += sizeof state;
        if (state.size() > kShortText) bytes += state.capacity() + 2 * sizeof(void*);
    }
    return bytes;
}

bool is_name(const std::string& state) {
    return static_cast<unsigned char>(state.back()) < kLast;
}

// Moves as they are found, the results of each in one text; each once in the end.
class Collected {
  public:
    explicit Collected(const Budget& budget) : budget_(budget) {}

    // False where the budget or the memory ends.
    bool add(const rules::MoveBlock& block) {
        for (std::size_t i = 0; i < block.count; ++i) {
            const bool is_due = results_.size() == next_sweep_ || text_bytes_ >= next_bytes_;
            if (is_due && !sweep()) return false;
            results_.emplace_back();
            append(results_.back(), block.row(i));
            text_bytes_ += bytes_beside(results_.back());
        }
        return true;
    }

    bool finish() { return sort(); }
    const std::vector<std::string>& results() const { return results_; }

  private:
    static constexpr std::size_t kFirstSweep = 1024;
    static constexpr std::size_t kFirstBytes = std::size_t{1} << 16;

    // What a text takes outside of its string.
    static std::size_t bytes_beside(const std::string& text) {
        return text.capacity() > std::string().capacity() ? text.capacity() + 1 : 0;
    }

    bool sort() {
        const auto is_spent = [&] { return budget_.is_spent(); };
        if (!sort_in_pieces(results_, std::less<>(), is_spent)) return false;
        results_.erase(std::unique(results_.begin(), results_.end()), results_.end());
        return true;
    }

    bool sweep() {
        if (!sort()) return false;
        text_bytes_ = 0;
        for (const std::string& text : results_) text_bytes_ += bytes_beside(text);
        next_sweep_ = std::max(2 * results_.size(), kFirstSweep);
        next_bytes_ = std::max(2 * text_bytes_, kFirstBytes);
        constexpr std::size_t kResultBytes = 2 * sizeof(std::string);
        if (!memory_.resize(next_sweep_ * kResultBytes + next_bytes_)) return false;
        results_.reserve(next_sweep_);
        return true;
    }

    const Budget& budget_;
    Reservation memory_;
    std::vector<std::string> results_;
    std::size_t text_bytes_ = 0;
    std::size_t next_sweep_ = kFirstSweep;
    std::size_t next_bytes_ = kFirstBytes;
};

}  // namespace

RulesetGame::RulesetGame(std::shared_ptr<const Ruleset> rules) : rules_(std::move(rules)) {
    if (const auto formula = shape_as<shape::Formula>(*rules_)) formula_ = &formula->rules;
}

RulesetGame::State RulesetGame::state_of(std::span<const Number> entries) {
    State state;
    append(state, entries);
    return state;
}

RulesetGame::State RulesetGame::state_of(const Heap& heap) {
    if (const auto* name = std::get_if<protocol::Vertex>(&heap)) return name->name;
    return state_of(entries_of(heap));
}

Heap RulesetGame::heap_of(const State& state) {
    if (is_name(state)) return protocol::Vertex{state};
    return heap_with(entries_in(state));
}

std::vector<RulesetGame::State> RulesetGame::states_of(const Heap& heap) const {
    const auto reduced = rules_->reduced(heap, Convention::Normal);
    if (!reduced) return {state_of(heap)};
    std::vector<State> states;
    for (const Heap& part : *reduced) states.push_back(state_of(part));
    return states;
}

std::uint64_t RulesetGame::size(const State& state) const {
    if (is_name(state)) return static_cast<std::uint64_t>(std::ranges::count(state, 'o'));
    std::uint64_t sum = 0;
    visit_entries(state, [&](Number entry, std::size_t) {
        sum = sum + entry < sum ? ~std::uint64_t{0} : sum + entry;
    });
    return sum;
}

bool RulesetGame::visit_followers(const State& state, const Budget& budget,
                                  const Visit& visit) const {
    return formula_ != nullptr ? visit_computed(state, budget, visit)
                               : visit_listed(state, budget, visit);
}

bool RulesetGame::visit_listed(const State& state, const Budget& budget,
                               const Visit& visit) const {
    constexpr std::size_t kPollEvery = 256;       // units of the text of followers
    constexpr std::size_t kUncounted = 64 << 10;  // bytes; most heaps have few followers
    const Heap heap = heap_of(state);
    const auto followers = find_followers(*rules_, heap, budget);
    if (!followers) return false;
    BudgetPoll poll(budget, kPollEvery);
    const std::size_t units = text_units(heap);
    std::set<std::vector<State>> seen;
    std::size_t bytes = 0;  // of `seen`
    Reservation memory;
    for (Count i = 0; i < followers->count; ++i) {
        if (poll.is_spent(units)) return false;
        std::vector<State> sum;
        for (const Heap& part : followers->at(i)) {
            for (State& reduced : states_of(part)) sum.push_back(std::move(reduced));
        }
        std::ranges::sort(sum);
        const auto [place, is_new] = seen.insert(std::move(sum));
        if (!is_new) continue;
        bytes += bytes_of(*place);
        if (bytes > kUncounted && !memory.cover(bytes, bytes / 4)) return false;
        if (!visit(*place)) return false;
    }
    return true;
}

bool RulesetGame::visit_computed(const State& state, const Budget& budget,
                                 const Visit& visit) const {
    Collected collected(budget);
    const bool all =
        formula_->visit_moves(entries_in(state), [&](const rules::MoveBlock& block) {
            return !budget.is_spent() && collected.add(block);
        });
    if (!all || !collected.finish()) return false;

    std::vector<State> heaps;
    for (const std::string& result : collected.results()) {
        heaps.clear();
        std::size_t begin = 0;
        std::size_t entries = 0;
        visit_entries(result, [&](Number, std::size_t end) {
            if (++entries % formula_->entries() != 0) return;
            heaps.push_back(result.substr(begin, end - begin));
            begin = end;
        });
        if (!visit(heaps)) return false;
    }
    return true;
}

}  // namespace engine
