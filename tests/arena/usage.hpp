// What a command line of nim-arena was read as.
#pragma once

#include "arena/base/command_line.hpp"

namespace arena {

template <typename Options, typename Parsed>
Options options_in(const Parsed& parsed) {
    if (const auto* error = std::get_if<UsageError>(&parsed)) ADD_FAILURE() << error->text;
    const auto* options = std::get_if<Options>(&parsed);
    return options == nullptr ? Options{} : *options;
}

// The message without the name of the command, "nim-arena check", and the hint at its help.
template <typename Parsed>
std::string usage_error(const Parsed& parsed, const std::string& command) {
    const auto* error = std::get_if<UsageError>(&parsed);
    if (error == nullptr) return "no error";
    std::string_view text = error->text;
    const std::string head = command + ": ";
    const std::string tail = "\nTry '" + command + " --help' for what it takes.\n";
    EXPECT_TRUE(text.starts_with(head) && text.ends_with(tail)) << text;
    text.remove_prefix(std::min(head.size(), text.size()));
    return std::string(text.substr(0, text.size() - std::min(tail.size(), text.size())));
}

}  // namespace arena
