#include "arena/web/service.hpp"

#include <optional>
#include <utility>

#include "arena/web/clinic_pages.hpp"
#include "arena/web/record_pages.hpp"
#include "arena/web/site.hpp"

namespace arena::web {

struct Service::Impl {
    Impl(ServiceOptions given, const engine::Analyst& analyst, bool is_live,
         Opponents* opponents)
        : options(std::move(given)),
          routes(options.page),
          records(options.clinic.empty() ? options.records : std::vector<RecordFile>(), analyst,
                  is_live),
          api(take_api_options(is_live), analyst, opponents) {
        routes.add("/api/", [this](Request request, Reply reply) {
            api.answer(std::move(request), std::move(reply));
        });
        routes.add("/record", [this](Request request, Reply reply) {
            records.answer(std::move(request), std::move(reply));
        });
    }

    void open_clinic(const engine::Analyst& analyst) {
        clinic.emplace(ClinicOptions{options.clinic, options.records.front(),
                                     !options.server.certificate.empty()},
                       analyst);
        routes.add("/clinic", [this](Request request, Reply reply) {
            clinic->answer(std::move(request), std::move(reply));
        });
    }

    ApiOptions take_api_options(bool is_live) {
        ApiOptions api_options = std::move(options.api);
        api_options.is_live = is_live;
        api_options.is_clinic = !options.clinic.empty();
        if (api_options.is_clinic) return api_options;
        for (const RecordFile& record : options.records) {
            api_options.records.emplace_back(record.name, record.title);
        }
        return api_options;
    }

    ServiceOptions options;
    Routes routes;
    RecordPages records;
    std::optional<ClinicPages> clinic;
    Api api;
    std::unique_ptr<Server> server;
};

Service::Service(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Service::~Service() { stop(); }

protocol::Result<std::unique_ptr<Service>> Service::start(ServiceOptions options,
                                                          const engine::Analyst& analyst,
                                                          LiveSource* live,
                                                          Opponents* opponents) {
    if (!options.clinic.empty()) live = nullptr;
    auto impl = std::make_unique<Impl>(std::move(options), analyst, live != nullptr, opponents);
    if (!impl->options.clinic.empty()) impl->open_clinic(analyst);
    auto server = Server::start(impl->options.server, impl->routes, live);
    if (!server) return server.error();
    impl->server = *std::move(server);
    return std::unique_ptr<Service>(new Service(std::move(impl)));
}

std::string Service::url(const std::string& host) const {
    const bool is_secure = !impl_->options.server.certificate.empty();
    std::string address = impl_->server->address();
    if (!host.empty()) address = host + address.substr(address.rfind(':'));
    return (is_secure ? "https://" : "http://") + address + "/";
}

void Service::stop() {
    impl_->server->stop();
    impl_->api.close();
    impl_->records.stop();
    if (impl_->clinic) impl_->clinic->stop();
}

}  // namespace arena::web
