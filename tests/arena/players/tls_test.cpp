#include "arena/players/tls.hpp"

#include <fcntl.h>
#include <sys/socket.h>

#include "tests/arena/loop.hpp"
#include "tests/arena/players/ends.hpp"
#include "tests/harness/temporary_file.hpp"

namespace arena::tls_test {

using protocol::Fault;
using protocol::Result;
using protocol::UniqueFd;
using namespace testing;

// A self-signed certificate for "localhost".
struct Certificate {
    Certificate() {
        const std::string command =
            "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 "
            "-subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout " +
            key + " -out " + file + " 2>/dev/null";
        if (std::system(command.c_str()) != 0) throw std::runtime_error("no certificate");
    }
    ::test::TemporaryFolder folder;
    std::string file = folder.file("cert.pem");
    std::string key = folder.file("key.pem");
};

// A connected server and client, on one thread.
class TlsTest : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        std::signal(SIGPIPE, SIG_IGN);
        certificate_ = new Certificate();
    }
    static void TearDownTestSuite() { delete std::exchange(certificate_, nullptr); }

    TlsTest() {
        auto [one, other] = socket_ends(SOCK_NONBLOCK);
        client_wire_ = std::move(one);
        server_wire_ = std::move(other);
    }

    Awaitable<Result<UniqueFd>> dial(const std::string& host = "localhost",
                                     Clock::time_point deadline = in_the_end()) {
        return client_->bridge(loop_.context(), std::move(client_wire_), host, deadline);
    }
    Awaitable<Result<UniqueFd>> receive(Clock::time_point deadline = in_the_end()) {
        return server_->bridge(loop_.context(), std::move(server_wire_), {}, deadline);
    }

    // This many bytes, or those before the end, followed by "(end)".
    static std::string hear(Loop& loop, const UniqueFd& socket, std::size_t size) {
        std::string heard;
        loop.run_until([&] {
            std::array<char, 65536> piece;
            ssize_t got = 1;
            while (got > 0 && heard.size() < size) {
                got = ::read(socket.get(), piece.data(),
                             std::min(piece.size(), size - heard.size()));
                if (got > 0) heard.append(piece.data(), static_cast<std::size_t>(got));
            }
            if (got == 0) heard += "(end)";
            return got == 0 || heard.size() >= size;
        });
        return heard;
    }
    static void say(const UniqueFd& socket, const std::string& text) {
        ASSERT_EQ(::write(socket.get(), text.data(), text.size()),
                  static_cast<ssize_t>(text.size()));
    }

    static Certificate* certificate_;
    Loop loop_;
    UniqueFd client_wire_, server_wire_;
    std::shared_ptr<const Tls> client_ = *Tls::client(certificate_->file);
    std::shared_ptr<const Tls> server_ = *Tls::server(certificate_->file, certificate_->key);
};

Certificate* TlsTest::certificate_ = nullptr;

