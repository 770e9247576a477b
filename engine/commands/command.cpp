#include "engine/commands/command.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <ostream>
#include <stop_token>
#include <streambuf>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "protocol/heap.hpp"
#include "protocol/scanner.hpp"
#include "protocol/suggest.hpp"
#include "protocol/text.hpp"

namespace engine {

using protocol::quoted;

namespace {

// A negative number is not an option: its error says what is expected in its place.
bool is_option(std::string_view word) {
    return word.starts_with('-') && (word.size() == 1 || word[1] < '0' || word[1] > '9');
}

// "--limit, --json or a ruleset"
std::string choices(const Command& command) {
    std::string text;
    for (const auto& option : command.options) {
        if (!option.name.starts_with("--")) continue;  // a plain word
        text.append(text.empty() ? "" : ", ").append(option.name);
    }
    return fmt::format("{} or {}", text, command.plain);
}

Result<void> check_number(std::string_view text, const Option& option) {
    const auto number = protocol::parse_number(text);
    if (!number) return misread(text, "a number after " + std::string(option.name));
    const auto [otherwise, least, most] = *option.numbers;
    if (*number >= least && *number <= most) return {};
    return misread(text, fmt::format("{} to {} after {}", least, most, option.name));
}

// "; did you mean '--limit'?"
std::string suggestion(std::string_view name, std::span<const Option> options) {
    std::vector<std::string_view> names{"--help", "--hash", "--rulesets"};
    for (const auto& option : options) names.push_back(option.name);
    return did_you_mean(protocol::nearest(name, names));
}

// Tells a person at a terminal how long a command is at work, in a row that is renewed, and
// what ends it. The streams that the command writes to are tied to it: what they write takes
// the place of the row.
class SlowNotice : std::streambuf {
  public:
    SlowNotice(const Command& command, std::ostream& out, std::ostream& errors) {
        if (::isatty(STDERR_FILENO) != 1) return;
        tied_ = {{&out, out.tie(&row_)}, {&errors, errors.tie(&row_)}};
        const bool has_time =
            std::ranges::count(command.options, kTime.name, &Option::name) > 0;
        thread_ =
            std::jthread([this, name = command.name, has_time](const std::stop_token& stop) {
                tell(name, has_time ? "--time MS bounds it, " : "", stop);
            });
    }
    ~SlowNotice() override {
        thread_ = {};
        sync();
        for (const auto& [stream, before] : tied_) stream->tie(before);
    }
    SlowNotice(const SlowNotice&) = delete;
    SlowNotice& operator=(const SlowNotice&) = delete;

  private:
    static constexpr std::chrono::seconds kSilence{2};  // renewed each second from then on

    void tell(std::string_view command, std::string_view bound, const std::stop_token& stop) {
        std::unique_lock lock(mutex_);
        const auto begun = std::chrono::steady_clock::now();
        for (auto wait = kSilence;; wait = std::chrono::seconds(1)) {
            end_.wait_for(lock, stop, wait, [&stop] { return stop.stop_requested(); });
            if (stop.stop_requested()) return;
            const auto passed = std::chrono::steady_clock::now() - begun;
            // One row, however narrow the terminal is: it does not wrap meanwhile.
            fmt::print(
                stderr,
                "\r\x1b[K\x1b[?7lnim-engine {}: at work for {} s; {}Ctrl-C ends it\x1b[?7h",
                command, std::chrono::floor<std::chrono::seconds>(passed).count(), bound);
            is_shown_ = true;
        }
    }

    // Before each output, as a stream flushes what it is tied to.
    int sync() override {
        const std::lock_guard lock(mutex_);
        if (std::exchange(is_shown_, false)) fmt::print(stderr, "\r\x1b[K");
        return 0;
    }

    std::ostream row_{this};
    std::vector<std::pair<std::ostream*, std::ostream*>> tied_;  // and to what before
    std::mutex mutex_;
    std::condition_variable_any end_;
    bool is_shown_ = false;
    std::jthread thread_;
};

}  // namespace

// A shell makes of take{2,5} the words take2 and take5.
Error unexpected_word(std::string_view word) {
    if (word == "misere") {
        return misread(word,
                       "the end: this command is about normal play; for misere play there are "
                       "`genus`, `quotient` and `eval 'kayles:5 misere'`");
    }
    const bool is_expanded =
        !word.empty() && protocol::is_lower(word.front()) && protocol::is_digit(word.back());
    return misread(word, is_expanded ? "the end: quote a text with braces" : "the end");
}

std::string did_you_mean(std::string_view meant) {
    return meant.empty() ? "" : "; did you mean " + quoted(meant) + "?";
}

Result<CommandWords> CommandWords::read(const std::vector<std::string>& words,
                                        const Command& command, const RulesetNames& names) {
    CommandWords result(command, names);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const auto added =
            is_option(words[i]) ? result.add_option(words, i) : result.add_plain(words[i]);
        if (!added) return added.error();
    }
    return result;
}

