#include "arena/record/open_store.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "arena/base/bad_input.hpp"
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

std::string percent_decoded(std::string_view text) {
    std::string decoded;
    for (std::size_t i = 0; i < text.size(); ++i) {
        unsigned code = 0;
        const char* const digits = text.data() + i + 1;
        const bool is_code = text[i] == '%' && i + 2 < text.size() &&
                             std::from_chars(digits, digits + 2, code, 16).ptr == digits + 2;
        decoded += is_code ? static_cast<char>(code) : text[i];
        if (is_code) i += 2;
    }
    return decoded;
}

// The value of an option behind '?'; empty: it is not there.
std::string option_of(std::string_view text, std::string_view wanted) {
    auto begin = text.find('?');
    while (begin != text.npos) {
        text.remove_prefix(begin + 1);
        const auto option = text.substr(0, text.find('&'));
        const auto equals = option.find('=');
        if (equals != option.npos && option.substr(0, equals) == wanted)
            return percent_decoded(option.substr(equals + 1));
        begin = text.find('&');
    }
    return {};
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
    if (!is_database(record)) {
        // The rest may be a password.
        if (record.starts_with("postgresql:") || record.starts_with("postgres:"))
            return bad_input(
                "read a database without //, expected postgresql://[USER@]HOST/NAME");
        return {};
    }
    const DatabaseName name = split(record);
    if (!name.has_password && without_passwords(name.rest) == name.rest) return {};
    return bad_input(
        "read a password in {}, expected none, as all users of a machine see its command "
        "lines: "
        "put it into ~/.pgpass, or into the variable PGPASSWORD",
        shown_record(record));
}

std::vector<std::string> secret_files(const std::string& record) {
    if (!is_database(record)) return {};
    struct Secret {
        const char *option, *variable, *at_home;
    };
    constexpr Secret kSecrets[]{{"passfile", "PGPASSFILE", "/.pgpass"},
                                {"sslkey", "PGSSLKEY", "/.postgresql/postgresql.key"}};
    std::vector<std::string> files;
    for (const Secret& secret : kSecrets) {
        std::string file = option_of(record, secret.option);
        if (const char* named = std::getenv(secret.variable); file.empty() && named != nullptr)
            file = named;
        if (const char* home = std::getenv("HOME"); file.empty() && home != nullptr)
            file = std::string(home) + secret.at_home;
        if (!file.empty()) files.push_back(std::move(file));
    }
    return files;
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
    return open_sqlite_store(record, access.read_only, access.budget);
}

}  // namespace arena
