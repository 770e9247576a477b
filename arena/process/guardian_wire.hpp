// The protocol between the arena and the guardian. Both are the same program, forked, so
// numbers are sent as they lie in memory.
//
// The request socket carries a packet for each player to start, with the guardian's end of a
// channel for that player. On this channel the guardian answers kStarted, with the pipes, or
// kFailed or kShort, with a text; the arena may send kEnd, and (for Rest::Signals) kRest and
// kWake; the guardian's last message is kEnded. All sockets are SOCK_SEQPACKET: a packet
// arrives whole or not at all.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arena/process/guardian.hpp"
#include "protocol/result.hpp"
#include "protocol/unique_fd.hpp"

namespace arena::wire {

constexpr std::size_t kMaxPacket = 128 * 1024;  // well below a socket's buffer
constexpr std::size_t kMaxDescriptors = 5;

constexpr char kEnd = 'e';
constexpr char kRest = 'r';
constexpr char kWake = 'w';

// The first byte of the guardian's messages on a player's channel.
// Then StartedBody; with it in, out, err, and for Rest::Groups the files freezer and CPU time.
constexpr char kStarted = 'S';
constexpr char kFailed = 'F';  // then a text
constexpr char kShort = 'M';   // the same, where the machine lacks what it takes
constexpr char kEnded = 'E';   // then ExitStatus

struct StartedBody {
    pid_t pid;
    bool unified;  // the freezer is of version 2
};

std::string encode(SpawnRequest request);
std::optional<SpawnRequest> decode(std::string_view packet);

// `kind` and the bytes of `body` as a packet, and back.
template <typename Body>
std::string pack(char kind, const Body& body) {
    return kind + std::string(reinterpret_cast<const char*>(&body), sizeof body);
}
template <typename Body>
std::optional<Body> unpack(char kind, std::string_view packet) {
    Body body;
    if (packet.size() != 1 + sizeof body || packet[0] != kind) return std::nullopt;
    packet.copy(reinterpret_cast<char*>(&body), sizeof body, 1);
    return body;
}

// "WHAT: WHY" for a step of a start that failed with this errno. Fault::Failed: the machine
// lacks what it takes.
protocol::Error failed(int error, const std::string& what);
// The same for a step of the arena's own: whatever the error, no player is guilty.
protocol::Error lack(int error, const std::string& what);
// kFailed or kShort, and the text.
std::string pack(const protocol::Error& error);

struct Packet {
    std::string bytes;  // empty: end of file
    std::vector<protocol::UniqueFd> descriptors;
};

// 0, or errno. Never raises SIGPIPE.
int send(int socket, std::string_view bytes, std::span<const int> descriptors = {});
// The next packet; nullopt if there is none yet or reading fails, with the reason in errno.
// Descriptors are received closed on exec.
std::optional<Packet> receive(int socket);

}  // namespace arena::wire

namespace arena {

// The guardian itself (guardian_process.cpp). Serves requests until the arena is gone, then
// kills every descendant that is left, and exits. Runs in a process of its own, forked from the
// arena.
[[noreturn]] void run_guardian(protocol::UniqueFd requests);

}  // namespace arena
