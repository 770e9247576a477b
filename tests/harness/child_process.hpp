// A program under test, with pipes for its standard input and output.
#pragma once

#include <sys/types.h>

#include "protocol/line_buffer.hpp"

namespace protocol::test {

class ChildProcess {
  public:
    // Looks up arguments[0] in PATH. Standard error is redirected to standard output.
    explicit ChildProcess(const std::vector<std::string>& arguments);
    ~ChildProcess();  // kills it if it is still running
    ChildProcess(const ChildProcess&) = delete;

    pid_t pid() const { return pid_; }

    // Returns false if the program no longer reads.
    bool write(std::string_view text) const;
    void close_input();
    void close_output();
    void send_signal(int number) const;

    // The next line; nullopt at the end of output. Silence for kPatience is a failure.
    std::optional<std::string> read_line();
    std::vector<std::string> read_lines();  // up to the end of output

    // The exit status, 128 + the signal that killed it, or -1 if it has not ended within
    // kPatience.
    int wait();

  private:
    pid_t pid_ = -1;
    int in_ = -1;
    int out_ = -1;
    LineBuffer lines_;
};

// A connection to 127.0.0.1, from the side of the peer of the program under test.
class Connection {
  public:
    explicit Connection(int fd) : fd_(fd) {}
    Connection(Connection&& other) noexcept;
    ~Connection();

    static Connection dial(int port);  // what is written in pieces is sent in pieces

    bool write(std::string_view text) const;
    void shut_down_writing() const;
    void reset();  // closes it so that the program's next read fails
    std::optional<std::string> read_line();

  private:
    int fd_;
    LineBuffer lines_;
};

// A listening socket on a free port of 127.0.0.1.
class Listener {
  public:
    Listener();
    ~Listener();

    int port() const { return port_; }
    Connection accept() const;

  private:
    int fd_;
    int port_ = 0;
};

}  // namespace protocol::test
