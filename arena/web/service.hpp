// All that a web server of the arena serves, put together: the page, the API, records, and what
// is live.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "arena/web/api.hpp"
#include "arena/web/http.hpp"
#include "arena/web/record_files.hpp"
#include "arena/web/server.hpp"

namespace arena::web {

struct ServiceOptions {
    ServerOptions server;
    ApiOptions api;  // its records and is_live are filled in
    std::vector<RecordFile> records;
    std::string page;  // a folder of page files; empty: those that are built in
};

class Service {
  public:
    // `live` (null: there is nothing to watch), `opponents` (null: no bots) and the analyst
    // outlive it. Errors are those of Server::start().
    static protocol::Result<std::unique_ptr<Service>> start(ServiceOptions options,
                                                            const engine::Analyst& analyst,
                                                            LiveSource* live,
                                                            Opponents* opponents);
    ~Service();

    // "http://127.0.0.1:8080/"
    std::string url() const;
    void stop();

  private:
    struct Impl;
    explicit Service(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace arena::web
