#include "arena/base/exit_codes.hpp"
#include "arena/commands/options.hpp"
#include "arena/play/run.hpp"
#include "arena/process/guardian.hpp"
#include "tests/harness/patience.hpp"

namespace arena::contest_test {

class RunContest : public ::testing::Test {
  protected:
    static TournamentOptions match(Words words) {
        words.insert(words.end(), {"--games", "2", "--position", "nim:1,2", "--quiet"});
        return std::get<TournamentOptions>(parse_match_options(words, 1));
    }
    int run(const TournamentOptions& options) { return run_contest(options, *guardian_, {}); }

    // A worker that has got these signals before it begins.
    int run_worker(std::initializer_list<int> signals) {
        auto options = match({"builtin:random", "builtin:random"});
        options.is_worker = true;
        options.events = "/dev/full";  // cannot be written
        sigset_t ending;
        ::sigemptyset(&ending);
        for (const int signal : signals) ::sigaddset(&ending, signal);
        ::pthread_sigmask(SIG_BLOCK, &ending, nullptr);  // until the contest reads them
        for (const int signal : signals) ::raise(signal);
        return run(options);
    }

  private:
    const protocol::Result<Guardian> guardian_ = Guardian::start(protocol::test::kPatience);
};

TEST_F(RunContest, AWorkerThatIsToldToEndDoesNotHideAFailure) {
    EXPECT_EQ(run_worker({SIGTERM}), kExitInternal);
    // Games are dropped then, as after a failure that is noticed while they end.
    EXPECT_EQ(run_worker({SIGINT, SIGTERM}), kExitInternal);
}

TEST_F(RunContest, TellsThatNeitherPlayerStarts) {
    const auto options = match({"tcp://127.0.0.1:1", "tcp://127.0.0.1:1", "--startup", "100"});
    EXPECT_EQ(run(options), kExitStartup);
}

}  // namespace arena::contest_test
