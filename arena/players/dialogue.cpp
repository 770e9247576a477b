#include "arena/players/dialogue.hpp"

#include <algorithm>
#include <utility>

#include <boost/asio/awaitable.hpp>

#include "arena/players/diagnosis.hpp"
#include "arena/players/link.hpp"

namespace arena {
namespace {

constexpr std::size_t kFillsBuffers = 12'000;  // lines: in 47 KiB `ugi`, out 70 KiB `ugiok`
constexpr Milliseconds kMostPatience{10'000};  // with a busy machine

Awaitable<Conversation::Line> hear(Dialogue& bot, std::string_view awaited, Milliseconds within,
                                   std::string_view other) {
    Patience patience(bot, within, kMostPatience);
    for (;;) {
        const auto line = co_await bot.hear(awaited, patience.deadline(), other);
        if (line || line.error().fault != protocol::Fault::TimedOut || !patience.extend())
            co_return line;
    }
}

}  // namespace

Patience::Patience(const Dialogue& bot, Milliseconds within, Milliseconds most)
    : bot_(bot),
      due_(bot.now() + within),
      last_(std::max(due_, bot.now() + most)),
      deadline_(due_),
      begin_(bot.cpu()) {}

bool Patience::extend() {
    const auto queued = effort_between(begin_, bot_.cpu()).queued.value_or(Microseconds(0));
    const auto next = std::min(due_ + queued, last_);
    return next > std::exchange(deadline_, std::max(deadline_, next));
}

Awaitable<Belated> provoke(Dialogue& bot, std::string awaited, Milliseconds patience) {
    const bool is_handshake = awaited == "ugiok";  // nothing has been answered yet
    if (is_handshake) {
        std::string more;
        for (std::size_t i = 0; i < kFillsBuffers; ++i) more += "ugi\n";
        co_await bot.send(more, bot.now() + patience);  // if it fails, so does hear()
        constexpr std::string_view kForeign = "uciok";
        const auto line = co_await hear(bot, awaited, patience, kForeign);
        if (line && !line->starts_with(kForeign))
            co_return Belated{"it came later, out of a buffer", kFlushAdvice, true};
        const Belated answers_uci{"it answers `uci`", kForeignAdvice};
        if (line) co_return answers_uci;
        co_await bot.send("uci\n", bot.now() + patience);
        const auto first = co_await hear(bot, awaited, patience, kForeign);
        if (first) {
            // One that is only slow answers each `ugi`, and there are many.
            const auto second = co_await hear(bot, awaited, patience, {});
            if (second) co_return Belated{};
            co_return answers_uci;
        }
    }
    bot.end_input();
    const auto line = co_await hear(bot, awaited, patience, {});
    if (!line) co_return Belated{};
    // One that has shaken hands has answered before.
    co_return Belated{"it came once the bot's input was closed",
                      is_handshake ? kReadLinesAdvice : kFlushAdvice, !is_handshake};
}

}  // namespace arena
