#include "arena/token_options.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "arena/suggest.hpp"
#include "arena/tokens.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Error;
using protocol::Fault;
using protocol::Result;

Error refuse(std::string text) { return Error{Fault::BadInput, std::move(text), 0}; }

constexpr std::array kTexts{
    OptionText{"Options", "tokens", "FILE", "the file of tokens; needed"},
};

constexpr std::string_view kHelpHead = R"(Usage: nim-arena token add NAME --tokens FILE
       nim-arena token list --tokens FILE
       nim-arena token remove NAME --tokens FILE

Says who may play on `nim-arena serve`. `add` makes a secret of 128 random bits for NAME and prints
it, once: give it to that player alone, who puts it into a file for nim-connect, or sends it as
`id token SECRET` in the handshake. FILE holds its SHA-256; a server that runs sees the change. `list`
prints the names. `remove` takes a token back: who is connected by it stays until the connection ends.

)";

constexpr std::string_view kHelpTail = R"(
Examples:
  (umask 077; nim-arena token add Ann --tokens class.tokens > ann.token)
  nim-arena token list --tokens class.tokens

Exit status:
  0        done
  1        the file cannot be read or written, or NAME has a token already, or has none
  2        the command line makes no sense
)";

Result<TokenOptions> read(const std::vector<Argument>& arguments) {
    constexpr std::array<std::string_view, 3> kActions{"add", "list", "remove"};
    std::vector<std::string> words;
    TokenOptions options;
    for (const Argument& argument : arguments) {
        if (argument.option.empty())
            words.push_back(argument.value);
        else
            options.file = argument.value;
    }
    const auto action = words.empty() ? kActions.end() : std::ranges::find(kActions, words[0]);
    if (action == kActions.end()) {
        const std::string read = words.empty() ? "nothing" : protocol::quoted(words[0]);
        return refuse(fmt::format("read {}, expected add NAME, list or remove NAME{}", read,
                                  words.empty() ? "" : suggestion(words[0], kActions)));
    }
    options.action = static_cast<TokenAction>(action - kActions.begin());
    const std::size_t expected = options.action == TokenAction::List ? 1 : 2;
    if (words.size() != expected) {
        return refuse(
            fmt::format("read {} word{} behind '{}', expected {}", words.size() - 1,
                        words.size() == 2 ? "" : "s", words[0],
                        expected == 1 ? "none" : "one name: quote it for your shell"));
    }
    if (options.file.empty()) return refuse("expected --tokens FILE");
    if (expected == 1) return options;
    options.name = words[1];
    const auto named = check_token_name(options.name);
    if (!named) return named.error();
    return options;
}

}  // namespace

TokenCommand parse_token_options(const std::vector<std::string>& arguments) {
    const auto split = split_arguments(kTexts, arguments);
    if (!split) return usage_error("token", split.error());
    if (asks_for_help(*split)) {
        return HelpText{fmt::format("{}{}{}", kHelpHead, describe_options(kTexts), kHelpTail)};
    }
    auto options = read(*split);
    if (!options) return usage_error("token", options.error());
    return *std::move(options);
}

}  // namespace arena
