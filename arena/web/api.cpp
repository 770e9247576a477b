// A request runs on one of two lanes. The quick lane gives it a few milliseconds, which is
// enough for nearly every position, so a few threads can answer many visitors. One that has no
// complete answer then goes to the slow lane, with the time of --think; if that lane is full,
// the incomplete answer is sent. A request that is costly even to read (a long text, or
// rules{…}) or to answer (a picture) starts on the slow lane. So a hard position never holds up
// an easy one, and on both lanes clients take turns.
//
// The threads have a low priority, and on a busy machine a request may have had no core all its
// time. Then it runs again: "not known" is to be said of the position, not of the machine.
#include "arena/web/api.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <exception>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "arena/base/bad_input.hpp"
#include "arena/base/clock.hpp"
#include "arena/game/seeds.hpp"
#include "arena/web/lane.hpp"
#include "arena/web/questions.hpp"
#include "engine/rules/literature.hpp"
#include "protocol/text.hpp"

namespace arena::web {
namespace {

namespace json = boost::json;

constexpr std::chrono::milliseconds kQuick{15};
constexpr int kQuickRuns = 20;
constexpr std::chrono::milliseconds kSomeCpu{7};  // with less a request had no core
// Beyond --think, for a request that had no core. The server waits for a minute at least.
constexpr std::chrono::seconds kMoreTime{20};
constexpr std::size_t kLongText = 4096;  // bytes of a request that is costly to read
constexpr int kQuickThreads = 3;
constexpr int kLeastSlowThreads = 2;

constexpr std::string_view kTooMuch = "the server has too much to do; try again";
// Read by a client that has closed its sending half alone.
constexpr std::string_view kLeft = "the client closed the connection before it was answered";
constexpr std::string_view kJson = "application/json";

struct ApiQuestion {
    std::string_view name;
    std::string_view method;
    Answered (*ask)(const Asked&);
    std::vector<std::string_view> keys;  // allowed in a request
    bool is_costly = false;              // starts on the slow lane
};

const std::array kQuestions{
    ApiQuestion{"site", "GET", ask_site, {}},
    ApiQuestion{"pile", "POST", ask_pile, {"ruleset", "size", "convention"}},
    ApiQuestion{"puzzle", "POST", ask_puzzle, {"ruleset", "level", "last"}},
    ApiQuestion{"game", "POST", ask_game, {"position", "moves"}},
    ApiQuestion{"moves", "POST", ask_moves, {"position", "moves", "pile", "offset", "limit"}},
    ApiQuestion{"evaluate", "POST", ask_evaluate, {"position", "moves"}},
    ApiQuestion{"reply", "POST", ask_reply, {"position", "moves", "opponent", "seed"}},
    ApiQuestion{"review", "POST", ask_review, {"position", "moves"}},
    ApiQuestion{
        "explore", "POST", ask_explore, {"ruleset", "range", "value", "picture", "wrap"}, true},
};

Response respond_json(int status, const json::object& told) {
    return respond(status, std::string(kJson), json::serialize(told));
}

Response respond_error(const ApiError& error) {
    json::object told{{"text", protocol::printable(error.error.text)}};
    if (error.error.column > 0) told["column"] = error.error.column;
    if (!error.field.empty()) told["field"] = error.field;
    if (error.ply) told["ply"] = *error.ply;
    return respond_json(error.status, {{"error", std::move(told)}});
}

Response busy(std::string_view text) {
    return with_header(refuse_request(503, text), "Retry-After", "2");
}

// The JSON object of a request. Keys that the question does not have are an error.
protocol::Result<json::object> read_body(const std::string& body, const ApiQuestion& question) {
    if (question.method == "GET") return json::object{};
    boost::system::error_code failed;
    json::value value = json::parse(body, failed);
    if (failed || !value.is_object()) {
        return bad_input("the body is not a JSON object{}",
                         failed ? ": " + failed.message() : "");
    }
    for (const auto& member : value.as_object()) {
        const std::string_view key(member.key());
        if (std::ranges::find(question.keys, key) != question.keys.end()) continue;
        return bad_input("read the key {}, expected {}", protocol::quoted(key),
                         fmt::join(question.keys, ", "));
    }
    return std::move(value.as_object());
}

}  // namespace

struct Api::Impl {
    Impl(ApiOptions api_options, const engine::Analyst& engine_analyst, Opponents* bots)
        : options(std::move(api_options)),
          analyst(engine_analyst),
          opponents(bots),
          slow({.threads = std::max<int>(kLeastSlowThreads,
                                         static_cast<int>(std::thread::hardware_concurrency())),
                .waiting = 256,
                .waiting_of_client = 64,
                .running_of_client = 1,
                .nice = nice()}),
          quick({.threads = kQuickThreads,
                 .waiting = 1024,
                 .waiting_of_client = 512,
                 .running_of_client = kQuickThreads - 1,
                 .nice = nice()}) {
        const auto add = [this](std::string_view name, std::string_view text) {
            if (text.starts_with("rules{")) costly_names.emplace_back(name);
        };
        for (const auto& [name, text] : options.names.all()) add(name, text);
        for (const engine::LiteratureGame& game : engine::literature()) {
            add(game.guide.name, game.guide.example);
        }
    }

