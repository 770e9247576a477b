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
    std::optional<Response> file(std::string_view name) const;

    std::string folder_;
    std::vector<std::pair<std::string, Response>> files_;  // built in
    std::vector<std::pair<std::string, Site*>> sites_;
};

// The media type of a file by its name; empty for a file that is not served.
std::string_view type_of(std::string_view name);

// A page that a browser may keep, but asks for again, by an ETag.
Response kept_page(std::string_view type, std::string text);

// The same, or 304 for a client whose If-None-Match header says that it has the page. Other
// responses as they are.
Response unless_known(Response page, std::string_view if_none_match);

}  // namespace arena::web
