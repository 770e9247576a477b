// The pages of a clinic, behind a log-in: a student's own, and for the instructor all.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "arena/players/tokens.hpp"
#include "arena/web/http.hpp"
#include "arena/web/record_pages.hpp"
#include "engine/sums/analyst.hpp"

namespace arena::web {

struct ClinicOptions {
    std::string tokens;  // a file; its token of the name `instructor` opens all pages
    RecordFile record;
    bool is_secure = false;  // the server speaks TLS alone
};

// Answers /clinic/. A visitor shows a token once, in a form, and then a cookie that names a
// session: neither is in a page, a link or a log. A session ends with its token, by the
// log-out, after 12 hours, and with the server.
class ClinicPages : public Site {
  public:
    // The analyst must outlive this object.
    ClinicPages(ClinicOptions options, const engine::Analyst& analyst, Now now = Clock::now,
                PageTimes times = {});

    void answer(Request request, Reply reply) override;
    // As RecordPages::stop().
    void stop() { pages_.stop(); }

  private:
    struct Session {
        std::string name;
        std::string hash;  // of its token
        Clock::time_point until;
    };
    using Sessions = std::map<std::string, Session>;  // by the SHA-256 of their ids

    Sessions::iterator session_of(const Request& request);
    bool is_valid(const Session& session) const;
    protocol::Result<std::string> begin_session(const std::string& name);
    Response log_in(const Request& request);
    Response log_out(const Request& request);
    void show(Request request, const std::string& name, const Reply& reply);

    const ClinicOptions options_;
    const Now now_;
    TokenFile tokens_;
    Sessions sessions_;
    RecordPages pages_;
};

}  // namespace arena::web
