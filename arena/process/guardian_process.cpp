// The guardian: one thread, one loop over events.
//
// It starts every player and is a subreaper, so each process that a player starts is its
// descendant for ever. A player ends in three steps: its main process ends, or the arena asks
// for it or is gone (`doomed`); the next sweep() stops all its descendants, looking again until
// no new one is found, and then kills them; when the main process has been reaped, its folders
// are removed and the arena gets the exit status. Killing without stopping first was ruled out:
// a process could start another one between the look and the kill.
//
// A process belongs to the player from which it descends; if its parents have died, to the one
// whose session or environment it has; else it is a stray, and dies with the last player.
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "arena/process/exec_player.hpp"
#include "arena/process/guardian_wire.hpp"
#include "arena/process/player_folders.hpp"
#include "arena/process/process_table.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

constexpr Milliseconds kGrace{250};      // for `quit`, and then for SIGTERM
constexpr Milliseconds kPollDeaths{50};  // at the end, if no process dies meanwhile
constexpr Milliseconds kPollGroups{20};  // between attempts to remove groups
constexpr int kGroupAttempts = 250;
constexpr unsigned kLeftoversTime = 5;  // seconds
constexpr Milliseconds kStopping{1};    // from SIGSTOP to a check whether all have stopped
constexpr int kStopChecks = 50;
constexpr char kName[] = "nim-guardian";  // as `ps` shows it; a thread's name takes 15 bytes

// One player, from its fork until its main process has been reaped and the rest killed.
struct PlayerTree {
    std::string id;  // all that it starts inherits it
    pid_t pid = 0;
    PlayerFolders folders;
    Rest rest = Rest::None;
    bool in_sandbox = false;
    protocol::UniqueFd channel;  // none: the arena has closed it

    // While it starts: the read end of PlayerStreams::failure, and the arena's ends of its
    // pipes.
    protocol::UniqueFd failure;
    protocol::UniqueFd in, out, err;

    bool ending = false;      // step by step
    bool terminated = false;  // the step of SIGTERM is done
    std::optional<Clock::time_point> next_step;

    // With Rest::Signals, while it is not its turn: the processes that were stopped.
    std::set<pid_t> stopped;
    int checks_left = 0;  // for further ones
    std::optional<Clock::time_point> next_check;

    bool doomed = false;  // to be killed by the next sweep, with all it started
    std::optional<ExitStatus> ended;
};

// Those of other arenas, in the end: the next arena goes on.
void remove_some_leftovers() {
    sigset_t alarm;
    ::sigemptyset(&alarm);
    ::sigaddset(&alarm, SIGALRM);
    ::sigprocmask(SIG_UNBLOCK, &alarm, nullptr);
    ::alarm(kLeftoversTime);
    remove_folders_left();
}

class GuardianLoop {
  public:
    GuardianLoop(protocol::UniqueFd requests, protocol::UniqueFd signals)
        : requests_(std::move(requests)), signals_(std::move(signals)) {}

    // Returns when the arena is gone and no other process is left.
    void run();

  private:
    void wait_for_events();
    std::optional<timespec> time_to_next_step() const;
    void clear_signals();
    void handle(PlayerTree& player, int ready);
    void take_request();
    void start(const SpawnRequest& request, protocol::UniqueFd channel);
    void finish_start(PlayerTree& player);
    void look_for_folders(const PlayerTree& player);
    void take_command(PlayerTree& player);
    void take_steps();
    void stop(PlayerTree& player);
    bool stop_tree(pid_t root, std::set<pid_t>& stopped);
    void wake(PlayerTree& player);
    void reap();
    void sweep();
    void freeze_doomed(std::set<pid_t>& frozen);
    bool is_doomed(const std::vector<const ProcessInfo*>& line);
    const PlayerTree* find_by_traces(const ProcessInfo& process) const;
    void remove_folders(const PlayerFolders& folders);
    void start_remover(const std::function<void()>& work, std::function<void()> again);
    bool remove_groups();
    void release_ended();
    void kill_everything();

    protocol::UniqueFd requests_;
    protocol::UniqueFd signals_;
    const pid_t own_pid_ = ::getpid();
    std::uint64_t players_started_ = 0;
    std::map<pid_t, PlayerTree> players_;
    // Of private directories: what is done in the end if they are interrupted.
    std::map<pid_t, std::function<void()>> removers_;
    std::vector<std::function<void()>> not_removed_;  // for lack of a process; tried again
    std::set<std::string> groups_left_;               // cgroups whose players have ended
    bool looked_for_folders_ = false;
    bool looked_for_groups_ = false;
    bool arena_gone_ = false;
};

