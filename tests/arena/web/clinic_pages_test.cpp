#include "arena/web/clinic_pages.hpp"

#include "arena/play/roster.hpp"
#include "arena/record/open_store.hpp"
#include "arena/record/visits.hpp"
#include "arena/web/limits.hpp"
#include "tests/arena/stand_in_analyst.hpp"
#include "tests/arena/store_games.hpp"
#include "tests/arena/web/asking.hpp"
#include "tests/harness/temporary_file.hpp"

namespace arena::web::clinic_pages_test {

using namespace testing;
using namespace std::chrono_literals;

// The cookie that a response sets, as a browser sends it.
std::string cookie_of(const Response& response) {
    const std::string set = header(response, "Set-Cookie");
    return set.substr(0, set.find(';'));
}

// Ann and Bob have played two games against each other; Zoe has not come yet.
class ClinicPagesTest : public ::testing::Test {
  protected:
    void SetUp() override {
        const auto store = *open_sqlite_store(record);
        ASSERT_TRUE(store->open({{"format", "swiss"}, {"name", "Nim <clinic>"}}));
        ASSERT_TRUE(store->join({token_entrant("Ann"), token_entrant("Bob"),
                                 token_entrant("Cid"), token_entrant("Dan")}));
        ASSERT_TRUE(store->plan({round_plan(1)}));
        const auto claims = *store->claim(1);
        ASSERT_TRUE(store->record({finished(claims[0], 1), eventful_game(claims[0], 2)}));
        Visit visit;
        visit.player = 1;
        visit.check = "FAILED       legal             <b>moves\nFAILED: 1 ok, 1 failed\n";
        visit.passed = false;
        ASSERT_TRUE(store->plan({plan_of(visit, 1)}));
        visit.right = 3;
        visit.asked = 4;
        visit.position = "nim:1,<2>";
        visit.said = "2=1";
        visit.better = "2=0";
        visit.check = "ok           start             starts\npassed: 2 ok, 0 failed\n";
        visit.passed = true;
        ASSERT_TRUE(store->plan({plan_of(visit, 2)}));
        for (const char* name : {"Ann", "Bob", "Zoe", "instructor"})
            secrets[name] = *add_token(tokens, name);
        serve();
    }
    void serve(bool is_secure = false) {
        const auto records = find_records({record});
        ASSERT_TRUE(records) << records.error().text;
        pages = std::make_unique<ClinicPages>(
            ClinicOptions{tokens, records->front(), is_secure}, analyst,
            [this] { return time.load(); },
            PageTimes{std::chrono::hours(1), std::chrono::hours(1)});
    }

    Response ask(Request request) { return web::ask(*pages, std::move(request)).get(); }
    Response get(const std::string& path, const std::string& cookie = {}) {
        Request request{"GET", path};
        request.cookie = cookie;
        return ask(std::move(request));
    }
    Response post(const std::string& path, const std::string& body,
                  const std::string& cookie = {}) {
        Request request{"POST", path, body};
        request.cookie = cookie;
        return ask(std::move(request));
    }
    Response log_in(const std::string& name) {
        return post("/clinic/", "token=" + secrets[name]);
    }
    // Whether the cookie opens a page of that player.
    bool opens(const std::string& cookie, const std::string& name) {
        const Response response = get("/clinic/", cookie);
        return response.body->find("<h1>" + name + "</h1>") != std::string::npos;
    }

