#include "engine/sums/choice.hpp"

#include <algorithm>

#include "engine/heaps/heaps.hpp"
#include "engine/rules/moves.hpp"

namespace engine {
namespace {

const Move& draw(const std::vector<Move>& moves, std::mt19937_64& random) {
    return moves[uniform_below(random, moves.size())];
}

// One of several moves that all lose, or all draw.
Move choose_equal(const Game& game, const std::vector<Move>& moves, Losing losing,
                  std::mt19937_64& random, const Budget& budget) {
    if (losing == Losing::Longest) return longest_move(game, moves, random, budget);
    if (losing == Losing::Trap) return best_trap(game, moves, random, budget);
    return draw(moves, random);
}

// The outcome for the player who made a move, from the outcome for the opponent, who is to
// move.
Outcome kept_by(Outcome after) {
    if (after == Outcome::P) return Outcome::N;
    return after == Outcome::N ? Outcome::P : after;
}

// A moment where no time is left: outcomes that are known already take microseconds.
Budget with_a_moment(const Budget& budget) {
    constexpr std::chrono::milliseconds kMoment{2};
    return budget.is_spent() ? Budget().at_most(kMoment) : budget;
}

// After the time the unknown ones end it within a moment: each may cost a tenth of a
// millisecond in vain, and what is known may come after them.
ChosenMove choose_among(const Game& game, const Solution& solution,
                        const std::vector<Move>& candidates, const Style& style,
                        std::mt19937_64& random, const Budget& budget) {
    std::vector<Move> by_outcome[4];
    const auto with = [&](Outcome keeps) -> std::vector<Move>& {
        return by_outcome[static_cast<std::size_t>(keeps)];
    };
    std::optional<Budget> moment;  // begins with the first unknown one after the time
    bool is_asked = true;
    for (const Move& move : candidates) {
        const Outcome after =
            is_asked ? solution.outcome_after(move, budget) : Outcome::Unknown;
        if (is_asked && after == Outcome::Unknown && budget.is_spent()) {
            if (!moment) moment = with_a_moment(budget);
            is_asked = !moment->is_spent();
        }
        with(kept_by(after)).push_back(move);
    }
    if (const auto& winning = with(Outcome::N); !winning.empty()) {
        const bool first = style.choice == Choice::First;
        return {first ? winning.front() : draw(winning, random), Outcome::N};
    }
    if (const auto& drawn = with(Outcome::D); !drawn.empty()) {
        return {choose_equal(game, drawn, style.losing, random, budget), Outcome::D};
    }
    if (const auto& open = with(Outcome::Unknown); !open.empty()) return {draw(open, random)};
    return {choose_equal(game, candidates, style.losing, random, budget), Outcome::P};
}

// Some moves to look at, in any order: all if they are few; else a random sample, preceded by
// the first and the last move of some heaps, which in most rulesets take least.
std::vector<Move> moves_to_look_at(const Game& game, std::size_t limit, std::mt19937_64& random,
                                   const Budget& budget) {
    constexpr std::size_t kHeaps = 16;
    auto drawn = sample_moves(game, limit, random, budget);
    std::ranges::shuffle(drawn, random);
    if (drawn.size() < limit) return drawn;
    std::vector<Move> moves;
    const Heaps heaps(game);
    for (std::size_t i = 0; i < kHeaps && !budget.is_spent(); ++i) {
        const std::size_t place = uniform_below(random, heaps.size());
        const auto& [solver, rules, heap] = heaps[place];
        const auto followers = find_followers(*rules, *heap, budget);
        if (!followers || followers->count == 0) continue;
        moves.push_back({place + 1, followers->at(0)});
        moves.push_back({place + 1, followers->at(followers->count - 1)});
    }
    moves.insert(moves.end(), drawn.begin(), drawn.end());
    return moves;
}

// No best move was found: the best of some moves as far as their outcomes are
// known already. The search that proved a win has met a winning move as a rule, so that it is
// found here. In a won position a move of unknown outcome is preferred to one that draws.
ChosenMove best_known(const Game& game, const Solution& solution, std::mt19937_64& random,
                      const Budget& budget) {
    constexpr std::size_t kLooked = 2000;
    constexpr std::size_t kLookedUnits = 8192;  // of text
    const Budget over = Budget::spent();
    const Budget little = with_a_moment(budget);
    const std::size_t looked =
        std::clamp<std::size_t>(kLookedUnits / longest_heap(game), 1, kLooked);
    const auto moves = moves_to_look_at(game, looked, random, little);
    const bool won = solution.outcome() == Outcome::N;
    const auto rank = [won](Outcome keeps) {
        if (keeps == Outcome::N) return 0;
        if (keeps == Outcome::P) return 3;
        return (keeps == Outcome::D) == won ? 2 : 1;
    };
    ChosenMove best{moves.front()};
    int best_rank = 4;
    for (const Move& move : moves) {
        const Outcome keeps = kept_by(solution.outcome_after(move, over));
        if (rank(keeps) < best_rank) best = {move, keeps};
        best_rank = std::min(best_rank, rank(keeps));
        if (best_rank == 0 || little.is_spent()) break;
    }
    return best;
}

Move choose_lost(const Game& game, Losing losing, std::mt19937_64& random,
                 const Budget& budget) {
    constexpr std::size_t kLooked = 2000;
    if (losing == Losing::Random) return sample_moves(game, 1, random, budget).front();
    const auto moves = moves_to_look_at(game, kLooked, random, budget);
    return choose_equal(game, moves, losing, random, budget);
}

}  // namespace

std::optional<ChosenMove> choose_move(const Game& game, const Solution& solution,
                                      const std::vector<Move>& candidates, const Style& style,
                                      std::mt19937_64& random, const Budget& budget) {
    if (!candidates.empty()) {
        return choose_among(game, solution, candidates, style, random, budget);
    }
    if (!game.has_move()) return std::nullopt;
    const Outcome outcome = solution.outcome();
    if (outcome == Outcome::P) {
        return ChosenMove{choose_lost(game, style.losing, random, budget), outcome};
    }
    if (outcome == Outcome::D && style.losing != Losing::Random) {
        constexpr std::size_t kLooked = 2000;
        const auto holding = solution.best_moves(kLooked);
        if (holding && !holding->moves.empty()) {
            return ChosenMove{choose_equal(game, holding->moves, style.losing, random, budget),
                              outcome};
        }
    }
    if (auto move = solution.best_move(style.choice, random)) {
        return ChosenMove{*std::move(move), outcome};
    }
    return best_known(game, solution, random, budget);
}

bool is_quick(const Game& game) {
    // Sets have few intervals, as the length of their text shows.
    constexpr std::size_t kLittleWork = 20000;
    std::size_t work = 0;
    for (const protocol::Component& component : game.position().components)
        work += component.heaps.size() * component.ruleset.text.size();
    if (work > kLittleWork) return false;
    // The tables of other solvers may be held by another thread, which a question waits for.
    const auto is_known = [](const Heaps::Place& place) {
        return place.solver->is_quick() && place.solver->nimber(*place.heap, Budget::spent());
    };
    return std::ranges::all_of(Heaps(game).places(), is_known);
}

// ---- traps ----

namespace {

// `best` of `all` replies.
struct Share {
    Count best = 0;
    Count all = 1;

