#include "arena/web/record_pages.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <sys/resource.h>

#include <future>
#include <regex>
#include <thread>

#include "arena/game/game_analysis.hpp"
#include "arena/record/open_store.hpp"
#include "tests/arena/stand_in_analyst.hpp"
#include "tests/arena/store_games.hpp"
#include "tests/arena/web/asking.hpp"
#include "tests/harness/temporary_file.hpp"

namespace arena::web::record_pages_test {

using namespace testing;
using namespace std::chrono_literals;

// The clock stands still unless a test advances it.
class RecordPagesTest : public ::testing::Test {
  protected:
    // Two games of Ann against Bob: an ordinary one and an eventful one.
    void begin(const std::string& path) {
        const auto store = *open_sqlite_store(path);
        ASSERT_TRUE(store->open({{"format", "swiss"}, {"name", "Spring <cup>"}}));
        ASSERT_TRUE(store->join(four_players()));
        ASSERT_TRUE(store->plan({round_plan(1)}));
        const auto claims = *store->claim(1);
        ASSERT_TRUE(store->record({finished(claims[0], 1), eventful_game(claims[0], 2)}));
    }
    // Cid plays Dan.
    void go_on(const std::string& path) {
        const auto store = *open_sqlite_store(path);
        const auto claims = *store->claim(1);
        ASSERT_TRUE(store->record({finished(claims[0], 1)}));
    }

    void serve(const std::vector<std::string>& paths, bool live = false) {
        const auto records = find_records(paths);
        ASSERT_TRUE(records) << records.error().text;
        pages = std::make_unique<RecordPages>(
            *records, analyst, live, [this] { return now(); }, std::string(),
            PageTimes{1h, 1h});
    }
    Clock::time_point now() {
        const std::lock_guard lock(mutex);
        return time;
    }
    void wait(Clock::duration duration) {
        const std::lock_guard lock(mutex);
        time += duration;
    }

    std::future<Response> ask(Request request) { return web::ask(*pages, std::move(request)); }
    Response get(const std::string& path, const std::string& tag = {}) {
        return web::get(*pages, path, tag);
    }
    std::string text(const std::string& path) { return *get(path).body; }

