// TCP as file descriptors of blocking sockets: TCP_NODELAY and SO_KEEPALIVE are on, and a write
// fails once the peer has taken no byte of it for 30 seconds.
#pragma once

#include <functional>
#include <utility>

#include "protocol/endpoint.hpp"
#include "protocol/result.hpp"

namespace protocol {

// Owns a file descriptor and closes it.
class FileDescriptor {
  public:
    explicit FileDescriptor(int fd) : fd_(fd) {}
    FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    FileDescriptor& operator=(FileDescriptor&&) = delete;
    ~FileDescriptor();

    int get() const { return fd_; }

  private:
    int fd_;
};

Result<FileDescriptor> connect_socket(const Endpoint& endpoint);

// Listens, tells of it by `opened` with the endpoint that it got, and hands over each
// connection. `wait_for_room` is called when there is no file descriptor left; false where
// waiting is no use. Returns only with an error.
Error serve_sockets(const Endpoint& endpoint,
                    const std::function<void(const Endpoint&)>& opened,
                    const std::function<void(FileDescriptor)>& accepted,
                    const std::function<bool()>& wait_for_room);

}  // namespace protocol
