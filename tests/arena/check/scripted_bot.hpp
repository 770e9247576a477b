// Bots for the tests of `check` that are functions of the lines they read, with a clock of
// their own: it moves when a bot thinks or is waited for. So silence costs no time, and how
// busy the machine is changes nothing.
#pragma once

#include <fmt/format.h>
#include <boost/asio/awaitable.hpp>

#include "arena/base/files.hpp"
#include "arena/check/check.hpp"
#include "arena/check/peer.hpp"
#include "engine/rules/game.hpp"
#include "protocol/message.hpp"
#include "protocol/text.hpp"
#include "tests/arena/loop.hpp"
#include "tests/harness/temporary_file.hpp"

namespace arena {

using Words = std::vector<std::string>;

// A process: it reads one line after the other, and what it does takes no time unless it
// thinks.
class ScriptedProcess {
  public:
    explicit ScriptedProcess(Clock::time_point now) : time_(now) {}

    // ---- what a script can do ----

    // The line stays in a buffer until that is full, or the end, while `flushes` is false.
    void say(std::string_view line) { write('>', line); }
    // As a bot that reads on while it thinks: later, unless it takes the line back.
    void say_after(Milliseconds time, std::string_view line) {
        said_.push_back({time_ + time, '>', std::string(line)});
    }
    bool take_back() {
        return std::erase_if(said_, [this](const Said& said) { return said.at > time_; }) > 0;
    }
    // Text without a line end.
    void mumble(std::string_view text) { write('~', text); }
    void complain(std::string_view text) { said_.push_back({time_, '!', std::string(text)}); }
    void think(Milliseconds time) { time_ += time; }
    void compute(Milliseconds time) {
        computed_.emplace_back(time_, time_ + time);
        time_ += time;
    }
    // While other programs have the cores.
    void wait_for_core(Milliseconds time) {
        queued_.emplace_back(time_, time_ + time);
        time_ += time;
    }
    [[noreturn]] void hang() { throw Stopped(); }
    [[noreturn]] void loop() {
        computed_.emplace_back(time_, Clock::time_point::max());
        throw Stopped();
    }
    [[noreturn]] void exit(int code) { end({code, {}}); }
    [[noreturn]] void crash(int signal) { end({{}, signal}); }
    [[noreturn]] void run_out_of_memory() { end({{}, SIGKILL, true}); }

    bool flushes = true;
    std::size_t longest_line = std::string::npos;  // it does not read a longer one, nor go on

  private:
    friend class ScriptedPeer;
    static constexpr std::size_t kBuffer = 8192;
    struct Stopped {};  // it does nothing more
    struct Said {
        Clock::time_point at;
        char direction;  // as of Conversation::Listener; '~': an unfinished line
        std::string text;
    };

    void write(char direction, std::string_view text) {
        Said line{time_, direction, std::string(text)};
        if (flushes) return said_.push_back(std::move(line));
        held_bytes_ += text.size() + 1;
        held_.push_back(std::move(line));
        if (held_bytes_ > kBuffer) let_go();
    }
    void let_go() {
        for (Said& line : held_) said_.push_back({time_, line.direction, line.text});
        held_.clear();
        held_bytes_ = 0;
    }
    [[noreturn]] void end(ExitStatus status) {
        take_back();
        if (!status.signal) let_go();
        exit_ = status;
        ended_ = time_;
        throw Stopped();
    }
    void run(Clock::time_point at, const std::function<void()>& work) {
        if (has_stopped_) return;
        time_ = std::max(time_, at);
        try {
            work();
        } catch (const Stopped&) {
            has_stopped_ = true;
        }
    }

    Clock::time_point time_;  // when it reads its next line
    std::vector<Said> said_;  // not read yet
    std::vector<Said> held_;  // in its buffer
    std::size_t held_bytes_ = 0;
    using Span = std::pair<Clock::time_point, Clock::time_point>;
    std::vector<Span> computed_;
    std::vector<Span> queued_;
    bool has_stopped_ = false;
    std::optional<ExitStatus> exit_;
    Clock::time_point ended_ = Clock::time_point::max();
};

// A sound bot, until its script replaces what it does at a command. It plays nim and refuses
// all else.
class Bot : public ScriptedProcess {
  public:
    using Act = std::function<void(Bot& bot, const Words& words)>;

    Bot(Clock::time_point now, const PlayerSpec& started_as)
        : ScriptedProcess(now),
          spec(started_as),
          acts(sound()),
          game(*engine::read_game(protocol::kStartPosition)) {}

