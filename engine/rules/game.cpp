#include "engine/rules/game.hpp"

#include <algorithm>
#include <string>

#include <boost/random/uniform_int_distribution.hpp>

#include "engine/base/mix.hpp"
#include "protocol/text.hpp"

namespace engine {

using protocol::Component;

namespace {

// Whether an illegal result of one heap would be legal as the number that is taken from it.
// Only where each move takes a number: else the result may be a part of a split.
bool takes_result(const Ruleset& rules, const Heap& heap, const std::vector<Heap>& result) {
    if (!shape_as<shape::Subtraction>(rules)) return false;
    const auto* from = std::get_if<Number>(&heap);
    const auto* taken = result.size() == 1 ? std::get_if<Number>(&result.front()) : nullptr;
    if (from == nullptr || taken == nullptr || *taken == 0 || *taken > *from) return false;
    const Heap left = *from - *taken;
    return rules.is_follower(heap, {&left, 1});
}

// Where in the text of a position a component begins, or heap number `heap` (from 0) in it.
std::size_t place_in(std::string_view text, std::size_t component,
                     std::optional<std::size_t> heap) {
    std::size_t at = 0;
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;

    // Moves `at` past the next `wanted` outside brackets; gives up at `end`.
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

// The column of an error in a ruleset or a heap. `unwritten`: the ruleset is a code alone, and
// the error is one of its canonical text.
std::size_t column_in(const Error& error, bool unwritten) {
    const std::size_t before = unwritten ? protocol::kBeforeCode.size() : 0;
    return error.column > before ? error.column - before : 1;
}

// An error inside a component or a heap, placed in the whole text.
Error placed(const Error& error, const Position& position, std::string_view text,
             std::size_t component, std::optional<std::size_t> heap) {
    const std::string canonical = text.empty() ? to_string(position) : std::string();
    if (text.empty()) text = canonical;
    const std::size_t at = place_in(text, component, heap);
    const bool unwritten = !heap && protocol::is_code_alone(text.substr(at));
    return Error{error.fault, error.text, at + column_in(error, unwritten)};
}

}  // namespace

// Boost's distribution gives the same on every platform, which the standard's need not.
Count uniform_below(std::mt19937_64& random, Count below) {
    return boost::random::uniform_int_distribution<Count>(0, below - 1)(random);
}

Wide wide_below(std::mt19937_64& random, Wide below) {
    if (below <= kMany) return uniform_below(random, static_cast<Count>(below));
    const auto most_high = static_cast<Count>((below - 1) >> 64);
    for (;;) {
        const Count low = random();  // drawn first, whatever the compiler
        const Wide drawn = Wide{uniform_below(random, most_high + 1)} << 64 | low;
        if (drawn < below) return drawn;
    }
}

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
        const std::size_t before = i == 0 ? 0 : game.heaps_to_.back();
        game.heaps_to_.push_back(before + component.heaps.size());
    }
    game.position_ = std::move(position);
    game.repetitions_.start(game.player_);
    return game;
}

// False where that is too much.
bool Game::add_work(const Ruleset& rules, const Heap& heap) {
    const Count work = rules.work(heap);
    if (work <= kMaxWork - work_) {
        work_ += work;
        return true;
    }
    beyond_limits_ = refuse_heap(
        heap,
        "fewer or smaller heaps: to judge moves in this one and in those before it takes too "
        "long");
    return false;
}

Result<void> Game::check_limits() const {
    if (beyond_limits_) return *beyond_limits_;
    return {};
}

protocol::HeapLookup Game::find(std::size_t index) const {
    const auto to = std::ranges::lower_bound(heaps_to_, index);
    if (index == 0 || to == heaps_to_.end()) return {};
    const auto component = static_cast<std::size_t>(to - heaps_to_.begin());
    const std::size_t before = component == 0 ? 0 : heaps_to_[component - 1];
    return {&position_.components[component], {component, index - before - 1}};
}

