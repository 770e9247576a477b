// The pages of `nim-arena report`, made on request.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "arena/base/clock.hpp"
#include "arena/web/http.hpp"
#include "arena/web/record_files.hpp"
#include "engine/sums/analyst.hpp"

namespace arena::web {

// The source of the time.
using Now = std::function<Clock::time_point()>;

// Answers /record/NAME/, its index.html and player-N.html, and their style and script. Records
// are only read; a tournament in this or another process may write to them meanwhile.
class RecordPages : public Site {
  public:
    // `live`: the server has a page at /live. The analyst must outlive this object.
    RecordPages(std::vector<RecordFile> records, const engine::Analyst& analyst, bool live,
                Now now = Clock::now);
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