    // A legal move; the first heap is left one less where it has nine.
    std::string some_move() const {
        return game.has_move() ? to_string(game.moves(9).back()) : "0000";
    }
    // One of those after `searchmoves`, or any.
    std::string move_for(const Words& words) const {
        const auto listed = std::ranges::find(words, std::string("searchmoves"));
        return listed == words.end() ? some_move() : *std::next(listed);
    }
    // The number after this word.
    static int number(const Words& words, std::string_view name) {
        return std::stoi(*std::next(std::ranges::find(words, name)));
    }
    static bool has(const Words& words, std::string_view word) {
        return std::ranges::find(words, word) != words.end();
    }
    // Whether it was started with the arena's help for Python's buffers taken off.
    bool is_unhelped() const {
        const std::pair<std::string, std::string> off("PYTHONUNBUFFERED", "");
        return std::ranges::find(spec.environment, off) != spec.environment.end();
    }
    void act(const std::string& command, const Words& words = {}) {
        const auto found = acts.find(acts.contains(command) ? command : "else");
        if (found == acts.end()) return;
        const Act copy = found->second;  // an act may replace itself
        copy(*this, words);
    }
    // What the sound bot does.
    void act_soundly(const std::string& command, const Words& words) {
        sound().at(command)(*this, words);
    }
    // Sets up the position of a line; throws std::invalid_argument.
    void set_up(const Words& words) {
        const auto moves = std::ranges::find(words, "moves");
        std::string fen(protocol::kStartPosition);
        if (words.size() < 2) throw std::invalid_argument("no position");
        if (words[1] == "fen")
            fen = fmt::format("{}", fmt::join(std::next(words.begin(), 2), moves, " "));
        if (!knows(fen)) throw std::invalid_argument("I do not play " + fen);
        auto next = engine::read_game(fen);
        if (!next) throw std::invalid_argument(next.error().text);
        const Words played(moves == words.end() ? moves : std::next(moves), words.end());
        for (const std::string& word : played) {
            const auto move = next->read_move(word);
            if (!move) throw std::invalid_argument(move.error().text);
            next->play(*move);
        }
        game = *std::move(next);
    }

    const PlayerSpec& spec;
    std::function<bool(std::string_view fen)> knows = [](std::string_view fen) {
        return fen.find("nim") == 0 && fen.find_first_of("{(") == fen.npos;
    };
    std::function<Words(std::string_view line)> split = [](std::string_view line) {
        if (line.ends_with('\r')) line.remove_suffix(1);
        const auto words = protocol::split_words(line);
        return Words(words.begin(), words.end());
    };
    std::map<std::string, Act> acts;  // by the first word of a line; "else": for other words
    engine::Game game;
    std::optional<std::string> pending;  // the answer to `go infinite`

    static const std::map<std::string, Act>& sound();

    void on_line(std::string_view line) {
        const Words words = split(line);
        if (!words.empty()) act(words.front(), words);
    }
    void on_end_of_input() {
        act("end");
        exit(0);
    }
};

// Sets up each process of a bot.
using Script = std::function<void(Bot& bot)>;

inline Script instead_of(const std::string& command, Bot::Act act) {
    return [command, act = std::move(act)](Bot& bot) { bot.acts[command] = act; };
}

// ---- implementation ----

inline const std::map<std::string, Bot::Act>& Bot::sound() {
    static const std::map<std::string, Act> all = [] {
        std::map<std::string, Act> acts;
        acts["ugi"] = [](Bot& bot, const Words&) {
            bot.say("id name Scripted");
            bot.say("ugiok");
        };
        acts["isready"] = [](Bot& bot, const Words&) { bot.say("readyok"); };
        acts["position"] = [](Bot& bot, const Words& words) {
            try {
                bot.set_up(words);
            } catch (const std::invalid_argument& error) {
                bot.say(std::string("info string error ") + error.what());
            }
        };
        acts["moves"] = [](Bot& bot, const Words& words) {
            for (std::size_t i = 1; i < words.size(); ++i)
                bot.game.play(*bot.game.read_move(words[i]));
        };
        acts["go"] = [](Bot& bot, const Words& words) {
            if (has(words, "infinite"))
                bot.pending = bot.move_for(words);
            else
                bot.say("bestmove " + bot.move_for(words));
        };
        acts["stop"] = [](Bot& bot, const Words&) {
            if (bot.pending) bot.say("bestmove " + *bot.pending);
            bot.pending.reset();
        };
        acts["quit"] = [](Bot& bot, const Words&) { bot.exit(0); };
        acts["end"] = [](Bot&, const Words&) {};
        return acts;
    }();
    return all;
}

// At `ugi`.
inline void asks_for_legal_moves(Bot& bot, const Words&) {
    bot.say("option name LegalMoves type check default true");
    bot.say("ugiok");
}

// Starts a bot of the script at each open().
class ScriptedPeer : public Peer {
  public:
    using Start = std::function<protocol::Result<std::unique_ptr<Bot>>(const PlayerSpec& spec)>;

