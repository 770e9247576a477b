// Files that are part of the program: embed.cmake writes them as a vector.
#pragma once

#include <string_view>
#include <vector>

namespace arena {

struct EmbeddedFile {
    std::string_view name;  // with its folders: "python/nim_bot.py"
    std::string_view text;
};

// The kits of `nim-arena new`: "connect.py", "python/nim_bot.py", …
extern const std::vector<EmbeddedFile> kKitFiles;

}  // namespace arena
