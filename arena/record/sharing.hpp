// What a store adds that many processes share. Each enlists as a worker, claims pairs for as
// long as it renews its lease, and one of them plans at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "arena/game/game_key.hpp"
#include "arena/record/store.hpp"
#include "protocol/result.hpp"

namespace arena {

// A process that plays.
struct WorkerInfo {
    std::string machine;  // its host name
    int process = 0;
    int cores = 0;            // games at a time
    std::uint64_t speed = 0;  // calibrated, to compare machines; 0: not measured
    std::string version;      // of its program
    int machine_cores = 0;    // 0: not known

    friend bool operator==(const WorkerInfo&, const WorkerInfo&) = default;
};

struct WorkerStatus {
    int id = 0;  // from 1, in the order of enlisting
    WorkerInfo info;
    bool is_live = false;                  // its lease has not ended
    double load = 0;                       // load average of its machine
    std::uint64_t games = 0;               // recorded
    std::uint64_t late = 0;                // results dropped because their lease was lost
    std::uint64_t leases = 0;              // pairs
    double rate = 0;                       // games a second, of the last minute or so
    std::chrono::milliseconds silence{0};  // since it was heard of, by the server's clock
};

struct QueueStatus {
    std::uint64_t waiting = 0;  // pairs to be claimed, now or when they are given back
    std::uint64_t leased = 0;   // pairs, by live workers
    std::uint64_t events = 0;   // number of the last one
    bool has_planner = false;   // some process has the lead
    bool is_finished = false;
};

// Games a second of the last minute or so; 0 of one that has left or died.
double rate_of(const WorkerStatus& worker);
// Games a second of all workers together.
double rate_of(const std::vector<WorkerStatus>& workers);

// Workers for people: rows of a table, the first one its head. Speeds are shares of the first
// worker's.
std::vector<std::vector<std::string>> worker_rows(const std::vector<WorkerStatus>& workers);
// A JSON array, the `workers` of arena/doc/output.md.
std::string workers_json(const std::vector<WorkerStatus>& workers);

// A store that processes share.
class Sharing : public Store {
  public:
    Sharing* sharing() override { return this; }

    // Makes this process a worker and gives its id. A thread of the store renews the worker's
    // lease, which holds all pairs that it claims. claim() enlists a process that has not
    // enlisted, without a name.
    virtual protocol::Result<int> enlist(const WorkerInfo& info) = 0;

    // All that have enlisted, by id.
    virtual protocol::Result<std::vector<WorkerStatus>> workers() = 0;
    virtual protocol::Result<QueueStatus> queue() = 0;

    // The hashes of a player's program as the first machine gave them, which may be this one.
    virtual protocol::Result<std::string> build(int player, const std::string& hashes) = 0;
    // Those that were given, by player.
    virtual protocol::Result<std::vector<std::pair<int, std::string>>> builds() = 0;
};

}  // namespace arena
