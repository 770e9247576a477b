// The JSON interface under /api/, see arena/doc/web.md: what a position is, which moves are
// legal, who wins and why, and what an opponent plays.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arena/web/http.hpp"
#include "engine/rules/catalogue.hpp"
#include "engine/sums/analyst.hpp"

namespace arena::web {

class Opponents;

struct ApiOptions {
    engine::RulesetNames names;             // of --rulesets
    std::chrono::milliseconds think{2000};  // compute time of one request
    std::uint64_t seed = 0;                 // for draws of requests without a seed
    std::vector<std::pair<std::string, std::string>> records{};  // names and titles
    bool is_live = false;
    bool is_clinic = false;
};

// Easy requests are answered by threads of their own, so that they never wait for hard ones.
// Clients take turns in both.
class Api : public Site {
  public:
    // `opponents` may be null: no bots. Both must outlive this object.
    Api(ApiOptions options, const engine::Analyst& analyst, Opponents* opponents);
    ~Api() override;

    void answer(Request request, Reply reply) override;
    // Answers all waiting requests, and ends the threads.
    void close();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace arena::web
