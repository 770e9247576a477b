// Reads the text of rules{…}.
#pragma once

#include "engine/rules/rules_syntax.hpp"
#include "protocol/result.hpp"
#include "protocol/scanner.hpp"

namespace engine::rules {

// Brackets and "!" may stand in each other this deep.
inline constexpr std::size_t kMaxNesting = 100;

// Reads clauses up to the '}' behind them. Linear in the text.
protocol::Result<Rules> parse_rules(protocol::Scanner& scanner);

}  // namespace engine::rules
