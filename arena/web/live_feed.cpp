// One state, kept once: the threads that play write what they do into it, each under a lock
// that is held for as long as it takes to copy a position or a name. The server's thread copies
// the state part by part and writes it as JSON without a lock.
//
// There are more games than boards. A game that finds no free board is not shown, and tries
// again with each move, which costs one read of an atomic number.
#include "arena/web/live_feed.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <numeric>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace arena::web {
namespace {

using protocol::Position;
using Phase = TableState::Phase;

constexpr std::size_t kMostHeaps = 500;           // a larger position is not shown
constexpr std::size_t kMostRulesets = 64 * 1024;  // bytes of them, likewise
constexpr std::size_t kMostReviewed = 1000;  // moves of a game in which mistakes are sought
constexpr int kMostPlayers = 20'000;
constexpr std::size_t kMostNamed = 1000;  // players that are listed before they have played
constexpr Milliseconds kPatience{5000};   // for watchers to get the end
constexpr int kShareOfStandings = 50;     // making them takes at most 1/50 of the time

bool is_small(const Position& position) {
    std::size_t bytes = 0;
    for (const protocol::Component& part : position.components)
        bytes += part.ruleset.text.size();
    return bytes <= kMostRulesets && position.heap_count() <= kMostHeaps;
}

// A game that is shown.
struct Board {
    std::mutex mutex;
    bool is_free = true;  // it may be taken by another game
    TableState state;
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

std::string list(const std::vector<std::string>& items) {
    return fmt::format("[{}]", fmt::join(items, ","));
}

}  // namespace

void TableState::take(const GameNow& now, Clock::time_point at) {
    if (now.ply != ply) before.reset();
    if (now.ply == ply + 1) before.swap(position);
    position.reset();
    if (is_small(now.position)) position = now.position;
    ply = now.ply;
    last = now.move;
    left = now.left;
    since = at;
}

struct LiveFeed::Impl {
    Impl(Review asked, std::function<Clock::time_point()> time)
        : review(std::move(asked)), now(std::move(time)) {}

    class View;

    const Review review;
    const std::function<Clock::time_point()> now;

    std::array<Board, kMostBoards> boards;
    std::atomic<int> free{0};  // boards that a game may take

    std::mutex mutex;                     // of what follows
    std::deque<std::size_t> free_boards;  // in the order in which they are taken
    std::optional<ContestInfo> info;
    bool is_over = false;
    std::vector<ShownPlayer> players;
    std::deque<std::shared_ptr<const GameRecord>> finished;  // newest last
    std::size_t newly_ended = 0;  // of these, not asked to be reviewed yet
    std::size_t watchers = 0;
    bool is_end_shown = false;
    std::condition_variable end_shown;

    std::mutex source_mutex;  // held while the source is asked; and of what it said
    std::optional<ContestSource> source;
    ContestProgress progress;
    std::vector<Standing> standings;
    std::string workers;  // empty: there is one process
    Bracket bracket;

    // Of the server's thread.
    Clock::time_point standings_again{};
    std::string last;  // the last text, without the ages
    std::uint64_t version = 0;

    // The board that has been free for longest.
    std::optional<std::size_t> take_board() {
        const std::lock_guard lock(mutex);
        if (free_boards.empty()) return std::nullopt;
        const std::size_t index = free_boards.front();
        free_boards.pop_front();
        --free;
        return index;
    }

    // With the board's lock held.
    void make_free(std::size_t index) {
        boards[index].is_free = true;
        const std::lock_guard lock(mutex);
        free_boards.push_back(index);
        ++free;
    }

    // With the lock held; null: there are too many players.
    ShownPlayer* player(int number) {
        if (number >= kMostPlayers) return nullptr;
        const auto index = static_cast<std::size_t>(number);
        if (index >= players.size()) players.resize(index + 1);
        return &players[index];
    }

    void name_players(const std::optional<std::vector<std::string>>& names) {
        if (!names) return;
        const std::lock_guard lock(mutex);
        for (std::size_t i = 0; i < names->size(); ++i) {
            if (ShownPlayer* named = player(static_cast<int>(i)))
                named->name = shown_player((*names)[i]);
        }
    }

    // ---- a snapshot ----

    struct Snapshot {
        std::set<int> named;  // players that it names
        std::string tournament, players, progress, standings, extras;
        std::vector<std::string> boards, finished;
        std::vector<std::int64_t> ages;  // of the boards, in milliseconds
    };

    LiveState snapshot() {
        const Clock::time_point at = now();
        const bool has_ended = is_at_end();  // first: the end comes after the final standings
        Snapshot made;
        ask_source(at, made);
        for (std::size_t i = 0; i < kMostBoards; ++i) show_board(i, at, made);
        show_finished(made);
        show_players(has_ended, made);
        std::string text =
            fmt::format(R"("tournament":{},"players":{},"progress":{},"columns":{},)"
                        R"("standings":{},{}"boards":{},"finished":{})",
                        made.tournament, made.players, made.progress, columns_text(),
                        made.standings, made.extras, list(made.boards), list(made.finished));
        const auto whole = std::make_shared<const std::string>(
            fmt::format("{{{},\"ages\":[{}]}}", text, fmt::join(made.ages, ",")));
        if (text != last) ++version;
        last = std::move(text);
        if (has_ended) tell_end_shown();
        return {whole, version};
    }