void GuardianLoop::run() {
    while (!arena_gone_) {
        wait_for_events();
        take_steps();
        reap();
        sweep();
        remove_groups();
    }
    kill_everything();
}

void GuardianLoop::wait_for_events() {
    std::vector<pollfd> watched{{requests_.get(), POLLIN, 0}, {signals_.get(), POLLIN, 0}};
    std::vector<pid_t> whose{0, 0};
    for (const auto& [pid, player] : players_) {
        for (const protocol::UniqueFd* fd : {&player.failure, &player.channel}) {
            if (!*fd) continue;
            watched.push_back({fd->get(), POLLIN, 0});
            whose.push_back(pid);
        }
    }
    const auto timeout = time_to_next_step();
    if (::ppoll(watched.data(), watched.size(), timeout ? &*timeout : nullptr, nullptr) < 0) {
        return;
    }
    if (watched[1].revents != 0) clear_signals();
    for (std::size_t i = 2; i < watched.size(); ++i) {
        if (watched[i].revents != 0) handle(players_.at(whose[i]), watched[i].fd);
    }
    // Last, because it opens descriptors, whose numbers an event above may have freed.
    if (watched[0].revents != 0) take_request();
}

std::optional<timespec> GuardianLoop::time_to_next_step() const {
    std::optional<Clock::time_point> first;
    for (const auto& [pid, player] : players_) {
        for (const auto& next : {player.next_step, player.next_check}) {
            if (next && (!first || *next < *first)) first = next;
        }
    }
    if (!groups_left_.empty()) {
        const auto next = Clock::now() + kPollGroups;
        first = std::min(first.value_or(next), next);
    }
    if (!first) return std::nullopt;
    const auto left = std::max<Clock::duration>(*first - Clock::now(), Clock::duration::zero());
    const auto seconds = std::chrono::floor<std::chrono::seconds>(left);
    return timespec{seconds.count(), std::chrono::nanoseconds(left - seconds).count()};
}

// Discards the signals; waitpid says what has happened.
void GuardianLoop::clear_signals() {
    std::array<signalfd_siginfo, 16> signals;
    while (::read(signals_.get(), signals.data(), sizeof signals) > 0) continue;
}

void GuardianLoop::handle(PlayerTree& player, int ready) {
    if (ready == player.failure.get()) {
        finish_start(player);
        look_for_folders(player);
    } else if (ready == player.channel.get()) {
        take_command(player);
    }
}

void GuardianLoop::take_request() {
    auto packet = wire::receive(requests_.get());
    if (!packet && errno == EAGAIN) return;
    if (!packet || packet->bytes.empty()) {
        arena_gone_ = true;
        return;
    }
    const auto request = wire::decode(packet->bytes);
    if (!request || packet->descriptors.size() != 1)
        return;  // the arena sees its channel close
    start(*request, std::move(packet->descriptors.front()));
}

struct Pipe {
    protocol::UniqueFd read, write;

    bool open() {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
        read.reset(ends[0]);
        write.reset(ends[1]);
        return true;
    }
};

void GuardianLoop::start(const SpawnRequest& request, protocol::UniqueFd channel) {
    const auto refuse = [&channel](const std::string& what) {
        wire::send(channel.get(), wire::pack(wire::lack(errno, what)));
    };
    Pipe in, out, err, failure;
    if (!in.open() || !out.open() || !err.open() || !failure.open()) return refuse("no pipe");

    PlayerTree player;
    player.rest = request.rest;
    player.in_sandbox = !request.filter.empty();
    player.id = std::to_string(own_pid_) + "-" + std::to_string(++players_started_);
    const std::string missing = make_folders(request, player.id, player.folders);
    if (!missing.empty()) {
        refuse(missing);
        return remove_folders(player.folders);
    }
    if (!looked_for_groups_ && !player.folders.groups.empty()) {
        remove_groups_left(player.folders);
        looked_for_groups_ = true;
    }
    player.pid = ::fork();
    if (player.pid < 0) {
        refuse("no process");
        return remove_folders(player.folders);
    }
    if (player.pid == 0) {
        exec_player(request,
                    {in.read.get(), out.write.get(), err.write.get(), failure.write.get()},
                    player.folders, player.id, own_pid_);
    }
    player.channel = std::move(channel);
    player.failure = std::move(failure.read);
    player.in = std::move(in.write);
    player.out = std::move(out.read);
    player.err = std::move(err.read);
    for (const protocol::UniqueFd* end :
         {&player.failure, &player.in, &player.out, &player.err}) {
        ::fcntl(end->get(), F_SETFL, O_NONBLOCK);
    }
    players_.emplace(player.pid, std::move(player));
}

