#include "arena/link.hpp"

#include <csignal>
#include <optional>
#include <utility>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>

#include "arena/command_line.hpp"
#include "arena/compute.hpp"
#include "arena/exec_player.hpp"
#include "arena/guardian.hpp"
#include "arena/lobby.hpp"
#include "arena/launcher.hpp"
#include "arena/record.hpp"
#include "arena/sockets.hpp"
#include "arena/tls.hpp"

namespace arena {
namespace {

using protocol::Error;
using protocol::Fault;
using protocol::Result;

Awaitable<Result<std::unique_ptr<Link>>> open_process(
    const PlayerSpec& spec, const LinkContext& context,
    std::function<void(std::string_view)> on_stderr) {
    SpawnRequest request = context.launcher.request(spec);
    if (spec.threads == 1) request.cores = context.cores;
    std::optional<Result<PlayerProcess>> spawned;
    std::function<void()> spawn = [&] { spawned = context.guardian.spawn(request); };
    co_await compute(context.compute, spawn);
    if (!*spawned) co_return spawned->error();

    PlayerProcess& process = **spawned;
    auto link = std::make_unique<Link>();
    link->connection = std::make_unique<Connection>(
        context.io, context.deadlines, std::move(process.in), std::move(process.out));
    Connection& connection = *link->connection;
    link->child = std::make_unique<Child>(context.io, process, std::move(on_stderr),
                                          [&connection] { connection.peer_ended(); });
    co_return link;
}

// Who is trusted is read on a compute thread: the system's list is long.
Awaitable<Result<protocol::UniqueFd>> secure(const PlayerSpec& spec, const LinkContext& context,
                                             protocol::UniqueFd socket,
                                             Clock::time_point deadline) {
    std::optional<Result<std::shared_ptr<const Tls>>> tls;
    const std::function<void()> read = [&] { tls = Tls::client(spec.ca); };
    co_await compute(context.compute, read);
    if (!*tls) co_return tls->error();
    auto bridged = co_await (**tls)->bridge(context.io, context.deadlines, std::move(socket),
                                            spec.endpoint.host, deadline);
    if (bridged) co_return bridged;
    co_return Error{bridged.error().fault,
                    to_string(spec.endpoint) + ": " + bridged.error().text, 0};
}

Awaitable<Result<std::unique_ptr<Link>>> borrow(const LinkContext& context) {
    if (context.lobby == nullptr) {
        co_return Error{Fault::BadInput,
                        "it is known by its token, which nim-arena serve alone asks for", 0};
    }
    auto guest = co_await context.lobby->take(context.player);
    if (!guest) co_return guest.error();
    auto link = std::make_unique<Link>();
    // The loan first: so the lobby learns of its end, whatever fails behind it.
    protocol::UniqueFd socket = std::move(guest->socket);
    link->loan = std::make_unique<Loan>(*context.lobby, context.player, *std::move(guest));
    link->connection = std::make_unique<Connection>(context.io, context.deadlines,
                                                    std::move(socket), protocol::UniqueFd());
    co_return link;
}

}  // namespace

Link::Link() = default;
Link::~Link() = default;

std::string words_of(const ExitStatus& exit) {
    if (exit.signal) {
        std::string words = "its process was ended by " + signal_name(*exit.signal);
        if (exit.signal == SIGXCPU) {
            words += ": it used more than twice the CPU time that its moves may take";
        } else if (exit.signal == SIGXFSZ) {
            words += ": it wrote more than " + size_text(kMaxFileWritten) + " to a file";
        }
        return words;
    }
    return "its process ended with exit status " + std::to_string(exit.code.value_or(0));
}

Awaitable<Result<std::unique_ptr<Link>>> open_link(
    const PlayerSpec& spec, const LinkContext& context, LinkDeadlines deadlines,
    std::function<void(std::string_view)> on_stderr) {
    if (spec.kind == PlayerKind::Command) {
        co_return co_await open_process(spec, context, std::move(on_stderr));
    }
    if (spec.kind == PlayerKind::Token) co_return co_await borrow(context);
    Result<protocol::UniqueFd> socket = protocol::UniqueFd();
    if (spec.kind == PlayerKind::TcpListen) {
        socket =
            co_await context.listener->accept(context.io, context.deadlines, deadlines.dial_in);
    } else {
        socket = co_await dial(context.io, context.deadlines, spec.endpoint, deadlines.dial);
        if (socket && spec.tls) {
            socket = co_await secure(spec, context, *std::move(socket), deadlines.dial);
        }
    }
    if (!socket) co_return socket.error();
    auto link = std::make_unique<Link>();
    link->connection = std::make_unique<Connection>(context.io, context.deadlines,
                                                    std::move(*socket), protocol::UniqueFd());
    co_return link;
}

}  // namespace arena
