// nim-engine: plays perfectly over the protocol, or runs one command.
//
// --rulesets, --hash, --help-format and --help are read here, wherever they stand, because they
// concern the bot and the commands alike. The other words go to a command (the table below), or
// to bot_main(), which has options of its own.
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "engine/base/memory.hpp"
#include "engine/commands/command.hpp"
#include "engine/commands/engine_bot.hpp"
#include "engine/rules/graph.hpp"
#include "protocol/suggest.hpp"
#include "protocol/text.hpp"

namespace {

using engine::Command;

const std::array kCommands{
    engine::kAudit, engine::kEval,   engine::kExplain,  engine::kGenus,    engine::kLine,
    engine::kPerft, engine::kPeriod, engine::kQuotient, engine::kRulesets, engine::kValues};

constexpr std::string_view kAlso =
    "\nAlso:\n"
    "  --rulesets FILE       names for rulesets, one `name = ruleset` a line\n"
    "  --hash MB             memory limit of all tables together (512), for a command\n"
    "                        or with --listen, where sessions share it\n"
    "\nCommands (nim-engine COMMAND --help says more; quote positions and rulesets):\n";

struct Arguments {
    std::vector<char*> words;  // all but the three below, the program first
    std::optional<std::string> rulesets, hash, help_format;
    bool help = false;
    bool serves_peers = false;  // over a socket, so that input is not trusted
    bool listens = false;       // for many sessions