// Hands the ends of its pipes, and what wakes it, to the arena. False: the player must die.
bool tell_started(PlayerTree& player, std::vector<int> files) {
    protocol::UniqueFd freezer, cpu;
    if (player.rest == Rest::Groups) {
        freezer.reset(::open(player.folders.freezer.c_str(), O_WRONLY | O_CLOEXEC));
        if (freezer) cpu.reset(::open(player.folders.cpu.c_str(), O_RDONLY | O_CLOEXEC));
        if (!cpu) {
            wire::send(player.channel.get(), wire::pack(wire::lack(errno, "its cgroup")));
            return false;
        }
        files.insert(files.end(), {freezer.get(), cpu.get()});
    }
    wire::StartedBody body{};
    body.pid = player.pid;
    body.unified = player.folders.unified();
    const int error = wire::send(player.channel.get(), wire::pack(wire::kStarted, body), files);
    if (error != 0) {
        wire::send(player.channel.get(), wire::pack(wire::failed(error, "its pipes")));
    }
    return error == 0;
}

// Either the failure pipe has an answer and the player does not run, or it is closed and it
// does.
void GuardianLoop::finish_start(PlayerTree& player) {
    std::array<char, 4096> words;
    const auto size = ::read(player.failure.get(), words.data(), words.size());
    if (size < 0) return;
    player.failure.reset();
    const protocol::UniqueFd in = std::move(player.in);
    const protocol::UniqueFd out = std::move(player.out);
    const protocol::UniqueFd err = std::move(player.err);
    if (!player.channel) return;
    if (size > 0) {
        wire::send(player.channel.get(), {words.data(), static_cast<std::size_t>(size)});
        player.channel.reset();
    } else if (!tell_started(player, {in.get(), out.get(), err.get()})) {
        player.channel.reset();
        player.doomed = true;
    }
}

// Once, where private directories are made at all. Not while a player starts: the remover would
// hold the pipe whose end tells that it runs.
void GuardianLoop::look_for_folders(const PlayerTree& player) {
    if (looked_for_folders_ || player.folders.directory.empty()) return;
    looked_for_folders_ = true;
    start_remover(remove_folders_left, remove_some_leftovers);
}

void GuardianLoop::take_command(PlayerTree& player) {
    const auto packet = wire::receive(player.channel.get());
    if (!packet && errno == EAGAIN) return;
    if (!packet || packet->bytes.empty()) {
        player.channel.reset();
        if (!player.ending) player.doomed = true;
        return;
    }
    if (packet->bytes[0] == wire::kWake) wake(player);
    if (packet->bytes[0] == wire::kRest && !player.ending) {
        player.checks_left = kStopChecks;
        stop(player);
    }
    if (packet->bytes[0] == wire::kEnd && !player.ending) {
        wake(player);
        player.ending = true;
        player.next_step = Clock::now() + kGrace;
    }
}

// Stops all descendants of the player, and checks again until no more are found and all have
// stopped: SIGSTOP takes a moment, in which a process may start another.
void GuardianLoop::stop(PlayerTree& player) {
    player.next_check.reset();
    bool is_still = stop_tree(player.pid, player.stopped);
    std::set<pid_t> strays;  // of no known player: they never run again
    const auto self = read_process(own_pid_);
    for (const pid_t pid : self ? children_of(*self) : std::vector<pid_t>()) {
        if (players_.contains(pid) || removers_.contains(pid)) continue;
        const auto orphan = read_process(pid);
        if (!orphan || orphan->state == 'Z') continue;
        const PlayerTree* owner = find_by_traces(*orphan);
        if (owner != nullptr && owner != &player) continue;
        is_still = stop_tree(pid, owner == nullptr ? strays : player.stopped) && is_still;
    }
    if (!is_still && --player.checks_left > 0) player.next_check = Clock::now() + kStopping;
}

// Returns true if all were found stopped.
bool GuardianLoop::stop_tree(pid_t root, std::set<pid_t>& stopped) {
    bool is_still = true;
    visit_tree(root, [&](const ProcessInfo& process) {
        constexpr std::string_view kStill = "TtZX";
        if (kStill.find(process.state) != kStill.npos) return;
        is_still = false;
        if (::kill(process.pid, SIGSTOP) == 0) stopped.insert(process.pid);
    });
    return is_still;
}

void GuardianLoop::wake(PlayerTree& player) {
    set_frozen(player.folders, false);
    player.next_check.reset();
    for (const pid_t pid : std::exchange(player.stopped, {})) ::kill(pid, SIGCONT);
}

