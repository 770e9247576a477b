#include "engine/solver/heap_pool.hpp"

#include <algorithm>

#include "engine/rules/rules_ruleset.hpp"
#include "engine/solver/followers.hpp"
#include "engine/solver/sequence_pool.hpp"

namespace engine {
namespace {

// A heap with more moves is beyond playing out: a few of its moves may still win.
constexpr Count kMostMoves = Count{1} << 18;
constexpr Count kFewMoves = 1024;
constexpr Count kPollEvery = 64;  // moves
constexpr std::size_t kMaps = 64;

std::uint64_t mix(std::uint64_t hash, std::uint64_t item) {
    hash = (hash ^ item) * 0xff51afd7ed558ccd;
    return hash ^ hash >> 32;
}

// What a heap takes beside its entry: its node in the map, and what it points to.
std::size_t node_bytes(const Heap& heap) {
    constexpr std::size_t kNodeBytes = 96;
    if (const auto* tuple = std::get_if<protocol::Tuple>(&heap)) {
        return kNodeBytes + tuple->entries.size() * sizeof(Number);
    }
    if (const auto* vertex = std::get_if<protocol::Vertex>(&heap)) {
        return kNodeBytes + vertex->name.size();
    }
    if (const auto* ordinal = std::get_if<protocol::Ordinal>(&heap)) {
        return kNodeBytes + ordinal->terms.size() * sizeof(protocol::Ordinal::Term);
    }
    return kNodeBytes;
}

}  // namespace

std::size_t HeapPool::HeapHash::operator()(const Heap& heap) const {
    std::uint64_t hash = heap.index();
    if (const auto* number = std::get_if<Number>(&heap)) {
        hash = mix(hash, *number);
    } else if (const auto* tuple = std::get_if<protocol::Tuple>(&heap)) {
        for (const Number entry : tuple->entries) hash = mix(hash, entry);
    } else if (const auto* vertex = std::get_if<protocol::Vertex>(&heap)) {
        hash = mix(hash, std::hash<std::string>()(vertex->name));
    } else {
        for (const auto& term : std::get<protocol::Ordinal>(heap).terms) {
            hash = mix(mix(hash, term.exponent), term.coefficient);
        }
    }
    return hash;
}

void HeapPool::add_ruleset(std::shared_ptr<const Ruleset> ruleset) {
    rulesets_.push_back({std::move(ruleset), {}});
    rulesets_.back().indices.resize(kMaps);
}

std::optional<HeapPool::Index> HeapPool::find(std::size_t ruleset, const Heap& heap) const {
    const auto& indices = rulesets_[ruleset].indices[HeapHash()(heap) % kMaps];
    const auto found = indices.find(heap);
    if (found == indices.end()) return std::nullopt;
    return found->second;
}

std::optional<HeapPool::Index> HeapPool::intern(std::size_t ruleset, const Heap& heap) {
    if (const auto known = find(ruleset, heap)) return known;
    Rules& rules = rulesets_[ruleset];
    if (size() == kDead - 1 || !make_room(entries_, 1, memory_) ||
        !memory_.resize(memory_.bytes() + node_bytes(heap))) {
        return std::nullopt;
    }
    const bool is_dead = !rules.ruleset->has_move(heap);
    const auto index = is_dead ? kDead : static_cast<Index>(size());
    const auto node = rules.indices[HeapHash()(heap) % kMaps].emplace(heap, index).first;
    if (!is_dead) {
        entries_.push_back({.heap = &node->first,
                            .ruleset = static_cast<std::uint32_t>(ruleset),
                            .listing = Listing::None,
                            .move_count = 0,
                            .first_move = 0});
    }
    return index;
}

// Calls `visit(heaps)` with the result of each move, some perhaps several times, until it
// returns false or the budget ends. What it gives is whether all were visited, as far as there
// was a wish to.
template <typename Visit>
HeapPool::Visited HeapPool::visit_results(const Ruleset& rules, const Heap& from,
                                          const Budget& budget, Visit visit) {
    bool goes_on = true;
    if (const auto* user = dynamic_cast<const UserRules*>(&rules)) {
        if (!user->check_heap(from)) return Visited::Some;  // it has too many bindings
        bool spent = false;
        const std::size_t width = user->entries();
        user->visit_moves(user->entries_of(from), [&](const rules::MoveBlock& block) {
            std::vector<Heap> parts(block.heaps);
            for (std::size_t i = 0; i < block.count && goes_on; ++i) {
                for (std::size_t j = 0; j < block.heaps; ++j) {
                    parts[j] = user->heap_of(block.row(i).subspan(j * width, width));
                }
                goes_on = visit(parts);
            }
            spent = budget.is_spent();
            return goes_on && !spent;
        });
        return spent ? Visited::Interrupted : goes_on ? Visited::All : Visited::Some;
    }
    const auto followers = find_followers(rules, from, budget);
    if (!followers) return Visited::Interrupted;
    const Count count = followers->count;
    const Count wanted = count > kMostMoves ? kFewMoves : count;
    for (Count i = 0; i < wanted && goes_on; ++i) {
        if (i % kPollEvery == kPollEvery - 1 && budget.is_spent()) return Visited::Interrupted;
        goes_on = visit(followers->at(i));
    }
    return goes_on && wanted == count ? Visited::All : Visited::Some;
}

bool HeapPool::list_moves(Index heap, const Budget& budget) {
    if (is_listed(heap)) return true;
    const std::size_t ruleset = entries_[heap].ruleset;
    const Heap& from = *entries_[heap].heap;
    SequencePool results;
    bool memory_ends = false;
    std::vector<Index> parts;
    const auto visited = visit_results(*rulesets_[ruleset].ruleset, from, budget,
                                       [&](const std::vector<Heap>& result) {
                                           parts.clear();
                                           for (const Heap& part : result) {
                                               const auto index = intern(ruleset, part);
                                               memory_ends = memory_ends || !index;
                                               if (index && *index != kDead)
                                                   parts.push_back(*index);
                                           }
                                           std::ranges::sort(parts);
                                           memory_ends = memory_ends || !results.intern(parts);
                                           return !memory_ends && results.size() < kMostMoves;
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
