#include "arena/players/player_spec.hpp"

#include <glob.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "arena/base/bad_input.hpp"
#include "arena/base/command_line.hpp"
#include "arena/base/files.hpp"
#include "arena/players/tokens.hpp"
#include "protocol/heap.hpp"
#include "protocol/suggest.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using protocol::Error;
using protocol::nearest;
using protocol::Result;
using protocol::suggestion;

constexpr std::size_t kMaxName = 40;
constexpr int kMaxThreads = 1024;
constexpr int kMaxInstances = 4096;
constexpr std::uint64_t kLeastData = 1 << 20;
constexpr std::string_view kUnlimited = "unlimited";

// ---- positional players ----

std::string_view base_name(std::string_view path) {
    while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
    const auto slash = path.rfind('/');
    return slash == path.npos || path.size() == 1 ? path : path.substr(slash + 1);
}

// "python3.11" runs a script, so it does not name the player.
bool is_interpreter(std::string_view program) {
    constexpr std::array<std::string_view, 16> kInterpreters{
        "bash", "dash", "guile", "java",   "julia", "lua", "luajit", "node",
        "perl", "php",  "pypy",  "python", "ruby",  "sh",  "tclsh",  "zsh"};
    std::string_view base = base_name(program);
    base = base.substr(0, base.find_last_not_of("0123456789.-") + 1);
    return std::ranges::find(kInterpreters, base) != kInterpreters.end();
}

// The script an interpreter is given, else the program.
std::string_view command_name(const std::vector<std::string>& command) {
    if (!is_interpreter(command[0])) return base_name(command[0]);
    for (std::size_t i = 1; i < command.size(); ++i) {
        if (command[i] == "-c" || command[i] == "-e") break;
        if (!command[i].empty() && !command[i].starts_with('-')) return base_name(command[i]);
    }
    return base_name(command[0]);
}

Result<PlayerSpec> parse_command(std::string_view text) {
    auto words = split_shell_words(text);
    if (!words) return words.error();
    if (words->empty() || words->front().empty()) {
        return bad_input("no player is named, expected one such as 'python3 bot.py'");
    }
    PlayerSpec spec;
    spec.kind = PlayerKind::Command;
    spec.command = *std::move(words);
    spec.name = shown_name(command_name(spec.command));
    return spec;
}

// The rate after "eps:", as 0.1.
std::optional<double> parse_rate(std::string_view text) {
    double rate = 0;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), rate, std::chars_format::fixed);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    if (!(rate >= 0 && rate <= 1)) return std::nullopt;
    return rate;
}

Result<PlayerSpec> parse_builtin(std::string_view name) {
    constexpr std::array<std::string_view, 4> kBuiltins{"perfect", "random", "greedy", "eps"};
    const std::string_view kind = name.substr(0, name.find(':'));
    const bool takes_rate = kind == "eps";
    if (std::ranges::find(kBuiltins, takes_rate ? kind : name) == kBuiltins.end()) {
        const std::string_view meant = nearest(kind, kBuiltins);
        return bad_input(
            "read {}, expected builtin:perfect, builtin:random, builtin:greedy or "
            "builtin:eps:E{}",
            protocol::quoted(fmt::format("builtin:{}", name)),
            meant.empty() ? ""
                          : fmt::format("; did you mean 'builtin:{}'?",
                                        meant == "eps" ? "eps:0.1" : meant));
    }
    PlayerSpec spec;
    spec.kind = PlayerKind::Builtin;
    spec.builtin = kind;
    spec.name = shown_name(name);
    if (!takes_rate) return spec;

    const auto rate = parse_rate(name.substr(std::min(kind.size() + 1, name.size())));
    if (!rate) {
        return bad_input(
            "read {}, expected eps:E with a rate of mistakes E of 0..1, such as "
            "builtin:eps:0.1",
            protocol::quoted(name));
    }
    spec.error_rate = *rate;
    return spec;
}

Result<PlayerSpec> parse_address(PlayerKind kind, std::string_view address) {
    const auto endpoint = protocol::parse_endpoint(address);
    if (!endpoint)
        return bad_input("{}: {}", protocol::quoted(address), describe(endpoint.error()));
    if (kind == PlayerKind::TcpConnect && endpoint->port == 0) {
        return bad_input("read port '0', expected the port that the bot listens on, 1..65535");
    }
    PlayerSpec spec;
    spec.kind = kind;
    spec.endpoint = *endpoint;
    spec.name = shown_name(address);
    return spec;
}

