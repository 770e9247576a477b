// The paths of the server: files of the page, and handlers of the rest.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arena/base/embedded_file.hpp"
#include "arena/web/http.hpp"

namespace arena::web {

extern const std::vector<EmbeddedFile> kPageFiles;  // of arena/web/page/

// The SHA-256 of connect.py, in hexadecimal.
std::string hash_of_connect();

// Answers `/`, `/live`, `/puzzles`, `/explore` and `/NAME` with files of the page. Added sites
// answer other paths.
class Routes : public Site {
  public:
    // `folder`: the page's files are read from there at each request; empty: the built-in ones.
    explicit Routes(std::string folder = {});

    // `site` answers the paths that begin with `prefix`, such as "/api/", and must outlive this
    // object. Call it before the server starts.
    void add(std::string prefix, Site& site);

    void answer(Request request, Reply reply) override;

  private:
    Response page(const Request& request) const;
    std::optional<std::string> read(std::string_view name) const;

    struct Entry {
        std::string name;
        std::shared_ptr<const std::string> text;
        std::string etag;
    };
    std::string folder_;
    std::vector<Entry> files_;  // built in
    std::vector<std::pair<std::string, Site*>> sites_;
};

// The media type of a file by its name; empty for a file that is not served.
std::string_view type_of(std::string_view name);

// A quoted ETag: a hash of the text, and its length.
std::string etag_of(std::string_view text);

// Whether an If-None-Match header names the ETag.
bool matches(std::string_view if_none_match, std::string_view etag);

}  // namespace arena::web
