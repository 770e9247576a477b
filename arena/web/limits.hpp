// Limits of requests: how many an address may send, and which names of this server they may
// use. Time is a parameter.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "arena/game/game_record.hpp"

namespace arena::web {

// A bucket of tokens for each address: it fills at `rate` tokens a second, up to `burst`. Holds
// at most `addresses` buckets; further addresses share one.
class TokenBuckets {
  public:
    TokenBuckets(double rate, double burst, std::size_t addresses = 10'000)
        : rate_(rate), burst_(burst), most_(addresses) {}

    // Takes `tokens` from the bucket of `address`; takes none and returns false if it has
    // fewer.
    bool take(const std::string& address, Clock::time_point now, double tokens = 1);
    std::size_t size() const { return buckets_.size(); }

  private:
    struct Bucket {
        double tokens = 0;
        Clock::time_point filled{};  // when it had that many
    };
    double level(const Bucket& bucket, Clock::time_point now) const;
    Bucket& bucket_of(const std::string& address, Clock::time_point now);
    void forget_full(Clock::time_point now);

    double rate_;
    double burst_;
    std::size_t most_;
    std::unordered_map<std::string, Bucket> buckets_;
    std::optional<Bucket> shared_;
    Clock::time_point swept_{};
};

// Connections from each address.
class ConnectionCounts {
  public:
    explicit ConnectionCounts(std::size_t most) : most_(most) {}
    // At the limit, counts nothing and returns false.
    bool add(const std::string& address);
    void remove(const std::string& address);

  private:
    std::size_t most_;
    std::unordered_map<std::string, std::size_t> counts_;
};

// Bytes of requests and responses in memory, in all and for each address.
class ByteCounts {
  public:
    ByteCounts(std::size_t most, std::size_t most_of_address)
        : most_(most), most_of_address_(most_of_address) {}
    // Counts that a holder of `before` bytes has `now` bytes. If that exceeds a limit, counts
    // nothing and returns false; but a single holder may exceed both limits.
    bool change(const std::string& address, std::size_t before, std::size_t now);

  private:
    std::size_t most_;
    std::size_t most_of_address_;
    std::size_t all_ = 0;
    std::unordered_map<std::string, std::size_t> counts_;
};

// The names of this server. A page of another site whose own name resolves to this machine (DNS
// rebinding) sends that name, and is refused.
class HostNames {
  public:
    // `names`: besides `localhost` and addresses.
    explicit HostNames(std::vector<std::string> names = {}) : names_(std::move(names)) {}

    // Whether a Host header names this server: an IP address, `localhost` or one of the names,
    // with or without a port.
    bool allow(std::string_view host) const;

  private:
    std::vector<std::string> names_;
};

// Whether the Origin header names the same server as the Host header.
bool is_own_origin(std::string_view origin, std::string_view host);

// A target in absolute form, "http://HOST/PATH" (RFC 9112, 3.2.2): its authority, and its path
// and query. nullopt: another form.
struct AbsoluteTarget {
    std::string authority;
    std::string target;
};
std::optional<AbsoluteTarget> split_absolute(std::string_view target);

// The path of a request's target, decoded, and its query. nullopt: a target without a leading
// slash, a segment '.' or '..', a wrong %XX, a control character, an encoded slash, or invalid
// UTF-8.
struct Target {
    std::string path;
    std::string query;
};
std::optional<Target> parse_target(std::string_view target);

// Whether a Content-Type is that of JSON in UTF-8.
bool is_json(std::string_view content_type);

}  // namespace arena::web
