// `nim-arena copy`: a record written again into another store.
//
// The copy is made through the interface of all stores, event by event in the order of
// commitment, so that events keep their numbers. Its configuration is written last, and a
// record that has players but no configuration is refused by everything that opens one
// (store.hpp): a copy that was interrupted is never taken for a whole record.
#include "arena/commands/options.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string_view>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "arena/base/console.hpp"
#include "arena/base/counted.hpp"
#include "arena/base/exit_codes.hpp"
#include "arena/commands/commands.hpp"
#include "arena/contest/format_table.hpp"
#include "arena/record/open_store.hpp"
#include "arena/record/sharing.hpp"
#include "arena/report/record_head.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Error;
using protocol::Fault;

constexpr std::string_view kCopyHelp = R"(Usage: nim-arena copy FROM TO

Copies a record, exactly: configuration, players, rounds, games with their
analysis, and events with their numbers; between databases also the hashes of
the players' programs. Which machine played a game is not copied. FROM and TO
are files or postgresql:// URLs; TO is empty or does not exist. What is recorded
in FROM meanwhile is copied too, up to the end of the copy. A copy that was
interrupted is refused by all commands; remove it and copy again.

Examples:
  nim-arena copy spring.db postgresql://db.example.org/spring
  nim-arena copy postgresql://db.example.org/spring spring.db

Exit status:
  0  copied
  1  FROM cannot be read, or TO is not empty
  2  the command line is wrong
  7  FROM is damaged, or TO cannot be written (disk full)
)";

// Those of a store begin with its name already.
Error about(const std::string& record, const Error& error) {
    if (error.text.starts_with(record)) return error;
    return {error.fault, fmt::format("{}: {}", record, error.text), 0};
}

Error damaged(const std::string& record, const std::vector<std::string>& lines) {
    return {Fault::Disconnected,
            fmt::format("{} is damaged, and no exact copy can be made:\n  {}", record,
                        fmt::join(lines, "\n  ")),
            0};
}

Error changed_by_another(const std::string& copy) {
    return {Fault::Disconnected, fmt::format("{}: another process has written into it", copy),
            0};
}

Result<Configuration> recorded_configuration(Store& from) {
    auto configuration = whole_configuration(from);
    if (configuration && configuration->empty()) return bad_input("nothing is recorded there");
    return configuration;
}

// Makes sure that the target is new, and stays this process's alone.
Result<void> claim_target(Store& to) {
    if (to.sharing() != nullptr) {
        const auto leads = to.sharing()->lead();
        if (!leads) return leads.error();
        if (!*leads) return bad_input("another process plans it, expected a new record");
        const auto enlisted =
            to.sharing()->enlist({"a copy", ::getpid(), 0, 0, NIMARENA_VERSION});
        if (!enlisted) return enlisted.error();
    }
    const auto configuration = whole_configuration(to);
    if (!configuration) return configuration.error();
    const auto events = to.events(0, 1);
    if (!events) return events.error();
    if (configuration->empty() && events->empty()) return {};
    return bad_input("it is not empty, expected a new record");
}

class Copying {
  public:
    // The names outlive it.
    Copying(Store& from, Store& to, const CopyNames& names)
        : from_(from), to_(to), names_(names) {}

    // The next events; false after the last.
    Result<bool> step() {
        const auto events = from_.events(copied_.events, kEventsAtOnce);
        if (!events) return events.error();
        for (const Event& event : *events) {
            if (event.number != copied_.events + 1) {
                return damaged(names_.from,
                               {fmt::format("event {} is missing", copied_.events + 1)});
            }
            ++copied_.events;
            auto done = std::visit([&](const auto& what) { return take(what); }, event.what);
            if (!done) return done.error();
        }
        const auto written = write();
        if (!written) return written.error();
        return !events->empty();
    }

    const Copied& copied() const { return copied_; }

  private:
    static constexpr std::size_t kEventsAtOnce = 1000;

    Result<void> take(const Entrant& entrant) {
        ++copied_.players;
        const auto written = write();
        return written ? to_.join({entrant}) : written;
    }

    Result<void> take(const RoundPlan& plan) {
        ++copied_.rounds;
        const auto written = write();
        return written ? to_.plan({plan}) : written;
    }

    Result<void> take(const GameResult& result) {
        ++copied_.games;
        auto game = from_.game(result.key);
        if (!game) return game.error();
        if (!*game)
            return damaged(names_.from,
                           {fmt::format("game {} is missing", to_string(result.key))});
        if (!(*game)->annotation.empty())
            annotations_.push_back({result.key, std::move((*game)->annotation)});
        games_.push_back(**std::move(game));
        return games_.size() < kEventsAtOnce ? Result<void>() : write();
    }

    // The games taken since the last call.
    Result<void> write() {
        if (games_.empty()) return {};
        const auto answers = to_.record(std::exchange(games_, {}));
        if (!answers) return answers.error();
        for (const Recorded answer : *answers) {
            if (answer != Recorded::New) return changed_by_another(names_.to);
        }
        return to_.annotate(std::exchange(annotations_, {}));
    }

