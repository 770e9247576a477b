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

// Where the time comes from.
using Now = std::function<Clock::time_point()>;

// Answers /record/NAME/, its index.html and player-N.html, and the style and script of them.
// Records are only read, and a tournament may be played into them meanwhile, in this process or
// another.
class RecordPages : public Site {
  public:
    // `live`: the server has a page at /live. The analyst must outlive this.
    RecordPages(std::vector<RecordFile> records, const engine::Analyst& analyst, bool live,
                Now now = Clock::now);
    ~RecordPages() override;

    void answer(Request request, Reply reply) override;

    // Answers 503 to requests that wait and to all later ones. Interrupts the making of a page,
    // and waits for that to end.
    void stop();

  private:
    class Maker;
    std::unique_ptr<Maker> maker_;
};

}  // namespace arena::web
