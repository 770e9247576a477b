#include "arena/players/advice.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "arena/base/counted.hpp"
#include "arena/game/decision.hpp"
#include "engine/rules/catalogue.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using engine::Analyst;
using engine::Budget;
using engine::Game;
using engine::Outcome;

constexpr std::size_t kMostHeaps = 30;        // whose nimbers are listed
constexpr protocol::Number kLongestRow = 60;  // stones
constexpr std::string_view kNotKnown = "It is not known: the solver did not find it in time.\n";

bool terminal_speaks_utf8() {
    for (const char* variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
        const char* value = std::getenv(variable);
        if (value == nullptr || *value == '\0') continue;
        const std::string_view text(value);
        return text.find("UTF-8") != text.npos || text.find("utf8") != text.npos;
    }
    return false;
}

std::string row_of(const protocol::Heap& heap) {
    const auto* stones = std::get_if<protocol::Number>(&heap);
    if (stones == nullptr) return {};
    static const std::string_view stone = terminal_speaks_utf8() ? "●" : "o";
    std::string row;
    for (protocol::Number i = 0; i < std::min(*stones, kLongestRow); ++i) row += stone;
    if (*stones > kLongestRow) row += " ...";
    return row;
}

// A winning move, else a drawing one.
std::optional<std::string> best_move(const Game& game, const Analyst& analyst,
                                     const Budget& budget) {
    const auto best = analyst.best_moves(game, 1, budget);
    if (!best || best->moves.empty()) return std::nullopt;
    return to_string(best->moves.front());
}

// The nimber of each heap; nullopt if one is not known, or there are too many.
std::optional<std::vector<std::string>> nimbers_of(const Game& game, const Analyst& analyst,
                                                   const Budget& budget) {
    const protocol::Position& position = game.position();
    if (position.convention == protocol::Convention::Misere) return std::nullopt;
    if (position.heap_count() > kMostHeaps) return std::nullopt;
    std::vector<std::string> nimbers;
    for (const protocol::Component& component : position.components) {
        for (const protocol::Heap& heap : component.heaps) {
            protocol::Position alone;
            alone.components.push_back({component.ruleset, {heap}});
            const auto start = Game::start(std::move(alone));
            const auto nimber =
                start ? analyst.nimber(*start, budget) : std::optional<engine::Nimber>();
            if (!nimber) return std::nullopt;
            nimbers.push_back(to_string(*nimber));
        }
    }
    return nimbers;
}

// The reason in words, without nimbers.
std::string bare_reason(Outcome outcome, const std::optional<std::string>& best) {
    const std::string move = best.value_or("one of your moves");
    switch (outcome) {
        case Outcome::N:
            return fmt::format("You can win: after {} no move of your opponent wins.\n", move);
        case Outcome::P:
            return "You lose against perfect play: to each of your moves there is an answer "
                   "that "
                   "wins.\n";
        case Outcome::D:
            return fmt::format("Nobody can force a win; {} holds the draw.\n", move);
        case Outcome::Unknown:
            break;
    }
    return std::string(kNotKnown);
}

// The player's first mistake, and a move that would have avoided it.
std::string mistake_text(std::span<const OwnMove> moves, const Analyst& analyst,
                         const Budget& budget) {
    for (const OwnMove& own : moves) {
        Game after = own.before;
        after.play(own.move);
        const Outcome before = analyst.outcome(own.before, budget);
        const Outcome then = analyst.outcome(after, budget);
        if (is_mistake(before, then) != Finding::Yes) continue;
        const auto best = best_move(own.before, analyst, budget);
        return fmt::format("move {} gave it away{}", own.number,
                           best ? ", " + *best + " kept it" : "");
    }
    return {};
}

}  // namespace

std::string drawn(const protocol::Position& position) {
    std::string board;
    std::size_t index = 0;
    for (const protocol::Component& component : position.components) {
        board += fmt::format("  {}\n", protocol::printable(component.ruleset.text, 200));
        for (const protocol::Heap& heap : component.heaps) {
            board += fmt::format("  {:>4}: {} {}\n", ++index, to_string(heap), row_of(heap));
        }
    }
    if (position.convention == protocol::Convention::Misere) board += "  (misere)\n";
    return board;
}

