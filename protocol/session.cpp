// The loop of one session: which thread uses the bot, and when.
//
// While no search runs, the thread that feeds lines carries them out itself. `go`, or a line
// that takes a while (a query, a long history), hands the bot over to the session's worker
// thread (`busy_`), which does it, writes the answer, carries out the lines that waited, and
// hands the bot back when none is left. So `isready` never waits for the bot: see feed().
//
// A worker for every `go` was ruled out: two thread switches are nearly half the time of a
// short answer, so a bot that answers at once is called by the feeding thread. Lines that wait
// are kept as text and parsed again later, because parsed commands point into their line.
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <new>
#include <set>
#include <thread>
#include <utility>

#include "protocol/bot.hpp"
#include "protocol/line_buffer.hpp"
#include "protocol/text.hpp"

namespace protocol {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

// The limit of the lines that wait for `bestmove`, in bytes: their text, and a cost for each.
constexpr std::size_t kMaxWaiting = 4 << 20;
constexpr std::size_t kLineCost = 64;
// A longer line may take a while whatever it says: parsing its words alone does.
constexpr std::size_t kShortLine = 8 << 10;
// How long `isready` waits for earlier positions to be read, so that their errors come before
// `readyok` unless reading takes long.
constexpr auto kPatience = 30ms;

template <typename Kind>
bool is(const Result<Command>& command) {
    return command && std::holds_alternative<Kind>(*command);
}

// Serializes calls, and makes none after the first that fails.
class Output {
  public:
    explicit Output(Session::Write write) : write_(std::move(write)) {}

    bool write(std::string_view lines) {
        const std::lock_guard lock(mutex_);
        if (!lost_ && !write_(lines)) lost_ = true;
        return !lost_;
    }
    bool lost() const { return lost_; }

  private:
    std::mutex mutex_;
    Session::Write write_;
    std::atomic<bool> lost_ = false;
};

std::string info_line(std::string_view text) { return "info " + printable(text) + "\n"; }

std::string option_line(std::string_view name, std::string_view declaration) {
    std::string line("option name ");
    line += name;
    if (!declaration.empty()) line.append(" type ").append(declaration);
    return line + "\n";
}

std::string response_line(std::string_view text) {
    return std::string(text.empty() ? "response" : "response ").append(text).append("\n");
}

std::string error_line(const Error& error) {
    return "info string error " + printable(describe(error), 1000) + "\n";
}

// The usable part of a time, with a reserve for the way to the referee.
Clock::duration usable(Clock::duration time) {
    return time - std::min<Clock::duration>(time / 10, 10ms);
}

Clock::duration milliseconds(std::uint64_t count) {
    constexpr std::uint64_t kYears = 1'000'000'000'000;  // 31 of them: no sum overflows
    return std::chrono::milliseconds(std::min(count, kYears));
}

// The deadline of the answer: from `movetime`, and a twentieth of the player's clock.
Clock::time_point deadline_of(const GoCommand& go, int player, Clock::time_point now) {
    const auto& clock = player == 1 ? go.p1_time : go.p2_time;
    const auto& increment = player == 1 ? go.p1_increment : go.p2_increment;
    auto deadline = Clock::time_point::max();
    if (go.infinite) return deadline;

    if (go.movetime) deadline = now + usable(milliseconds(*go.movetime));
    if (clock) {
        const auto left = milliseconds(*clock);
        const auto share = left / 20 + milliseconds(increment.value_or(0)) * 3 / 4;
        deadline = std::min(deadline, now + usable(std::min(left, share)));
    }
    const bool unlimited = !go.movetime && !clock && !go.depth && !go.nodes;
    return unlimited ? now + usable(1000ms) : deadline;
}

// One `go`, from its line to its `bestmove`.
struct Search {
    explicit Search(std::string_view text)
        : line(text), go(std::get<GoCommand>(*parse_command(line))) {}

    // If not, the bot may wait for `stop`.
    bool ends_by_time() const { return deadline != Clock::time_point::max(); }

    std::string line;
    GoCommand go;  // its views point into `line`
    Clock::time_point deadline;
    std::stop_source stop;
    // When to stop waiting for it, at the end of input.
    Clock::time_point given_up = Clock::time_point::max();
};

// Another line that takes a while: a query, or a line that must be read before all others.
struct Job {
    std::string line;
    bool is_query = false;
    std::stop_source stop;
};

struct WaitingLine {
    std::string text;
    Clock::time_point came;
    bool is_go = false;
    bool is_query = false;
};

}  // namespace

