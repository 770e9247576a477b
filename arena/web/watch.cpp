#include "arena/web/watch.hpp"

#include <optional>
#include <thread>
#include <utility>

#include "arena/web/lane.hpp"
#include "arena/web/live_feed.hpp"
#include "arena/web/record_files.hpp"
#include "arena/web/reviewer.hpp"
#include "arena/web/service.hpp"
#include "engine/sums/analyst.hpp"

namespace arena::web {
namespace {

constexpr int kNice = 10;

class Watch : public LiveFeed {
  public:
    Watch()
        : LiveFeed([this](auto record) { reviewer_.add(std::move(record)); }),
          reviewer_([this](const GameRecord& record, const GameReview& review) {
              reviewed(record, review);
          }) {}
    // The server ends first: it uses the feed.
    ~Watch() override {
        await_watchers();
        service_.reset();
    }

    protocol::Result<void> start(const PlayOptions& options, const std::string& record) {
        ServiceOptions wanted;
        wanted.server.listen = *options.web.listen;
        wanted.server.insecure = options.insecure;
        wanted.server.certificate = options.web.certificate;
        wanted.server.key = options.web.key;
        wanted.server.hosts = options.web.hosts;
        wanted.server.names = {.listen = "--web", .tls = "--web-tls"};
        wanted.api.seed = options.seed;
        if (!record.empty()) {
            auto records = find_records({record});
            if (!records) return records.error();
            wanted.records = *std::move(records);
        }
        auto service = Service::start(std::move(wanted), *analyst_, this, nullptr);
        if (!service) return service.error();
        service_ = *std::move(service);
        return {};
    }

    std::string url() const override { return service_->url() + "live"; }

  private:
    Reviewer reviewer_;
    // Separate from that of the players, so that they never wait for a request.
    std::unique_ptr<engine::Analyst> analyst_ = engine::make_analyst();
    std::unique_ptr<Service> service_;
};

}  // namespace

protocol::Result<std::unique_ptr<Spectator>> open_watch(const PlayOptions& options,
                                                        const std::string& record) {
    std::optional<protocol::Result<void>> started;
    std::unique_ptr<Watch> watch;
    // Threads inherit the priority of the thread that starts them, which none can raise again.
    std::thread starter([&] {
        lower_priority(kNice);
        watch = std::make_unique<Watch>();
        started = watch->start(options, record);
    });
    starter.join();
    if (!*started) return started->error();
    return std::unique_ptr<Spectator>(std::move(watch));
}

}  // namespace arena::web