// As written in a record of `nim-arena serve`.
Result<PlayerSpec> parse_token_player(std::string_view name) {
    const auto named = check_token_name(name);
    if (!named) return named.error();
    PlayerSpec spec;
    spec.kind = PlayerKind::Token;
    spec.name = name;
    spec.name_given = true;
    spec.instances = 1;
    return spec;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// The correction of a typo such as "tcp:localhost:5" or "builtins:random"; else empty.
std::string meant_player(std::string_view text) {
    constexpr std::array<std::string_view, 4> kWords{"tcp", "tls", "listen", "builtin"};
    const auto colon = text.find(':');
    if (colon == text.npos || !std::ranges::all_of(text.substr(0, colon), is_letter)) return {};
    const std::string_view word = nearest(text.substr(0, colon), kWords);
    if (word.empty()) return {};
    std::string_view rest = text.substr(colon + 1);
    rest.remove_prefix(std::min(rest.find_first_not_of('/'), rest.size()));
    std::string meant(word);
    meant += word == "builtin" ? ":" : "://";
    meant += rest;
    return meant == text ? std::string() : meant;
}

// "tcp" of "tcp://…"; empty if there is no scheme.
std::string_view scheme_of(std::string_view text) {
    const auto end = text.find("://");
    if (end == text.npos || end == 0) return {};
    const std::string_view scheme = text.substr(0, end);
    return std::ranges::all_of(scheme, is_letter) ? scheme : std::string_view();
}

// ---- the keys of --player ----

Result<void> set_switch(bool& target, std::string_view key, std::string_view value) {
    if (value != "on" && value != "off") {
        return bad_input("{}: read {}, expected on or off", key, protocol::quoted(value));
    }
    target = value == "on";
    return {};
}

Result<void> set_name(PlayerSpec& spec, std::string_view value) {
    if (protocol::trim(value).empty()) return bad_input("name: expected a name, found nothing");
    spec.name = shown_name(protocol::trim(value));
    spec.name_given = true;
    return {};
}

Result<void> set_legal_moves(PlayerSpec& spec, std::string_view value) {
    constexpr std::array<std::string_view, 3> kWords{"auto", "on", "off"};
    const auto word = std::ranges::find(kWords, value);
    if (word == kWords.end()) {
        return bad_input("legalmoves: read {}, expected auto, on or off",
                         protocol::quoted(value));
    }
    constexpr std::array kMeanings{LegalMoves::Auto, LegalMoves::On, LegalMoves::Off};
    spec.legal_moves = kMeanings[static_cast<std::size_t>(word - kWords.begin())];
    return {};
}

Result<void> set_directory(PlayerSpec& spec, std::string_view value) {
    if (value.empty()) return bad_input("dir: expected a directory, found nothing");
    spec.directory = value;
    return {};
}

// Stores a value that was read, or names the key in the error.
template <typename Target, typename Value>
Result<void> store(Target& target, std::string_view key, const Result<Value>& read) {
    if (!read) return bad_input("{}: {}", key, read.error().text);
    target = static_cast<Target>(*read);
    return {};
}

Result<void> set_movetime(PlayerSpec& spec, std::string_view value) {
    const auto stored = store(spec.clock.movetime, "movetime", parse_milliseconds(value, 0));
    if (stored && spec.clock.base) return bad_input("expected movetime or tc, not both");
    return stored;
}

Result<void> set_time_control(PlayerSpec& spec, std::string_view value) {
    const auto clock = parse_time_control(value);
    if (!clock) return bad_input("tc: {}", clock.error().text);
    if (spec.clock.movetime) return bad_input("expected movetime or tc, not both");
    spec.clock.base = clock->first;
    spec.clock.increment = clock->second;
    return {};
}

Result<void> set_ca(PlayerSpec& spec, std::string_view value) {
    if (!spec.tls) return bad_input("key 'ca' is for tls://HOST:PORT alone");
    if (value.empty()) return bad_input("ca: expected a file, found nothing");
    spec.ca = value;
    return {};
}

Result<void> set_data(PlayerSpec& spec, std::string_view value) {
    spec.data_limit = 0;
    if (value == kUnlimited) return {};
    const auto size = parse_size(value, kLeastData);
    if (!size) return bad_input("data: {}, or unlimited", size.error().text);
    spec.data_limit = *size;
    return {};
}

// The kinds of players to which a key applies.
enum class For { All, Bots, Commands };

struct Key {
    std::string_view name;
    For players;
    Result<void> (*set)(PlayerSpec&, std::string_view value);
};

// All keys but cmd, option.X and env.X. `found` is for records alone.
constexpr std::array kKeys{
    Key{"name", For::All, set_name},
    Key{"legalmoves", For::Bots, set_legal_moves},
    Key{"history", For::Bots,
        [](PlayerSpec& spec, std::string_view value) {
            return set_switch(spec.history, "history", value);
        }},
    Key{"dir", For::Commands, set_directory},
    Key{"env", For::Commands,
        [](PlayerSpec& spec, std::string_view value) {
            return store(spec.environment_mode, "env", parse_environment_mode(value));
        }},
    Key{"data", For::Commands, set_data},
    Key{"threads", For::Commands,
        [](PlayerSpec& spec, std::string_view value) {
            return store(spec.threads, "threads", parse_count(value, 1, kMaxThreads));
        }},
    Key{"restart", For::Commands,
        [](PlayerSpec& spec, std::string_view value) {
            return set_switch(spec.restart, "restart", value);
        }},
    Key{"movetime", For::All, set_movetime},
    Key{"tc", For::All, set_time_control},
    Key{"nodes", For::Bots,
        [](PlayerSpec& spec, std::string_view value) {
            return store(spec.clock.nodes, "nodes",
                         parse_count(value, 1, protocol::kMaxNumber));
        }},
    Key{"margin", For::All,
        [](PlayerSpec& spec, std::string_view value) {
            return store(spec.clock.margin, "margin", parse_milliseconds(value, 0));
        }},
    Key{"lag", For::Bots,
        [](PlayerSpec& spec, std::string_view value) {
            return store(spec.clock.lag, "lag", parse_milliseconds(value, 0));
        }},
    Key{"ca", For::Bots, set_ca},
    Key{"instances", For::Bots,
        [](PlayerSpec& spec, std::string_view value) {
            return store(spec.instances, "instances", parse_count(value, 1, kMaxInstances));
        }},
    Key{"found", For::Commands,
        [](PlayerSpec& spec, std::string_view value) -> Result<void> {
            spec.found_in = value;
            return {};
        }},
};

constexpr std::string_view kKeyList =
    "cmd, name, option.NAME, legalmoves, history, dir, env, env.NAME, data, threads, restart, "
    "movetime, tc, nodes, margin, lag, ca or instances";

Error refuse_key(std::string_view key) {
    std::vector<std::string_view> names{"cmd", "option"};
    for (const Key& known : kKeys) {
        if (known.name != "found") names.push_back(known.name);
    }
    const std::string_view head = key.substr(0, key.find('.'));
    const bool family = head == "option" || head == "env";
    const std::string meant =
        family ? ", write " + std::string(head) + ".NAME=VALUE" : suggestion(head, names);
    return bad_input("read key {}, expected {}{}", protocol::quoted(key), kKeyList, meant);
}

// Text sent in a line must not contain a line end.
bool has_control(std::string_view text) {
    return std::ranges::any_of(text,
                               [](char c) { return static_cast<unsigned char>(c) < 0x20; });
}

Result<void> add_option(PlayerSpec& spec, std::string_view name, std::string_view value) {
    if (has_control(name) || has_control(value)) {
        return bad_input("option {}: expected a name and a value on one line",
                         protocol::quoted(name));
    }
    const auto words = protocol::split_words(name);
    if (std::ranges::find(words, "value") != words.end()) {
        return bad_input("option {}: expected a name without the word 'value'",
                         protocol::quoted(name));
    }
    spec.options.emplace_back(name, value);
    return {};
}

// A key that does not apply is an error: none is ignored silently.
Result<void> check_fits(const PlayerSpec& spec, std::string_view key, For players) {
    const bool command = spec.kind == PlayerKind::Command;
    const bool remote =
        spec.kind == PlayerKind::TcpConnect || spec.kind == PlayerKind::TcpListen;
    if (players == For::All || command || (remote && players == For::Bots)) return {};
    const std::string meant = players == For::Commands
                                  ? "a COMMAND"
                                  : "a COMMAND, tcp://HOST:PORT, tls://HOST:PORT or "
                                    "listen://HOST:PORT";
    return bad_input("key {} is for {} alone", protocol::quoted(key), meant);
}

// The built-in players have no option but Seed.
Result<void> set_option(PlayerSpec& spec, std::string_view key, std::string_view name,
                        std::string_view value) {
    if (spec.kind != PlayerKind::Builtin) {
        const auto fits = check_fits(spec, key, For::Bots);
        return fits ? add_option(spec, name, value) : fits;
    }
    if (name != "Seed") {
        return bad_input("key {}: a built-in player takes option.Seed alone",
                         protocol::quoted(key));
    }
    if (!protocol::parse_number(value)) {
        return bad_input("{}: read {}, expected a number", key, protocol::quoted(value));
    }
    return add_option(spec, name, value);
}

constexpr std::string_view kOption = "option.";
constexpr std::string_view kEnvironment = "env.";

// Whether there is such a key. It may still not fit the player.
Result<void> check_key(std::string_view key) {
    const bool has_name = (key.starts_with(kOption) && key.size() > kOption.size()) ||
                          (key.starts_with(kEnvironment) && key.size() > kEnvironment.size());
    const bool is_known = std::ranges::find(kKeys, key, &Key::name) != kKeys.end();
    if (key == "cmd" || is_known || has_name) return {};
    return refuse_key(key);
}

// The key is known.
Result<void> set_key(PlayerSpec& spec, std::string_view key, std::string_view value) {
    const auto row = std::ranges::find(kKeys, key, &Key::name);
    if (row != kKeys.end()) {
        const auto fits = check_fits(spec, key, row->players);
        return fits ? row->set(spec, value) : fits;
    }
    if (key.starts_with(kOption))
        return set_option(spec, key, key.substr(kOption.size()), value);
    const auto fits = check_fits(spec, key, For::Commands);
    if (!fits) return fits;
    spec.environment.emplace_back(key.substr(kEnvironment.size()), value);
    return {};
}

struct KeyValue {
    std::string_view key;
    std::string_view value;
    std::size_t column = 0;
};

Result<std::vector<KeyValue>> split_keys(const std::vector<ShellWord>& words) {
    std::vector<KeyValue> pairs;
    std::set<std::string_view> seen;
    for (const ShellWord& word : words) {
        const std::string_view text = word.text;
        const auto equals = text.find('=');
        if (equals == text.npos || equals == 0) {
            std::string example;
            if (equals == text.npos && pairs.empty()) {
                example = fmt::format(", as in cmd={}", shell_word(text));
            } else if (equals == text.npos && pairs.back().key == "cmd") {
                example = fmt::format("; a command with blanks is quoted: cmd='{} {}'",
                                      pairs.back().value, text);
            }
            return bad_input_at(word.column, "read {}, expected KEY=VALUE{}",
                                protocol::quoted(text), protocol::printable(example, 200));
        }
        const KeyValue pair{text.substr(0, equals), text.substr(equals + 1), word.column};
        if (!seen.insert(pair.key).second) {
            return bad_input_at(word.column, "key {} is given twice",
                                protocol::quoted(pair.key));
        }
        pairs.push_back(pair);
    }
    return pairs;
}

// As a record has it of a bot that could not be built.
PlayerSpec not_yet_found() {
    PlayerSpec spec;
    spec.command = {"not-built"};
    spec.not_built = "not built when it joined the record, which has no command of it";
    return spec;
}

// The directories that match, in the order of their names, and, `archives`, the archives that
// have no directory of their name beside them: path, and path without the archive's ending.
std::map<std::string, std::string> matching_folders(const std::string& pattern, bool archives) {
    glob_t found{};
    ::glob(pattern.c_str(), GLOB_MARK, nullptr, &found);
    std::map<std::string, std::string> folders, files;
    for (std::size_t i = 0; i < found.gl_pathc; ++i) {
        std::string path = found.gl_pathv[i];
        if (path.ends_with('/')) {  // GLOB_MARK: a directory has one
            path.pop_back();
            folders.emplace(path, path);
        } else if (const auto ending = archive_ending(path); archives && !ending.empty()) {
            files.emplace(path, path.substr(0, path.size() - ending.size()));
        }
    }
    ::globfree(&found);
    std::erase_if(files, [&](const auto& file) { return folders.contains(file.second); });
    folders.merge(files);
    return folders;
}

}  // namespace

