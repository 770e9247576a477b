// The web server of the arena with everything that it serves: the page, the API, records, and
// the live state.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arena/web/api.hpp"
#include "arena/web/clinic_pages.hpp"
#include "arena/web/http.hpp"
#include "arena/web/record_pages.hpp"
#include "arena/web/server.hpp"
#include "arena/web/site.hpp"

namespace arena::web {

struct ServiceOptions {
    ServerOptions server;
    ApiOptions api;  // its records and is_live are filled in
    std::vector<RecordFile> records;
    std::string page;  // a folder of page files; empty: the built-in ones
    // The tokens of a clinic, a file: each opens what its owner may see of the only record, and
    // others see neither that nor live games. Empty: not a clinic.
    std::string clinic{};
};

class Service {
  public:
    // `live` (null: nothing to watch), `opponents` (null: no bots) and the analyst must outlive
    // the service. Errors are those of Server::start().
    static protocol::Result<std::unique_ptr<Service>> start(ServiceOptions options,
                                                            const engine::Analyst& analyst,
                                                            LiveSource* live,
                                                            Opponents* opponents);
    ~Service() { stop(); }

    // "http://127.0.0.1:8080/"
    std::string url(const std::string& host = {}) const;
    std::size_t connections() const { return server_->connections(); }
    void stop();

  private:
    Service(ServiceOptions options, const engine::Analyst& analyst, Opponents* opponents);

    ServiceOptions options_;
    Routes routes_;
    RecordPages records_;
    std::optional<ClinicPages> clinic_;
    Api api_;
    std::unique_ptr<Server> server_;  // null until it has started
};

}  // namespace arena::web