TEST_F(TlsTest, CarriesBothWays) {
    const auto received = loop_.start(receive());
    const auto client = loop_.finish(dial());
    const auto server = loop_.finish(received);
    ASSERT_TRUE(client && server);
    say(*server, "ugi\n");
    EXPECT_EQ(hear(loop_, *client, 4), "ugi\n");
    // More than all buffers on the way hold together.
    const std::string much(100'000, 'x');
    std::string heard;
    for (int i = 0; i < 20; ++i) {
        say(*client, much);
        heard += hear(loop_, *server, much.size());
    }
    EXPECT_EQ(heard.size(), 20 * much.size());
}

TEST_F(TlsTest, LosesNothingSentRightAfterTheHandshake) {
    const auto received = loop_.start(receive());
    const auto client = loop_.finish(dial());
    ASSERT_TRUE(client);
    say(*client, "id name Ann\nugiok\n");
    loop_.poll();
    const auto server = loop_.finish(received);
    ASSERT_TRUE(server);
    EXPECT_EQ(hear(loop_, *server, 18), "id name Ann\nugiok\n");
}

TEST_F(TlsTest, LastWordsArriveBeforeTheEnd) {
    const auto received = loop_.start(receive());
    auto client = loop_.finish(dial());
    auto server = loop_.finish(received);
    ASSERT_TRUE(client && server);
    const std::string words(100'000, 'x');
    say(*client, words);
    ::shutdown(client->get(), SHUT_WR);
    EXPECT_EQ(hear(loop_, *server, words.size() + 1), words + "(end)");
    server->reset();
    EXPECT_EQ(hear(loop_, *client, 1), "(end)");
}

// The server's loop does not run meanwhile, so that it is the client who waits.
TEST_F(TlsTest, ThePeerMayAnswerAsLongAsAnybodyListens) {
    Loop peers;
    const auto received = peers.start(
        server_->bridge(peers.context(), std::move(server_wire_), {}, in_the_end()));
    const auto dialled = loop_.start(dial());
    while (!received->has_value() || !dialled->has_value()) {
        peers.poll();
        loop_.poll();
    }
    ASSERT_TRUE(**received && **dialled);
    UniqueFd client = *std::move(**dialled);
    ::shutdown(client.get(), SHUT_WR);
    loop_.poll();
    EXPECT_EQ(loop_.deadlines().waits(), 0u);
    client.reset();
    loop_.poll();
    EXPECT_EQ(loop_.deadlines().waits(), 1u);
}

TEST_F(TlsTest, ACertificateMustNameTheDialledHost) {
    const auto received = loop_.start(receive());
    const auto client = loop_.finish(dial("example.org"));
    ASSERT_FALSE(client);
    EXPECT_EQ(client.error().fault, Fault::BadInput);
    EXPECT_EQ(client.error().text,
              "the TLS handshake failed: its certificate is not for example.org");
    EXPECT_FALSE(loop_.finish(received));
}

TEST_F(TlsTest, ACertificateMayBeForAnAddress) {
    const auto received = loop_.start(receive());
    EXPECT_TRUE(loop_.finish(dial("127.0.0.1")));
    EXPECT_TRUE(loop_.finish(received));
}

TEST_F(TlsTest, ACertificateMustBeTrusted) {
    const Certificate another;
    client_ = *Tls::client(another.file);
    const auto received = loop_.start(receive());
    const auto client = loop_.finish(dial());
    ASSERT_FALSE(client);
    EXPECT_EQ(client.error().fault, Fault::BadInput);
    EXPECT_THAT(client.error().text, HasSubstr("its certificate is not trusted: "));
    EXPECT_FALSE(loop_.finish(received));
}

TEST_F(TlsTest, ASilentPeerDoesNotDelayTheEnd) {
    const auto session = loop_.finish(receive(soon()));
    ASSERT_FALSE(session);
    EXPECT_EQ(session.error().fault, Fault::TimedOut);
}

TEST_F(TlsTest, GarbageAndTheEndAreNoHandshake) {
    for (const std::string said : {"GET / HTTP/1.1\r\n\r\n", ""}) {
        client_wire_.reset();
        auto [garbler, wire] = socket_ends(SOCK_NONBLOCK);
        server_wire_ = std::move(wire);
        say(garbler, said);
        ::shutdown(garbler.get(), SHUT_WR);
        const auto session = loop_.finish(receive());
        ASSERT_FALSE(session);
        EXPECT_EQ(session.error().fault, Fault::Disconnected);
        EXPECT_THAT(session.error().text, HasSubstr("the TLS handshake failed: "));
    }
}

TEST(TlsFiles, AreNamedIfTheyCannotBeUsed) {
    EXPECT_THAT(Tls::client("/nowhere/ca").error().text, HasSubstr("'/nowhere/ca'"));
    EXPECT_THAT(Tls::server("/nowhere/cert", "/nowhere/key").error().text,
                HasSubstr("cannot use the certificate '/nowhere/cert'"));
}

TEST(TlsFiles, ACertificateThatHasExpiredIsWarnedOf) {
    const Certificate certificate;
    EXPECT_EQ((*Tls::server(certificate.file, certificate.key))->warning(), "");
    const std::string request = certificate.folder.file("request.pem");
    const std::string command = "openssl req -new -subj /CN=localhost -key " + certificate.key +
                                " -out " + request + " && openssl x509 -req -days -1 -in " +
                                request + " -signkey " + certificate.key + " -out " +
                                certificate.file + " 2>/dev/null";
    ASSERT_EQ(std::system(command.c_str()), 0);
    EXPECT_THAT((*Tls::server(certificate.file, certificate.key))->warning(),
                HasSubstr("cert.pem' has expired: whoever verifies it cannot connect"));
}

TEST(TlsFiles, AKeyMustBeThatOfTheCertificate) {
    const Certificate certificate;
    const std::string other = certificate.folder.file("other.pem");
    for (const std::string kind : {"ed25519", "ec -pkeyopt ec_paramgen_curve:P-256"}) {
        const std::string command = "openssl genpkey -algorithm " + kind + " -out " + other;
        ASSERT_EQ(std::system((command + " 2>/dev/null").c_str()), 0);
        const auto server = Tls::server(certificate.file, other);
        ASSERT_FALSE(server) << kind;
        EXPECT_THAT(server.error().text, HasSubstr("cannot use the key '" + other + "'"));
    }
}

}  // namespace arena::tls_test
