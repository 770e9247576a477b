// Parses requests from the bytes of a connection, limits their size, and accepts strict framing
// only. Knows no socket.
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

    // `hosts` must outlive this object.
    explicit RequestReader(const HostNames& hosts);
    ~RequestReader();

    // Parses further bytes. After Whole or Refused it keeps them until the request is taken.
    State add(std::string_view bytes);

    // Takes the request. add({}) then parses the bytes after it.
    Request take();
    // Whether the connection stays open after the request that was taken.
    bool keeps_alive() const { return keeps_alive_; }
    // Whether the refused request is a HEAD, whose answer has no body.
    bool is_head() const { return is_head_; }
    const Response& refusal() const { return refusal_; }

  private:
    struct Parser;

    void read();
    void check_lines();
    void check_header();
    bool check_framing();
    bool check_names();
    bool check_site(std::string_view path);
    bool check_method();
    bool check_body(std::string_view path);
    void finish();
    void refuse(int status, std::string_view text);  // and drops its bytes

    const HostNames* hosts_;
    std::string buffer_;              // not parsed yet
    std::unique_ptr<Parser> parser_;  // in a request
    Response refusal_;
    State state_ = State::Empty;
    bool keeps_alive_ = true;
    bool is_head_ = false;
};

}  // namespace arena::web
