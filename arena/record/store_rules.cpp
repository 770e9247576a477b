#include "arena/record/store_rules.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "arena/base/bad_input.hpp"
#include "arena/record/packing.hpp"
#include "protocol/position.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Error;
using protocol::Result;

std::string round_text(const RoundPlan& plan) {
    return fmt::format("stage {}, round {}, attempt {}", plan.stage, plan.round, plan.attempt);
}

std::string pair_text(const PlannedPair& pair) {
    return fmt::format("pair {} of players {} and {} from {}", to_string(GameKey{pair.key, 1}),
                       pair.players[0], pair.players[1],
                       protocol::quoted(pair.position.text()));
}

Result<void> check_pair(const PlannedPair& pair, const RoundPlan& plan, std::size_t entrants) {
    const auto wrong = [&](std::string_view expected) {
        return bad_input("read {}, expected {}", pair_text(pair), expected);
    };
    if (pair.key.stage != plan.stage || pair.key.round != plan.round ||
        pair.key.attempt != plan.attempt) {
        return wrong("one of " + round_text(plan));
    }
    for (const int player : pair.players) {
        if (player < 0 || static_cast<std::size_t>(player) >= entrants)
            return wrong(fmt::format("players 0..{}", static_cast<int>(entrants) - 1));
    }
    if (!pair.position) return wrong("a position");
    return {};
}

Result<void> check_distinct(const std::vector<std::string>& names) {
    std::set<std::string_view> seen;
    for (const std::string& name : names) {
        if (seen.insert(name).second) continue;
        return bad_input("read a second player called {}, expected another name",
                         protocol::quoted(name));
    }
    return {};
}

std::vector<std::string> names_of(const std::vector<Entrant>& entrants) {
    std::vector<std::string> names;
    for (const Entrant& entrant : entrants) names.push_back(entrant.name);
    return names;
}

}  // namespace

Error other_configuration(const Configuration& recorded, const Configuration& now) {
    return bad_input("the record was begun with another configuration:\n{}",
                     difference(recorded, now));
}

Result<void> check_join(const std::vector<Entrant>& present,
                        const std::vector<Entrant>& joining) {
    std::vector<std::string> names = names_of(present);
    for (const Entrant& entrant : joining) names.push_back(entrant.name);
    return check_distinct(names);
}

Result<void> check_rename(const std::vector<Entrant>& present,
                          const std::vector<std::pair<int, std::string>>& names) {
    std::vector<std::string> renamed = names_of(present);
    for (const auto& [entrant, name] : names) {
        if (entrant < 0 || static_cast<std::size_t>(entrant) >= renamed.size()) {
            return bad_input("read player {}, expected 0..{}", entrant,
                             static_cast<int>(renamed.size()) - 1);
        }
        renamed[static_cast<std::size_t>(entrant)] = name;
    }
    return check_distinct(renamed);
}

Result<void> check_plan(const RoundPlan& plan, std::size_t entrants) {
    for (const PlannedPair& pair : plan.pairs) {
        const auto checked = check_pair(pair, plan, entrants);
        if (!checked) return checked.error();
    }
    const auto rises = [](const PlannedPair& left, const PlannedPair& right) {
        return left.key < right.key;
    };
    const auto fall =
        std::adjacent_find(plan.pairs.begin(), plan.pairs.end(),
                           [&](const auto& l, const auto& r) { return !rises(l, r); });
    if (fall != plan.pairs.end()) {
        return bad_input("read {} after {}, expected keys that rise",
                         pair_text(*std::next(fall)), pair_text(*fall));
    }
    for (const int player : plan.byes) {
        if (player >= 0 && static_cast<std::size_t>(player) < entrants) continue;
        return bad_input("read a bye of player {} in {}, expected players 0..{}", player,
                         round_text(plan), static_cast<int>(entrants) - 1);
    }
    return {};
}

Result<void> check_same_plan(const RoundPlan& recorded, const RoundPlan& now) {
    const auto other = [&](const std::string& what, const std::string& there) {
        return bad_input("{} is planned already, and otherwise: read {}, expected {}",
                         round_text(recorded), what, there);
    };
    if (recorded.byes != now.byes) {
        return other(fmt::format("{} byes", now.byes.size()),
                     fmt::format("the {} that are there", recorded.byes.size()));
    }
    const auto [was, is] = std::mismatch(recorded.pairs.begin(), recorded.pairs.end(),
                                         now.pairs.begin(), now.pairs.end());
    if (was == recorded.pairs.end() && is == now.pairs.end()) return {};
    return other(is == now.pairs.end() ? "no more pairs" : pair_text(*is),
                 was == recorded.pairs.end() ? "no more pairs" : pair_text(*was));
}

