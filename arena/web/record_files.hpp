// The records that the server shows: their names, and whether they have changed.
#pragma once

#include <string>
#include <vector>

#include "protocol/result.hpp"

namespace arena::web {

// A record that is served at /record/NAME/.
struct RecordFile {
    std::string name;   // letters, digits and . _ ~ - only, as in an address
    std::string path;   // or a database
    std::string title;  // of the tournament; else `name`
};

// Names records by their files or databases: spring.db is "spring", the next of that stem
// "spring-2". Error: one that cannot be read.
protocol::Result<std::vector<RecordFile>> find_records(const std::vector<std::string>& paths);

// A text that changes whenever the record or its annotations change; empty if there is no such
// file. Made from sizes and times of files only.
std::string record_version(const std::string& path);

}  // namespace arena::web
