// Between the store and the workers: plans rounds, hands out their pairs, takes in results.
//
// One thread (run) does all that waits for the store: it reads what has become of the contest
// (read_news), records late players, claims planned pairs (refill), and plans more when none is
// left (plan_next). Claimed pairs lie in `ready_`, where next() finds one for a worker. If
// there is none, the worker's coroutine sleeps as a Waiter until hand_out() has one for it.
//
// One mutex guards what threads share. It is released before the store or the format is asked,
// so that workers never wait for a disk. The format is used by this thread alone.
//
// Players, rounds and results are taken in only as events of the record, whoever wrote them: so
// a contest that is resumed is read as it was played, and all processes that share a store see
// the same contest in the same order. Any of them can go on planning when the leader dies; a
// process that has its store alone always leads.
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
constexpr std::size_t kMostReady = 10'000;  // pairs that wait for players
// Pairs kept ready, unless fewer are left: enough to play while more are planned and written,
// so that slots do not wait for the disk.
constexpr std::size_t kLeastReady = 128;
// Slots woken at a time: thousands that start games at once would delay the games in
// progress.
constexpr std::size_t kMostWaking = 8;
// In a shared store a process claims no more pairs than it plays in this time, so that no other
// one idles.
constexpr double kClaimedAhead = 0.5;  // seconds
constexpr std::chrono::milliseconds kPaceMeasured{200};
// How often a process that found nothing to play asks again, for pairs of one that died.
constexpr std::chrono::milliseconds kLooksAgain{1000};
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

// The claim of one game of its pair.
Claim claim_of(const GameTask& game) {
    PlannedPair pair{game.key.pair, game.players, game.position};
    const bool is_first = game.key.leg == 1;
    if (!is_first) std::swap(pair.players[0], pair.players[1]);
    return {std::move(pair), {is_first, !is_first}};
}

}  // namespace