    std::mutex mutex;
    Clock::time_point time = Clock::now();
    ::test::TemporaryFolder folder;
    const std::string spring = folder.file("spring.db");
    StandInAnalyst analyst;
    std::unique_ptr<RecordPages> pages;
};

// ---- names ----

TEST_F(RecordPagesTest, RecordsAreNamedByTheirFiles) {
    std::vector<std::string> paths;
    for (const char* name : {"spring.db", "a/spring.db", "b/spring.sqlite", "Mai & June 2.db",
                             "...db", "report.js.db"}) {
        paths.push_back(folder.file(name));
        std::filesystem::create_directories(std::filesystem::path(paths.back()).parent_path());
        begin(paths.back());
    }
    const auto records = find_records(paths);
    ASSERT_TRUE(records);
    std::vector<std::string> names;
    for (const RecordFile& record : *records) names.push_back(record.name);
    EXPECT_THAT(names, ElementsAre("spring", "spring-2", "spring-3", "Mai-June-2", "record",
                                   "report.js-2"));
    EXPECT_EQ(records->front().title, "Spring <cup>");
}

TEST_F(RecordPagesTest, AMissingRecordIsReportedAtOnce) {
    const auto records = find_records({folder.file("none.db")});
    ASSERT_FALSE(records);
    EXPECT_THAT(records.error().text, HasSubstr("there is no file"));
}

// ---- pages ----

TEST_F(RecordPagesTest, APageForTheRecordAndEachPlayer) {
    begin(spring);
    serve({spring});
    const Response index = get("/record/spring/");
    EXPECT_EQ(index.status, 200);
    EXPECT_EQ(index.type, "text/html; charset=utf-8");
    EXPECT_THAT(*index.body, HasSubstr("<h1>Spring &lt;cup&gt;</h1>"));
    EXPECT_THAT(*index.body, HasSubstr("Not analysed: 2 of 2 games"));
    EXPECT_THAT(*index.body, HasSubstr("<code>nim-arena report</code> analyses them"));
    EXPECT_EQ(text("/record/spring/index.html"), *index.body);
    EXPECT_THAT(text("/record/spring/player-1.html"), HasSubstr("<h1>Ann</h1>"));
    EXPECT_THAT(text("/record/spring/player-4.html"), HasSubstr("<p>None was played yet.</p>"));
}

TEST_F(RecordPagesTest, GamesWithoutFaultsAreShownTooWithTheirStart) {
    begin(spring);
    serve({spring});
    const std::string page = text("/record/spring/player-2.html");
    EXPECT_THAT(page, HasSubstr(R"("players":["Ann","Bob"],"start":"nim:3,4,5")"));
    EXPECT_THAT(page, HasSubstr(R"("players":["Bob","Ann"],"start":"nim:3,4,5")"));
    EXPECT_THAT(page, HasSubstr(R"("letters":"???","end":"?")"));
}

// script-src 'self'; style-src 'self'
TEST_F(RecordPagesTest, NothingThatTheirPolicyForbids) {
    begin(spring);
    serve({spring}, true);
    for (const char* path :
         {"/record/spring/", "/record/spring/player-1.html", "/record/none/", "/record/"}) {
        const std::string page = text(path);
        EXPECT_THAT(page, HasSubstr("<link rel=\"stylesheet\" href=\"/record/style.css\">"));
        EXPECT_FALSE(std::regex_search(page, std::regex("<style|\\sstyle=|\\son[a-z]+=")))
            << path;
        const std::regex script(
            "<script(?! type=\"module\" src=\"/record/report.js\"| type=\"application/json\")");
        EXPECT_FALSE(std::regex_search(page, script)) << path;
    }
    EXPECT_THAT(text("/record/spring/player-1.html"),
                HasSubstr("<script type=\"module\" src=\"/record/report.js\"></script>"));
    EXPECT_EQ(get("/record/style.css").type, "text/css; charset=utf-8");
    EXPECT_EQ(get("/record/report.js").type, "text/javascript; charset=utf-8");
}

TEST_F(RecordPagesTest, LinksToTheOtherPagesOfTheServer) {
    begin(spring);
    serve({spring});
    EXPECT_THAT(text("/record/spring/"), HasSubstr("<nav aria-label=\"Nimarena\"><a href=\"/\">"
                                                   "Play</a></nav>"));
    EXPECT_THAT(text("/record/spring/"), HasSubstr("<html lang=\"en\" data-play=\"/\">"));
    serve({spring}, true);
    EXPECT_THAT(text("/record/spring/"), HasSubstr("<a href=\"/live\">Watch</a></nav>"));
    EXPECT_THAT(text("/record/"),
                HasSubstr("<a href=\"/record/spring/\">Spring &lt;cup&gt;</a>"));
}

TEST_F(RecordPagesTest, OtherPathsAreNotFound) {
    begin(spring);
    serve({spring});
    for (const char* path :
         {"/record/autumn/", "/record/autumn", "/record/spring/x",
          "/record/spring/player-0.html", "/record/spring/player-01.html",
          "/record/spring/player-5.html", "/record/spring/player-99999999999999999999.html",
          "/record/spring/../spring.db", "/record/spring/index.html/", "/recorded"}) {
        EXPECT_EQ(get(path).status, 404) << path;
    }
    const Response redirect = get("/record/spring");
    EXPECT_EQ(redirect.status, 308);
    EXPECT_EQ(header(redirect, "Location"), "/record/spring/");
    const Response posted = ask({"POST", "/record/spring/"}).get();
    EXPECT_EQ(posted.status, 405);
    EXPECT_EQ(header(posted, "Allow"), "GET, HEAD");
}

// ---- what is kept ----

TEST_F(RecordPagesTest, AnUnchangedPageIsNotSentAgain) {
    begin(spring);
    serve({spring});
    for (const char* path : {"/record/spring/", "/record/spring/player-1.html",
                             "/record/style.css", "/record/report.js"}) {
        const Response first = get(path);
        const std::string tag = header(first, "ETag");
        ASSERT_NE(tag, "");
        for (const std::string& tags : {tag, "\"x\", W/" + tag, std::string("*")}) {
            const Response again = get(path, tags);
            EXPECT_EQ(again.status, 304);
            EXPECT_EQ(header(again, "ETag"), tag);
        }
        EXPECT_EQ(get(path, "\"0123456789abcdef\"").status, 200);
    }
}

TEST_F(RecordPagesTest, AChangeIsSeenAfterSomeSeconds) {
    begin(spring);
    serve({spring});
    const Response before = get("/record/spring/");
    EXPECT_THAT(*before.body, HasSubstr("2 games, "));
    go_on(spring);
    EXPECT_EQ(get("/record/spring/").body, before.body);
    wait(4s);
    const Response after = get("/record/spring/", header(before, "ETag"));
    EXPECT_EQ(after.status, 200);
    EXPECT_THAT(*after.body, HasSubstr("3 games, "));
    EXPECT_THAT(text("/record/spring/player-3.html"), Not(HasSubstr("None was played yet")));
}

TEST_F(RecordPagesTest, APageIsMadeOnceWhileTheRecordStays) {
    begin(spring);
    serve({spring});
    const auto first = get("/record/spring/player-1.html").body;
    wait(1h);
    EXPECT_EQ(get("/record/spring/player-1.html").body, first);
    auto one = ask({"GET", "/record/spring/player-2.html"});
    auto two = ask({"GET", "/record/spring/player-2.html"});
    EXPECT_EQ(one.get().body, two.get().body);
}

// Its nimbers come too late, without any computing, as if there were no core for them.
class StarvedAnalyst : public StandInAnalyst {
  public:
    std::optional<engine::Nimber> nimber(const engine::Game&,
                                         const engine::Budget& budget) const override {
        std::this_thread::sleep_until(budget.deadline);
        return std::nullopt;
    }
};

TEST_F(RecordPagesTest, APageThatHadNoCoreForItsNimbersIsMadeAgain) {
    begin(spring);
    const StarvedAnalyst starved;
    pages = std::make_unique<RecordPages>(
        *find_records({spring}), starved, false, [this] { return now(); }, std::string(),
        PageTimes{1h, 200ms});
    const auto first = get("/record/spring/player-1.html").body;
    EXPECT_EQ(get("/record/spring/player-1.html").body, first) << "for some seconds";
    wait(4s);
    EXPECT_NE(get("/record/spring/player-1.html").body, first);
    pages.reset();  // before its analyst
}

TEST_F(RecordPagesTest, AnAnalysisIsAChange) {
    begin(spring);
    serve({spring});
    EXPECT_THAT(text("/record/spring/"), HasSubstr("Not analysed: 2 of 2 games"));
    {
        const auto store = *open_sqlite_store(spring);
        const GameKey first{{1, 1, 1, 1, 1}, 1};
        GameAnalysis analysis;
        analysis.plies.resize(3);
        ASSERT_TRUE(store->annotate({{first, to_string(analysis)}}));
    }
    wait(4s);
    EXPECT_THAT(text("/record/spring/"), HasSubstr("Not analysed: 1 of 2 games"));
}

TEST_F(RecordPagesTest, MoreRecordsThanAreKept) {
    std::vector<std::string> paths;
    for (int i = 0; i < 6; ++i) {
        paths.push_back(folder.file("cup-" + std::to_string(i) + ".db"));
        begin(paths.back());
    }
    serve(paths);
    for (int round = 0; round < 2; ++round) {
        for (int i = 0; i < 6; ++i) {
            EXPECT_EQ(get("/record/cup-" + std::to_string(i) + "/").status, 200);
        }
    }
}

// ---- what goes wrong ----

TEST_F(RecordPagesTest, ADamagedRecordIsReported) {
    begin(spring);
    serve({spring});
    const auto size = std::filesystem::file_size(spring);
    {
        std::fstream file(spring, std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(4096);
        file << std::string(size - 4096, '\xa5');
    }
    const Response response = get("/record/spring/");
    EXPECT_EQ(response.status, 500);
    EXPECT_THAT(*response.body, HasSubstr("<h1>The record cannot be read: the record: the file "
                                          "is damaged"));
    EXPECT_THAT(*response.body, Not(HasSubstr(folder.path())));
}

TEST_F(RecordPagesTest, AnUnchangedRecordThatCouldNotBeReadIsReadAgain) {
    begin(spring);
    serve({spring});
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
    const rlimit none{0, before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
    EXPECT_EQ(get("/record/spring/").status, 500);
    ::setrlimit(RLIMIT_NOFILE, &before);
    EXPECT_EQ(get("/record/spring/").status, 500) << "for some seconds";
    wait(4s);
    EXPECT_EQ(get("/record/spring/").status, 200);
}

TEST_F(RecordPagesTest, ARecordThatContradictsItselfIsReported) {
    const std::vector<std::pair<std::string, std::string>> cases{
        {"UPDATE fault SET seat = 7", " has seat 7, expected 1..2"},
        {"UPDATE strike SET seat = 7 WHERE number = 2", " has a strike of the seat 7"},
        {"UPDATE game SET moves = 'a b c' WHERE leg = 1", ""},
        {"UPDATE configuration SET value = 'chess' WHERE name = 'format'", "chess"},
    };
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const std::string path = folder.file("cup-" + std::to_string(i) + ".db");
        begin(path);
        SQLite::Database database(path, SQLite::OPEN_READWRITE);
        database.exec("PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF");
        database.exec(cases[i].first);
        serve({path});
        const std::string name = "/record/cup-" + std::to_string(i) + "/";
        const Response response = get(name);
        EXPECT_EQ(response.status, cases[i].second == "chess" ? 500 : 200) << cases[i].first;
        EXPECT_THAT(*response.body, HasSubstr(cases[i].second)) << cases[i].first;
        get(name + "player-1.html");
    }
}

TEST_F(RecordPagesTest, ALinkOfAnotherSiteMakesNoPage) {
    begin(spring);
    serve({spring});
    Request followed{"GET", "/record/spring/player-1.html"};
    followed.is_foreign_link = true;
    const Response asks = ask(followed).get();
    EXPECT_EQ(asks.status, 403);
    EXPECT_THAT(*asks.body, HasSubstr("<a href=\"/record/spring/player-1.html\">"));
    for (const char* path : {"/record", "/record/style.css"}) {
        followed.path = path;
        EXPECT_EQ(ask(followed).get().status, 200) << path;
    }
}

TEST_F(RecordPagesTest, ARecordThatIsGoneIsNotFound) {
    begin(spring);
    serve({spring});
    std::filesystem::remove(spring);
    const Response response = get("/record/spring/");
    EXPECT_EQ(response.status, 404);
    EXPECT_THAT(*response.body, HasSubstr("<h1>The record is gone</h1>"));
    begin(spring);
    wait(4s);
    EXPECT_EQ(get("/record/spring/").status, 200);
}

// Its nimbers come once it may go on.
class SlowAnalyst : public StandInAnalyst {
  public:
    std::optional<engine::Nimber> nimber(const engine::Game&,
                                         const engine::Budget&) const override {
        std::call_once(asked_once, [this] { asked.set_value(); });
        go_on.wait();
        return std::nullopt;
    }

    mutable std::once_flag asked_once;
    mutable std::promise<void> asked;
    std::promise<void> may_go_on;
    std::shared_future<void> go_on = may_go_on.get_future().share();
};

TEST_F(RecordPagesTest, ARecordThatIsSlowHoldsUpNoOther) {
    const std::string autumn = folder.file("autumn.db");
    begin(spring);
    begin(autumn);
    SlowAnalyst slow;
    pages = std::make_unique<RecordPages>(*find_records({spring, autumn}), slow, false,
                                          Clock::now, std::string(), PageTimes{1h, 1h});
    std::vector<std::future<Response>> asked;
    for (int i = 0; i < 1000; ++i)
        asked.push_back(ask({"GET", "/record/spring/player-1.html"}));
    slow.asked.get_future().wait();
    EXPECT_EQ(get("/record/autumn/").status, 200);
    slow.may_go_on.set_value();
    int busy = 0;
    for (auto& answered : asked) busy += answered.get().status == 503 ? 1 : 0;
    EXPECT_GT(busy, 0) << "more than wait for one record";
    EXPECT_LT(busy, 1000);
    pages.reset();  // before its analyst
}

TEST_F(RecordPagesTest, EveryRequestIsAnsweredInTheEnd) {
    begin(spring);
    serve({spring});
    std::vector<std::future<Response>> asked;
    for (int i = 0; i < 300; ++i) {
        asked.push_back(ask({"GET", "/record/spring/player-1.html"}));
    }
    pages->stop();
    for (auto& answered : asked) {
        const Response response = answered.get();
        EXPECT_TRUE(response.status == 200 || response.status == 503) << response.status;
    }
    const Response late = get("/record/spring/player-2.html");
    EXPECT_EQ(late.status, 503);
    EXPECT_EQ(header(late, "Retry-After"), "5");
}

}  // namespace arena::web::record_pages_test
