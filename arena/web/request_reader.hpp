// Parses requests from the bytes of a connection. Limits their size, and refuses all but strict
// framing. Knows no socket.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "arena/web/http.hpp"
#include "arena/web/limits.hpp"

namespace arena::web {

inline constexpr std::size_t kMaxHeader = 8 * 1024;
inline constexpr std::size_t kMaxBody = 256 * 1024;

class RequestReader {
  public:
    enum class State : std::uint8_t {
        Empty,    // between two requests
        Partial,  // in a request
        Whole,    // take() it
        Refused,  // answer refusal() and close; nothing after it is read
    };

    // `hosts` outlives it.
    explicit RequestReader(const HostNames& hosts);
    ~RequestReader();

    // Reads on. After Whole or Refused, bytes are kept until the request has been taken.
    State add(std::string_view bytes);
    State state() const { return state_; }

    // The request. add({}) then parses the bytes that came after it.
    Request take();
    // Whether the connection stays open after the request that was taken.
    bool keeps_alive() const { return keeps_alive_; }
    // True, once a request, where the client waits for "100 Continue" before it sends the body.
    bool wants_continue();
    // Whether the request that was refused is a HEAD: its answer has no body.
    bool is_head() const { return is_head_; }
    const Response& refusal() const { return refusal_; }
    // Refuses the request, and drops what was read of it.
    void refuse(int status, std::string_view text);
    // The bytes that it holds.
    std::size_t size() const;

  private:
    struct Parser;

    void read();
    void check_lines();
    void check_header();
    bool check_framing();
    bool check_names(std::string_view host);
    bool check_method();
    bool check_body();
    void finish();

    const HostNames* hosts_;
    std::string buffer_;              // what has not been parsed yet
    std::unique_ptr<Parser> parser_;  // in a request
    Response refusal_;
    State state_ = State::Empty;
    bool keeps_alive_ = true;
    bool is_head_ = false;
};

}  // namespace arena::web