void GuardianLoop::take_steps() {
    const auto now = Clock::now();
    for (auto& [pid, player] : players_) {
        if (player.next_check && *player.next_check <= now) stop(player);
        if (!player.next_step || *player.next_step > now) continue;
        if (player.terminated) {
            player.doomed = true;
            player.next_step.reset();
        } else {
            // It has no process group yet if it is still being started.
            if (::kill(-pid, SIGTERM) != 0) ::kill(pid, SIGTERM);
            player.terminated = true;
            player.next_step = now + kGrace;
        }
    }
}

// The sandbox reports a signal that ended its program as a shell does.
int status_inside(int status) {
    constexpr int kSignalled = 128;
    const int signal = WIFEXITED(status) ? WEXITSTATUS(status) - kSignalled : 0;
    return signal > 0 && signal < NSIG ? signal : status;  // as waitpid reports a signal
}

void GuardianLoop::reap() {
    for (;;) {
        int status = 0;
        const pid_t pid = ::waitpid(-1, &status, WNOHANG);
        if (pid <= 0) return;
        const auto found = players_.find(pid);
        if (found == players_.end()) {  // an orphan of a player, or a remover
            removers_.erase(pid);
            continue;
        }
        PlayerTree& player = found->second;
        if (player.failure) finish_start(player);
        if (player.in_sandbox) status = status_inside(status);
        player.ended.emplace();
        player.ended->out_of_memory = ran_out_of_memory(player.folders);
        if (WIFEXITED(status))
            player.ended->code = WEXITSTATUS(status);
        else
            player.ended->signal = WTERMSIG(status);
        player.doomed = true;
    }
}

// Kills all descendants of doomed players. Stops them first, so that none starts another
// process meanwhile or loses the parent by which it is found.
void GuardianLoop::sweep() {
    const auto doomed = [](const auto& entry) { return entry.second.doomed; };
    if (std::ranges::none_of(players_, doomed)) return;

    std::set<pid_t> frozen;
    std::size_t before = 0;
    do {
        before = frozen.size();
        freeze_doomed(frozen);
    } while (frozen.size() > before);

    for (const pid_t pid : frozen) ::kill(pid, SIGKILL);
    for (auto& [pid, player] : players_) {
        if (player.doomed && !player.ended) ::kill(pid, SIGKILL);  // found in /proc or not
        if (player.doomed && player.rest == Rest::Groups) {
            for (const std::string& group : player.folders.groups) kill_group(group);
        }
        if (player.doomed) player.next_step.reset();
        if (!player.ended) player.doomed = false;
    }
    thaw_groups_of(frozen);  // such as players of an arena that was a player here
    release_ended();
}

void GuardianLoop::freeze_doomed(std::set<pid_t>& frozen) {
    const auto table = process_table();
    for (const auto& [pid, process] : table) {
        if (process.state == 'Z' || frozen.contains(pid)) continue;
        const auto line = lineage(process, table, own_pid_);
        if (!line.empty() && removers_.contains(line.back()->pid)) continue;
        if (line.empty() || !is_doomed(line)) continue;
        if (::kill(pid, SIGSTOP) == 0) frozen.insert(pid);
    }
}

// Decides by parents, or if these are gone by the inherited mark. Strays are killed with the
// last player.
bool GuardianLoop::is_doomed(const std::vector<const ProcessInfo*>& line) {
    const auto main_process = players_.find(line.back()->pid);
    if (main_process != players_.end()) return main_process->second.doomed;
    for (const ProcessInfo* process : line) {
        if (const PlayerTree* player = find_by_traces(*process)) return player->doomed;
    }
    return std::ranges::all_of(players_, [](const auto& entry) { return entry.second.doomed; });
}

const PlayerTree* GuardianLoop::find_by_traces(const ProcessInfo& process) const {
    const auto leader = players_.find(process.session);
    if (leader != players_.end()) return &leader->second;
    for (const auto& [pid, player] : players_) {
        if (has_environment_entry(process.thread, player_mark(player.id))) return &player;
    }
    return nullptr;
}

void GuardianLoop::remove_folders(const PlayerFolders& folders) {
    for (const auto& again : std::exchange(not_removed_, {})) start_remover(again, again);
    if (!folders.directory.empty()) {
        const auto clear = [folders] { clear_directory(folders); };
        start_remover(clear, clear);
    }
    groups_left_.insert(folders.groups.begin(), folders.groups.end());
    remove_groups();
}

