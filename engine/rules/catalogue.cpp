// All rulesets by name, and the files in which users name rulesets of their own.
//
// rulesets.txt has the guide of each name, which help and the web page show, and kReaders the
// function that makes the ruleset, or reads its parameters. find_ruleset() looks a text up in
// the cache, or reads it; equal texts give the same object while the cache holds it.
//
// A catalogue file has lines `name = text`. RulesetNames replaces names by texts before a
// position is read, so that nothing else in the program knows of them. Errors in a text are
// moved to their line and column in the file.
#include "engine/rules/catalogue.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <ranges>

#include "engine/base/cache.hpp"
#include "engine/rules/formula/formula_ruleset.hpp"
#include "engine/rules/graph.hpp"
#include "engine/rules/literature.hpp"
#include "engine/rules/octal.hpp"
#include "protocol/scanner.hpp"
#include "protocol/suggest.hpp"
#include "protocol/text.hpp"

namespace engine {

using protocol::is_space;
using protocol::quoted;
using protocol::Scanner;

// Each in the file of its name; those with parameters read them up to the '}'.
FoundRuleset make_chomp(Scanner&);
FoundRuleset make_cookie(Scanner&);
FoundRuleset make_cram(Scanner&);
FoundRuleset make_nim(Scanner&);
FoundRuleset make_notakto(Scanner&);
FoundRuleset make_welter(Scanner&);
FoundRuleset make_wythoff(Scanner&);
FoundRuleset read_arc_kayles(Scanner&);
FoundRuleset read_hackenbush(Scanner&);
FoundRuleset read_moore(Scanner&);
FoundRuleset read_node_kayles(Scanner&);
FoundRuleset read_pass(Scanner&);
FoundRuleset read_take(Scanner&);

namespace {

template <CodeBase base>
FoundRuleset read_octal(Scanner& scanner) {
    auto code = read_octal_code(scanner, base);
    if (!code) return code.error();
    return FoundRuleset(std::make_shared<Octal>(*std::move(code)));
}

// octal{0.DIGITS} under a name of its own.
template <std::uint8_t... digits>
FoundRuleset make_octal(Scanner&) {
    return FoundRuleset(std::make_shared<Octal>(OctalCode({0, digits...})));
}

// octal{4.[3]}
FoundRuleset make_lasker(Scanner&) {
    return FoundRuleset(std::make_shared<Octal>(OctalCode({4, 3}, 1)));
}

// Grundy's game: octal{4.0} with two heaps of different sizes.
FoundRuleset make_grundy(Scanner&) {
    return FoundRuleset(std::make_shared<Octal>(OctalCode({4}), true));
}

FoundRuleset read_graph_ruleset(Scanner& scanner) {
    auto graph = read_graph(scanner);
    if (!graph) return graph.error();
    return FoundRuleset(std::make_shared<Graph>(*std::move(graph)));
}

FoundRuleset read_rules(Scanner& scanner) {
    auto rules = UserRules::read(scanner);
    if (!rules) return rules.error();
    return FoundRuleset(*std::move(rules));
}

// What reads the parameters of a ruleset that is built in, up to the '}'; nothing if it has
// none.
struct Reader {
    std::string_view name;
    FoundRuleset (*read)(Scanner& parameters);
};
constexpr std::array kReaders{
    Reader{"nim", make_nim},
    Reader{"take", read_take},
    Reader{"octal", read_octal<CodeBase::Octal>},
    Reader{"hex", read_octal<CodeBase::Hex>},
    Reader{"kayles", make_octal<7, 7>},
    Reader{"dawson-kayles", make_octal<0, 7>},
    Reader{"dawson-chess", make_octal<1, 3, 7>},
    Reader{"treblecross", make_octal<0, 0, 7>},
    Reader{"officers", make_octal<6>},
    Reader{"lasker", make_lasker},
    Reader{"grundy", make_grundy},
    Reader{"wythoff", make_wythoff},
    Reader{"cookie", make_cookie},
    Reader{"pass", read_pass},
    Reader{"moore", read_moore},
    Reader{"welter", make_welter},
    Reader{"chomp", make_chomp},
    Reader{"cram", make_cram},
    Reader{"notakto", make_notakto},
    Reader{"node-kayles", read_node_kayles},
    Reader{"arc-kayles", read_arc_kayles},
    Reader{"hackenbush", read_hackenbush},
    Reader{"graph", read_graph_ruleset},
    Reader{"rules", read_rules},
};

// "dawson" and "laskers-nim" are like dawson-chess and lasker, "subtraction" like take.
bool is_like(const RulesetGuide& guide, std::string_view word) {
    if (word.size() < 3) return false;
    return guide.name.find(word) != guide.name.npos || word.starts_with(guide.name) ||
           protocol::lower_case(guide.title).starts_with(word);
}

std::vector<std::string_view> words_of(std::string_view name) {
    std::vector<std::string_view> words;
    for (const auto part : name | std::views::split('-')) {
        words.emplace_back(part.begin(), part.end());
    }
    return words;
}

// How many words of a name another name has, too, in any order and with any ending:
// "subtract-a-prime" has both of "prime-subtraction". 0 for what is longer than any name.
std::ptrdiff_t shared_words(std::string_view name, std::string_view other) {
    constexpr std::size_t kEnough = 4;  // letters
    constexpr std::size_t kLongest = 64;
    if (name.size() > kLongest) return 0;
    const auto words = words_of(name), others = words_of(other);
    return std::ranges::count_if(words, [&](std::string_view word) {
        const auto begin = word.substr(0, kEnough);
        return std::ranges::any_of(others, [&](std::string_view one) {
            return one == word || (begin.size() == kEnough && one.starts_with(begin));
        });
    });
}

Error unknown_ruleset(std::string_view name) {
    std::string known;
    for (const RulesetGuide& guide : ruleset_guides()) {
        if (!known.empty()) known += ", ";
        known += guide.name;
    }
    known += ", or a game that nim-engine rulesets lists";
    const std::string meant = suggested_rulesets(name);
    return Scanner::refuse_word(
        0, name, "a known ruleset" + (meant.empty() ? ": " : meant + " Known are ") + known);
}

FoundRuleset parse_canonical(const RulesetText& ruleset) {
    const RulesetGuide* const guide = find_guide(ruleset.name());
    const auto reader = std::ranges::find(kReaders, ruleset.name(), &Reader::name);
    if (guide == nullptr || reader == kReaders.end()) return unknown_ruleset(ruleset.name());

    Scanner scanner(ruleset.text);
    scanner.take_while(protocol::is_name_char);
    if (!guide->example.ends_with('}')) {
        if (!scanner.at_end()) {
            return scanner.refuse(std::string(guide->name) + " without parameters");
        }
        return reader->read(scanner);
    }
    if (!scanner.accept('{')) {
        return Scanner::refuse_word(
            0, ruleset.text,
            "parameters in braces after it, such as " + std::string(guide->example));
    }
    auto found = reader->read(scanner);
    if (found && !scanner.accept('}')) return scanner.refuse("'}'");
    return found;
}

FoundRuleset parse_ruleset(const std::string& text) {
    const auto canonical = protocol::parse_ruleset_text(text);
    if (!canonical) return canonical.error();
    auto ruleset = parse_canonical(*canonical);
    if (ruleset || canonical->text == text) return ruleset;
    Error error = ruleset.error();  // its column is one of the canonical text
    error.column -= std::min(error.column - 1, protocol::kBeforeCode.size());
    return error;
}

using RulesetCache = Cache<std::string, const Ruleset, TextHash>;

RulesetCache& cache() {
    static RulesetCache rulesets(1024, 64 << 20);
    return rulesets;
}

// ---- catalogue files ----

// The text with every comment blanked out, so that places stay what they are.
std::string without_comments(std::string_view text) {
    std::string clean(text);
    bool comment = false;
    for (char& c : clean) {
        if (c == '#') comment = true;
        if (c == '\n') comment = false;
        if (comment) c = ' ';
    }
    return clean;
}

// A name and, if there are braces, what stands in them without white space; or a code alone.
Result<std::string> read_ruleset_text(Scanner& scanner) {
    std::string text(scanner.take_while(
        [](char c) { return protocol::is_name_char(c) || c == '.' || c == '[' || c == ']'; }));
    if (text.empty()) return scanner.refuse("a ruleset or a name defined above");
    if (scanner.peek() != '{') return text;
    const std::string_view braces = scanner.take_while([](char c) { return c != '}'; });
    if (!scanner.accept('}')) return scanner.refuse("'}'");
    std::ranges::copy_if(braces, std::back_inserter(text), [](char c) { return !is_space(c); });
    return text + '}';
}

struct Definition {
    std::string name;
    std::string text;
    std::size_t at = 0;   // where the text begins in the file
    std::size_t end = 0;  // and where it ends
};

// "name = text" up to the end of its line.
Result<Definition> read_definition(Scanner& scanner) {
    const auto is_blank = [](char c) { return is_space(c) && c != '\n'; };
    const std::size_t name_at = scanner.at();
    if (!protocol::is_lower(scanner.peek())) return scanner.refuse("a name");
    const std::string name(scanner.take_while(protocol::is_name_char));
    if (find_guide(name) != nullptr) {
        return Scanner::refuse_word(name_at, name, "a name that is not built in");
    }
    scanner.take_while(is_blank);
    if (!scanner.accept('=')) return scanner.refuse("'='");
    scanner.take_while(is_blank);
    const std::size_t at = scanner.at();
    auto text = read_ruleset_text(scanner);
    if (!text) return text.error();
    const std::size_t end = scanner.at();
    scanner.take_while(is_blank);
    if (!scanner.at_end() && scanner.peek() != '\n')
        return scanner.refuse("the end of the line");
    return Definition{name, *std::move(text), at, end};
}

// Where in the file a byte of the definition's text is; that text has no white space. The
// text's end is just after its last byte.
std::size_t place_of(std::string_view file, const Definition& definition, std::size_t byte) {
    std::size_t at = definition.at;
    for (; at < definition.end; ++at) {
        if (!is_space(file[at]) && byte-- == 0) break;
    }
    return at;
}

// Names the place: "line 3, column 5: read 'x', expected …". `at` counts from 0.
Error at_place(std::string_view file, std::size_t at, const Error& error) {
    const auto before = file.substr(0, std::min(at, file.size()));
    const auto line = 1 + std::ranges::count(before, '\n');
    const std::size_t column = before.size() - (before.rfind('\n') + 1) + 1;
    return {error.fault, "line " + std::to_string(line) + ", column " + std::to_string(column) +
                             ": " + error.text};
}

}  // namespace

std::string suggested_rulesets(std::string_view word) {
    std::vector<std::string_view> names, like, sharing;
    std::ptrdiff_t most = 2;  // words
    const auto add = [&](const RulesetGuide& guide) {
        names.push_back(guide.name);
        if (is_like(guide, word)) like.push_back(guide.name);
        const auto shared = shared_words(word, guide.name);
        if (shared < most) return;
        if (shared > most) sharing.clear();
        most = shared;
        sharing.push_back(guide.name);
    };
    std::ranges::for_each(ruleset_guides(), add);
    for (const LiteratureGame& game : literature()) {
        if (game.has_name_of_its_own()) add(game.guide);
    }
    const std::string_view near = protocol::nearest(word, names);
    if (near == word) {  // of the literature, where only rulesets are read
        names = {find_literature(word)->example};
    } else if (!near.empty()) {
        names = {near};
    } else {
        names = sharing.empty() ? std::move(like) : std::move(sharing);
    }
    std::string text;
    for (const std::string_view name : names) {
        text += (text.empty() ? "; did you mean " : " or ") + quoted(name);
    }
    return text.empty() ? text : text + "?";
}

const RulesetGuide* find_guide(std::string_view name) {
    const auto& guides = ruleset_guides();
    const auto guide = std::ranges::find(guides, name, &RulesetGuide::name);
    return guide == guides.end() ? nullptr : &*guide;
}

FoundRuleset find_ruleset(const RulesetText& text) {
    if (auto known = cache().find(text.text)) return known;
    const auto ruleset = parse_ruleset(text.text);
    if (!ruleset) return ruleset;
    return cache().add(text.text, *ruleset, 2 * text.text.size() + (*ruleset)->bytes());
}

Result<RulesetNames> RulesetNames::parse(std::string_view text) {
    RulesetNames names;
    const std::string clean = without_comments(text);
    Scanner scanner(clean);
    for (scanner.take_while(is_space); !scanner.at_end(); scanner.take_while(is_space)) {
        const std::size_t name_at = scanner.at();
        auto definition = read_definition(scanner);
        if (!definition) {
            return at_place(clean, definition.error().column - 1, definition.error());
        }
        if (names.texts_.contains(definition->name)) {
            return at_place(
                clean, name_at,
                Scanner::refuse_word(0, definition->name, "a name that is not defined above"));
        }
        if (auto known = names.find(definition->text)) definition->text = *std::move(known);
        const auto ruleset = find_ruleset({definition->text});
        if (!ruleset) {
            const std::size_t column = std::max<std::size_t>(ruleset.error().column, 1);
            return at_place(clean, place_of(clean, *definition, column - 1), ruleset.error());
        }
        names.texts_.emplace(std::move(definition->name),
                             protocol::parse_ruleset_text(definition->text)->text);
    }
    return names;
}

Result<RulesetNames> RulesetNames::load(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    file.peek();  // finds out about a directory, where iterators would throw
    if (!file.is_open() || file.bad()) {
        const std::string why = std::strerror(errno);
        return Error{Fault::BadInput,
                     "cannot read the catalogue file " + quoted(path) + ": " + why, 0};
    }
    constexpr std::size_t kMostBytes = 16 << 20;  // a device might never end
    std::string text(kMostBytes + 1, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    if (text.size() > kMostBytes) {
        return Error{Fault::BadInput,
                     "the catalogue file " + quoted(path) + " has more than 16 MiB", 0};
    }
    auto names = parse(text);
    if (!names) return Error{Fault::BadInput, quoted(path) + ", " + names.error().text, 0};
    return names;
}

std::optional<std::string> RulesetNames::find(const std::string& name) const {
    const auto found = texts_.find(name);
    if (found != texts_.end()) return found->second;
    const RulesetGuide* const game = find_literature(name);
    return game == nullptr ? std::nullopt : std::optional<std::string>(game->example);
}

RulesetText RulesetNames::expand(RulesetText ruleset) const {
    if (auto text = find(ruleset.text)) return RulesetText{*std::move(text)};
    if (!protocol::is_code_alone(ruleset.text)) return ruleset;
    const auto code = protocol::parse_ruleset_text(ruleset.text);
    return code ? *code : std::move(ruleset);
}

Result<protocol::Position> RulesetNames::read_position(std::string_view text) const {
    auto position = protocol::parse_position(text, [this](const RulesetText& ruleset) {
        return protocol::heap_syntax_by_name(expand(ruleset));
    });
    if (!position) return position;
    for (protocol::Component& component : position->components) {
        component.ruleset = expand(std::move(component.ruleset));
    }
    return position;
}

}  // namespace engine
