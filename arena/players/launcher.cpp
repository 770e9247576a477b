#include "arena/players/launcher.hpp"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "arena/base/bad_input.hpp"
#include "arena/base/command_line.hpp"
#include "arena/process/executables.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kDefaultData = std::uint64_t{1} << 30;
constexpr std::chrono::seconds kSpareCpu{5};

using protocol::Result;

bool is_command(const PlayerSpec& spec) { return spec.kind == PlayerKind::Command; }

// nullopt: the user that runs the arena.
Result<std::optional<UserId>> find_user(const std::string& name) {
    if (name.empty()) return std::optional<UserId>();
    const passwd* entry = ::getpwnam(name.c_str());
    if (entry == nullptr) {
        return bad_input("--run-as: there is no user {}", protocol::quoted(name));
    }
    if (entry->pw_uid == ::geteuid()) return std::optional<UserId>();
    if (::geteuid() != 0) {
        return bad_input("--run-as: only root can run players as another user; this is user {}",
                         ::geteuid());
    }
    return std::optional(UserId{name, entry->pw_uid, entry->pw_gid});
}

// The user that players run as; an error where that user may not run these players.
Result<std::optional<UserId>> check_user(const PlayOptions& options) {
    const bool is_open = options.untrusted && !options.sandbox.on;
    if (is_open && ::geteuid() == 0 && options.run_as.empty()) {
        return bad_input(
            "--untrusted: as root, programs of strangers could do anything; use --sandbox "
            "bwrap or --run-as USER, or start nim-arena as another user");
    }
    auto user = find_user(options.run_as);
    if (!user) return user;
    const bool stays_root = ::geteuid() == 0 && (!*user || (*user)->user == 0);
    if (is_open && stays_root) {
        return bad_input("--untrusted: --run-as names root itself; expected another user");
    }
    const auto commands = std::ranges::count_if(options.players, is_command);
    if (is_open && commands > 1) {
        return bad_input(
            "--untrusted: {} players would run as one user, and each could end the others: use "
            "--sandbox bwrap, where none sees another's processes",
            commands);
    }
    return user;
}

// Whether `spec` runs a program of this build, and this build has a sanitizer, which maps
// terabytes.
bool is_sanitized([[maybe_unused]] const PlayerSpec& spec) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    std::error_code error;
    const auto program = find_program(spec.command.front(), spec.directory);
    const auto own = fs::read_symlink("/proc/self/exe", error).parent_path();
    return program && fs::equivalent(fs::path(*program).parent_path(), own, error) && !error;
#else
    return false;
#endif
}

}  // namespace

Result<void> check_trust(const PlayOptions& options) {
    if (std::ranges::none_of(options.players, is_command)) return {};
    const auto user = check_user(options);
    return user ? Result<void>() : user.error();
}

Result<Launcher> Launcher::open(const PlayOptions& options,
                                const std::vector<std::string>& hidden,
                                const Guardian& guardian) {
    Launcher launcher;
    launcher.environment_ = options.environment;
    launcher.startup_ = options.startup;
    launcher.sandbox_memory_ = options.sandbox.memory;
    if (std::ranges::none_of(options.players, is_command)) return launcher;

    auto user = check_user(options);
    if (!user) return user.error();
    launcher.user_ = *std::move(user);
    launcher.fair_ = options.fair || options.untrusted || options.sandbox.on;
    if (!options.sandbox.on) {
        if (launcher.fair_) launcher.turns_ = find_turn_groups({}, true);
        return launcher;
    }
    auto sandbox = Sandbox::open(options.sandbox, launcher.user_, hidden, guardian);
    if (!sandbox) return sandbox.error();
    std::vector<const Program*> apart;
    for (const PlayerSpec& player : options.players) {
        if (!is_command(player) || !player.not_built.empty()) continue;
        const auto admitted = sandbox->admit(player);
        if (!admitted) return admitted.error();
        apart.push_back(&player);
    }
    const auto kept = options.sandbox.shared ? Result<void>() : Sandbox::keep_apart(apart);
    if (!kept) return kept.error();
    launcher.sandbox_ = *std::move(sandbox);
    // The filter of system calls prevents a change of its cores.
    const ControlGroups* limits = launcher.sandbox_->groups();
    launcher.turns_ = find_turn_groups(limits == nullptr ? ControlGroups{} : *limits, false);
    return launcher;
}

