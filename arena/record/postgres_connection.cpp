#include "arena/record/postgres.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pqxx/pqxx>

#include "protocol/text.hpp"

namespace arena::postgres {
namespace {

using protocol::Error;
using protocol::Fault;

// libpq's messages have several lines, some indented by a tab.
std::string one_line(std::string_view text) {
    std::string line;
    for (const char c : text.substr(0, text.find_last_not_of(" \n") + 1)) {
        if (c == '\n')
            line += "; ";
        else if (c != '\t')
            line += c;
    }
    if (line.starts_with("ERROR:")) line.erase(0, line.find_first_not_of(' ', 6));
    return protocol::printable(line, 1000);
}

// Shutting down or starting up, or the connection itself.
bool is_lost(std::string_view state) {
    return state.starts_with("08") || state.starts_with("57P");
}

// A lock that did not come in time, or a session of the same user cancelled it. A statement
// that takes too long by itself would do so again.
bool is_undone(const pqxx::sql_error& error) {
    const bool is_cancelled =
        error.sqlstate() == "57014" &&
        std::string_view(error.what()).find("user request") != std::string_view::npos;
    return is_cancelled || error.sqlstate() == "55P03";
}

// Whether libpq cannot read the address, or the server answered and will not answer otherwise
// soon. libpq gives no code for it; a server that speaks another language is tried again in
// vain until the end of patience.
bool is_refusal(std::string_view text) {
    constexpr std::string_view kRefusals[]{"does not exist",          "authentication failed",
                                           "no pg_hba.conf entry",    "no password supplied",
                                           "not permitted to log in", "permission denied"};
    const auto has = [text](std::string_view part) { return text.find(part) != text.npos; };
    if (text.starts_with("invalid ") || has("invalid integer value") ||
        has("key/value separator"))
        return true;
    const bool is_answer = has("FATAL:") || has("no password supplied");
    return is_answer && std::ranges::any_of(kRefusals, has);
}

// Runs `work`, and throws its exceptions as Failure. `is_open` tells whether there is a
// connection after one.
template <typename IsOpen, typename Work>
auto translated(const IsOpen& is_open, const Work& work) {
    using Kind = Failure::Kind;
    try {
        return work();
    } catch (const pqxx::insufficient_privilege& error) {
        throw Failure{Kind::Denied, one_line(error.what())};
    } catch (const pqxx::insufficient_resources& error) {
        throw Failure{Kind::Full, one_line(error.what())};
    } catch (const pqxx::transaction_rollback& error) {
        throw Failure{Kind::Again, one_line(error.what())};
    } catch (const pqxx::sql_error& error) {
        if (is_undone(error)) throw Failure{Kind::Again, one_line(error.what())};
        const bool lost = is_lost(error.sqlstate()) || !is_open();
        throw Failure{lost ? Kind::Lost : Kind::Other, one_line(error.what())};
    } catch (const pqxx::failure& error) {
        const bool is_refused = is_refusal(error.what());
        throw Failure{is_refused ? Kind::Refused : Kind::Lost, one_line(error.what())};
    } catch (const std::exception& error) {
        throw Failure{Kind::Other, one_line(error.what())};
    }
}

// Options that hold unless the address says otherwise: a server that has gone without a word
// is noticed within half a minute.
std::string with_limits(std::string address) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kOptions{
        {{"connect_timeout", "10"},
         {"keepalives_idle", "10"},
         {"keepalives_interval", "5"},
         {"keepalives_count", "3"},
         {"tcp_user_timeout", "30000"}}};
    for (const auto& [name, value] : kOptions) {
        const bool has_options = address.find('?') != address.npos;
        if (has_options && address.find(fmt::format("{}=", name)) != address.npos) continue;
        address += fmt::format("{}{}={}", has_options ? '&' : '?', name, value);
    }
    return address;
}

pqxx::field field_of(const pqxx::result& result, std::size_t row, int column) {
    return result[static_cast<pqxx::result::size_type>(row)]
                 [static_cast<pqxx::row::size_type>(column)];
}

}  // namespace

Rows::Rows(std::shared_ptr<const pqxx::result> result)
    : result_(std::move(result)), size_(result_->size()) {}

std::string_view Rows::text(std::size_t row, int column) const {
    const auto field = field_of(*result_, row, column);
    return {field.c_str(), field.size()};
}

bool Rows::is_null(std::size_t row, int column) const {
    return field_of(*result_, row, column).is_null();
}

std::int64_t Rows::number(std::size_t row, int column) const {
    const std::string_view word = text(row, column);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error == std::errc() && end == word.data() + word.size()) return value;
    throw Failure{Failure::Kind::Other,
                  fmt::format("read {}, expected an integer", protocol::quoted(word))};
}

struct Connection::Impl {
    class Receiver : public pqxx::notification_receiver {
      public:
        Receiver(pqxx::connection_base& connection, const std::string& channel, bool& came)
            : notification_receiver(connection, channel), came_(came) {}
        void operator()(const std::string&, int) override { came_ = true; }

      private:
        bool& came_;
    };

    explicit Impl(const std::string& address) : connection(address) {
        connection.set_verbosity(pqxx::connection_base::terse);
    }

    pqxx::connection connection;
    std::map<std::string, std::string> prepared;  // names by statement
    bool came = false;
    std::vector<std::unique_ptr<Receiver>> receivers;

