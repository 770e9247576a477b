#include "arena/web/request_reader.hpp"

#include "tests/arena/web/asking.hpp"

namespace arena::web::request_reader_test {

using State = RequestReader::State;

const HostNames kHosts;
constexpr std::string_view kGet = "GET /x?y=1 HTTP/1.1\r\nHost: localhost\r\n\r\n";

std::string post(std::string_view headers, std::string_view body) {
    return "POST /api/x HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
           std::string(headers) + "\r\n" + std::string(body);
}

std::string get(std::string_view headers) {
    return "GET / HTTP/1.1\r\nHost: localhost\r\n" + std::string(headers) + "\r\n";
}

// The status of the error; 0 if there is none.
int status_of(std::string_view bytes) {
    RequestReader reader(kHosts);
    if (reader.add(bytes) != State::Refused) return 0;
    return reader.refusal().status;
}

TEST(RequestReader, ReadsARequest) {
    RequestReader reader(kHosts);
    ASSERT_EQ(reader.add("GET /a%20b?y=1 HTTP/1.1\r\nHost: localhost:80\r\n"
                         "If-None-Match: \"1\"\r\n\r\n"),
              State::Whole);
    const Request request = reader.take();
    EXPECT_EQ(request.method, "GET");
    EXPECT_EQ(request.path, "/a b");
    EXPECT_EQ(request.if_none_match, "\"1\"");
    EXPECT_TRUE(reader.keeps_alive());
    EXPECT_EQ(reader.add({}), State::Empty);
}

TEST(RequestReader, ReadsByteByByte) {
    const std::string bytes = post("Content-Length: 5\r\n", "{\n\n\n}") + std::string(kGet) +
                              post("Content-Length: 3\r\n", "{ }");
    RequestReader reader(kHosts);
    std::vector<std::string> bodies;
    for (const char byte : bytes) {
        const State state = reader.add({&byte, 1});
        ASSERT_NE(state, State::Refused) << *reader.refusal().body;
        if (state == State::Whole) bodies.push_back(reader.take().body);
    }
    EXPECT_THAT(bodies, testing::ElementsAre("{\n\n\n}", "", "{ }"));
    EXPECT_EQ(reader.add({}), State::Empty);
}

TEST(RequestReader, KeepsWhatFollows) {
    RequestReader reader(kHosts);
    ASSERT_EQ(reader.add(std::string(kGet) + post("Content-Length: 2\r\n", "{}GET")),
              State::Whole);
    EXPECT_EQ(reader.add({}), State::Whole);
    EXPECT_EQ(reader.take().method, "GET");
    ASSERT_EQ(reader.add({}), State::Whole);
    EXPECT_EQ(reader.take().body, "{}");
    EXPECT_EQ(reader.add({}), State::Partial);
    EXPECT_EQ(reader.add(" / HTTP/1.1\r\nHost: [::1]:1\r\n\r\n"), State::Whole);
}

TEST(RequestReader, LetsEmptyLinesPassHoweverTheyCome) {
    RequestReader reader(kHosts);
    EXPECT_EQ(reader.add("\r"), State::Partial);
    EXPECT_EQ(reader.add("\n"), State::Empty);
    EXPECT_EQ(reader.add("\r\n" + std::string(kGet)), State::Whole);
    EXPECT_EQ(RequestReader(kHosts).add("\r\n\r\n" + std::string(kGet)), State::Whole);
}

TEST(RequestReader, ClosesAfterHttp10OrWhenAsked) {
    RequestReader old(kHosts);
    ASSERT_EQ(old.add("GET / HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n"),
              State::Whole);
    EXPECT_FALSE(old.keeps_alive());
    RequestReader asked(kHosts);
    ASSERT_EQ(asked.add(get("Connection: close\r\n")), State::Whole);
    EXPECT_FALSE(asked.keeps_alive());
}

TEST(RequestReader, RefusesBeforeTheBodyArrives) {
    EXPECT_EQ(status_of(post("Content-Length: 262145\r\n", "")), 413);
    EXPECT_EQ(status_of(post("Content-Length: 99999999999999999999999\r\n", "")), 400);
    EXPECT_EQ(status_of("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n"
                        "Content-Length: 9\r\n\r\n"),
              415);
    EXPECT_EQ(status_of("PUT / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n"), 405);
    RequestReader reader(kHosts);
    ASSERT_EQ(reader.add("get / HTTP/1.1\r\n"
                         "Host: localhost\r\n\r\n"),
              State::Refused);
    EXPECT_EQ(reader.refusal().status, 405);
    EXPECT_EQ(header(reader.refusal(), "Allow"), "GET, HEAD, POST");
}

TEST(RequestReader, TakesABodyOfTheLargestSize) {
    const std::string body(kMaxBody, ' ');
    RequestReader reader(kHosts);
    ASSERT_EQ(reader.add(post("Content-Length: 262144\r\n", body)), State::Whole);
    EXPECT_EQ(reader.take().body, body);
}

TEST(RequestReader, LimitsTheHeader) {
    EXPECT_EQ(status_of("GET /" + std::string(9000, 'x')), 431);
    EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: localhost\r\nX: " + std::string(9000, 'x')),
              431);
    std::string many;
    for (int i = 0; i < 2000; ++i) many += "X: y\r\n";
    EXPECT_EQ(status_of(get(many)), 431);
    EXPECT_EQ(status_of(get("X: " + std::string(8000, 'x') + "\r\n")), 0);
}

