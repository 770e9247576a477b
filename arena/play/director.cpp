#include "arena/play/director.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace arena {

namespace asio = boost::asio;
using protocol::Error;
using protocol::Result;

namespace {

constexpr std::size_t kEventsAtOnce = 10'000;
constexpr std::size_t kMostPlanned = 1000;  // pairs at a time, if rounds are small
constexpr std::size_t kMostReady = 10'000;  // pairs that wait for players
// Pairs kept ready, unless fewer are left: enough to play while more are planned and written,
// so that slots do not wait for the disk.
constexpr std::size_t kLeastReady = 128;
// Slots woken at a time: thousands that start games at once would delay the games in
// progress.
constexpr std::size_t kMostWaking = 8;
// Pairs that may start before a sequential test has read them; they continue after its
// decision. More than are played during a commit, unless players answer at once.
constexpr std::size_t kMostBeforeTest = 64;

// The games of a match are handed out one by one, so that both legs of a pair can run at once.
std::vector<Claim> legs_of(const std::vector<Claim>& claims) {
    std::vector<Claim> legs;
    for (const Claim& claim : claims) {
        if (claim.missing[0]) legs.push_back({claim.pair, {true, false}});
        if (claim.missing[1]) legs.push_back({claim.pair, {false, true}});
    }
    return legs;
}

std::size_t most_unread(const TournamentOptions& options, std::size_t at_once) {
    if (!options.has_test()) return std::numeric_limits<std::size_t>::max();
    return std::max(kMostBeforeTest, 3 * at_once);
}

}  // namespace

// A slot that waits for a pair; woken without one, it ends. Its timer never expires:
// cancelling it wakes the slot. That happens on the slot's own thread, and so never before the
// slot waits.
struct Director::Waiter {
    explicit Waiter(const asio::any_io_executor& executor)
        : timer(executor, Clock::time_point::max()) {}
    static void wake(const std::shared_ptr<Waiter>& waiter) {
        asio::post(waiter->timer.get_executor(), [waiter] { waiter->timer.cancel(); });
    }
    asio::steady_timer timer;
    std::optional<Claim> claim;
};

Director::Director(const TournamentOptions& options, Store& store, Format& format,
                   const PositionSource& positions, int at_once, std::stop_token stop,
                   DirectorEvents events)
    : options_(options),
      store_(store),
      format_(format),
      positions_(positions),
      is_match_(options.format.kind == FormatKind::Match),
      at_once_(static_cast<std::size_t>(at_once)),
      least_ready_(std::max(at_once_, kLeastReady)),
      most_unread_(most_unread(options, at_once_)),
      stop_(std::move(stop)),
      events_(std::move(events)),
      // Two players stay at their tables, of which there are no more than they may play at.
      ready_([&options](int player) {
          if (options.players.size() == 2) return 0;
          return options.players[static_cast<std::size_t>(player)].instances;
      }) {
    for (const PlayerSpec& player : options.players) own_seeds_.push_back(own_seed(player));
}

Director::~Director() {
    stop();
    join();
}

Result<void> Director::replay() {
    for (std::uint64_t after = 0;;) {
        const auto events = store_.events(after, kEventsAtOnce);
        if (!events) return events.error();
        for (const Event& event : *events) {
            std::visit([&](const auto& what) { format_.add(what); }, event.what);
            if (const auto* entrant = std::get_if<Entrant>(&event.what)) {
                events_.joined(*entrant);
            } else if (const auto* plan = std::get_if<RoundPlan>(&event.what)) {
                spent_before_ = std::max(spent_before_, plan->spent);
                last_round_ = std::max(last_round_, plan->round);
                for (const PlannedPair& pair : plan->pairs) ++meetings(pair);
                events_.planned(*plan);
            } else if (const auto* result = std::get_if<GameResult>(&event.what)) {
                ++games_claimed_;
                if (!events_.played(*result)) enough_ = true;
            }
            after = event.number;
        }
        if (events->empty()) break;
    }
    if (options_.format.kind == FormatKind::Ladder) return add_last_round();
    return {};
}

