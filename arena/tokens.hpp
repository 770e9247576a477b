// Who may play on a server: names, each with a secret that proves it. The file holds the
// secrets' SHA-256 alone, so that whoever reads it cannot play in another's name.
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
        std::array<unsigned char, 32> hash{};  // SHA-256 of the secret
    };

    // A file of lines "HASH NAME", HASH in hexadecimal; # starts a comment line.
    static protocol::Result<Tokens> load(const std::string& path);
    // `path` is for the error texts.
    static protocol::Result<Tokens> parse(std::string_view text, const std::string& path);

    // Whose secret this is. Takes as long for one as for another.
    std::optional<std::string> owner(std::string_view secret) const;
    const std::vector<Entry>& entries() const { return entries_; }

  private:
    std::vector<Entry> entries_;
};

// The tokens as their file is now, which may change at any time.
class TokenFile {
  public:
    protocol::Result<void> open(const std::string& path);

    // Reads the file again where it has changed. While it cannot be read, what was read last
    // holds; the error is given once, until it can be read again.
    protocol::Result<void> refresh();
    const Tokens& tokens() const { return tokens_; }

  private:
    using Stamp = std::array<std::int64_t, 6>;
    std::optional<Stamp> stamp() const;

    std::string path_;
    Tokens tokens_;
    std::optional<Stamp> stamp_;  // of what was read
    bool is_told_ = false;        // that it cannot be read
};

// A name that a table shows as it is: up to 40 bytes of UTF-8, no control characters, no blanks
// at its ends.
protocol::Result<void> check_token_name(std::string_view name);

// Makes a secret of 128 random bits for a new name and gives it: nobody can read it anywhere
// later. The file is created if need be, readable by its owner alone; it is replaced as a whole,
// with the owner and the mode it had, and who changes it meanwhile waits.
protocol::Result<std::string> add_token(const std::string& path, const std::string& name);
// The same for many names at once: all of them, or, on an error, none.
protocol::Result<std::vector<std::string>> add_tokens(const std::string& path,
                                                      const std::vector<std::string>& names);
protocol::Result<void> remove_token(const std::string& path, const std::string& name);

}  // namespace arena
