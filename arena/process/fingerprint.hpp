// A fingerprint of a folder's files, such as a submission, so that another one in its place is
// noticed.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st;  // of OpenSSL

namespace arena {

// The SHA-256 of bytes that are added piece by piece.
class Sha256 {
  public:
    Sha256();
    void add(std::string_view bytes);
    std::string hex();  // once, after all of them

  private:
    std::unique_ptr<evp_md_ctx_st, void (*)(evp_md_ctx_st*)> context_;
};

// … in hex, of these.
std::string sha256_of(std::string_view bytes);

// SHA-256 of the files of a folder: their names, contents, permission to run, and where links
// lead. Without what tools write beside sources (.git, __pycache__/*.pyc). Follows no links;
// what cannot be read counts as empty. Reads all files.
std::string fingerprint_of(const std::filesystem::path& folder);

}  // namespace arena
