// A request and its response as the site sees them: plain values, no sockets and no Beast.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace arena::web {

// A request whose method, Host and Origin the server has checked already.
struct Request {
    std::string method;  // "GET", "HEAD" or "POST"
    std::string path;    // percent-decoded, without the query: "/record/spring/index.html"
    std::string query;   // as it came, without the '?'
    std::string body;
    std::string if_none_match;  // the header of that name; empty where there is none
    // Who asks, as limits count: an IPv4 address, or the /64 of an IPv6 one.
    std::string client{};
    // True once nobody waits for the reply any more; null: that is not known.
    std::shared_ptr<const std::atomic<bool>> is_abandoned{};
};

struct Response {
    int status = 200;
    std::string type = "text/plain; charset=utf-8";
    // Shared, so that a page that many ask for is held once.
    std::shared_ptr<const std::string> body = std::make_shared<const std::string>();
    std::vector<std::pair<std::string, std::string>> headers;  // further ones, such as Allow
};

// `text` as the body of a response of its type.
Response respond(int status, std::string type, std::string text);
// {"error":{"text":…}}: what the API answers where a request is not understood.
Response refuse_request(int status, std::string_view text);

// Takes a response, from any thread, once.
using Reply = std::function<void(Response)>;

// What is served. Called on the server's thread, which it must not hold up: what takes long is
// answered later, from another thread. Every reply is called once, at the latest from stop().
class Site {
  public:
    virtual ~Site() = default;
    virtual void answer(Request request, Reply reply) = 0;
};

// What watchers are shown: a stream of states. The server asks for both a few times a second.
class LiveSource {
  public:
    virtual ~LiveSource() = default;
    // All that is to be seen now, as one line of JSON.
    virtual std::shared_ptr<const std::string> snapshot() = 0;
    // What has changed since the last call, in the same form; null where nothing has. Every
    // watcher that has taken all changes since its snapshot has seen the present state.
    virtual std::shared_ptr<const std::string> changes() = 0;
};

}  // namespace arena::web
