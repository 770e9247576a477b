// The feed connects threads that play, which must never wait for it, with the server's thread,
// which runs at a low priority. It has two halves.
//
// Told state, written by the threads that play: a table for each shown game, a list of finished
// games, changes of players. Each is bounded and has a lock of its own, which is held briefly.
// A move is kept as text only; if the lock is taken, or many moves wait, the view drops them
// and hands over the whole position with a later move.
//
// Shown state, on the server's thread: JSON in parts, made from the told state of the last call
// on (absorb). A part that changes is marked, and changes() returns the marked parts. So a
// snapshot and all changes after it equal a later snapshot.
//
// There are more games than tables. A game that finds no free table is not shown, and tries
// again with each move, which costs one read of an atomic number.
#include "arena/web/live_feed.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "protocol/move.hpp"
#include "protocol/text.hpp"

namespace arena::web {
namespace {

using protocol::Position;

constexpr std::size_t kMostMovesWaiting = 64;  // moves of a game, kept as text
constexpr std::size_t kMostHeaps = 500;        // a larger position is not shown
constexpr std::size_t kMostReviewed = 1000;    // moves of a game in which mistakes are sought
constexpr int kTries = 50;  // to take the lock of a table, about a microsecond
constexpr int kMostPlayers = 20'000;
constexpr Milliseconds kSnapshotInterval{100};
constexpr Milliseconds kWatched{2000};   // after a call of the server there are watchers
constexpr Milliseconds kPatience{5000};  // for watchers to get the end
constexpr Milliseconds kBetweenProgress{1000};
constexpr Milliseconds kBetweenStandings{1000};
constexpr int kRowsASecond = 100;      // of standings that are sent again
constexpr int kShareOfStandings = 50;  // making them takes at most 1/50 of the time

// ---- told state ----

// A game that is shown. The lock is held briefly, also by a thread of low priority.
struct Table {
    std::mutex mutex;
    bool is_free = true;  // it may be taken by another game
    bool has_changed = false;
    TableState state;
    std::optional<Position> base;    // replaces the shown position
    std::vector<std::string> moves;  // made after it
    bool is_drawn = true;            // false: it is too large, and moves are not kept

    void take_position(const GameNow& now) {
        moves.clear();
        if (is_drawn) base = now.position;
    }
};

// The shown parts of a finished game.
std::shared_ptr<const GameRecord> copy_shown(const GameRecord& record) {
    auto copy = std::make_shared<GameRecord>();
    copy->task = record.task;
    copy->winner = record.winner;
    copy->reason = record.reason;
    copy->detail = shown_detail(record.detail);
    if (record.moves.size() <= kMostReviewed) copy->moves = record.moves;
    copy->times.resize(record.moves.size());  // for the number of moves
    return copy;
}

using Phase = TableState::Phase;

// ---- shown state ----

// A shown table: its position after all moves, and its JSON.
struct Board {
    std::optional<Position> position;  // none: too large
    std::string text;                  // of the JSON, without its end
    bool is_shown = false;             // a game is on it
    bool is_playing = false;
    Clock::time_point since;

    std::string json(Clock::time_point now) const {
        if (!is_playing) return text + "}";
        const auto elapsed = std::chrono::duration_cast<Milliseconds>(now - since).count();
        return text + ",\"elapsed\":" + std::to_string(std::max<std::int64_t>(0, elapsed)) +
               "}";
    }
};

struct ShownGame {
    std::string name;
    std::string text;
};

// Writes an object, part by part.
class Parts {
  public:
    void add(std::string_view key, std::string_view value) {
        text_ += text_.empty() ? '{' : ',';
        text_ += '"';
        text_ += key;
        text_ += "\":";
        text_ += value;
    }
    void begin_list(std::string_view key) {
        add(key, "[");
        is_first_ = true;
    }
    void item(std::string_view value) {
        if (!is_first_) text_ += ',';
        is_first_ = false;
        text_ += value;
    }
    void end_list() { text_ += ']'; }
    std::shared_ptr<const std::string> take() {
        text_ += '}';
        return std::make_shared<const std::string>(std::move(text_));
    }

  private:
    std::string text_;
    bool is_first_ = true;
};

}  // namespace

struct LiveFeed::Impl {
    Impl(Review asked, std::function<Clock::time_point()> time)
        : review(std::move(asked)), now(std::move(time)) {}

