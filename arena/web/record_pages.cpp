// A request names a record and one of its pages. A cached page that is fresh answers it at
// once. Otherwise the request joins the queue of its record (lane.hpp), and a thread of low
// priority reads the record into a summary (arena/report/summary.hpp), makes the page from it,
// and caches both. One thread at a time works for a record: so a page is made once for all
// requests that wait for it, and a record that is slow to read holds up no other.
//
// A record is read again when its file has changed, but a reading stays fresh for some seconds,
// and for four times as long as it took: so a tournament that records many games a second costs
// at most a fifth of a thread's time. Errors stay as long, and then the record is read again
// even if it has not changed: memory, files or time may have been short. A reading may take at
// most a quarter of the time that the server waits for a reply, and ends when the server stops.
//
// A page that lacks nimbers because they are hard stays as it is. One that lacks them because
// the machine was busy is made again after some seconds.
//
// Reading only new games was ruled out: a summary is made from all games, and few people read
// the pages.
#include "arena/web/record_pages.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <map>
#include <mutex>
#include <optional>

#include <fmt/format.h>

#include "arena/record/open_store.hpp"
#include "arena/report/html.hpp"
#include "arena/report/index_page.hpp"
#include "arena/report/summary.hpp"
#include "arena/web/clinic_page.hpp"
#include "arena/web/lane.hpp"
#include "arena/web/site.hpp"
#include "protocol/text.hpp"

namespace arena::web {
namespace {

using protocol::Error;
using protocol::Fault;
using protocol::Result;
using namespace std::chrono_literals;

constexpr std::size_t kMostPagesWaiting = 256;  // of one record
constexpr std::size_t kMostThreads = 4;
constexpr std::size_t kRecordsKept = 4;
constexpr std::size_t kPageBytesKept = 32 << 20;  // of one record
constexpr std::size_t kGamesShown = 5000;         // of one record, in all
constexpr std::size_t kFaultsShown = 2000;        // of one record, in all
constexpr std::size_t kGamesOfPlayer = 200;
constexpr std::string_view kOwnPage = "of/";
constexpr auto kFresh = 3s;

Response html_page(std::string text) { return kept_page(type_of(".html"), std::move(text)); }

// The number of the player whose page it is; nullopt: another page.
std::optional<std::size_t> player_of_file(const std::string& file) {
    constexpr std::string_view kHead = "player-";
    if (!file.starts_with(kHead)) return std::nullopt;
    std::size_t number = 0;
    std::from_chars(file.data() + kHead.size(), file.data() + file.size(), number);
    if (number == 0 || pages::file_of_player(number - 1) != file) return std::nullopt;
    return number - 1;
}

// Hides file paths from responses.
std::string without_path(std::string text, const RecordFile& record) {
    const std::string path = protocol::quoted(record.path);
    for (auto at = text.find(path); at != text.npos; at = text.find(path)) {
        text.replace(at, path.size(), "the record");
    }
    return text;
}

// A page of a record, while that stays.
struct Page {
    Response response;
    Clock::time_point fresh_until = Clock::time_point::max();
};

// A record as it was read, and the pages made from it. Only the thread that works for the
// record changes it, the last four under the lock.
struct Reading {
    std::string version;
    std::shared_ptr<const pages::Summary> summary;  // null: `error` says why
    Error error;
    Clock::time_point fresh_until;
    Clock::time_point used;
    std::map<std::string, Page> pages;  // by file
    std::size_t page_bytes = 0;
};

}  // namespace

std::string own_page(const std::string& name) { return std::string(kOwnPage) + name; }

class RecordPages::Maker {
  public:
    Maker(std::vector<RecordFile> records, const engine::Analyst& analyst, bool live, Now now,
          std::string tokens, PageTimes times)
        : records_(std::move(records)),
          analyst_(analyst),
          tokens_(std::move(tokens)),
          place_{true, live,
                 tokens_.empty() ? pages::Reader::Anyone : pages::Reader::Instructor},
          now_(std::move(now)),
          times_(times),
          lane_({.threads = static_cast<int>(
                     std::clamp<std::size_t>(records_.size(), 1, kMostThreads)),
                 .waiting = kMostPagesWaiting * std::max<std::size_t>(records_.size(), 1),
                 .waiting_of_client = kMostPagesWaiting,
                 .running_of_client = 1}) {}

