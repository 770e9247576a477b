#include "arena/pages/games_data.hpp"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "protocol/move.hpp"
#include "protocol/text.hpp"

namespace arena::pages {
namespace {

namespace json = boost::json;
using engine::Game;

// The nimber of each heap that occurs, by "component:heap", and of the sum before each move.
class Nimbers {
  public:
    Nimbers(const engine::Analyst& analyst, const engine::Budget& budget)
        : analyst_(analyst), budget_(budget) {}

    void add(const protocol::Position& position) {
        sums_.emplace_back(value(position));
        if (position.convention == protocol::Convention::Misere) return;
        for (std::size_t i = 0; i < position.components.size(); ++i) {
            const protocol::Component& component = position.components[i];
            for (const protocol::Heap& heap : component.heaps) {
                std::string key = std::to_string(i) + ":" + protocol::to_string(heap);
                if (heaps_.contains(key)) continue;
                const std::string nimber = value({{{component.ruleset, {heap}}}, {}});
                if (!nimber.empty()) heaps_.emplace(std::move(key), nimber);
            }
        }
    }

    json::object heaps() && { return std::move(heaps_); }
    json::array sums() && { return std::move(sums_); }

  private:
    // Empty where it is not known, or there is none.
    std::string value(const protocol::Position& position) const {
        if (budget_.is_spent()) return {};
        const auto game = Game::start(position);
        if (!game) return {};
        const auto nimber = analyst_.nimber(*game, budget_);
        return nimber ? protocol::printable(engine::to_string(*nimber), 60) : std::string();
    }

    const engine::Analyst& analyst_;
    const engine::Budget& budget_;
    json::object heaps_;
    json::array sums_;
};

json::array components(const protocol::Position& position) {
    json::array all;
    for (const protocol::Component& component : position.components) {
        json::array heaps;
        for (const protocol::Heap& heap : component.heaps) {
            heaps.emplace_back(protocol::to_string(heap));
        }
        all.push_back(
            json::object{{"ruleset", protocol::printable(component.ruleset.text, 200)},
                         {"heaps", std::move(heaps)}});
    }
    return all;
}

std::string letters_of(const GameAnalysis& analysis) {
    // "1 LETTERS END …"
    const std::string text = to_string(analysis);
    const auto from = text.find(' ') + 1;
    const std::string letters = text.substr(from, text.find(' ', from) - from);
    return analysis.plies.empty() ? std::string() : letters;
}

// "Ann won (no-moves)".
std::string result_of(const GameRecord& record, const std::array<std::string, 2>& names) {
    const std::string text = record.winner
                                 ? names[static_cast<std::size_t>(*record.winner)] + " won"
                             : record.reason == Reason::Void ? "void"
                                                             : "drawn";
    return fmt::format("{} ({})", text, name(record.reason));
}

json::object game_json(const Summary& summary, const ChosenGame& game,
                       const engine::Analyst& analyst, const engine::Budget& budget) {
    const GameRecord& record = game.record;
    std::array<std::string, 2> names;
    for (std::size_t seat = 0; seat < 2; ++seat) {
        const auto player = static_cast<std::size_t>(record.task.players[seat]);
        names[seat] = protocol::printable(summary.entrants[player].name);
    }
    protocol::Position position = *record.task.position;
    const bool misere = position.convention == protocol::Convention::Misere;
    json::array parts = components(position), moves, times;
    json::object better;
    Nimbers nimbers(analyst, budget);
    nimbers.add(position);
    for (std::size_t i = 0; i < record.moves.size(); ++i) {
        const auto move = protocol::parse_move(record.moves[i], position);
        if (!move) break;  // no record of ours
        protocol::apply(position, *move);
        nimbers.add(position);
        moves.emplace_back(record.moves[i]);
        if (i < record.times.size()) {
            times.emplace_back(
                fmt::format("{:.3f} ms", static_cast<double>(record.times[i].count()) / 1000));
        }
        const std::string& right = game.analysis.plies[i].better;
        if (!right.empty()) better[std::to_string(i + 1)] = right;
    }
    json::object by_arena;
    for (const auto& strikes : record.strikes) {
        for (const Strike& strike : strikes) {
            by_arena[std::to_string(strike.ply)] = name(strike.reason);
        }
    }
    const std::string result = result_of(record, names);
    return json::object{
        {"title", fmt::format("{}: {} – {}, {}{}", to_string(record.task.key), names[0],
                              names[1], result, misere ? ", misere" : "")},
        {"players", {names[0], names[1]}},
        {"components", std::move(parts)},
        {"moves", std::move(moves)},
        {"times", std::move(times)},
        {"letters", letters_of(game.analysis)},
        {"end", engine::to_string(game.analysis.end).substr(0, 1)},
        {"better", std::move(better)},
        {"by_arena", std::move(by_arena)},
        {"nimbers", std::move(nimbers).heaps()},
        {"sums", std::move(nimbers).sums()},
        {"result", record.detail.empty()
                       ? result
                       : result + ": " + protocol::printable(record.detail, 300)}};
}

}  // namespace

std::string games_json(const Summary& summary, std::size_t player,
                       const engine::Analyst& analyst, const engine::Budget& budget) {
    json::array games;
    for (const auto& game : summary.players[player].games) {
        games.push_back(game_json(summary, *game, analyst, budget));
    }
    return json::serialize(json::object{{"games", std::move(games)}});
}

}  // namespace arena::pages
