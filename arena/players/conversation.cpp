#include "arena/players/conversation.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <boost/asio/awaitable.hpp>

#include "arena/base/bad_input.hpp"
#include "arena/players/diagnosis.hpp"
#include "arena/players/player_spec.hpp"
#include "protocol/suggest.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Result;

constexpr std::size_t kLongestQuoted = 1000;  // bytes
constexpr std::size_t kMostRefusals = 8;      // kept of one message
constexpr std::size_t kMostOptions = 200;     // whose names are kept
constexpr std::size_t kLongestOption = 100;   // bytes of such a name
constexpr std::size_t kLongestRefusal = 200;  // bytes, as it is shown

}  // namespace

bool is_refusal(std::string_view line) {
    return protocol::next_word(line) == "info" && protocol::next_word(line) == "string" &&
           protocol::next_word(line) == "error";
}

std::string refusal_text(std::string_view line) {
    for (int word = 0; word < 3; ++word) protocol::next_word(line);  // info string error
    return protocol::printable(protocol::trim(line), kLongestRefusal);
}

std::vector<std::string> undeclared_options(const Conversation::Options& set,
                                            const Introduction& said) {
    constexpr std::size_t kListed = 12;
    std::vector<std::string> sentences;
    if (said.options.size() >= kMostOptions) return sentences;  // not all are known
    const std::vector<std::string_view> declared(said.options.begin(), said.options.end());
    std::vector<std::string> listed;
    for (const auto option : declared) {
        if (listed.size() < kListed) listed.push_back(protocol::printable(option));
    }
    if (declared.size() > kListed) listed.emplace_back("…");
    for (const auto& [name, value] : set) {
        // Every player is sent a Seed.
        const bool is_known = std::ranges::find(declared, name) != declared.end();
        if (name == "Seed" || is_known) continue;
        sentences.push_back(
            fmt::format("read option.{}, expected one that it declares in its handshake{}{}",
                        protocol::printable(name),
                        listed.empty() ? ", but it declares none"
                                       : fmt::format(": {}", fmt::join(listed, ", ")),
                        protocol::suggestion(name, declared)));
    }
    return sentences;
}

std::string_view without_secret(std::string_view line) {
    std::string_view rest = line;
    const bool is_secret =
        protocol::next_word(rest) == "id" && protocol::next_word(rest) == "token";
    return is_secret ? "id token (not shown)" : line;
}

Awaitable<Result<void>> Conversation::send(std::string_view lines, Clock::time_point deadline) {
    begin_message(lines);
    return connection_.write(lines, deadline);
}

std::optional<Result<void>> Conversation::try_send(std::string_view& lines) {
    begin_message(lines);
    return connection_.try_write(lines);
}

void Conversation::begin_message(std::string_view lines) {
    note('<', lines);
    last_line_.clear();
    refusals_.clear();
}

std::optional<Conversation::Line> Conversation::try_hear(std::string_view awaited,
                                                         Clock::time_point deadline,
                                                         std::string_view other) {
    for (;;) {
        const auto line = connection_.try_read_line(deadline);
        if (!line || !*line) return line;
        note('>', **line);
        std::string_view rest = **line;
        const std::string_view word = protocol::next_word(rest);
        if (word == awaited || (!other.empty() && word == other)) return line;
        last_line_ = without_secret(**line).substr(0, kLongestQuoted);
        count_if_unknown(**line, protocol::parse_reply(**line));
        if (refusals_.size() < kMostRefusals && is_refusal(**line))
            refusals_.push_back(last_line_);
    }
}

Awaitable<Conversation::Line> Conversation::hear(std::string_view awaited,
                                                 Clock::time_point deadline,
                                                 std::string_view other) {
    for (;;) {
        const auto line = try_hear(awaited, deadline, other);
        if (line) co_return *line;
        const bool is_there = co_await connection_.wait(deadline);
        if (!is_there) co_return protocol::Error{protocol::Fault::Disconnected, "closed", 0};
    }
}

Awaitable<Conversation::Line> Conversation::ask(std::string_view lines,
                                                std::string_view awaited,
                                                Clock::time_point deadline) {
    co_await send(lines, deadline);
    co_return co_await hear(awaited, deadline);
}