    ScriptedPeer(const PlayerSpec& spec, Start start, Clock::time_point& now)
        : spec_(spec), start_(std::move(start)), now_(now) {}

    Clock::time_point now() const override { return now_; }

    Awaitable<protocol::Result<void>> open(Clock::time_point,
                                           Conversation::Listener listener) override {
        auto started = start_(spec_);
        if (!started) co_return started.error();
        bot_ = *std::move(started);
        listener_ = std::move(listener);
        introduction_ = {};
        unfinished_.clear();
        unread_ = 0;
        co_return protocol::Result<void>();
    }
    bool is_open() const override { return bot_ != nullptr; }
    void close() override { bot_.reset(); }

    Awaitable<protocol::Result<void>> shake_hands(Clock::time_point deadline) override {
        co_await send("ugi\n", deadline);
        for (;;) {
            const auto line = next_line(deadline);
            if (!line) co_return line.error();
            const protocol::Reply reply = protocol::parse_reply(*line);
            if (std::holds_alternative<protocol::UgiOkReply>(reply)) break;
            if (const auto* id = std::get_if<protocol::IdReply>(&reply))
                introduction_.name = id->value;
            if (const auto* option = std::get_if<protocol::OptionReply>(&reply))
                introduction_.lists_legal_moves |= option->name == "LegalMoves";
        }
        co_return protocol::Result<void>();
    }
    const Introduction& introduction() const override { return introduction_; }

    Awaitable<protocol::Result<void>> send(std::string_view lines,
                                           Clock::time_point deadline) override {
        constexpr std::size_t kPipe = 64 << 10;
        listener_('<', lines);
        if (bot_->ended_ <= now_)
            co_return protocol::Error{protocol::Fault::Disconnected, "Broken pipe", 0};
        while (!lines.empty()) {
            const std::string_view line = lines.substr(0, lines.find('\n'));
            lines.remove_prefix(line.size() + 1);
            if (line.size() > bot_->longest_line) bot_->has_stopped_ = true;
            if (bot_->has_stopped_) unread_ += line.size() + 1;
            bot_->run(now_, [&] { bot_->on_line(line); });
        }
        if (unread_ <= kPipe) co_return protocol::Result<void>();
        now_ = deadline;
        co_return protocol::Error{protocol::Fault::TimedOut, "the pipe is full", 0};
    }

    Awaitable<Conversation::Line> hear(std::string_view awaited, Clock::time_point deadline,
                                       std::string_view other) override {
        for (;;) {
            const auto line = next_line(deadline);
            if (!line) co_return line;
            std::string_view rest = *line;
            const std::string_view word = protocol::next_word(rest);
            if (word == awaited || (!other.empty() && word == other)) co_return line;
        }
    }

    Clock::time_point arrived() const override { return arrived_; }
    std::string_view unfinished() const override { return unfinished_; }
    int begin_question() override {
        int best_moves = 0;
        while (const auto said = take(now_)) best_moves += said->text.starts_with("bestmove");
        return best_moves;
    }
    void end_input() override {
        bot_->run(now_, [this] { bot_->on_end_of_input(); });
    }

    bool has_process() const override { return spec_.kind == PlayerKind::Command; }
    CpuCount cpu() const override {
        return {SteadyClock::time_point(now_.time_since_epoch()), until_now(bot_->computed_),
                until_now(bot_->queued_)};
    }
    std::string memory_limit() const override { return {}; }
    std::string_view environment() const override {
        return spec_.environment_mode == EnvironmentMode::Clean ? "it has PATH alone" : "";
    }
    Awaitable<std::optional<ExitStatus>> await_exit() override { co_return exit_status(); }
    Awaitable<bool> wait_for_end(Clock::time_point deadline) override {
        while (take(deadline)) continue;
        const bool ends = bot_->ended_ <= deadline;
        now_ = std::max(now_, ends ? bot_->ended_ : deadline);
        co_return ends;
    }
    std::optional<ExitStatus> exit_status() const override {
        if (!has_process() || bot_->ended_ > now_) return std::nullopt;
        return bot_->exit_;
    }

