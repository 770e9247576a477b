// Who plays on a server: which number the holder of a name has, and who is there.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "arena/line_limit.hpp"
#include "arena/lobby.hpp"
#include "arena/store/store.hpp"
#include "arena/workforce.hpp"

namespace arena {

// The entrant that the holder of a token is.
Entrant token_entrant(const std::string& name);

// Safe to use from any thread.
class Roster {
  public:
    // What the tournament is told once it has begun; called on the lobby's thread, one at a
    // time.
    struct Events {
        std::function<void(const Entrant&)> joined;
        std::function<void(int player, bool is_present)> present;
    };

    // `taken`: the names of the server's own players, number 0 first, who are there always.
    // `most` players in all.
    Roster(const std::vector<std::string>& taken, std::size_t most)
        : names_(taken), own_(taken.size()), most_(most) {
        is_present_.assign(taken.size(), true);
        for (std::size_t i = 0; i < taken.size(); ++i) numbers_.try_emplace(taken[i], i);
    }

    // One that a record holds, behind the others.
    void add(const std::string& name);

    // ---- what the lobby asks and tells ----
    protocol::Result<int> admit(const std::string& name);
    void came(int player, const Guest& guest, Clock::time_point now = Clock::now());
    void left(int player, const std::string& why, Clock::time_point now = Clock::now());

    // Set when somebody comes.
    const WaitableEvent& arrival() const { return arrival_; }
    std::size_t present() const;
    // All names that have a number.
    std::vector<std::string> names() const;
    // "Ann 0.3 ms, Bob 21 ms": the round trip when each came last, or was asked; empty: nobody
    // came.
    std::string round_trips() const;

    // Who comes and goes, to be told to people: of each player both once a minute at the most.
    void tell(std::function<void(const std::string&)> line);
    // The tournament begins with those whom names() gave, `count` of them: who comes later
    // joins late, or, where `is_closed`, not at all.
    void begin(std::size_t count, bool is_closed, Events events);

  private:
    void tell(LineLimit& limit, Clock::time_point now, const std::string& line);

    // The number of one more.
    std::size_t append(const std::string& name);

    mutable std::mutex mutex_;
    std::vector<std::string> names_;
    std::unordered_map<std::string, std::size_t> numbers_;  // by name
    std::vector<bool> is_present_;
    std::map<int, Microseconds> round_trips_;
    std::map<int, LineLimit> came_;  // by player
    std::map<int, LineLimit> left_;
    std::size_t own_;
    std::size_t most_;
    bool has_begun_ = false;
    bool is_closed_ = false;
    Events events_;
    std::function<void(const std::string&)> line_;
    WaitableEvent arrival_;
};

}  // namespace arena