Result<void> check_game(const GameRecord& record, const PlannedPair& pair) {
    const GameKey& key = record.task.key;
    if (key.leg != 1 && key.leg != 2) return not_planned(key);
    if (record.moves.size() != record.times.size()) {
        return bad_input("game {}: read {} times for {} moves, expected as many",
                         to_string(key), record.times.size(), record.moves.size());
    }
    if (record.task.position != pair.position) {
        return bad_input("game {}: read {}, expected {}", to_string(key),
                         protocol::quoted(record.task.position.text()),
                         protocol::quoted(pair.position.text()));
    }
    const auto expected = players_of(pair, key.leg);
    if (record.task.players == expected) return {};
    return bad_input("game {}: read players {} and {}, expected {} and {}", to_string(key),
                     record.task.players[0], record.task.players[1], expected[0], expected[1]);
}

Error not_planned(const GameKey& key) {
    return bad_input("game {} is not planned, expected a game of a round that is",
                     to_string(key));
}

Error not_recorded(const GameKey& key) {
    return bad_input("there is no game {} in the record", to_string(key));
}

Error not_the_planner() {
    return {protocol::Fault::TimedOut, "another process plans this record now", 0};
}

std::array<int, 2> players_of(const PlannedPair& pair, int leg) {
    if (leg == 1) return pair.players;
    return {pair.players[1], pair.players[0]};
}

Reason recorded_reason(const std::string& name) {
    const auto reason = parse_reason(name);
    if (!reason) throw DamagedRow{"has an ending of no known name, " + protocol::quoted(name)};
    return *reason;
}

std::int64_t checked_number(std::int64_t value, std::int64_t least, std::int64_t most,
                            std::string_view what) {
    if (least <= value && value <= most) return value;
    throw DamagedRow{fmt::format("has {} {}, expected {}..{}", what, value, least, most)};
}

void add_read_strike(std::vector<Strike>& strikes, Strike strike) {
    if (!strikes.empty() && strikes.back().ply >= strike.ply) {
        throw DamagedRow{fmt::format("has a strike at ply {} after one at ply {}", strike.ply,
                                     strikes.back().ply)};
    }
    strikes.push_back(std::move(strike));
}

std::vector<Microseconds> read_times(const std::optional<std::string>& bytes,
                                     std::size_t moves) {
    auto times = bytes ? unpack_times(*bytes) : std::nullopt;
    if (!times || (times->size() != moves && times->size() != moves + 1))
        throw DamagedRow{"has times that do not fit its moves"};
    for (const Microseconds time : *times) {
        if (time.count() > kMostMicroseconds) throw DamagedRow{"has a time of years"};
    }
    return *std::move(times);
}

void check_result(Reason reason, std::optional<int> winner) {
    const bool is_won = reason == Reason::NoMoves || is_fault(reason);
    const bool is_open = reason == Reason::Adjudicated;
    if (is_won == winner.has_value() || is_open) return;
    throw DamagedRow{
        fmt::format("has {} winner, and ended by {}", winner ? "a" : "no", name(reason))};
}

std::vector<int> read_byes(const std::string& text, std::size_t players) {
    std::vector<int> byes;
    for (const std::string& word : split_joined(text)) {
        const auto number = protocol::parse_number(word);
        if (!number || *number >= players)
            throw DamagedRow{"has the byes " + protocol::quoted(text) + ", expected players"};
        byes.push_back(static_cast<int>(*number));
    }
    return byes;
}

std::string name_of(const RoundPlan& plan) {
    return fmt::format("round {}.{}, attempt {},", plan.stage, plan.round, plan.attempt);
}

StartPosition PositionReader::read(const std::string& text) {
    constexpr std::size_t kMostBytes = 1 << 20;
    if (const auto known = known_.find(text); known != known_.end()) return known->second;
    auto parsed = protocol::parse_position(text);
    if (!parsed) {
        throw DamagedRow{fmt::format("has the position {}: {}", protocol::quoted(text),
                                     describe(parsed.error()))};
    }
    StartPosition position(*std::move(parsed));
    if (position.text() != text) {
        throw DamagedRow{fmt::format("has the position {}, expected {}", protocol::quoted(text),
                                     protocol::quoted(position.text()))};
    }
    bytes_ += text.size();
    if (bytes_ > kMostBytes) {
        known_.clear();
        bytes_ = text.size();
    }
    known_.emplace(position.text(), position);
    return position;
}

std::string lines_fit_to_store(std::string_view text) {
    std::string lines;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        lines += protocol::printable(text.substr(0, end));
        if (end < text.size()) lines += '\n';
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

void make_fit_to_store(GameRecord& record) {
    record.detail = protocol::printable(record.detail);
    record.received = protocol::printable(record.received);
    record.expected = protocol::printable(record.expected);
    record.stderr_tail = lines_fit_to_store(record.stderr_tail);
    for (std::string& tail : record.stderr_tails) tail = lines_fit_to_store(tail);
    for (auto& strikes : record.strikes) {
        for (Strike& strike : strikes) strike.received = protocol::printable(strike.received);
    }
}

}  // namespace arena
