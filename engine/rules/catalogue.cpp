// All rulesets by name, and the files in which users name rulesets of their own.
//
// kRulesets has a row for each name: its guide, which help and the web page show, and the
// function that makes the ruleset, or reads its parameters. find_ruleset() looks a text up in
// the cache, or reads it by its row; equal texts give the same object while the cache holds
// it.
//
// A catalogue file has lines `name = text`. RulesetNames replaces names by texts before a
// position is read, so that nothing else in the program knows of them. Errors in a text are
// moved to their line and column in the file.
#include "engine/rules/catalogue.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "engine/base/cache.hpp"
#include "engine/rules/formula/formula_ruleset.hpp"
#include "engine/rules/graph.hpp"
#include "engine/rules/literature.hpp"
#include "engine/rules/octal.hpp"
#include "engine/rules/take.hpp"
#include "protocol/scanner.hpp"
#include "protocol/suggest.hpp"
#include "protocol/text.hpp"

namespace engine {

using protocol::Error;
using protocol::Fault;
using protocol::is_space;
using protocol::quoted;
using protocol::RulesetText;
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

namespace {

FoundRuleset read_take(Scanner& scanner) {
    auto set = read_take_set(scanner);
    if (!set) return set.error();
    return FoundRuleset(std::make_shared<Take>(*std::move(set)));
}

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

std::atomic<bool> graph_files_allowed = false;

// "@FILE", up to the '}'.
Result<Digraph> read_graph_file(Scanner& scanner) {
    const std::size_t at = scanner.at();
    scanner.advance();
    const std::string path(scanner.take_while([](char c) { return c != '}'; }));
    if (!graph_files_allowed) {
        return Scanner::refuse_word(
            at, "@" + path,
            "a graph written out: only nim-engine reads one from a file, and not for a peer");
    }
    if (path.empty()) return scanner.refuse("the name of a file");
    auto graph = load_graph(path);
    if (!graph) return Error{graph.error().fault, graph.error().text, at + 1};
    return graph;
}

FoundRuleset read_graph_ruleset(Scanner& scanner) {
    auto graph = scanner.peek() == '@' ? read_graph_file(scanner) : read_graph(scanner);
    if (!graph) return graph.error();
    return FoundRuleset(std::make_shared<Graph>(*std::move(graph)));
}

FoundRuleset read_rules(Scanner& scanner) {
    auto rules = UserRules::read(scanner);
    if (!rules) return rules.error();
    return FoundRuleset(*std::move(rules));
}

// A ruleset that is built in. With parameters: `read` reads them up to the '}', and the example
// shows some. Without: `read` reads nothing.
struct Row {
    RulesetGuide guide;
    FoundRuleset (*read)(Scanner& parameters);

