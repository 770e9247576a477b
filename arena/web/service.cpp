#include "arena/web/service.hpp"

#include <utility>

namespace arena::web {

Service::Service(ServiceOptions options, const engine::Analyst& analyst, Opponents* opponents)
    : options_(std::move(options)),
      routes_(options_.page),
      records_(options_.clinic.empty() ? options_.records : std::vector<RecordFile>(), analyst,
               options_.api.is_live),
      api_(options_.api, analyst, opponents) {
    routes_.add("/api/", api_);
    routes_.add("/record", records_);
    if (options_.clinic.empty()) return;
    clinic_.emplace(ClinicOptions{options_.clinic, options_.records.front(),
                                  !options_.server.certificate.empty()},
                    analyst);
    routes_.add("/clinic", *clinic_);
}

protocol::Result<std::unique_ptr<Service>> Service::start(ServiceOptions options,
                                                          const engine::Analyst& analyst,
                                                          LiveSource* live,
                                                          Opponents* opponents) {
    ApiOptions& api = options.api;
    api.is_clinic = !options.clinic.empty();
    if (api.is_clinic) live = nullptr;
    api.is_live = live != nullptr;
    for (const RecordFile& record : options.records) {
        if (!api.is_clinic) api.records.emplace_back(record.name, record.title);
    }
    std::unique_ptr<Service> service(new Service(std::move(options), analyst, opponents));
    auto server = Server::start(service->options_.server, service->routes_, live);
    if (!server) return server.error();
    service->server_ = *std::move(server);
    return service;
}

std::string Service::url(const std::string& host) const {
    const bool is_secure = !options_.server.certificate.empty();
    std::string address = server_->address();
    if (!host.empty()) address = host + address.substr(address.rfind(':'));
    return (is_secure ? "https://" : "http://") + address + "/";
}

void Service::stop() {
    if (server_) server_->stop();
    api_.close();
    records_.stop();
    if (clinic_) clinic_->stop();
}

}  // namespace arena::web