    class View;

    // ---- told state: any thread ----

    const Review review;
    const std::function<Clock::time_point()> now;
    std::array<Table, kMostBoards> tables;
    // Tables that a game may take: empty ones, and those whose end was shown long enough.
    std::atomic<int> free{0};
    std::mutex free_mutex;
    std::deque<std::size_t> free_tables;  // in the order in which they are taken

    std::mutex told_mutex;
    std::deque<std::shared_ptr<const GameRecord>> ended;     // not yet shown, newest last
    std::deque<std::pair<std::string, GameReview>> reviews;  // by name of a game
    std::map<int, ShownPlayer> players_told;                 // as they are now
    std::set<int> players_changed;
    std::optional<ContestInfo> info_told;
    bool is_over_told = false;
    bool is_over_shown = false;
    Clock::time_point last_look{};
    std::condition_variable over_shown;
    std::optional<std::pair<ContestProgress, std::vector<Standing>>> last_told;

    std::mutex source_mutex;  // held while the source is asked
    std::optional<ContestSource> source;

    // ---- shown state: the server's thread ----

    std::optional<ContestInfo> info;
    bool is_over = false;
    std::vector<ShownPlayer> players;
    std::string progress = progress_text({});
    std::uint64_t games = 0;  // in `progress`
    std::string standings = "[]";
    std::string workers;  // empty: there is one process
    std::array<Board, kMostBoards> boards;
    std::deque<ShownGame> finished;                                               // newest last
    std::map<std::string, std::shared_ptr<const GameRecord>> waiting_for_review;  // of these

    struct Marks {
        bool info = false, progress = false, standings = false, workers = false;
        std::set<std::size_t> players, boards;
        std::set<std::string> finished;

        bool any() const {
            return info || progress || standings || workers || !players.empty() ||
                   !boards.empty() || !finished.empty();
        }
    };
    Marks marks;
    std::shared_ptr<const std::string> whole;  // while nothing changes
    Clock::time_point whole_at{}, looked{}, progress_at{}, standings_at{};
    std::uint64_t standings_games = ~std::uint64_t{0};
    std::size_t rows = 0;
    Clock::duration standings_took{};

    // The table that has been free for longest.
    std::optional<std::size_t> take_table() {
        const std::lock_guard lock(free_mutex);
        if (free_tables.empty()) return std::nullopt;
        const std::size_t index = free_tables.front();
        free_tables.pop_front();
        --free;
        return index;
    }

    // Opens two tables for each concurrent game.
    void open_tables(int at_once) {
        const std::lock_guard lock(free_mutex);
        const auto wanted = static_cast<std::size_t>(2 * std::max(1, at_once));
        for (std::size_t i = 0; i < std::min(wanted, kMostBoards); ++i)
            free_tables.push_back(i);
        free = static_cast<int>(free_tables.size());
    }

    ShownPlayer& changed_player(int number) {
        players_changed.insert(number);
        return players_told[number];
    }

    // ---- from told to shown ----

    void absorb() {
        looked = now();
        absorb_told();
        for (std::size_t i = 0; i < kMostBoards; ++i) absorb_table(i);
        ask_source();
    }

    void absorb_told() {
        std::deque<std::shared_ptr<const GameRecord>> games_ended;
        std::deque<std::pair<std::string, GameReview>> games_reviewed;
        std::map<int, ShownPlayer> changed;
        decltype(last_told) last;
        {
            const std::lock_guard lock(told_mutex);
            last_look = looked;
            games_ended.swap(ended);
            games_reviewed.swap(reviews);
            for (const int number : players_changed) changed[number] = players_told[number];
            players_changed.clear();
            if (info_told) {
                info = std::exchange(info_told, std::nullopt);
                marks.info = true;
            }
            if (is_over_told && !is_over) is_over = is_over_shown = marks.info = true;
            if (is_over_shown) over_shown.notify_all();
            last.swap(last_told);
        }
        for (auto& [number, player] : changed) show_player(number, player);
        for (const auto& game : games_ended) show_finished(game);
        for (auto& [game, review_of] : games_reviewed) show_review(game, review_of);
        if (!last) return;
        show_progress(last->first);
        show_standings(last->second);
    }