    bool is_command() const { return words.size() > 1 && words[1][0] != '-'; }
};

// An option that is read here, what its value is, and where that goes.
struct OwnOption {
    std::string_view name, value;
    std::optional<std::string> Arguments::*into;
};
constexpr std::array kOwnOptions{
    OwnOption{"--rulesets", "a file", &Arguments::rulesets},
    OwnOption{"--hash", "a number of MB", &Arguments::hash},
    OwnOption{"--help-format", "a format", &Arguments::help_format}};

// Whether word `i` is one of these, "--hash 64" or "--hash=64". If so, its value is read and
// `i` moves to the last word that belongs to it.
protocol::Result<bool> read_option(int argc, char** argv, int& i, Arguments& arguments) {
    const std::string_view word = argv[i];
    const std::size_t equals = std::min(word.find('='), word.size());
    const auto option =
        std::ranges::find(kOwnOptions, word.substr(0, equals), &OwnOption::name);
    if (option == kOwnOptions.end()) return false;
    auto& into = arguments.*option->into;
    if (into) return engine::misread(word, std::string(option->name) + " once");
    if (equals < word.size()) {
        into = word.substr(equals + 1);
    } else if (i + 1 < argc) {
        into = argv[++i];
    } else {
        return engine::missing(fmt::format("{} after {}", option->value, option->name));
    }
    return true;
}

protocol::Result<Arguments> read_arguments(int argc, char** argv) {
    Arguments arguments;
    for (int i = 0; i < argc; ++i) {
        const auto is_own = read_option(argc, argv, i, arguments);
        if (!is_own) return is_own.error();
        if (*is_own) continue;
        const std::string_view word = argv[i];
        arguments.help = arguments.help || word == "--help" || word == "-h";
        arguments.serves_peers = arguments.serves_peers || word.starts_with("--listen") ||
                                 word.starts_with("--connect");
        arguments.listens = arguments.listens || word.starts_with("--listen");
        arguments.words.push_back(argv[i]);
    }
    return arguments;
}

// The memory of all tables together, of a command or of a server.
protocol::Result<void> set_hash(const Arguments& arguments) {
    if (!arguments.hash) return {};
    const auto refuse = [&](std::string_view expected) {
        return engine::misread("--hash " + *arguments.hash, expected);
    };
    if (!arguments.is_command() && !arguments.listens) {
        return refuse("a command or --listen with it; a single session has the option Hash");
    }
    const auto megabytes = protocol::parse_number(*arguments.hash);
    if (!megabytes || *megabytes == 0 || *megabytes > engine::Memory::kMaxMegabytes) {
        return refuse(fmt::format("1 to {} MB", engine::Memory::kMaxMegabytes));
    }
    engine::Memory::set_limit(*megabytes << 20);
    return {};
}

// Runs the bot, or prints its help.
int run_bot(Arguments& arguments, const std::shared_ptr<const engine::RulesetNames>& names) {
    auto& words = arguments.words;
    char program[] = "nim-engine";
    char usage[] = "nim-engine [COMMAND]";
    char help[] = "--help";
    words.front() = program;
    if (arguments.help) words = {usage, help};
    const auto memory =
        arguments.listens ? engine::MemoryOf::Server : engine::MemoryOf::OneSession;
    const int status = protocol::bot_main(
        static_cast<int>(words.size()), words.data(), engine::engine_info(memory),
        [&] { return std::make_unique<engine::EngineBot>(names, memory); });
    if (arguments.help) {
        std::cout << kAlso << engine::list_of(kCommands)
                  << "\nTerms that they print (nim-engine help TERM explains one):\n"
                  << engine::list_of_terms();
    }
    return status;
}

// Says why the program ends with this status.
int fail(std::string_view why, int status) {
    std::cerr << "nim-engine: " << why << '\n';
    return status;
}

int print_help_in(const std::string& name) {
    const auto format = protocol::parse_help_format(name);
    if (!format) return fail("--help-format: " + format.error().text, engine::kExitUsage);
    std::cout << engine::help_in(*format, kCommands);
    return engine::kExitDone;
}

// All words after "help", which may be the term "misere quotient".
const engine::Term* asked_term(const Arguments& arguments) {
    std::string text;
    for (std::size_t i = 1; i < arguments.words.size(); ++i) {
        text += (i > 1 ? " " : "") + std::string(arguments.words[i]);
    }
    return arguments.help ? engine::find_term(text) : nullptr;
}

// The command that a person meant by another word; a position is one for eval.
std::string meant_by(std::string_view word, bool help) {
    if (word.find_first_of(":{,") != word.npos) return "eval " + std::string(word);
    std::vector<std::string_view> names;
    if (help) {
        for (const engine::Term& term : engine::all_terms()) names.push_back(term.name);
    } else {
        names.emplace_back("help");
    }
    for (const Command& command : kCommands) {
        names.push_back(command.name);
        if (word.starts_with(command.name)) return std::string(command.name);
    }
    return std::string(protocol::nearest(word, names));
}

int run(Arguments& arguments, const std::shared_ptr<const engine::RulesetNames>& names) {
    auto& words = arguments.words;
    if (arguments.help_format) return print_help_in(*arguments.help_format);
    if (arguments.is_command() && std::string_view(words[1]) == "help") {
        words.erase(words.begin() + 1);  // "help eval" is "eval --help"
        arguments.help = true;
    }
    if (!arguments.is_command()) return run_bot(arguments, names);
    const engine::Term* term = asked_term(arguments);
    const std::string_view name = words[1];
    const auto command = std::ranges::find(kCommands, name, &Command::name);
    if (term != nullptr) {  // which a command may be named after
        if (command != kCommands.end()) std::cout << engine::help_of(*command) << '\n';
        std::cout << text_of(*term);
        return engine::kExitDone;
    }
    if (command == kCommands.end()) {
        const std::string meant = engine::did_you_mean(meant_by(name, arguments.help));
        return fail(fmt::format("read {}, expected {}{}", protocol::quoted(name),
                                arguments.help ? "a command or a term that they print"
                                               : "an option or a command",
                                meant.empty() ? "; try --help" : meant + " Try --help"),
                    engine::kExitUsage);
    }
    if (arguments.help) {
        std::cout << engine::help_of(*command);
        return engine::kExitDone;
    }
    return engine::run_command(*command, {words.begin() + 2, words.end()}, *names, std::cout,
                               std::cerr);
}

// A full disk shows only once the text is written out.
int finish(int status) {
    if (std::cout.flush()) return status;
    return fail(std::string("cannot write the output: ") + std::strerror(errno),
                engine::kExitFailed);
}

// The exit status. Error: the words cannot be read.
protocol::Result<int> run_program(int argc, char** argv) {
    auto arguments = read_arguments(argc, argv);
    if (!arguments) return arguments.error();
    if (const auto set = set_hash(*arguments); !set) return set.error();
    if (!arguments->serves_peers) engine::allow_graph_files();
    auto names = std::make_shared<const engine::RulesetNames>();
    if (arguments->rulesets) {
        auto loaded = engine::RulesetNames::load(*arguments->rulesets);
        if (!loaded) return loaded.error();
        names = std::make_shared<const engine::RulesetNames>(*std::move(loaded));
    }
    return finish(run(*arguments, names));
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const auto status = run_program(argc, argv);
        return status ? *status : fail(status.error().text, engine::kExitUsage);
    } catch (const std::bad_alloc&) {
        return fail("the system gave no more memory", engine::kExitFailed);
    } catch (const std::exception& error) {
        return fail(error.what(), engine::kExitFailed);
    }
}
