#include "arena/web/clinic_pages.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

#include <fmt/format.h>

#include "arena/process/fingerprint.hpp"
#include "arena/report/html.hpp"
#include "arena/web/clinic_page.hpp"
#include "arena/web/limits.hpp"
#include "protocol/text.hpp"

namespace arena::web {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kHome = "/clinic/";
constexpr std::string_view kLogOut = "/clinic/leave";
constexpr std::string_view kCookie = "clinic=";
constexpr auto kSessionTime = 12h;
constexpr std::ptrdiff_t kMostSessions = 20;  // of one token

// The id of a session among the cookies; empty: none.
std::string_view session_id(std::string_view cookies) {
    for (const auto piece : std::views::split(cookies, ';')) {
        const std::string_view cookie = protocol::trim({piece.begin(), piece.end()});
        if (cookie.starts_with(kCookie)) return cookie.substr(kCookie.size());
    }
    return {};
}

Response page(int status, std::string_view title, std::string_view body) {
    return respond(status, "text/html; charset=utf-8",
                   pages::document(title, body, {.served = true}));
}

// The form that asks for the token. `refused`: why it asks again.
Response entrance(int status, std::string_view refused = {}) {
    const std::string why =
        refused.empty() ? "" : fmt::format("<p class=\"bad\" role=\"alert\">{}</p>\n", refused);
    return page(
        status, "Clinic",
        fmt::format("<main><h1>Clinic</h1>\n<p>What the clinic found of your bot is for you "
                    "alone: your token is in your invitation.</p>\n{}"
                    "<form method=\"post\" action=\"{}\"><label>Token <input type=\"password\" "
                    "name=\"token\" required autofocus autocomplete=\"off\"></label>\n"
                    "<button>Log in</button></form></main>\n",
                    why, kHome));
}

Response no_such_page() {
    return page(404, "Clinic", "<main><h1>There is no such page</h1></main>\n");
}

// To the first page, with the cookie of a session, or without one any more.
Response go_home(const std::string& cookie) {
    Response response = page(303, "Clinic", "<main><h1>Clinic</h1></main>\n");
    response.headers = {{"Location", std::string(kHome)}, {"Set-Cookie", cookie}};
    return response;
}

std::string cookie_text(const std::string& id, std::string_view more, bool is_secure) {
    return fmt::format("{}{}; Path=/clinic; HttpOnly; SameSite=Strict{}{}", kCookie, id,
                       is_secure ? "; Secure" : "", more);
}

}  // namespace

ClinicPages::ClinicPages(ClinicOptions options, const engine::Analyst& analyst, Now now,
                         PageTimes times)
    : options_(std::move(options)),
      now_(now),
      pages_({options_.record}, analyst, false, now, options_.tokens, times) {
    static_cast<void>(tokens_.open(options_.tokens));  // the lobby tells what is wrong with it
}

void ClinicPages::answer(Request request, Reply reply) {
    static_cast<void>(tokens_.refresh());
    if (request.path == "/clinic") {  // links on the pages count from its end
        Response moved = page(308, "Clinic", "<main><h1>Clinic</h1></main>\n");
        moved.headers.emplace_back("Location", kHome);
        return reply(std::move(moved));
    }
    if (request.method == "POST") {
        if (request.path == kHome) return reply(log_in(request));
        if (request.path == kLogOut) return reply(log_out(request));
        return reply(no_such_page());
    }
    const auto session = session_of(request);
    if (session == sessions_.end()) return reply(entrance(request.path == kHome ? 200 : 403));
    show(std::move(request), session->second.name, reply);
}

// A page of another site that links here does not speak for the visitor, whatever it sends.
ClinicPages::Sessions::iterator ClinicPages::session_of(const Request& request) {
    const std::string_view id = session_id(request.cookie);
    if (id.empty() || request.is_foreign_link) return sessions_.end();
    const auto session = sessions_.find(sha256_of(id));
    if (session == sessions_.end() || is_valid(session->second)) return session;
    sessions_.erase(session);
    return sessions_.end();
}

bool ClinicPages::is_valid(const Session& session) const {
    return now_() < session.until &&
           std::ranges::any_of(tokens_.tokens().entries(), [&](const Tokens::Entry& entry) {
               return entry.name == session.name && entry.hash == session.hash;
           });
}

Response ClinicPages::log_in(const Request& request) {
    const auto secret = form_value(request.body, "token");
    const auto name = tokens_.tokens().owner(protocol::trim(secret.value_or("")));
    if (!name) return entrance(403, "This is no token of this clinic, or no longer one.");
    static_cast<void>(log_out(request));
    const auto id = begin_session(*name);
    if (!id) return page(503, "Clinic", "<main><h1>The server is busy</h1></main>\n");
    return go_home(cookie_text(*id, "", options_.is_secure));
}

// Returns its id.
protocol::Result<std::string> ClinicPages::begin_session(const std::string& name) {
    const auto id = draw_secret();
    if (!id) return id;
    std::erase_if(sessions_, [&](const auto& held) { return !is_valid(held.second); });
    const auto is_own = [&](const auto& held) { return held.second.name == name; };
    if (std::ranges::count_if(sessions_, is_own) >= kMostSessions) {
        sessions_.erase(std::ranges::min_element(sessions_, {}, [&](const auto& held) {
            return std::pair(!is_own(held), held.second.until);
        }));
    }
    const auto& entries = tokens_.tokens().entries();
    const auto entry = std::ranges::find(entries, name, &Tokens::Entry::name);
    sessions_[sha256_of(*id)] = {name, entry->hash, now_() + kSessionTime};
    return id;
}

Response ClinicPages::log_out(const Request& request) {
    const auto session = session_of(request);
    if (session != sessions_.end()) sessions_.erase(session);
    return go_home(cookie_text("", "; Max-Age=0", options_.is_secure));
}

// A student has one page, at the path of the first one; the instructor has those of the record
// besides.
void ClinicPages::show(Request request, const std::string& name, const Reply& reply) {
    const bool is_instructor = name == kInstructor;
    if (is_instructor ? !request.path.starts_with(kHome) : request.path != kHome)
        return reply(no_such_page());
    std::string file = request.path.substr(kHome.size());
    if (file.empty()) file = is_instructor ? std::string(kClassPage) : own_page(name);
    request.path = fmt::format("/record/{}/{}", options_.record.name, file);
    request.if_none_match.clear();
    // Nothing of it is to be kept by a browser.
    pages_.answer(std::move(request), [reply](Response response) {
        std::erase_if(response.headers, [](const auto& header) {
            return header.first == "ETag" || header.first == "Cache-Control";
        });
        reply(std::move(response));
    });
}

}  // namespace arena::web
