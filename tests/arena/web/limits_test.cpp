#include "arena/web/limits.hpp"

namespace arena::web::limits_test {

TEST(HostNames, AllowAddressesLocalhostAndTheirOwn) {
    const HostNames names({"arena.example.org"});
    for (const auto* host :
         {"localhost", "LOCALHOST:8080", "127.0.0.1", "127.0.0.1:8080", "192.168.1.7:80",
          "[::1]", "[::1]:8080", "[fe80::1]", "arena.example.org", "Arena.Example.Org:443"}) {
        EXPECT_TRUE(names.allow(host)) << host;
    }
}

TEST(HostNames, RefuseAllElse) {
    const HostNames names({"arena.example.org"});
    for (const auto* host : {"",
                             "evil.example",
                             "evil.example:8080",
                             "localhost.evil.example",
                             "localhost.",
                             "evil.arena.example.org",
                             "arena.example.org.",
                             "localhost:",
                             "localhost:x",
                             "localhost:99999",
                             "localhost:80:80",
                             "127.0.0.1.evil.example",
                             "127.0.0.1 ",
                             "127.1",
                             "2130706433",
                             "[::1",
                             "[::1]x",
                             "[evil.example]",
                             "[]",
                             "::1",
                             "a@localhost",
                             "localhost/x"}) {
        EXPECT_FALSE(names.allow(host)) << host;
    }
}

TEST(IsOwnOrigin, ComparesWithTheHost) {
    EXPECT_TRUE(is_own_origin("http://localhost:8080", "localhost:8080"));
    EXPECT_TRUE(is_own_origin("https://Arena.example.org", "arena.example.org"));
    EXPECT_FALSE(is_own_origin("http://localhost:8081", "localhost:8080"));
    EXPECT_FALSE(is_own_origin("http://localhost", "localhost:8080"));
    EXPECT_FALSE(is_own_origin("http://evil.example", "localhost:8080"));
    EXPECT_FALSE(is_own_origin("ftp://localhost:8080", "localhost:8080"));
    EXPECT_FALSE(is_own_origin("localhost:8080", "localhost:8080"));
    EXPECT_FALSE(is_own_origin("null", "localhost:8080"));
    EXPECT_FALSE(is_own_origin("", "localhost:8080"));
    EXPECT_FALSE(is_own_origin("http://localhost:8080/", "localhost:8080"));
}

TEST(ParseTarget, DecodesThePathAndDropsTheQuery) {
    EXPECT_EQ(parse_target("/record/a%20b/%C3%A9.html?x=%20&y"), "/record/a b/é.html");
    EXPECT_EQ(parse_target("/"), "/");
    EXPECT_EQ(parse_target("/..a/.b/c.."), "/..a/.b/c..");
    EXPECT_EQ(parse_target("//x"), "//x");
}

TEST(ParseTarget, RefusesWhatLeadsElsewhere) {
    for (const auto* target : {"",          "*",     "x",      "http://localhost/",
                               "/..",       "/../x", "/x/..",  "/x/./y",
                               "/%2e%2e/x", "/.%2E", "/a%2fb", "/%00",
                               "/%0d%0a",   "/%7f",  "/%",     "/%4",
                               "/%zz",      "/%+1",  "/%-1",   "/%ff",
                               "/a#b",      "/?a#b", "?x"}) {
        EXPECT_FALSE(parse_target(target)) << target;
    }
}

TEST(IsJson, KnowsItsParameters) {
    EXPECT_TRUE(is_json("application/json"));
    EXPECT_TRUE(is_json("Application/JSON; charset=UTF-8"));
    EXPECT_TRUE(is_json("application/json;charset=\"utf-8\""));
    EXPECT_FALSE(is_json(""));
    EXPECT_FALSE(is_json("text/plain"));
    EXPECT_FALSE(is_json("application/json; charset=latin1"));
    EXPECT_FALSE(is_json("text/plain; application/json"));
}

}  // namespace arena::web::limits_test