std::string Launcher::memory_text(const PlayerSpec& spec, bool all) const {
    if (!is_command(spec)) return {};
    const std::uint64_t data = request(spec).data_limit;
    const bool is_of_sandbox = all || (confines(spec) && data == sandbox_memory_);
    if (is_of_sandbox) return size_text(sandbox_memory_) + " (--sandbox-memory)";
    return data == 0 ? "" : size_text(data) + " for each of its processes (data=)";
}

std::string_view Launcher::environment_text(const PlayerSpec& spec) const {
    if (confines(spec))
        return "in the sandbox it sees the system and the directories of its own files alone";
    if (!is_command(spec) || !cleans(spec)) return {};
    return "it was started with env=clean: PATH, LANG and env.NAME alone, HOME empty "
           "(env=inherit: all that the arena has)";
}

bool Launcher::confines(const PlayerSpec& spec) const { return sandbox_ && is_command(spec); }

std::string Launcher::sandbox_text() const {
    return sandbox_ ? sandbox_->description() : std::string();
}

std::string Launcher::fairness_text() const {
    if (!fair_) return "";
    return arena::fairness_text(turns_) + (turns_ ? "" : " (see nim-arena doctor)");
}

std::string Launcher::text(const PlayerSpec& spec) const {
    if (!is_command(spec)) return to_string(spec);
    std::error_code failed;
    const fs::path folder =
        fs::absolute(spec.directory.empty() ? "." : spec.directory, failed) / "";
    std::string text = fmt::format("{} (in {}", to_string(spec),
                                   folder.lexically_normal().parent_path().string());
    if (confines(spec)) text += "; bwrap: " + sandbox_text();
    return text + ")";
}

SpawnRequest Launcher::request(const PlayerSpec& spec) const {
    SpawnRequest request;
    request.command = spec.command;
    request.directory = spec.directory;
    request.environment = spec.environment;
    request.clean_environment = cleans(spec);
    request.data_limit = spec.data_limit.value_or(is_sanitized(spec) ? 0 : kDefaultData);
    if (startup_) {
        request.cpu_limit =
            static_cast<std::uint64_t>(cpu_for(*startup_, spec.threads).count());
    }
    request.user = user_;
    if (sandbox_) sandbox_->wrap(spec, request);
    if (fair_) request.rest = turns_ ? Rest::Groups : Rest::Signals;
    if (turns_) request.groups = turns_->groups;
    return request;
}

std::string Launcher::hash_executables(const PlayerSpec& spec) const {
    if (!is_command(spec) || !spec.not_built.empty()) return {};
    const auto inner = program_of_shell(spec);  // all of them have the same shell
    const Program& own = inner ? *inner : spec;
    const auto program = confines(spec) ? Sandbox::program(own)
                                        : find_program(own.command.front(), own.directory);
    return arena::hash_executables(own, program, inner.has_value());
}

bool Launcher::cleans(const PlayerSpec& spec) const {
    return spec.environment_mode.value_or(environment_) == EnvironmentMode::Clean;
}

std::string fairness_text(const std::optional<ControlGroups>& turns) {
    if (turns) {
        return fmt::format("players are frozen off turn, and their CPU time counted, by {}",
                           turns->kind);
    }
    return "players are stopped off turn by signals, which is weaker than control groups: what "
           "one starts may run until it is found";
}

std::chrono::seconds cpu_for(Microseconds time, int threads) {
    return kSpareCpu + std::chrono::ceil<std::chrono::seconds>(2 * threads * time);
}

}  // namespace arena