    friend bool operator<(const Share& left, const Share& right) {
        return Wide{left.best} * right.all < Wide{right.best} * left.all;
    }
};

// nullopt: not known. A move that ends the game leaves no reply that could err.
std::optional<Share> share_of_best(const Game& game, const Move& move, const Budget& budget) {
    Game next = game;
    next.play(move);
    if (!next.has_move()) return Share{1, 1};
    const auto count = solve(next, budget, Aim::Values)->best_move_count();
    if (!count) return std::nullopt;
    const auto replies = count_moves(next, budget);
    if (!replies) return std::nullopt;
    return Share{*count, *replies};
}

}  // namespace

Move best_trap(const Game& game, const std::vector<Move>& moves, std::mt19937_64& random,
               const Budget& budget) {
    LookAhead ahead(game, budget);
    const Move* best = nullptr;
    Share least;
    LookAhead::Loss least_loss;
    Count equal = 0;
    for (const Move& move : moves) {
        if (budget.is_spent()) break;
        const auto share = share_of_best(game, move, budget);
        if (!share || (best != nullptr && least < *share)) continue;
        const auto loss = ahead.loss(move);
        const bool as_good = best != nullptr && !(*share < least);
        if (as_good && least_loss < loss) continue;  // the longer play
        equal = as_good && loss == least_loss ? equal + 1 : 1;
        if (equal > 1 && uniform_below(random, equal) > 0) continue;
        best = &move;
        least = *share;
        least_loss = loss;
    }
    return best != nullptr ? *best : moves[uniform_below(random, moves.size())];
}

// ---- moves drawn without listing all ----

namespace {

// The numbers of moves of the heaps, summed up to each heap, as far as the budget allows.
std::vector<Wide> counts_up_to(const Game& game, const Budget& budget) {
    constexpr std::size_t kPollEvery = 64;  // heaps
    BudgetPoll poll(budget, kPollEvery);
    std::vector<Wide> up_to;
    up_to.reserve(game.position().heap_count());
    Wide total = 0;
    game.visit_heaps([&](std::size_t, const Ruleset& rules, const Heap& heap) {
        if (poll.is_spent() && total > 0) return false;
        const auto followers = find_followers(rules, heap, budget);
        if (followers) total += followers->count;
        up_to.push_back(total);
        return true;
    });
    return up_to;
}

// Up to `limit` moves in the first heap that has some.
std::vector<Move> first_found(const Game& game, std::size_t limit) {
    std::vector<Move> moves;
    game.visit_heaps([&](std::size_t number, const Ruleset& rules, const Heap& heap) {
        for (auto& result : rules.some_followers(heap, limit)) {
            moves.push_back({number, std::move(result)});
        }
        return moves.empty();
    });
    return moves;
}

// Places in 0..total-1, ascending: all of them where they are no more than the limit.
std::vector<Wide> draw_places(Wide total, std::size_t limit, std::mt19937_64& random) {
    std::vector<Wide> places;
    if (total <= limit) {
        for (Wide place = 0; place < total; ++place) places.push_back(place);
        return places;
    }
    for (std::size_t i = 0; i < limit; ++i) places.push_back(wide_below(random, total));
    std::ranges::sort(places);
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return places;
}

}  // namespace

std::size_t longest_heap(const Game& game) {
    std::size_t longest = 1;
    for (const auto& component : game.position().components) {
        for (const Heap& heap : component.heaps) longest = std::max(longest, text_units(heap));
    }
    return longest;
}

std::vector<Move> sample_moves(const Game& game, std::size_t limit, std::mt19937_64& random,
                               const Budget& budget) {
    // The texts of the moves must fit into what a list may hold.
    limit = std::min(limit, std::max<std::size_t>(kMaxListUnits / longest_heap(game), 1));
    const auto up_to = counts_up_to(game, budget);
    if (up_to.empty() || up_to.back() == 0) return first_found(game, limit);
    MoveList list;
    const auto places = draw_places(up_to.back(), limit, random);
    auto place = places.begin();
    std::size_t component = 0;
    std::size_t first = 0;  // heap of the component, from 0
    while (place != places.end() && !list.cut) {
        const auto found = std::upper_bound(up_to.begin(), up_to.end(), *place);
        const auto number = static_cast<std::size_t>(found - up_to.begin());
        const auto& components = game.position().components;
        for (; number - first >= components[component].heaps.size(); ++component) {
            first += components[component].heaps.size();
        }
        const Wide passed = number == 0 ? 0 : up_to[number - 1];
        const Heap& heap = components[component].heaps[number - first];
        // They may have to be listed again.
        const auto followers = find_followers(*game.ruleset(component), heap, budget);
        for (; place != places.end() && *place < *found && !list.cut; ++place) {
            if (!followers) continue;
            // No room is left where vertices lead to others of longer names.
            list.add({number + 1, followers->at(static_cast<Count>(*place - passed))}, limit);
        }
    }
    if (list.moves.empty()) return first_found(game, limit);
    return std::move(list.moves);
}

// ---- long play ----

namespace {

// Modulo 2^64: sums of sizes may be larger than what a loss can hold, their differences are
// not.
std::uint64_t size_of(const Heap& heap) {
    if (const auto* number = std::get_if<Number>(&heap)) return *number;
    if (std::holds_alternative<Ordinal>(heap)) return protocol::kMaxNumber;
    const auto* tuple = std::get_if<Tuple>(&heap);
    std::uint64_t sum = 0;
    if (tuple == nullptr) return sum;
    for (const Number entry : tuple->entries) sum += entry;
    return sum;
}

}  // namespace

LookAhead::Loss LookAhead::loss(const Move& move) {
    const auto& [solver, rules, heap] = heaps_[move.heap - 1];
    int moves = longest(*rules, *heap, kMostMoves);
    std::uint64_t size = size_of(*heap);
    int left = 0;
    for (const Heap& part : move.result) {
        left += longest(*rules, part, kMostMoves - left);
        size -= size_of(part);
    }
    return {moves - left, static_cast<std::int64_t>(size)};
}

int LookAhead::longest(const Ruleset& rules, const Heap& heap, int most) {
    if (most <= 0 || !rules.has_move(heap)) return 0;
    const auto known = known_.find({&rules, heap});
    if (known != known_.end()) {
        const auto [moves, followed] = known->second;
        if (moves < followed || most <= followed) return std::min(moves, most);
    }
    const int moves = search(rules, heap, most);
    known_[{&rules, heap}] = {moves, most};
    return moves;
}

// In most rulesets the moves that take least are at one of the two ends of the list, so moves
// are tested from both ends.
int LookAhead::search(const Ruleset& rules, const Heap& heap, int most) {
    constexpr Count kFollowers = 64;
    if (is_spent() || !rules.check_heap(heap)) return 1;
    const auto followers = find_followers(rules, heap, budget_);
    if (!followers) return 1;
    int best = 1;
    for (Count i = 0; i < std::min(followers->count, kFollowers); ++i) {
        if (best >= most || is_spent()) break;
        looked_ += text_units(heap);
        int moves = 1;
        for (const Heap& part :
             followers->at(i % 2 == 0 ? i / 2 : followers->count - 1 - i / 2))
            moves += longest(rules, part, most - moves);
        best = std::max(best, moves);
    }
    return best;
}

Move longest_move(const Game& game, const std::vector<Move>& moves, std::mt19937_64& random,
                  const Budget& budget) {
    LookAhead ahead(game, budget);
    std::vector<const Move*> best;
    LookAhead::Loss least;
    for (const Move& move : moves) {
        const auto loss = ahead.loss(move);
        if (ahead.is_spent()) break;
        if (!best.empty() && least < loss) continue;
        if (!best.empty() && loss < least) best.clear();
        best.push_back(&move);
        least = loss;
    }
    if (best.empty()) return moves[uniform_below(random, moves.size())];
    return *best[uniform_below(random, best.size())];
}

}  // namespace engine