Result<Move> Game::read_move(std::string_view text) const {
    if (text == "0000" && has_move()) {
        return Error{Fault::BadInput, "read '0000', which is for positions without a move"};
    }
    auto move = protocol::parse_move(text, position_,
                                     [this](std::size_t index) { return find(index); });
    if (!move) return move;
    const auto found = find(move->heap);
    move->result =
        ruleset(found.place.component)->canonical(found.heap(), std::move(move->result));
    const auto legal = check(*move);
    if (!legal) return Error{Fault::BadInput, legal.error().text, text.find('=') + 2};
    return move;
}

Result<void> Game::check(const Move& move) const {
    const auto found = find(move.heap);
    if (!found) {
        return Error{Fault::BadInput, "there is no heap " + std::to_string(move.heap) +
                                          ": the position has " +
                                          std::to_string(position_.heap_count()) + " heaps"};
    }
    const Ruleset& rules = *ruleset(found.place.component);
    if (rules.is_follower(found.heap(), move.result)) return {};
    const std::string text = to_string(move);
    const std::string heap = "heap " + std::to_string(move.heap) + " is " +
                             protocol::quoted(to_string(found.heap()));
    const std::string under = " under " + protocol::quoted(found.component->ruleset.text);
    if (!rules.has_move(found.heap())) {
        return Error{Fault::BadInput, heap + " and has no move" + under};
    }
    return Error{Fault::BadInput,
                 heap + " and cannot become " +
                     protocol::quoted(text.substr(text.find('=') + 1)) + under +
                     (takes_result(rules, found.heap(), move.result)
                          ? ": RESULT is what the heap becomes, not what is taken"
                          : "")};
}

bool Game::names_what_is_taken(std::string_view text) const {
    const auto move = protocol::parse_move(text, position_,
                                           [this](std::size_t index) { return find(index); });
    const auto found = move ? find(move->heap) : protocol::HeapLookup();
    return found && takes_result(*ruleset(found.place.component), found.heap(), move->result);
}

void Game::replace(protocol::HeapPlace place, std::size_t count, std::span<const Heap> result) {
    protocol::replace(position_, place, count, result);
    if (count == result.size()) return;
    for (std::size_t i = place.component; i < heaps_to_.size(); ++i) {
        heaps_to_[i] = heaps_to_[i] + result.size() - count;
    }
}

Game::Played Game::play(const Move& move) {
    const auto found = find(move.heap);
    const Ruleset& rules = *ruleset(found.place.component);
    Played played{found.heap(), move.heap, move.result.size(), live_heaps_,
                  work_,        repeated_, beyond_limits_,     std::nullopt};
    if (rules.has_move(found.heap())) --live_heaps_;
    if (!beyond_limits_) work_ -= rules.work(found.heap());
    for (const Heap& heap : move.result) {
        const auto fits = rules.check_heap(heap);
        if (!fits) beyond_limits_ = fits.error();
        // If that is not known, the game continues as far as the rules can judge.
        if (!fits || !add_work(rules, heap) || rules.has_move(heap)) ++live_heaps_;
    }
    replace(found.place, 1, move.result);
    player_ = 3 - player_;
    if (can_repeat_) count_repetition(rules, move, played);
    return played;
}

void Game::count_repetition(const Ruleset& rules, const Move& move, Played& played) {
    if (!rules.can_repeat() || move.result.size() > 1) {
        played.forgotten = std::exchange(repetitions_, {});
        repetitions_.start(player_);
        return;
    }
    const int times =
        repetitions_.count(move.heap, played.before, move.result.front(), player_);
    if (times >= 3) repeated_ = true;
}

void Game::take_back(Played played) {
    const auto found = find(played.heap);
    if (played.forgotten) {
        repetitions_ = *std::move(played.forgotten);
    } else if (can_repeat_) {
        repetitions_.discount(played.heap, played.before, found.heap(), player_);
    }
    repeated_ = played.repeated;
    player_ = 3 - player_;
    replace(found.place, played.count, {&played.before, 1});
    live_heaps_ = played.live_heaps;
    work_ = played.work;
    beyond_limits_ = std::move(played.beyond_limits);
}

