// Lines of the protocol through nim-engine.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "engine/commands/engine_bot.hpp"
#include "protocol/line_buffer.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view rest(reinterpret_cast<const char*>(data), size);
    static const auto names = std::make_shared<const engine::RulesetNames>();
    protocol::Session session(engine::engine_info(), std::make_unique<engine::EngineBot>(names),
                              [](std::string_view lines) {
                                  const bool whole = lines.ends_with('\n');
                                  if (!whole || lines.size() > 2 * protocol::kMaxLine)
                                      std::abort();
                                  return true;
                              });
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        if (!session.feed(rest.substr(0, end))) return 0;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    session.finish();
    return 0;
}
