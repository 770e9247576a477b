#include "arena/launcher.hpp"

#include <filesystem>
#include <system_error>

#include "arena/executables.hpp"

namespace arena {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kDefaultData = std::uint64_t{1} << 30;
constexpr std::chrono::seconds kSpareCpu{5};

// A sanitizer maps terabytes beside what a program uses. Whether `spec` runs a program of this
// build, and this build has one.
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

Launcher::Launcher(const PlayOptions& options)
    : environment_(options.environment), startup_(options.startup) {}

SpawnRequest Launcher::request(const PlayerSpec& spec) const {
    SpawnRequest request;
    request.command = spec.command;
    request.directory = spec.directory;
    request.environment = spec.environment;
    request.clean_environment = request.private_directory = cleans(spec);
    request.data_limit = spec.data_limit.value_or(is_sanitized(spec) ? 0 : kDefaultData);
    if (startup_) {
        request.cpu_limit =
            static_cast<std::uint64_t>(cpu_for(*startup_, spec.threads).count());
    }
    return request;
}

bool Launcher::cleans(const PlayerSpec& spec) const {
    return spec.environment_mode.value_or(environment_) == EnvironmentMode::Clean;
}

std::chrono::seconds cpu_for(Microseconds time, int threads) {
    return kSpareCpu + std::chrono::ceil<std::chrono::seconds>(2 * threads * time);
}

}  // namespace arena
