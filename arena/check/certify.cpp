#include "arena/check/certify.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <utility>

#include <fmt/format.h>

#include "arena/base/at_work.hpp"
#include "arena/base/console.hpp"
#include "arena/base/counted.hpp"
#include "arena/base/exit_codes.hpp"
#include "arena/game/seeds.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

constexpr std::size_t kSample = 200;  // positions that are asked twice

class Certifier {
  public:
    Certifier(const CertifyOptions& options, const AskSetup& setup)
        : options_(options),
          setup_(setup),
          console_(stdout, options.color),
          errors_(stderr),
          survey_(*options.asked, *setup.resources.analyst,
                  static_cast<int>(setup.cores.size())) {}

    int run() {
        const auto began = Clock::now();
        tell_questions();
        solve();
        survey_.add_moves(options_.seed);
        order_ = survey_.order(options_.seed);
        if (order_.empty()) {
            complain("nim-arena certify: none of the positions has a move, expected some\n");
            return kExitUsage;
        }
        // Then the verdict would say only that all moves were legal.
        const SurveyCounts counts = survey_.counts();
        if (counts.unknown.positions == order_.size() - counts.moves_not_asked) {
            complain(
                "nim-arena certify: the truth about none of the positions is known, expected "
                "some: ask for fewer or smaller heaps\n");
            return kExitUsage;
        }
        AskEnd end = ask(order_, options_.seed, false);
        if (end.signal == 0 && end.has_answered && !end.gave_up && !end.start_failure) {
            ask_again(end);
        }
        if (end.signal != 0) {
            tell_progress("");
            complain("nim-arena certify: interrupted\n");
            return console_.finish(128 + end.signal);
        }
        if (!end.has_answered) return console_.finish(refuse_start(end));
        tell_progress("comparing the answers");
        survey_.judge();
        const auto time = std::chrono::duration_cast<Milliseconds>(Clock::now() - began);
        const CertifyReport report{options_, survey_, end, time};
        tell_progress("looking for what its mistakes have in common");
        return finish(report);
    }

  private:
    void tell_questions() {
        if (options_.json) return;
        console_.line(fmt::format("certifying {}, seed {}",
                                  protocol::printable(options_.player_text), options_.seed));
        for (const Family& family : options_.asked->families()) {
            console_.line(fmt::format("  {}", protocol::printable(family.text())));
        }
        const std::size_t given = options_.asked->given().size();
        if (given > 0) console_.line("  " + counted_grouped(given, "given position"));
        console_.line("");
    }

    // On a terminal only; where the report goes elsewhere, on that of standard error.
    void tell_progress(const std::string& text) {
        if (options_.quiet) return;
        if (!at_work_)
            at_work_.emplace(options_.json || !console_.terminal() ? errors_ : console_);
        at_work_->tell(text);
    }

    void solve() {
        const std::size_t all = options_.asked->size();
        tell_progress("solving the positions");
        survey_.solve([&](std::uint64_t count) {
            tell_progress(fmt::format("solved {} of {}", grouped(count), grouped(all)));
        });
        tell_progress("");
    }

    AskEnd ask(std::span<const std::uint32_t> order, std::uint64_t seed, bool again) {
        Asking asking{survey_, order, seed, again};
        asking.on_progress = [&](std::uint64_t count) {
            tell_progress(fmt::format("asked {}{} of {}{}", again ? "again " : "",
                                      grouped(count), grouped(order.size()),
                                      count == 0 ? "; it is to answer `ugi` by `ugiok`" : ""));
        };
        asking.on_progress(0);
        return ask_all(setup_, asking);
    }

    // Adds to the result of the first round.
    void ask_again(AskEnd& end) {
        for (int time = 2; time <= std::max(options_.repeat, 2); ++time) {
            if (options_.repeat == 1) return;
            const std::uint64_t seed =
                Seeds(options_.seed).of_game(static_cast<std::uint64_t>(time), 1);
            std::vector<std::uint32_t> order = survey_.order(seed);
            if (options_.repeat == 0) order.resize(std::min(order.size(), kSample));
            AskEnd again = ask(order, seed, true);
            end.signal = again.signal;
            if (again.start_failure)
                return add_failed_repeat(end, *std::move(again.start_failure));
            // Its faults are counted already.
            end.gave_up = again.gave_up && options_.repeat > 1;
            if (end.signal != 0 || again.gave_up) return;
        }
    }

    // The repeats that were asked for are part of the verdict; the default sample is not.
    void add_failed_repeat(AskEnd& end, Cause cause) const {
        if (options_.repeat > 1) {
            end.start_failure = std::move(cause);
            return;
        }
        if (!end.remarks.empty()) end.remarks += '\n';
        end.remarks += "asked again, it did not start: " + protocol::printable(cause.detail);
    }

    // Reports a bot that did not start, with the end of its stderr.
    int refuse_start(const AskEnd& end) {
        tell_progress("");
        const Cause cause = end.start_failure.value_or(Cause{});
        const PlayerSpec& player = options_.players.front();
        complain(fmt::format(
            "nim-arena certify: {}: {}\n{}",
            protocol::printable(player.name_given ? player.name : options_.player_text),
            protocol::printable(cause.detail), fault_text(cause)));
        if (options_.json) console_.write(not_started_json(options_.player_text, cause));
        return kExitStartup;
    }

    int finish(const CertifyReport& report) {
        std::string text = options_.json ? to_json(report) : to_text(report);
        tell_progress("");
        if (options_.json) {
            console_.write(text);
        } else {
            text.pop_back();
            console_.line(text);
        }
        return console_.finish(is_certified(report) ? kExitPlayed : kExitRefuted);
    }

    const CertifyOptions& options_;
    const AskSetup& setup_;
    Console console_;
    Console errors_;
    std::optional<AtWork> at_work_;
    Survey survey_;
    std::vector<std::uint32_t> order_;
};

}  // namespace

int run_certify(const CertifyOptions& options, const AskSetup& setup) {
    try {
        Certifier certifier(options, setup);
        return certifier.run();
    } catch (const std::exception& error) {
        complain(fmt::format("nim-arena certify: {}\n", protocol::printable(error.what())));
        return kExitInternal;
    }
}

}  // namespace arena
