// Who holds which pairs, and until when: for backends that one process plays into, so that its
// leases may end with it. Not safe to share by threads.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "arena/game_record.hpp"
#include "arena/store/game_key.hpp"

namespace arena {

// Where the time comes from.
using Now = std::function<Clock::time_point()>;

class Leases {
  public:
    explicit Leases(Now now) : now_(std::move(now)) {}

    // Is there a lease on the pair that has not ended?
    bool held(const PairKey& pair) const;
    // The token of a new lease, which replaces one that has ended.
    std::uint64_t grant(const PairKey& pair, Milliseconds lease);
    // Is this the last token given for the pair, and not given back?
    bool valid(std::uint64_t token, const PairKey& pair) const;

    // The tokens that are not valid.
    std::vector<std::uint64_t> renew(const std::vector<std::uint64_t>& tokens,
                                     Milliseconds lease);
    // The pairs given back.
    std::vector<PairKey> release(const std::vector<std::uint64_t>& tokens);
    // Both games of the pair are recorded.
    void drop(const PairKey& pair);
    // The pairs whose leases have ended, sorted; looks at all leases.
    std::vector<PairKey> ended() const;

  private:
    struct Lease {
        std::uint64_t token = 0;
        Clock::time_point end;
    };

    Now now_;
    std::uint64_t last_token_ = 0;
    std::map<PairKey, Lease> leases_;
    std::map<std::uint64_t, PairKey> pairs_;  // by token; as many as leases
};

}  // namespace arena