    bool is_at_end() {
        const std::lock_guard lock(mutex);
        return is_over;
    }

    void tell_end_shown() {
        const std::lock_guard lock(mutex);
        is_end_shown = true;
        end_shown.notify_all();
    }

    void ask_source(Clock::time_point at, Snapshot& made) {
        const std::lock_guard lock(source_mutex);
        if (source) {
            name_players(source->names());
            progress = source->progress();
            if (source->workers) workers = source->workers();
            if (source->bracket) bracket = source->bracket();
            // Also without a new game: a round that was planned changes places and gives byes.
            if (at >= standings_again) ask_standings(at);
        }
        made.progress = progress_text(progress);
        made.standings = standings_text(standings);
        if (!workers.empty()) made.extras = fmt::format("\"workers\":{},", workers);
        if (!bracket.empty())
            made.extras += fmt::format("\"bracket\":{},", bracket_text(bracket));
        for (const Standing& row : standings) {
            if (made.named.size() == kMostRows) break;
            made.named.insert(row.player);
        }
    }

    void ask_standings(Clock::time_point at) {
        standings = source->standings();
        standings_again = at + (now() - at) * kShareOfStandings;
    }

    void show_board(std::size_t index, Clock::time_point at, Snapshot& made) {
        TableState state;
        {
            Board& board = boards[index];
            const std::lock_guard lock(board.mutex);
            release(index, at);
            if (board.state.phase == Phase::Empty) return;
            state = board.state;
        }
        made.named.insert(state.players.begin(), state.players.end());
        made.boards.push_back(board_text(index, state));
        const auto age = std::chrono::duration_cast<Milliseconds>(at - state.since).count();
        made.ages.push_back(state.phase == Phase::Playing ? std::max<std::int64_t>(0, age) : 0);
    }

    // With the board's lock held. Once the end of a game has been shown for a while, another
    // game may take the board; if none does, the board is cleared some time later.
    void release(std::size_t index, Clock::time_point at) {
        Board& board = boards[index];
        if (board.state.phase != Phase::Over) return;
        const auto shown = at - board.state.since;
        if (shown >= kEndShown && !board.is_free) make_free(index);
        if (shown >= kEndCleared) board.state.phase = Phase::Empty;
    }

    void show_finished(Snapshot& made) {
        std::deque<std::shared_ptr<const GameRecord>> games;
        std::size_t fresh = 0;
        {
            const std::lock_guard lock(mutex);
            games = finished;
            fresh = std::min(std::exchange(newly_ended, 0), games.size());
        }
        for (std::size_t i = 0; i < games.size(); ++i) {
            const auto& game = games[i];
            made.named.insert(game->task.players.begin(), game->task.players.end());
            made.finished.push_back(finished_text(*game));
            const bool is_whole = game->moves.size() == game->times.size();
            if (review && is_whole && i + fresh >= games.size()) review(game);
        }
    }

    // Those that are named elsewhere, and the first ones: at most some thousand.
    void show_players(bool has_ended, Snapshot& made) {
        std::map<int, ShownPlayer> shown;
        std::optional<ContestInfo> begun;
        PlayerCounts counts;
        {
            const std::lock_guard lock(mutex);
            begun = info;
            for (std::size_t i = 0; i < std::min(players.size(), kMostNamed); ++i)
                made.named.insert(static_cast<int>(i));
            for (const int number : made.named) {
                if (static_cast<std::size_t>(number) < players.size())
                    shown[number] = players[static_cast<std::size_t>(number)];
            }
            counts = count_players();
        }
        std::vector<std::string> texts;
        for (const auto& [number, one] : shown)
            texts.push_back(player_text(static_cast<std::size_t>(number), one));
        made.players = list(texts);
        made.tournament = tournament_text(begun, has_ended, counts);
    }

    // With the lock held.
    PlayerCounts count_players() const {
        PlayerCounts counts{players.size(), std::nullopt};
        for (const ShownPlayer& one : players) {
            if (one.is_present)
                counts.present = counts.present.value_or(0) + (*one.is_present ? 1 : 0);
        }
        return counts;
    }
};

// ---- one game, on the thread that plays it ----

class LiveFeed::Impl::View : public GameView {
  public:
    View(Impl& feed, const GameTask& task, const GameNow& now) : feed_(feed), task_(task) {
        take_board(now);
    }
    ~View() override {
        if (board_ == nullptr) return;
        const std::lock_guard lock(board_->mutex);
        board_->state.phase = Phase::Empty;
        feed_.make_free(index_);
    }

