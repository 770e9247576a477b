#include "engine/rules/game.hpp"

#include <boost/multiprecision/cpp_int.hpp>
#include <boost/random/uniform_int_distribution.hpp>

#include "protocol/text.hpp"

namespace engine {

using protocol::Component;
using protocol::Error;
using protocol::Fault;

namespace {

// A sum of move counts, which may be more than a Count holds.
using WideCount = boost::multiprecision::uint128_t;

// Boost's distribution gives the same on every platform, which the standard's need not.
template <typename Number>
Number draw_below(std::mt19937_64& random, const Number& below) {
    return boost::random::uniform_int_distribution<Number>(0, below - 1)(random);
}

// Where in the text of a position a component begins, or heap number `heap` (from 0) in it.
std::size_t place_in(std::string_view text, std::size_t component,
                     std::optional<std::size_t> heap) {
    std::size_t at = 0;
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;

    // Steps behind the next `wanted` outside brackets; gives up at `end`.
    const auto step_behind = [&](char wanted, char end) {
        int depth = 0;
        for (std::size_t i = at; i < text.size(); ++i) {
            const char c = text[i];
            if (c == '(' || c == '{') ++depth;
            if (c == ')' || c == '}') --depth;
            if (depth > 0) continue;
            if (c == end) return;
            if (c == wanted) {
                at = i + 1;
                return;
            }
        }
    };
    for (std::size_t i = 0; i < component; ++i) step_behind('+', ' ');
    if (!heap) return at;
    step_behind(':', '+');
    for (std::size_t i = 0; i < *heap; ++i) step_behind(',', '+');
    return at;
}

// An error inside a component or a heap, placed in the whole text.
Error placed(const Error& error, const Position& position, std::string_view text,
             std::size_t component, std::optional<std::size_t> heap) {
    const std::string canonical = text.empty() ? to_string(position) : std::string();
    const std::size_t at = place_in(text.empty() ? canonical : text, component, heap);
    return Error{error.fault, error.text, at + (error.column > 0 ? error.column : 1)};
}

std::string repetition_key(const Position& position, int player) {
    return std::to_string(player) + to_string(position);
}

}  // namespace

Count uniform_below(std::mt19937_64& random, Count below) { return draw_below(random, below); }

Result<Game> Game::start(Position position, std::string_view text, FindRuleset find) {
    Game game;
    for (std::size_t i = 0; i < position.components.size(); ++i) {
        const Component& component = position.components[i];
        const bool same = i > 0 && component.ruleset == position.components[i - 1].ruleset;
        auto ruleset = same ? game.rulesets_.back() : find(component.ruleset);
        if (!ruleset) return placed(ruleset.error(), position, text, i, std::nullopt);
        for (std::size_t j = 0; j < component.heaps.size(); ++j) {
            const auto fits = (*ruleset)->check_heap(component.heaps[j]);
            if (!fits) return placed(fits.error(), position, text, i, j);
            if (!game.add_work(**ruleset, component.heaps[j])) {
                return placed(*game.beyond_limits_, position, text, i, j);
            }
            if ((*ruleset)->has_move(component.heaps[j])) ++game.live_heaps_;
        }
        game.can_repeat_ = game.can_repeat_ || (*ruleset)->can_repeat();
        game.rulesets_.push_back(*std::move(ruleset));
    }
    game.position_ = std::move(position);
    if (game.can_repeat_) game.seen_[repetition_key(game.position_, game.player_)] = 1;
    return game;
}

// False where that is too much.
bool Game::add_work(const Ruleset& rules, const Heap& heap) {
    const Count work = rules.work(heap);
    if (work <= kMaxWork - work_) {
        work_ += work;
        return true;
    }
    beyond_limits_ =
        Error{Fault::BadInput,
              "read " + protocol::quoted(to_string(heap)) +
                  ", expected heaps with fewer bindings: to find the moves of this "
                  "one and of those before it takes some seconds",
              0};
    return false;
}

Result<void> Game::check_limits() const {
    if (beyond_limits_) return *beyond_limits_;
    return {};
}

Result<Move> Game::read_move(std::string_view text) const {
    auto move = protocol::parse_move(text, position_);
    if (!move) return move;
    const auto legal = check(*move);
    if (!legal) return Error{Fault::BadInput, legal.error().text, text.find('=') + 2};
    return move;
}

Result<void> Game::check(const Move& move) const {
    const auto found = find_heap(position_, move.heap);
    if (!found) {
        return Error{Fault::BadInput, "there is no heap " + std::to_string(move.heap) +
                                          ": the position has " +
                                          std::to_string(position_.heap_count()) + " heaps"};
    }
    const Ruleset& rules = *ruleset(found.place.component);
    if (rules.is_follower(found.heap(), move.result)) return {};
    const std::string text = to_string(move);
    return Error{Fault::BadInput,
                 "heap " + std::to_string(move.heap) + " is " +
                     protocol::quoted(to_string(found.heap())) + " and cannot become " +
                     protocol::quoted(text.substr(text.find('=') + 1)) + " under " +
                     protocol::quoted(found.component->ruleset.text)};
}

void Game::play(const Move& move) {
    const auto found = find_heap(position_, move.heap);
    const Ruleset& rules = *ruleset(found.place.component);
    if (rules.has_move(found.heap())) --live_heaps_;
    if (!beyond_limits_) work_ -= rules.work(found.heap());
    for (const Heap& heap : move.result) {
        const auto fits = rules.check_heap(heap);
        if (!fits) beyond_limits_ = fits.error();
        if (fits && add_work(rules, heap) && rules.has_move(heap)) ++live_heaps_;
    }
    apply(position_, move);
    player_ = 3 - player_;
    if (beyond_limits_) return;
    if (can_repeat_ && ++seen_[repetition_key(position_, player_)] >= 3) repeated_ = true;
}

End Game::end() const {
    if (repeated_) return End::Repetition;
    return has_move() ? End::None : End::NoMoves;
}

std::optional<int> Game::winner() const {
    if (end() != End::NoMoves) return std::nullopt;
    return position_.convention == protocol::Convention::Misere ? player_ : 3 - player_;
}

Count Game::move_count() const {
    Count total = 0;
    for (std::size_t i = 0; i < rulesets_.size(); ++i) {
        for (const Heap& heap : position_.components[i].heaps) {
            const Count count = rulesets_[i]->follower_count(heap);
            total = count > kMany - total ? kMany : total + count;
        }
    }
    return total;
}

std::vector<Move> Game::moves(std::size_t limit) const {
    std::vector<Move> moves;
    std::size_t number = 0;
    for (std::size_t i = 0; i < rulesets_.size(); ++i) {
        for (const Heap& heap : position_.components[i].heaps) {
            ++number;
            const Count count = rulesets_[i]->follower_count(heap);
            for (Count j = 0; j < count; ++j) {
                if (moves.size() == limit) return moves;
                moves.push_back({number, rulesets_[i]->follower(heap, j)});
            }
        }
    }
    return moves;
}

Move Game::random_move(std::mt19937_64& random) const {
    WideCount total = 0;
    for (std::size_t i = 0; i < rulesets_.size(); ++i) {
        for (const Heap& heap : position_.components[i].heaps) {
            total += rulesets_[i]->follower_count(heap);
        }
    }
    WideCount rest = draw_below(random, total);
    std::size_t number = 0;
    for (std::size_t i = 0; i < rulesets_.size(); ++i) {
        for (const Heap& heap : position_.components[i].heaps) {
            ++number;
            const Count count = rulesets_[i]->follower_count(heap);
            if (rest < count) {
                return {number, rulesets_[i]->follower(heap, static_cast<Count>(rest))};
            }
            rest -= count;
        }
    }
    return {};  // there is no move
}

Result<Game> read_game(std::string_view text, const RulesetNames& names) {
    auto position = protocol::parse_position(text);
    if (!position) return position.error();
    return Game::start(names.expand(*std::move(position)), text);
}

}  // namespace engine
