#include "arena/process/guardian_wire.hpp"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

#include "arena/base/files.hpp"

namespace arena::wire {
namespace {

// Writes plain values, and texts after their lengths.
class Writer {
  public:
    template <typename Plain>
    void plain(Plain& value) {
        bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    std::uint32_t length(std::size_t size) {
        auto length = static_cast<std::uint32_t>(size);
        plain(length);
        return length;
    }
    void text(std::string& value) {
        length(value.size());
        bytes_ += value;
    }
    std::string take() { return std::move(bytes_); }

  private:
    std::string bytes_;
};

// Reads what a Writer wrote, by the same calls. After an attempt to read beyond the end all is
// empty.
class Reader {
  public:
    explicit Reader(std::string_view bytes) : rest_(bytes) {}

    template <typename Plain>
    void plain(Plain& value) {
        const auto bytes = cut(sizeof value);
        if (ok_) std::memcpy(&value, bytes.data(), sizeof value);
    }
    // Each entry of a list has at least a byte.
    std::uint32_t length(std::size_t) {
        std::uint32_t length = 0;
        plain(length);
        ok_ = ok_ && length <= rest_.size();
        return ok_ ? length : 0;
    }
    void text(std::string& value) { value = cut(length(0)); }
    bool finished() const { return ok_ && rest_.empty(); }

  private:
    std::string_view cut(std::size_t size) {
        ok_ = ok_ && size <= rest_.size();
        if (!ok_) return {};
        const auto piece = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return piece;
    }

    std::string_view rest_;
    bool ok_ = true;
};

// The parts of a request in their order, for both.
template <typename Wire, typename Plain>
void pass(Wire& wire, Plain& value) {
    wire.plain(value);
}
template <typename Wire>
void pass(Wire& wire, std::string& text) {
    wire.text(text);
}
template <typename Wire>
void pass(Wire& wire, std::pair<std::string, std::string>& pair) {
    wire.text(pair.first);
    wire.text(pair.second);
}
template <typename Wire, typename... Parts>
void pass_all(Wire& wire, Parts&... parts) {
    (pass(wire, parts), ...);
}
template <typename Wire>
void pass(Wire& wire, ControlGroup& group) {
    pass_all(wire, group.parent, group.settings, group.freezer, group.cpu, group.pins);
}
template <typename Wire, typename Part>
void pass(Wire& wire, std::vector<Part>& list) {
    list.resize(wire.length(list.size()));
    for (Part& part : list) pass(wire, part);
}
template <typename Wire>
void pass(Wire& wire, SpawnRequest& request) {
    UserId user = request.user.value_or(UserId{});
    pass_all(wire, request.command, request.directory, request.environment, request.cores,
             request.clean_environment, request.data_limit, request.cpu_limit, user.name,
             user.user, user.group, request.filter, request.groups, request.rest);
    if (!user.name.empty()) request.user = std::move(user);
}

}  // namespace

std::string encode(SpawnRequest request) {
    Writer writer;
    pass(writer, request);
    return writer.take();
}

std::optional<SpawnRequest> decode(std::string_view packet) {
    Reader reader(packet);
    SpawnRequest request;
    pass(reader, request);
    if (!reader.finished()) return std::nullopt;
    return request;
}

protocol::Error failed(int error, const std::string& what) {
    return {is_shortage(error) ? protocol::Fault::Failed : protocol::Fault::BadInput,
            what + ": " + std::strerror(error)};
}

protocol::Error lack(int error, const std::string& what) {
    return {protocol::Fault::Failed, what + ": " + std::strerror(error)};
}

std::string pack(const protocol::Error& error) {
    return (error.fault == protocol::Fault::Failed ? kShort : kFailed) + error.text;
}

int send(int socket, std::string_view bytes, std::span<const int> descriptors) {
    iovec piece{const_cast<char*>(bytes.data()), bytes.size()};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * kMaxDescriptors)> control{};
    msghdr message{};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    if (!descriptors.empty()) {
        message.msg_control = control.data();
        message.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
        cmsghdr* header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(descriptors.size_bytes());
        std::memcpy(CMSG_DATA(header), descriptors.data(), descriptors.size_bytes());
    }
    while (::sendmsg(socket, &message, MSG_NOSIGNAL) < 0) {
        if (errno != EINTR) return errno;
    }
    return 0;
}

std::optional<Packet> receive(int socket) {
    Packet packet;
    // Not filled with zeros: few packets are as long, and each page that is touched costs time.
    const auto buffer = std::make_unique_for_overwrite<char[]>(kMaxPacket);
    iovec piece{buffer.get(), kMaxPacket};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * kMaxDescriptors)> control{};
    msghdr message{};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    // A peer that closes with a packet unread resets the connection: that is reported once,
    // before the packets that it has sent.
    ssize_t size = 0;
    do {
        size = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    } while (size < 0 && (errno == EINTR || errno == ECONNRESET));
    if (size < 0) return std::nullopt;

    packet.bytes.assign(buffer.get(), static_cast<std::size_t>(size));
    const cmsghdr* header = CMSG_FIRSTHDR(&message);
    if (header == nullptr || header->cmsg_type != SCM_RIGHTS) return packet;
    const auto count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
        int fd = -1;
        std::memcpy(&fd, CMSG_DATA(header) + i * sizeof fd, sizeof fd);
        packet.descriptors.emplace_back(fd);
    }
    return packet;
}

}  // namespace arena::wire