    void answer(const Request& request, const Reply& reply) {
        if (request.method != "GET" && request.method != "HEAD") {
            return reply(
                with_header(message(405, "Pages are read with GET"), "Allow", "GET, HEAD"));
        }
        if (request.path == pages::kStylePath)
            return reply(unless_known(style_, request.if_none_match));
        if (request.path == pages::kScriptPath)
            return reply(unless_known(script_, request.if_none_match));
        answer_record(request, reply);
    }

    void stop() { lane_.close(); }

  private:
    struct Job {
        const RecordFile* record = nullptr;
        std::string file;
        std::string if_none_match;
        Reply reply;
        std::shared_ptr<const std::atomic<bool>> is_abandoned;
    };

    // ---- on the server's thread ----

    void answer_record(const Request& request, const Reply& reply) {
        constexpr std::string_view kPrefix = "/record/";
        const std::string_view path = request.path;
        if (path == "/record" || path == kPrefix) return reply(list());
        if (!path.starts_with(kPrefix)) return reply(message(404, "There is no such page"));

        const std::string_view rest = path.substr(kPrefix.size());
        const auto slash = std::min(rest.find('/'), rest.size());
        const auto record =
            std::ranges::find(records_, rest.substr(0, slash), &RecordFile::name);
        if (record == records_.end()) return reply(message(404, "There is no such record"));
        if (slash == rest.size()) return reply(redirect(*record));

        std::string file(rest.substr(slash + 1));
        if (file.empty()) file = "index.html";
        if (file != "index.html" && !player_of_file(file) && !is_of_clinic(file)) {
            return reply(message(404, "There is no such page"));
        }
        if (request.is_foreign_link) return reply(from_elsewhere(request.path));
        answer_page(
            {&*record, std::move(file), request.if_none_match, reply, request.is_abandoned});
    }

    bool is_of_clinic(std::string_view file) const {
        return !tokens_.empty() && (file == kClassPage || file.starts_with(kOwnPage));
    }

    void answer_page(const Job& job) {
        if (auto now = fresh_page(job))
            return job.reply(unless_known(*std::move(now), job.if_none_match));
        const auto work = [this, job](bool is_closed) {
            if (is_closed) return refuse(job, "The server is being stopped");
            serve(job);
        };
        if (!lane_.post(job.record->name, work))
            job.reply(busy("Too many requests wait for pages"));
    }

    std::optional<Response> fresh_page(const Job& job) {
        const std::lock_guard lock(mutex_);
        const auto reading = readings_.find(job.record->name);
        if (reading == readings_.end() || now_() >= reading->second->fresh_until)
            return std::nullopt;
        const auto page = reading->second->pages.find(job.file);
        if (page == reading->second->pages.end() || now_() >= page->second.fresh_until)
            return std::nullopt;
        reading->second->used = now_();
        return page->second.response;
    }

    Response list() const {
        std::string body = "<header><h1>Records</h1></header>\n<main><ul>\n";
        for (const RecordFile& record : records_) {
            body += fmt::format("<li><a href=\"/record/{}/\">{}</a></li>\n", record.name,
                                pages::escaped(record.title));
        }
        body += "</ul></main>\n";
        return html_page(pages::document("Records", body, place_));
    }

    Response redirect(const RecordFile& record) const {
        const std::string place = "/record/" + record.name + "/";
        return with_header(message(308, "The page is at " + place), "Location", place);
    }

