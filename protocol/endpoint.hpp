// Where to listen or to connect: HOST:PORT, or [::1]:PORT for IPv6.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "protocol/result.hpp"

namespace protocol {

struct Endpoint {
    std::string host;  // a name or an address, without brackets
    std::uint16_t port = 0;

    friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

Result<Endpoint> parse_endpoint(std::string_view text);
std::string to_string(const Endpoint& endpoint);

}  // namespace protocol