    void moved(const GameNow& now) override {
        if (board_ == nullptr) return take_board(now);
        const std::lock_guard lock(board_->mutex);
        board_->state.take(now, feed_.now());
    }

    void over(const GameNow& now, const GameRecord& record) override {
        if (board_ == nullptr) return;
        const std::lock_guard lock(board_->mutex);
        board_->state.take(now, feed_.now());
        board_->state.phase = Phase::Over;
        board_->state.winner = record.winner;
        board_->state.reason = record.reason;
        board_ = nullptr;
    }

  private:
    void take_board(const GameNow& now) {
        if (feed_.free.load(std::memory_order_relaxed) <= 0) return;
        const auto index = feed_.take_board();
        if (!index) return;
        index_ = *index;
        board_ = &feed_.boards[index_];
        const std::lock_guard lock(board_->mutex);
        board_->is_free = false;
        board_->state = {};
        board_->state.phase = Phase::Playing;
        board_->state.game = game_name(task_);
        board_->state.players = task_.players;
        board_->state.take(now, feed_.now());
    }

    Impl& feed_;
    const GameTask& task_;
    Board* board_ = nullptr;  // null: it is not shown
    std::size_t index_ = 0;
};

LiveFeed::LiveFeed(Review review, std::function<Clock::time_point()> now)
    : impl_(new Impl(std::move(review), std::move(now))) {}
LiveFeed::~LiveFeed() = default;

// Opens two boards for each concurrent game.
void LiveFeed::begin(const ContestInfo& info, ContestSource source) {
    {
        const std::lock_guard lock(impl_->mutex);
        impl_->info = info;
        const auto wanted = static_cast<std::size_t>(2 * std::max(1, info.at_once));
        impl_->free_boards.resize(std::min(wanted, kMostBoards));
        std::iota(impl_->free_boards.begin(), impl_->free_boards.end(), std::size_t{0});
        impl_->free = static_cast<int>(impl_->free_boards.size());
    }
    const std::lock_guard lock(impl_->source_mutex);
    impl_->source = std::move(source);
}

void LiveFeed::player(int number, const std::string& name) {
    const std::lock_guard lock(impl_->mutex);
    if (ShownPlayer* player = impl_->player(number)) player->name = shown_player(name);
}

void LiveFeed::present(int number, bool is_present) {
    const std::lock_guard lock(impl_->mutex);
    ShownPlayer* player = impl_->player(number);
    if (player == nullptr) return;
    player->is_present = is_present;
    if (is_present) player->is_out = false;  // it may try again
}

void LiveFeed::out(int number) {
    const std::lock_guard lock(impl_->mutex);
    if (ShownPlayer* player = impl_->player(number)) player->is_out = true;
}

std::unique_ptr<GameView> LiveFeed::begin_game(const GameTask& task, const GameNow& now) {
    return std::make_unique<Impl::View>(*impl_, task, now);
}

void LiveFeed::finished(const GameRecord& record) {
    auto ended = copy_shown(record);
    const std::lock_guard lock(impl_->mutex);
    auto& games = impl_->finished;
    games.push_back(std::move(ended));
    if (++impl_->newly_ended > kMostNewlyEnded && impl_->watchers > 0) {
        games.erase(games.end() - 1 - kMostNewlyEnded);
        impl_->newly_ended = kMostNewlyEnded;
    }
    if (games.size() > kMostFinished) games.pop_front();
}

void LiveFeed::reviewed(const std::shared_ptr<const GameRecord>& record) {
    const std::string name = game_name(record->task);
    const std::lock_guard lock(impl_->mutex);
    for (auto& game : impl_->finished)
        if (game_name(game->task) == name) game = record;
}

void LiveFeed::over(const ContestProgress& progress, const std::vector<Standing>& standings) {
    {
        const std::lock_guard lock(impl_->source_mutex);
        if (impl_->source) impl_->name_players(impl_->source->names());
        if (impl_->source && impl_->source->bracket) impl_->bracket = impl_->source->bracket();
        impl_->source.reset();
        impl_->progress = progress;
        impl_->standings = standings;
    }
    const std::lock_guard lock(impl_->mutex);
    impl_->is_over = true;
}

bool LiveFeed::is_watched() const {
    const std::lock_guard lock(impl_->mutex);
    return impl_->watchers > 0;
}

void LiveFeed::await_watchers() {
    std::unique_lock lock(impl_->mutex);
    impl_->end_shown.wait_for(lock, kPatience,
                              [this] { return impl_->is_end_shown || impl_->watchers == 0; });
}

LiveState LiveFeed::snapshot() { return impl_->snapshot(); }

void LiveFeed::watched_by(std::size_t watchers) {
    const std::lock_guard lock(impl_->mutex);
    impl_->watchers = watchers;
    impl_->end_shown.notify_all();
}

}  // namespace arena::web