    void show_player(int number, const ShownPlayer& player) {
        const auto index = static_cast<std::size_t>(number);
        while (players.size() <= index) {
            marks.players.insert(players.size());
            players.emplace_back();
        }
        if (players[index] == player) return;
        players[index] = player;
        marks.players.insert(index);
    }

    void show_finished(const std::shared_ptr<const GameRecord>& game) {
        finished.push_back({game_name(game->task), finished_text(*game, std::nullopt)});
        marks.finished.insert(finished.back().name);
        if (review && game->moves.size() == game->times.size()) {
            waiting_for_review[finished.back().name] = game;
            review(game);
        }
        if (finished.size() <= kMostFinished) return;
        marks.finished.erase(finished.front().name);
        waiting_for_review.erase(finished.front().name);
        finished.pop_front();
    }

    void show_review(const std::string& game, const GameReview& found) {
        const auto waiting = waiting_for_review.find(game);
        if (waiting == waiting_for_review.end()) return;
        const auto shown = std::ranges::find(finished, game, &ShownGame::name);
        shown->text = finished_text(*waiting->second, found);
        marks.finished.insert(game);
        waiting_for_review.erase(waiting);
    }

    void absorb_table(std::size_t index) {
        Table& table = tables[index];
        Board& board = boards[index];
        TableState state;
        std::vector<std::string> moves;
        {
            const std::lock_guard lock(table.mutex);
            release(index, table);
            if (!table.has_changed) return;
            table.has_changed = false;
            state = table.state;
            if (table.base) board.position = std::exchange(table.base, std::nullopt);
            moves.swap(table.moves);
        }
        for (const std::string& text : moves) apply_move(board, text);
        const bool is_large = !board.position || board.position->heap_count() > kMostHeaps;
        if (state.phase == Phase::Playing && is_large) stop_drawing(table, state.game);
        if (is_large) board.position.reset();
        board.is_shown = state.phase != Phase::Empty;
        board.is_playing = state.phase == Phase::Playing;
        board.since = state.since;
        board.text = board_text(index, state, board.position);
        marks.boards.insert(index);
    }

    static void apply_move(Board& board, const std::string& text) {
        if (!board.position) return;
        const auto move = protocol::parse_move(text, *board.position);
        if (move)
            apply(*board.position, *move);
        else
            board.position.reset();
    }

    static void stop_drawing(Table& table, const std::string& game) {
        const std::lock_guard lock(table.mutex);
        if (table.state.game != game) return;  // another one has begun meanwhile
        table.is_drawn = false;
        table.base.reset();
        table.moves.clear();
    }

    // With the lock of the table held. Once the end of a game has been shown for a while,
    // another game may take the table; if none does, the table is cleared some time later.
    void release(std::size_t index, Table& table) {
        if (table.state.phase != Phase::Over) return;
        const auto shown = looked - table.state.since;
        if (shown >= kEndShown && !table.is_free) make_free(index, table);
        if (shown < kEndCleared) return;
        table.state.phase = Phase::Empty;
        table.has_changed = true;
    }

    void make_free(std::size_t index, Table& table) {
        table.is_free = true;
        const std::lock_guard lock(free_mutex);
        free_tables.push_back(index);
        ++free;
    }

    void ask_source() {
        const std::lock_guard lock(source_mutex);
        if (!source) return;
        if (const auto names = source->names()) show_names(*names);
        const ContestProgress now_at = source->progress();
        if (now_at.games != games || looked - progress_at >= kBetweenProgress) {
            show_progress(now_at);
        }
        if (source->workers) show_workers(source->workers());
        const auto between =
            std::max<Clock::duration>({kBetweenStandings, standings_took * kShareOfStandings,
                                       std::chrono::seconds(rows / kRowsASecond)});
        if (now_at.games == standings_games || looked - standings_at < between) return;
        standings_games = now_at.games;
        const auto began = now();
        const auto table = source->standings();
        standings_at = now();
        standings_took = standings_at - began;
        show_standings(table);
    }

    void show_names(const std::vector<std::string>& names) {
        const std::lock_guard lock(told_mutex);
        const std::size_t count = std::min<std::size_t>(names.size(), kMostPlayers);
        for (std::size_t i = 0; i < count; ++i) {
            ShownPlayer& player = players_told[static_cast<int>(i)];
            player.name = shown_player(names[i]);
            show_player(static_cast<int>(i), player);
        }
    }

