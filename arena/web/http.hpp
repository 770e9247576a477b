// A request and its response as the site sees them: plain values, no sockets and no Beast.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace arena::web {

// A request whose method, Host, Origin and Sec-Fetch-Site the server has checked already.
struct Request {
    std::string method;  // "GET", "HEAD" or "POST"
    std::string path;    // percent-decoded, without the query: "/record/spring/index.html"
    std::string body{};
    std::string if_none_match{};  // the header of that name; empty if there is none
    // The client, as limits count it: an IPv4 address, or the /64 of an IPv6 address.
    std::string client{};
    // True once the client no longer waits for the reply; null: unknown.
    std::shared_ptr<const std::atomic<bool>> is_abandoned{};
    // A person has followed a link on a page of another site, which must start no work here.
    bool is_foreign_link = false;
    std::string cookie{};  // the header of that name
};

struct Response {
    int status = 200;
    std::string type = "text/plain; charset=utf-8";
    // Shared, so that a page is held once for all clients.
    std::shared_ptr<const std::string> body = std::make_shared<const std::string>();
    std::vector<std::pair<std::string, std::string>> headers;  // further ones, such as Allow
};

// `text` as the body of a response of its type.
Response respond(int status, std::string type, std::string text);
// {"error":{"text":…}}: the answer of the API to a request that it refuses.
Response refuse_request(int status, std::string_view text);
// The response with one more header.
Response with_header(Response response, std::string name, std::string value);

// Takes a response, from any thread, once.
using Reply = std::function<void(Response)>;

// Answers requests. Called on the server's thread, which it must not block: what takes long is
// answered later, from another thread. Every reply is called once, at the latest from stop().
class Site {
  public:
    virtual ~Site() = default;
    virtual void answer(Request request, Reply reply) = 0;
};

// What watchers see, as one line of JSON. The version changes with the state, not with what
// only tells how old it is.
struct LiveState {
    std::shared_ptr<const std::string> text;
    std::uint64_t version = 1;
};

// The state that watchers see. The server asks for it at most twice a second.
class LiveSource {
  public:
    virtual ~LiveSource() = default;
    virtual LiveState snapshot() = 0;
    // How many watch from now on.
    virtual void watched_by(std::size_t watchers) = 0;
};

}  // namespace arena::web
