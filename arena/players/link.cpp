#include "arena/players/link.hpp"

#include <sys/eventfd.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>

#include "arena/base/bad_input.hpp"
#include "arena/base/compute.hpp"
#include "arena/base/heartbeat.hpp"
#include "arena/players/launcher.hpp"
#include "arena/players/lobby.hpp"
#include "arena/players/sockets.hpp"
#include "arena/players/tls.hpp"
#include "arena/process/guardian.hpp"
#include "arena/process/process_cpu.hpp"
#include "protocol/endpoint.hpp"

namespace arena {
namespace {

using protocol::Error;
using protocol::Fault;
using protocol::Result;
using LinkResult = Result<std::unique_ptr<Link>>;

// From the end of output to the exit status, of a process that lives on.
constexpr Milliseconds kExitNotice{250};

void connect(Link& link, const PlayerContext& context, Conversation::Listener listener,
             protocol::UniqueFd to_player, protocol::UniqueFd from_player = {}) {
    link.connection = std::make_unique<Connection>(context.loop, std::move(to_player),
                                                   std::move(from_player));
    link.talk.emplace(*link.connection, std::move(listener));
}

// Advice for a word that is no program, such as "perfect" or "localhost:5000"; else empty.
std::string meant_by_word(const PlayerSpec& spec) {
    if (spec.command.size() != 1) return {};
    const std::string& word = spec.command.front();
    if (parse_player("builtin:" + word)) return "builtin:" + word;
    return protocol::parse_endpoint(word) ? "tcp://" + word : std::string();
}

Awaitable<LinkResult> open_process(const PlayerSpec& spec, const PlayerContext& context,
                                   Conversation::Listener listener) {
    if (!spec.not_built.empty()) co_return bad_input("{}", spec.not_built);
    SpawnRequest request = context.shared.launcher.request(spec);
    if (spec.threads == 1) request.cores = context.cores;
    std::optional<Result<PlayerProcess>> spawned;
    std::function<void()> spawn = [&] { spawned = context.shared.guardian.spawn(request); };
    co_await compute(context.loop.compute, spawn);
    if (!*spawned && spawned->error().fault == Fault::Disconnected) throw GuardianGone();
    if (!*spawned) {
        Error error = spawned->error();
        const std::string meant = meant_by_word(spec);
        if (error.fault == Fault::BadInput && !meant.empty())
            error.text += "; did you mean " + meant + "?";
        co_return error;
    }

    PlayerProcess& process = **spawned;
    auto link = std::make_unique<Link>();
    connect(*link, context, listener, std::move(process.in), std::move(process.out));
    Connection& connection = *link->connection;
    link->child = std::make_unique<Child>(
        context.loop.io, process, [listener](std::string_view text) { listener('!', text); },
        [&connection] { connection.peer_ended(); });
    co_return link;
}

// The trusted certificates are read on a compute thread, because the system's list is long.
Awaitable<Result<protocol::UniqueFd>> secure(const PlayerSpec& spec,
                                             const PlayerContext& context,
                                             protocol::UniqueFd socket,
                                             Clock::time_point deadline) {
    std::optional<Result<std::shared_ptr<const Tls>>> tls;
    const std::function<void()> read = [&] { tls = Tls::client(spec.ca); };
    co_await compute(context.loop.compute, read);
    if (!*tls) co_return tls->error();
    auto bridged =
        co_await (**tls)->bridge(context.loop, std::move(socket), spec.endpoint.host, deadline);
    if (bridged) co_return bridged;
    co_return Error{bridged.error().fault,
                    to_string(spec.endpoint) + ": " + bridged.error().text, 0};
}

Awaitable<LinkResult> borrow(std::size_t index, const PlayerContext& context,
                             Conversation::Listener listener) {
    Lobby* lobby = context.shared.lobby;
    if (lobby == nullptr)
        co_return bad_input("it is known by its token, which nim-arena serve alone asks for");
    const auto player = static_cast<int>(index);
    auto session = co_await lobby->take(player);
    if (!session) co_return session.error();
    auto link = std::make_unique<Link>();
    // The session first: it returns the player whatever fails below.
    protocol::UniqueFd socket = std::move(session->socket);
    link->borrowed = std::make_unique<BorrowedSession>(*lobby, player, *std::move(session));
    connect(*link, context, std::move(listener), std::move(socket));
    co_return link;
}

}  // namespace

Link::Link() = default;
Link::~Link() = default;

Awaitable<Result<void>> Link::send(std::string_view lines, Clock::time_point deadline) {
    return talk->send(lines, deadline);
}

Awaitable<Conversation::Line> Link::hear(std::string_view awaited, Clock::time_point deadline,
                                         std::string_view other) {
    return talk->hear(awaited, deadline, other);
}

namespace {

Awaitable<LinkResult> reach(const PlayerSpec& spec, std::size_t index,
                            const PlayerContext& context, Clock::time_point deadline,
                            Conversation::Listener listener) {
    if (spec.kind == PlayerKind::Command)
        co_return co_await open_process(spec, context, std::move(listener));
    if (spec.kind == PlayerKind::Token)
        co_return co_await borrow(index, context, std::move(listener));
    Result<protocol::UniqueFd> socket = protocol::UniqueFd();
    if (spec.kind == PlayerKind::TcpListen) {
        socket = co_await (*context.shared.listeners)[index]->accept(context.loop, deadline);
    } else {
        socket = co_await dial(context.loop, spec.endpoint, deadline);
        if (socket && spec.tls) {
            socket = co_await secure(spec, context, *std::move(socket), deadline);
        }
    }
    if (!socket) {
        Error error = socket.error();
        // Where no file can be opened, hosts and certificates are not found either.
        const protocol::UniqueFd file(::eventfd(0, EFD_CLOEXEC));
        if (!file) error.fault = Fault::Failed;
        co_return error;
    }
    auto link = std::make_unique<Link>();
    connect(*link, context, std::move(listener), *std::move(socket));
    co_return link;
}

}  // namespace

Awaitable<LinkResult> open_link(const PlayerSpec& spec, std::size_t index,
                                const PlayerContext& context, Clock::time_point deadline,
                                Conversation::Listener listener) {
    auto link = co_await reach(spec, index, context, deadline, std::move(listener));
    if (!link && link.error().fault == Fault::Failed)
        throw std::runtime_error(link.error().text);
    co_return link;
}

Awaitable<std::optional<ExitStatus>> await_exit(const Link& link, Milliseconds patience) {
    if (!link.child) co_return std::nullopt;
    if (!link.child->is_ending()) {
        co_await link.child->wait_for_end(Clock::now() + kExitNotice);
    }
    if (link.child->is_ending()) {
        co_await link.child->wait_for_end(Clock::now() + patience);
    }
    if (link.child->guardian_gone()) throw GuardianGone();
    co_return link.child->exit_status();
}

bool is_starved(const Link& link, SteadyClock::time_point start) {
    // Where only living processes are counted, a bot could hide what its children use.
    if (!link.child || !link.child->has_group_cpu()) return false;
    const auto waited = Heartbeat::present(start, SteadyClock::now());
    return was_starved({waited, link.child->cpu(), longest_queue_time(link.child->pid())});
}

Effort effort_between(const CpuCount& from, const CpuCount& to) {
    const auto none = Microseconds(0);
    Effort effort;
    effort.waited = Heartbeat::present(from.at, to.at);
    effort.used = std::max(to.used - from.used, none);  // a process may have ended
    if (from.queued && to.queued) effort.queued = std::max(*to.queued - *from.queued, none);
    return effort;
}

}  // namespace arena
