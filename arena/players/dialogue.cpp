#include "arena/players/dialogue.hpp"

#include <boost/asio/awaitable.hpp>

#include "arena/players/diagnosis.hpp"

namespace arena {
namespace {

constexpr std::size_t kFillsBuffers = 12'000;  // lines: in 47 KiB `ugi`, out 70 KiB `ugiok`

}  // namespace

Awaitable<Belated> provoke(Dialogue& bot, std::string awaited, Milliseconds patience) {
    const bool is_handshake = awaited == "ugiok";  // nothing has been answered yet
    if (is_handshake) {
        std::string more;
        for (std::size_t i = 0; i < kFillsBuffers; ++i) more += "ugi\n";
        more += "uci\n";
        co_await bot.send(more, bot.now() + patience);  // if it fails, so does hear()
        const auto line = co_await bot.hear(awaited, bot.now() + patience, "uciok");
        if (line && line->starts_with("uciok"))
            co_return Belated{"it answers `uci`", kForeignAdvice};
        if (line) co_return Belated{"it came later, out of a buffer", kFlushAdvice, true};
    }
    bot.end_input();
    const auto line = co_await bot.hear(awaited, bot.now() + patience, {});
    if (!line) co_return Belated{};
    // One that has shaken hands has answered before.
    co_return Belated{"it came once the bot's input was closed",
                      is_handshake ? kReadLinesAdvice : kFlushAdvice, !is_handshake};
}

}  // namespace arena
