#include "engine/sums/evaluation.hpp"

#include <algorithm>
#include <bit>
#include <set>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "engine/heaps/nimber_json.hpp"
#include "protocol/text.hpp"

namespace engine {
namespace {

constexpr std::size_t kMostPowers = 8;
constexpr std::chrono::milliseconds kGenusTime{500};

// ---- for a program ----

std::string cut(std::string text, const JsonLimits& limits) {
    return text.size() <= limits.text ? std::move(text)
                                      : protocol::printable(text, limits.text);
}

boost::json::array json_heaps(const Evaluation& evaluation, const JsonLimits& limits) {
    boost::json::array heaps;
    std::size_t number = 0;
    for (const auto& component : evaluation.game().position().components) {
        for (const Heap& heap : component.heaps) {
            if (number == limits.heaps) return heaps;
            const std::size_t index = number++;
            heaps.push_back(
                boost::json::object{{"heap", number},
                                    {"ruleset", cut(component.ruleset.text, limits)},
                                    {"size", cut(to_string(heap), limits)},
                                    {"nimber", to_json(evaluation.nimber(index))},
                                    {"genus", nullptr},
                                    {"outcome", nullptr}});
            boost::json::object& told = heaps.back().as_object();
            if (auto genus = evaluation.genus(index)) told["genus"] = to_string(*genus);
            const Outcome alone = evaluation.outcome(index);
            if (alone != Outcome::Unknown) told["outcome"] = to_string(alone);
        }
    }
    return heaps;
}

void add_moves(const Evaluation& evaluation, boost::json::object& object) {
    const bool draw = evaluation.outcome() == Outcome::D;
    boost::json::array moves;
    for (const Move& move : evaluation.moves()->moves) moves.emplace_back(to_string(move));
    object[draw ? "holding_moves" : "winning_moves"] = std::move(moves);
    if (draw) {
        object["winning_moves"] = boost::json::array();
        object["winning_move_count"] = 0;
    } else if (evaluation.move_count()) {
        object["winning_move_count"] = *evaluation.move_count();
    }
}

}  // namespace

// ---- columns ----

std::string power_name(Number exponent) {
    if (exponent == 0) return "1";
    return exponent == 1 ? "w" : "w^" + std::to_string(exponent);
}

std::vector<std::string> BinaryColumns::digits_of(const Nimber& nimber) const {
    std::vector<std::string> digits;
    if (is_loopy(nimber)) return digits;
    for (const Power& power : powers) {
        digits.push_back(
            fmt::format("{:0{}b}", coefficient(nimber, power.exponent), power.digits));
    }
    return digits;
}

BinaryColumns Evaluation::columns() const {
    std::set<Number, std::greater<>> exponents{0};
    for (const auto& nimber : sum_.nimbers()) {
        if (!nimber) continue;
        const auto* ordinal = std::get_if<Ordinal>(&*nimber);
        if (ordinal == nullptr) continue;
        for (const Ordinal::Term& term : ordinal->terms) exponents.insert(term.exponent);
        if (exponents.size() > kMostPowers) return {};
    }
    BinaryColumns columns;
    for (const Number exponent : exponents) {
        std::uint64_t bits = 1;
        for (const auto& nimber : sum_.nimbers()) {
            if (nimber) bits |= coefficient(*nimber, exponent);
        }
        columns.powers.push_back({exponent, static_cast<int>(std::bit_width(bits))});
    }
    return columns;
}

// ---- the evaluation ----

namespace {

std::optional<Move> first_best(const Solution& solution) {
    std::mt19937_64 random(0);
    return solution.best_move(Choice::First, random);
}

// Under misere play the nimbers take no time from it.
std::shared_ptr<const Solution> find_winner(const Game& game, const Budget& budget) {
    if (game.is_misere()) return nullptr;
    return solve(game, budget.at_most(budget.left() / 8), Aim::Winner);
}

}  // namespace

Evaluation::Evaluation(const Game& game, const EvaluationLimits& limits, const Budget& all)
    : game_(game),
      budget_(all.at_most(all.left() - all.left() / 5)),
      winner_(find_winner(game_, budget_)),
      best_move_(winner_ ? first_best(*winner_) : std::nullopt),
      sum_(game_, budget_) {
    // The outcome may be known without all nimbers; under misere play the way is the same.
    const bool misere = game_.is_misere();
    if (!winner_ || winner_->outcome() == Outcome::Unknown) {
        winner_ = solve(game_, misere ? budget_ : budget_.half(), Aim::Winner);
    }
    solution_ = winner_;
    if (!misere) solution_ = solve(game_, budget_, Aim::Values);
    if (solution_->outcome() == Outcome::Unknown) solution_ = winner_;
    // Before the list of all, which may take all the time.
    if (const auto move = first_best(*solution_)) best_move_ = move;
    moves_ = solution_->best_moves(limits.moves);
    if (moves_) {
        move_count_ = moves_->cut ? solution_->best_move_count() : Count{moves_->moves.size()};
    }
    if (solution_->outcome() == Outcome::P) find_refutations(limits.refutations, all);
    genus_budget_ = all.at_most(kGenusTime);
}

void Evaluation::find_refutations(std::size_t limit, const Budget& budget) {
    for (const Move& move : game_.moves(limit)) {
        if (budget.is_spent()) break;
        Game next = game_;
        next.play(move);
        auto answer = first_best(*solve(next, budget, Aim::Winner));
        if (answer || !next.has_move()) refutations_.push_back({move, std::move(answer)});
    }
}

Evaluation::Worth Evaluation::worth() const {
    if (has_genera()) return Worth::Genera;
    return sum_.is_solvable() ? Worth::Nimbers : Worth::None;
}

Outcome Evaluation::outcome(std::size_t heap) const {
    if (!has_genera()) return Outcome::Unknown;
    const Outcome alone = solution_->heap_outcome(heap);
    if (alone != Outcome::Unknown) return alone;
    const auto found = genus(heap);
    if (!found) return Outcome::Unknown;
    return found->misere.front() == 0 ? Outcome::P : Outcome::N;
}

std::optional<Nimber> Evaluation::total() const {
    if (!sum_.is_known()) return std::nullopt;
    return sum_.total();
}

boost::json::object to_json(const Evaluation& evaluation, const JsonLimits& limits) {
    boost::json::object object{
        {"position", to_string(evaluation.game().position())},
        {"convention", evaluation.is_misere() ? "misere" : "normal"},
        {"outcome", to_string(evaluation.outcome())},
        {"nimber", to_json(evaluation.nimber())},
        {"heaps", json_heaps(evaluation, limits)},
        {"winning_moves", nullptr},
        {"winning_move_count", nullptr},
        {"best_move", nullptr},
        {"holding_moves", boost::json::array()},
        {"refutations", boost::json::array()},
        {"reason", evaluation.reason()},
    };
    if (evaluation.best_move()) object["best_move"] = to_string(*evaluation.best_move());
    if (evaluation.moves()) add_moves(evaluation, object);
    for (const auto& [move, answer] : evaluation.refutations()) {
        const std::string loses = to_string(move), wins = answer ? to_string(*answer) : "";
        if (loses.size() + wins.size() > limits.text) continue;
        boost::json::value text;  // null where there is no answer
        if (answer) text = wins;
        object["refutations"].as_array().push_back(
            boost::json::object{{"move", loses}, {"answer", std::move(text)}});
    }
    return object;
}

}  // namespace engine