class Session::Loop {
  public:
    Loop(const BotInfo& info, std::unique_ptr<Bot> bot, Write write, Clock::duration patience,
         Clock::duration grace)
        : info_(info),
          bot_(std::move(bot)),
          output_(std::move(write)),
          patience_(patience),
          grace_(grace) {
        report(restart(*parse_position(kStartPosition), {kStartPosition, {}}, {}));
    }

    ~Loop() {
        {
            const std::lock_guard lock(mutex_);
            end();
        }
        if (worker_.joinable()) worker_.join();
    }

    bool feed(std::string_view line);
    void refuse(const Error& error) { output_.write(error_line(error)); }
    void finish();

    bool is_thinking() const {
        const std::lock_guard lock(mutex_);
        return search_ != nullptr || job_ != nullptr;
    }

  private:
    // With mutex_ held.
    void end();
    void quit(std::unique_lock<std::mutex>& lock);
    void stop();
    void stop_search();
    void enqueue(std::string_view line, const Result<Command>& command);
    // Whether the worker has the bot only to read earlier lines.
    bool is_reading() const {
        return busy_ && !search_ && waiting_gos_ == 0 && !(job_ && job_->is_query);
    }
    // Whether a query is being answered, or waits with no search before it.
    bool owes_response() const {
        return carries_out_waiting_ || queries_first_ > 0 || (job_ && job_->is_query);
    }
    void count_first_queries() {
        queries_first_ = 0;
        for (const WaitingLine& line : waiting_) {
            if (line.is_go) return;
            queries_first_ += line.is_query ? 1 : 0;
        }
    }
    bool has_room(std::string_view line) const {
        return waiting_cost_ + line.size() + kLineCost <= kMaxWaiting;
    }

    // Called by the thread that has the bot.
    void carry_out(const Result<Command>& command, std::string_view line);
    template <typename Action>
    void report_exceptions(const Action& action);
    void report(const Result<void>& done) {
        if (!done) refuse(done.error());
    }
    void on(const UgiCommand&, std::string_view line);
    void on(const SetOptionCommand& command, std::string_view line);
    void on(const NewGameCommand&, std::string_view line);
    void on(const PositionCommand& command, std::string_view line);
    void on(const MovesCommand& command, std::string_view line);
    void on(const GoCommand& command, std::string_view line);
    void on(const QueryCommand& command, std::string_view line);
    template <typename HandledByFeed>
    void on(const HandledByFeed&, std::string_view) {}

    // `stop` is that of the current job; nullptr: not in a job, and what takes a while becomes
    // one.
    void set_option(const SetOptionCommand& command);
    void read(const PositionCommand& command, std::string_view line,
              const std::stop_token* stop);
    void read(const MovesCommand& command, std::string_view line, const std::stop_token* stop);
    void hand_over(std::string_view line, bool is_query);

    bool continues(const PositionCommand& command) const;
    Result<void> restart(const Position& start, const PositionCommand& command,
                         const std::stop_token& stop);
    Result<void> extend(std::span<const std::string_view> moves, Change change,
                        const std::stop_token& stop);
    void remember(std::span<const std::string_view> moves);
    void reply_to(const QueryCommand& query, const std::stop_token& stop);
    std::optional<std::string> answer(const QueryCommand& query, const std::stop_token& stop);

    // On the worker thread.
    void work();
    void work_on_search(std::unique_lock<std::mutex>& lock);
    void work_on_job(std::unique_lock<std::mutex>& lock);
    void do_job(const Job& job);
    std::string think(Search& search);
    std::string choose(Search& search, std::string& infos);
    std::vector<Move> read_candidates(const GoCommand& go);
    void carry_out_waiting(std::unique_lock<std::mutex>& lock);

    const BotInfo info_;
    const std::unique_ptr<Bot> bot_;
    Output output_;
    const Clock::duration patience_;
    const Clock::duration grace_;

    // The current position, and its line: the text after `fen` and all moves since, to
    // recognize a line that extends it. An empty text: such a line would be too long.
    Position position_;
    int player_ = 1;
    std::uint64_t seed_ = 0;
    std::string start_text_;
    std::vector<std::string> played_;
    std::size_t played_bytes_ = 0;
    std::optional<Clock::time_point> asked_;  // when the clock of a waiting `go` started

