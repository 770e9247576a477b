#include "arena/record/postgres.hpp"

#include <array>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <boost/algorithm/hex.hpp>
#include <boost/json.hpp>

#include "arena/record/packing.hpp"
#include "arena/record/store_rules.hpp"
#include "protocol/text.hpp"

namespace arena::postgres {
namespace {

namespace json = boost::json;

std::string base64(std::string_view bytes) {
    constexpr std::string_view kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        unsigned group = 0;
        for (std::size_t k = i; k < i + 3; ++k)
            group = group << 8 | (k < bytes.size() ? static_cast<unsigned char>(bytes[k]) : 0);
        for (unsigned k = 0; k < 4; ++k) {
            const bool is_there = i + k <= bytes.size();
            text += is_there ? kDigits[group >> (18 - 6 * k) & 63] : '=';
        }
    }
    return text;
}

json::value seat_from_one(std::optional<int> seat) {
    return seat ? json::value(*seat + 1) : json::value(nullptr);
}

json::value strikes_json(const GameRecord& record) {
    json::array strikes;
    for (std::size_t seat = 0; seat < 2; ++seat) {
        for (const Strike& strike : record.strikes[seat]) {
            strikes.push_back(
                {seat + 1, strike.ply, std::string(name(strike.reason)), strike.received});
        }
    }
    if (strikes.empty()) return nullptr;
    return strikes;
}

void read_strikes(const std::string& text, GameRecord& record) try {
    if (text.empty()) return;
    const json::value strikes = json::parse(text);
    for (const json::value& strike : strikes.as_array()) {
        const json::array& parts = strike.as_array();
        const auto seat = parts.at(0).to_number<std::int64_t>();
        const auto ply = parts.at(1).to_number<std::int64_t>();
        if (parts.size() != 4 || seat < 1 || seat > 2 || ply < 1 || ply > 1'000'000'000)
            throw DamagedRow{fmt::format("has a strike of seat {} at ply {}", seat, ply)};
        add_read_strike(record.strikes[static_cast<std::size_t>(seat - 1)],
                        {static_cast<std::size_t>(ply),
                         recorded_reason(json::value_to<std::string>(parts.at(2))),
                         json::value_to<std::string>(parts.at(3))});
    }
} catch (const std::exception&) {
    throw DamagedRow{"has a strike that is none"};
}

}  // namespace

std::optional<std::string> RowReader::bytes() {
    const std::string_view text = rows_.text(row_, column_++);
    if (!text.starts_with("\\x")) return std::nullopt;
    try {
        std::string bytes;
        boost::algorithm::unhex(text.substr(2), std::back_inserter(bytes));
        return bytes;
    } catch (const boost::algorithm::hex_decode_error&) {
        return std::nullopt;
    }
}

std::string columns_json(const GameRecord& given,
                         const std::array<std::optional<int>, 2>& builds) {
    GameRecord record = given;
    make_fit_to_store(record);
    const ExitStatus exit = record.exit.value_or(ExitStatus{});
    json::object columns{
        {"reason", std::string(name(record.reason))},
        {"moves", join_words(record.moves)},
        {"times", base64(pack_times(all_times(record)))},
        {"p1_seed", record.task.seeds[0]},
        {"p2_seed", record.task.seeds[1]},
        {"started",
         std::chrono::duration_cast<Microseconds>(record.started.time_since_epoch()).count()},
    };
    const auto add = [&](std::string_view column, auto value) {
        if (value != decltype(value){}) columns.emplace(column, std::move(value));
    };
    add("winner", seat_from_one(record.winner));
    add("detail", record.detail);
    add("p1_cpu", record.cpu[0].count());
    add("p2_cpu", record.cpu[1].count());
    add("p1_off_turn", record.off_turn_cpu[0].count());
    add("p2_off_turn", record.off_turn_cpu[1].count());
    if (builds[0]) columns.emplace("p1_build", *builds[0]);
    if (builds[1]) columns.emplace("p2_build", *builds[1]);
    add("p1_stderr", record.stderr_tails[0]);
    add("p2_stderr", record.stderr_tails[1]);
    add("p1_strikes", record.strikes[0].size());
    add("p2_strikes", record.strikes[1].size());
    add("strikes", strikes_json(record));
    add("seat", seat_from_one(record.faulty_seat()));
    add("received", record.received);
    add("expected", record.expected);
    add("stderr", record.stderr_tail);
    if (exit.code) columns.emplace("exit_code", *exit.code);
    if (exit.signal) columns.emplace("exit_signal", *exit.signal);
    return json::serialize(columns);
}

PairKey read_key(RowReader& row) {
    PairKey key;
    for (int* part : {&key.stage, &key.round, &key.pairing, &key.position, &key.attempt})
        *part = row.small();
    return key;
}

PlannedPair read_pair(RowReader& row, PositionReader& positions) {
    PlannedPair pair;
    pair.key = read_key(row);
    for (int& player : pair.players) player = row.small();
    try {
        pair.position = positions.read(row.text());
    } catch (const DamagedRow& damaged) {
        throw Failure{Failure::Kind::Other,
                      fmt::format("pair {} {}", to_string(pair.key), damaged.text)};
    }
    return pair;
}

std::vector<std::string> key_values(const GameKey& key) {
    const PairKey& pair = key.pair;
    std::vector<std::string> values;
    for (const int part :
         {pair.stage, pair.round, pair.pairing, pair.position, pair.attempt, key.leg})
        values.push_back(std::to_string(part));
    return values;
}

std::string GameRows::select_games(std::string_view condition) {
    return fmt::format(
        "SELECT {}, p.player1, p.player2, g.leg, g.worker, p.position, {}, g.strikes "
        "FROM pair p JOIN game g ON g.pair = p.id "
        "LEFT JOIN annotation a ON a.pair = g.pair AND a.leg = g.leg {}",
        kKeyColumns, kGameColumns, condition);
}

void GameRows::read(const Rows& rows, std::size_t at, Connection& connection,
                    GameRecord& record) {
    RowReader row(rows, at);
    read_task(row, record.task.key, record.task.players);
    record.task.position = positions_.read(row.text());
    reader_.read(row, record, [&connection](std::int64_t id, const auto& use) {
        const Rows found =
            connection.run("SELECT command, name, executable FROM build WHERE id = $1", id);
        RowReader build(found, 0);
        if (!found.empty()) use(build);
    });
    read_strikes(row.text(), record);
    make_fit_to_store(record);
}

void GameRows::read_result(RowReader& row, GameResult& result) {
    read_task(row, result.key, result.players);
    GameReader<RowReader>::read_result(row, result);
}

void GameRows::read_task(RowReader& row, GameKey& key, std::array<int, 2>& players) {
    PlannedPair pair;
    pair.key = read_key(row);
    for (int& player : pair.players) player = row.small();
    key = {pair.key, row.small()};
    players = players_of(pair, key.leg);
    worker_ = row.small();
}

}  // namespace arena::postgres
