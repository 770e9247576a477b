// The pages of `nim-arena report`, made on request.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "arena/base/clock.hpp"
#include "arena/web/http.hpp"
#include "engine/sums/analyst.hpp"
#include "protocol/result.hpp"

namespace arena::web {

// ---- record_files.cpp: the records, their names, and whether they have changed ----

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

// ---- record_pages.cpp ----

// The source of the time.
using Now = std::function<Clock::time_point()>;

// The most that the work for a request may take, by the real clock.
struct PageTimes {
    Milliseconds reading{15'000};  // of one record
    Milliseconds nimbers{2'000};   // of one page
};

// Pages that the records of a clinic have besides: that of its instructor, and of a student.
inline constexpr std::string_view kClassPage = "class";
std::string own_page(const std::string& name);

// Answers /record/NAME/, its index.html and player-N.html, and their style and script. Records
// are only read; a tournament in this or another process may write to them meanwhile.
class RecordPages : public Site {
  public:
    // `live`: the server has a page at /live. `tokens`: a file, of a clinic; empty: not a
    // clinic. The analyst must outlive this object.
    RecordPages(std::vector<RecordFile> records, const engine::Analyst& analyst, bool live,
                Now now = Clock::now, std::string tokens = {}, PageTimes times = {});
    ~RecordPages() override;

    void answer(Request request, Reply reply) override;

    // Answers 503 to waiting and later requests. Interrupts the making of a page and waits for
    // its end.
    void stop();

  private:
    class Maker;
    std::unique_ptr<Maker> maker_;
};

}  // namespace arena::web
