#include "arena/web/live_feed.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <boost/json.hpp>

#include "arena/contest/standings_table.hpp"
#include "arena/game/seeds.hpp"
#include "arena/record/annotate.hpp"
#include "arena/report/drawing.hpp"
#include "arena/report/move_words.hpp"
#include "protocol/text.hpp"

namespace arena::web {
namespace {

namespace json = boost::json;
using protocol::Position;

constexpr std::size_t kMostBoardPiles = 20;      // that are drawn on a board
constexpr std::size_t kMostDrawn = 16'384;       // bytes of their drawings
constexpr std::size_t kMostRuleset = 4096;       // bytes of a ruleset that is drawn
constexpr std::size_t kMostBoardText = 1000;     // bytes of a position on a board
constexpr std::size_t kMostStart = 4096;         // bytes of a start position, or of all moves
constexpr std::size_t kMostFinishedMoves = 200;  // of a finished game
constexpr std::size_t kMostName = 100;           // bytes
constexpr std::size_t kMostMove = 200;           // bytes of a losing move
constexpr std::size_t kMostDetail = 300;         // bytes

json::value or_null(const std::optional<int>& number) {
    return number ? json::value(*number) : json::value(nullptr);
}

json::value or_null(const std::optional<Milliseconds>& time) {
    return time ? json::value(time->count()) : json::value(nullptr);
}

json::value json_of(const Column& column, const Cell& cell) {
    if (const auto* number = std::get_if<std::int64_t>(&cell)) return *number;
    if (const auto* text = std::get_if<std::string>(&cell)) return json::string(*text);
    const auto* value = std::get_if<double>(&cell);
    if (value == nullptr) return nullptr;
    return column.kind == CellKind::Tenths ? std::round(*value * 10) / 10 : *value;
}

json::array numbers(const std::array<int, 2>& players) { return {players[0], players[1]}; }

json::object pile_object(std::size_t number, const protocol::RulesetText& ruleset,
                         const protocol::Heap& heap, bool is_drawn) {
    json::object drawing{{"kind", "text"}};
    if (is_drawn && ruleset.text.size() <= kMostRuleset)
        drawing = pages::drawing_of(ruleset, heap);
    return {{"pile", number},
            {"ruleset", protocol::printable(ruleset.text, kMostName)},
            {"heap", protocol::printable(to_string(heap), kMostName)},
            {"drawing", std::move(drawing)}};
}

json::array piles_of(const Position& position) {
    json::array piles;
    std::size_t number = 0, bytes = 0;
    for (const protocol::Component& component : position.components) {
        for (const protocol::Heap& heap : component.heaps) {
            if (++number > kMostBoardPiles) return piles;
            auto pile = pile_object(number, component.ruleset, heap, bytes < kMostDrawn);
            bytes += json::serialize(pile).size();
            piles.push_back(std::move(pile));
        }
    }
    return piles;
}

void add_game(json::object& object, const TableState& state) {
    const bool has_ended = state.phase == TableState::Phase::Over;
    object["game"] = state.game;
    object["players"] = numbers(state.players);
    object["ply"] = state.ply;
    object["last"] = nullptr;
    if (!state.last.empty()) object["last"] = protocol::printable(state.last, kMostName);
    object["last_words"] = nullptr;
    const std::string words =
        state.before ? pages::told_move(*state.before, state.last) : std::string();
    if (!words.empty()) object["last_words"] = words;
    object["position"] = nullptr;
    object["pile_count"] = nullptr;
    object["piles"] = json::array();
    if (state.position) {
        object["position"] = protocol::printable(to_string(*state.position), kMostBoardText);
        object["pile_count"] = state.position->heap_count();
        object["piles"] = piles_of(*state.position);
    }
    object["to_move"] = has_ended ? json::value(nullptr) : json::value(state.ply % 2);
    object["clocks"] = json::array{or_null(state.left[0]), or_null(state.left[1])};
    object["over"] = nullptr;
    if (!has_ended) return;
    object["over"] = json::object{{"winner", or_null(state.winner)},
                                  {"reason", std::string(name(state.reason))}};
}

// The position before the move `ply` (from 1), as far as the record has the moves.
std::optional<Position> position_before(const GameRecord& record, std::size_t ply) {
    Position position = *record.task.position;
    if (ply > record.moves.size() + 1) return std::nullopt;
    for (std::size_t i = 0; i + 1 < ply; ++i) {
        const auto move = protocol::parse_move(record.moves[i], position);
        if (!move) return std::nullopt;
        protocol::apply(position, *move);
    }
    return position;
}

// By seat: its first losing move from a won position, won back later or not. Null: not known.
json::value thrown_of(const GameRecord& record) {
    const auto analysis = noted_analysis(record);
    if (!analysis) return nullptr;
    json::array thrown;
    for (std::size_t seat = 0; seat < 2; ++seat) {
        const std::size_t ply = first_throw(record, *analysis, seat);
        if (ply == 0) continue;
        const std::string move = protocol::printable(record.moves[ply - 1], kMostMove);
        const std::string right =
            protocol::printable(analysis->plies[ply - 1].better, kMostMove);
        json::object row{{"seat", seat},     {"ply", ply},       {"move", move},
                         {"words", nullptr}, {"right", nullptr}, {"right_words", nullptr}};
        const auto before = position_before(record, ply);
        if (before) row["words"] = pages::told_move(*before, move);
        if (!right.empty()) {
            row["right"] = right;
            if (before) row["right_words"] = pages::told_move(*before, right);
        }
        thrown.push_back(std::move(row));
    }
    if (thrown.empty() && analysis->start() == engine::Outcome::Unknown) return nullptr;
    return thrown;
}

// Adds the start and the moves if they are short enough for a link to the game.
void add_moves(json::object& game, const GameRecord& record) {
    game["position"] = nullptr;
    game["moves"] = nullptr;
    const std::string& start = record.task.position.text();
    std::size_t bytes = 0;
    for (const std::string& move : record.moves) bytes += move.size();
    if (start.size() > kMostStart) return;
    game["position"] = start;
    const bool has_all = record.moves.size() == record.times.size();
    if (!has_all || record.moves.size() > kMostFinishedMoves || bytes > kMostStart) return;
    game["moves"] = json::array(record.moves.begin(), record.moves.end());
}

}  // namespace

std::string shown_player(std::string_view name) { return protocol::printable(name, kMostName); }

std::string shown_detail(std::string_view detail) {
    return protocol::printable(detail, kMostDetail);
}

std::string tournament_text(const std::optional<ContestInfo>& info, bool is_over,
                            const PlayerCounts& players) {
    json::object object{{"name", ""},      {"format", nullptr},      {"state", "waiting"},
                        {"seed", nullptr}, {"players", players.all}, {"here", nullptr}};
    if (players.present) object["here"] = *players.present;
    if (info) {
        object["name"] = protocol::printable(info->name, kMostName);
        object["format"] = info->format;
        object["state"] = "playing";
    }
    if (is_over) object["state"] = "over";
    // Not before the end: the seed determines what is still to be drawn. JavaScript rounds
    // numbers of 2^53 or more.
    if (is_over && info && info->seed < kSeedLimit) object["seed"] = info->seed;
    if (is_over && info && info->seed >= kSeedLimit)
        object["seed"] = std::to_string(info->seed);
    return json::serialize(object);
}

std::string player_text(std::size_t number, const ShownPlayer& player) {
    json::object object{
        {"player", number}, {"name", player.name}, {"here", nullptr}, {"out", player.is_out}};
    if (player.is_present) object["here"] = *player.is_present;
    return json::serialize(object);
}

std::string progress_text(const ContestProgress& progress) {
    json::object object{{"games", progress.games},
                        {"total", nullptr},
                        {"rate", std::round(progress.rate * 10) / 10},
                        {"faults", progress.faults},
                        {"seconds_left", nullptr},
                        {"round", or_null(progress.round)}};
    if (progress.total) object["total"] = *progress.total;
    if (progress.seconds_left && *progress.seconds_left < 1e9) {
        object["seconds_left"] = static_cast<std::int64_t>(std::ceil(*progress.seconds_left));
    }
    return json::serialize(object);
}

std::string columns_text() {
    json::array columns;
    for (const Column* column : columns_of(kLivePage)) {
        columns.push_back(json::object{{"key", std::string(column->key)},
                                       {"head", std::string(column->head)},
                                       {"meaning", std::string(column->meaning)},
                                       {"unit", std::string(column->unit)}});
    }
    return json::serialize(columns);
}

std::string standings_text(const std::vector<Standing>& standings) {
    static const auto kColumns = columns_of(kLivePage);
    json::array rows;
    for (const Standing& standing : standings) {
        if (rows.size() == kMostRows) break;
        StandingRow row;
        row.standing = &standing;
        json::object object;
        for (const Column* column : kColumns)
            object[column->key] = json_of(*column, column->cell(row));
        rows.push_back(std::move(object));
    }
    return json::serialize(rows);
}

std::string bracket_text(const Bracket& bracket) {
    json::array rows;
    const std::size_t left_out = bracket.size() - std::min(bracket.size(), kMostRows);
    for (std::size_t i = left_out; i < bracket.size(); ++i) {
        const BracketMeeting& meeting = bracket[i];
        json::object row{
            {"round", round_name(bracket, meeting.round)},
            {"players", {or_null(meeting.players[0]), or_null(meeting.players[1])}},
            {"points", nullptr},
            {"winner", or_null(meeting.winner)},
            {"decided", nullptr}};
        if (meeting.attempts > 0) {
            const auto& [first, second] = meeting.halves;
            row["points"] =
                json::array{static_cast<double>(first) / 2, static_cast<double>(second) / 2};
            row["decided"] = decision_text(meeting);
        }
        rows.push_back(std::move(row));
    }
    return json::serialize(rows);
}

std::string board_text(std::size_t number, const TableState& state) {
    json::object object{{"board", number}, {"game", nullptr}};
    if (state.phase != TableState::Phase::Empty) add_game(object, state);
    return json::serialize(object);
}

std::string finished_text(const GameRecord& record) {
    json::object game{
        {"game", game_name(record.task)},   {"players", numbers(record.task.players)},
        {"winner", or_null(record.winner)}, {"reason", std::string(name(record.reason))},
        {"detail", record.detail},          {"plies", record.times.size()}};
    add_moves(game, record);
    game["thrown"] = thrown_of(record);
    return json::serialize(game);
}

}  // namespace arena::web
