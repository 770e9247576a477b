
#include <array>
#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "arena/contest/format.hpp"
#include "arena/record/packing.hpp"
#include "arena/record/sqlite.hpp"
#include "arena/record/store_rules.hpp"
#include "protocol/text.hpp"

namespace arena::sqlite {
namespace {

using std::chrono::duration_cast;

const std::string kSelect = fmt::format(R"(
SELECT p.stage, p.round, p.pairing, p.position_number, p.attempt, p.player1, p.player2,
       p.position, g.leg, g.event, {}, f.seat
FROM pair p JOIN game g ON g.pair = p.id
     LEFT JOIN fault f ON f.game = g.event
     LEFT JOIN annotation a ON a.game = g.event
)",
                                        kGameColumns);

std::optional<int> from_one(std::optional<int> number) {
    if (number) ++*number;
    return number;
}

// NULL in place of nothing.
std::optional<std::string> unless_empty(const std::string& text) {
    if (text.empty()) return std::nullopt;
    return text;
}

}  // namespace

// ---- writing ----

void GameWriter::write(const GameRecord& record, std::int64_t pair, std::int64_t event) {
    const std::string reason(name(record.reason));
    const std::string moves = join_words(record.moves);
    const std::string times = pack_times(all_times(record));
    const auto started = duration_cast<Microseconds>(record.started.time_since_epoch());
    const std::array tails{unless_empty(record.stderr_tails[0]),
                           unless_empty(record.stderr_tails[1])};
    const auto first_build = build_id(record.builds[0].get());
    const auto second_build = build_id(record.builds[1].get());
    run(database_,
        "INSERT INTO game VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        event, pair, record.task.key.leg, from_one(record.winner), reason, record.detail, moves,
        Blob{times}, record.task.seeds[0], record.task.seeds[1], started.count(),
        record.cpu[0].count(), record.cpu[1].count(), record.off_turn_cpu[0].count(),
        record.off_turn_cpu[1].count(), first_build, second_build, tails[0], tails[1]);
    write_fault(record, event);
    write_strikes(record, event);
}

std::optional<std::int64_t> GameWriter::build_id(const PlayerBuild* build) {
    if (build == nullptr) return std::nullopt;
    const auto known = builds_.find(*build);
    if (known != builds_.end()) return known->second;
    run(database_, "INSERT OR IGNORE INTO build VALUES (NULL, ?, ?, ?)", build->command,
        build->id, build->executable);
    Query query(database_,
                "SELECT id FROM build WHERE command = ? AND name = ? AND executable = ?",
                build->command, build->id, build->executable);
    query.step();
    return builds_[*build] = query.number();
}

void GameWriter::write_fault(const GameRecord& record, std::int64_t event) {
    const bool any = record.faulty_seat() || record.exit || !record.received.empty() ||
                     !record.expected.empty() || !record.stderr_tail.empty();
    if (!any) return;
    const ExitStatus exit = record.exit.value_or(ExitStatus{});
    run(database_, "INSERT INTO fault VALUES (?, ?, ?, ?, ?, ?, ?)", event,
        from_one(record.faulty_seat()), record.received, record.expected, record.stderr_tail,
        exit.code, exit.signal);
}

void GameWriter::write_strikes(const GameRecord& record, std::int64_t event) {
    for (std::size_t seat = 0; seat < record.strikes.size(); ++seat) {
        int number = 0;
        for (const Strike& strike : record.strikes[seat]) {
            const std::string reason(name(strike.reason));
            run(database_, "INSERT INTO strike VALUES (?, ?, ?, ?, ?, ?)", event, seat + 1,
                ++number, strike.ply, reason, strike.received);
        }
    }
}

// ---- reading ----

PairKey read_key(Query& row) {
    PairKey key;
    for (int* part : {&key.stage, &key.round, &key.pairing, &key.position, &key.attempt})
        *part = row.small_in(1, kMostInKey, "a key with the part");
    return key;
}

std::array<int, 2> read_players(Query& row, std::size_t players) {
    std::array<int, 2> read{};
    if (players < 2) throw DamagedRow{"has players, and the record has not two"};
    for (int& player : read) player = row.small_in(0, static_cast<int>(players) - 1, "player");
    if (read[0] == read[1]) throw DamagedRow{"has one player for both seats"};
    return read;
}

