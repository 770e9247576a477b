#include "arena/commands/tournament.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <boost/asio/awaitable.hpp>

#include "arena/base/at_once.hpp"
#include "arena/base/at_work.hpp"
#include "arena/base/console.hpp"
#include "arena/base/cores.hpp"
#include "arena/base/exit_codes.hpp"
#include "arena/base/run_alone.hpp"
#include "arena/base/shell_words.hpp"
#include "arena/play/run.hpp"
#include "arena/players/launcher.hpp"
#include "arena/submissions/bot_build.hpp"
#include "arena/submissions/bot_folder.hpp"
#include "arena/submissions/build_folders.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

namespace fs = std::filesystem;
using protocol::Result;

// On one line. Only a build that was run has a log.
std::string told_shortly(const std::string& reason, const fs::path& log) {
    const auto head = std::min(reason.find('\n'), reason.size());
    const std::string error = first_error(reason.substr(head));
    std::error_code missing;
    return fmt::format("not built: {}{}", error.empty() ? reason.substr(0, head) : error,
                       fs::exists(log, missing) ? "; see " + log.string() : "");
}

// Gives the status.
int tell_of(std::string_view command, const std::string& text, int status) {
    complain(fmt::format("nim-arena {}: {}\n", command, text));
    return status;
}

class BotBuilding {
  public:
    BotBuilding(TournamentOptions& options, const Guardian& guardian, std::string_view command)
        : options_(options),
          guardian_(guardian),
          command_(command),
          console_(console_of(options)) {
        for (PlayerSpec& player : options.players) {
            if (!is_found_later(player)) continue;
            player.found_in = player.directory;
            found_.push_back(&player);
            submissions_.push_back(submission_of(player.directory));
        }
        make_names_distinct(submissions_, {});
        for (const std::string& text : options.languages)
            rules_.push_back(*parse_language(text));
        if (rules_.empty()) {
            const auto built_in = built_in_languages();
            rules_.assign(built_in.begin(), built_in.end());
        }
    }

    int run() {
        if (found_.empty()) return kExitPlayed;
        if (const auto apart = check_folders(); !apart)
            return tell_of(command_, apart.error().text, kExitUsage);
        // Before a stranger's build runs.
        if (const auto trusted = check_trust(options_); !trusted)
            return tell_of(command_, trusted.error().text, kExitStartup);
        const int signal = run_alone([this](const EventLoop& loop) { return build(loop); });
        at_work_.reset();
        if (signal != 0) return 128 + signal;
        if (failed_ == 0 || options_.keep_going) return kExitPlayed;
        return tell_of(command_, "a bot cannot be built; with --keep-going it loses its games",
                       kExitStartup);
    }

  private:
    // Apart from the place, but for those that are refused, and not followed.
    Result<void> check_folders() const {
        std::vector<Submission> read;
        for (std::size_t i = 0; i < found_.size(); ++i) {
            if (found_[i]->not_built.empty()) read.push_back(submissions_[i]);
        }
        return check_build_folders(options_.builds, "--builds", read);
    }

    Awaitable<void> build(const EventLoop& loop) {
        if (!options_.quiet) at_work_.emplace(console_);
        const auto cores = allowed_cores();
        std::function<Awaitable<void>(std::size_t, std::size_t)> work =
            [this, &loop](std::size_t player, std::size_t) { return build_one(player, loop); };
        co_await run_at_once(loop.io, found_.size(), cores.size(), work);
    }

    Awaitable<void> build_one(std::size_t number, const EventLoop& loop) {
        PlayerSpec& player = *found_[number];
        const fs::path place = fs::path(options_.builds) / submissions_[number].name;
        if (!player.not_built.empty()) {
            BuildResult not_built;
            not_built.reason = player.not_built;
            take(player, not_built, place);
            co_return;
        }
        const BuildContext context{loop, guardian_, any_core_};
        BuildOptions build{options_.sandbox.on, options_.run_as};
        build.retries = true;
        make_place(place);
        if (at_work_) at_work_->tell("building " + protocol::printable(player.name));
        const BuildResult built =
            co_await build_bot(submissions_[number], place, rules_, {}, build, context);
        for (const std::string& note : built.notes) {
            if (options_.quiet) break;
            console_.line(fmt::format("{}: {}", protocol::printable(player.name),
                                      protocol::printable(note)));
        }
        take(player, built, place);
    }

    // The user of --run-as passes both folders on the way to the build.
    void make_place(const fs::path& place) const {
        fs::create_directories(place);
        if (options_.run_as.empty()) return;
        let_pass(options_.builds);
        let_pass(place);
    }

    void take(PlayerSpec& player, const BuildResult& built, const fs::path& place) {
        if (built.bot) {
            player.command = built.bot->command;
            player.directory = built.bot->folder;
            return;
        }
        ++failed_;
        console_.line(fmt::format("{}: {}", protocol::printable(player.name), built.reason));
        // What check builds is gone once it ends.
        const fs::path log = command_ == "check" ? fs::path() : place / "build.log";
        player.not_built = protocol::printable(told_shortly(built.reason, log));
    }

    TournamentOptions& options_;
    const Guardian& guardian_;
    std::string_view command_;
    Console console_;
    std::optional<AtWork> at_work_;
    const std::vector<int> any_core_;
    std::vector<LanguageRule> rules_;
    std::vector<PlayerSpec*> found_;
    std::vector<Submission> submissions_;  // of found_, with the names of their folders here
    std::size_t failed_ = 0;
};

// Checked, and kept as it is.
Result<std::string> checked_language(const std::string& keys) {
    const auto rule = parse_language(keys);
    if (!rule) return rule.error();
    return keys;
}

}  // namespace

std::string with_command(std::string keys) {
    const auto words = split_shell_words(keys);
    const auto value = [&words](std::string_view key) -> std::optional<std::string> {
        if (!words) return std::nullopt;
        const auto word = std::ranges::find_if(
            *words, [key](const std::string& each) { return each.starts_with(key); });
        if (word == words->end()) return std::nullopt;
        return word->substr(key.size());
    };
    const auto folder = value("dir=");
    if (!folder || value("cmd=")) return keys;
    if (!value("name=") && !is_pattern_of_folders(*folder)) {  // which names each player itself
        const std::string name = submission_of(*folder).name;
        if (!name.empty()) keys += " " + shell_word("name=" + name);
    }
    return keys + fmt::format(" cmd={}", kFoundLater);
}

OptionTable builds_table(TournamentOptions& options) {
    return {
        list(
            {"Tournament", "language", "KEYS",
             "a rule to build and start the bots of players with dir= and no cmd=, such as "
             "'file=main.py run=\"python3 main.py\"', also build=COMMAND; the first rule whose "
             "file exists applies; may be "
             "repeated (default: rules for Rust, Go, Python, JavaScript, Java, C++ and make)"},
            options.languages, checked_language),
        text({"Tournament", "builds", "DIR",
              "where these are built, in 5 min at most, with a build.log for each (default: "
              "{})"},
             options.builds, "a folder"),
    };
}

int build_found_bots(TournamentOptions& options, const Guardian& guardian,
                     std::string_view command) {
    try {
        BotBuilding building(options, guardian, command);
        return building.run();
    } catch (const GuardianGone&) {
        throw;
    } catch (const fs::filesystem_error& error) {
        return tell_of(command, cannot_write(error), kExitInternal);
    } catch (const std::exception& error) {
        return tell_of(command, protocol::printable(error.what()), kExitStartup);
    }
}

}  // namespace arena
