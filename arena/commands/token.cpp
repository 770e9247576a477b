#include "arena/commands/options.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "arena/base/console.hpp"
#include "arena/base/exit_codes.hpp"
#include "arena/commands/commands.hpp"
#include "arena/players/tokens.hpp"
#include "protocol/suggest.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Result;
using protocol::suggestion;

OptionTable<TokenOptions> token_table() {
    return {text({"Options", "tokens", "FILE", "the file of tokens; required"},
                 &TokenOptions::file, "a file")};
}

constexpr std::string_view kTokenHead = R"(Usage: nim-arena token add NAME --tokens FILE
       nim-arena token list --tokens FILE
       nim-arena token remove NAME --tokens FILE

Manages the players of `nim-arena serve`. `add` makes a secret of 128 random bits for NAME and
prints it once. Give it only to that player, who puts it into a file for connect.py, or sends
it as `id token SECRET` in the handshake. FILE keeps only its SHA-256; a running server reads
the change. `list` prints the names. `remove` revokes a token, but does not end a connection.

)";

constexpr std::string_view kTokenTail = R"(
Examples:
  (umask 077; nim-arena token add Ann --tokens class.tokens > ann.token)
  nim-arena token list --tokens class.tokens

Exit status:
  0        done
  1        the file cannot be read or written, or NAME has a token already, or has none
  2        the command line is wrong
)";

Result<void> take_word(TokenOptions& options, const std::string& word) {
    options.words.push_back(word);
    return {};
}

Result<void> finish_token(TokenOptions& options, const Given&) {
    constexpr std::array<std::string_view, 3> kActions{"add", "list", "remove"};
    const auto& words = options.words;
    if (words.empty() || std::ranges::find(kActions, words[0]) == kActions.end()) {
        return bad_input("read {}, expected add NAME, list or remove NAME{}",
                         words.empty() ? "nothing" : protocol::quoted(words[0]),
                         words.empty() ? "" : suggestion(words[0], kActions));
    }
    const std::size_t expected = words[0] == "list" ? 1 : 2;
    if (words.size() != expected) {
        return bad_input("read {} word{} after '{}', expected {}", words.size() - 1,
                         words.size() == 2 ? "" : "s", words[0],
                         expected == 1 ? "none" : "one name: quote it for your shell");
    }
    if (options.file.empty()) return bad_input("expected --tokens FILE");
    return expected == 1 ? Result<void>() : check_token_name(words[1]);
}

int fail(const protocol::Error& error) {
    complain(fmt::format("nim-arena token: {}\n", error.text));
    return kExitInternal;
}

int run_token(const TokenOptions& options) {
    Console console(stdout);
    if (options.action() == "add") {
        const auto secret = add_token(options.file, options.name());
        if (!secret) return fail(secret.error());
        console.line(*secret);
    } else if (options.action() == "remove") {
        const auto removed = remove_token(options.file, options.name());
        if (!removed) return fail(removed.error());
    } else {
        const auto tokens = Tokens::load(options.file);
        if (!tokens) return fail(tokens.error());
        for (const Tokens::Entry& entry : tokens->entries()) console.line(entry.name);
    }
    return console.finish(kExitPlayed);
}

}  // namespace

Parsed<TokenOptions> parse_token_options(const Words& words) {
    CommandLine<TokenOptions> line("nim-arena token", token_table(), kTokenHead, kTokenTail);
    line.argument = take_word;
    line.finish = finish_token;
    return parse(std::move(line), words);
}

int commands::token(const Words& words, const Guardian&) {
    return run(parse_token_options(words), run_token);
}

}  // namespace arena
