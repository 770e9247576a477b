// nim-arena token: who may play on a server.
#pragma once

#include "arena/token_options.hpp"

namespace arena {

class Guardian;

// Gives the exit status.
int run_token(const TokenOptions& options, const Guardian& guardian);

}  // namespace arena
