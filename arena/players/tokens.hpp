// The players that a server admits: names, each with a secret. The file contains only the
// SHA-256 of each secret, so its readers cannot play under another name.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/result.hpp"

namespace arena {

class Tokens {
  public:
    struct Entry {
        std::string name;
        std::string hash;  // SHA-256 of the secret, in hexadecimal
    };

    // A file of lines "HASH NAME", HASH in hexadecimal; # starts a comment line.
    static protocol::Result<Tokens> load(const std::string& path);
    // `path` is for the error texts.
    static protocol::Result<Tokens> parse(std::string_view text, const std::string& path);

    // The owner of a secret. Takes constant time.
    std::optional<std::string> owner(std::string_view secret) const;
    const std::vector<Entry>& entries() const { return entries_; }
    // What is wrong with the file's permissions; empty: nothing.
    const std::string& warning() const { return warning_; }

  private:
    std::vector<Entry> entries_;
    std::string warning_;
};

// The current tokens of a file that may change at any time.
class TokenFile {
  public:
    protocol::Result<void> open(const std::string& path);

    // Reads the file again if it has changed. While it cannot be read, the last contents stay
    // in effect; an error is returned once, until it changes.
    protocol::Result<void> refresh();
    const Tokens& tokens() const { return tokens_; }

  private:
    using Stamp = std::array<std::int64_t, 6>;
    std::optional<Stamp> stamp() const;

    std::string path_;
    Tokens tokens_;
    std::optional<Stamp> stamp_;  // of what was read
    std::string reported_;        // the last error since then
};

// A name that a table can show unchanged: up to 40 columns of UTF-8, no control characters, no
// blanks at its ends.
protocol::Result<void> check_token_name(std::string_view name);

// A new secret of 128 random bits, in hexadecimal.
protocol::Result<std::string> draw_secret();

// Makes a secret for a new name and returns it; only its hash is stored. The
// file is created if necessary, readable by its owner only. It is replaced as a whole, keeping
// its owner and mode; concurrent changes wait for each other.
protocol::Result<std::string> add_token(const std::string& path, const std::string& name);
protocol::Result<void> remove_token(const std::string& path, const std::string& name);

}  // namespace arena