// The duration of the last planned round, from its first to its last game, without the pause of
// an interruption.
Result<void> Director::add_last_round() {
    using Time = std::chrono::system_clock::time_point;
    Time first = Time::max();
    Time last = Time::min();
    Microseconds played{0};
    const auto read = store_.for_each_game([&](const StoredGame& game) {
        const GameRecord& record = game.record;
        if (record.task.key.pair.round != last_round_) return true;
        const auto used =
            std::accumulate(record.times.begin(), record.times.end(), Microseconds(0));
        first = std::min(first, record.started);
        last = std::max(last, record.started + used);
        played += used;
        return true;
    });
    if (!read) return read.error();
    if (last < first) return {};
    const auto whole = std::chrono::duration_cast<Microseconds>(last - first);
    spent_before_ += std::chrono::ceil<std::chrono::milliseconds>(std::min(whole, played));
    return {};
}

void Director::begin() {
    began_ = Clock::now();
    thread_ = std::thread([this] { run(); });
}

void Director::tell(const std::vector<GameResult>& results) {
    const std::lock_guard lock(mutex_);
    results_.insert(results_.end(), results.begin(), results.end());
    touch();
}

void Director::join_late(const Entrant& entrant) {
    const std::lock_guard lock(mutex_);
    players_told_.emplace_back(entrant);
    touch();
}

void Director::set_present(int player, bool is_present) {
    const std::lock_guard lock(mutex_);
    players_told_.emplace_back(std::pair(player, is_present));
    touch();
}

void Director::drain() {
    const std::lock_guard lock(mutex_);
    enough_ = drained_ = true;
    ready_.clear();  // they stay in the record for the next run
    touch();
}

void Director::stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    wake_all();
    touch();
}

void Director::join() {
    if (thread_.joinable()) thread_.join();
}

Awaitable<std::vector<GameTask>> Director::next() {
    const auto executor = co_await asio::this_coro::executor;
    const auto waiter = std::make_shared<Waiter>(executor);
    bool waits = false;
    {
        const std::lock_guard lock(mutex_);
        if (stopped_ || over_) co_return std::vector<GameTask>();
        waiter->claim = ready_.take();
        waits = !waiter->claim;
        if (waits)
            waiting_.push_back(waiter);
        else
            ++playing_;
        if (waits || ready_.size() < least_ready_) touch();
    }
    if (waits) {
        boost::system::error_code woken;
        auto token = asio::redirect_error(asio::use_awaitable, woken);
        co_await waiter->timer.async_wait(token);
        const std::lock_guard lock(mutex_);
        if (waiter->claim) --waking_;
        hand_out();
    }
    if (!waiter->claim) co_return std::vector<GameTask>();
    co_return tasks_of(*waiter->claim);
}

std::vector<GameTask> Director::again(const std::vector<GameTask>& played) {
    std::optional<Claim> claim;
    {
        const std::lock_guard lock(mutex_);
        --playing_;
        if (drained_) touch();  // it may have been the last one
        if (!stopped_ && !over_) claim = ready_.take_with(played.front().players);
        if (claim) ++playing_;
    }
    return claim ? tasks_of(*claim) : std::vector<GameTask>();
}

void Director::left(int player) {
    const std::lock_guard lock(mutex_);
    ready_.leave(player);
    hand_out();
}

void Director::run() {
    Lock lock(mutex_);
    for (;;) {
        while (!results_.empty()) take_results(lock);
        while (!players_told_.empty() && !stopped_) take_players(lock);
        if (stopped_) break;
        // Results that arrived during the query are processed before the end, too.
        if (refill(lock) || stopped_) continue;
        if (drained_ && ready_.empty() && playing_ == 0 && !over_) {
            // The last results may not have been recorded yet.
            over_ = true;
            wake_all();
        }
        changed_.wait(lock, [&] { return dirty_; });
        dirty_ = false;
    }
    ready_.clear();
}

