#include "arena/web/server.hpp"

#include <sys/socket.h>

#include "protocol/sockets.hpp"
#include "tests/harness/patience.hpp"
#include "tests/harness/temporary_file.hpp"

namespace arena::web::server_test {

using namespace std::chrono_literals;

// Answers with the path, when the test allows it.
class SlowSite : public Site {
  public:
    void answer(Request request, Reply reply) override {
        if (request.path.starts_with("/now"))
            return reply(respond(200, "text/plain", request.path));
        const std::lock_guard lock(mutex_);
        abandoned_ = request.is_abandoned;
        replies_.push_back(std::move(reply));
        changed_.notify_all();
    }
    // Waits for this many requests, and takes them.
    std::vector<Reply> take(std::size_t count) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return replies_.size() >= count; });
        return std::exchange(replies_, {});
    }

    // Whether a client still waits for the last request.
    std::shared_ptr<const std::atomic<bool>> abandoned() {
        const std::lock_guard lock(mutex_);
        return abandoned_;
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Reply> replies_;
    std::shared_ptr<const std::atomic<bool>> abandoned_;
};

// A number that increases at each change, with padding that fills sockets.
class Counter : public LiveSource {
  public:
    LiveState snapshot() override {
        const std::lock_guard lock(mutex_);
        return {
            std::make_shared<const std::string>("state " + std::to_string(number_) + padding_),
            number_ + 1};
    }
    void watched_by(std::size_t watchers) override { watched = watchers; }
    void change() {
        const std::lock_guard lock(mutex_);
        ++number_;
    }
    void pad(std::size_t bytes) {
        const std::lock_guard lock(mutex_);
        padding_.assign(bytes, ' ');
    }
    std::atomic<std::size_t> watched = 0;

  private:
    std::mutex mutex_;
    std::uint64_t number_ = 0;
    std::string padding_;
};

class Client {
  public:
    explicit Client(const Server& server)
        : socket_(*protocol::connect_socket(*protocol::parse_endpoint(server.address()))) {
        const timeval limit{protocol::test::kPatience / 1s, 0};
        ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    }
    void send(std::string_view text) {
        ASSERT_EQ(::send(socket_.get(), text.data(), text.size(), MSG_NOSIGNAL),
                  static_cast<ssize_t>(text.size()));
    }
    void get(const std::string& path) {
        send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }
    // Everything up to `mark`, or up to the end.
    std::string until(std::string_view mark) {
        for (;;) {
            if (const auto at = read_.find(mark); !mark.empty() && at != read_.npos) {
                std::string text = read_.substr(0, at + mark.size());
                read_.erase(0, text.size());
                return text;
            }
            char bytes[65536];
            const auto size = ::recv(socket_.get(), bytes, sizeof bytes, 0);
            if (size <= 0) return std::exchange(read_, {}) + (size < 0 ? "(failed)" : "(end)");
            read_.append(bytes, static_cast<std::size_t>(size));
        }
    }
    std::string rest() { return until({}); }
    void close() { socket_.reset(); }
    // From now on, as the kernel's buffer is small.
    void take_little() {
        const int small = 4096;
        ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    }
    int fd() const { return socket_.get(); }

  private:
    protocol::UniqueFd socket_;
    std::string read_;
};

class ServerTest : public testing::Test {
  protected:
    ServerTest() {
        std::signal(SIGPIPE, SIG_IGN);  // as main() does
        options_.listen = {"127.0.0.1", 0};
        options_.live = 1ms;
        options_.live_rate = 1'000'000'000;
        options_.silence = options_.write = 1h;
    }
    Server& start() {
        auto started = Server::start(options_, site_, &live_);
        if (!started) throw std::runtime_error(started.error().text);
        server_ = *std::move(started);
        return *server_;
    }
    ServerOptions options_;
    SlowSite site_;
    Counter live_;
    std::unique_ptr<Server> server_;
};

TEST_F(ServerTest, AnswersInTheirOrderFromAnyThread) {
    Client client(start());
    client.get("/later");
    client.get("/now/1");
    client.get("/now/2");
    auto replies = site_.take(1);
    std::thread([&] { replies[0](respond(200, "text/plain", "late")); }).join();
    EXPECT_THAT(client.until("late"), testing::HasSubstr("HTTP/1.1 200 OK\r\n"));
    client.until("\r\n\r\n/now/1");
    client.until("\r\n\r\n/now/2");
}