    mutable std::mutex mutex_;  // guards what follows
    std::condition_variable changed_;
    bool busy_ = false;               // the worker has the bot
    bool ended_ = false;              // no more answers
    bool quits_ = false;              // soon
    bool at_end_ = false;             // of the input
    std::unique_ptr<Search> search_;  // until its bestmove is about to be written
    std::unique_ptr<Job> job_;        // until it is done
    Clock::time_point answered_;      // the latest search or query
    std::deque<WaitingLine> waiting_;
    std::size_t waiting_cost_ = 0;
    std::size_t waiting_gos_ = 0;
    std::size_t queries_first_ = 0;     // waiting queries before any waiting go
    bool carries_out_waiting_ = false;  // a waiting line, before its job or search starts
    std::uint64_t lines_done_ = 0;      // by the worker
    std::size_t stops_next_ = 0;        // the number of waiting gos for which `stop` came

    std::thread worker_;  // started by the first search that needs it
};

// ---- lines ----

bool Session::Loop::feed(std::string_view line) {
    const Result<Command> command = parse_command(line);
    if (is<UnknownCommand>(command)) return !output_.lost();
    {
        std::unique_lock lock(mutex_);
        if (is<IsReadyCommand>(command)) {
            changed_.wait_for(lock, kPatience, [&] { return !is_reading(); });
            lock.unlock();
            return output_.write("readyok\n");
        }
        if (is<QuitCommand>(command)) {
            quit(lock);
            end();
            return false;
        }
        if (is<StopCommand>(command)) {
            stop();
            return !output_.lost();
        }
        // Lines that wait for reading are never dropped: if they are too many, the feeding
        // thread waits. Lines that wait for `bestmove` are dropped, see enqueue().
        changed_.wait(lock, [&] { return !is_reading() || has_room(line); });
        if (busy_) {
            enqueue(line, command);
            return !output_.lost();
        }
    }
    carry_out(command, line);
    return !output_.lost();
}

// Gives earlier lines their answers, if that does not take long: the errors of those that are
// being read, the responses, and the `bestmove` of a search that was stopped.
void Session::Loop::quit(std::unique_lock<std::mutex>& lock) {
    const auto is_settled = [&] {
        if (!busy_) return true;
        if (search_) return !search_->stop.stop_requested();
        return waiting_gos_ > 0 && stops_next_ == 0 && !owes_response();
    };
    // A script may have thousands of queries: each has its time.
    for (auto done = lines_done_ + 1; !is_settled() && done != lines_done_;) {
        done = lines_done_;
        changed_.wait_for(lock, owes_response() ? grace_ : patience_,
                          [&] { return is_settled() || done != lines_done_; });
    }
    if (!owes_response()) return;
    quits_ = true;
    if (job_) job_->stop.request_stop();
    changed_.wait_for(lock, patience_, is_settled);
}

void Session::Loop::end() {
    ended_ = true;
    waiting_.clear();
    if (search_) search_->stop.request_stop();
    if (job_) job_->stop.request_stop();
    changed_.notify_all();
}

// Stops the search that owes its `bestmove`; else the query.
void Session::Loop::stop() {
    if (search_ && !search_->stop.stop_requested()) {
        stop_search();
    } else if (stops_next_ < waiting_gos_) {
        ++stops_next_;
    } else if (job_ && job_->is_query) {
        job_->stop.request_stop();
    }
}

void Session::Loop::stop_search() {
    search_->stop.request_stop();
    search_->given_up = Clock::now() + patience_;
    changed_.notify_all();
}

void Session::Loop::enqueue(std::string_view line, const Result<Command>& command) {
    if (!has_room(line)) {
        refuse({Fault::TooLong,
                "too many lines wait for bestmove; this one is dropped: " + quoted(line)});
        return;
    }
    const bool is_go = is<GoCommand>(command);
    const bool is_query = is<QueryCommand>(command);
    if (is_query && waiting_gos_ == 0) ++queries_first_;
    if (is_go) ++waiting_gos_;
    waiting_.push_back({std::string(line), Clock::now(), is_go, is_query});
    waiting_cost_ += line.size() + kLineCost;
}

