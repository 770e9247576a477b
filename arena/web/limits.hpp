// Which requests are served: for which names, targets and types.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace arena::web {

// The names of this server. A page of another site whose own name resolves to this machine (DNS
// rebinding) sends that name, and is refused.
class HostNames {
  public:
    // `names`: besides `localhost` and addresses.
    explicit HostNames(std::vector<std::string> names = {}) : names_(std::move(names)) {}

    // Whether a Host header names this server: an IP address, `localhost` or one of the names,
    // with or without a port.
    bool allow(std::string_view host) const;

  private:
    std::vector<std::string> names_;
};

// Whether the Origin header names the same server as the Host header.
bool is_own_origin(std::string_view origin, std::string_view host);

// The path of a request's target, decoded, without its query. nullopt: a target without a
// leading slash, a segment '.' or '..', a wrong %XX, a control character, an encoded slash, or
// invalid UTF-8.
std::optional<std::string> parse_target(std::string_view target);

// Whether a Content-Type is that of JSON in UTF-8; whether it is that of a form of a page.
bool is_json(std::string_view content_type);
bool is_form(std::string_view content_type);

// The decoded value of a field of such a form; nullopt: there is none.
std::optional<std::string> form_value(std::string_view form, std::string_view field);

}  // namespace arena::web