// All joining players are recorded together.
void Director::take_players(Lock& lock) {
    auto told = std::exchange(players_told_, {});
    lock.unlock();
    std::vector<Entrant> joining;
    for (auto& news : told) {
        if (auto* entrant = std::get_if<Entrant>(&news)) {
            entrant->first_round = last_round_ + 1;
            joining.push_back(std::move(*entrant));
        }
    }
    const auto joined = joining.empty() ? Result<void>() : store_.join(joining);
    if (joined) {
        for (const Entrant& entrant : joining) {
            format_.add(entrant);
            events_.joined(entrant);
        }
        for (const auto& news : told) {
            const auto* moved = std::get_if<std::pair<int, bool>>(&news);
            if (moved != nullptr) format_.set_present(moved->first, moved->second);
        }
    }
    lock.lock();
    if (!joined) return fail(lock, joined.error());
    if (!enough_ && !over_) drained_ = false;
}

void Director::take_results(Lock& lock) {
    const auto results = std::exchange(results_, {});
    if (results.empty()) return;
    lock.unlock();
    bool goes_on = true;
    for (const GameResult& result : results) {
        format_.add(result);
        goes_on = events_.played(result) && goes_on;
    }
    lock.lock();
    for (const GameResult& result : results) {
        const auto pair = unread_.find(result.key.pair);
        if (pair != unread_.end()) --pair->second;
    }
    while (!unread_.empty() && unread_.begin()->second <= 0) unread_.erase(unread_.begin());
    if (goes_on || enough_) return;
    enough_ = drained_ = true;
    ready_.clear();
}

// Claims planned pairs; if none is left, plans more.
bool Director::refill(Lock& lock) {
    if (drained_ || room() == 0 || (ready_.size() >= least_ready_ && !looks_further()))
        return false;
    const std::uint64_t most = options_.max_games;
    if (enough_ || (most > 0 && games_claimed_ >= most)) {
        drained_ = true;
        return true;
    }
    std::uint64_t wanted = 2 * least_ready_ - std::min(ready_.size(), least_ready_);
    if (most > 0) wanted = std::min(wanted, (most - games_claimed_ + 1) / 2);
    wanted = std::min<std::uint64_t>(wanted, room());
    if (all_claimed_) return plan_more(lock);
    lock.unlock();
    auto claims = store_.claim(wanted);
    lock.lock();
    if (!claims) {
        fail(lock, claims.error());
        return false;
    }
    all_claimed_ = claims->size() < wanted;
    if (claims->empty()) return plan_more(lock);
    for (const Claim& claim : *claims) {
        const int missing = claim.missing[0] + claim.missing[1];
        games_claimed_ += static_cast<std::uint64_t>(missing);
        if (options_.has_test()) unread_[claim.pair.key] = missing;
    }
    ready_.add(is_match_ ? legs_of(*claims) : *std::move(claims));
    hand_out();
    return true;
}

bool Director::plan_more(Lock& lock) {
    // The first game waits only until a few positions are drawn.
    const std::size_t few = std::max(at_once_, std::min(kMostPlanned, 4 * at_once_));
    const std::size_t enough = ready_.empty() ? few : std::max(few, least_ready_);
    lock.unlock();
    std::vector<RoundPlan> plans;
    std::size_t pairs = 0;
    bool is_last = false;
    Result<void> filled;
    while (filled && pairs < enough) {
        auto next = format_.next(spent());
        if (std::holds_alternative<GameOver>(next)) is_last = true;
        auto* plan = std::get_if<RoundPlan>(&next);
        if (plan == nullptr) break;
        filled = fill_positions(*plan);
        if (stop_.stop_requested()) filled = Result<void>();
        if (!filled || stop_.stop_requested()) break;
        plan->spent = spent();
        format_.add(*plan);
        last_round_ = std::max(last_round_, plan->round);
        pairs += plan->pairs.size();
        plans.push_back(std::move(*plan));
    }
    const auto planned = plans.empty() || !filled ? filled : store_.plan(plans);
    if (planned) {
        for (const RoundPlan& plan : plans) events_.planned(plan);
    }
    lock.lock();
    if (!planned) {
        fail(lock, planned.error());
        return false;
    }
    if (!plans.empty()) all_claimed_ = false;
    drained_ = is_last && plans.empty();
    return drained_ || !plans.empty();
}

