#include <boost/json.hpp>

#include "arena/web/questions.hpp"

namespace arena::web::explore_test {

namespace json = boost::json;

Answered ask(const json::object& request, const engine::Budget& budget = {}) {
    static const auto analyst = engine::make_analyst();
    const ApiOptions options{.names = *engine::RulesetNames::parse("evens = take{2,4,6}")};
    return ask_explore({request, options, *analyst, nullptr, 1, budget});
}

std::string told(const json::object& request, const char* key) {
    const Answered answered = ask(request);
    return std::string(std::get<json::object>(answered.what).at(key).as_string());
}

TEST(Explore, AnswersWithAPictureAndItsValues) {
    const Answered answered = ask({{"ruleset", "kayles"}, {"range", "0-3"}});
    EXPECT_TRUE(answered.is_complete);
    const auto& picture = std::get<json::object>(answered.what);
    EXPECT_EQ(picture.at("title"), "Nimbers of kayles 0-3");
    EXPECT_EQ(picture.at("period"), 12);
    EXPECT_EQ(picture.at("csv"),
              "heap,value,winning_moves\r\n0,0,\r\n1,1,0\r\n2,2,0\r\n3,3,\"1,1\"\r\n");
    EXPECT_EQ(std::string(picture.at("svg").as_string()).substr(0, 5), "<svg ");
}

TEST(Explore, ChoosesARangeByTheRuleset) {
    EXPECT_EQ(told({{"ruleset", "evens"}}, "title"), "Nimbers of evens 0-199");
    EXPECT_EQ(told({{"ruleset", "wythoff"}, {"value", "misere"}}, "title"),
              "Misère outcomes of wythoff 20x20");
    EXPECT_EQ(told({{"ruleset", "graph{a->b}"}}, "range"), "");
}

TEST(Explore, SaysWhatItCannotRead) {
    const auto error = [](const json::object& request) {
        const auto found = std::get<ApiError>(ask(request).what);
        return found.field + ": " + found.error.text;
    };
    EXPECT_EQ(error({}), "ruleset: expected a ruleset, such as \"kayles\"");
    EXPECT_EQ(error({{"ruleset", "kayles"}, {"range", "9-5"}}),
              "range: read '5', expected a range that ascends");
    EXPECT_EQ(error({{"ruleset", "kayles"}, {"value", "sums"}}),
              "value: expected \"nimbers\", \"outcomes\", \"misere\" or \"genera\"");
    EXPECT_EQ(error({{"ruleset", "kayles"}, {"picture", "pie"}}),
              "picture: expected \"strip\" or \"plot\"");
    EXPECT_EQ(error({{"ruleset", "kayles"}, {"wrap", 1001}}),
              "wrap: expected a number 0..1000");
}

TEST(Explore, IsIncompleteIfTimeIsShort) {
    EXPECT_FALSE(ask({{"ruleset", "kayles"}}, engine::Budget::spent()).is_complete);
}

}  // namespace arena::web::explore_test