    std::atomic<Clock::time_point> time = Clock::now();
    ::test::TemporaryFolder folder;
    const std::string record = folder.file("clinic.db");
    const std::string tokens = folder.file("class.tokens");
    std::map<std::string, std::string> secrets;
    StandInAnalyst analyst;
    std::unique_ptr<ClinicPages> pages;
};

TEST_F(ClinicPagesTest, AFormAsksForTheToken) {
    const Response moved = get("/clinic");
    EXPECT_EQ(moved.status, 308);
    EXPECT_EQ(header(moved, "Location"), "/clinic/");
    const Response response = get("/clinic/");
    EXPECT_EQ(response.status, 200);
    EXPECT_THAT(*response.body, HasSubstr("<form method=\"post\" action=\"/clinic/\">"));
    EXPECT_THAT(*response.body, Not(HasSubstr("Ann")));
}

TEST_F(ClinicPagesTest, ATokenOpensThePageOfItsOwnerAlone) {
    const Response response = log_in("Ann");
    EXPECT_EQ(response.status, 303);
    EXPECT_EQ(header(response, "Location"), "/clinic/");
    const std::string page = *get("/clinic/", cookie_of(response)).body;
    EXPECT_THAT(page, AllOf(HasSubstr("<h1>Ann</h1>"), HasSubstr("id=\"games\""),
                            HasSubstr("action=\"/clinic/leave\"")));
    EXPECT_THAT(page, Not(HasSubstr("player-")));
    EXPECT_THAT(page, Not(HasSubstr("index.html")));
}

TEST_F(ClinicPagesTest, TheCookieIsASessionAndNeverTheToken) {
    const Response response = log_in("Ann");
    const std::string set = header(response, "Set-Cookie");
    EXPECT_THAT(set,
                MatchesRegex("clinic=[0-9a-f]{32}; Path=/clinic; HttpOnly; SameSite=Strict"));
    EXPECT_THAT(set, Not(HasSubstr(secrets["Ann"])));
    EXPECT_NE(cookie_of(log_in("Ann")), cookie_of(response)) << "each log-in has its own";
    serve(true);
    EXPECT_THAT(header(log_in("Ann"), "Set-Cookie"), HasSubstr("; Secure"));
}

TEST_F(ClinicPagesTest, TheFormIsDecoded) {
    EXPECT_EQ(post("/clinic/", "a=1&token=+" + secrets["Ann"] + "%20").status, 303);
    EXPECT_EQ(form_value("token=a%2Fb%26c&x=", "token"), "a/b&c");
    EXPECT_EQ(form_value("token=a&x=", "x"), "");
    EXPECT_EQ(form_value("tokens=a&oken=b", "token"), std::nullopt);
    EXPECT_EQ(form_value("token=%", "token"), std::nullopt);
}

TEST_F(ClinicPagesTest, AWrongTokenOpensNothingAndIsNotRepeated) {
    for (const std::string& body :
         {std::string(), std::string("token="), "token=" + std::string(32, '0'),
          "token=" + secrets["Ann"].substr(1), "token=" + secrets["Ann"] + "0",
          "other=" + secrets["Ann"], "{\"token\":\"" + secrets["Ann"] + "\"}"}) {
        const Response response = post("/clinic/", body);
        EXPECT_EQ(response.status, 403) << body;
        EXPECT_THAT(header(response, "Set-Cookie"), IsEmpty());
        EXPECT_THAT(*response.body, Not(HasSubstr(secrets["Ann"].substr(1))));
    }
}

TEST_F(ClinicPagesTest, ATokenInACookieOpensNothing) {
    for (const std::string& cookie : {"clinic=" + secrets["Ann"], "token=" + secrets["Ann"]})
        EXPECT_FALSE(opens(cookie, "Ann")) << cookie;
}

TEST_F(ClinicPagesTest, AnothersPageIsNotFound) {
    const std::string ann = cookie_of(log_in("Ann"));
    for (const char* path :
         {"/clinic/player-1.html", "/clinic/player-2.html", "/clinic/index.html",
          "/clinic/class", "/clinic/of/Ann", "/clinic/of/Bob", "/clinic/x", "/clinics"}) {
        const Response own = get(path, ann), stranger = get(path);
        EXPECT_EQ(own.status, 404) << path;
        EXPECT_EQ(stranger.status, 403) << path;
        for (const Response& response : {own, stranger}) {
            EXPECT_THAT(*response.body, Not(HasSubstr("Bob"))) << path;
            EXPECT_THAT(*response.body, Not(HasSubstr("Ann"))) << path;
        }
    }
    EXPECT_EQ(post("/clinic/player-2.html", "", ann).status, 404);
}

TEST_F(ClinicPagesTest, TheInstructorSeesAll) {
    const std::string cookie = cookie_of(log_in("instructor"));
    const std::string page = *get("/clinic/", cookie).body;
    EXPECT_THAT(page, HasSubstr("<h1>Nim &lt;clinic&gt;</h1>"));
    EXPECT_THAT(page, HasSubstr("<a href=\"player-2.html\">Bob</a>"));
    EXPECT_THAT(page, HasSubstr("<li>Zoe</li>"));
    EXPECT_THAT(page, Not(HasSubstr("<li>instructor</li>")));
    EXPECT_THAT(*get("/clinic/player-2.html", cookie).body, HasSubstr("<h1>Bob</h1>"));
    EXPECT_THAT(*get("/clinic/index.html", cookie).body, HasSubstr("Standings"));
    EXPECT_EQ(get("/clinic/player-9.html", cookie).status, 404);
    EXPECT_EQ(get("/clinics", cookie).status, 404);
    *add_token(tokens, "Yan");
    EXPECT_THAT(*get("/clinic/", cookie).body, HasSubstr("<li>Yan</li>"));
}

TEST_F(ClinicPagesTest, VisitsAreToldTheNewestFirst) {
    const std::string page = *get("/clinic/", cookie_of(log_in("Bob"))).body;
    const auto last = page.find(
        "<details open><summary>1970-01-01 00:00 UTC: check <b "
        "class=\"good\">passed</b>, right answers: 3 of 4 (75 %)");
    const auto first = page.find("check <b class=\"bad\">FAILED</b></summary>");
    ASSERT_NE(last, std::string::npos);
    ASSERT_NE(first, std::string::npos);
    EXPECT_LT(last, first);
    EXPECT_THAT(page, HasSubstr("&lt;b&gt;moves\nFAILED: 1 ok, 1 failed\n</pre>"));
    EXPECT_THAT(page, HasSubstr("<code>nim:1,&lt;2&gt;</code>. The bot said "
                                "<code>2=1</code>; right is <code>2=0</code>. "
                                "<a href=\"/#p=%6E%69%6D%3A%31%2C%3C%32%3E\">"));
    EXPECT_THAT(page, HasSubstr("&lt;b&gt;moves"));
    EXPECT_THAT(*get("/clinic/", cookie_of(log_in("Ann"))).body, Not(HasSubstr("Visits")));
    const std::string all = *get("/clinic/", cookie_of(log_in("instructor"))).body;
    EXPECT_THAT(all,
                HasSubstr("Bob</a></th><td>2</td><td data-sort=\"0\">1970-01-01 00:00 UTC</td>"
                          "<td data-sort=\"1\"><b class=\"good\">passed</b></td>"
                          "<td class=\"h8\" data-sort=\"0.7500\">3 of 4 (75 %)</td>"
                          "<td class=\"list\">nim:1,&lt;2&gt;</td>"));
    EXPECT_THAT(all, HasSubstr("Ann</a></th><td>0</td><td data-sort=\"0\"></td>"
                               "<td data-sort=\"-1\"></td>"));
}

TEST_F(ClinicPagesTest, WhoHasNotConnectedIsToldHow) {
    const std::string page = *get("/clinic/", cookie_of(log_in("Zoe"))).body;
    EXPECT_THAT(page, AllOf(HasSubstr("<h1>Zoe</h1>"), HasSubstr("No bot has come"),
                            HasSubstr("href=\"/bot\"")));
}

TEST_F(ClinicPagesTest, NothingIsKeptByTheBrowser) {
    const std::string ann = cookie_of(log_in("Ann"));
    for (int i = 0; i < 2; ++i) {
        const Response response = get("/clinic/", ann);
        EXPECT_EQ(response.status, 200);
        EXPECT_THAT(response.headers, IsEmpty()) << "the server adds Cache-Control: no-store";
    }
}

TEST_F(ClinicPagesTest, ASessionEndsWithItsToken) {
    const std::string ann = cookie_of(log_in("Ann")), bob = cookie_of(log_in("Bob"));
    ASSERT_TRUE(remove_token(tokens, "Ann"));
    EXPECT_FALSE(opens(ann, "Ann"));
    EXPECT_EQ(log_in("Ann").status, 403);
    secrets["Ann"] = *add_token(tokens, "Ann");
    EXPECT_FALSE(opens(ann, "Ann")) << "a new token opens no session of the old one";
    EXPECT_TRUE(opens(bob, "Bob"));
    EXPECT_TRUE(opens(cookie_of(log_in("Ann")), "Ann"));
}

TEST_F(ClinicPagesTest, ASessionEndsByTheLogOutAndWithTime) {
    const std::string ann = cookie_of(log_in("Ann"));
    EXPECT_TRUE(opens("a=b; " + ann + ";c=d", "Ann"));
    EXPECT_THAT(*get("/clinic/leave", ann).body, HasSubstr("no such page"));
    EXPECT_TRUE(opens(ann, "Ann")) << "a link does not log out";
    const Response left = post("/clinic/leave", "", ann);
    EXPECT_EQ(left.status, 303);
    EXPECT_THAT(header(left, "Set-Cookie"),
                AllOf(StartsWith("clinic=; "), HasSubstr("Max-Age=0")));
    EXPECT_FALSE(opens(ann, "Ann"));
    const std::string later = cookie_of(log_in("Ann"));
    time = time.load() + 12h;
    EXPECT_FALSE(opens(later, "Ann"));
}

TEST_F(ClinicPagesTest, ALinkOnAnotherSiteOpensNothing) {
    Request request{"GET", "/clinic/"};
    request.cookie = cookie_of(log_in("Ann"));
    request.is_foreign_link = true;
    EXPECT_THAT(*ask(request).body, AllOf(HasSubstr("<form"), Not(HasSubstr("Ann"))));
}

TEST_F(ClinicPagesTest, ATokenHasSoManySessions) {
    const std::string first = cookie_of(log_in("Ann")), bob = cookie_of(log_in("Bob"));
    time = time.load() + 1s;
    std::string last;
    for (int i = 0; i < 20; ++i) last = cookie_of(log_in("Ann"));
    EXPECT_FALSE(opens(first, "Ann")) << "the oldest of 21";
    EXPECT_TRUE(opens(last, "Ann"));
    EXPECT_TRUE(opens(bob, "Bob"));
}

}  // namespace arena::web::clinic_pages_test
