// A PostgreSQL server of the tests: Debian's, in a temporary folder, reached by a UNIX socket.
// Ends with the test program, however that ends.
#pragma once

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "arena/record/open_store.hpp"
#include "arena/record/postgres.hpp"
#include "arena/record/sharing.hpp"
#include "tests/harness/patience.hpp"
#include "tests/harness/temporary_file.hpp"

namespace arena {

class PostgresServer {
  public:
    // The server of this test program, which is started by the first call.
    static PostgresServer& instance() {
        static PostgresServer server;
        return server;
    }

    ~PostgresServer() { stop(SIGQUIT); }
    PostgresServer(const PostgresServer&) = delete;
    PostgresServer& operator=(const PostgresServer&) = delete;

    // On a thread that lives on: the server ends with it.
    void start() {
        server_ = spawn({programs_ / "postgres", "-D", data_, "-k", folder_.path(), "-c",
                         "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=50"},
                        user_);
        wait_until_ready();
    }
    // SIGQUIT: as if it crashed. SIGINT: it ends its connections first.
    void stop(int signal) {
        if (server_ <= 0) return;
        ::kill(server_, signal);
        ::waitpid(server_, nullptr, 0);
        server_ = -1;
    }

    // "postgresql://…" of a database, for a user. The server may be slow to answer.
    std::string address(const std::string& database,
                        const std::string& user = "postgres") const {
        return "postgresql:///" + database + "?host=" + folder_.path() + "&user=" + user +
               "&connect_timeout=60";
    }
    // The name of a database without a record. Nobody may have it open: making a new one each
    // time would take longer than most tests.
    std::string empty_database() {
        admin("postgres", "DROP SCHEMA IF EXISTS nimarena CASCADE");
        return "postgres";
    }
    // A process's store in this database.
    std::unique_ptr<Store> store(const std::string& database, const StoreAccess& access = {},
                                 const std::string& user = "postgres") const {
        auto store = open_store(address(database, user), access);
        if (!store) throw std::runtime_error(store.error().text);
        return *std::move(store);
    }
    postgres::Rows admin(const std::string& database, const std::string& statement) {
        return postgres::Connection(address(database)).run(statement);
    }
    // The leases of this worker end now. It renews them after a third of their length.
    void lapse(const std::string& database, int worker) {
        admin(database, "UPDATE nimarena.worker SET until = '-infinity' WHERE id = " +
                            std::to_string(worker));
    }
    // Cuts all connections of stores.
    void cut(const std::string& database) {
        admin(database,
              "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity "
              "WHERE pid <> pg_backend_pid() AND datname = current_database()");
    }

  private:
    PostgresServer() {
        const std::filesystem::path versions = "/usr/lib/postgresql";
        std::error_code none;
        for (const auto& version : std::filesystem::directory_iterator(versions, none)) {
            if (std::filesystem::exists(version.path() / "bin/initdb"))
                programs_ = version.path() / "bin";
        }
        if (programs_.empty())
            throw std::runtime_error("no PostgreSQL: install Debian's package postgresql");
        // It does not run as root.
        if (::geteuid() == 0) {
            const passwd* user = ::getpwnam("postgres");
            if (user == nullptr) throw std::runtime_error("no user postgres");
            user_ = user->pw_uid;
            group_ = user->pw_gid;
            if (::chown(folder_.path().c_str(), user_, group_) != 0)
                throw std::runtime_error("cannot change the owner of " + folder_.path());
        }
        make_data();
        start();
    }

    // A copy takes a tenth of the CPU time of initdb: the first test program of a build keeps
    // what it made, beside itself, and others wait for that.
    void make_data() {
        const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
        const std::string kept =
            folder / ("postgres-" + programs_.parent_path().filename().string());
        const int lock = ::open((kept + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
        if (lock < 0 || ::flock(lock, LOCK_EX) != 0)
            throw std::runtime_error("cannot lock " + kept + ".lock");
        if (std::filesystem::exists(kept)) {
            ::close(lock);
            run({"cp", "-a", kept, data_});
            return;
        }
        run({programs_ / "initdb", "-D", data_, "-U", "postgres", "-A", "trust", "-E", "UTF8",
             "--locale=C.UTF-8", "--no-sync", "--wal-segsize=1"},
            user_);
        std::filesystem::remove_all(kept + ".new");
        run({"cp", "-a", data_, kept + ".new"});
        std::filesystem::rename(kept + ".new", kept);
        ::close(lock);
    }

    std::string log() const { return folder_.file("log"); }

    void run(const std::vector<std::string>& words, uid_t user = 0) const {
        int status = 0;
        ::waitpid(spawn(words, user), &status, 0);
        if (status != 0) throw std::runtime_error(words[0] + " has failed: see " + log());
    }

    // `user`: 0 for that of this program.
    pid_t spawn(const std::vector<std::string>& words, uid_t user) const {
        std::vector<char*> arguments;
        for (const std::string& word : words)
            arguments.push_back(const_cast<char*>(word.c_str()));
        arguments.push_back(nullptr);
        const std::string log_path = log();
        const pid_t pid = ::fork();
        if (pid != 0) return pid;
        const int file = ::open(log_path.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
        if (user != 0 &&
            (::setgroups(0, nullptr) != 0 || ::setgid(group_) != 0 || ::setuid(user) != 0)) {
            ::_exit(126);
        }
        // After the change of user, which clears it. SIGQUIT ends a server at once.
        ::prctl(PR_SET_PDEATHSIG, SIGQUIT);
        if (file < 0 || ::dup2(file, 1) < 0 || ::dup2(file, 2) < 0 || ::chdir("/") != 0)
            ::_exit(126);
        ::execvp(arguments[0], arguments.data());
        ::_exit(127);
    }

    // The last line of its file says so.
    void wait_until_ready() const {
        const auto deadline = std::chrono::steady_clock::now() + protocol::test::kPatience;
        while (std::chrono::steady_clock::now() < deadline) {
            std::ifstream file(data_ + "/postmaster.pid");
            std::string line;
            bool is_own = std::getline(file, line) && line == std::to_string(server_);
            while (std::getline(file, line)) {
                if (is_own && line.starts_with("ready")) return;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
        throw std::runtime_error("the server is not ready: see " + log());
    }

    ::test::TemporaryFolder folder_;
    std::string data_ = folder_.file("data");
    std::filesystem::path programs_;
    uid_t user_ = 0;
    gid_t group_ = 0;
    pid_t server_ = -1;
};

}  // namespace arena
