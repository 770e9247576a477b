// Lines of the protocol through nim-engine.
#include <cstdint>
#include <string_view>

#include "engine/commands/engine_bot.hpp"
#include "protocol/line_buffer.hpp"
#include "tests/fuzz/require.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view rest(reinterpret_cast<const char*>(data), size);
    static const auto names = std::make_shared<const engine::RulesetNames>();
    protocol::Session session(engine::engine_info(), std::make_unique<engine::EngineBot>(names),
                              [](std::string_view lines) {
                                  require(lines.ends_with('\n'));
                                  require(lines.size() <= 2 * protocol::kMaxLine);
                                  return true;
                              });
    while (!rest.empty()) {
        if (!session.feed(cut_line(rest))) return 0;
    }
    session.finish();
    return 0;
}
