// The arena talks to the guardian by packets (guardian_wire.hpp): one socket for requests, and
// one channel for each player. Closing a channel kills its player, and closing the request
// socket ends the guardian, so that even a crash of the arena, which closes all, leaves no
// process behind.
#include "arena/process/guardian.hpp"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "arena/process/guardian_wire.hpp"
#include "arena/process/player_folders.hpp"
#include "arena/process/process_table.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Error;
using protocol::Fault;

constexpr Milliseconds kExitTime{30000};  // for the guardian, to clean up and exit
constexpr Milliseconds kPollKilled{20};   // between looks for killed processes
constexpr Milliseconds kAllClosed{100};   // from one socket that its death closes to all

struct SocketPair {
    protocol::UniqueFd ours, theirs;

    bool open() {
        std::array<int, 2> ends{};
        if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
            return false;
        }
        ours.reset(ends[0]);
        theirs.reset(ends[1]);
        return true;
    }
};

bool wait_readable(int fd, Milliseconds limit) {
    const auto until = Clock::now() + limit;
    for (;;) {
        const auto left = std::chrono::ceil<Milliseconds>(until - Clock::now());
        pollfd watched{fd, POLLIN, 0};
        const int ready = ::poll(&watched, 1, static_cast<int>(std::max(left.count(), 0L)));
        if (ready >= 0 || errno != EINTR) return ready > 0;
    }
}

Error gone() {
    return {Fault::Disconnected, "the guardian process is gone, and all players with it"};
}

protocol::Result<PlayerProcess> read_answer(protocol::UniqueFd channel, int requests, Rest rest,
                                            Milliseconds limit) {
    if (!wait_readable(channel.get(), limit)) {
        return Error{Fault::Failed,
                     "it does not run within " + std::to_string(limit.count() / 1000) + " s"};
    }
    auto answer = wire::receive(channel.get());
    if (!answer) return Error{Fault::Failed, std::strerror(errno)};
    if (answer->bytes.empty()) {
        // It writes nothing to the other socket, which is closed, too, if it is gone.
        if (wait_readable(requests, kAllClosed)) return gone();
        return Error{Fault::Failed, "too many files are open in the guardian"};
    }
    const char kind = answer->bytes.front();
    if (kind == wire::kFailed || kind == wire::kShort) {
        return Error{kind == wire::kFailed ? Fault::BadInput : Fault::Failed,
                     answer->bytes.substr(1)};
    }
    const auto started = wire::unpack<wire::StartedBody>(wire::kStarted, answer->bytes);
    const bool has_groups = rest == Rest::Groups;
    if (!started || answer->descriptors.size() != (has_groups ? 5 : 3)) {
        return Error{Fault::Failed, "too many files are open here (see: ulimit -n)"};
    }
    auto& files = answer->descriptors;
    PlayerControl::Groups groups;
    if (has_groups) groups = {std::move(files[3]), std::move(files[4]), started->unified};
    return PlayerProcess{started->pid, std::move(files[0]), std::move(files[1]),
                         std::move(files[2]),
                         PlayerControl(std::move(channel), rest, std::move(groups))};
}

}  // namespace

protocol::Result<Guardian> Guardian::start(Milliseconds answer_time) {
    SocketPair requests;
    if (!requests.open()) {
        const std::string why = std::strerror(errno);
        return Error{Fault::BadInput, "no socket pair for the guardian: " + why};
    }
    // If the guardian is killed, this process inherits its orphans.
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    // A signal between the fork and the first line of the guardian must not end it.
    sigset_t all, before;
    ::sigfillset(&all);
    ::sigprocmask(SIG_SETMASK, &all, &before);
    const pid_t pid = ::fork();
    if (pid == 0) {
        requests.ours.reset();
        run_guardian(std::move(requests.theirs));
    }
    const int error = errno;
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    if (pid < 0) {
        const std::string why = std::strerror(error);
        return Error{Fault::BadInput, "no process for the guardian: " + why};
    }

    const timeval limit{answer_time.count() / 1000, answer_time.count() % 1000 * 1000};
    ::setsockopt(requests.ours.get(), SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    return Guardian(std::move(requests.ours), pid, answer_time);
}

Guardian::~Guardian() {
    if (!requests_) return;
    requests_.reset();
    const protocol::UniqueFd process(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
    if (!process) return;
    if (!wait_readable(process.get(), kExitTime)) ::kill(pid_, SIGKILL);
    int status = 0;
    ::waitpid(pid_, &status, 0);
    if (WIFEXITED(status)) return;

    // It was killed before it could kill all. This process has no other descendants.
    const auto until = Clock::now() + kExitTime;
    while (kill_descendants() && Clock::now() < until) {
        ::poll(nullptr, 0, kPollKilled.count());
    }
}

protocol::Result<PlayerProcess> Guardian::spawn(const SpawnRequest& request) const {
    const auto refuse = [&request](Error error) {
        const std::string program = request.command.empty() ? "" : request.command.front();
        error.text = "cannot start " + protocol::quoted(program) + ": " + error.text;
        return error;
    };
    const auto packet = wire::encode(request);
    if (packet.size() > wire::kMaxPacket) {
        return refuse({Fault::TooLong, "its command line and environment take " +
                                           std::to_string(packet.size()) +
                                           " bytes, more than " +
                                           std::to_string(wire::kMaxPacket)});
    }
    SocketPair channel;
    if (!channel.open()) return refuse({Fault::Failed, std::strerror(errno)});
    const std::array passed{channel.theirs.get()};
    const int error = wire::send(requests_.get(), packet, passed);
    if (error == EPIPE || error == ECONNRESET) return refuse(gone());
    if (error == EAGAIN) return refuse({Fault::Failed, "the guardian reads no requests"});
    if (error != 0) return refuse({Fault::Failed, std::strerror(error)});
    channel.theirs.reset();

    auto player =
        read_answer(std::move(channel.ours), requests_.get(), request.rest, answer_time_);
    if (!player) return refuse(player.error());
    return player;
}

protocol::Result<std::optional<ExitStatus>> PlayerControl::ended() {
    const auto packet = wire::receive(channel_.get());
    if (!packet && errno == EAGAIN) return std::optional<ExitStatus>();
    const auto ended =
        packet ? wire::unpack<ExitStatus>(wire::kEnded, packet->bytes) : std::nullopt;
    if (!ended) return gone();
    return ended;
}

void PlayerControl::end() {
    wake();
    tell(wire::kEnd);
}

void PlayerControl::rest() {
    if (rests_ || rest_ == Rest::None) return;
    rests_ = true;
    if (rest_ == Rest::Signals) return tell(wire::kRest);
    set_frozen(groups_.freezer.get(), groups_.unified, true);
}

void PlayerControl::wake() {
    if (!rests_ || !channel_) return;  // it was moved from
    rests_ = false;
    if (rest_ == Rest::Signals) return tell(wire::kWake);
    set_frozen(groups_.freezer.get(), groups_.unified, false);
}

std::optional<Microseconds> PlayerControl::group_cpu() const {
    if (rest_ != Rest::Groups) return std::nullopt;
    return read_group_cpu(groups_.cpu.get());
}

// Failure means that the player is gone already, which ended() reports.
void PlayerControl::tell(char command) {
    wire::send(channel_.get(), std::string_view(&command, 1));
}

}  // namespace arena