    // Bots that play here come first. Else a person waits for the answer.
    int nice() const { return options.is_live || opponents != nullptr ? 15 : 5; }

    // A request in progress. Shared by the jobs that work on it one after the other.
    struct Work {
        const ApiQuestion& question;
        Request request;
        Reply reply;
        std::uint64_t drawn = 0;
        std::optional<json::object> body{};  // once it has been read
        bool is_costly = false;              // even to read
        std::optional<Response> known{};     // the answer of the quick lane
        SteadyClock::time_point came = SteadyClock::now();
        std::chrono::nanoseconds cpu{};  // that its runs on this lane have used
        int runs = 0;

        bool is_abandoned() const { return request.is_abandoned && *request.is_abandoned; }
    };
    using Shared = std::shared_ptr<Work>;

    void begin(const ApiQuestion& question, Request request, Reply reply) {
        const std::uint64_t drawn = Seeds(options.seed).of_request(requests.fetch_add(1));
        const Shared work =
            std::make_shared<Work>(Work{question, std::move(request), std::move(reply), drawn});
        work->is_costly = question.is_costly || work->request.body.size() > kLongText;
        if (!work->is_costly) {
            if (!parse(*work)) return;
            work->is_costly = is_costly_to_read(*work->body);
        }
        const bool is_taken = work->is_costly ? post_slow(work) : post_quick(work);
        if (!is_taken) work->reply(busy(kTooMuch));
    }

    // Returns false if the body cannot be read, after replying so.
    static bool parse(Work& work) {
        auto body = read_body(work.request.body, work.question);
        if (!body) {
            work.reply(refuse_request(400, body.error().text));
            return false;
        }
        work.body = *std::move(body);
        work.request.body.clear();
        return true;
    }

    // Whether a position or ruleset has rules{…}, whose moves may take long to find.
    bool is_costly_to_read(const json::object& body) const {
        for (const auto& member : body) {
            if (!member.value().is_string()) continue;
            const std::string_view text(member.value().as_string());
            const auto is_named = [&](const std::string& name) {
                return text.find(name) != text.npos;
            };
            if (is_named("rules{") || std::ranges::any_of(costly_names, is_named)) return true;
        }
        return false;
    }

    // Replies in place of the job if the lane is closed or the job throws. Skips the job if its
    // client has gone.
    template <typename Job>
    static bool post(Lane& lane, const Shared& work, const Job& job) {
        return lane.post(work->request.client, [work, job](bool is_closed) {
            if (is_closed) return work->reply(busy("the server is shutting down"));
            if (work->is_abandoned()) return work->reply(refuse_request(503, kLeft));
            try {
                job();
            } catch (const std::bad_alloc&) {
                work->reply(busy("there is not enough memory for this position"));
            } catch (const std::exception& error) {
                work->reply(refuse_request(500, protocol::printable(error.what())));
            }
        });
    }

    bool post_quick(const Shared& work) {
        return post(quick, work, [this, work] {
            run(work, {SteadyClock::now() + kQuick, quick.stop_token()}, false);
        });
    }

    bool post_slow(const Shared& work) {
        return post(slow, work, [this, work] {
            if (!work->body && !parse(*work)) return;
            run(work, {SteadyClock::now() + slow_time(*work), slow.stop_token()}, true);
        });
    }

    // Until a request that had no core is repeated no more.
    SteadyClock::duration time_left(const Work& work) const {
        return work.came + options.think + kMoreTime - SteadyClock::now();
    }