Result<PlayerSpec> parse_player(std::string_view text) {
    constexpr std::string_view kBuiltin = "builtin:";
    constexpr std::array<std::string_view, 4> kSchemes{"tcp", "tls", "listen", "token"};
    const std::string_view player = protocol::trim(text);
    if (player == "human") {
        PlayerSpec spec;
        spec.kind = PlayerKind::Human;
        spec.name = player;
        return spec;
    }
    const std::string meant = meant_player(player);
    if (!meant.empty()) {
        return bad_input("read {}, did you mean {}?", protocol::quoted(player),
                         protocol::quoted(meant));
    }
    if (player.starts_with(kBuiltin)) return parse_builtin(player.substr(kBuiltin.size()));

    const std::string_view scheme = scheme_of(player);
    if (scheme.empty()) return parse_command(text);
    if (std::ranges::find(kSchemes, scheme) == kSchemes.end()) {
        return bad_input(
            "read {}, expected tcp://HOST:PORT, tls://HOST:PORT or listen://HOST:PORT",
            protocol::quoted(player));
    }
    if (scheme == "token") return parse_token_player(player.substr(scheme.size() + 3));
    const auto kind = scheme == "listen" ? PlayerKind::TcpListen : PlayerKind::TcpConnect;
    auto spec = parse_address(kind, player.substr(scheme.size() + 3));
    if (spec) spec->tls = scheme == "tls";
    return spec;
}

