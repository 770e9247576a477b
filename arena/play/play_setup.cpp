#include "arena/play/play_setup.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "arena/base/bad_input.hpp"
#include "arena/base/cores.hpp"
#include "arena/players/tls.hpp"
#include "arena/record/open_store.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Result;

Result<std::vector<std::unique_ptr<Listener>>> open_listeners(const PlayOptions& options) {
    std::vector<std::unique_ptr<Listener>> listeners;
    for (const PlayerSpec& player : options.players) {
        listeners.emplace_back();
        if (player.kind != PlayerKind::TcpListen) continue;
        auto listener = Listener::open(player.endpoint, options.insecure);
        if (!listener) return listener.error();
        listeners.back() = *std::move(listener);
    }
    return listeners;
}

Result<void> check_cores(const std::vector<int>& cores) {
    const std::vector<int> allowed = allowed_cores();
    for (const int core : cores) {
        if (std::ranges::binary_search(allowed, core)) continue;
        return bad_input("--affinity: read {}, expected cores that this process may use: {}",
                         core, fmt::join(allowed, ","));
    }
    return {};
}

// A player that runs as the arena's user can read the arena's environment as it began, whatever
// is removed from it later.
Result<void> check_password(const PlayOptions& options,
                            const std::vector<std::string>& records) {
    const bool is_strict = options.untrusted || options.sandbox.on;
    if (!is_strict || std::getenv("PGPASSWORD") == nullptr) return {};
    if (std::ranges::none_of(records, is_database)) return {};
    return bad_input(
        "found the variable PGPASSWORD, expected none with --untrusted or --sandbox: programs "
        "of the same user can read it; put the password into ~/.pgpass, or the file that "
        "PGPASSFILE names");
}

// A missing file of authorities is the arena's fault: without this check, the player would lose
// each of its games for it.
Result<void> check_authorities(const PlayOptions& options) {
    for (const PlayerSpec& player : options.players) {
        if (!player.tls || player.ca.empty()) continue;
        const auto read = Tls::client(player.ca);
        if (!read) {
            return bad_input("player {}: ca: {}", protocol::printable(player.name),
                             read.error().text);
        }
    }
    return {};
}

}  // namespace

Prepared<PlaySetup> set_up(const PlayOptions& options, std::vector<std::string> hidden,
                           const Guardian& guardian) {
    auto usable = check_cores(options.cores);
    if (usable) usable = check_password(options, hidden);
    if (!usable) return Refusal{usable.error(), kExitUsage};
    const auto readable = check_authorities(options);
    if (!readable) return Refusal{readable.error(), kExitStartup};
    PlaySetup setup;
    auto listeners = open_listeners(options);
    if (!listeners) return cannot_open(listeners.error());
    setup.listeners = *std::move(listeners);
    hidden.push_back(options.log);
    hidden.push_back(options.web.key);
    std::erase(hidden, "");
    std::vector<std::string> secrets;
    for (const std::string& name : hidden)
        std::ranges::move(secret_files(name), std::back_inserter(secrets));
    std::erase_if(hidden, is_database);
    hidden.insert(hidden.end(), secrets.begin(), secrets.end());
    auto launcher = Launcher::open(options, hidden, guardian);
    if (!launcher) return Refusal{launcher.error(), kExitStartup};
    setup.launcher = std::make_unique<Launcher>(*std::move(launcher));
    setup.log = std::make_unique<TrafficLog>();
    if (!options.log.empty()) {
        auto opened = TrafficLog::open(options.log);
        if (!opened) return Refusal{opened.error(), kExitInternal};
        setup.log = *std::move(opened);
    }
    return setup;
}

PlayerResources resources(const PlayOptions& options, const PlaySetup& setup,
                          const Guardian& guardian, const engine::Analyst& analyst,
                          Names* names) {
    setup.log->log_late_timers();
    return {.guardian = guardian,
            .launcher = *setup.launcher,
            .analyst = &analyst,
            .names = names,
            .log = setup.log.get(),
            .listeners = &setup.listeners,
            .startup = options.startup,
            .dial_in = options.dial_in};
}

}  // namespace arena
