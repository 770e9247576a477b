#include "arena/commands/options.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>

#include <fmt/format.h>

#include "arena/base/console.hpp"
#include "arena/base/exit_codes.hpp"
#include "arena/commands/commands.hpp"
#include "arena/players/tls.hpp"
#include "arena/players/tokens.hpp"
#include "arena/web/site.hpp"
#include "protocol/suggest.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::suggestion;

OptionTable token_table(TokenOptions& options) {
    return {
        text({"Options", "tokens", "FILE", "the file of tokens; required"}, options.file,
             "a file"),
        endpoint({"Options", "invite", "HOST:PORT",
                  "`add` prints an invitation to the server there, which says all that NAME "
                  "must know, in place of the bare secret"},
                 options.server),
        flag({"Options", "tls", nullptr, "the server speaks TLS: its certificate is verified"},
             options.tls),
        text({"Options", "pin", "CERT",
              "the server speaks TLS: this is its certificate, a PEM file, and bots trust it "
              "alone"},
             options.certificate, "a PEM file"),
    };
}

constexpr std::string_view kTokenHead = R"(Usage: nim-arena token add NAME --tokens FILE
       nim-arena token list --tokens FILE
       nim-arena token remove NAME --tokens FILE

Manages the players of `nim-arena serve`. `add` makes a secret of 128 random
bits for NAME and prints it once, with --invite in a text that says how to use
it. Give it only to that player, who puts it into a file for connect.py, or
sends it as `id token SECRET` in the handshake. FILE keeps only its SHA-256; a
running server reads the change. `list` prints the names. `remove` revokes a
token, but does not end a connection.

)";

constexpr std::string_view kTokenTail = R"(
Examples:
  (umask 077; nim-arena token add Ann --tokens class.tokens > ann.token)
  nim-arena token list --tokens class.tokens
  (umask 077; while read -r name || [ -n "$name" ]; do
     [ -s "$name.txt" ] || nim-arena token add "$name" --tokens class.tokens \
       --invite arena.example.org:7000 --pin cert.pem > "$name.txt"
   done < names.txt)

Exit status:
  0        done
  1        the file cannot be read or written, or NAME has a token already, or
           has none
  2        the command line is wrong
)";

// What a player needs to take part with a bot of any computer.
constexpr std::string_view kInvitation = R"(Invitation to the arena, for {name}

You need Python 3.9 or later, your bot, and connect.py, which comes with each kit. It must have
this SHA-256:
    {hash}
To see it: sha256sum connect.py; macOS: shasum -a 256 connect.py; Windows: certutil -hashfile
connect.py SHA256

1. Put this line, your token, into a file token.txt. Show it to nobody: whoever has it plays as
   {name}.
    {secret}

2. In the folder of your bot, with connect.py and token.txt in it, start the bot by its own command,
   here python3 bot.py:
    python3 connect.py {words} --token-file token.txt python3 bot.py
   and on Windows:
    py connect.py {words} --token-file token.txt py bot.py

It says when you are connected, and who won each game. If the connection is lost, it dials again.
Ctrl-C ends it.
)";

Result<void> finish_token(TokenOptions& options) {
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
    const bool secures = options.tls || !options.certificate.empty();
    if (secures && !options.server) return bad_input("--tls and --pin need --invite HOST:PORT");
    if (options.server && words[0] != "add") return bad_input("--invite is for add alone");
    if (options.server && (options.server->host == "0.0.0.0" || options.server->host == "::")) {
        return bad_input("--invite: read {}, expected the address by which others reach it",
                         to_string(*options.server));
    }
    if (options.tls && !options.certificate.empty()) {
        return bad_input("expected --tls or --pin, not both");
    }
    return expected == 1 ? Result<void>() : check_token_name(words[1]);
}

int fail(const protocol::Error& error) { return refuse({error}, "nim-arena token"); }

int add(const TokenOptions& options, Console& console) {
    std::string words = options.server ? to_string(*options.server) : "";
    if (options.tls) words += " --tls";
    if (!options.certificate.empty()) {
        const auto pin = certificate_pin(options.certificate);
        if (!pin) return fail(pin.error());
        words += " --pin " + *pin;
    }
    const auto secret = add_token(options.file, options.name());
    if (!secret) return fail(secret.error());
    if (options.server) {
        console.write(fmt::format(kInvitation, fmt::arg("name", options.name()),
                                  fmt::arg("secret", *secret), fmt::arg("words", words),
                                  fmt::arg("hash", web::hash_of_connect())));
    } else {
        console.line(*secret);
    }
    return console.finish(kExitPlayed);
}

int run_token(const TokenOptions& options) {
    Console console(stdout);
    if (options.action() == "add") {
        return add(options, console);
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
    TokenOptions options;
    CommandLine line("nim-arena token", token_table(options), kTokenHead, kTokenTail);
    line.argument = takes_words(options.words);
    line.finish = [&](const Given&) { return finish_token(options); };
    return parse(line, words, options);
}

int commands::token(const Words& words, const Guardian&) {
    return run(parse_token_options(words), run_token);
}

}  // namespace arena
