// The workers of a shared record, for people and programs.
#pragma once

#include <string>
#include <vector>

#include "arena/record/sharing.hpp"

namespace arena {

// Games a second of the last minute or so; 0 of one that has left or died.
double rate_of(const WorkerStatus& worker);
// Games a second of all workers together.
double rate_of(const std::vector<WorkerStatus>& workers);

// Rows of a table, the first one its head. Speeds are shares of the first worker's.
std::vector<std::vector<std::string>> worker_rows(const std::vector<WorkerStatus>& workers);
// A JSON array, the `workers` of arena/doc/output.md.
std::string workers_json(const std::vector<WorkerStatus>& workers);

}  // namespace arena