void Session::Loop::finish() {
    std::unique_lock lock(mutex_);
    at_end_ = true;
    if (search_ && (!search_->ends_by_time() || output_.lost())) stop_search();
    while (busy_) {
        const auto until = search_ ? search_->given_up : Clock::time_point::max();
        if (until == Clock::time_point::max()) {
            changed_.wait(lock);
        } else if (Clock::now() >= until) {
            return;
        } else {
            changed_.wait_until(lock, until);
        }
    }
}

void Session::Loop::carry_out(const Result<Command>& command, std::string_view line) {
    if (!command) {
        refuse(command.error());
        // Every query is answered.
        if (next_word(line) == "query") output_.write(response_line("unknown"));
        return;
    }
    report_exceptions(
        [&] { std::visit([&](const auto& value) { on(value, line); }, *command); });
}

template <typename Action>
void Session::Loop::report_exceptions(const Action& action) {
    try {
        action();
    } catch (const std::bad_alloc&) {
        refuse({Fault::BadInput, "the system gave no more memory for this"});
    } catch (const std::exception& exception) {
        refuse({Fault::BadInput, exception.what()});
    } catch (...) {
        refuse({Fault::BadInput, "the bot threw something that is not a std::exception"});
    }
}

// ---- commands ----

void Session::Loop::on(const UgiCommand&, std::string_view) {
    std::string lines = "id name " + info_.name + "\nid author " + info_.author + "\n";
    lines += option_line("Seed", "spin default 0 min 0 max " + std::to_string(kMaxNumber));
    for (const auto& [name, declaration] : info_.options)
        lines += option_line(name, declaration);
    output_.write(lines + "ugiok\n");
}

void Session::Loop::on(const SetOptionCommand& command, std::string_view line) {
    if (bot_->sets_at_once(command.name)) return set_option(command);
    hand_over(line, false);
}

void Session::Loop::set_option(const SetOptionCommand& command) {
    if (command.name != "Seed") {
        return report(bot_->set_option(command.name, command.value));
    }
    const auto seed = parse_number(command.value.value_or(""));
    if (!seed) {
        return refuse({Fault::BadInput, "option Seed: " + describe(seed.error())});
    }
    seed_ = *seed;
    bot_->seed(seed_);
}

void Session::Loop::on(const NewGameCommand&, std::string_view) { bot_->new_game(); }

void Session::Loop::on(const PositionCommand& command, std::string_view line) {
    read(command, line, nullptr);
}

void Session::Loop::read(const PositionCommand& command, std::string_view line,
                         const std::stop_token* stop) {
    const std::stop_token never;
    if (continues(command)) {
        const auto moves = std::span(command.moves).subspan(played_.size());
        if (!stop && !bot_->advances_at_once(position_, moves, Change::Continue)) {
            return hand_over(line, false);
        }
        return report(extend(moves, Change::Continue, stop ? *stop : never));
    }
    if (!stop && line.size() > kShortLine) return hand_over(line, false);
    const auto start = bot_->read_position(command.position);
    if (!start) {
        Error error = start.error();
        error.column += static_cast<std::size_t>(command.position.data() - line.data());
        return refuse(error);
    }
    if (!stop && !bot_->advances_at_once(*start, command.moves, Change::Restart)) {
        return hand_over(line, false);
    }
    report(restart(*start, command, stop ? *stop : never));
}

void Session::Loop::on(const MovesCommand& command, std::string_view line) {
    read(command, line, nullptr);
}

void Session::Loop::read(const MovesCommand& command, std::string_view line,
                         const std::stop_token* stop) {
    if (!stop && !bot_->advances_at_once(position_, command.moves, Change::Moves)) {
        return hand_over(line, false);
    }
    report(extend(command.moves, Change::Moves, stop ? *stop : std::stop_token()));
}

bool Session::Loop::continues(const PositionCommand& command) const {
    return !start_text_.empty() && command.position == start_text_ &&
           command.moves.size() >= played_.size() &&
           std::equal(played_.begin(), played_.end(), command.moves.begin());
}

Result<void> Session::Loop::restart(const Position& start, const PositionCommand& command,
                                    const std::stop_token& stop) {
    auto position = bot_->advance(start, command.moves, Change::Restart, stop);
    if (!position) return position.error();

    position_ = *std::move(position);
    start_text_ = command.position;
    played_.clear();
    played_bytes_ = 0;
    player_ = 1;
    remember(command.moves);
    return {};
}

