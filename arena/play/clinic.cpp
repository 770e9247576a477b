#include "arena/play/clinic.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include <fmt/format.h>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/json.hpp>

#include "arena/base/bad_input.hpp"
#include "arena/base/compute.hpp"
#include "arena/base/counted.hpp"
#include "arena/game/game_analysis.hpp"
#include "arena/players/link.hpp"
#include "arena/players/lobby.hpp"
#include "arena/process/guardian.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Result;

constexpr std::chrono::hours kHour{1};
constexpr std::chrono::milliseconds kAnalysis{250};  // of a game: others wait for the cores
constexpr std::chrono::seconds kTelling{2};          // to a bot that reads slowly
constexpr std::chrono::seconds kLeaving{10};         // to read `quit`, and close the connection
constexpr std::string_view kQuit = "quit\n";
constexpr int kTries = 3;                        // to reach it
constexpr std::size_t kMostOfCheck = 64 * 1024;  // bytes of its text

// A notice for each line.
std::string notices(std::string_view lines) {
    std::string text;
    while (!lines.empty()) {
        const auto line = lines.substr(0, lines.find('\n'));
        lines.remove_prefix(std::min(lines.size(), line.size() + 1));
        text += fmt::format("info string {}\n", line);
    }
    return text;
}

std::string farewell(const std::string& page, int won, std::size_t games) {
    boost::json::object notice{{"event", "visit-over"}, {"won", won}, {"games", games}};
    if (!page.empty()) notice["report"] = page;
    return fmt::format("info notice {}\n", boost::json::serialize(notice));
}

std::string failure_text(const std::exception& exception) {
    return "an error of the arena: " + protocol::printable(exception.what());
}

std::string asked_text(const Visit& visit) {
    if (visit.asked == 0) return "it was asked in no position";
    std::string text =
        fmt::format("right in {} of {}", visit.right, counted(visit.asked, "position"));
    if (visit.position.empty()) return text;
    text += fmt::format("; in {}: {}", visit.position, visit.said);
    if (!visit.better.empty()) text += ", right is " + visit.better;
    return text;
}

}  // namespace

Clinic::Clinic(const TournamentOptions& options, Store& store, const engine::Analyst& analyst,
               const std::string& page, Events events)
    : options_(options),
      store_(store),
      analyst_(analyst),
      events_(std::move(events)),
      page_(page) {}

void Clinic::add(const RoundPlan& report) {
    const std::lock_guard lock(mutex_);
    visits_ = std::max(visits_, report.round);
}

int Clinic::next_number() {
    const std::lock_guard lock(mutex_);
    return ++visits_;
}

Result<void> Clinic::admits(int player) {
    const std::lock_guard lock(mutex_);
    auto& begun = begun_[player];
    const auto now = Clock::now();
    while (!begun.empty() && now - begun.front() > kHour) begun.pop_front();
    const bool is_here = visitors_.contains(player);  // it has come back
    if (is_here || begun.size() < options_.visits) return {};
    const auto wait = std::chrono::ceil<std::chrono::minutes>(kHour - (now - begun.front()));
    return bad_input("limit: {} within an hour; come again in {} min",
                     counted(begun.size(), "visit"), wait.count());
}

bool Clinic::is_visiting(int player) {
    const std::lock_guard lock(mutex_);
    return visitors_.contains(player);
}

Awaitable<void> Clinic::check(const PlayerContext& context, Visit& visit) {
    {
        const std::lock_guard lock(mutex_);
        visitors_.insert(visit.player);
        begun_[visit.player].push_back(Clock::now());
    }
    visit.began = std::chrono::time_point_cast<std::chrono::milliseconds>(
        std::chrono::system_clock::now());
    try {
        co_await options_.examiner->check(options_, context, visit);
        if (visit.check.size() > kMostOfCheck)
            visit.check.resize(visit.check.rfind('\n', kMostOfCheck) + 1);
        const std::string text = notices(visit.check);
        co_await tell(context, visit.player, text);
    } catch (const GuardianGone&) {
        throw;
    } catch (const GameCalledOff&) {             // the server ends
    } catch (const std::exception& exception) {  // ends no other visit
        visit.check = failure_text(exception) + "\n";
    }
}

Awaitable<void> Clinic::certify(const PlayerContext& context, Player& player, Visit& visit) {
    try {
        co_await options_.examiner->certify(options_, context, player, visit);
    } catch (const GuardianGone&) {
        throw;
    } catch (const GameCalledOff&) {             // the server ends
    } catch (const std::exception& exception) {  // ends no other visit
        visit.check += failure_text(exception) + "\n";
    }
}