Awaitable<Result<void>> Conversation::shake_hands(Clock::time_point deadline,
                                                  const Options& options,
                                                  std::optional<Milliseconds> silence) {
    introduction_ = {};
    co_await send("ugi\n", deadline);  // if it fails, so does hear()
    auto until = deadline;
    bool asked_uci = false;
    if (silence) until = std::min(deadline, Clock::now() + *silence);
    for (;;) {
        const auto line = co_await connection_.read_line(until);
        if (!line && until < deadline && line.error().fault == protocol::Fault::TimedOut) {
            until = deadline;
            asked_uci = true;
            co_await send("uci\n", deadline);
            continue;
        }
        if (!line) co_return line.error();
        until = deadline;
        const Result<bool> is_last = introduce(*line);
        if (!is_last) co_return is_last.error();
        if (!*is_last) continue;
        // Which of the two has it answered?
        if (!std::exchange(asked_uci, false)) break;
        const bool is_doubtful = co_await answers_uci(deadline);
        if (!is_doubtful) break;
        introduction_ = {};
        co_await send("ugi\n", deadline);
    }
    std::string lines;
    for (const auto& [name, value] : options)
        lines += fmt::format("setoption name {} value {}\n", name, value);
    if (!lines.empty()) co_await send(lines, deadline);
    co_return Result<void>();
}

// Whether it answers `uci` as if that were `ugi`.
Awaitable<bool> Conversation::answers_uci(Clock::time_point deadline) {
    co_await send("uci\nisready\n", deadline);  // if it fails, so does read_line()
    for (;;) {
        const auto line = co_await connection_.read_line(deadline);
        if (!line) co_return false;
        note('>', *line);
        const protocol::Reply reply = protocol::parse_reply(*line);
        if (std::holds_alternative<protocol::UgiOkReply>(reply)) co_return true;
        if (std::holds_alternative<protocol::ReadyOkReply>(reply)) co_return false;
    }
}

Result<bool> Conversation::introduce(std::string_view line) {
    note('>', line);
    const protocol::Reply reply = protocol::parse_reply(line);
    if (std::holds_alternative<protocol::UgiOkReply>(reply)) return true;
    last_line_ = without_secret(line).substr(0, kLongestQuoted);
    count_if_unknown(line, reply);
    const bool is_unknown = std::holds_alternative<protocol::UnknownReply>(reply);
    if (is_unknown && !foreign_advice(line).empty())
        return bad_input("it wrote {}", protocol::quoted(protocol::trim(line)));
    if (const auto* id = std::get_if<protocol::IdReply>(&reply)) {
        if (id->key == "token" && !introduction_.token.empty())
            return bad_input("token: read a second one, expected one of them");
        add_id(*id);
    } else if (const auto* option = std::get_if<protocol::OptionReply>(&reply)) {
        if (option->name == "LegalMoves") introduction_.lists_legal_moves = true;
        if (introduction_.options.size() < kMostOptions)
            introduction_.options.emplace_back(option->name.substr(0, kLongestOption));
    }
    return false;
}

void Conversation::count_if_unknown(std::string_view line, const protocol::Reply& reply) {
    if (!std::holds_alternative<protocol::UnknownReply>(reply) || protocol::trim(line).empty())
        return;
    if (chatter_.lines++ == 0) chatter_.first = line.substr(0, kLongestQuoted);
}

void Conversation::add_id(const protocol::IdReply& id) {
    if (id.key == "token") {  // a secret
        introduction_.token = protocol::trim(id.value);
        return;
    }
    if (id.key == "notices") {
        introduction_.wants_notices = protocol::trim(id.value) == "on";
        return;
    }
    if (id.key == "name" && introduction_.name.empty()) introduction_.name = id.value;
    std::string& shown = introduction_.id;
    if (shown.size() >= kLongestQuoted) return;
    shown += fmt::format("{}{} {}", shown.empty() ? "" : "; ", shown_name(id.key),
                         shown_name(protocol::trim(id.value)));
}

}  // namespace arena