void Director::fail(Lock& lock, const Error& error) {
    if (stopped_) return;
    stopped_ = true;
    wake_all();
    lock.unlock();
    events_.failed(error);
    lock.lock();
}

// Something changed that the director must handle.
void Director::touch() {
    dirty_ = true;
    changed_.notify_all();
}

void Director::wake_all() {
    for (const auto& waiter : std::exchange(waiting_, {})) Waiter::wake(waiter);
}

// Assigns a pair to each waiting slot, so that none is woken in vain. A woken slot wakes the
// next one.
void Director::hand_out() {
    while (!waiting_.empty() && waking_ < kMostWaking) {
        auto claim = ready_.take();
        if (!claim) return touch();
        ++waking_;
        ++playing_;
        waiting_.front()->claim = std::move(claim);
        Waiter::wake(waiting_.front());
        waiting_.pop_front();
    }
}

// Whether a slot waits although pairs are ready, because all of these wait for a player. Then
// later pairs may be playable.
bool Director::looks_further() const { return !waiting_.empty() && ready_.size() < kMostReady; }

// How many pairs may be claimed before more results are known.
std::size_t Director::room() const {
    return most_unread_ - std::min(most_unread_, unread_.size());
}

std::vector<GameTask> Director::tasks_of(const Claim& claim) const {
    std::vector<GameTask> games;
    for (int leg = 1; leg <= 2; ++leg) {
        if (claim.missing[static_cast<std::size_t>(leg - 1)])
            games.push_back(task_of(claim, leg));
    }
    return games;
}

GameTask Director::task_of(const Claim& claim, int leg) const {
    GameTask task;
    task.key = {claim.pair.key, leg};
    task.position = std::make_shared<const protocol::Position>(
        *protocol::parse_position(claim.pair.position));
    task.players = claim.pair.players;
    if (leg == 2) std::swap(task.players[0], task.players[1]);
    if (is_match_) task.game = match_number(task.key);
    const Seeds seeds = options_.seeds();
    for (std::size_t seat = 0; seat < 2; ++seat) {
        const auto& own = own_seeds_[static_cast<std::size_t>(task.players[seat])];
        task.seeds[seat] = own         ? *own
                           : is_match_ ? seeds.of_game(task.game, seat)
                                       : seeds.of_game(task.key, seat);
        task.replacing[seat] = seeds.of_replacements(task.key, seat, task.seeds[seat]);
    }
    return task;
}

std::uint64_t& Director::meetings(const PlannedPair& pair) {
    const auto [low, high] = std::minmax(pair.players[0], pair.players[1]);
    return meetings_[{low, high}];
}

// If all pairings recur, each pairing gets the positions in sequence. Otherwise all pairings of
// a round get the same ones, and each round and attempt gets new ones.
Result<void> Director::fill_positions(RoundPlan& plan) {
    std::map<std::uint64_t, std::string> texts;  // by number
    const auto per_round = static_cast<std::uint64_t>(options_.format.games / 2);
    const FormatKind kind = options_.format.kind;
    const bool all_alike =
        is_match_ || kind == FormatKind::RoundRobin || kind == FormatKind::Gauntlet;
    for (PlannedPair& pair : plan.pairs) {
        const auto before = static_cast<std::uint64_t>(pair.key.round - 1) +
                            static_cast<std::uint64_t>(pair.key.attempt - 1) * 1'000'003;
        const std::uint64_t met = ++meetings(pair);
        const std::uint64_t number =
            all_alike ? met
                      : before * per_round + static_cast<std::uint64_t>(pair.key.position);
        std::string& text = texts[number];
        if (text.empty()) {
            const auto position = positions_.position(number, {.stop = stop_});
            if (!position) return position.error();
            text = to_string(**position);
        }
        pair.position = text;
    }
    return {};
}

std::chrono::milliseconds Director::spent() const {
    return spent_before_ +
           std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - began_);
}

}  // namespace arena
