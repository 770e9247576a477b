#include "protocol/endpoint.hpp"

#include "tests/protocol/errors.hpp"

namespace protocol::endpoint_test {

TEST(Endpoint, IsReadAndWritten) {
    for (const char* text : {"localhost:5000", "127.0.0.1:0", "[::1]:65535", "a-b.example:1",
                             "[fe80::1%eth0]:80", "snake_case:7"}) {
        const auto endpoint = parse_endpoint(text);
        ASSERT_TRUE(endpoint) << text << ": " << describe(endpoint.error());
        EXPECT_EQ(to_string(*endpoint), text);
    }
    EXPECT_EQ(*parse_endpoint("[::1]:80"), (Endpoint{"::1", 80}));
    EXPECT_EQ(*parse_endpoint("[localhost]:0080"), (Endpoint{"localhost", 80}));
}

constexpr std::string_view kEndpoint = "HOST:PORT such as localhost:5000 or [::1]:5000";
constexpr std::string_view kColonAndPort = "':' and a port";
constexpr std::string_view kPort = "a port 0..65535";

TEST(EndpointError, NamesTheColumn) {
    test::expect_errors(parse_endpoint, {
                                            {"", 1, "the end", kEndpoint},
                                            {":80", 1, "':'", kEndpoint},
                                            {"[]:80", 2, "']'", kEndpoint},
                                            {"localhost", 10, "the end", kColonAndPort},
                                            {"localhost:", 11, "the end", kPort},
                                            {"localhost:65536", 11, "'65536'", kPort},
                                            {"localhost:99999999999999999999", 11,
                                             "'99999999999999999999'", kPort},
                                            {"localhost:-1", 11, "'-'", kPort},
                                            {"::1:80", 1, "':'", kEndpoint},
                                            {"fe80::1:80", 6, "':'", kPort},
                                            {"[::1:80", 8, "the end", "']' after the address"},
                                            {"host:80/x", 8, "'/'", kEndpoint},
                                            {"a b:80", 2, "' '", kColonAndPort},
                                        });
}

}  // namespace protocol::endpoint_test
