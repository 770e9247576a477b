#include "arena/players/sockets.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "tests/arena/loop.hpp"

namespace arena::sockets_test {

using protocol::Endpoint;
using protocol::Fault;
using namespace testing;

std::unique_ptr<Listener> listen_on(const std::string& host) {
    auto listener = Listener::open({host, 0});
    if (!listener) throw std::runtime_error(listener.error().text);
    return *std::move(listener);
}

Endpoint endpoint_of(const Listener& listener) {
    return *protocol::parse_endpoint(listener.address());
}

protocol::UniqueFd finish(Loop& loop, Awaitable<protocol::Result<protocol::UniqueFd>> task) {
    auto socket = loop.finish(std::move(task));
    if (!socket) throw std::runtime_error(socket.error().text);
    return *std::move(socket);
}

bool has_no_delay(const protocol::UniqueFd& socket) {
    int on = 0;
    socklen_t size = sizeof on;
    EXPECT_EQ(::getsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, &size), 0);
    return on != 0;
}

// Waits for the text of a non-blocking peer.
std::string read(const protocol::UniqueFd& socket) {
    ::fcntl(socket.get(), F_SETFL, 0);
    std::array<char, 100> text{};
    const ssize_t size = ::read(socket.get(), text.data(), text.size());
    return std::string(text.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
}

// A loopback port without a listener, reserved so that the system does not assign it.
struct SilentPort {
    protocol::UniqueFd socket{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    Endpoint endpoint{"127.0.0.1", 0};

    SilentPort() {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        auto* any = reinterpret_cast<sockaddr*>(&address);
        EXPECT_EQ(::bind(socket.get(), any, size), 0);
        EXPECT_EQ(::getsockname(socket.get(), any, &size), 0);
        endpoint.port = ntohs(address.sin_port);
    }
};

void expect_conversation(const std::string& host) {
    Loop loop;
    const auto listener = listen_on(host);
    auto accepted = loop.start(listener->accept(loop.context(), in_the_end()));
    EXPECT_FALSE(accepted->has_value());
    const protocol::UniqueFd caller =
        finish(loop, dial(loop.context(), endpoint_of(*listener), in_the_end()));
    const auto answerer = loop.finish(accepted);
    ASSERT_TRUE(answerer) << answerer.error().text;

    EXPECT_TRUE(has_no_delay(caller));
    EXPECT_TRUE(has_no_delay(*answerer));
    EXPECT_EQ(::write(caller.get(), "ugi\n", 4), 4);
    EXPECT_EQ(read(*answerer), "ugi\n");
    EXPECT_EQ(::write(answerer->get(), "ugiok\n", 6), 6);
    EXPECT_EQ(read(caller), "ugiok\n");
}

TEST(Sockets, DialAndAccept) { expect_conversation("127.0.0.1"); }

TEST(Sockets, DialAndAcceptByName) { expect_conversation("localhost"); }

TEST(Sockets, DialAndAcceptOverIpv6) {
    if (!Listener::open({"::1", 0})) GTEST_SKIP() << "no IPv6 here";
    expect_conversation("::1");
}

TEST(Listener, FillsInThePort) {
    EXPECT_THAT(listen_on("127.0.0.1")->address(), MatchesRegex("127\\.0\\.0\\.1:[1-9][0-9]*"));
    if (const auto listener = Listener::open({"::1", 0})) {
        EXPECT_THAT((*listener)->address(), MatchesRegex("\\[::1\\]:[1-9][0-9]*"));
    }
}

TEST(Listener, IsNotOpenToTheNetworkByDefault) {
    const auto refused = Listener::open({"0.0.0.0", 0});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().text,
              "listen://0.0.0.0:0 is open to the network, and whoever dials in there first "
              "plays; expected an address such as 127.0.0.1, or nim-arena serve, which asks "
              "for tokens, or --insecure");
    EXPECT_TRUE(Listener::open({"0.0.0.0", 0}, true));
}

TEST(Listener, AcceptsWhoDialledBefore) {
    Loop loop;
    const auto listener = listen_on("127.0.0.1");
    const auto where = endpoint_of(*listener);
    std::vector<protocol::UniqueFd> callers;
    for (int i = 0; i < 3; ++i) {
        callers.push_back(finish(loop, dial(loop.context(), where, in_the_end())));
        const std::string word = std::to_string(i);
        EXPECT_EQ(::write(callers.back().get(), word.data(), word.size()), 1);
    }
    for (int i = 0; i < 3; ++i) {
        // They have dialled already, so the deadline does not matter.
        const protocol::UniqueFd bot = finish(loop, listener->accept(loop.context(), past()));
        EXPECT_EQ(read(bot), std::to_string(i));
    }
}

// As a bot that is ended and started again before its first game.
TEST(Listener, PassesOverWhoHasHungUp) {
    Loop loop;
    const auto listener = listen_on("127.0.0.1");
    const auto where = endpoint_of(*listener);
    auto gone = finish(loop, dial(loop.context(), where, in_the_end()));
    const linger until_told{1, 60};  // close() waits until the listener has the end
    EXPECT_EQ(::setsockopt(gone.get(), SOL_SOCKET, SO_LINGER, &until_told, sizeof until_told),
              0);
    gone.reset();
    const auto caller = finish(loop, dial(loop.context(), where, in_the_end()));
    EXPECT_EQ(::write(caller.get(), "2", 1), 1);
    EXPECT_EQ(read(finish(loop, listener->accept(loop.context(), in_the_end()))), "2");
}

TEST(Listener, ServesSeveralLoops) {
    const auto listener = listen_on("127.0.0.1");
    Loop first;
    Loop second;
    auto here = first.start(listener->accept(first.context(), in_the_end()));
    auto there = second.start(listener->accept(second.context(), in_the_end()));
    Loop dialling;
    const auto where = endpoint_of(*listener);
    std::array<protocol::UniqueFd, 2> callers;
    for (protocol::UniqueFd& caller : callers) {
        caller = finish(dialling, dial(dialling.context(), where, in_the_end()));
    }
    EXPECT_TRUE(first.finish(here));
    EXPECT_TRUE(second.finish(there));
}

TEST(Listener, GivesUpInTime) {
    Loop loop;
    const auto listener = listen_on("127.0.0.1");
    for (const auto deadline : {past(), soon()}) {
        const auto bot = loop.finish(listener->accept(loop.context(), deadline));
        ASSERT_FALSE(bot);
        EXPECT_EQ(bot.error().fault, Fault::TimedOut);
        EXPECT_EQ(bot.error().text, "no bot dialled in on " + listener->address() + " in time");
    }
}

TEST(Listener, SaysWhyItCannotListen) {
    const auto taken = listen_on("127.0.0.1");
    const auto second = Listener::open(endpoint_of(*taken));
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().text,
              "cannot listen on " + taken->address() + ": Address already in use");

    const auto elsewhere = Listener::open({"192.0.2.1", 0});  // an address of no machine
    ASSERT_FALSE(elsewhere);
    EXPECT_EQ(elsewhere.error().text,
              "cannot listen on 192.0.2.1:0: Cannot assign requested address");
}