    // To make a page is work, which another site must not start: a person does, by a click
    // here.
    Response from_elsewhere(const std::string& path) const {
        const std::string body = fmt::format(
            "<main><h1>A link of another site led here</h1>\n"
            "<p><a href=\"{}\">Open the page of the record</a></p></main>\n",
            pages::escaped(path));
        return respond(403, std::string(type_of(".html")),
                       pages::document("Link of another site", body, place_));
    }

    Response busy(const std::string& text) const {
        return with_header(message(503, text), "Retry-After", "5");
    }

    Response message(int status, const std::string& text) const {
        const std::string body =
            fmt::format("<main><h1>{}</h1></main>\n", pages::escaped(text));
        return respond(status, std::string(type_of(".html")),
                       pages::document(text, body, place_));
    }

    // ---- on the thread that works for the record ----

    void serve(const Job& job) {
        if (job.is_abandoned && *job.is_abandoned) return refuse(job, "The request has ended");
        try {
            job.reply(unless_known(page(job), job.if_none_match));
        } catch (const std::exception&) {  // no memory
            refuse(job, "The server is busy");
        }
    }

    void refuse(const Job& job, const std::string& text) {
        try {
            job.reply(busy(text));
        } catch (const std::exception&) {  // no memory: the server answers 504 in the end
        }
    }

    Response page(const Job& job) {
        const std::shared_ptr<Reading> reading = read(*job.record);
        if (auto kept = fresh_page(job)) return *std::move(kept);
        if (!reading->summary) return failure(*job.record, reading->error);
        std::optional<Page> made;
        try {
            made = make(*reading->summary, job.file);
            if (!made) return message(404, "There is no such page");
        } catch (const std::exception& failed) {
            return failure(*job.record, {Fault::Disconnected, failed.what(), 0});
        }
        // The page of the class changes with the tokens, too.
        if (job.file != kClassPage) keep(*reading, job.file, *made);
        return made->response;
    }

    // nullopt: there is no such player.
    std::optional<Page> make(const pages::Summary& summary, const std::string& file) const {
        if (file == "index.html") return Page{html_page(pages::index_page(summary, place_))};
        if (file == kClassPage) {
            const auto tokens = Tokens::load(tokens_);
            if (!tokens) return std::nullopt;
            return Page{html_page(class_page(summary, tokens->entries(), place_))};
        }
        pages::PageContext context = place_;
        auto player = player_of_file(file);
        if (!player) {
            const std::string name = file.substr(kOwnPage.size());
            context.reader = pages::Reader::Student;
            player = player_of_token(summary, name);
            if (!player) return Page{html_page(welcome_page(name, context))};
        }
        if (*player >= summary.entrants.size()) return std::nullopt;
        return player_page(summary, *player, context);
    }

    // Fresh for a short time only if it lacks nimbers because there was no core for them.
    Page player_page(const pages::Summary& summary, std::size_t player,
                     const pages::PageContext& context) const {
        const engine::Budget budget{SteadyClock::now() + times_.nimbers, lane_.stop_token()};
        const auto cpu_before = thread_cpu();
        Page page{html_page(pages::player_page(summary, player, analyst_, budget, context))};
        if (budget.is_spent() && thread_cpu() - cpu_before < times_.nimbers / 2)
            page.fresh_until = now_() + kFresh;
        return page;
    }

    Response failure(const RecordFile& record, const Error& error) const {
        if (record_version(record.path).empty()) return message(404, "The record is gone");
        if (error.fault == Fault::TimedOut) {
            return message(503,
                           "The record has too many games to make its pages on request; "
                           "nim-arena report writes them as files");
        }
        // Errors of a database tell of machines and users.
        if (is_database(record.path)) return message(500, "The record cannot be read");
        return message(500,
                       "The record cannot be read: " + without_path(describe(error), record));
    }

