#include "protocol/endpoint.hpp"

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

struct Malformed {
    const char* text;
    const char* error;
};

class EndpointError : public testing::TestWithParam<Malformed> {};

TEST_P(EndpointError, NamesTheColumn) {
    const auto endpoint = parse_endpoint(GetParam().text);
    ASSERT_FALSE(endpoint);
    EXPECT_EQ(describe(endpoint.error()), GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(
    Forms, EndpointError,
    testing::Values(
        Malformed{"",
                  "column 1: read the end, expected HOST:PORT such as localhost:5000 or "
                  "[::1]:5000"},
        Malformed{":80",
                  "column 1: read ':', expected HOST:PORT such as localhost:5000 or "
                  "[::1]:5000"},
        Malformed{"[]:80",
                  "column 2: read ']', expected HOST:PORT such as localhost:5000 or "
                  "[::1]:5000"},
        Malformed{"localhost", "column 10: read the end, expected ':' and a port"},
        Malformed{"localhost:", "column 11: read the end, expected a port 0..65535"},
        Malformed{"localhost:65536", "column 11: read '65536', expected a port 0..65535"},
        Malformed{"localhost:99999999999999999999",
                  "column 11: read '99999999999999999999', expected a port 0..65535"},
        Malformed{"localhost:-1", "column 11: read '-', expected a port 0..65535"},
        Malformed{"::1:80",
                  "column 1: read ':', expected HOST:PORT such as localhost:5000 or "
                  "[::1]:5000"},
        Malformed{"fe80::1:80", "column 6: read ':', expected a port 0..65535"},
        Malformed{"[::1:80", "column 8: read the end, expected ']' after the address"},
        Malformed{"host:80/x",
                  "column 8: read '/', expected HOST:PORT such as localhost:5000 or "
                  "[::1]:5000"},
        Malformed{"a b:80", "column 2: read ' ', expected ':' and a port"}));

}  // namespace protocol::endpoint_test