    void show_progress(const ContestProgress& told) {
        progress_at = looked;
        games = told.games;
        const std::string text = progress_text(told);
        if (text == progress) return;
        progress = text;
        marks.progress = true;
    }

    void show_standings(const std::vector<Standing>& table) {
        rows = std::min(table.size(), kMostRows);
        const std::string text = standings_text(table);
        if (text == standings) return;
        standings = text;
        marks.standings = true;
    }

    void show_workers(const std::string& text) {
        if (text == workers) return;
        workers = text;
        marks.workers = true;
    }

    // ---- writing ----

    // The whole state, or the marked parts.
    std::shared_ptr<const std::string> write(bool is_whole) const {
        Parts parts;
        if (is_whole) parts.add("whole", "true");
        if (is_whole || marks.info) parts.add("tournament", tournament_text(info, is_over));
        write_players(parts, is_whole);
        if (is_whole || marks.progress) parts.add("progress", progress);
        if (is_whole || marks.standings) parts.add("standings", standings);
        if (!workers.empty() && (is_whole || marks.workers)) parts.add("workers", workers);
        write_boards(parts, is_whole);
        write_finished(parts, is_whole);
        return parts.take();
    }

    void write_players(Parts& parts, bool is_whole) const {
        if (!is_whole && marks.players.empty()) return;
        parts.begin_list("players");
        for (std::size_t i = 0; i < players.size(); ++i) {
            if (is_whole || marks.players.contains(i)) parts.item(player_text(i, players[i]));
        }
        parts.end_list();
    }

    void write_boards(Parts& parts, bool is_whole) const {
        if (!is_whole && marks.boards.empty()) return;
        parts.begin_list("boards");
        const auto at = now();
        for (std::size_t i = 0; i < kMostBoards; ++i) {
            const bool is_shown = is_whole ? boards[i].is_shown : marks.boards.contains(i);
            if (is_shown) parts.item(boards[i].json(at));
        }
        parts.end_list();
    }

    void write_finished(Parts& parts, bool is_whole) const {
        if (!is_whole && marks.finished.empty()) return;
        parts.begin_list("finished");
        for (const ShownGame& game : finished) {
            if (is_whole || marks.finished.contains(game.name)) parts.item(game.text);
        }
        parts.end_list();
    }
};

// ---- one game, on the thread that plays it ----

class LiveFeed::Impl::View : public GameView {
  public:
    View(Impl& feed, const GameTask& task, const GameNow& now) : feed_(feed), task_(task) {
        take_table(now);
    }
    ~View() override {
        if (table_ == nullptr) return;
        const std::lock_guard lock(table_->mutex);
        table_->state.phase = Phase::Empty;
        table_->has_changed = true;
        feed_.make_free(index_, *table_);
    }

    // Never waits, because the clock of the player runs.
    void moved(const GameNow& now) override {
        if (table_ == nullptr) return take_table(now);
        std::unique_lock lock(table_->mutex, std::defer_lock);
        for (int i = 0; i < kTries && !lock.owns_lock(); ++i) lock.try_lock();
        if (!lock.owns_lock()) {
            has_missed_ = true;
            return;
        }
        if (has_missed_ || table_->moves.size() >= kMostMovesWaiting) {
            table_->take_position(now);
        } else if (table_->is_drawn) {
            table_->moves.push_back(now.move);
        }
        has_missed_ = false;
        table_->state.take(now, feed_.now());
        table_->has_changed = true;
    }

    void over(const GameNow& now, const GameRecord& record) override {
        if (table_ == nullptr) return;
        const std::lock_guard lock(table_->mutex);
        if (has_missed_) table_->take_position(now);
        table_->state.take(now, feed_.now());
        table_->state.phase = Phase::Over;
        table_->state.winner = record.winner;
        table_->state.reason = record.reason;
        table_->has_changed = true;
        table_ = nullptr;
    }