End Game::end() const {
    if (repeated_) return End::Repetition;
    return has_move() ? End::None : End::NoMoves;
}

std::optional<int> Game::winner() const {
    if (end() != End::NoMoves) return std::nullopt;
    return is_misere() ? player_ : 3 - player_;
}

Count Game::move_count() const {
    Count total = 0;
    visit_heaps([&](std::size_t, const Ruleset& rules, const Heap& heap) {
        total = saturating_sum(total, rules.follower_count(heap));
        return true;
    });
    return total;
}

std::vector<Move> Game::moves(std::size_t limit) const {
    std::vector<Move> moves;
    visit_heaps([&](std::size_t number, const Ruleset& rules, const Heap& heap) {
        const Count count = std::min<Count>(rules.follower_count(heap), limit - moves.size());
        for (Count i = 0; i < count; ++i) moves.push_back({number, rules.follower(heap, i)});
        return moves.size() < limit;
    });
    return moves;
}

Move Game::random_move(std::mt19937_64& random) const {
    Wide total = 0;
    visit_heaps([&](std::size_t, const Ruleset& rules, const Heap& heap) {
        total += rules.follower_count(heap);
        return true;
    });
    Wide place = wide_below(random, total);
    Move move;
    visit_heaps([&](std::size_t number, const Ruleset& rules, const Heap& heap) {
        const Count count = rules.follower_count(heap);
        if (place < count) {
            move = {number, rules.follower(heap, static_cast<Count>(place))};
            return false;
        }
        place -= count;
        return true;
    });
    return move;
}

Count work_of(const RulesetText& text, std::span<const Heap> heaps) {
    const auto rules = find_ruleset(text);
    if (!rules) return 0;
    Count work = 0;
    for (const Heap& heap : heaps) {
        if (!(*rules)->check_heap(heap)) return 0;
        work = saturating_sum(work, (*rules)->work(heap));
    }
    return work;
}

Count work_of(const Position& position) {
    Count work = 0;
    for (const Component& component : position.components) {
        work = saturating_sum(work, work_of(component.ruleset, component.heaps));
    }
    return work;
}

Result<Game> read_game(std::string_view text, const RulesetNames& names) {
    auto position = names.read_position(text);
    if (!position) return position.error();
    return Game::start(*std::move(position), text);
}

// ---- repetitions ----

namespace {

struct Hash {
    std::uint64_t high = 0;
    std::uint64_t low = 0;

    void add(std::uint64_t word) {
        high = mix(high ^ word) * 0x9e3779b97f4a7c15 + low;
        low = mix(low + word) ^ high;
    }
};

Hash process_key() {
    std::random_device random;
    const auto draw = [&] { return std::uint64_t{random()} << 32 | random(); };
    return {draw(), draw()};
}

// The hash of a heap and its number in the sum.
Hash hash_of(std::size_t number, const Heap& heap) {
    static const Hash key = process_key();
    Hash hash = key;
    hash.add(number);
    std::string text;
    append_text(text, heap);
    for (const char c : text) hash.add(static_cast<unsigned char>(c));
    hash.add(text.size() + 256);
    return hash;
}

}  // namespace

void Repetitions::change(std::size_t heap, const Heap& before, const Heap& after) {
    const Hash gone = hash_of(heap, before);
    const Hash come = hash_of(heap, after);
    high_ += come.high - gone.high;
    low_ += come.low - gone.low;
}

int Repetitions::count(std::size_t heap, const Heap& before, const Heap& after, int player) {
    change(heap, before, after);
    return ++counts_[key_of(player)];
}

void Repetitions::discount(std::size_t heap, const Heap& before, const Heap& after,
                           int player) {
    const auto found = counts_.find(key_of(player));
    if (--found->second == 0) counts_.erase(found);
    change(heap, after, before);
}

}  // namespace engine
