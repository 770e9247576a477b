// Looks for mistakes in finished games while others are played.
#pragma once

#include <functional>
#include <memory>

#include "arena/game/game_record.hpp"
#include "arena/game/review.hpp"

namespace arena::web {

// One thread of the lowest priority that is idle most of the time. Reviews the newest games
// where they come faster than it works.
class Reviewer {
  public:
    using Done = std::function<void(const GameRecord&, const GameReview&)>;  // on its thread

    explicit Reviewer(Done done);
    ~Reviewer();

    // From any thread; does not wait.
    void add(std::shared_ptr<const GameRecord> record);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace arena::web
