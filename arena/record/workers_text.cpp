#include "arena/record/sharing.hpp"

#include <cmath>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "arena/base/text_table.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

double seconds(std::chrono::milliseconds time) {
    return std::chrono::duration<double>(time).count();
}

double rounded(double value) { return std::round(value * 100) / 100; }

}  // namespace

double rate_of(const WorkerStatus& worker) { return worker.is_live ? worker.rate : 0; }

double rate_of(const std::vector<WorkerStatus>& workers) {
    double rate = 0;
    for (const WorkerStatus& worker : workers) rate += rate_of(worker);
    return rate;
}

std::vector<std::vector<std::string>> worker_rows(const std::vector<WorkerStatus>& workers) {
    std::vector<std::vector<std::string>> rows{{"worker", "machine", "process", "cores",
                                                "speed", "load", "games", "games/s", "pairs",
                                                "late", "seen"}};
    double reference = 0;
    for (const WorkerStatus& worker : workers) {
        const auto speed = static_cast<double>(worker.info.speed);
        if (reference == 0) reference = speed;
        const auto silence =
            std::chrono::duration_cast<std::chrono::seconds>(worker.silence).count();
        rows.push_back({std::to_string(worker.id), protocol::printable(worker.info.machine, 60),
                        std::to_string(worker.info.process), std::to_string(worker.info.cores),
                        speed > 0 ? fmt::format("{:.0f}%", 100 * speed / reference) : "-",
                        fmt::format("{:.2f}", worker.load), std::to_string(worker.games),
                        worker.is_live ? fmt::format("{:.1f}", rate_of(worker)) : "-",
                        std::to_string(worker.leases), std::to_string(worker.late),
                        worker.is_live
                            ? "now"
                            : duration_text(static_cast<std::uint64_t>(silence)) + " ago"});
    }
    return rows;
}

std::string workers_json(const std::vector<WorkerStatus>& workers) {
    boost::json::array rows;
    for (const WorkerStatus& worker : workers) {
        rows.push_back(
            boost::json::object{{"worker", worker.id},
                                {"machine", protocol::printable(worker.info.machine)},
                                {"process", worker.info.process},
                                {"cores", worker.info.cores},
                                {"machine_cores", worker.info.machine_cores},
                                {"speed", worker.info.speed},
                                {"version", protocol::printable(worker.info.version)},
                                {"live", worker.is_live},
                                {"load", rounded(worker.load)},
                                {"games", worker.games},
                                {"rate", rounded(rate_of(worker))},
                                {"pairs", worker.leases},
                                {"late", worker.late},
                                {"seen_s_ago", rounded(seconds(worker.silence))}});
    }
    return boost::json::serialize(rows);
}

}  // namespace arena
