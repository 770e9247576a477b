#include "arena/recorder.hpp"

#include <utility>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>

#include "arena/compute.hpp"
#include "arena/names.hpp"
#include "arena/statistics/game_analysis.hpp"
#include "engine/solver/analyst.hpp"

namespace arena {
namespace {


}  // namespace

struct Recorder::Thread {
    boost::asio::thread_pool pool{1};
};

Recorder::Recorder(std::unique_ptr<LineFile> file, const engine::Analyst& analyst,
                   const Names& names, std::uint64_t seed, int most_waiting,
                   std::function<void(const GameRecord&, const Tally&)> on_game,
                   std::function<void(const protocol::Error&)> on_error)
    : thread_(new Thread),
      file_(std::move(file)),
      analyst_(analyst),
      names_(names),
      seed_(seed),
      most_waiting_(most_waiting),
      on_game_(std::move(on_game)),
      on_error_(std::move(on_error)),
      tally_(2) {}

Recorder::~Recorder() { finish(); }

Awaitable<void> Recorder::add(GameRecord record) {
    if (++waiting_ > most_waiting_) {
        const std::function<void()> work = [&] { count(record); };
        co_await compute(thread_->pool, work);
        co_return;
    }
    boost::asio::post(thread_->pool, [this, record = std::move(record)] { count(record); });
}

void Recorder::finish() { thread_->pool.join(); }

Tally Recorder::tally() const {
    const std::lock_guard lock(mutex_);
    return tally_;
}

void Recorder::count(const GameRecord& record) {
    --waiting_;
    if (file_ && !failed_) {
        const auto written = file_->write(json_line(record, names_.all(), seed_));
        if (!written) {
            failed_ = true;
            on_error_(written.error());
        }
    }
    const engine::Budget budget{Clock::now() + kAnalysisTime, {}};
    const GameReview review = review_game(record, analyst_, budget);
    const std::lock_guard lock(mutex_);
    tally_.add(record, review);
    on_game_(record, tally_);
}

}  // namespace arena
