// Everything that `nim-arena token` was asked to do, checked.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "arena/command_line.hpp"

namespace arena {

enum class TokenAction { Add, List, Remove };

struct TokenOptions {
    TokenAction action = TokenAction::List;
    std::string name;  // Add, Remove
    std::string file;
};

using TokenCommand = std::variant<TokenOptions, HelpText, UsageError>;

// `arguments`: what stands behind `nim-arena token`.
TokenCommand parse_token_options(const std::vector<std::string>& arguments);

}  // namespace arena