Result<void> CommandWords::add_plain(std::string_view word) {
    if (plain_.size() == command_.most_plain) return unexpected_word(word);
    plain_.push_back(protocol::without_blanks(word));
    return {};
}

Result<void> CommandWords::add_option(const std::vector<std::string>& words, std::size_t& i) {
    const std::string_view word = words[i];
    const std::size_t equals = word.find('=');
    const std::string name(word.substr(0, equals));
    const auto option = std::ranges::find(command_.options, name, &Option::name);
    if (option == command_.options.end()) {
        if (name == "--misere" && command_.plain == "a position") {
            return misread(word, "the word misere after the position");
        }
        return misread(word, choices(command_) + suggestion(name, command_.options));
    }
    if (has(name)) return misread(word, name + " once");
    std::string value;
    if (option->value.empty()) {
        if (equals != word.npos) return misread(word, name + " without a value");
    } else if (equals != word.npos) {
        value = word.substr(equals + 1);
    } else if (i + 1 < words.size()) {
        value = words[++i];
    } else {
        return missing(fmt::format("{} after {}", option->wanted, name));
    }
    options_.push_back({name, std::move(value)});
    return option->numbers ? check_number(options_.back().value, *option) : Result<void>();
}

std::optional<std::string_view> CommandWords::value(std::string_view option) const {
    const auto given = std::ranges::find(options_, option, &Given::name);
    if (given == options_.end()) return std::nullopt;
    return given->value;
}

Number CommandWords::number(std::string_view option) const {
    if (const auto text = value(option)) return *protocol::parse_number(*text);
    return std::ranges::find(command_.options, option, &Option::name)->numbers->otherwise;
}

int run_command(const Command& command, const std::vector<std::string>& words,
                const RulesetNames& names, std::ostream& out, std::ostream& errors) {
    const auto run = [&]() -> Result<void> {
        const auto read = CommandWords::read(words, command, names);
        if (!read) return read.error();
        const SlowNotice notice(command, out, errors);
        return command.run(*read, out, errors);
    };
    const auto done = run();
    if (done) return out ? kExitDone : kExitFailed;
    const std::string why = describe(done.error());
    if (!why.empty()) errors << "nim-engine " << command.name << ": " << why << '\n';
    return done.error().fault == Fault::Failed ? kExitFailed : kExitUsage;
}

Result<std::vector<Number>> read_sequence(std::string_view text) {
    constexpr std::string_view kSpace = " ,\t\n\v\f\r";
    std::vector<Number> values;
    std::size_t at = text.find_first_not_of(kSpace);
    while (at != text.npos) {
        const std::size_t end = std::min(text.find_first_of(kSpace, at), text.size());
        const auto word = text.substr(at, end - at);
        const auto number = protocol::parse_number(word);
        if (!number) {
            return protocol::Scanner::refuse_word(at, word,
                                                  "numbers up to 9223372036854775807 with "
                                                  "blanks or commas between them");
        }
        values.push_back(*number);
        at = text.find_first_not_of(kSpace, end);
    }
    if (values.empty()) return missing("numbers");
    return values;
}

Error missing(std::string_view expected) {
    return {Fault::BadInput, "read the end, expected " + std::string(expected)};
}

Error marked(const Error& error, const std::string& text) {
    if (error.column == 0 || text.empty()) return error;
    std::string lines = describe(error) + "\n" + mark_column(text, error);
    lines.pop_back();  // the end of the last one
    return {error.fault, std::move(lines)};
}

Result<NamedRuleset> CommandWords::ruleset() const {
    if (plain_.empty()) return missing("a ruleset");
    const RulesetText typed{plain_.front()};
    RulesetText text = names_.expand(typed);
    // A code alone is looked up as it was typed: errors name its columns.
    auto rules = find_ruleset(protocol::is_code_alone(typed.text) ? typed : text);
    if (!rules) return marked(rules.error(), typed.text);
    return NamedRuleset{std::move(text), *std::move(rules)};
}

Result<Game> CommandWords::game(std::size_t but_last) const {
    std::string text;
    for (std::size_t i = 0; i + but_last < plain_.size(); ++i) text += " " + plain_[i];
    text = protocol::without_blanks(text);
    auto game = read_game(text, names_);
    if (!game) return marked(game.error(), text);
    return game;
}

Budget budget_of(Number milliseconds) {
    constexpr Number kLongest = 1000ULL * 60 * 60 * 24 * 365;
    return Budget().at_most(std::chrono::milliseconds(std::min(milliseconds, kLongest)));
}

}  // namespace engine
