#include "engine/heaps/search_games.hpp"

#include <cstring>

#include "engine/base/sequence_pool.hpp"
#include "engine/rules/formula/formula_ruleset.hpp"
#include "engine/rules/moves.hpp"

namespace engine {
namespace {

constexpr unsigned char kLast = 0x80;

// Calls `visit(entry)` for each entry.
template <typename Visit>
void visit_entries(const std::string& text, Visit visit) {
    Number entry = 0;
    unsigned shift = 0;
    for (const char each : text) {
        const auto byte = static_cast<unsigned char>(each);
        entry |= Number{byte} % kLast << shift;
        shift += 7;
        if (byte < kLast) continue;
        visit(entry);
        entry = 0;
        shift = 0;
    }
}

std::vector<Number> entries_in(const std::string& state) {
    std::vector<Number> entries;
    visit_entries(state, [&](Number entry) { entries.push_back(entry); });
    return entries;
}

// Appends the state so that no two sequences of states become the same.
void append(std::vector<std::uint32_t>& key, const std::string& state) {
    key.push_back(static_cast<std::uint32_t>(state.size()));
    const std::size_t begin = key.size();
    key.resize(begin + (state.size() + sizeof(std::uint32_t) - 1) / sizeof(std::uint32_t));
    if (!state.empty()) std::memcpy(&key[begin], state.data(), state.size());
}

bool is_name(const std::string& state) {
    return static_cast<unsigned char>(state.back()) < kLast;
}

}  // namespace

RulesetGame::RulesetGame(std::shared_ptr<const Ruleset> rules) : rules_(std::move(rules)) {
    if (const auto formula = shape_as<shape::Formula>(*rules_)) formula_ = &formula->rules;
}

RulesetGame::State RulesetGame::state_of(std::span<const Number> entries) {
    State state;
    for (Number entry : entries) {
        for (; entry >= kLast; entry >>= 7) state.push_back(static_cast<char>(entry % kLast));
        state.push_back(static_cast<char>(entry | kLast));
    }
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
    visit_entries(state, [&](Number entry) { sum = saturating_sum(sum, entry); });
    return sum;
}

bool RulesetGame::visit_followers(const State& state, const Budget& budget,
                                  const Visit& visit) const {
    SequencePool seen;
    std::vector<std::uint32_t> key;
    const auto visit_once = [&](std::span<const State> sum) {
        key.clear();
        for (const State& part : sum) append(key, part);
        const SequencePool::Index before = seen.size();
        return seen.intern(key) && (seen.size() == before || visit(sum));
    };
    return formula_ != nullptr ? visit_computed(state, budget, visit_once)
                               : visit_listed(state, budget, visit_once);
}

bool RulesetGame::visit_listed(const State& state, const Budget& budget,
                               const Visit& visit) const {
    constexpr std::size_t kPollEvery = 256;  // units of the text of followers
    const Heap heap = heap_of(state);
    const auto followers = find_followers(*rules_, heap, budget);
    if (!followers) return false;
    BudgetPoll poll(budget, kPollEvery);
    const std::size_t units = text_units(heap);
    std::vector<State> sum;
    for (Count i = 0; i < followers->count; ++i) {
        if (poll.is_spent(units)) return false;
        sum.clear();
        for (const Heap& part : followers->at(i)) {
            for (State& reduced : states_of(part)) sum.push_back(std::move(reduced));
        }
        std::ranges::sort(sum);
        if (!visit(sum)) return false;
    }
    return true;
}

bool RulesetGame::visit_computed(const State& state, const Budget& budget,
                                 const Visit& visit) const {
    const std::size_t width = formula_->entries();
    std::vector<State> sum;
    return formula_->visit_moves(entries_in(state), [&](const rules::MoveBlock& block) {
        if (budget.is_spent()) return false;
        sum.resize(block.heaps);
        for (std::size_t i = 0; i < block.count; ++i) {
            for (std::size_t j = 0; j < block.heaps; ++j) {
                sum[j] = state_of(block.row(i).subspan(j * width, width));
            }
            if (!visit(sum)) return false;
        }
        return true;
    });
}

}  // namespace engine
