#include "arena/web/api.hpp"

#include <atomic>
#include <thread>

#include <fmt/format.h>

#include "engine/sums/analyst.hpp"
#include "tests/arena/stand_in_analyst.hpp"
#include "tests/arena/web/asking.hpp"

namespace arena::web::api_test {

class ApiTest : public ::testing::Test {
  protected:
    ApiTest() { think(std::chrono::milliseconds(200)); }

    // Waits for the answer.
    Response ask(const std::string& method, const std::string& path,
                 const std::string& body = {}) {
        return begin(method, path, body).get();
    }

    std::future<Response> begin(const std::string& method, const std::string& path,
                                const std::string& body,
                                std::shared_ptr<const std::atomic<bool>> abandoned = {}) {
        Request request{method, path, body};
        request.is_abandoned = std::move(abandoned);
        return web::ask(*api_, std::move(request));
    }

    std::string told(const std::string& method, const std::string& path,
                     const std::string& body = {}) {
        const Response response = ask(method, path, body);
        return std::to_string(response.status) + " " + *response.body;
    }

    void think(std::chrono::milliseconds time) { think(time, *analyst_); }
    void think(std::chrono::milliseconds time, const engine::Analyst& analyst) {
        const auto names = *engine::RulesetNames::parse("divide = rules{n->n-1:n>=1}");
        api_ =
            std::make_unique<Api>(ApiOptions{.names = names, .think = time}, analyst, nullptr);
    }

    std::unique_ptr<engine::Analyst> analyst_ = engine::make_analyst();
    std::unique_ptr<Api> api_;
};

TEST_F(ApiTest, RefusesUnknownQuestions) {
    EXPECT_EQ(told("GET", "/api/nothing"),
              R"(404 {"error":{"text":"there is no '/api/nothing'; see arena/doc/web.md"}})");
    EXPECT_EQ(told("GET", "/api/game"), R"(405 {"error":{"text":"read GET, expected POST"}})");
    EXPECT_EQ(told("POST", "/api/site", "{}"),
              R"(405 {"error":{"text":"read POST, expected GET"}})");
    EXPECT_EQ(told("POST", "/api/game", "[]"),
              R"(400 {"error":{"text":"the body is not a JSON object"}})");
    EXPECT_EQ(told("POST", "/api/game", R"({"positon": "nim:1"})"),
              R"(400 {"error":{"text":"read the key 'positon', expected position, moves"}})");
    EXPECT_EQ(told("POST", "/api/game", R"({"position": "nim:x"})"),
              R"x(400 {"error":{"text":"read 'x', expected a heap such as 5, (3,5) or (w+1)",)x"
              R"("column":5,"field":"position"}})");
}

TEST_F(ApiTest, AnswersQuickAndCostlyPositions) {
    think(std::chrono::hours(1));
    for (const char* position : {"nim:3,4,5", "rules{n->n-k:k>=1}:3,4,5", "divide:3,2",
                                 "r\\u0075les{n->n-k:k>=1}:3,4,5"}) {
        const Response response =
            ask("POST", "/api/evaluate", std::string(R"({"position": ")") + position + "\"}");
        EXPECT_EQ(response.status, 200) << position;
        EXPECT_NE(response.body->find(R"("outcome":"N")"), std::string::npos) << position;
    }
}

TEST_F(ApiTest, SaysUnknownOnceTheTimeIsUp) {
    const Response response =
        ask("POST", "/api/evaluate",
            R"({"position": "rules{n->x,y:x+y<n&x*y%7!=3}:290,289,288 misere"})");
    EXPECT_EQ(response.status, 200);
    EXPECT_NE(response.body->find(R"("outcome":"unknown")"), std::string::npos);
}

TEST_F(ApiTest, AsksAgainWhatHadNoCore) {
    // One for each lane. With so little time the quick one's answer is the last.
    for (const auto& [position, time] : {std::pair("nim:3,4,5", 10), {"divide:3,4,5", 40}}) {
        const Starved starved;
        think(std::chrono::milliseconds(time), starved);
        const std::string game = fmt::format(R"({{"position": "{}")", position);
        ask("POST", "/api/game", game + "}");  // so that no first time takes the next one's
        const Response response = ask("POST", "/api/reply", game + R"(, "opponent": "eps:0"})");
        EXPECT_NE(response.body->find(R"("proven":true)"), std::string::npos) << *response.body;
        EXPECT_GE(starved.asked, 2);
        api_.reset();
    }
}

TEST_F(ApiTest, AnswersOnTheSlowLaneARequestWithoutKeys) {
    StandInAnalyst unknowing;
    unknowing.knows = false;  // so that it finds no puzzle
    think(std::chrono::milliseconds(40), unknowing);
    const Response response = ask("POST", "/api/puzzle", "{}");
    EXPECT_EQ(response.status, 404) << *response.body;
    api_.reset();
}

TEST_F(ApiTest, LongRulesetsAreNotRepeatedForEachPile) {
    think(std::chrono::hours(1));
    std::string ruleset = "take{1";
    for (int i = 2; i < 30'000; ++i) ruleset += "," + std::to_string(3 * i);
    std::string position = ruleset + "}:5";
    for (int i = 0; i < 499; ++i) position += ",5";
    for (const char* question : {"/api/game", "/api/evaluate"}) {
        const Response response = ask("POST", question, R"({"position": ")" + position + "\"}");
        EXPECT_EQ(response.status, 200);
        EXPECT_LT(response.body->size(), 1'500'000U) << question;
    }
}

TEST_F(ApiTest, DropsWorkForClientsThatHaveLeft) {
    const auto abandoned = std::make_shared<std::atomic<bool>>(true);
    const auto answer = begin("POST", "/api/game", R"({"position": "nim:3"})", abandoned).get();
    EXPECT_EQ(answer.status, 503);
    EXPECT_EQ(
        *answer.body,
        R"({"error":{"text":"the client closed the connection before it was answered"}})");
}

TEST_F(ApiTest, AnswersAllThatWaitsWhenItIsClosed) {
    std::vector<std::future<Response>> answers;
    for (int i = 0; i < 20; ++i) {
        answers.push_back(
            begin("POST", "/api/evaluate",
                  R"({"position": "rules{n->x,y:x+y<n&x*y%7!=3}:90,89 misere"})"));
    }
    api_->close();
    for (auto& answer : answers) {
        const int status = answer.get().status;
        EXPECT_TRUE(status == 200 || status == 503) << status;
    }
    EXPECT_EQ(ask("POST", "/api/game", R"({"position": "nim:3"})").status, 503);
}

}  // namespace arena::web::api_test
