#include "arena/record/sqlite_games.hpp"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "arena/record/checks.hpp"
#include "arena/record/packing.hpp"
#include "arena/record/sqlite_file.hpp"

namespace arena::sqlite {
namespace {

using std::chrono::duration_cast;

constexpr std::size_t kMostBuildsKept = 10'000;

constexpr const char* kSelect = R"(
SELECT p.stage, p.round, p.pairing, p.position_number, p.attempt, p.player1, p.player2,
       p.position, g.leg, g.event, g.winner, g.reason, g.detail, g.moves, g.times, g.p1_seed,
       g.p2_seed, g.started, g.p1_cpu, g.p2_cpu, g.p1_off_turn, g.p2_off_turn, g.p1_build,
       g.p2_build, g.p1_stderr, g.p2_stderr, a.text, f.game, f.seat, f.received, f.expected,
       f.stderr, f.exit_code, f.exit_signal
FROM pair p JOIN game g ON g.pair = p.id
     LEFT JOIN fault f ON f.game = g.event
     LEFT JOIN annotation a ON a.game = g.event
)";

std::optional<int> from_one(std::optional<int> number) {
    if (number) ++*number;
    return number;
}

std::optional<int> from_zero(std::optional<int> number) {
    if (number) --*number;
    return number;
}

// NULL in place of nothing.
std::optional<std::string> unless_empty(const std::string& text) {
    if (text.empty()) return std::nullopt;
    return text;
}

// What only another program can have written.
SQLite::Exception damaged(const GameKey& key, const char* what) {
    return SQLite::Exception(fmt::format("game {} has {}", to_string(key), what));
}

// The file says 1 or 2, unless it is damaged.
std::optional<int> read_seat(const GameKey& key, std::optional<int> number) {
    if (number && *number != 1 && *number != 2) throw damaged(key, "a seat of no known number");
    return from_zero(number);
}

Reason read_reason(const GameKey& key, const std::string& text) {
    const auto reason = parse_reason(text);
    if (!reason) throw damaged(key, "an ending of no known name");
    return *reason;
}

}  // namespace

// ---- writing ----

