// A program under test, with pipes for its standard input and output.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/line_buffer.hpp"

namespace protocol::test {

class ChildProcess {
  public:
    // arguments[0] is found in PATH. Standard error goes where standard output goes.
    explicit ChildProcess(const std::vector<std::string>& arguments);
    ~ChildProcess();  // kills it if it still runs
    ChildProcess(const ChildProcess&) = delete;

    // False where the program does not read any more.
    bool write(std::string_view text) const;
    void close_input();
    void close_output();
    void send_signal(int number) const;

    // The next line; nullopt at the end of output, and after ten seconds of silence.
    std::optional<std::string> read_line();
    std::vector<std::string> read_lines();  // all up to the end

    // The exit status, 128 + the signal that killed it, or -1 where it has not ended within ten
    // seconds.
    int wait();

  private:
    pid_t pid_ = -1;
    int in_ = -1;
    int out_ = -1;
    LineBuffer lines_;
};

// A connection to 127.0.0.1, as seen by the other side of the program under test.
class Connection {
  public:
    explicit Connection(int fd) : fd_(fd) {}
    Connection(Connection&& other) noexcept;
    ~Connection();

    static Connection dial(int port);

    bool write(std::string_view text) const;
    void shut_down_writing() const;
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
