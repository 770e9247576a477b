// The workers of a shared record, for people and programs.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "arena/record/sharing.hpp"

namespace arena {

// Games a second since it enlisted; 0 of one that has left or died.
double rate_of(const WorkerStatus& worker, std::chrono::system_clock::time_point now);
// Of all of them.
double rate_of(const std::vector<WorkerStatus>& workers,
               std::chrono::system_clock::time_point now);

// Rows of a table, the first one its head. Speeds are shares of the first worker's.
std::vector<std::vector<std::string>> worker_rows(const std::vector<WorkerStatus>& workers,
                                                  std::chrono::system_clock::time_point now);
// A JSON array, the `workers` of arena/doc/output.md.
std::string workers_json(const std::vector<WorkerStatus>& workers,
                         std::chrono::system_clock::time_point now);

}  // namespace arena