GameWriter::GameWriter(SQLite::Database& connection)
    : find_(connection, "SELECT 1 FROM game WHERE pair = ? AND leg = ?"),
      add_(connection,
           "INSERT INTO game VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
      add_fault_(connection, "INSERT INTO fault VALUES (?, ?, ?, ?, ?, ?, ?)"),
      add_strike_(connection, "INSERT INTO strike VALUES (?, ?, ?, ?, ?, ?)"),
      add_build_(connection, "INSERT OR IGNORE INTO build VALUES (NULL, ?, ?, ?)"),
      find_build_(connection,
                  "SELECT id FROM build WHERE command = ? AND name = ? AND executable = ?") {}

bool GameWriter::has(std::int64_t pair, int leg) { return Query(find_, pair, leg).step(); }

void GameWriter::write(const GameRecord& record, std::int64_t pair, std::uint64_t event) {
    const std::string reason(name(record.reason));
    const std::string moves = join_words(record.moves);
    const std::string times = pack_times(record.times);
    const auto started = duration_cast<Microseconds>(record.started.time_since_epoch());
    const std::array tails{unless_empty(record.stderr_tails[0]),
                           unless_empty(record.stderr_tails[1])};
    const auto first_build = build_id(record.builds[0].get());
    const auto second_build = build_id(record.builds[1].get());
    Query query(add_, event, pair, record.task.key.leg, from_one(record.winner), reason,
                record.detail, moves, 0, record.task.seeds[0], record.task.seeds[1],
                std::int64_t{started.count()}, std::int64_t{record.cpu[0].count()},
                std::int64_t{record.cpu[1].count()},
                std::int64_t{record.off_turn_cpu[0].count()},
                std::int64_t{record.off_turn_cpu[1].count()}, first_build, second_build,
                tails[0], tails[1]);
    add_.bindNoCopy(8, times.data(), static_cast<int>(times.size()));
    query.run();
    write_fault(record, event);
    write_strikes(record, event);
}

std::optional<std::int64_t> GameWriter::build_id(const PlayerBuild* build) {
    if (build == nullptr) return std::nullopt;
    const auto known = builds_.find(*build);
    if (known != builds_.end()) return known->second;
    if (builds_.size() >= kMostBuildsKept) builds_.clear();
    Query(add_build_, build->command, build->id, build->executable).run();
    Query query(find_build_, build->command, build->id, build->executable);
    query.step();
    return builds_[*build] = query.number();
}

void GameWriter::write_fault(const GameRecord& record, std::uint64_t event) {
    const bool any = record.faulty_seat || record.exit || !record.received.empty() ||
                     !record.expected.empty() || !record.stderr_tail.empty();
    if (!any) return;
    const ExitStatus exit = record.exit.value_or(ExitStatus{});
    Query(add_fault_, event, from_one(record.faulty_seat), record.received, record.expected,
          record.stderr_tail, exit.code, exit.signal)
        .run();
}

void GameWriter::write_strikes(const GameRecord& record, std::uint64_t event) {
    for (std::size_t seat = 0; seat < record.strikes.size(); ++seat) {
        int number = 0;
        for (const Strike& strike : record.strikes[seat]) {
            const std::string reason(name(strike.reason));
            Query(add_strike_, event, static_cast<int>(seat) + 1, ++number,
                  std::uint64_t{strike.ply}, reason, strike.received)
                .run();
        }
    }
}

// ---- reading ----

GameReader::GameReader(SQLite::Database& connection)
    : one_(connection, std::string(kSelect) +
                           "WHERE p.stage = ? AND p.round = ? AND p.pairing = ? AND "
                           "p.position_number = ? AND p.attempt = ? AND g.leg = ?"),
      all_(connection, std::string(kSelect) +
                           "ORDER BY p.stage, p.round, p.pairing, p.position_number, "
                           "p.attempt, g.leg"),
      strikes_(connection,
               "SELECT seat, ply, reason, received FROM strike WHERE game = ? "
               "ORDER BY seat, number"),
      build_(connection, "SELECT command, name, executable FROM build WHERE id = ?") {}

std::optional<StoredGame> GameReader::game(const GameKey& key) {
    Query row(one_, key.pair.stage, key.pair.round, key.pair.pairing, key.pair.position,
              key.pair.attempt, key.leg);
    if (!row.step()) return std::nullopt;
    return read(row);
}

void GameReader::for_each(const std::function<bool(const StoredGame&)>& visit) {
    Query row(all_);
    while (row.step()) {
        if (!visit(read(row))) return;
    }
}

StoredGame GameReader::read(Query& row) {
    StoredGame game;
    GameRecord& record = game.record;
    GameKey& key = record.task.key;
    for (int* part : {&key.pair.stage, &key.pair.round, &key.pair.pairing, &key.pair.position,
                      &key.pair.attempt}) {
        *part = row.small();
    }
    PlannedPair pair;
    for (int& player : pair.players) player = row.small();
    record.task.position = position(row.text());
    key.leg = row.small();
    record.task.players = players_of(pair, key.leg);
    const std::int64_t event = row.number();
    record.winner = read_seat(key, row.maybe_small());
    record.reason = read_reason(key, row.text());
    record.detail = row.text();
    record.moves = split_joined(row.text());
    auto times = unpack_times(row.text());
    if (!times || times->size() != record.moves.size())
        throw damaged(key, "times that do not fit its moves");
    record.times = *std::move(times);
    for (auto& seed : record.task.seeds) seed = static_cast<std::uint64_t>(row.number());
    record.started = std::chrono::system_clock::time_point(Microseconds(row.number()));
    for (Microseconds& cpu : record.cpu) cpu = Microseconds(row.number());
    for (Microseconds& cpu : record.off_turn_cpu) cpu = Microseconds(row.number());
    for (auto& ran : record.builds) ran = build(row.maybe_number());
    for (std::string& tail : record.stderr_tails) tail = row.text();
    game.annotation = row.text();
    if (row.maybe_number()) {
        record.faulty_seat = read_seat(key, row.maybe_small());
        record.received = row.text();
        record.expected = row.text();
        record.stderr_tail = row.text();
        const ExitStatus exit{row.maybe_small(), row.maybe_small()};
        if (exit.code || exit.signal) record.exit = exit;
    }
    read_strikes(record, event);
    return game;
}

void GameReader::read_strikes(GameRecord& record, std::int64_t event) {
    Query row(strikes_, event);
    while (row.step()) {
        const auto seat = read_seat(record.task.key, row.small());
        Strike& strike = record.strikes[static_cast<std::size_t>(*seat)].emplace_back();
        strike.ply = static_cast<std::size_t>(row.number());
        strike.reason = read_reason(record.task.key, row.text());
        strike.received = row.text();
    }
}

std::shared_ptr<const PlayerBuild> GameReader::build(std::optional<std::int64_t> id) {
    if (!id) return nullptr;
    if (builds_.size() >= kMostBuildsKept) builds_.clear();
    auto& kept = builds_[*id];
    if (kept) return kept;
    Query row(build_, *id);
    if (!row.step()) return nullptr;
    auto read = std::make_shared<PlayerBuild>();
    read->command = row.text();
    read->id = row.text();
    read->executable = row.text();
    return kept = std::move(read);
}

std::shared_ptr<const protocol::Position> GameReader::position(std::string text) {
    if (position_ && text == position_text_) return position_;
    auto parsed = protocol::parse_position(text);
    if (!parsed)
        throw SQLite::Exception("a position cannot be read: " + describe(parsed.error()));
    position_text_ = std::move(text);
    position_ = std::make_shared<const protocol::Position>(*std::move(parsed));
    return position_;
}

}  // namespace arena::sqlite