Result<void> Session::Loop::extend(std::span<const std::string_view> moves, Change change,
                                   const std::stop_token& stop) {
    auto position = bot_->advance(position_, moves, change, stop);
    if (!position) return position.error();
    position_ = *std::move(position);
    remember(moves);
    return {};
}

void Session::Loop::remember(std::span<const std::string_view> moves) {
    if (moves.size() % 2 == 1) player_ = 3 - player_;
    if (start_text_.empty()) return;
    for (const std::string_view move : moves) {
        played_.emplace_back(move);
        played_bytes_ += move.size() + 1;
    }
    if (played_bytes_ > kMaxLine) {
        start_text_.clear();
        played_.clear();
    }
}

void Session::Loop::on(const GoCommand& command, std::string_view line) {
    if (command.unreadable) refuse(*command.unreadable);
    auto search = std::make_unique<Search>(line);
    const auto now = std::exchange(asked_, std::nullopt).value_or(Clock::now());
    search->deadline = deadline_of(search->go, player_, now);
    if (search->ends_by_time()) {
        search->given_up = search->deadline + patience_;
    }
    bool at_once = false;
    if (!search->go.infinite && line.size() <= kShortLine) {
        report_exceptions([&] { at_once = bot_->answers_at_once(position_); });
    }
    std::unique_lock lock(mutex_);
    if (!busy_ && at_once) {
        lock.unlock();
        output_.write(think(*search));
        return;
    }
    if (!worker_.joinable()) worker_ = std::thread([this] { work(); });
    if (busy_) --waiting_gos_;  // this one waited
    busy_ = true;
    search_ = std::move(search);
    const bool stopped = stops_next_ > 0;
    if (stopped) --stops_next_;
    const bool never_ends = !search_->ends_by_time() && at_end_;
    if (stopped || never_ends || ended_) stop_search();
    changed_.notify_all();
}

void Session::Loop::on(const QueryCommand& command, std::string_view line) {
    bool at_once = true;
    report_exceptions([&] { at_once = bot_->answers_query_at_once(command, position_); });
    if (at_once) return reply_to(command, {});
    hand_over(line, true);
}

void Session::Loop::hand_over(std::string_view line, bool is_query) {
    const std::lock_guard lock(mutex_);
    if (!worker_.joinable()) worker_ = std::thread([this] { work(); });
    busy_ = true;
    job_ = std::make_unique<Job>(Job{std::string(line), is_query, {}});
    if (ended_ || quits_) job_->stop.request_stop();
    changed_.notify_all();
}

void Session::Loop::reply_to(const QueryCommand& command, const std::stop_token& stop) {
    const auto words = answer(command, stop);
    if (!words) {
        refuse({Fault::BadInput, "query " + quoted(command.topic) + " is not known"});
    }
    output_.write(response_line(words ? *words : "unknown"));
}

std::optional<std::string> Session::Loop::answer(const QueryCommand& query,
                                                 const std::stop_token& stop) {
    if (auto words = bot_->answer(query, stop)) return words;
    if (query.topic == "fen") return to_string(position_);
    if (query.topic == "p1turn") return player_ == 1 ? "true" : "false";
    if (query.topic == "p2turn") return player_ == 2 ? "true" : "false";
    return std::nullopt;
}

// ---- the worker ----

void Session::Loop::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [&] { return ended_ || search_ || job_; });
        if (ended_) return;
        search_ ? work_on_search(lock) : work_on_job(lock);
        if (ended_) return;
        carry_out_waiting(lock);
    }
}

void Session::Loop::work_on_search(std::unique_lock<std::mutex>& lock) {
    Search& search = *search_;
    lock.unlock();
    const std::string answer = think(search);
    lock.lock();
    changed_.wait(
        lock, [&] { return ended_ || !search.go.infinite || search.stop.stop_requested(); });
    if (ended_) return;

    // From here on a `stop` does not concern this search: its answer is being written.
    search_.reset();
    answered_ = Clock::now();
    changed_.notify_all();
    lock.unlock();
    output_.write(answer);
    lock.lock();
}