    std::string_view name() const { return guide.name; }
    bool has_parameters() const { return guide.example.ends_with('}'); }
};

constexpr std::string_view kWinningWays =
    "Berlekamp, Conway and Guy: Winning Ways for Your Mathematical Plays, 2nd edition, 2001";
constexpr std::string_view kGuyAndSmith =
    "Guy and Smith: The G-values of various games, Mathematical Proceedings of the Cambridge "
    "Philosophical Society 52, 1956";

constexpr std::string_view kSchaefer =
    "Schaefer: On the complexity of some two-person perfect-information games, Journal of "
    "Computer and System Sciences 16, 1978";

constexpr std::array kRulesets{
    Row{{"nim", "nim", "Nim", "Take any number of stones from one heap.", "3,4,5",
         "Bouton: Nim, a game with a complete mathematical theory, Annals of Mathematics 3, "
         "1901"},
        make_nim},
    Row{{"take", "take{1,3,4}", "Subtraction game",
         "Take a number of stones that is in the set: numbers and ranges, as {2-5,9} or {4-}; "
         "{!3} "
         "is all but 3, and something must be left over.",
         "7,9",
         "Golomb: A mathematical investigation of games of take-away, Journal of Combinatorial "
         "Theory 1, 1966"},
        read_take},
    Row{{"octal", "octal{0.77}", "Octal game",
         "Digit k says what may be left of a heap after k stones are taken: 1 nothing, 2 one "
         "heap, 4 two heaps, or a sum of these. Digits in brackets repeat for ever: 4.[3]. The "
         "code is enough: 0.77:5.",
         "5,7", kGuyAndSmith},
        read_octal<CodeBase::Octal>},
    Row{{"hex", "hex{0.8F}", "Hexadecimal game",
         "An octal game whose digits go up to F: 8 stands for three heaps.", "6,9",
         "Howse and Nowakowski: Periodicity and arithmetic-periodicity in hexadecimal games, "
         "Theoretical Computer Science 313, 2004"},
        read_octal<CodeBase::Hex>},
    Row{{"kayles", "kayles", "Kayles",
         "Knock down one pin, or two that stand next to each other.", "10,7",
         "Dudeney: The Canterbury Puzzles, 1907; solved by Guy and Smith, 1956"},
        make_octal<7, 7>},
    Row{{"dawson-kayles", "dawson-kayles", "Dawson's Kayles",
         "Knock down two pins that stand next to each other.", "9,12", kGuyAndSmith},
        make_octal<0, 7>},
    Row{{"dawson-chess", "dawson-chess", "Dawson's Chess",
         "Take a stone together with its neighbours: three in a row, two at an end, or one "
         "alone.",
         "9,12", "Dawson: Caissa's Wild Roses, 1935; solved by Guy and Smith, 1956"},
        make_octal<1, 3, 7>},
    Row{{"treblecross", "treblecross", "Treblecross",
         "Take three stones that stand next to each other. A strip of n squares, on which "
         "three X "
         "in a row win, is heap n + 2.",
         "11,8", kWinningWays},
        make_octal<0, 0, 7>},
    Row{{"officers", "officers", "Officers",
         "Take one stone, but not the last of a heap; the rest may be split in two.", "8,9",
         kWinningWays},
        make_octal<6>},
    Row{{"lasker", "lasker", "Lasker's nim",
         "Take any number of stones, or split the heap in two.", "2,5,7",
         "Lasker: Brettspiele der Völker, 1931"},
        make_lasker},
    Row{{"grundy", "grundy", "Grundy's game", "Split a heap into two heaps of different sizes.",
         "9,12", "Grundy: Mathematics and games, Eureka 2, 1939"},
        make_grundy},
    Row{{"wythoff", "wythoff", "Wythoff's game",
         "Take from one of two heaps, or as many from both: a queen moves towards the corner.",
         "(4,7)",
         "Wythoff: A modification of the game of nim, Nieuw Archief voor Wiskunde 7, 1907"},
        make_wythoff},
    Row{{"cookie", "cookie", "The cookie game",
         "Eat one cookie; all others lose a day of their shelf life.", "(1,2,4)",
         "Propp and Ullman: On the cookie game, International Journal of Game Theory 20, 1992",
         HeapForm::AnyLength},
        make_cookie},
    Row{{"pass", "pass{0.77}", "Octal game with passes",
         "Move in one of the octal heaps, or pass: all heaps share the passes, the last "
         "entry.",
         "(5,2)",
         "Horrocks and Nowakowski: Regularity in the G-sequences of octal games with a pass, "
         "Integers 3, 2003"},
        read_pass},
    Row{{"moore", "moore{2}", "Moore's nim",
         "Take from one heap or from several, up to the number in braces.", "(3,4,5)",
         "Moore: A generalization of the game called nim, Annals of Mathematics 11, 1910",
         HeapForm::AnyLength},
        read_moore},
    Row{{"welter", "welter", "Welter's game",
         "Move one coin to a free square with a smaller number; no two coins share a square.",
         "(1,4,6)",
         "Welter: The theory of a class of games on a sequence of squares, in terms of the "
         "advancing operation in a special group, Indagationes Mathematicae 16, 1954; Conway: "
         "On Numbers and Games, chapter 13, 1976",
         HeapForm::AnyLength},
        make_welter},
    Row{{"chomp", "chomp", "Chomp",
         "Take a cell and all cells below it and to its right, but never the first cell of "
         "all.",
         "(4,4,3)", "Gale: A curious Nim-type game, The American Mathematical Monthly 81, 1974",
         HeapForm::AnyLength},
        make_chomp},
    Row{{"cram", "cram", "Cram", "Lay a domino on two free neighbours.", "ooo_ooo",
         "Gardner: Mathematical Games, Scientific American 230, February 1974", HeapForm::Board,
         true},
        make_cram},
    Row{{"notakto", "notakto", "Notakto",
         "Write an x on a free cell of a board that has no three x in line.", "ooo_oxo_ooo",
         "Plambeck and Whitehead: The secrets of Notakto: winning at X-only tic-tac-toe, 2013 "
         "(arXiv 1301.1672)",
         HeapForm::Board},
        make_notakto},
    Row{{"node-kayles", "node-kayles{a->b;b->c;c->d;d->a,e}", "Node Kayles",
         "Take a vertex of the graph and its neighbours: bit i of a heap says that vertex i is "
         "there.",
         "31,15", kSchaefer, HeapForm::Plain, true},
        read_node_kayles},
    Row{{"arc-kayles", "arc-kayles{a->b;b->c;c->d;d->a,e}", "Arc Kayles",
         "Take two neighbours of the graph: bit i of a heap says that vertex i is there.",
         "31,15", kSchaefer, HeapForm::Plain, true},
        read_arc_kayles},
    Row{{"hackenbush", "hackenbush{ground->a;a->b,c;b->c,d}", "Green Hackenbush",
         "Cut an edge; edges no longer connected to the ground are removed: bit i of a "
         "heap says that edge i is there.",
         "31,15", kWinningWays},
        read_hackenbush},
    Row{{"graph", "graph{a->b,c;b->c}", "Moves on a graph", "Move the token along an arrow.",
         "a,b",
         "Sprague: Über mathematische Kampfspiele, Tohoku Mathematical Journal 41, 1935; with "
         "cycles: Smith: Graphs and composite games, Journal of Combinatorial Theory 1, 1966",
         HeapForm::Vertex},
        read_graph_ruleset},
    Row{{"rules", "rules{n->n-k:k>=1&n%k=0&k<n}", "Rules of your own",
         "A move is what the clauses say: here, take a proper divisor.", "9,12",
         "engine/doc/rules.md", HeapForm::Plain, true},
        read_rules},
};

// "dawson" and "laskers-nim" are like dawson-chess and lasker, "subtraction" like take.
bool is_like(const RulesetGuide& guide, std::string_view word) {
    if (word.size() < 3) return false;
    return guide.name.find(word) != guide.name.npos || word.starts_with(guide.name) ||
           protocol::lower_case(guide.title).starts_with(word);
}

Error unknown_ruleset(std::string_view name) {
    std::string known;
    for (const Row& row : kRulesets) {
        if (!known.empty()) known += ", ";
        known += row.name();
    }
    known += ", or a game that nim-engine rulesets lists";
    const std::string meant = suggested_rulesets(name);
    return Scanner::refuse_word(
        0, name, "a known ruleset" + (meant.empty() ? ": " : meant + " Known are ") + known);
}

FoundRuleset parse_canonical(const RulesetText& ruleset) {
    const auto row = std::ranges::find(kRulesets, ruleset.name(), &Row::name);
    if (row == kRulesets.end()) return unknown_ruleset(ruleset.name());

    Scanner scanner(ruleset.text);
    scanner.take_while(protocol::is_name_char);
    if (!row->has_parameters()) {
        if (!scanner.at_end()) {
            return scanner.refuse(std::string(row->name()) + " without parameters");
        }
        return row->read(scanner);
    }
    if (!scanner.accept('{')) {
        return Scanner::refuse_word(
            0, ruleset.text,
            "parameters in braces after it, such as " + std::string(row->guide.example));
    }
    auto found = row->read(scanner);
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
    return Error{error.fault,
                 "line " + std::to_string(line) + ", column " + std::to_string(column) + ": " +
                     error.text,
                 0};
}

}  // namespace

std::string suggested_rulesets(std::string_view word) {
    std::vector<std::string_view> names;
    for (const Row& row : kRulesets) names.push_back(row.name());
    for (const LiteratureGame& game : literature()) {
        if (game.has_name_of_its_own()) names.push_back(game.guide.name);
    }
    const std::string_view near = protocol::nearest(word, names);
    if (near == word) {  // of the literature, where only rulesets are read
        names = {find_literature(word)->example};
    } else if (!near.empty()) {
        names = {near};
    } else {
        names.clear();
        for (const Row& row : kRulesets) {
            if (is_like(row.guide, word)) names.push_back(row.name());
        }
        for (const LiteratureGame& game : literature()) {
            if (game.has_name_of_its_own() && is_like(game.guide, word)) {
                names.push_back(game.guide.name);
            }
        }
    }
    std::string text;
    for (const std::string_view name : names) {
        text += (text.empty() ? "; did you mean " : " or ") + quoted(name);
    }
    return text.empty() ? text : text + "?";
}

std::vector<RulesetGuide> ruleset_guides() {
    std::vector<RulesetGuide> guides;
    for (const Row& row : kRulesets) guides.push_back(row.guide);
    return guides;
}

const RulesetGuide* find_guide(std::string_view name) {
    const auto row = std::ranges::find(kRulesets, name, &Row::name);
    return row == kRulesets.end() ? nullptr : &row->guide;
}

void allow_graph_files() { graph_files_allowed = true; }

FoundRuleset find_ruleset(const RulesetText& text) {
    if (auto known = cache().find(text.text)) return known;
    const auto ruleset = parse_ruleset(text.text);
    if (!ruleset) return ruleset;
    return cache().add(text.text, *ruleset, 2 * text.text.size() + (*ruleset)->bytes());
}

bool may_take_long(const RulesetText& text) {
    const RulesetGuide* const guide = find_guide(text.name());
    return guide != nullptr && guide->costly;
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

std::vector<std::pair<std::string, std::string>> RulesetNames::all() const {
    std::vector<std::pair<std::string, std::string>> names(texts_.begin(), texts_.end());
    std::ranges::sort(names);
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