std::string rules_text(const protocol::Position& position) {
    std::set<std::string> seen;
    std::string text;
    for (const protocol::Component& component : position.components) {
        const protocol::RulesetText& ruleset = component.ruleset;
        if (!seen.insert(ruleset.text).second) continue;
        const engine::RulesetGuide* const guide = engine::find_guide(ruleset.name());
        if (guide == nullptr) continue;
        text += fmt::format("{}: {}\n", protocol::printable(ruleset.text, 200), guide->rules);
    }
    return text + (position.convention == protocol::Convention::Misere
                       ? "Misere play: who makes the last move loses.\n"
                       : "Who makes the last move wins.\n");
}

std::string hint_text(const Game& game, const Analyst& analyst, const Budget& budget) {
    const Outcome outcome = analyst.outcome(game, budget);
    const auto best = best_move(game, analyst, budget);
    if (outcome == Outcome::N && best) return fmt::format("{} wins.\n", *best);
    if (outcome == Outcome::D && best) return fmt::format("{} holds the draw.\n", *best);
    if (outcome != Outcome::P) return std::string(kNotKnown);
    std::mt19937_64 random(0);
    const auto trap =
        analyst.choose(game, {}, {engine::Choice::First, engine::Losing::Trap}, random, budget);
    return fmt::format("No move wins against perfect play{}.\n",
                       trap ? ", but " + to_string(*trap) + " leaves room for a mistake" : "");
}

std::string values_text(const Game& game, const Analyst& analyst, const Budget& budget) {
    if (game.position().convention == protocol::Convention::Misere) {
        return "In misere play heaps have no value that can be added: try why.\n";
    }
    const auto sum = analyst.nimber(game, budget);
    const std::size_t heaps = game.position().heap_count();
    if (heaps > kMostHeaps) {
        return fmt::format(
            "Values are shown for at most {} heaps, and here are {}{}: try why or hint.\n",
            kMostHeaps, heaps, sum ? "; their sum is " + to_string(*sum) : "");
    }
    const auto nimbers = nimbers_of(game, analyst, budget);
    if (!nimbers) return std::string(kNotKnown);
    std::string text;
    for (std::size_t i = 0; i < nimbers->size(); ++i) {
        text += fmt::format("  {:>4}: {}\n", i + 1, (*nimbers)[i]);
    }
    return text + (sum ? fmt::format("   sum: {}\n", to_string(*sum)) : "");
}

std::string why_text(const Game& game, const Analyst& analyst, const Budget& budget) {
    const Outcome outcome = analyst.outcome(game, budget);
    const auto best = best_move(game, analyst, budget);
    const auto sum = analyst.nimber(game, budget);
    const auto nimbers = nimbers_of(game, analyst, budget);
    const bool is_decided = outcome == Outcome::N || outcome == Outcome::P;
    if (!is_decided || !sum || engine::is_loopy(*sum) || !nimbers || nimbers->empty())
        return bare_reason(outcome, best);
    std::string text =
        nimbers->size() == 1
            ? fmt::format("The heap has the nimber {}.", nimbers->front())
            : fmt::format(
                  "The heaps have the nimbers {}; their sum without carrying (XOR) is "
                  "{}.",
                  listed(*nimbers, "and"), to_string(*sum));
    if (outcome == Outcome::P) {
        return text +
               " Each move changes it, and your opponent can make it 0 again: you lose against "
               "perfect play.\n";
    }
    return text + fmt::format(" Who makes it 0 wins{}.\n", best ? ": " + *best + " does" : "");
}

std::string ending_text(const Cause& verdict, int seat, std::span<const OwnMove> moves,
                        const Analyst& analyst, const Budget& budget) {
    const bool is_fault = verdict.faulty_seat().has_value();
    const std::string how =
        is_fault ? fmt::format(" ({})", protocol::printable(verdict.detail, 200)) : "";
    const std::string mistake = mistake_text(moves, analyst, budget);
    if (!verdict.winner) {
        return mistake.empty() ? "A draw.\n" : fmt::format("A draw: {}.\n", mistake);
    }
    if (*verdict.winner == seat) {
        return mistake.empty() || is_fault ? fmt::format("You won{}.\n", how)
                                           : fmt::format("You won, although {}.\n", mistake);
    }
    if (!mistake.empty()) return fmt::format("You lost{}: {}.\n", how, mistake);
    const bool was_lost =
        !moves.empty() && analyst.outcome(moves.front().before, budget) == Outcome::P;
    return fmt::format("You lost{}{}.\n", how,
                       was_lost ? ": against perfect play it was lost from the start" : "");
}

}  // namespace arena
