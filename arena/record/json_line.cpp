#include "arena/record/json_line.hpp"

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
    line["position"] = protocol::printable(protocol::to_string(*record.task.position));
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

}  // namespace arena