bool is_pattern_of_folders(std::string_view text) {
    return text.find_first_of("*?[") != text.npos;
}

bool is_found_later(const PlayerSpec& player) {
    return player.command.size() == 1 && player.command.front() == kFoundLater;
}

Result<std::vector<PlayerSpec>> parse_players(std::string_view text) {
    const auto spec = parse_player_keys(text);
    if (!spec) return spec.error();
    if (!is_pattern_of_folders(spec->directory)) return std::vector<PlayerSpec>{*spec};
    std::vector<PlayerSpec> players;
    const auto pattern = spec->directory.find_first_of("*?[");
    const auto fixed = spec->directory.rfind('/', pattern) + 1;  // 0 without a slash before it
    for (const auto& [path, stem] : matching_folders(spec->directory, is_found_later(*spec))) {
        PlayerSpec& player = players.emplace_back(*spec);
        player.directory = path;
        std::error_code failed;
        for (std::filesystem::path at = path; at.native().size() > fixed;
             at = at.parent_path()) {
            if (!std::filesystem::is_symlink(at, failed)) continue;
            player.not_built =
                fmt::format("dir: {} is a link, expected a directory: a pattern follows none",
                            protocol::quoted(at.string()));
        }
        if (player.name_given) continue;
        player.name = shown_name(stem.substr(stem.rfind('/') + 1));
        player.name_given = true;
    }
    if (!players.empty()) return players;
    return bad_input("dir: read {}, expected a directory that fits, found none",
                     protocol::quoted(spec->directory));
}

