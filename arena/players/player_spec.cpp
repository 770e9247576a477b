#include "arena/players/player_spec.hpp"

#include <glob.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "arena/base/bad_input.hpp"
#include "arena/base/command_line.hpp"
#include "arena/base/console.hpp"
#include "arena/base/files.hpp"
#include "arena/base/option_table.hpp"
#include "arena/base/text_table.hpp"
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

constexpr std::size_t kMaxName = 40;  // columns of a terminal, at least one for a character
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

// The players to which a key applies, in words: the group of its row.
constexpr const char* kAll = "";
constexpr const char* kBots =
    "a COMMAND, tcp://HOST:PORT, tls://HOST:PORT or listen://HOST:PORT";
constexpr const char* kCommands = "a COMMAND";

OptionText key(const char* players, const char* name) { return {players, name, nullptr, {}}; }

Option name_key(PlayerSpec& spec) {
    const auto set = [&](const std::string& given) -> Result<void> {
        if (protocol::trim(given).empty()) return bad_input("expected a name, found nothing");
        spec.name = shown_name(protocol::trim(given));
        spec.name_given = true;
        return {};
    };
    return {key(kAll, "name"), set, [] { return std::string(); }};
}

Option data_key(PlayerSpec& spec) {
    const auto parse_limit = [](const std::string& given) -> Result<std::uint64_t> {
        if (given == kUnlimited) return std::uint64_t{0};
        const auto limit = parse_size(given, kLeastData);
        if (!limit) return bad_input("{}, or unlimited", limit.error().text);
        return limit;
    };
    const auto print = [](const std::optional<std::uint64_t>& limit) {
        return !limit ? "" : *limit == 0 ? std::string(kUnlimited) : size_text(*limit);
    };
    return value(key(kCommands, "data"), spec.data_limit, parse_limit, print, parse_limit);
}

Option time_control_key(PlayerClock& clock) {
    const auto set = [&](const std::string& given) -> Result<void> {
        const auto times = parse_time_control(given);
        if (!times) return times.error();
        std::tie(clock.base, clock.increment) = *times;
        return {};
    };
    const auto print = [&] {
        return clock.base ? value_text(clock.base) + "+" + value_text(clock.increment) : "";
    };
    return {key(kAll, "tc"), set, print};
}

// All keys but cmd, option.X and env.X, in the order in which a record has them. `found` is for
// records alone.
OptionTable keys_of(PlayerSpec& spec) {
    using Switch = std::vector<std::pair<std::string, bool>>;
    const Switch on_off{{"on", true}, {"off", false}};
    const auto any_time = [](const std::string& given) { return parse_milliseconds(given, 0); };
    const auto as_it_is = [](const std::string& given) { return Result<std::string>(given); };
    return {
        name_key(spec),
        choice(key(kCommands, "env"), spec.environment_mode, kEnvironmentModes),
        data_key(spec),
        choice(key(kBots, "legalmoves"), spec.legal_moves,
               {{"auto", LegalMoves::Auto}, {"on", LegalMoves::On}, {"off", LegalMoves::Off}}),
        choice(key(kBots, "history"), spec.history, on_off),
        text(key(kCommands, "dir"), spec.directory, "a directory"),
        count(key(kCommands, "threads"), spec.threads, 1, kMaxThreads),
        choice(key(kCommands, "restart"), spec.restart, on_off),
        value(key(kAll, "movetime"), spec.clock.movetime, any_time),
        time_control_key(spec.clock),
        count(key(kBots, "nodes"), spec.clock.nodes, 1, protocol::kMaxNumber),
        value(key(kAll, "margin"), spec.clock.margin, any_time),
        value(key(kBots, "lag"), spec.clock.lag, any_time),
        text(key(kBots, "ca"), spec.ca, "a file"),
        count(key(kBots, "instances"), spec.instances, 1, kMaxInstances),
        value(key(kCommands, "found"), spec.found_in, as_it_is),
    };
}

// Those of a player with the defaults.
const OptionTable& default_keys() {
    static PlayerSpec spec;
    static const OptionTable keys = keys_of(spec);
    return keys;
}

constexpr std::string_view kKeyList =
    "cmd, name, option.NAME, legalmoves, history, dir, env, env.NAME, data, threads, restart, "
    "movetime, tc, nodes, margin, lag, ca or instances";

Error refuse_key(std::string_view key) {
    std::vector<std::string_view> names{"cmd", "option"};
    for (const Option& known : default_keys()) {
        if (long_name(known.text) != "found") names.push_back(long_name(known.text));
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
Result<void> check_fits(const PlayerSpec& spec, std::string_view key,
                        std::string_view players) {
    const bool command = spec.kind == PlayerKind::Command;
    const bool remote =
        spec.kind == PlayerKind::TcpConnect || spec.kind == PlayerKind::TcpListen;
    if (players != kAll && !command && !(remote && players == kBots))
        return bad_input("key {} is for {} alone", protocol::quoted(key), players);
    if (key == "ca" && !spec.tls) return bad_input("key 'ca' is for tls://HOST:PORT alone");
    const bool has_both =
        (key == "movetime" && spec.clock.base) || (key == "tc" && spec.clock.movetime);
    if (has_both) return bad_input("expected movetime or tc, not both");
    return {};
}

// The built-in players have no option but Seed.
Result<void> set_option(PlayerSpec& spec, std::string_view key, std::string_view name,
                        std::string_view value) {
    if (spec.kind != PlayerKind::Builtin) {
        const auto fits = check_fits(spec, key, kBots);
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
    if (key == "cmd" || has_name || find_row(default_keys(), key) != nullptr) return {};
    return refuse_key(key);
}

// The key is known. `keys`: of the player.
Result<void> set_key(PlayerSpec& spec, const OptionTable& keys, std::string_view key,
                     std::string_view value) {
    if (const Option* row = find_row(keys, key)) {
        const auto fits = check_fits(spec, key, row->text.group);
        if (!fits) return fits;
        const auto done = row->set(std::string(value));
        return done ? done : bad_input("{}: {}", key, done.error().text);
    }
    if (key.starts_with(kOption))
        return set_option(spec, key, key.substr(kOption.size()), value);
    const auto fits = check_fits(spec, key, kCommands);
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

    const OptionTable keys = keys_of(*spec);
    for (const KeyValue& pair : *pairs) {
        if (pair.key == "cmd") continue;
        const auto done = set_key(*spec, keys, pair.key, pair.value);
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
    PlayerSpec given = spec;
    if (spec.kind == PlayerKind::Token) given.instances = 0;  // there is never another one
    const OptionTable keys = keys_of(given);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const std::string value = keys[i].print();
        if (value != default_keys()[i].print()) add(keys[i].text.name, value);
    }
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

std::string shown_name(std::string_view name) {
    constexpr std::size_t kMostBytes = 4;  // of a character
    std::string shown = protocol::printable(name, kMostBytes * kMaxName);
    if (display_width(shown) <= kMaxName) return shown;
    return std::string(cut_to_width(shown, kMaxName)) + "…";
}

void make_names_distinct(std::vector<std::string>& names, const std::vector<bool>& given) {
    std::set<std::string> taken;
    const auto claim = [&](std::string& name) {
        std::string distinct = name;
        for (int number = 2; !taken.insert(distinct).second; ++number) {
            distinct = name + " (" + std::to_string(number) + ")";
        }
        name = std::move(distinct);
    };
    const auto is_given = [&](std::size_t i) { return i < given.size() && given[i]; };
    for (const bool first : {true, false}) {
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (is_given(i) == first) claim(names[i]);
        }
    }
}

}  // namespace arena