    // Returns a fresh reading.
    std::shared_ptr<Reading> read(const RecordFile& record) {
        // Taken before the reading, so that a change during it is seen next time.
        std::string version = record_version(record.path);
        {
            const std::lock_guard lock(mutex_);
            const auto kept = readings_.find(record.name);
            if (kept != readings_.end()) {
                Reading& reading = *kept->second;
                reading.used = now_();
                if (now_() < reading.fresh_until) return kept->second;
                if (reading.summary && reading.version == version) {
                    reading.fresh_until = now_() + kFresh;
                    return kept->second;
                }
            }
        }
        auto reading = std::make_shared<Reading>(read_anew(record));
        reading->version = std::move(version);
        const std::lock_guard lock(mutex_);
        if (!readings_.contains(record.name) && readings_.size() >= kRecordsKept) {
            readings_.erase(std::ranges::min_element(
                readings_, {}, [](const auto& kept) { return kept.second->used; }));
        }
        return readings_[record.name] = std::move(reading);
    }

    Reading read_anew(const RecordFile& record) const {
        Reading reading;
        const auto began = now_();
        try {
            auto summary =
                summarize(record, {SteadyClock::now() + times_.reading, lane_.stop_token()});
            if (summary) {
                reading.summary = std::make_shared<const pages::Summary>(*std::move(summary));
            } else {
                reading.error = summary.error();
            }
        } catch (const std::exception& failed) {
            // The file has a content that the arena does not write.
            reading.error = {Fault::Disconnected, failed.what(), 0};
        }
        reading.used = now_();
        reading.fresh_until =
            reading.used + std::max<Clock::duration>(kFresh, 4 * (reading.used - began));
        return reading;
    }

    static Result<pages::Summary> summarize(const RecordFile& record,
                                            const engine::Budget& budget) {
        const auto store = open_store(record.path, {.read_only = true, .budget = budget});
        if (!store) return store.error();
        const auto entrants = (*store)->entrants();
        if (!entrants) return entrants.error();
        const std::size_t players = std::max<std::size_t>(1, entrants->size());
        pages::PageOptions options;
        options.games = pages::PageGames::Number;
        options.number = std::clamp<std::size_t>(kGamesShown / players, 1, kGamesOfPlayer);
        options.faults = std::clamp<std::size_t>(kFaultsShown / players, 1, options.faults);
        return pages::summarize(**store, options, budget);
    }

    void keep(Reading& reading, const std::string& file, Page page) {
        const std::lock_guard lock(mutex_);
        if (const auto old = reading.pages.find(file); old != reading.pages.end()) {
            reading.page_bytes -= old->second.response.body->size();
            reading.pages.erase(old);
        }
        const std::size_t size = page.response.body->size();
        if (reading.page_bytes + size > kPageBytesKept) {
            reading.pages.clear();
            reading.page_bytes = 0;
        }
        reading.pages.emplace(file, std::move(page));
        reading.page_bytes += size;
    }

    const std::vector<RecordFile> records_;
    const engine::Analyst& analyst_;
    const std::string tokens_;  // of a clinic, else empty
    const pages::PageContext place_;
    const Now now_;
    const PageTimes times_;
    const Response style_ = kept_page(type_of(pages::kStylePath), std::string(pages::kStyle));
    const Response script_ =
        kept_page(type_of(pages::kScriptPath), std::string(pages::kScript));

    std::mutex mutex_;
    std::map<std::string, std::shared_ptr<Reading>> readings_;  // by name; guarded

    Lane lane_;  // the last member: its threads use all others
};

RecordPages::RecordPages(std::vector<RecordFile> records, const engine::Analyst& analyst,
                         bool live, Now now, std::string tokens, PageTimes times)
    : maker_(std::make_unique<Maker>(std::move(records), analyst, live, std::move(now),
                                     std::move(tokens), times)) {}

RecordPages::~RecordPages() { stop(); }

void RecordPages::answer(Request request, Reply reply) { maker_->answer(request, reply); }

void RecordPages::stop() { maker_->stop(); }

}  // namespace arena::web
