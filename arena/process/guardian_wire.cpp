#include "arena/process/guardian_wire.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace arena::wire {
namespace {

// A sequence of texts, each after its length.
class Writer {
  public:
    void number(std::uint32_t value) {
        bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    void text(std::string_view value) {
        number(static_cast<std::uint32_t>(value.size()));
        bytes_.append(value);
    }
    void long_number(std::uint64_t value) {
        bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    void pairs(const std::vector<std::pair<std::string, std::string>>& list) {
        number(static_cast<std::uint32_t>(list.size()));
        for (const auto& [name, value] : list) {
            text(name);
            text(value);
        }
    }
    std::string take() { return std::move(bytes_); }

  private:
    std::string bytes_;
};

// Reads what a Writer wrote. After an attempt to read beyond the end, ok() is false for good.
class Reader {
  public:
    explicit Reader(std::string_view bytes) : rest_(bytes) {}

    std::uint32_t number() { return plain<std::uint32_t>(); }
    std::uint64_t long_number() { return plain<std::uint64_t>(); }
    std::string text() { return std::string(cut(number())); }
    std::vector<std::pair<std::string, std::string>> pairs() {
        std::vector<std::pair<std::string, std::string>> list;
        for (auto left = number(); left > 0 && ok_; --left) {
            auto name = text();
            auto value = text();
            list.emplace_back(std::move(name), std::move(value));
        }
        return list;
    }
    bool ok() const { return ok_; }
    bool finished() const { return ok_ && rest_.empty(); }

  private:
    template <typename Number>
    Number plain() {
        Number value = 0;
        const auto bytes = cut(sizeof value);
        if (ok_) std::memcpy(&value, bytes.data(), sizeof value);
        return value;
    }
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

}  // namespace

std::string encode(const SpawnRequest& request) {
    Writer writer;
    writer.number(static_cast<std::uint32_t>(request.command.size()));
    for (const auto& word : request.command) writer.text(word);
    writer.text(request.directory);
    writer.pairs(request.environment);
    writer.number(static_cast<std::uint32_t>(request.cores.size()));
    for (const int core : request.cores) writer.number(static_cast<std::uint32_t>(core));
    writer.number(request.clean_environment);
    writer.number(request.private_directory);
    writer.long_number(request.data_limit);
    writer.long_number(request.cpu_limit);
    const UserId user = request.user.value_or(UserId{});
    writer.text(user.name);
    writer.number(user.user);
    writer.number(user.group);
    writer.text(request.filter);
    writer.number(static_cast<std::uint32_t>(request.groups.size()));
    for (const auto& group : request.groups) {
        writer.text(group.parent);
        writer.pairs(group.settings);
        writer.text(group.freezer);
        writer.text(group.cpu);
        writer.number(group.pins);
    }
    writer.number(static_cast<std::uint32_t>(request.rest));
    return writer.take();
}

std::optional<SpawnRequest> decode(std::string_view packet) {
    Reader reader(packet);
    SpawnRequest request;
    for (auto left = reader.number(); left > 0 && reader.ok(); --left) {
        request.command.push_back(reader.text());
    }
    request.directory = reader.text();
    request.environment = reader.pairs();
    for (auto left = reader.number(); left > 0 && reader.ok(); --left) {
        request.cores.push_back(static_cast<int>(reader.number()));
    }
    request.clean_environment = reader.number() != 0;
    request.private_directory = reader.number() != 0;
    request.data_limit = reader.long_number();
    request.cpu_limit = reader.long_number();
    UserId user{reader.text(), reader.number(), reader.number()};  // braces: in this order
    if (!user.name.empty()) request.user = std::move(user);
    request.filter = reader.text();
    for (auto left = reader.number(); left > 0 && reader.ok(); --left) {
        // Braces: in this order.
        request.groups.push_back(ControlGroup{reader.text(), reader.pairs(), reader.text(),
                                              reader.text(), reader.number() != 0});
    }
    request.rest = static_cast<Rest>(reader.number());
    if (!reader.finished()) return std::nullopt;
    return request;
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

std::optional<Packet> receive(int socket, bool wait) {
    Packet packet;
    packet.bytes.resize(kMaxPacket);
    iovec piece{packet.bytes.data(), packet.bytes.size()};
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
        size = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC | (wait ? 0 : MSG_DONTWAIT));
    } while (size < 0 && (errno == EINTR || errno == ECONNRESET));
    if (size < 0) return std::nullopt;

    packet.bytes.resize(static_cast<std::size_t>(size));
    packet.cut = (message.msg_flags & MSG_CTRUNC) != 0;
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
