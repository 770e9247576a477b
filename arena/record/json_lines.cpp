#include "arena/record/json_lines.hpp"

#include <utility>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "arena/base/exit_status.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

namespace json = boost::json;

std::string seat_name(int seat) { return seat == 0 ? "p1" : "p2"; }

json::array moves_of(const GameRecord& record) {
    json::array moves;
    for (const std::string& move : record.moves) moves.emplace_back(protocol::printable(move));
    return moves;
}

json::array times_of(const GameRecord& record) {
    json::array times;
    for (const Microseconds time : record.times) times.emplace_back(time.count());
    return times;
}

json::object exit_of(const ExitStatus& exit) {
    if (exit.signal) return {{"signal", signal_name(*exit.signal)}};
    return {{"code", exit.code.value_or(0)}};
}

std::string left_out(std::uint64_t lines) {
    return json::serialize(json::object{{"event", "left-out"}, {"lines", lines}}) + '\n';
}

}  // namespace

std::string json_line(const GameRecord& record, const std::vector<std::string>& names,
                      std::uint64_t seed, NamedGame named) {
    const auto name_in = [&](std::size_t seat) {
        return protocol::printable(names[static_cast<std::size_t>(record.task.players[seat])]);
    };
    json::object line;
    if (record.task.game > 0 && named == NamedGame::ByNumber) {
        line["game"] = record.task.game;
        line["pair"] = (record.task.game + 1) / 2;
    } else {
        line["game"] = to_string(record.task.key);
        line["pair"] = to_string(record.task.key.pair);
    }
    line["position"] = protocol::printable(record.task.position.text());
    line["p1"] = name_in(0);
    line["p2"] = name_in(1);
    line["moves"] = moves_of(record);
    line["times_us"] = times_of(record);
    if (record.fault_time) line["fault_us"] = record.fault_time->count();
    line["winner"] = nullptr;
    if (record.winner) line["winner"] = seat_name(*record.winner);
    line["reason"] = name(record.reason);
    line["detail"] = protocol::printable(record.detail);
    line["seed"] = seed;
    line["seeds"] = json::array{record.task.seeds[0], record.task.seeds[1]};
    if (record.exit) line["exit"] = exit_of(*record.exit);
    return json::serialize(line);
}

std::string left_out_line(std::uint64_t games) {
    return json::serialize(json::object{{"left_out", games}}) + '\n';
}

protocol::Result<void> EventLog::open(const std::string& path) {
    auto file = BackgroundFile::open({path, "the events", left_out});
    if (!file) return file.error();
    file_ = *std::move(file);
    return {};
}

void EventLog::tournament(const std::string& name, const std::string& format,
                          const std::vector<std::string>& players, std::uint64_t seed) {
    json::array list;
    for (const std::string& player : players) list.emplace_back(protocol::printable(player));
    write({{"event", "tournament"},
           {"version", kEventVersion},
           {"name", protocol::printable(name)},
           {"format", format},
           {"seed", seed},
           {"players", std::move(list)}});
}

void EventLog::named(int player, const std::string& name) {
    write({{"event", "name"}, {"player", player}, {"name", protocol::printable(name)}});
}

void EventLog::out(int player) { write({{"event", "out"}, {"player", player}}); }

void EventLog::not_started(int player, const Cause& cause) {
    write({{"event", "not-started"},
           {"player", player},
           {"starved", cause.is_starved},
           {"detail", protocol::printable(cause.detail)}});
}

void EventLog::memory(int player, std::uint64_t bytes) {
    write({{"event", "memory"}, {"player", player}, {"bytes", bytes}});
}

void EventLog::round(const RoundPlan& plan) {
    write({{"event", "round"},
           {"stage", plan.stage},
           {"round", plan.round},
           {"attempt", plan.attempt},
           {"games", 2 * plan.pairs.size()},
           {"byes", json::value_from(plan.byes)},
           {"note", protocol::printable(plan.note)}});
}

void EventLog::move(const GameTask& task, std::size_t ply, const std::string& move,
                    Microseconds used) {
    if (!on()) return;  // there are many
    write({{"event", "move"},
           {"game", to_string(task.key)},
           {"ply", ply},
           {"player", task.players[(ply - 1) % 2]},
           {"move", protocol::printable(move)},
           {"time_us", used.count()}});
}

void EventLog::game(const GameRecord& record, const std::vector<std::string>& names,
                    std::uint64_t seed) {
    if (!on()) return;
    // The JSON line of the record, preceded by the kind of line.
    std::string line = json_line(record, names, seed, NamedGame::ByKey);
    write_line(line.replace(0, 1, "{\"event\":\"game\","));
    for (std::size_t seat = 0; seat < 2; ++seat) {
        for (const Strike& strike : record.strikes[seat]) {
            write({{"event", "strike"},
                   {"game", to_string(record.task.key)},
                   {"ply", strike.ply},
                   {"player", record.task.players[seat]},
                   {"reason", name(strike.reason)},
                   {"received", protocol::printable(strike.received)}});
        }
    }
    if (!record.faulty_seat()) return;
    const auto seat = static_cast<std::size_t>(*record.faulty_seat());
    write({{"event", "fault"},
           {"game", to_string(record.task.key)},
           {"player", record.task.players[seat]},
           {"reason", name(record.reason)},
           {"starved", record.is_starved},
           {"detail", record.detail},
           {"received", protocol::printable(record.received)},
           {"expected", protocol::printable(record.expected)}});
}

void EventLog::standings(const std::vector<Standing>& rows,
                         const std::vector<std::string>& names) {
    // By hand, since Boost.JSON writes 22.5 as 2.25E1.
    std::string list;
    for (const Standing& row : rows) {
        const std::string& name = names[static_cast<std::size_t>(row.player)];
        list += fmt::format(R"({}{{"rank":{},"player":{},"name":{},"points":{},"games":{}}})",
                            list.empty() ? "" : ",", row.rank, row.player,
                            json::serialize(json::string(protocol::printable(name))),
                            row.points, row.games);
    }
    write_line(fmt::format(R"({{"event":"standing","rows":[{}]}})", list));
}

protocol::Result<void> EventLog::state() const {
    return on() ? file_->state() : protocol::Result<void>();
}

protocol::Result<void> EventLog::finish(std::stop_token interrupted) {
    return on() ? file_->finish(std::move(interrupted)) : protocol::Result<void>();
}

void EventLog::write(const json::object& event) { write_line(json::serialize(event)); }

void EventLog::write_line(const std::string& line) {
    if (on()) file_->add(1, [&] { return line + '\n'; });
}

}  // namespace arena
