// The command line of `nim-arena web`, checked.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arena/base/option_table.hpp"
#include "arena/players/play_options.hpp"
#include "arena/web/server.hpp"
#include "engine/rules/catalogue.hpp"

namespace arena::web {

struct WebOptions {
    ServerOptions server;
    PlayOptions play;                  // the bots, and how they are started
    engine::RulesetNames rulesets;     // of --rulesets
    std::vector<std::string> records;  // files
    std::string page;                  // a folder; empty: the page that is built in
    Milliseconds think{2000};          // compute time of one request
};

// `seed` is taken where none is given.
Parsed<WebOptions> parse_web_options(const Words& words, std::uint64_t seed);

}  // namespace arena::web
