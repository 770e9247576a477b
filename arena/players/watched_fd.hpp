// A descriptor whose readiness to be read is told again and again, without a system call for
// each wait.
#pragma once

#include <functional>
#include <memory>

#include "arena/base/io.hpp"
#include "protocol/unique_fd.hpp"

namespace arena {

// Belongs to the thread of its io_context.
class WatchedFd {
  public:
    WatchedFd(boost::asio::io_context& context, protocol::UniqueFd fd);
    ~WatchedFd();  // closes it

    int get() const;

    // From now on calls `on_event` whenever bytes, an end or an error may have come since the
    // last call: the owner reads until nothing is left. `hung_up`: nobody holds the other end
    // any more. Called while the descriptor is neither closed nor released. Call it once.
    void watch(std::function<void(bool hung_up)> on_event);
    // Calls `on_room` once, when it may be written to, or to fail. Not before the last such
    // call has come.
    void await_room(std::function<void()> on_room);

    // Afterwards nothing is called any more.
    void close();
    protocol::UniqueFd release();

  private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace arena