TEST(RequestReader, RefusesHostsAndOriginsOfOthers) {
    EXPECT_EQ(status_of("GET / HTTP/1.1\r\n\r\n"), 400);
    EXPECT_EQ(status_of(get("Host: localhost\r\n")), 400);
    EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n"), 403);
    const std::string own = "Origin: http://localhost\r\n", evil = "Origin: http://evil\r\n";
    EXPECT_EQ(status_of(get(evil)), 403);
    EXPECT_EQ(status_of(get("Origin: null\r\n")), 403);
    EXPECT_EQ(status_of(get(own + evil)), 403);
    EXPECT_EQ(status_of(get(own)), 0);
}

TEST(RequestReader, ReadsCookies) {
    RequestReader reader(kHosts);
    ASSERT_EQ(reader.add(get("Cookie: a=1; b=2\r\n")), State::Whole);
    EXPECT_EQ(reader.take().cookie, "a=1; b=2");
    ASSERT_EQ(reader.add(kGet), State::Whole);
    EXPECT_EQ(reader.take().cookie, "");
}

TEST(RequestReader, TakesFormsOfItsOwnPagesOnly) {
    const auto status = [](const std::string& path, const std::string& headers) {
        return status_of("POST " + path +
                         " HTTP/1.1\r\nHost: localhost:80\r\nContent-Type: "
                         "application/x-www-form-urlencoded\r\n" +
                         headers + "Content-Length: 3\r\n\r\na=b");
    };
    const std::string own = "Origin: http://localhost:80\r\n";
    EXPECT_EQ(status("/clinic/", own), 0);
    EXPECT_EQ(status("/clinic/", own + "Sec-Fetch-Site: same-origin\r\n"), 0);
    EXPECT_EQ(status("/clinic/", own + "Sec-Fetch-Site: cross-site\r\n"), 403);
    for (const char* origin : {"", "Origin: null\r\n", "Origin: http://localhost:81\r\n",
                               "Origin: http://evil.example\r\n"}) {
        EXPECT_EQ(status("/clinic/", origin), 403) << origin;
    }
    EXPECT_EQ(status("/clinic/", "Sec-Fetch-Site: same-origin\r\n"), 403);
    EXPECT_EQ(status("/api/x", own), 415);
    EXPECT_EQ(status("/clinic/", own + "Content-Type: application/json\r\n"), 415);
}

