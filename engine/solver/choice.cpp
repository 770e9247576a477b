#include "engine/solver/choice.hpp"

#include <algorithm>

#include "engine/solver/longest_play.hpp"

namespace engine {
namespace {

constexpr std::size_t kPollEvery = 16;  // heaps

// Text that a list of moves may fill, roughly: a move of a long ordinal counts by its terms.
constexpr std::size_t kMaxListTerms = 1 << 19;

std::size_t term_count(const Move& move) {
    std::size_t count = 1;
    for (const Heap& heap : move.result) {
        const auto* ordinal = std::get_if<protocol::Ordinal>(&heap);
        if (ordinal != nullptr) count += ordinal->terms.size();
    }
    return count;
}

std::optional<Move> sure_winning(const Sum& sum) {
    for (std::size_t part = 0; part < sum.parts().size(); ++part) {
        if (sum.surely_wins(part)) return sum.winning_move(part, 0);
    }
    return std::nullopt;
}

// The first; if the budget ends, one that is found at once.
std::optional<Move> first_winning(const Sum& sum, const Budget& budget) {
    for (std::size_t part = 0; part < sum.parts().size(); ++part) {
        if (part % kPollEvery == kPollEvery - 1 && budget.is_spent()) {
            if (auto sure = sure_winning(sum)) return sure;
        }
        if (sum.winning_count(part) > 0) return sum.winning_move(part, 0);
    }
    return std::nullopt;
}

// Drawn uniformly; if the budget ends, from those found so far.
std::optional<Move> random_winning(const Sum& sum, std::mt19937_64& random,
                                   const Budget& budget) {
    struct Group {
        std::size_t part;
        Count count;
    };
    std::vector<Group> groups;
    Count total = 0;
    for (std::size_t part = 0; part < sum.parts().size(); ++part) {
        if (part % kPollEvery == kPollEvery - 1 && budget.is_spent()) {
            if (total > 0) break;
            if (auto sure = sure_winning(sum)) return sure;
        }
        const Count count = std::min(sum.winning_count(part), kMany - total);
        if (count > 0) groups.push_back({part, count});
        total += count;
    }
    if (total == 0) return std::nullopt;
    Count rest = uniform_below(random, total);
    auto group = groups.begin();
    for (; rest >= group->count; ++group) rest -= group->count;
    return sum.winning_move(group->part, rest);
}

// Drawn from all where the loss of none is known.
Move least_loss(const Sum& sum, const std::vector<Move>& candidates, std::mt19937_64& random) {
    std::vector<const Move*> best;
    Loss least;
    for (const Move& move : candidates) {
        auto loss = loss_of(sum, move);
        if (!loss || (!best.empty() && is_less(least, *loss))) continue;
        if (!best.empty() && is_less(*loss, least)) best.clear();
        best.push_back(&move);
        least = *std::move(loss);
    }
    if (best.empty()) return candidates[uniform_below(random, candidates.size())];
    return *best[uniform_below(random, best.size())];
}

Move choose_among(const Sum& sum, const std::vector<Move>& candidates, const Style& style,
                  std::mt19937_64& random, const Budget& budget) {
    std::vector<const Move*> winning;
    for (const Move& move : candidates) {
        if (sum.is_winning(move, budget)) winning.push_back(&move);
    }
    if (!winning.empty()) {
        const bool first = style.choice == Choice::First;
        return *winning[first ? 0 : uniform_below(random, winning.size())];
    }
    if (style.losing == Losing::Longest) return least_loss(sum, candidates, random);
    return candidates[uniform_below(random, candidates.size())];
}

}  // namespace

std::optional<MoveList> list_winning(const Sum& sum, std::size_t limit, const Budget& budget) {
    if (!sum.is_known()) return std::nullopt;
    MoveList list;
    if (sum.outcome() == Outcome::P) return list;
    std::size_t terms = 0;
    for (std::size_t part = 0; part < sum.parts().size(); ++part) {
        if (part % kPollEvery == 0 && budget.is_spent()) return std::nullopt;
        const std::size_t room = std::min(limit, kMaxListTerms) - list.moves.size();
        auto moves = sum.winning_moves(part, room + 1);  // one more tells whether there is more
        for (Move& move : moves) {
            terms += term_count(move);
            if (list.moves.size() == limit || terms > kMaxListTerms) {
                list.cut = true;
                return list;
            }
            list.moves.push_back(std::move(move));
        }
    }
    return list;
}

std::optional<Move> choose_move(const Game& game, const Sum& sum,
                                const std::vector<Move>& candidates, const Style& style,
                                std::mt19937_64& random, const Budget& budget) {
    if (!candidates.empty()) return choose_among(sum, candidates, style, random, budget);
    if (!game.has_move()) return std::nullopt;
    if (sum.outcome() == Outcome::N) {
        const auto move = style.choice == Choice::First ? first_winning(sum, budget)
                                                        : random_winning(sum, random, budget);
        if (move) return move;
    }
    if (style.losing == Losing::Longest) {
        if (auto move = longest_move(sum, random)) return move;
    }
    return game.random_move(random);
}

}  // namespace engine
