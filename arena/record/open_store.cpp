#include "arena/record/open_store.hpp"

#include <algorithm>
#include <string_view>

#include "arena/base/bad_input.hpp"
#include "arena/record/postgres_store.hpp"
#include "arena/record/sqlite_store.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Result;

constexpr std::string_view kSchemes[] = {"postgresql://", "postgres://"};

// The database's name in parts: what precedes the user, the user with a password, the rest.
struct DatabaseName {
    std::string_view scheme, user, password, rest;
    bool has_password = false;
};

DatabaseName split(std::string_view text) {
    DatabaseName name;
    for (const std::string_view scheme : kSchemes) {
        if (text.starts_with(scheme)) name.scheme = text.substr(0, scheme.size());
    }
    text.remove_prefix(name.scheme.size());
    // As libpq reads it, an '@' before any '/' ends the user. A later one may show that a
    // password has characters that should have been encoded.
    const auto at = text.find('@');
    const bool is_first = at != text.npos && text.substr(0, at).find('/') == text.npos;
    const auto end = is_first ? text.find_first_of("/?", at) : text.find('?');
    const auto host = text.substr(0, end).rfind('@');
    if (host != text.npos) name.user = text.substr(0, host);
    name.rest = host == text.npos ? text : text.substr(host);
    if (const auto colon = name.user.find(':'); colon != name.user.npos) {
        name.password = name.user.substr(colon + 1);
        name.user = name.user.substr(0, colon);
        name.has_password = true;
    }
    return name;
}

// The options behind '?' that may be shown: all but passwords.
std::string without_passwords(std::string_view text) {
    const auto begin = text.find('?');
    if (begin == text.npos) return std::string(text);
    std::string shown(text.substr(0, begin));
    char before = '?';
    text.remove_prefix(begin + 1);
    while (!text.empty()) {
        const auto option = text.substr(0, text.find('&'));
        text.remove_prefix(std::min(option.size() + 1, text.size()));
        const auto name = option.substr(0, option.find('='));
        const bool is_encoded = name.find('%') != name.npos;
        if (is_encoded || name.find("password") != name.npos) continue;
        shown += before;
        shown += option;
        before = '&';
    }
    return shown;
}

}  // namespace

bool is_database(const std::string& record) { return !split(record).scheme.empty(); }

std::string shown_record(const std::string& record) {
    if (!is_database(record)) return record;
    const DatabaseName name = split(record);
    return protocol::printable(std::string(name.scheme) + std::string(name.user) +
                               without_passwords(name.rest));
}

Result<void> check_record_name(const std::string& record) {
    if (!is_database(record)) return {};
    const DatabaseName name = split(record);
    if (!name.has_password && without_passwords(name.rest) == name.rest) return {};
    return bad_input(
        "read a password in {}, expected none, as all users of a machine see its command "
        "lines: "
        "put it into ~/.pgpass, or into the variable PGPASSWORD",
        shown_record(record));
}

Result<std::string> parse_record_name(const std::string& value) {
    if (value.empty()) return bad_input("expected a file, found nothing");
    const auto checked = check_record_name(value);
    if (!checked) return checked.error();
    return value;
}

Result<std::unique_ptr<Store>> open_store(const std::string& record,
                                          const StoreAccess& access) {
    const auto checked = check_record_name(record);
    if (!checked) return checked.error();
    if (is_database(record)) return open_postgres_store(record, access);
    return open_sqlite_store(record, access.read_only);
}

}  // namespace arena