TEST(RequestReader, RefusesWhatAPageOfAnotherSiteFetches) {
    const auto status = [](const std::string& path, const std::string& site,
                           const std::string& mode, const std::string& dest) {
        return status_of(
            "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: " + site +
            "\r\nSec-Fetch-Mode: " + mode + "\r\nSec-Fetch-Dest: " + dest + "\r\n\r\n");
    };
    for (const std::string site : {"cross-site", "same-site", "", "new-word"}) {
        EXPECT_EQ(status("/record/spring/", site, "no-cors", "image"), 403);
        EXPECT_EQ(status("/record/spring/", site, "navigate", "iframe"), 403);
        EXPECT_EQ(status("/api/live", site, "cors", "empty"), 403);
        EXPECT_EQ(status("/api/site", site, "navigate", "document"), 403);
        EXPECT_EQ(status("/record/spring/", site, "navigate", "document"), 0) << "a link";
        EXPECT_EQ(status_of("POST /record/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                            "application/json\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: "
                            "document\r\nSec-Fetch-Site: " +
                            site + "\r\n\r\n"),
                  403)
            << "a form";
    }
    for (const std::string site : {"same-origin", "none"})
        EXPECT_EQ(status("/api/site", site, "cors", "empty"), 0);
    EXPECT_EQ(status_of(get("Sec-Fetch-Site: same-origin\r\nSec-Fetch-Site: cross-site\r\n")),
              403);
}

TEST(RequestReader, TellsALinkOfAnotherSite) {
    for (const std::string site : {"cross-site", "none"}) {
        RequestReader reader(kHosts);
        ASSERT_EQ(reader.add(get("Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n"
                                 "Sec-Fetch-Site: " +
                                 site + "\r\n")),
                  State::Whole);
        EXPECT_EQ(reader.take().is_foreign_link, site == "cross-site");
    }
}

// Each of these could be read as two different requests.
TEST(RequestReader, RefusesDoubtfulFrames) {
    const std::string chunks = "0\r\n\r\n";
    for (const std::string& bytes : {
             post("Content-Length: 2\r\nContent-Length: 2\r\n", "{}"),
             post("Content-Length: 2\r\nContent-Length: 3\r\n", "{}"),
             post("Content-Length: 2, 2\r\n", "{}"),
             post("Content-Length: +2\r\n", "{}"),
             post("Content-Length: -2\r\n", "{}"),
             post("Content-Length: 0x2\r\n", "{}"),
             post("Content-Length: \r\n", "{}"),
             post("Content-Length: 2\r\nTransfer-Encoding: chunked\r\n", chunks),
             post("Transfer-Encoding: chunked\r\nContent-Length: 2\r\n", chunks),
             post("Transfer-Encoding: gzip, chunked\r\n", chunks),
             post("Transfer-Encoding: xchunked\r\n", chunks),
             post("Transfer-Encoding : chunked\r\n", chunks),
             post("Content-Length : 2\r\n", "{}"),
             post(" Content-Length: 2\r\n", "{}"),
             post("Content-Length: 2\n", "{}"),
             post("X: y\nContent-Length: 2\r\n", "{}"),
             post("X: y\rZ: 1\r\n", ""),
             post("Content\0-Length: 2\r\n", "{}"),
             std::string("GET / HTTP/1.1\nHost: localhost\n\n"),
             std::string("GET / HTTP/1.0\r\nHost: localhost\r\nTransfer-Encoding: chunked"
                         "\r\n\r\n0\r\n\r\n"),
             std::string("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}"),
             std::string("GET / HTTP/2.0\r\nHost: localhost\r\n\r\n"),
             std::string("GET  / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
             std::string("GET /\r\n\r\n"),
             std::string("GET / HTTP/1.1 x\r\nHost: localhost\r\n\r\n"),
             std::string("GET / http/1.1\r\nHost: localhost\r\n\r\n"),
             std::string("GET /../x HTTP/1.1\r\nHost: localhost\r\n\r\n"),
             std::string("GET http://localhost/../x HTTP/1.1\r\nHost: localhost\r\n\r\n"),
             std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11),
         }) {
        EXPECT_EQ(status_of(bytes), 400) << bytes;
    }
}

TEST(RequestReader, ReadsNothingAfterARefusal) {
    RequestReader reader(kHosts);
    ASSERT_EQ(reader.add("GET / HTTP/1.1\n\n"), State::Refused);
    EXPECT_EQ(reader.add(kGet), State::Refused);
    EXPECT_FALSE(reader.keeps_alive());
}

}  // namespace arena::web::request_reader_test