TEST_F(ServerTest, NoConnectionLeavesADescriptorOpen) {
    start();
    std::size_t before = 0;
    for (int i = 0; i < 20; ++i) {
        Client client(*server_);
        client.send("GET /now HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        EXPECT_THAT(client.rest(), testing::EndsWith("/now(end)"));
        if (i == 0) before = ::test::open_descriptors();
    }
    EXPECT_LT(::test::open_descriptors(), before + 10) << "the last may be about to be closed";
}

TEST_F(ServerTest, DropsASecondReply) {
    Client client(start());
    client.get("/later");
    const auto replies = site_.take(1);
    replies[0](respond(200, "text/plain", "first"));
    replies[0](respond(200, "text/plain", "second"));
    client.until("\r\n\r\nfirst");
    client.get("/now");
    EXPECT_THAT(client.until("\r\n\r\n/now"), testing::StartsWith("HTTP/1.1 200 OK\r\n"));
}

TEST_F(ServerTest, AnswersForASiteThatIsLateAndTellsIt) {
    options_.reply = 1ms;
    Client client(start());
    client.get("/later");
    EXPECT_THAT(client.rest(), testing::StartsWith("HTTP/1.1 504 Gateway Timeout\r\n"));
    EXPECT_TRUE(*site_.abandoned());
    site_.take(1)[0](respond(200, "text/plain", "late"));
}

TEST_F(ServerTest, TellsTheSiteWhenAClientHasLeft) {
    for (const std::string more : {"", "GET /now HTTP/1.1\r\nHost: localhost\r\n\r\n"}) {
        Client client(start());
        client.send("GET /later HTTP/1.1\r\nHost: localhost\r\n\r\n" + more);
        const auto replies = site_.take(1);
        const auto abandoned = site_.abandoned();
        EXPECT_FALSE(*abandoned);
        client.close();
        while (!*abandoned) std::this_thread::yield();
    }
}

TEST_F(ServerTest, DoesNotAbandonAnsweredRequests) {
    Client client(start());
    client.get("/later");
    site_.take(1)[0](respond(200, "text/plain", "done"));
    client.until("\r\n\r\ndone");
    client.close();
    server_->stop();
    EXPECT_FALSE(*site_.abandoned());
}

TEST_F(ServerTest, RefusesToPostToTheStream) {
    Client client(start());
    client.send(
        "POST /api/live HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json"
        "\r\nContent-Length: 2\r\n\r\n{}");
    const std::string head = client.until("\r\n\r\n");
    EXPECT_THAT(head, testing::StartsWith("HTTP/1.1 405 Method Not Allowed\r\n"));
    EXPECT_THAT(head, testing::HasSubstr("\r\nAllow: GET, HEAD\r\n"));
}

TEST_F(ServerTest, StopsWithRepliesOutstanding) {
    Client client(start());
    client.get("/later");
    Client watcher(*server_);
    watcher.get("/api/live");
    watcher.until("state");
    Client half(*server_);
    half.send("GET /");
    const auto replies = site_.take(1);
    server_->stop();
    EXPECT_EQ(live_.watched, 0u);
    EXPECT_EQ(client.rest(), "(end)");
    EXPECT_THAT(watcher.rest(), testing::EndsWith("(end)"));
    server_.reset();
    replies[0](respond(200, "text/plain", "too late"));
}

TEST_F(ServerTest, SendsWatchersEachStateOnce) {
    Client watcher(start());
    watcher.get("/api/live");
    const std::string head = watcher.until("\r\n\r\n");
    EXPECT_THAT(head, testing::HasSubstr("Content-Type: text/event-stream\r\n"));
    EXPECT_THAT(head, testing::HasSubstr("Cache-Control: no-store\r\n"));
    EXPECT_EQ(watcher.until("\n\n"), "data: state 0\n\n");
    live_.change();
    EXPECT_EQ(watcher.until("\n\n"), "data: state 1\n\n");
    Client late(*server_);
    late.get("/api/live");
    late.until("\r\n\r\n");
    EXPECT_EQ(late.until("\n\n"), "data: state 1\n\n");
    EXPECT_EQ(live_.watched, 2u);
    live_.change();
    EXPECT_EQ(watcher.until("\n\n"), "data: state 2\n\n");
    EXPECT_EQ(late.until("\n\n"), "data: state 2\n\n");
}

TEST_F(ServerTest, CommentsIntoSilence) {
    options_.silence = 1ms;
    Client watcher(start());
    watcher.get("/api/live");
    watcher.until("state 0\n\n");
    EXPECT_EQ(watcher.until("\n\n"), ": keep-alive\n\n");
}

TEST_F(ServerTest, GivesASlowWatcherTheNewestStateOnly) {
    live_.pad(200'000);
    Client slow(start());
    slow.take_little();
    slow.get("/api/live");
    Client quick(*server_);
    quick.get("/api/live");
    quick.until("state 0");
    for (int i = 1; i <= 20; ++i) {  // the slow watcher has not read its first state
        live_.change();
        quick.until(" " + std::to_string(i) + " ");
    }
    live_.pad(0);
    slow.until("state 0");
    EXPECT_THAT(slow.until("20\n\n"), testing::Not(testing::HasSubstr("state 1")));
}

TEST_F(ServerTest, AWatcherThatIsStillReadingGetsTheEnd) {
    options_.drain = 1h;
    options_.live = 10s;   // one state after the other would leave no time to write them
    live_.pad(3'000'000);  // more than the sockets hold
    Client slow(start());
    slow.get("/api/live");
    slow.until("state 0");
    live_.change();
    std::thread end([this] { server_.reset(); });
    const std::string rest = slow.rest();
    end.join();
    EXPECT_THAT(rest, testing::HasSubstr("state 1 "));
    EXPECT_THAT(rest, testing::EndsWith(" \n\n(end)"));
}

TEST_F(ServerTest, SendsALargeStateLessOften) {
    live_.pad(1'000'000);
    options_.live_rate = 1;  // the next one is sent in weeks
    options_.silence = 0ms;
    Client watcher(start());
    watcher.get("/api/live");
    watcher.until("state 0");
    live_.change();
    watcher.send("x");  // which a watcher must not: it is closed
    EXPECT_THAT(watcher.rest(), testing::Not(testing::HasSubstr("state 1")));
}

TEST_F(ServerTest, ClosesAWatcherThatTakesNothing) {
    live_.pad(8'000'000);
    options_.write = 1ms;
    Client watcher(start());
    watcher.take_little();
    watcher.get("/api/live");
    Client other(*server_);
    other.get("/now");
    other.until("/now");
    EXPECT_LT(watcher.rest().size(), 8'000'000u);
}

TEST_F(ServerTest, ClosesAClientThatTakesNothing) {
    options_.write = 1ms;
    Client client(start());
    client.take_little();
    client.get("/later");
    site_.take(1)[0](respond(200, "text/plain", std::string(16'000'000, 'x')));
    while (::recv(client.fd(), nullptr, 0, MSG_TRUNC) < 0) {
    }
    EXPECT_LT(client.rest().size(), 16'000'000u);
}

TEST_F(ServerTest, HoldsNoStateWithoutWatchers) {
    start();
    live_.change();
    Client watcher(*server_);
    watcher.get("/api/live");
    watcher.until("\r\n\r\n");
    EXPECT_EQ(watcher.until("\n\n"), "data: state 1\n\n");
}

TEST(Server, SaysWhyItCannotListen) {
    SlowSite site;
    ServerOptions options;
    options.listen = {"0.0.0.0", 0};
    const auto open = Server::start(options, site, nullptr);
    ASSERT_FALSE(open);
    EXPECT_EQ(open.error().fault, protocol::Fault::BadInput);
    EXPECT_THAT(
        open.error().text,
        testing::EndsWith("is open to the network, where others can read and change what is "
                          "sent; expected --tls CERT,KEY, or an address such as 127.0.0.1, or "
                          "--insecure"));
    EXPECT_THAT(open.error().text, testing::StartsWith("--listen: 0.0.0.0:"));
    options.insecure = true;
    const auto insecure = Server::start(options, site, nullptr);
    ASSERT_TRUE(insecure);
    options.listen = *protocol::parse_endpoint((*insecure)->address());
    const auto taken = Server::start(options, site, nullptr);
    ASSERT_FALSE(taken);
    EXPECT_EQ(taken.error().fault, protocol::Fault::Disconnected);
}

}  // namespace arena::web::server_test