void Session::Loop::work_on_job(std::unique_lock<std::mutex>& lock) {
    const Job& job = *job_;
    lock.unlock();
    report_exceptions([&] { do_job(job); });
    lock.lock();
    if (job.is_query) answered_ = Clock::now();
    job_.reset();
    ++lines_done_;
    changed_.notify_all();
}

void Session::Loop::do_job(const Job& job) {
    const auto command = parse_command(job.line);
    const std::stop_token stop = job.stop.get_token();
    if (const auto* query = std::get_if<QueryCommand>(&*command)) reply_to(*query, stop);
    if (const auto* option = std::get_if<SetOptionCommand>(&*command)) set_option(*option);
    if (const auto* moves = std::get_if<MovesCommand>(&*command)) read(*moves, job.line, &stop);
    if (const auto* position = std::get_if<PositionCommand>(&*command)) {
        read(*position, job.line, &stop);
    }
}

// The lines that answer a `go`, `bestmove` last.
std::string Session::Loop::think(Search& search) {
    std::string infos;
    std::string move = "0000";
    report_exceptions([&] { move = choose(search, infos); });
    return infos + "bestmove " + move + "\n";
}

std::string Session::Loop::choose(Search& search, std::string& infos) {
    const auto info = [&](std::string_view text) {
        if (!output_.write(info_line(text))) search.stop.request_stop();
    };
    const auto info_with_move = [&](std::string_view text) { infos += info_line(text); };
    const Turn turn{.position = position_,
                    .player = player_,
                    .go = search.go,
                    .deadline = search.deadline,
                    .candidates = read_candidates(search.go),
                    .stop = search.stop.get_token(),
                    .seed = seed_,
                    .info = info,
                    .info_with_move = info_with_move};
    const auto move = bot_->choose(turn);
    if (!move) return "0000";
    const std::string text = to_string(*move);
    if (move->result.empty() || !find_heap(position_, move->heap)) {
        refuse({Fault::BadInput, "the bot chose " + quoted(text) +
                                     ", expected a result for one of the heaps 1.." +
                                     std::to_string(position_.heap_count())});
    }
    return text;
}

std::vector<Move> Session::Loop::read_candidates(const GoCommand& go) {
    std::vector<Move> moves;
    moves.reserve(go.search_moves.size());
    std::set<Move> listed;  // a move can be written in several ways
    bool refused = false;   // only the first error is reported
    for (const std::string_view word : go.search_moves) {
        auto move = parse_move(word, position_);
        if (move) {
            if (listed.insert(*move).second) moves.push_back(*std::move(move));
        } else if (!std::exchange(refused, true)) {
            refuse({Fault::BadInput,
                    "searchmoves " + quoted(word) + ": " + describe(move.error())});
        }
    }
    return moves;
}

void Session::Loop::carry_out_waiting(std::unique_lock<std::mutex>& lock) {
    while (!search_ && !job_ && !waiting_.empty()) {
        if (output_.lost()) waiting_.clear();
        if (waiting_.empty()) break;
        const WaitingLine line = std::move(waiting_.front());
        waiting_.pop_front();
        waiting_cost_ -= line.text.size() + kLineCost;
        const auto command = parse_command(line.text);
        if (line.is_query) --queries_first_;
        // Its clock has been running since the referee may expect the answer.
        if (line.is_go) asked_ = std::max(line.came, answered_);
        changed_.notify_all();
        carries_out_waiting_ = true;
        lock.unlock();
        carry_out(command, line.text);
        lock.lock();
        carries_out_waiting_ = false;
        ++lines_done_;
        if (line.is_go) count_first_queries();
    }
    if (search_ || job_) return;
    busy_ = false;
    waiting_gos_ = queries_first_ = waiting_cost_ = stops_next_ = 0;
    changed_.notify_all();
}

// ---- the interface ----

Session::Session(const BotInfo& info, std::unique_ptr<Bot> bot, Write write,
                 std::chrono::milliseconds patience, std::chrono::milliseconds grace)
    : loop_(std::make_unique<Loop>(info, std::move(bot), std::move(write), patience, grace)) {}

Session::~Session() = default;

bool Session::feed(std::string_view line) { return loop_->feed(line); }
void Session::refuse(const Error& error) { loop_->refuse(error); }
void Session::finish() { loop_->finish(); }
bool Session::is_thinking() const { return loop_->is_thinking(); }

}  // namespace protocol