TEST(Dial, SaysThatNobodyListens) {
    Loop loop;
    const SilentPort silent;
    const auto refused = loop.finish(dial(loop.context(), silent.endpoint, in_the_end()));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().fault, Fault::Disconnected);
    EXPECT_EQ(refused.error().text,
              "cannot connect to " + to_string(silent.endpoint) + ": Connection refused");
}

TEST(Dial, GivesUpInTime) {
    Loop loop;
    // Linux queues one connection more than the queue's length and does not answer others.
    SilentPort busy;
    ASSERT_EQ(::listen(busy.socket.get(), 0), 0);
    const protocol::UniqueFd waiting =
        finish(loop, dial(loop.context(), busy.endpoint, in_the_end()));
    const auto given_up = loop.finish(dial(loop.context(), busy.endpoint, soon()));
    ASSERT_FALSE(given_up);
    EXPECT_EQ(given_up.error().fault, Fault::TimedOut);
    EXPECT_EQ(given_up.error().text,
              "cannot connect to " + to_string(busy.endpoint) + " in time");
}

TEST(Dial, SaysThatAHostIsUnknown) {
    Loop loop;
    // A label has at most 63 bytes, so no name server is asked.
    const Endpoint nowhere{std::string(100, 'x'), 5000};
    const auto failed = loop.finish(dial(loop.context(), nowhere, in_the_end()));
    ASSERT_FALSE(failed);
    EXPECT_THAT(failed.error().text, StartsWith("cannot connect to " + to_string(nowhere)));
}

}  // namespace arena::sockets_test
