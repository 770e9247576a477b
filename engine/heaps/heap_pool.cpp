#include "engine/heaps/heap_pool.hpp"

#include <algorithm>

#include "engine/rules/entries.hpp"
#include "engine/rules/formula/formula_ruleset.hpp"
#include "engine/rules/moves.hpp"

namespace engine {
namespace {

constexpr Count kFewMoves = 1024;       // of too many
constexpr std::size_t kPollMoves = 64;  // units of the text of moves

using Words = std::vector<std::uint32_t>;

void append(Words& words, Number number) {
    words.push_back(static_cast<std::uint32_t>(number));
    words.push_back(static_cast<std::uint32_t>(number >> 32));
}

// What kind of heap it is, and its numbers; of a vertex, the bytes of its name.
Words words_of(const Heap& heap) {
    Words words{static_cast<std::uint32_t>(heap.index())};
    if (const auto* number = std::get_if<Number>(&heap)) {
        append(words, *number);
    } else if (const auto* tuple = std::get_if<Tuple>(&heap)) {
        for (const Number entry : tuple->entries) append(words, entry);
    } else if (const auto* vertex = std::get_if<Vertex>(&heap)) {
        for (const char byte : vertex->name) words.push_back(static_cast<unsigned char>(byte));
    } else {
        for (const auto& term : std::get<Ordinal>(heap).terms) {
            append(words, term.exponent);
            append(words, term.coefficient);
        }
    }
    return words;
}

Heap heap_of(std::span<const std::uint32_t> words) {
    const std::uint32_t kind = words.front();
    words = words.subspan(1);
    if (kind == Heap(Vertex()).index()) {
        return Vertex{std::string(words.begin(), words.end())};
    }
    std::vector<Number> numbers;
    for (std::size_t i = 0; i < words.size(); i += 2) {
        numbers.push_back(words[i] | Number{words[i + 1]} << 32);
    }
    if (kind == Heap(Number{0}).index()) return numbers.front();
    if (kind == Heap(Tuple()).index()) return Tuple{std::move(numbers)};
    Ordinal ordinal;
    for (std::size_t i = 0; i < numbers.size(); i += 2) {
        ordinal.terms.push_back({numbers[i], numbers[i + 1]});
    }
    return ordinal;
}

}  // namespace

std::optional<HeapPool::Index> HeapPool::find(std::size_t ruleset, const Heap& heap) const {
    const Rules& rules = rulesets_[ruleset];
    const auto place = rules.heaps.find(words_of(heap));
    if (!place) return std::nullopt;
    return rules.indices[*place];
}

std::optional<HeapPool::Index> HeapPool::intern(std::size_t ruleset, const Heap& heap) {
    Rules& rules = rulesets_[ruleset];
    const Words words = words_of(heap);
    if (const auto known = rules.heaps.find(words)) return rules.indices[*known];
    if (size() == kDead - 1 || !make_room(entries_, 1, memory_) ||
        !make_room(rules.indices, 1, memory_)) {
        return std::nullopt;
    }
    heap_bytes_ -= rules.heaps.bytes();
    const auto place = rules.heaps.intern(words);
    heap_bytes_ += rules.heaps.bytes();
    if (!place) return std::nullopt;
    const bool is_dead = !rules.ruleset->has_move(heap);
    const auto index = is_dead ? kDead : static_cast<Index>(size());
    rules.indices.push_back(index);
    if (!is_dead) {
        entries_.push_back({.heap = *place, .ruleset = static_cast<std::uint32_t>(ruleset)});
    }
    return index;
}

Heap HeapPool::heap_at(Index heap) const {
    return heap_of(rulesets_[entries_[heap].ruleset].heaps[entries_[heap].heap]);
}

template <typename Look>
bool HeapPool::append_parts(std::size_t ruleset, const Heap& heap, std::vector<Index>& live,
                            Look look) const {
    const auto append = [&](const Heap& part) {
        const std::optional<Index> index = look(part);
        if (index && *index != kDead) live.push_back(*index);
        return index.has_value();
    };
    const auto parts = rulesets_[ruleset].ruleset->reduced(heap, Convention::Misere);
    return parts ? std::ranges::all_of(*parts, append) : append(heap);
}

bool HeapPool::intern_parts(std::size_t ruleset, const Heap& heap, std::vector<Index>& live) {
    return append_parts(ruleset, heap, live,
                        [&](const Heap& part) { return intern(ruleset, part); });
}

bool HeapPool::find_parts(std::size_t ruleset, const Heap& heap,
                          std::vector<Index>& live) const {
    return append_parts(ruleset, heap, live,
                        [&](const Heap& part) { return find(ruleset, part); });
}

// Calls `visit(heaps)` with the result of each move, some perhaps several times, until it
// returns false or the budget ends. Some: it returned false, or there are too many moves.
template <typename Visit>
HeapPool::Visited HeapPool::visit_results(const Ruleset& rules, const Heap& from,
                                          const Budget& budget, Visit visit) const {
    bool goes_on = true;
    if (const auto formula = shape_as<shape::Formula>(rules)) {
        const UserRules* user = &formula->rules;
        if (!user->check_heap(from)) return Visited::Some;  // it has too many bindings
        // For each new heap the caller will ask whether it has a move, which takes as long
        // again.
        constexpr Count kWorkUnit = 1 << 14;
        const auto units = static_cast<std::size_t>(1 + user->work(from) / kWorkUnit);
        bool spent = units > kPollMoves && budget.is_spent();
        if (spent) return Visited::Interrupted;
        BudgetPoll poll(budget, kPollMoves);
        const std::size_t width = user->entries();
        user->visit_moves(entries_of(from), [&](const rules::MoveBlock& block) {
            std::vector<Heap> parts(block.heaps);
            for (std::size_t i = 0; i < block.count && goes_on && !spent; ++i) {
                for (std::size_t j = 0; j < block.heaps; ++j) {
                    parts[j] = heap_with(block.row(i).subspan(j * width, width));
                }
                goes_on = visit(parts);
                spent = poll.is_spent(units);
            }
            spent = spent || budget.is_spent();
            return goes_on && !spent;
        });
        return spent ? Visited::Interrupted : goes_on ? Visited::All : Visited::Some;
    }
    const auto followers = find_followers(rules, from, budget);
    if (!followers) return Visited::Interrupted;
    const Count count = followers->count;
    const Count wanted = count > most_moves_ ? kFewMoves : count;
    BudgetPoll poll(budget, kPollMoves);
    const std::size_t units = text_units(from);
    for (Count i = 0; i < wanted && goes_on; ++i) {
        if (poll.is_spent(units)) return Visited::Interrupted;
        goes_on = visit(followers->at(i));
    }
    return goes_on && wanted == count ? Visited::All : Visited::Some;
}

bool HeapPool::list_moves(Index heap, const Budget& budget) {
    if (is_listed(heap)) return true;
    const std::size_t ruleset = entries_[heap].ruleset;
    const Heap from = heap_at(heap);
    SequencePool results;
    bool memory_ends = false;
    std::vector<Index> parts;
    const auto visited = visit_results(
        *rulesets_[ruleset].ruleset, from, budget, [&](const std::vector<Heap>& result) {
            parts.clear();
            for (const Heap& part : result) {
                memory_ends = memory_ends || !intern_parts(ruleset, part, parts);
            }
            std::ranges::sort(parts);
            memory_ends = memory_ends || !results.intern(parts);
            return !memory_ends && results.size() <= most_moves_;
        });
    if (visited == Visited::Interrupted || memory_ends ||
        !make_room(begins_, results.size(), memory_) ||
        !make_room(parts_, results.item_count(), memory_)) {
        return false;
    }

    Entry& entry = entries_[heap];
    entry.first_move = begins_.size();
    entry.move_count = results.size();
    entry.listing = visited == Visited::All ? Listing::All : Listing::Cut;
    for (SequencePool::Index i = 0; i < results.size(); ++i) {
        begins_.push_back(parts_.size());
        parts_.append(results[i]);
    }
    return true;
}

}  // namespace engine
