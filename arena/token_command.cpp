#include "arena/token_command.hpp"

#include <cstdio>

#include <fmt/format.h>

#include "arena/console.hpp"
#include "arena/exit_codes.hpp"
#include "arena/tokens.hpp"

namespace arena {
namespace {

int fail(const protocol::Error& error) {
    complain(fmt::format("nim-arena token: {}\n", error.text));
    return kExitInternal;
}

}  // namespace

int run_token(const TokenOptions& options, const Guardian&) {
    Console console(stdout);
    if (options.action == TokenAction::Add) {
        const auto secret = add_token(options.file, options.name);
        if (!secret) return fail(secret.error());
        console.line(*secret);
    } else if (options.action == TokenAction::Remove) {
        const auto removed = remove_token(options.file, options.name);
        if (!removed) return fail(removed.error());
    } else {
        const auto tokens = Tokens::load(options.file);
        if (!tokens) return fail(tokens.error());
        for (const Tokens::Entry& entry : tokens->entries()) console.line(entry.name);
    }
    return console.finish(kExitPlayed);
}

}  // namespace arena