Result<EnvironmentMode> parse_environment_mode(std::string_view text) {
    if (text == "inherit") return EnvironmentMode::Inherit;
    if (text == "clean") return EnvironmentMode::Clean;
    return bad_input("read {}, expected inherit or clean", protocol::quoted(text));
}

std::string_view name(EnvironmentMode mode) {
    return mode == EnvironmentMode::Clean ? "clean" : "inherit";
}

Result<PlayerSpec> parse_player_keys(std::string_view text) {
    const auto words = scan_shell_words(text);
    if (!words) return words.error();
    const auto pairs = split_keys(*words);
    if (!pairs) return pairs.error();

    for (const KeyValue& pair : *pairs) {
        const auto known = check_key(pair.key);
        if (!known) return bad_input_at(pair.column, "{}", known.error().text);
    }
    const auto command = std::ranges::find(*pairs, "cmd", &KeyValue::key);
    const bool is_found = std::ranges::count(*pairs, "found", &KeyValue::key) > 0;
    if (command == pairs->end() && !is_found) {
        return bad_input("cmd=PLAYER is missing, as in cmd='python3 bot.py'");
    }
    auto spec = command == pairs->end() ? not_yet_found() : parse_player(command->value);
    if (!spec)
        return bad_input_at(command->column, "cmd: {}", protocol::describe(spec.error()));

    for (const KeyValue& pair : *pairs) {
        if (pair.key == "cmd") continue;
        const auto done = set_key(*spec, pair.key, pair.value);
        if (!done) return bad_input_at(pair.column, "{}", done.error().text);
    }
    return spec;
}

