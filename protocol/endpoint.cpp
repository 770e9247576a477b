#include "protocol/endpoint.hpp"

#include "protocol/heap.hpp"
#include "protocol/scanner.hpp"

namespace protocol {
namespace {

constexpr std::string_view kForm = "HOST:PORT such as localhost:5000 or [::1]:5000";

bool is_host_char(char c) { return is_vertex_char(c) || c == '.' || c == '-'; }
bool is_ipv6_char(char c) { return is_host_char(c) || c == ':' || c == '%'; }

Result<std::string> scan_host(Scanner& scanner) {
    const bool brackets = scanner.accept('[');
    const std::string host(scanner.take_while(brackets ? is_ipv6_char : is_host_char));
    if (host.empty()) return scanner.refuse(kForm);
    if (brackets && !scanner.accept(']')) return scanner.refuse("']' after the address");
    return host;
}

}  // namespace

Result<Endpoint> parse_endpoint(std::string_view text) {
    Scanner scanner(text);
    auto host = scan_host(scanner);
    if (!host) return host.error();
    if (!scanner.accept(':')) return scanner.refuse("':' and a port");

    const std::size_t at = scanner.at();
    const std::string_view digits = scanner.take_while(is_digit);
    if (digits.empty()) return scanner.refuse("a port 0..65535");
    if (!scanner.at_end()) return scanner.refuse(kForm);
    const auto port = parse_number(digits);
    if (!port || *port > 65535) return Scanner::refuse_word(at, digits, "a port 0..65535");
    return Endpoint{*std::move(host), static_cast<std::uint16_t>(*port)};
}

std::string to_string(const Endpoint& endpoint) {
    const bool brackets = endpoint.host.find(':') != std::string::npos;
    const std::string host = brackets ? "[" + endpoint.host + "]" : endpoint.host;
    return host + ":" + std::to_string(endpoint.port);
}

}  // namespace protocol