// Returns true if all are gone. A group stays until its last process has died.
bool GuardianLoop::remove_groups() {
    std::erase_if(groups_left_, [](const std::string& group) {
        if (::rmdir(group.c_str()) == 0 || errno != EBUSY) return true;
        // A process that was not found, or that the arena froze while it was being killed.
        kill_group(group);
        return false;
    });
    return groups_left_.empty();
}

// In a process of its own, because removing files may take long. It keeps no pipe open that a
// player or the arena waits for. `again`: what is done in the end if it is interrupted, or if
// there is no process for it.
void GuardianLoop::start_remover(const std::function<void()>& work,
                                 std::function<void()> again) {
    const pid_t pid = ::fork();
    if (pid == 0) {
        ::close_range(STDERR_FILENO + 1, ~0U, 0);
        work();
        ::_exit(0);
    }
    if (pid > 0)
        removers_.emplace(pid, std::move(again));
    else
        not_removed_.push_back(std::move(again));
}

void GuardianLoop::release_ended() {
    std::erase_if(players_, [this](const auto& entry) {
        const PlayerTree& player = entry.second;
        if (!player.ended) return false;
        remove_folders(player.folders);
        if (player.channel) {
            wire::send(player.channel.get(), wire::pack(wire::kEnded, *player.ended));
        }
        return true;
    });
}

// The arena is gone: kills all descendants until wait reports that none is left; then removes
// the directories, also of interrupted removers.
void GuardianLoop::kill_everything() {
    while (kill_descendants()) {
        for (const auto& [pid, player] : players_) set_frozen(player.folders, false);
        remove_groups();
        pollfd signal{signals_.get(), POLLIN, 0};
        ::poll(&signal, 1, kPollDeaths.count());
        clear_signals();
    }
    for (const auto& [pid, again] : std::exchange(removers_, {})) start_remover(again, again);
    for (const auto& again : std::exchange(not_removed_, {})) start_remover(again, again);
    for (const auto& [pid, player] : players_) remove_folders(player.folders);
    for (int i = 0; i < kGroupAttempts && !remove_groups(); ++i) {
        ::poll(nullptr, 0, kPollGroups.count());
    }
    while (::waitpid(-1, nullptr, 0) > 0 || errno == EINTR) continue;
    if (not_removed_.empty()) forget_folders();  // else the next guardian removes the rest
}

// So that `pkill -f` of the arena's command line does not hit its guardian.
void set_name() {
    ::prctl(PR_SET_NAME, kName);
    const auto stat = read_proc_file("/proc/self/stat");
    if (!stat) return;
    // The words from the third on: 48 and 49 are where the arguments begin and end.
    const auto words =
        protocol::split_words(std::string_view(*stat).substr(stat->rfind(')') + 1));
    if (words.size() < 47) return;
    const auto address = [](std::string_view word) {
        std::uintptr_t value = 0;
        std::from_chars(word.data(), word.data() + word.size(), value);
        return reinterpret_cast<char*>(value);
    };
    char* const begin = address(words[45]);
    char* const end = address(words[46]);
    if (begin == nullptr || end - begin < static_cast<std::ptrdiff_t>(sizeof kName)) return;
    std::fill(begin, end, '\0');
    std::copy(std::begin(kName), std::end(kName), begin);
}

// Closes all descriptors of the arena except `fd`, whose new number is returned. Empty: the
// kernel is older than Linux 5.9 and cannot.
protocol::UniqueFd close_all_but(protocol::UniqueFd fd) {
    const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(null, stream);
    constexpr int kKept = STDERR_FILENO + 1;
    protocol::UniqueFd kept(fd.get() == kKept ? fd.release()
                                              : ::dup3(fd.get(), kKept, O_CLOEXEC));
    if (::close_range(kKept + 1, ~0U, 0) != 0) return protocol::UniqueFd();
    fd.release();  // closed with the rest
    return kept;
}

protocol::UniqueFd signals_of_children() {
    sigset_t set;
    ::sigemptyset(&set);
    ::sigaddset(&set, SIGCHLD);
    return protocol::UniqueFd(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

}  // namespace

void run_guardian(protocol::UniqueFd requests) {
    ::setsid();  // Ctrl-C at the arena's terminal reaches neither it nor a player
    set_name();
    std::signal(SIGCHLD, SIG_DFL);
    sigset_t all;
    ::sigfillset(&all);
    ::sigprocmask(SIG_SETMASK, &all, nullptr);
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);

    requests = close_all_but(std::move(requests));
    if (!requests) ::_exit(1);  // the arena finds it gone
    GuardianLoop loop(std::move(requests), signals_of_children());
    loop.run();
    ::_exit(0);
}

}  // namespace arena