    // The time of the next run on the slow lane: --think, then twice that of the last one while
    // there is so much left.
    SteadyClock::duration slow_time(const Work& work) const {
        const SteadyClock::duration least = options.think;
        return std::max(least,
                        std::min(least * (std::int64_t{1} << work.runs), time_left(work)));
    }

    // Whether a run that has ended without a complete answer, after this time and CPU time, is
    // to be repeated: it had time, and all runs on this lane together had hardly a core.
    bool had_no_core(Work& work, SteadyClock::duration took, std::chrono::nanoseconds cpu,
                     bool is_last) const {
        const SteadyClock::duration time = is_last ? options.think : kQuick;
        work.cpu += cpu;
        ++work.runs;
        if (took < time / 2 || work.cpu >= std::min<SteadyClock::duration>(kSomeCpu, time / 2))
            return false;
        return is_last ? time_left(work) >= time : work.runs < kQuickRuns;
    }

    void run(const Shared& work, const engine::Budget& budget, bool is_last) {
        const auto began = SteadyClock::now();
        const auto cpu_before = thread_cpu();
        const Asked asked{*work->body, options, analyst, opponents, work->drawn, budget};
        Answered answered = work->question.ask(asked);
        if (auto* wanted = std::get_if<BotWanted>(&answered.what)) {
            return ask_bot(work, std::move(*wanted));
        }
        const auto* error = std::get_if<ApiError>(&answered.what);
        Response response = error != nullptr
                                ? respond_error(*error)
                                : respond_json(200, std::get<json::object>(answered.what));
        if (answered.is_complete) return work->reply(std::move(response));
        if (had_no_core(*work, SteadyClock::now() - began, thread_cpu() - cpu_before,
                        is_last) &&
            (is_last ? post_slow(work) : post_quick(work)))
            return;
        if (is_last || options.think <= kQuick) return work->reply(std::move(response));
        work->known = std::move(response);
        work->cpu = {};
        work->runs = 0;
        if (!post_slow(work)) work->reply(*std::move(work->known));
    }

    // A lane makes the reply from the bot's answer, so that the thread of the bots is free for
    // others.
    void ask_bot(const Shared& work, BotWanted wanted) {
        wanted.question.client = work->request.client;
        wanted.question.is_abandoned = work->request.is_abandoned;
        const auto question = std::make_shared<const BotQuestion>(wanted.question);
        const auto told = [this, work, bot = wanted.bot, question](const BotAnswer& answer) {
            Lane& lane = work->is_costly ? slow : quick;
            const auto tell = [this, work, bot, question, answer] {
                const engine::Budget budget{SteadyClock::now() + options.think,
                                            slow.stop_token()};
                work->reply(respond_json(
                    200, tell_bot_answer(answer, *question, opponents->name(bot), budget)));
            };
            if (!post(lane, work, tell)) work->reply(busy(kTooMuch));
        };
        if (opponents->ask(wanted.bot, std::move(wanted.question), told)) return;
        work->reply(busy("too many wait for this bot; try again"));
    }

    ApiOptions options;
    std::vector<std::string> costly_names;  // of --rulesets and the literature
    const engine::Analyst& analyst;
    Opponents* opponents;
    std::atomic<std::uint64_t> requests{0};
    Lane slow;
    Lane quick;
};

Api::Api(ApiOptions options, const engine::Analyst& analyst, Opponents* opponents)
    : impl_(std::make_unique<Impl>(std::move(options), analyst, opponents)) {}

Api::~Api() { close(); }

void Api::answer(Request request, Reply reply) {
    constexpr std::string_view kPrefix = "/api/";
    const std::string name = request.path.substr(std::min(request.path.size(), kPrefix.size()));
    const auto question =
        std::ranges::find(kQuestions, std::string_view(name), &ApiQuestion::name);
    if (question == kQuestions.end()) {
        return reply(refuse_request(
            404, "there is no " + protocol::quoted(request.path) + "; see arena/doc/web.md"));
    }
    const bool is_get = request.method == "GET" || request.method == "HEAD";
    if (is_get != (question->method == "GET")) {
        const std::string text =
            fmt::format("read {}, expected {}", request.method, question->method);
        return reply(
            with_header(refuse_request(405, text), "Allow", std::string(question->method)));
    }
    impl_->begin(*question, std::move(request), std::move(reply));
}

void Api::close() {
    impl_->quick.close();
    impl_->slow.close();
}

}  // namespace arena::web
