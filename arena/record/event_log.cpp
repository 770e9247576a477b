#include "arena/record/event_log.hpp"

#include <utility>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "protocol/text.hpp"

namespace arena {
namespace {

namespace json = boost::json;

std::string left_out(std::uint64_t lines) {
    return json::serialize(json::object{{"event", "left-out"}, {"lines", lines}}) + '\n';
}

}  // namespace

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
    write(json::serialize(json::object{{"event", "tournament"},
                                       {"version", kEventVersion},
                                       {"name", protocol::printable(name)},
                                       {"format", format},
                                       {"seed", seed},
                                       {"players", std::move(list)}}));
}

void EventLog::named(int player, const std::string& name) {
    if (!on()) return;
    write(json::serialize(json::object{
        {"event", "name"}, {"player", player}, {"name", protocol::printable(name)}}));
}

void EventLog::out(int player) {
    if (!on()) return;
    write(json::serialize(json::object{{"event", "out"}, {"player", player}}));
}

void EventLog::not_started(int player, const Cause& cause) {
    if (!on()) return;
    write(json::serialize(json::object{{"event", "not-started"},
                                       {"player", player},
                                       {"starved", cause.is_starved},
                                       {"detail", protocol::printable(cause.detail)}}));
}

void EventLog::round(const RoundPlan& plan) {
    if (!on()) return;
    write(json::serialize(json::object{{"event", "round"},
                                       {"stage", plan.stage},
                                       {"round", plan.round},
                                       {"attempt", plan.attempt},
                                       {"games", 2 * plan.pairs.size()},
                                       {"byes", json::value_from(plan.byes)},
                                       {"note", protocol::printable(plan.note)}}));
}

void EventLog::move(const GameTask& task, std::size_t ply, const std::string& move,
                    Microseconds used) {
    if (!on()) return;
    write(json::serialize(json::object{{"event", "move"},
                                       {"game", to_string(task.key)},
                                       {"ply", ply},
                                       {"player", task.players[(ply - 1) % 2]},
                                       {"move", protocol::printable(move)},
                                       {"time_us", used.count()}}));
}

void EventLog::game(const GameRecord& record, const std::vector<std::string>& names,
                    std::uint64_t seed) {
    if (!on()) return;
    // The JSON line of the record, preceded by the kind of line.
    std::string line = json_line(record, names, seed, NamedGame::ByKey);
    write(line.replace(0, 1, "{\"event\":\"game\","));
    for (std::size_t seat = 0; seat < 2; ++seat) {
        for (const Strike& strike : record.strikes[seat]) {
            write(json::serialize(
                json::object{{"event", "strike"},
                             {"game", to_string(record.task.key)},
                             {"ply", strike.ply},
                             {"player", record.task.players[seat]},
                             {"reason", std::string(name(strike.reason))},
                             {"received", protocol::printable(strike.received)}}));
        }
    }
    if (!record.faulty_seat) return;
    const auto seat = static_cast<std::size_t>(*record.faulty_seat);
    write(json::serialize(json::object{{"event", "fault"},
                                       {"game", to_string(record.task.key)},
                                       {"player", record.task.players[seat]},
                                       {"reason", std::string(name(record.reason))},
                                       {"detail", record.detail},
                                       {"received", protocol::printable(record.received)},
                                       {"expected", protocol::printable(record.expected)}}));
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
    write(fmt::format(R"({{"event":"standing","rows":[{}]}})", list));
}

protocol::Result<void> EventLog::state() const {
    return on() ? file_->state() : protocol::Result<void>();
}

protocol::Result<void> EventLog::finish(std::chrono::milliseconds patience) {
    return on() ? file_->finish(patience) : protocol::Result<void>();
}

void EventLog::write(const std::string& line) {
    if (on()) file_->add(1, [&] { return line + '\n'; });
}

}  // namespace arena
