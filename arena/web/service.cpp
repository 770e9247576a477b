#include "arena/web/service.hpp"

#include <utility>

namespace arena::web {

Service::Service(ServiceOptions options, const engine::Analyst& analyst, bool is_live,
                 Opponents* opponents)
    : options_(std::move(options)),
      routes_(options_.page),
      records_(options_.clinic.empty() ? options_.records : std::vector<RecordFile>(), analyst,
               is_live),
      api_(take_api_options(is_live), analyst, opponents) {
    routes_.add("/api/", api_);
    routes_.add("/record", records_);
}

void Service::open_clinic(const engine::Analyst& analyst) {
    clinic_.emplace(ClinicOptions{options_.clinic, options_.records.front(),
                                  !options_.server.certificate.empty()},
                    analyst);
    routes_.add("/clinic", *clinic_);
}

ApiOptions Service::take_api_options(bool is_live) {
    ApiOptions api_options = std::move(options_.api);
    api_options.is_live = is_live;
    api_options.is_clinic = !options_.clinic.empty();
    if (api_options.is_clinic) return api_options;
    for (const RecordFile& record : options_.records) {
        api_options.records.emplace_back(record.name, record.title);
    }
    return api_options;
}

protocol::Result<std::unique_ptr<Service>> Service::start(ServiceOptions options,
                                                          const engine::Analyst& analyst,
                                                          LiveSource* live,
                                                          Opponents* opponents) {
    if (!options.clinic.empty()) live = nullptr;
    std::unique_ptr<Service> service(
        new Service(std::move(options), analyst, live != nullptr, opponents));
    if (!service->options_.clinic.empty()) service->open_clinic(analyst);
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