Awaitable<void> Clinic::end(const PlayerContext& context, const Visit& visit,
                            const std::vector<GameKey>& games) {
    Result<std::string> lines = std::string();
    const std::function<void()> work = [&] { lines = report(visit, games); };
    try {
        co_await compute(context.loop.compute, work);
        if (!lines) co_return events_.failed(lines.error());
        events_.reported();
        co_await dismiss(context, visit.player, *lines);
    } catch (const GuardianGone&) {
        throw;
    } catch (const GameCalledOff&) {             // the server ends
    } catch (const std::exception& exception) {  // ends no other visit
        events_.tell(events_.name_of(visit.player) + ": " + failure_text(exception));
    }
    // After what the lobby has yet to say of this connection.
    context.shared.lobby->run_there([this, player = visit.player] { leave(player); });
}

void Clinic::leave(int player) {
    {
        const std::lock_guard lock(mutex_);
        visitors_.erase(player);
    }
    events_.over(player);
}

// Waits for the player where it is absent; null: it has not come. Its connection may have died
// unnoticed: then it is awaited once more.
Awaitable<std::unique_ptr<Link>> Clinic::reach(const PlayerContext& context, int player) {
    const Clock::time_point none{};  // the lobby has its own deadline
    const auto index = static_cast<std::size_t>(player);
    const PlayerSpec& spec = options_.players[index];
    const Conversation::Listener nobody;
    for (int tries = 0; tries < kTries; ++tries) {
        auto link = co_await open_link(spec, index, context, none, nobody);
        if (!link) co_return nullptr;
        const auto deadline = Clock::now() + kTelling;
        const auto ready = co_await (*link)->talk->ask("isready\n", "readyok", deadline);
        if (ready || ready.error().fault != protocol::Fault::Disconnected)
            co_return *std::move(link);
    }
    co_return nullptr;
}

Awaitable<void> Clinic::tell(const PlayerContext& context, int player,
                             const std::string& text) {
    const auto link = co_await reach(context, player);
    if (!link) co_return;
    BorrowedSession& borrowed = *link->borrowed;
    if (borrowed.session().wants_notices) {
        const auto sent = co_await link->talk->send(text, Clock::now() + kTelling);
        if (!sent) co_return;
    }
    borrowed.give_back(link->connection->release());
}

Awaitable<void> Clinic::dismiss(const PlayerContext& context, int player,
                                const std::string& text) {
    const auto link = co_await reach(context, player);
    if (!link) co_return;
    BorrowedSession& borrowed = *link->borrowed;
    std::string_view lines = text;
    if (!borrowed.session().wants_notices) lines = kQuit;
    bool is_there =
        static_cast<bool>(co_await link->talk->send(lines, Clock::now() + kTelling));
    // Closing with unread input would lose what was sent: a bot may write without end
    // meanwhile.
    const auto deadline = Clock::now() + kLeaving;
    while (is_there) {
        link->connection->begin_question();
        const auto line = co_await link->connection->read_line(deadline);
        is_there = line || line.error().fault == protocol::Fault::TooLong;
    }
    borrowed.let_go("its visit is over");
}

// What its owner is told, up to `quit`.
Result<std::string> Clinic::report(const Visit& visit, const std::vector<GameKey>& games) {
    std::string lines;
    int won = 0;
    for (const GameKey& key : games) {
        const auto line = review(visit, key, won);
        if (!line) return line.error();
        lines += *line;
    }
    const auto kept = store_.plan({plan_of(visit, next_number())});
    if (!kept) return kept.error();
    const std::string_view check = !visit.passed   ? "the check did not end"
                                   : *visit.passed ? "passed the check"
                                                   : "FAILED the check";
    events_.tell(fmt::format("{}: {}; won {} of {}; {}", events_.name_of(visit.player), check,
                             won, counted(games.size(), "game"), asked_text(visit)));
    return notices(lines + asked_text(visit)) + farewell(page_, won, games.size()) +
           std::string(kQuit);
}

// Notes the analysis of the game, and says what lost it.
Result<std::string> Clinic::review(const Visit& visit, const GameKey& key, int& won) {
    const auto game = store_.game(key);
    if (!game) return game.error();
    if (!*game) return std::string();
    const GameRecord& record = **game;
    const engine::Budget budget{SteadyClock::now() + kAnalysis, {}};
    const GameAnalysis analysis = analyse_game(record, analyst_, budget);
    const auto noted = store_.annotate({{key, to_string(analysis)}});
    if (!noted) return noted.error();
    const std::size_t seat = record.task.players[0] == visit.player ? 0 : 1;
    won += record.winner == static_cast<int>(seat);
    const std::size_t ply = first_throw(record, analysis, seat);
    if (ply == 0) return std::string();
    return fmt::format("game {}: it gave the win away by {}\n", game_name(record.task),
                       throw_text(record, analysis, ply, analyst_, budget));
}

}  // namespace arena
