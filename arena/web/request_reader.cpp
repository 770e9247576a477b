// Beast's parser reads the syntax. This reader refuses what Beast accepts but two servers could
// read differently, so that no request can be smuggled inside another one: the length of a body
// is given once, by one digit string, and never by chunks; lines end with CR LF. Host, Origin,
// Sec-Fetch-Site and method are checked as soon as the header is complete, before the body. A
// refusal ends the connection.
#include "arena/web/request_reader.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

namespace arena::web {
namespace {

namespace http = boost::beast::http;
using boost::system::error_code;
using Field = http::field;

constexpr std::string_view kLongHeader = "the header is too long, expected at most 8 KiB";
constexpr std::string_view kLongBody = "the body is too long, expected at most 256 KiB";

std::string_view view(boost::core::string_view text) { return {text.data(), text.size()}; }

}  // namespace

struct RequestReader::Parser {
    Parser() {
        parser.header_limit(kMaxHeader);
        parser.body_limit(kMaxBody);
        parser.eager(false);
    }
    const auto& message() const { return parser.get(); }
    std::string_view field(Field name) const { return view(message()[name]); }
    std::size_t count(Field name) const { return message().count(name); }

    http::request_parser<http::string_body> parser;
    std::size_t header_bytes = 0;  // Beast's header_limit does not add up over calls of put()
    std::size_t checked = 0;       // bytes of the buffer whose lines have been checked
    bool has_header = false;
    Request request;
};

RequestReader::RequestReader(const HostNames& hosts) : hosts_(&hosts) {}
RequestReader::~RequestReader() = default;

RequestReader::State RequestReader::add(std::string_view bytes) {
    if (state_ == State::Refused) return state_;
    buffer_ += bytes;
    if (state_ == State::Whole) return state_;
    if (!parser_) {  // RFC 9112, 2.2
        std::size_t blank = 0;
        while (buffer_.compare(blank, 2, "\r\n") == 0) blank += 2;
        buffer_.erase(0, blank);
    }
    if (buffer_.empty() && !parser_) {
        buffer_.shrink_to_fit();  // an idle connection holds no memory
        return state_ = State::Empty;
    }
    state_ = State::Partial;
    if (buffer_ == "\r" && !parser_) return state_;
    if (!parser_) {
        parser_ = std::make_unique<Parser>();
        is_head_ = false;
    }
    read();
    return state_;
}

void RequestReader::read() {
    if (!parser_->has_header) check_lines();
    if (state_ == State::Refused) return;
    std::size_t used = 0;
    auto& parser = parser_->parser;
    while (state_ == State::Partial && !parser.is_done()) {
        error_code failed;
        const std::size_t size = parser.put(
            boost::asio::const_buffer(buffer_.data() + used, buffer_.size() - used), failed);
        used += size;
        if (!parser_->has_header) parser_->header_bytes += size;
        if (failed && failed != http::error::need_more) {
            if (failed == http::error::header_limit) return refuse(431, kLongHeader);
            if (failed == http::error::body_limit) return refuse(413, kLongBody);
            return refuse(400, fmt::format("not a request: {}", failed.message()));
        }
        if (parser.is_header_done() && !parser_->has_header) check_header();
        if (failed || used == buffer_.size()) break;
    }
    if (state_ == State::Refused) return;
    buffer_.erase(0, used);
    parser_->checked -= std::min(parser_->checked, used);
    if (parser.is_done()) return finish();
    const std::size_t header = parser_->header_bytes + buffer_.size();
    if (!parser_->has_header && header > kMaxHeader) refuse(431, kLongHeader);
}

// Refuses lines that end without CR LF, at which Beast waits for ever, and folded lines, which
// it joins. The buffer begins with a line, because Beast takes whole lines.
void RequestReader::check_lines() {
    std::size_t& checked = parser_->checked;
    for (; checked < buffer_.size(); ++checked) {
        const char before = checked == 0 ? '\0' : buffer_[checked - 1];
        if (before == '\n' && (buffer_[checked] == ' ' || buffer_[checked] == '\t'))
            return refuse(400, "not a request: a line begins with a blank");
        if (buffer_[checked] != '\n') continue;
        if (before != '\r') return refuse(400, "not a request: a line ends without CR");
        const bool is_empty = checked == 1 || buffer_[checked - 2] == '\n';
        if (is_empty) return;  // after it comes the body
    }
}

void RequestReader::check_header() {
    parser_->has_header = true;
    is_head_ = parser_->message().method() == http::verb::head;
    if (parser_->header_bytes > kMaxHeader) return refuse(431, kLongHeader);
    const auto& message = parser_->message();
    if (!check_framing() || !check_names() || !check_method()) return;
    auto path = parse_target(view(message.target()));
    if (!path) return refuse(400, "the target of the request cannot be read");
    if (!check_site(*path) || !check_body(*path)) return;
    Request& request = parser_->request;
    request.method = std::string(view(message.method_string()));
    request.path = *std::move(path);
    request.if_none_match = std::string(parser_->field(Field::if_none_match));
    request.cookie = std::string(parser_->field(Field::cookie));
    keeps_alive_ = message.version() == 11 && message.keep_alive();
}

// These functions return false after refusing the request.
bool RequestReader::check_framing() {
    const std::string_view length = parser_->field(Field::content_length);
    const bool has_digits =
        std::ranges::all_of(length, [](char c) { return c >= '0' && c <= '9'; });
    if (parser_->count(Field::content_length) > 1 || !has_digits) {
        refuse(400, "expected one Content-Length, a number");
    } else if (parser_->count(Field::transfer_encoding) > 0) {
        refuse(400, "expected a Content-Length, and no Transfer-Encoding");
    }
    return state_ != State::Refused;
}

bool RequestReader::check_names() {
    const std::string_view host = parser_->field(Field::host);
    if (parser_->count(Field::host) != 1) {
        refuse(400, "expected one Host header");
    } else if (!hosts_->allow(host)) {
        refuse(403, fmt::format("Host: read '{}', expected a name of this server; --host adds "
                                "names",
                                host));
    } else if (parser_->count(Field::origin) > 0 &&
               (parser_->count(Field::origin) > 1 ||
                !is_own_origin(parser_->field(Field::origin), host))) {
        refuse(403, "Origin: the page is of another site, expected a page of this server");
    }
    return state_ != State::Refused;
}

// Browsers send Origin with few requests, and Sec-Fetch-Site with all. A page of another site
// may link here, but not fetch, frame or show what is here. "same-site" is also another port.
bool RequestReader::check_site(std::string_view path) {
    constexpr auto kSite = "Sec-Fetch-Site";
    const auto& message = parser_->message();
    const std::string_view site = view(message[kSite]);
    const bool is_own = site == "same-origin" || site == "none";
    if (message.count(kSite) == 0 || (message.count(kSite) == 1 && is_own)) return true;
    const bool is_link = view(message["Sec-Fetch-Mode"]) == "navigate" &&
                         view(message["Sec-Fetch-Dest"]) == "document" &&
                         message.method() == http::verb::get;
    const bool is_page = !path.starts_with("/api/");
    parser_->request.is_foreign_link = is_link;
    if (is_link && is_page) return true;
    refuse(403,
           "Sec-Fetch-Site: the page is of another site, expected a page of this server, or a "
           "link to one");
    return false;
}

bool RequestReader::check_method() {
    const auto method = parser_->message().method();
    if (method == http::verb::get || method == http::verb::head || method == http::verb::post)
        return true;
    refuse(405, "expected GET, HEAD or POST");
    refusal_.headers.emplace_back("Allow", "GET, HEAD, POST");
    return false;
}

// Pages of any site can send a form, and some browsers send no Sec-Fetch-Site: so a form says
// by its Origin, which check_names() has compared, that it is on a page of this server.
bool RequestReader::check_body(std::string_view path) {
    const auto& parser = parser_->parser;
    const bool is_post = parser_->message().method() == http::verb::post;
    const std::string_view type = parser_->field(Field::content_type);
    const bool is_page_form = is_form(type) && !path.starts_with("/api/");
    if (!is_post && parser.content_length().value_or(0) > 0) {
        refuse(400, "expected no body but with POST");
    } else if (is_post && (parser_->count(Field::content_type) != 1 ||
                           (!is_page_form && !is_json(type)))) {
        refuse(415, "expected Content-Type: application/json");
    } else if (is_page_form && parser_->count(Field::origin) == 0) {
        refuse(403, "Origin: the form has none, expected a form on a page of this server");
    } else if (parser.content_length().value_or(0) > kMaxBody) {
        refuse(413, kLongBody);
    }
    return state_ != State::Refused;
}

void RequestReader::finish() {
    parser_->request.body = std::move(parser_->parser.get().body());
    state_ = State::Whole;
}

Request RequestReader::take() {
    Request request = std::move(parser_->request);
    parser_.reset();
    state_ = State::Empty;
    return request;
}

void RequestReader::refuse(int status, std::string_view text) {
    refusal_ = refuse_request(status, text);
    state_ = State::Refused;
    keeps_alive_ = false;
    parser_.reset();
    buffer_ = {};
}

}  // namespace arena::web
