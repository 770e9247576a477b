#include "engine/rules/catalogue.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <mutex>
#include <numeric>

#include "engine/rules/formula/formula_ruleset.hpp"
#include "engine/rules/graph.hpp"
#include "engine/rules/octal.hpp"
#include "engine/rules/take.hpp"
#include "protocol/scanner.hpp"
#include "protocol/text.hpp"

namespace engine {

using protocol::Error;
using protocol::Fault;
using protocol::quoted;
using protocol::RulesetText;
using protocol::Scanner;

// Each in the file of its name; those with parameters read them up to the '}'.
FoundRuleset make_cookie(Scanner&);
FoundRuleset make_cram(Scanner&);
FoundRuleset make_grundy(Scanner&);
FoundRuleset make_lasker(Scanner&);
FoundRuleset make_nim(Scanner&);
FoundRuleset make_wythoff(Scanner&);
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

constexpr std::array kRulesets{
    Row{{"nim", "nim", "Nim", "Take any number of stones from one heap."}, make_nim},
    Row{{"take", "take{1,3,4}", "Subtraction game",
         "Take a number of stones that is in the set."},
        read_take},
    Row{{"octal", "octal{0.77}", "Octal game",
         "Digit k says what may be left of a heap after k stones are taken: 1 nothing, 2 one "
         "heap, 4 two heaps, or a sum of these."},
        read_octal<CodeBase::Octal>},
    Row{{"hex", "hex{0.8F}", "Hexadecimal game",
         "An octal game whose digits go up to F: 8 stands for three heaps."},
        read_octal<CodeBase::Hex>},
    Row{{"kayles", "kayles", "Kayles",
         "Knock down one pin, or two that stand next to each other."},
        make_octal<7, 7>},
    Row{{"dawson-kayles", "dawson-kayles", "Dawson's Kayles",
         "Knock down two pins that stand next to each other."},
        make_octal<0, 7>},
    Row{{"dawson-chess", "dawson-chess", "Dawson's Chess",
         "Take a stone together with its neighbours: three in a row, two at an end, or one "
         "alone."},
        make_octal<1, 3, 7>},
    Row{{"treblecross", "treblecross", "Treblecross",
         "Take three stones that stand next to each other."},
        make_octal<0, 0, 7>},
    Row{{"officers", "officers", "Officers",
         "Take one stone, but not the last of a heap; the rest may be split in two."},
        make_octal<6>},
    Row{{"lasker", "lasker", "Lasker's nim",
         "Take any number of stones, or split the heap in two."},
        make_lasker},
    Row{{"grundy", "grundy", "Grundy's game",
         "Split a heap into two heaps of different sizes."},
        make_grundy},
    Row{{"wythoff", "wythoff", "Wythoff's game",
         "Take from one of two heaps, or as many from both: a queen moves towards the corner."},
        make_wythoff},
    Row{{"cookie", "cookie", "The cookie game",
         "Eat one cookie; all others lose a day of their shelf life."},
        make_cookie},
    Row{{"pass", "pass{0.77}", "Octal game with passes",
         "Move in one of the octal heaps, or pass: all heaps share the passes, the last "
         "entry."},
        read_pass},
    Row{{"cram", "cram", "Cram", "Lay a domino on two free neighbours."}, make_cram},
    Row{{"graph", "graph{a->b,c;b->c}", "Moves on a graph", "Move the token along an arrow."},
        read_graph_ruleset},
    Row{{"rules", "rules{n->n-k:k>=1&n%k=0&k<n}", "Rules of your own",
         "A move is what the clauses say: here, take a proper divisor."},
        read_rules},
};

bool is_built_in(std::string_view name) {
    return std::ranges::find(kRulesets, name, &Row::name) != kRulesets.end();
}

// Levenshtein's distance.
std::size_t distance(std::string_view left, std::string_view right) {
    std::vector<std::size_t> row(right.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < left.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < right.size(); ++j) {
            const std::size_t replaced = diagonal + (left[i] == right[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

Error unknown_ruleset(std::string_view name) {
    constexpr std::size_t kLongestTypo = 40;
    std::string known;
    std::string_view nearest;
    std::size_t nearest_distance = 3;  // farther than that is another word
    for (const Row& row : kRulesets) {
        if (!known.empty()) known += ", ";
        known += row.name();
        const std::size_t far = name.size() < kLongestTypo ? distance(name, row.name()) : 99;
        if (far >= nearest_distance) continue;
        nearest = row.name();
        nearest_distance = far;
    }
    std::string expected = "a known ruleset: " + known;
    if (!nearest.empty()) expected += "; did you mean " + quoted(nearest) + "?";
    return Scanner::refuse_word(0, name, expected);
}

FoundRuleset parse_ruleset(const std::string& text) {
    const auto well_formed = protocol::parse_ruleset_text(text);
    if (!well_formed) return well_formed.error();

    const auto row = std::ranges::find(kRulesets, well_formed->name(), &Row::name);
    if (row == kRulesets.end()) return unknown_ruleset(well_formed->name());

    Scanner scanner(text);
    scanner.take_while(protocol::is_name_char);
    if (!row->has_parameters()) {
        if (!scanner.at_end()) {
            return scanner.refuse(std::string(row->name()) + " without parameters");
        }
        return row->read(scanner);
    }
    if (!scanner.accept('{')) {
        return Scanner::refuse_word(
            0, text,
            "parameters in braces behind it, such as " + std::string(row->guide.example));
    }
    auto ruleset = row->read(scanner);
    if (ruleset && !scanner.accept('}')) return scanner.refuse("'}'");
    return ruleset;
}

// Emptied when full: rulesets in use stay alive with those who use them. The one asked for last
// is kept, however large it is.
class Cache {
  public:
    std::shared_ptr<const Ruleset> find(const std::string& text) const {
        const std::lock_guard lock(mutex_);
        const auto found = rulesets_.find(text);
        return found == rulesets_.end() ? nullptr : found->second;
    }

    void add(const std::string& text, std::shared_ptr<const Ruleset> ruleset) {
        const std::lock_guard lock(mutex_);
        const std::size_t bytes = 2 * text.size() + ruleset->bytes();
        if (rulesets_.size() >= kMaxEntries || bytes_ + bytes > kMaxBytes) {
            rulesets_.clear();
            bytes_ = 0;
        }
        if (rulesets_.emplace(text, std::move(ruleset)).second) bytes_ += bytes;
    }

  private:
    static constexpr std::size_t kMaxEntries = 1024;
    static constexpr std::size_t kMaxBytes = 64 << 20;

    mutable std::mutex mutex_;
    std::unordered_map<std::string, std::shared_ptr<const Ruleset>> rulesets_;
    std::size_t bytes_ = 0;
};

Cache& cache() {
    static Cache instance;
    return instance;
}

// ---- catalogue files ----

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

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

// A name and, if there are braces, what stands in them without white space.
Result<std::string> read_ruleset_text(Scanner& scanner) {
    std::string text(scanner.take_while(protocol::is_name_char));
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
    if (is_built_in(name)) {
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

// Where in the file a byte of the definition's text stands, which has no white space; just
// behind the last one for the text's end.
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

std::vector<RulesetGuide> ruleset_guides() {
    std::vector<RulesetGuide> guides;
    for (const Row& row : kRulesets) guides.push_back(row.guide);
    return guides;
}

void allow_graph_files() { graph_files_allowed = true; }

FoundRuleset find_ruleset(const RulesetText& text) {
    if (auto known = cache().find(text.text)) return known;
    auto ruleset = parse_ruleset(text.text);
    if (ruleset) cache().add(text.text, *ruleset);
    return ruleset;
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
        const auto alias = names.texts_.find(definition->text);
        if (alias != names.texts_.end()) definition->text = alias->second;
        const auto ruleset = find_ruleset({definition->text});
        if (!ruleset) {
            const std::size_t column = std::max<std::size_t>(ruleset.error().column, 1);
            return at_place(clean, place_of(clean, *definition, column - 1), ruleset.error());
        }
        names.texts_.emplace(std::move(definition->name), std::move(definition->text));
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
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    auto names = parse(text);
    if (!names) return Error{Fault::BadInput, quoted(path) + ", " + names.error().text, 0};
    return names;
}

std::vector<std::pair<std::string, std::string>> RulesetNames::all() const {
    std::vector<std::pair<std::string, std::string>> names(texts_.begin(), texts_.end());
    std::ranges::sort(names);
    return names;
}

RulesetText RulesetNames::expand(RulesetText ruleset) const {
    const auto found = texts_.find(ruleset.text);
    return found == texts_.end() ? std::move(ruleset) : RulesetText{found->second};
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