  private:
    void take_table(const GameNow& now) {
        if (feed_.free.load(std::memory_order_relaxed) <= 0) return;
        const auto index = feed_.take_table();
        if (!index) return;
        index_ = *index;
        table_ = &feed_.tables[index_];
        const std::lock_guard lock(table_->mutex);
        table_->is_free = false;
        table_->is_drawn = true;
        table_->take_position(now);
        table_->state = {};
        table_->state.phase = Phase::Playing;
        table_->state.game = game_name(task_);
        table_->state.players = task_.players;
        table_->state.take(now, feed_.now());
        table_->has_changed = true;
    }

    Impl& feed_;
    const GameTask& task_;
    Table* table_ = nullptr;  // null: it is not shown
    std::size_t index_ = 0;
    bool has_missed_ = false;  // the table lacks a move
};

LiveFeed::LiveFeed(Review review, std::function<Clock::time_point()> now)
    : impl_(new Impl(std::move(review), std::move(now))) {}
LiveFeed::~LiveFeed() = default;

void LiveFeed::begin(const ContestInfo& info, ContestSource source) {
    impl_->open_tables(info.at_once);
    {
        const std::lock_guard lock(impl_->told_mutex);
        impl_->info_told = info;
    }
    const std::lock_guard lock(impl_->source_mutex);
    impl_->source = std::move(source);
}

void LiveFeed::player(int number, const std::string& name) {
    const std::lock_guard lock(impl_->told_mutex);
    if (number < kMostPlayers) impl_->changed_player(number).name = shown_player(name);
}

void LiveFeed::present(int player, bool is_present) {
    const std::lock_guard lock(impl_->told_mutex);
    if (player >= kMostPlayers) return;
    ShownPlayer& told = impl_->changed_player(player);
    told.is_present = is_present;
    if (is_present) told.is_out = false;  // it may try again
}

void LiveFeed::out(int player) {
    const std::lock_guard lock(impl_->told_mutex);
    if (player < kMostPlayers) impl_->changed_player(player).is_out = true;
}

std::unique_ptr<GameView> LiveFeed::begin_game(const GameTask& task, const GameNow& now) {
    return std::make_unique<Impl::View>(*impl_, task, now);
}

void LiveFeed::finished(const GameRecord& record) {
    auto ended = copy_shown(record);
    const std::lock_guard lock(impl_->told_mutex);
    impl_->ended.push_back(std::move(ended));
    const bool is_watched = impl_->now() - impl_->last_look <= kWatched;
    const std::size_t most = is_watched ? kMostNewlyEnded : kMostFinished;
    if (impl_->ended.size() > most) impl_->ended.pop_front();
}

void LiveFeed::reviewed(const GameRecord& record, const GameReview& review) {
    const std::lock_guard lock(impl_->told_mutex);
    impl_->reviews.emplace_back(game_name(record.task), review);
    if (impl_->reviews.size() > kMostFinished) impl_->reviews.pop_front();
}

void LiveFeed::over(const ContestProgress& progress, const std::vector<Standing>& standings) {
    {
        const std::lock_guard lock(impl_->source_mutex);
        if (impl_->source) {
            const auto names = impl_->source->names();
            for (std::size_t i = 0; names && i < names->size(); ++i) {
                player(static_cast<int>(i), (*names)[i]);
            }
        }
        impl_->source.reset();
    }
    const std::lock_guard lock(impl_->told_mutex);
    impl_->last_told.emplace(progress, standings);
    impl_->is_over_told = true;
}

void LiveFeed::await_watchers() {
    std::unique_lock lock(impl_->told_mutex);
    if (impl_->now() - impl_->last_look > kWatched) return;
    impl_->over_shown.wait_for(lock, kPatience, [this] { return impl_->is_over_shown; });
}

std::shared_ptr<const std::string> LiveFeed::snapshot() {
    if (impl_->now() - impl_->looked >= kSnapshotInterval) impl_->absorb();
    const bool is_old = impl_->now() - impl_->whole_at >= kBetweenProgress;
    if (impl_->marks.any() || is_old || !impl_->whole) {
        impl_->whole = impl_->write(true);
        impl_->whole_at = impl_->now();
    }
    return impl_->whole;
}

std::shared_ptr<const std::string> LiveFeed::changes() {
    impl_->absorb();
    if (!impl_->marks.any()) return nullptr;
    const auto text = impl_->write(false);
    impl_->marks = {};
    impl_->whole.reset();
    return text;
}

}  // namespace arena::web