// A slot that waits for a pair; woken without one, it ends. Its timer never expires:
// cancelling it wakes the slot. That happens on the slot's own thread, and so never before the
// slot waits.
struct Director::Waiter {
    explicit Waiter(const asio::any_io_executor& executor)
        : timer(executor, SteadyClock::time_point::max()) {}
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
      is_shared_(store.sharing() != nullptr),
      format_(format),
      at_once_(static_cast<std::size_t>(at_once)),
      most_ready_(std::max(at_once_, kLeastReady)),
      most_unread_(most_unread(options, at_once_)),
      stop_(stop),
      pair_games_(options, positions, std::move(stop)),
      events_(std::move(events)),
      // Two players stay at their tables, of which there are no more than they may play at.
      ready_([&options](int player) {
          if (options.players.size() == 2) return 0;
          return options.players[static_cast<std::size_t>(player)].instances;
      }) {}

Director::~Director() {
    stop();
    join();
}

Result<void> Director::replay() {
    const auto read = read_events();
    if (!read) return read;
    enough_ = is_decided_;
    if (options_.format.kind == FormatKind::Ladder) return add_last_round();
    return {};
}

// Takes in what was committed since the last call.
Result<void> Director::read_events() {
    for (;;) {
        const auto events = store_.events(last_event_, kEventsAtOnce);
        if (!events) return events.error();
        for (const Event& event : *events) read(event);
        if (events->empty()) return {};
    }
}

void Director::read(const Event& event) {
    last_event_ = event.number;
    awaits_events_ = false;
    if (const auto* entrant = std::get_if<Entrant>(&event.what)) {
        has_strangers_ = ++entrants_ > options_.players.size();
        format_.add(*entrant);
        events_.joined(*entrant);
    } else if (const auto* plan = std::get_if<RoundPlan>(&event.what)) {
        format_.add(*plan);
        pair_games_.add(*plan);
        last_round_ = std::max(last_round_, plan->round);
        if (plan->spent > spent()) {  // by an earlier run, or as another process counts it
            spent_before_ = plan->spent;
            began_ = Clock::now();
        }
        open_games_ += 2 * static_cast<std::int64_t>(plan->pairs.size());
        all_claimed_ = false;
        events_.planned(*plan);
    } else if (const auto* result = std::get_if<GameResult>(&event.what)) {
        format_.add(*result);
        --open_games_;
        const auto pair = unread_.find(result->key.pair);
        const bool is_own = pair != unread_.end() && pair->second > 0;
        if (!is_own) ++games_claimed_;  // by another process, or another run
        // A test reads in the order of the schedule, and holds back after the first gap.
        if (is_own && --pair->second == 0 && !options_.has_test()) unread_.erase(pair);
        if (is_own && options_.lobby) settled_.push_back(result->key.pair);
        if (!events_.played(*result, is_own)) is_decided_ = true;
    }
}

// The duration of the last planned round, from its first to its last game, without the pause of
// an interruption.
Result<void> Director::add_last_round() {
    using Time = std::chrono::system_clock::time_point;
    Time first = Time::max();
    Time last = Time::min();
    Microseconds played{0};
    const auto read = store_.for_each_game([&](const GameRecord& record) {
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
    began_ = pace_measured_ = last_busy_ = Clock::now();
    pace_ = static_cast<double>(at_once_);
    store_.on_change([this] { tell_of_news(); });
    thread_ = std::thread([this] { run(); });
}

void Director::tell_of_news() {
    const std::lock_guard lock(mutex_);
    has_news_ = true;
    wake_director();
}

void Director::join_late(const Entrant& entrant) {
    const std::lock_guard lock(mutex_);
    players_told_.emplace_back(entrant);
    wake_director();
}

void Director::set_present(int player, bool is_present) {
    const std::lock_guard lock(mutex_);
    ready_.set_present(player, is_present);
    players_told_.emplace_back(std::pair(player, is_present));
    hand_out();
    wake_director();
}

bool Director::may_wait(int player) {
    const std::lock_guard lock(mutex_);
    if (!ready_.is_bounded(player) || enough_ || stopped_) return true;
    ready_.set_present(player, false);
    return std::ranges::any_of(waiting_for_players_, [player](const auto& pair) {
        return std::ranges::count(pair.second, player) > 0;
    });
}

void Director::postpone(const GameTask& game) {
    const std::lock_guard lock(mutex_);
    if (!options_.lobby || enough_ || stopped_) return;  // it stays in the record
    settle(game.key.pair);
    ready_.add({claim_of(game)});
    wake_director();
}

void Director::drain() {
    const std::lock_guard lock(mutex_);
    leaves_ = true;
    want_no_more();  // they stay in the record for the next run
    wake_director();
}

void Director::stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    wake_all();
    wake_director();
}

void Director::join() {
    if (thread_.joinable()) thread_.join();
    store_.on_change({});
}

Awaitable<std::vector<GameTask>> Director::next() {
    const auto executor = co_await asio::this_coro::executor;
    const auto waiter = std::make_shared<Waiter>(executor);
    bool waits = false;
    {
        const std::lock_guard lock(mutex_);
        if (stopped_ || over_) co_return std::vector<GameTask>();
        waiter->claim = take();
        waits = !waiter->claim;
        if (waits) waiting_.push_back(waiter);
        if (waits || ready_.size() < least_ready()) wake_director();
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
    co_return pair_games_.tasks_of(*waiter->claim);
}

std::vector<GameTask> Director::again(const std::vector<GameTask>& played) {
    std::optional<Claim> claim;
    {
        const std::lock_guard lock(mutex_);
        --playing_;
        ++pairs_played_;
        waiting_for_players_.erase(played.front().key.pair);
        if (drained_) wake_director();  // it may have been the last one
        if (!stopped_ && !over_) claim = ready_.take_with(played.front().players);
        if (claim) begin(*claim);
    }
    return claim ? pair_games_.tasks_of(*claim) : std::vector<GameTask>();
}

void Director::player_closed(int player) {
    const std::lock_guard lock(mutex_);
    ready_.leave(player);
    hand_out();
}

void Director::run() {
    Lock lock(mutex_);
    for (;;) {
        read_news(lock);
        while (!players_told_.empty() && !stopped_) record_arrivals(lock);
        if (stopped_) break;
        // Results that arrived during the query are processed before the end, too.
        if (refill(lock) || stopped_) continue;
        if (lead(lock) || stopped_) continue;
        hand_out_absent();
        if (drained_ && ready_.empty() && playing_ == 0 && !over_) {
            over_ = true;
            wake_all();
        }
        wait(lock);
    }
    want_no_more();
    const bool is_played_out = is_decided_ && !failed_;
    lock.unlock();
    if (is_played_out) finish();  // now that the last results were read
}

void Director::wait(Lock& lock) {
    const auto is_woken = [this] { return dirty_; };
    if (over_)
        changed_.wait(lock, is_woken);
    else
        changed_.wait_for(lock, kLooksAgain, is_woken);
    dirty_ = false;
}

// All joining players are recorded together.
void Director::record_arrivals(Lock& lock) {
    auto told = std::exchange(players_told_, {});
    lock.unlock();
    std::vector<Entrant> joining;
    for (auto& news : told) {
        if (auto* entrant = std::get_if<Entrant>(&news)) {
            entrant->first_round = last_round_ + 1;
            joining.push_back(std::move(*entrant));
        }
    }
    auto joined = joining.empty() ? Result<void>() : store_.join(joining);
    if (joined) joined = read_events();
    if (joined) {
        for (const auto& news : told) {
            const auto* moved = std::get_if<std::pair<int, bool>>(&news);
            if (moved != nullptr) format_.set_present(moved->first, moved->second);
        }
    }
    lock.lock();
    if (!joined) return fail(lock, joined.error());
    has_news_ = true;  // what was read here is dealt with there
    awaits_events_ = false;
    if (!enough_ && !over_) drained_ = false;
}

void Director::want_no_more() {
    enough_ = drained_ = true;
    std::vector<Claim> claims = ready_.clear();
    auto unbegun = claims.begin();
    // A test counts pairs. The legs are in order: where the first ones are second legs, these
    // pairs have begun, and are completed once the test is decided.
    if (is_decided_ && options_.has_test())
        unbegun = std::ranges::find_if(claims, [](const Claim& leg) { return leg.missing[0]; });
    ready_.add({claims.begin(), unbegun});
    dropped_.insert(dropped_.end(), unbegun, claims.end());
}

// Claims planned pairs.
bool Director::refill(Lock& lock) {
    if (drained_ || !needs_more()) return false;
    const std::uint64_t most = options_.max_games;
    if (enough_ || (most > 0 && games_claimed_ >= most)) {
        drained_ = true;
        return true;
    }
    if (all_claimed_) return false;
    const std::uint64_t wanted = wanted_pairs();
    lock.unlock();
    auto claims = store_.claim(wanted);
    lock.lock();
    if (!claims) {
        fail(lock, claims.error());
        return false;
    }
    all_claimed_ = claims->size() < wanted;
    if (claims->empty()) return false;
    for (const Claim& claim : *claims) {
        const int missing = claim.missing[0] + claim.missing[1];
        games_claimed_ += static_cast<std::uint64_t>(missing);
        unread_[claim.pair.key] = missing;
    }
    const auto has_stranger = [this](const Claim& claim) {
        return static_cast<std::size_t>(std::ranges::max(claim.pair.players)) >=
               options_.players.size();
    };
    if (std::ranges::any_of(*claims, has_stranger)) {
        // The event of that player has not been read yet.
        std::ranges::move(*claims, std::back_inserter(dropped_));
        want_no_more();
        return true;
    }
    ready_.add(options_.is_match() ? legs_of(*claims) : *std::move(claims));
    hand_out();
    return true;
}

std::uint64_t Director::wanted_pairs() const {
    const std::size_t least = least_ready();
    std::uint64_t wanted = 2 * least - std::min(ready_.size(), least) + waiting_.size();
    const std::uint64_t most = options_.max_games;
    if (most > 0) wanted = std::min(wanted, (most - games_claimed_ + 1) / 2);
    return std::min<std::uint64_t>(wanted, room());
}

// Takes in what has become of the contest, by whichever process.
void Director::read_news(Lock& lock) {
    while (std::exchange(has_news_, false)) {
        const std::uint64_t known = last_event_;
        lock.unlock();
        const auto read = read_events();
        lock.lock();
        if (!read) return fail(lock, read.error());
        for (const PairKey& pair : std::exchange(settled_, {})) settle(pair);
        while (!unread_.empty() && unread_.begin()->second <= 0) unread_.erase(unread_.begin());
        leaves_ = leaves_ || has_strangers_;
        if ((is_decided_ || has_strangers_) && !enough_) want_no_more();
        // Something changed that is no event: pairs were given back, or all is over.
        if (last_event_ > known) continue;
        all_claimed_ = false;
        if (open_games_ == 0) look_again_ = {};
    }
    measure_pace();
    drop_surplus();
    if (!dropped_.empty()) release(lock);
}

// Plans the next round if this process leads. Else it tries to lead once it finds nothing to
// play: the one that leads may have died.
bool Director::lead(Lock& lock) {
    // While its last games go on, nobody else can lead.
    const bool plans_for_others =
        is_shared_ && leads_ && leaves_ && (playing_ > 0 || !ready_.empty());
    if (drained_ && !plans_for_others) return false;
    // Others may have nothing left to claim when this process has.
    const bool plans_ahead = is_shared_ || (all_claimed_ && needs_more());
    if (leads_ && !awaits_events_) return plans_ahead && plan_next(lock);
    const auto now = Clock::now();
    if (!all_claimed_ || now < look_again_) return false;
    look_again_ = now + kLooksAgain;
    all_claimed_ = false;  // leases of pairs may have ended
    if (leads_) {
        // What it awaits may not come before the contest's time is used up.
        awaits_events_ = awaits_events_ && open_games_ > 0;
        return true;
    }
    lock.unlock();
    const bool can_plan = options_.can_plan && store_.may_plan();
    const auto leads = can_plan ? store_.lead() : Result<bool>(false);
    const bool may_be_over = leads && !*leads && open_games_ == 0;
    const auto is_over = may_be_over ? store_.finished() : Result<bool>(false);
    lock.lock();
    if (!leads || !is_over) {
        fail(lock, leads ? is_over.error() : leads.error());
        return false;
    }
    leads_ = *leads;
    has_news_ = has_news_ || leads_;  // what the last one planned is read first
    awaits_events_ = false;           // of what this process asked for before it lost the lead
    drained_ = drained_ || *is_over;
    return true;
}

// A round is taken in once it is read from the record. Games that others play may be lost, and
// are played again.
bool Director::plan_next(Lock& lock) {
    lock.unlock();
    auto next = format_.next(spent());
    auto* plan = std::get_if<RoundPlan>(&next);
    const bool is_over =
        std::holds_alternative<GameOver>(next) && (open_games_ == 0 || !is_shared_);
    const auto filled = plan == nullptr ? Result<void>() : pair_games_.fill_positions(*plan);
    const bool goes_on = !stop_.stop_requested();
    Result<void> done;
    if (plan != nullptr && filled && goes_on) {
        plan->spent = spent();
        done = store_.plan({*plan});
    } else if (is_over) {
        done = store_.finish();
    }
    lock.lock();
    awaits_events_ = true;
    if (!goes_on) return false;
    if (!done && done.error().fault == protocol::Fault::TimedOut) {
        leads_ = false;  // another one does
    } else if (!filled || !done) {
        fail(lock, filled ? done.error() : filled.error());
        return false;
    }
    drained_ = drained_ || (is_over && leads_);
    const bool has_changed = plan != nullptr || is_over;
    has_news_ = has_news_ || has_changed;
    return has_changed;
}

// Says in the record that no more games are needed, although some are planned. Another process
// that leads says so itself; one that led may have died.
void Director::finish() {
    const auto say = [this]() -> Result<void> {
        const auto is_said = store_.finished();
        if (!is_said) return is_said.error();
        if (*is_said || !options_.can_plan || !store_.may_plan()) return {};
        const auto leads = store_.lead();
        if (!leads) return leads.error();
        return *leads ? store_.finish() : Result<void>();
    };
    const auto said = say();
    if (!said && said.error().fault != protocol::Fault::TimedOut) events_.failed(said.error());
}

void Director::measure_pace() {
    const auto now = Clock::now();
    if (playing_ > 0 || !ready_.empty()) last_busy_ = now;
    if (options_.idle.count() > 0 && now - last_busy_ >= options_.idle && !enough_)
        want_no_more();
    const std::chrono::duration<double> passed = now - pace_measured_;
    if (passed < kPaceMeasured) return;
    pace_ = (pace_ + static_cast<double>(std::exchange(pairs_played_, 0)) / passed.count()) / 2;
    pace_measured_ = now;
}

// What was claimed at a pace that has fallen since is for others, unless a slot waits for
// players of it. In a match both legs of a pair are kept or dropped; the second leg of a begun
// pair comes first, and is kept.
void Director::drop_surplus() {
    if (!is_shared_ || options_.lobby || drained_ || !waiting_.empty()) return;
    const std::size_t most = (options_.is_match() ? 2 : 1) * (2 * least_ready() + at_once_);
    if (ready_.size() <= most + (options_.is_match() ? 1 : 0)) return;
    std::vector<Claim> claims = ready_.clear();
    auto surplus = claims.begin() + static_cast<std::ptrdiff_t>(most);
    if (surplus->pair.key == std::prev(surplus)->pair.key) ++surplus;
    for (auto claim = surplus; claim != claims.end(); ++claim)
        games_claimed_ -= static_cast<std::uint64_t>(claim->missing[0] + claim->missing[1]);
    all_claimed_ = false;
    ready_.add({claims.begin(), surplus});
    dropped_.insert(dropped_.end(), surplus, claims.end());
}

// Gives pairs back of which no game has begun. Where that fails, others get them when this
// process leaves.
void Director::release(Lock& lock) {
    std::map<PairKey, int> unbegun;
    for (const Claim& claim : std::exchange(dropped_, {}))
        unbegun[claim.pair.key] += claim.missing[0] + claim.missing[1];
    std::vector<PairKey> pairs;
    for (const auto& [pair, games] : unread_) {
        const auto dropped = unbegun.find(pair);
        const bool is_unbegun = dropped != unbegun.end() && dropped->second == games;
        if (games > 0 && is_unbegun) pairs.push_back(pair);
    }
    for (const PairKey& pair : pairs) unread_.erase(pair);
    if (pairs.empty() || failed_) return;
    lock.unlock();
    const auto released = store_.release(pairs);
    lock.lock();
    if (!released && !drained_) fail(lock, released.error());  // it stays, and would keep them
}

void Director::fail(Lock& lock, const Error& error) {
    if (stopped_) return;
    stopped_ = failed_ = true;
    wake_all();
    lock.unlock();
    events_.failed(error);
    lock.lock();
}

// Something changed that the director must handle.
void Director::wake_director() {
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
        auto claim = take();
        if (!claim) return wake_director();
        hand_over(*std::move(claim));
    }
}

// Pairs with an absent player wait for it in a slot, and are lost if it stays away: so they
// come only when nobody else plays, and no round is planned for the others. A clinic plays them
// when the player comes again.
void Director::hand_out_absent() {
    if (options_.format.kind == FormatKind::Clinic) return;
    while (!waiting_.empty() && under_way_.empty() && waking_ < kMostWaking) {
        auto claim = ready_.take_absent();
        if (!claim) return;
        ++playing_;
        waiting_for_players_[claim->pair.key] = claim->pair.players;
        hand_over(*std::move(claim));
    }
}

void Director::hand_over(Claim claim) {
    ++waking_;
    waiting_.front()->claim = std::move(claim);
    Waiter::wake(waiting_.front());
    waiting_.pop_front();
}

// A game of this pair is not under way any more.
void Director::settle(const PairKey& pair) {
    const auto begun = under_way_.find(pair);
    if (begun != under_way_.end() && --begun->second <= 0) under_way_.erase(begun);
}

std::optional<Claim> Director::take() {
    auto claim = ready_.take();
    if (claim) begin(*claim);
    return claim;
}

// A slot gets this pair.
void Director::begin(const Claim& claim) {
    ++playing_;
    if (options_.lobby) under_way_[claim.pair.key] += claim.missing[0] + claim.missing[1];
}

// Whether pairs are to be claimed. Where a slot waits although pairs are ready, all of these
// wait for a player, and later pairs may be playable. Of a shared store, no more are held back
// from others than needed.
bool Director::needs_more() const {
    const std::size_t most = is_shared_ ? most_ready_ : kMostReady;
    const bool looks_further = !waiting_.empty() && ready_.size() < most;
    return room() > 0 && (ready_.size() < least_ready() || looks_further);
}

// Pairs that are kept ready: of a shared store, what is played in half a second.
std::size_t Director::least_ready() const {
    if (!is_shared_) return most_ready_;
    return std::min(most_ready_, static_cast<std::size_t>(pace_ * kClaimedAhead + 0.5));
}

// How many pairs may be claimed before more results are known.
std::size_t Director::room() const {
    return most_unread_ - std::min(most_unread_, unread_.size());
}

std::chrono::milliseconds Director::spent() const {
    return spent_before_ +
           std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - began_);
}

}  // namespace arena