std::vector<Joined> EntrantReader::read() {
    constexpr std::int64_t kMostMissing = 1000;
    std::vector<Joined> joined;
    std::int64_t last_event = 0;
    std::int64_t missing_players = 0;
    Query row(database_,
              "SELECT number, event, name, spec, first_round FROM entrant ORDER BY number");
    while (row.step()) {
        const std::int64_t number = row.number();
        try {
            const auto size = static_cast<std::int64_t>(joined.size());
            if (number < size || number - size > kMostMissing - missing_players)
                throw DamagedRow{fmt::format("comes after {} others", size)};
            if (number >= kMaxPlayers)
                throw DamagedRow{fmt::format("is one of more than {}", kMaxPlayers)};
            const std::int64_t event = row.number_in(
                last_event + 1, std::numeric_limits<std::int64_t>::max(), "event");
            Entrant entrant;
            entrant.name = protocol::printable(row.text());
            entrant.spec = row.text();
            entrant.first_round = row.small_in(1, kMostInKey, "first round");
            missing_players += number - size;
            for (auto missing = size; missing < number; ++missing) {
                damage_.leave_out(fmt::format("player {} is missing", missing + 1));
                joined.push_back({event, {fmt::format("missing-{}", missing + 1), "", 1}});
            }
            joined.push_back({event, std::move(entrant)});
            last_event = event;
        } catch (const DamagedRow& damaged) {
            damage_.leave_out(fmt::format("player {} {}", number + 1, damaged.text));
        }
    }
    return joined;
}

void EntrantReader::refresh() {
    Query row(database_, "SELECT coalesce(max(number), -1) + 1 FROM entrant");
    row.step();
    const std::int64_t next = row.number();
    if (next == next_number_) return;
    known_ = read();
    next_number_ = next;
}

std::optional<GameRecord> GameRows::game(const GameKey& key) {
    static const std::string statement =
        kSelect +
        "WHERE p.stage = ? AND p.round = ? AND p.pairing = ? AND p.position_number = ? AND "
        "p.attempt = ? AND g.leg = ?";
    Query row(database_, statement, key.pair, key.leg);
    if (!row.step()) return std::nullopt;
    return read(row);
}

void GameRows::for_each(const std::function<bool(const GameRecord&)>& visit) {
    static const std::string statement =
        kSelect + "ORDER BY p.stage, p.round, p.pairing, p.position_number, p.attempt, g.leg";
    Query row(database_, statement);
    while (row.step()) {
        const auto game = read(row);
        if (game && !visit(*game)) return;
    }
}

std::optional<GameRecord> GameRows::read(Query& row) {
    GameRecord record;
    try {
        read_game(row, record);
        return record;
    } catch (const DamagedRow& damaged) {
        damage_.leave_out(fmt::format("game {} {}", to_string(record.task.key), damaged.text));
        return std::nullopt;
    }
}

void GameRows::read_game(Query& row, GameRecord& record) {
    GameKey& key = record.task.key;
    key.pair = read_key(row);
    const auto pair_players = players(row);
    record.task.position = positions_.read(row.text());
    key.leg = row.small_in(1, 2, "leg");
    record.task.players = players_of({key.pair, pair_players, {}}, key.leg);
    const std::int64_t event =
        row.number_in(1, std::numeric_limits<std::int64_t>::max(), "event");
    reader_.read(row, record, [this](std::int64_t id, const auto& use) {
        Query build(database_, "SELECT command, name, executable FROM build WHERE id = ?", id);
        if (build.step()) use(build);
    });
    if (GameReader<Query>::seat(row) != record.faulty_seat())
        throw DamagedRow{"has a fault that does not fit its ending"};
    read_strikes(record, event);
    make_fit_to_store(record);
}

void GameRows::read_strikes(GameRecord& record, std::int64_t event) {
    Query row(database_,
              "SELECT seat, ply, reason, received FROM strike WHERE game = ? "
              "ORDER BY seat, number",
              event);
    while (row.step()) {
        const auto seat = row.small_in(1, 2, "a strike of the seat");
        Strike strike;
        strike.ply =
            static_cast<std::size_t>(row.number_in(1, kMostInKey, "a strike at the ply"));
        strike.reason = recorded_reason(row.text());
        strike.received = row.text();
        add_read_strike(record.strikes[static_cast<std::size_t>(seat - 1)], std::move(strike));
    }
}

// Players may join while a record is read.
std::array<int, 2> GameRows::players(Query& row) {
    entrants_.refresh();
    return read_players(row, entrants_.known().size());
}

}  // namespace arena::sqlite
