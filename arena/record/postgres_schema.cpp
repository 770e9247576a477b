#include "arena/record/postgres.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "arena/base/bad_input.hpp"
#include "arena/base/embedded_file.hpp"

namespace arena {

// arena/record/postgres/: tables.sql and functions.sql, which make a record, and upgrade.sql.
extern const std::vector<EmbeddedFile> kPostgresFiles;

namespace postgres {
namespace {

using protocol::Result;

constexpr std::int64_t kSchemaVersion = 3;  // of the tables and functions, from 1

std::string file(std::string_view name) {
    return std::string(std::ranges::find(kPostgresFiles, name, &EmbeddedFile::name)->text);
}

// 0: there is no record yet.
std::int64_t schema_version(Connection& connection) {
    const Rows there = connection.run(
        "SELECT count(*) FROM pg_tables WHERE schemaname = 'nimarena' AND "
        "tablename = 'version'");
    if (there.number(0, 0) == 0) return 0;
    const Rows version = connection.run("SELECT max(version) FROM nimarena.version");
    if (!version.is_null(0, 0)) return version.number(0, 0);
    throw Failure{Failure::Kind::Refused,
                  "its table nimarena.version is damaged: restore the database from a backup"};
}

Result<void> check_database(Connection& connection, const std::string& shown) {
    const Rows rows = connection.run(
        "SELECT current_setting('server_encoding'), current_setting('server_version_num')");
    if (rows.text(0, 0) != "UTF8") {
        return bad_input(
            "{} has the encoding {}, expected UTF8: create it with ENCODING 'UTF8'", shown,
            rows.text(0, 0));
    }
    constexpr std::int64_t kLeastVersion = 130'000;
    if (std::stoll(std::string(rows.text(0, 1))) < kLeastVersion)
        return bad_input("{}: its server is older than PostgreSQL 13, expected 13 or later",
                         shown);
    return {};
}

bool may_migrate(Connection& connection) {
    const Rows rows = connection.run(
        "SELECT coalesce((SELECT pg_has_role(tableowner, 'USAGE') FROM pg_tables "
        "WHERE schemaname = 'nimarena' AND tablename = 'version'), "
        "has_database_privilege(current_database(), 'CREATE'))");
    return rows.text(0, 0) == "t";
}

// In one transaction; whoever comes second finds it done. Workers may not take the lock, which
// lets them read.
Result<void> migrate(Connection& connection) {
    return connection.transaction([&]() -> Result<void> {
        std::int64_t version = schema_version(connection);
        if (version == 0) {
            connection.script(file("tables.sql"));
            connection.script(file("functions.sql"));
        } else {
            connection.script("LOCK TABLE nimarena.version IN EXCLUSIVE MODE");
            version = schema_version(connection);
            if (version >= kSchemaVersion) return {};
            connection.script(file("functions.sql"));
            connection.script(file("upgrade.sql"));
        }
        connection.script(fmt::format(
            "SELECT grant_roles(); INSERT INTO version SELECT generate_series({}, {})",
            version + 1, kSchemaVersion));
        return {};
    });
}

// The same, also where another process makes the record at this moment: the server lets this
// one wait for it, and then says that there is one.
Result<void> migrate_once(Connection& connection) {
    try {
        return migrate(connection);
    } catch (const Failure& failure) {
        const bool is_made = failure.kind == Failure::Kind::Other &&
                             schema_version(connection) == kSchemaVersion;
        if (!is_made) throw;
        return {};
    }
}

}  // namespace

// Plans that read a few rows by an index stay good while tables grow from nothing, whatever
// the statistics say.
std::string session_settings(bool read_only) {
    return fmt::format(
        "SET search_path = nimarena, pg_temp; SET client_encoding = 'UTF8'; "
        "SET client_min_messages = error; SET statement_timeout = '5min'; "
        "SET lock_timeout = '1min'; SET idle_in_transaction_session_timeout = '1min'; "
        "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; "
        "SET tcp_keepalives_count = 3; SET jit = off; SET enable_seqscan = off; "
        "SET enable_hashjoin = off; SET enable_mergejoin = off; "
        "SET default_transaction_read_only = {}",
        read_only ? "on" : "off");
}

Result<void> prepare_schema(Connection& connection, const std::string& shown, bool read_only) {
    auto checked = check_database(connection, shown);
    if (!checked) return checked;
    const std::int64_t version = schema_version(connection);
    if (version > kSchemaVersion) {
        return bad_input(
            "{} was written by another version of Nimarena: read schema {}, expected {} or "
            "less; use the version that wrote it",
            shown, version, kSchemaVersion);
    }
    if (version == kSchemaVersion) return {};
    if (!read_only && may_migrate(connection)) return migrate_once(connection);
    if (version == 0) {
        return protocol::Error{protocol::Fault::Failed,
                               fmt::format("{} holds no record of Nimarena{}", shown,
                                           read_only ? "" : ", and its user may not make one")};
    }
    return bad_input(
        "{} was written by an earlier version of Nimarena: read schema {}, expected {}; to "
        "bring it up to date, play into it once as the user that made it",
        shown, version, kSchemaVersion);
}

}  // namespace postgres
}  // namespace arena
