#include "arena/web/site.hpp"

#include "tests/arena/web/asking.hpp"
#include "tests/harness/temporary_file.hpp"

namespace arena::web::routes_test {

TEST(Routes, ServeThePage) {
    Routes routes;
    for (const auto* path :
         {"/", "/index.html", "/live", "/live.html", "/puzzles", "/explore", "/bot"}) {
        const Response response = get(routes, path);
        EXPECT_EQ(response.status, 200) << path;
        EXPECT_EQ(response.type, "text/html; charset=utf-8");
        EXPECT_EQ(header(response, "Cache-Control"), "no-cache");
        EXPECT_THAT(*response.body, testing::HasSubstr("<html"));
    }
}

// What a visitor writes runs there: it must reach nothing.
TEST(Routes, GiveTheBotsWorkerNoNetwork) {
    Routes routes;
    EXPECT_EQ(header(get(routes, "/bot_worker.js"), "Content-Security-Policy"),
              "default-src 'none'; script-src blob:; worker-src 'none'");
    EXPECT_EQ(header(get(routes, "/bot.js"), "Content-Security-Policy"), "");
}

TEST(Routes, AnswerNotModifiedToAClientThatHasIt) {
    Routes routes;
    const std::string etag = header(get(routes, "/"), "ETag");
    EXPECT_EQ(get(routes, "/", etag).status, 304);
    EXPECT_EQ(get(routes, "/", "\"x\", W/" + etag).status, 304);
    EXPECT_EQ(get(routes, "/", "\"x\"").status, 200);
}

TEST(Routes, RefuseUnknownPaths) {
    Routes routes;
    const Response response = get(routes, "/nope.html");
    EXPECT_EQ(response.status, 404);
    EXPECT_EQ(*response.body, R"({"error":{"text":"there is no page /nope.html"}})");
    for (const auto* path : {"/page/index.html", "//index.html", "/.html", "/index", "/live/",
                             "/api/x", "/index.html\\"}) {
        EXPECT_EQ(get(routes, path).status, 404) << path;
    }
}

TEST(Routes, RefuseToPostToAPage) {
    Routes routes;
    const Response response = ask(routes, {"POST", "/"}).get();
    EXPECT_EQ(response.status, 405);
    EXPECT_EQ(header(response, "Allow"), "GET, HEAD");
}

struct Echo : Site {
    void answer(Request request, Reply reply) override {
        reply(respond(200, "text/plain", "api " + request.path));
    }
};

TEST(Routes, HandOverByPrefix) {
    Echo echo;
    Routes routes;
    routes.add("/api/", echo);
    EXPECT_EQ(*get(routes, "/api/game").body, "api /api/game");
    EXPECT_EQ(get(routes, "/api").status, 404);
}

TEST(Routes, ReadAFolderEachTime) {
    const ::test::TemporaryFolder folder;
    std::filesystem::create_directory(folder.file("folder.js"));
    std::ofstream(folder.file("a.js")) << "1";
    std::ofstream(folder.file("secret.pem")) << "2";
    Routes routes(folder.path());
    EXPECT_EQ(*get(routes, "/a.js").body, "1");
    EXPECT_EQ(get(routes, "/a.js").type, "text/javascript; charset=utf-8");
    const std::string etag = header(get(routes, "/a.js"), "ETag");
    std::ofstream(folder.file("a.js")) << "3";
    EXPECT_EQ(*get(routes, "/a.js", etag).body, "3");
    for (const auto* path :
         {"/secret.pem", "/", "/folder.js", "/../a.js", "/folder.js/../a.js"})
        EXPECT_EQ(get(routes, path).status, 404) << path;
}

}  // namespace arena::web::routes_test
