#include "arena/store/leases.hpp"

namespace arena {

bool Leases::held(const PairKey& pair) const {
    const auto lease = leases_.find(pair);
    return lease != leases_.end() && lease->second.end > now_();
}

std::uint64_t Leases::grant(const PairKey& pair, Milliseconds lease) {
    drop(pair);
    const std::uint64_t token = ++last_token_;
    leases_[pair] = {token, now_() + lease};
    pairs_[token] = pair;
    return token;
}

bool Leases::valid(std::uint64_t token, const PairKey& pair) const {
    const auto lease = leases_.find(pair);
    return lease != leases_.end() && lease->second.token == token;
}

std::vector<std::uint64_t> Leases::renew(const std::vector<std::uint64_t>& tokens,
                                         Milliseconds lease) {
    std::vector<std::uint64_t> gone;
    for (const std::uint64_t token : tokens) {
        const auto pair = pairs_.find(token);
        if (pair == pairs_.end())
            gone.push_back(token);
        else
            leases_[pair->second].end = now_() + lease;
    }
    return gone;
}

std::vector<PairKey> Leases::release(const std::vector<std::uint64_t>& tokens) {
    std::vector<PairKey> back;
    for (const std::uint64_t token : tokens) {
        const auto pair = pairs_.find(token);
        if (pair == pairs_.end()) continue;
        back.push_back(pair->second);
        drop(back.back());
    }
    return back;
}

void Leases::drop(const PairKey& pair) {
    const auto lease = leases_.find(pair);
    if (lease == leases_.end()) return;
    pairs_.erase(lease->second.token);
    leases_.erase(lease);
}

std::vector<PairKey> Leases::ended() const {
    const auto now = now_();
    std::vector<PairKey> ended;
    for (const auto& [pair, lease] : leases_) {
        if (lease.end <= now) ended.push_back(pair);
    }
    return ended;
}

}  // namespace arena