    Store& from_;
    Store& to_;
    const CopyNames& names_;
    Copied copied_;
    std::vector<GameRecord> games_;
    std::vector<Annotation> annotations_;
};

// Whether nothing is left to be played or planned after so many events. Where the format cannot
// tell without the options of the command (--max-games, a test), something may be left.
Result<bool> is_over(Store& from, const Configuration& configuration, std::uint64_t count) {
    const auto entrants = from.entrants();
    if (!entrants) return entrants.error();
    const auto options = recorded_format(configuration, *entrants);
    if (!options) return false;
    const auto format = make_format(*options);
    if (!format) return false;
    std::size_t open_games = 0;
    std::chrono::milliseconds spent{0};
    const auto read = for_each_event(from, [&](const Event& event) {
        if (event.number > count) return;
        std::visit([&](const auto& what) { (*format)->add(what); }, event.what);
        if (std::holds_alternative<GameResult>(event.what)) --open_games;
        if (const auto* plan = std::get_if<RoundPlan>(&event.what)) {
            open_games += 2 * plan->pairs.size();
            spent = std::max(spent, plan->spent);
        }
    });
    if (!read) return read.error();
    return open_games == 0 && std::holds_alternative<GameOver>((*format)->next(spent));
}

// What processes tell each other beside the events: the players' programs, and that nothing is
// left to be planned.
Result<void> copy_sharing(Store& from, const Configuration& configuration, std::uint64_t events,
                          Sharing& to) {
    if (Sharing* sharing = from.sharing(); sharing != nullptr) {
        const auto builds = sharing->builds();
        if (!builds) return builds.error();
        for (const auto& [player, hashes] : *builds) {
            const auto written = to.build(player, hashes);
            if (!written) return written.error();
        }
        // A test may have had enough games, although some are planned.
        const auto queue = sharing->queue();
        if (!queue) return queue.error();
        if (queue->is_finished && queue->events == events) return to.finish();
    }
    const auto over = is_over(from, configuration, events);
    if (!over) return over.error();
    return *over ? to.finish() : Result<void>();
}

// Both names.
int run_copy(const std::vector<std::string>& records) {
    const std::string& source = records[0];
    const std::string& target = records[1];
    const CopyNames names{protocol::quoted(shown_record(source)),
                          protocol::quoted(shown_record(target))};
    const auto from = open_store(source, {.read_only = true});
    if (!from) return refuse_record(from.error());
    // Before a file is created to copy nothing into.
    const auto recorded = recorded_configuration(**from);
    if (!recorded) return refuse_record(about(names.from, recorded.error()));
    const auto to = open_store(target);
    if (!to) return refuse_record(to.error());
    Console console(stdout);
    const auto copied = copy_record(**from, **to, names, [&](const Copied& now) {
        if (console.terminal()) console.progress(counted(now.games, "game"));
    });
    if (!copied) {
        if (console.terminal()) console.progress("");
        return refuse_record(copied.error());
    }
    console.line(fmt::format("{}, {} and {} copied", counted(copied->players, "player"),
                             counted(copied->rounds, "round"), counted(copied->games, "game")));
    return report_damage(**from, source, console.finish(kExitPlayed));
}

}  // namespace

Result<Copied> copy_record(Store& from, Store& to, const CopyNames& names,
                           const std::function<void(const Copied&)>& progress) {
    const auto configuration = recorded_configuration(from);
    if (!configuration) return about(names.from, configuration.error());
    const auto taken = claim_target(to);
    if (!taken) return about(names.to, taken.error());
    Copying copying(from, to, names);
    for (auto more = Result<bool>(true); *more;) {
        more = copying.step();
        if (!more) return more.error();
        progress(copying.copied());
    }
    if (const auto lines = from.damage(); !lines.empty() && from.sharing() == nullptr)
        return damaged(names.from, lines);
    // The last event copied is there, and none follows.
    const std::uint64_t count = copying.copied().events;
    const auto last = to.events(count == 0 ? 0 : count - 1, 2);
    if (!last) return last.error();
    if (last->size() != (count == 0 ? 0 : 1) || (count > 0 && last->front().number != count))
        return changed_by_another(names.to);
    if (to.sharing() != nullptr) {
        const auto shared = copy_sharing(from, *configuration, count, *to.sharing());
        if (!shared) return shared.error();
    }
    const auto finished = to.open(*configuration);
    if (!finished) return finished.error();
    const auto left = to.leave();
    if (!left) return left.error();
    return copying.copied();
}

int commands::copy(const Words& words, const Guardian&) {
    std::vector<std::string> records;
    CommandLine line("nim-arena copy", {}, kCopyHelp);
    line.argument = [&](const std::string& record) {
        records.push_back(record);
        return check_record_name(record);
    };
    line.finish = [&](const Given&) -> Result<void> {
        if (records.size() == 2) return {};
        return bad_input("read {}, expected two: FROM and TO",
                         counted(records.size(), "record"));
    };
    return run(parse(line, words, records), run_copy);
}

}  // namespace arena
