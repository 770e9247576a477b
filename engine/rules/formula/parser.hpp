// Reads the text of rules{…}.
#pragma once

#include "engine/rules/formula/syntax.hpp"
#include "protocol/result.hpp"
#include "protocol/scanner.hpp"

namespace engine::rules {

// The maximum nesting of brackets and "!".
inline constexpr std::size_t kMaxNesting = 100;

// Reads clauses up to the '}' after them. Linear in the text.
protocol::Result<Rules> parse_rules(protocol::Scanner& scanner);

}  // namespace engine::rules