  private:
    Microseconds until_now(const std::vector<ScriptedProcess::Span>& spans) const {
        Microseconds sum{};
        for (const auto& [from, to] : spans) {
            if (from < now_)
                sum += std::chrono::duration_cast<Microseconds>(std::min(now_, to) - from);
        }
        return sum;
    }
    // What it says next on its output, until then.
    std::optional<ScriptedProcess::Said> take(Clock::time_point deadline) {
        for (;;) {
            const auto next =
                std::ranges::min_element(bot_->said_, {}, &ScriptedProcess::Said::at);
            if (next == bot_->said_.end() || next->at > deadline) return std::nullopt;
            const ScriptedProcess::Said said = *next;
            bot_->said_.erase(next);
            now_ = std::max(now_, said.at);
            if (said.direction == '!') {
                listener_('!', said.text);
                continue;
            }
            arrived_ = said.at;
            if (said.direction == '>') return said;
            unfinished_ += said.text;
        }
    }
    Conversation::Line next_line(Clock::time_point deadline) {
        if (auto said = take(deadline)) {
            line_ = std::exchange(unfinished_, {}) + said->text;
            listener_('>', line_);
            return std::string_view(line_);
        }
        const bool ends = bot_->ended_ <= deadline;
        now_ = std::max(now_, ends ? bot_->ended_ : deadline);
        if (ends) return protocol::Error{protocol::Fault::Disconnected, "end of output", 0};
        return protocol::Error{protocol::Fault::TimedOut, "no line came in time", 0};
    }

    const PlayerSpec& spec_;
    Start start_;
    Clock::time_point& now_;
    Conversation::Listener listener_;
    std::unique_ptr<Bot> bot_;
    Introduction introduction_;
    std::string line_;
    std::string unfinished_;
    std::size_t unread_ = 0;  // bytes in its pipe
    Clock::time_point arrived_{};
};

// ---- a whole check of a scripted bot ----

using Ids = std::vector<std::string>;  // of points

inline CheckOptions usual_options() {
    CheckOptions options;
    options.player = *parse_player("./bot");
    options.player_text = "./bot";
    options.movetime = Milliseconds(400);
    options.margin = Milliseconds(100);
    options.seed = 1;
    return options;
}

struct Checked {
    CheckReport report;
    std::string text;  // as printed

    Ids with(PointVerdict verdict) const {
        Ids ids;
        for (const PointResult& point : report.points) {
            if (point.verdict == verdict) ids.push_back(point.id);
        }
        return ids;
    }
    Ids failed() const { return with(PointVerdict::Failed); }
    Ids noted() const { return with(PointVerdict::Note); }
    Ids not_checked() const { return with(PointVerdict::NotChecked); }
    const PointResult& operator[](std::string_view id) const {
        const auto found = std::ranges::find(report.points, id, &PointResult::id);
        if (found == report.points.end()) throw std::out_of_range(std::string(id));
        return *found;
    }
    // "> bestmove 1=0" was received, "< quit" sent.
    Ids lines(std::string_view id) const {
        Ids lines;
        for (const SaidLine& line : (*this)[id].lines)
            lines.push_back((line.sent ? "< " : "> ") + line.text);
        return lines;
    }
};

// `start` makes a process of the bot at the time `now`, or says why not.
inline Checked check_scripted_by(const ScriptedPeer::Start& start, Clock::time_point& now,
                                 const CheckOptions& options) {
    Checked checked;
    const MakePeer make_peer = [&](const PlayerSpec& spec) {
        return std::make_unique<ScriptedPeer>(spec, start, now);
    };
    const test::TemporaryFile shown;
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(
        std::fopen(shown.path().c_str(), "w"), &std::fclose);
    Console console(file.get());
    Loop loop;
    loop.finish(check_bot(options, make_peer, checked.report, console));
    std::fflush(file.get());
    checked.text = *read_file(shown.path());
    return checked;
}

inline Checked check_scripted(const CheckOptions& options, const Script& script) {
    Clock::time_point now{std::chrono::hours(1)};
    const ScriptedPeer::Start start = [&](const PlayerSpec& spec) {
        auto bot = std::make_unique<Bot>(now, spec);
        script(*bot);
        return bot;
    };
    return check_scripted_by(start, now, options);
}

inline Checked check_scripted(const Script& script) {
    return check_scripted(usual_options(), script);
}

}  // namespace arena