    template <typename Work>
    auto translate(const Work& work) {
        return translated([this] { return connection.is_open(); }, work);
    }

    // Never connects anew by itself, as the session would lack its settings and locks.
    void check_open() const {
        if (!connection.is_open()) throw pqxx::broken_connection("the connection was lost");
    }
};

Connection::Connection(const std::string& address)
    : impl_(translated([] { return false; },
                       [&] { return std::make_unique<Impl>(with_limits(address)); })) {}

Connection::~Connection() = default;

Rows Connection::run(const std::string& statement, const std::vector<std::string>& values) {
    return impl_->translate([&] {
        impl_->check_open();
        pqxx::nontransaction transaction(impl_->connection);
        auto& name = impl_->prepared[statement];
        if (name.empty()) {
            name = fmt::format("statement_{}", impl_->prepared.size());
            impl_->connection.prepare(name, statement);
        }
        pqxx::result rows =
            transaction.exec_prepared(name, pqxx::prepare::make_dynamic_params(values));
        transaction.commit();
        return Rows(std::make_shared<const pqxx::result>(std::move(rows)));
    });
}

void Connection::script(const std::string& statements) {
    impl_->translate([&] {
        impl_->check_open();
        pqxx::nontransaction transaction(impl_->connection);
        transaction.exec(statements);
        transaction.commit();
    });
}

void Connection::roll_back() {
    try {
        script("ROLLBACK");
    } catch (const Failure& failure) {
        if (failure.kind != Failure::Kind::Lost) throw;
    }
}

void Connection::listen(const std::string& channel) {
    impl_->translate([&] {
        impl_->receivers.push_back(
            std::make_unique<Impl::Receiver>(impl_->connection, channel, impl_->came));
    });
}

bool Connection::take_notifications() {
    return impl_->translate([&] {
        impl_->check_open();
        impl_->connection.get_notifs();
        return std::exchange(impl_->came, false);
    });
}

int Connection::socket() const { return impl_->connection.sock(); }

// ---- ReconnectingConnection ----

ReconnectingConnection::ReconnectingConnection(std::string address, std::string shown,
                                               std::chrono::milliseconds away,
                                               std::function<void(Connection&)> greet)
    : address_(std::move(address)),
      shown_(std::move(shown)),
      away_(away),
      greet_(std::move(greet)) {}

Connection& ReconnectingConnection::connect() {
    if (!connection_) {
        auto fresh = std::make_unique<Connection>(address_);
        greet_(*fresh);
        connection_ = std::move(fresh);
        lost_since_.reset();
    }
    return *connection_;
}

std::optional<Error> ReconnectingConnection::handle(const Failure& failure,
                                                    Attempts& attempts) {
    constexpr int kMostUndone = 100;
    constexpr std::chrono::milliseconds kLongestPause{2000};
    if (failure.kind == Failure::Kind::Again && ++attempts.undone < kMostUndone)
        return std::nullopt;
    if (failure.kind != Failure::Kind::Lost) return error_of(failure);
    attempts.any_ran = attempts.any_ran || connection_;
    connection_.reset();
    const auto now = Clock::now();
    if (!lost_since_) lost_since_ = now;
    if (!attempts.lost_since) attempts.lost_since = now;
    if (now - std::min(*lost_since_, *attempts.lost_since) >= away_) return error_of(failure);
    std::unique_lock lock(closing_mutex_);
    if (closing_.wait_for(lock, attempts.pause, [this] { return is_closed_; }))
        return error_of(failure);
    attempts.pause = std::min(2 * attempts.pause, kLongestPause);
    return std::nullopt;
}

Error ReconnectingConnection::error_of(const Failure& failure) const {
    if (failure.kind == Failure::Kind::Lost) {
        return {Fault::Disconnected,
                fmt::format("{} does not answer: {}; nothing recorded is lost", shown_,
                            failure.text),
                0};
    }
    if (failure.kind == Failure::Kind::Refused)
        return {Fault::BadInput, fmt::format("{}: {}", shown_, failure.text), 0};
    const bool is_denied = failure.kind == Failure::Kind::Denied;
    const bool is_full = failure.kind == Failure::Kind::Full;
    return {is_denied ? Fault::BadInput : Fault::Disconnected,
            fmt::format("{}: {}{}", shown_, failure.text,
                        is_denied ? "; the role of this user may not do that"
                        : is_full ? "; nothing recorded is lost"
                                  : ""),
            0};
}

void ReconnectingConnection::close() {
    const std::lock_guard lock(closing_mutex_);
    is_closed_ = true;
    closing_.notify_all();
}

int ReconnectingConnection::socket() {
    const std::lock_guard lock(mutex_);
    return connection_ ? connection_->socket() : -1;
}

std::string array_text(const std::vector<std::int64_t>& numbers) {
    return fmt::format("{{{}}}", fmt::join(numbers, ","));
}

std::string array_text(const std::vector<std::string>& texts) {
    std::string array = "{";
    for (const std::string& text : texts) {
        array += array.size() > 1 ? ",\"" : "\"";
        for (const char c : text) {
            if (c == '"' || c == '\\') array += '\\';
            array += c;
        }
        array += '"';
    }
    return array + "}";
}

}  // namespace arena::postgres
