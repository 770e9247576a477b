// `nim-arena token`: who may play on a server.
#pragma once

#include <string>
#include <vector>

#include "arena/base/option_table.hpp"

namespace arena {

struct TokenOptions {
    std::vector<std::string> words;  // an action, and the name that it is for
    std::string file;

    const std::string& action() const { return words[0]; }
    const std::string& name() const { return words[1]; }
};

Parsed<TokenOptions> parse_token_options(const Words& words);

}  // namespace arena