namespace {

// With as many digits as identify the number.
std::string rate_text(double rate) {
    std::array<char, 400> digits{};
    const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), rate,
                                            std::chars_format::fixed);
    return error == std::errc() ? std::string(digits.data(), end) : std::to_string(rate);
}

std::string player_text(const PlayerSpec& spec) {
    if (spec.kind == PlayerKind::Human) return "human";
    if (spec.kind == PlayerKind::Builtin) {
        const bool takes_rate = spec.builtin == "eps";
        return "builtin:" + spec.builtin + (takes_rate ? ":" + rate_text(spec.error_rate) : "");
    }
    if (spec.kind == PlayerKind::Token) return "token://" + spec.name;
    if (spec.kind == PlayerKind::TcpConnect)
        return (spec.tls ? "tls://" : "tcp://") + to_string(spec.endpoint);
    if (spec.kind == PlayerKind::TcpListen) return "listen://" + to_string(spec.endpoint);
    std::string text;
    for (const std::string& word : spec.command) {
        if (!text.empty()) text += ' ';
        text += shell_word(word);
    }
    return text;
}

std::string milliseconds_text(Milliseconds time) { return std::to_string(time.count()); }

}  // namespace

std::string to_string(const PlayerSpec& spec) {
    std::string text;
    const auto add = [&text](const std::string& key, const std::string& value) {
        if (!text.empty()) text += ' ';
        text += shell_word(key) + "=" + shell_word(value);
    };
    if (spec.found_in.empty() || spec.not_built.empty()) add("cmd", player_text(spec));
    for (const auto& [name, value] : spec.options) add("option." + name, value);
    for (const auto& [name, value] : spec.environment) add("env." + name, value);
    if (spec.environment_mode) add("env", std::string(name(*spec.environment_mode)));
    if (spec.data_limit) {
        add("data",
            *spec.data_limit == 0 ? std::string(kUnlimited) : size_text(*spec.data_limit));
    }
    if (spec.legal_moves == LegalMoves::On) add("legalmoves", "on");
    if (spec.legal_moves == LegalMoves::Off) add("legalmoves", "off");
    if (!spec.history) add("history", "off");
    if (!spec.directory.empty()) add("dir", spec.directory);
    if (spec.threads != 1) add("threads", std::to_string(spec.threads));
    if (spec.restart) add("restart", "on");
    const PlayerClock& clock = spec.clock;
    if (clock.movetime) add("movetime", milliseconds_text(*clock.movetime));
    if (clock.base) {
        add("tc", milliseconds_text(*clock.base) + "+" + milliseconds_text(clock.increment));
    }
    if (clock.nodes) add("nodes", std::to_string(*clock.nodes));
    if (clock.margin) add("margin", milliseconds_text(*clock.margin));
    if (clock.lag.count() > 0) add("lag", milliseconds_text(clock.lag));
    if (!spec.ca.empty()) add("ca", spec.ca);
    if (spec.instances != 0 && spec.kind != PlayerKind::Token)
        add("instances", std::to_string(spec.instances));
    if (!spec.found_in.empty()) add("found", spec.found_in);
    return text;
}

std::string identity_of(const PlayerSpec& spec) {
    if (spec.found_in.empty()) return to_string(spec);
    PlayerSpec known = spec;
    known.not_built = "not looked for";
    known.directory.clear();
    return to_string(known);
}

std::string identity_of(const std::string& recorded) {
    const auto spec = parse_player_keys(recorded);
    return spec && !spec->found_in.empty() ? identity_of(*spec) : recorded;
}

std::optional<std::uint64_t> own_seed(const PlayerSpec& spec) {
    std::optional<std::uint64_t> own;
    for (const auto& [name, value] : spec.options) {
        const auto seed = protocol::parse_number(value);
        if (name == "Seed" && seed) own = *seed;
    }
    return own;
}

std::string shown_name(std::string_view name) { return protocol::printable(name, kMaxName); }

void make_names_distinct(std::vector<std::string>& names) {
    std::set<std::string> taken;
    for (std::string& name : names) {
        std::string distinct = name;
        for (int number = 2; !taken.insert(distinct).second; ++number) {
            distinct = name + " (" + std::to_string(number) + ")";
        }
        name = std::move(distinct);
    }
}

}  // namespace arena
