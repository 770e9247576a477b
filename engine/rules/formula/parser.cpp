// Reads rules{...} into clauses by recursive descent: one function for each construct of the
// language, which engine/doc/rules.md explains.
//
// Functions return false after fail() has stored the error; the first error ends the reading.
// Expressions become steps of one Code for all clauses, with variables as numbered slots. A
// bracket may hold a number or a condition, and only what follows it shows which: functions
// that may meet either fill in a NumberOrCondition. A negation is applied while its condition
// is read (De Morgan), so that evaluation knows none.
#include "engine/rules/formula/syntax.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "protocol/heap.hpp"

namespace engine::rules {

using protocol::Error;
using protocol::is_digit;
using protocol::is_lower;
using protocol::Result;
using protocol::Scanner;

namespace {

constexpr std::string_view kAtom =
    "a number, a variable, gcd(…), min(…), max(…), xor(…) or '('";
// What to write instead of "==", "&&", "||" or "**" of other languages; `read` is the second
// character.
std::string_view expected_atom(char read) {
    switch (read) {
        case '=':
            return "a single '=': equality is written a=b";
        case '&':
            return "a single '&': both conditions are written a&b";
        case '|':
            return "a single '|': one of the conditions is written a|b";
        case '*':
            return "a factor: a square is written k*k";
        default:
            return kAtom;
    }
}
constexpr std::size_t kClosedSlot = kSeriesSlot + 1;  // of a series' variable, elsewhere
constexpr std::string_view kComparison = "an operator or a comparison: = != < <= > >=";
constexpr std::string_view kFunctionNames = "one of the functions gcd, min, max, xor";

std::optional<Operation> function_named(std::string_view word) {
    if (word == "gcd") return Operation::Gcd;
    if (word == "min") return Operation::Min;
    if (word == "max") return Operation::Max;
    if (word == "xor") return Operation::Xor;
    return std::nullopt;
}

std::string entries_text(std::size_t entries) {
    return entries == 1 ? "one number" : std::to_string(entries) + " entries";
}

// Brackets hold a number or a condition; only what follows them shows which.
using NumberOrCondition = std::optional<Condition>;  // nullopt: a number, in the code

// Recursive descent. A function that gives false, or a Result without a value, has set error_.
class Parser {
  public:
    explicit Parser(Scanner& scanner) : scanner_(scanner) {}

    Result<Rules> parse() {
        find_pattern();
        do {
            if (!clause()) return *error_;
        } while (scanner_.accept(';'));
        if (scanner_.peek() != '}') {
            fail(clause_end());
            return *error_;
        }
        if (!has_pattern_) {
            fail("a clause with a move, such as ;n->n-1");
            return *error_;
        }
        return std::move(rules_);
    }

  private:
    // ---- errors ----

    bool fail(std::string_view expected) { return fail_at(scanner_.at(), expected); }
    bool fail_at(std::size_t at, std::string_view expected) {
        error_ = scanner_.refuse_at(at, expected);
        return false;
    }
    bool fail_word(std::size_t at, std::string_view word, std::string_view expected) {
        error_ = Scanner::refuse_word(at, word, expected);
        return false;
    }

    std::string_view clause_end() const {
        if (in_condition_) return "an operator, ';' or '}'";
        return rules_.entries == 1 ? "an operator, ',', ':', ';' or '}'"
                                   : "',', ':', ';' or '}'";
    }

    // Counts brackets and "!" that stand in each other.
    class Depth {
      public:
        explicit Depth(Parser& parser) : parser_(parser) { ++parser_.depth_; }
        ~Depth() { --parser_.depth_; }
        Depth(const Depth&) = delete;
        Depth& operator=(const Depth&) = delete;

        bool is_allowed(std::size_t at) const {
            if (parser_.depth_ <= kMaxNesting) return true;
            return parser_.fail_at(at,
                                   "nesting at most " + std::to_string(kMaxNesting) + " deep");
        }

      private:
        Parser& parser_;
    };

    // ---- clauses ----

    bool clause() {
        clause_ = &rules_.clauses.emplace_back();
        slots_.clear();
        in_condition_ = false;
        const std::size_t at = scanner_.at();
        if (scanner_.peek() != '(' && !is_lower(scanner_.peek())) {
            return fail("a clause such as n->n-1 or stop:n=1");
        }
        if (scanner_.peek() == '(') return move_clause(at, {});
        const std::string_view word = take_word();
        return word == "stop" ? stop_clause() : move_clause(at, word);
    }

    // The variables of the first pattern: it may come after clauses `stop`, where it binds them
    // too. Errors in it are found when it is read in its place.
    void find_pattern() {
        Scanner ahead = scanner_;
        std::string_view word = take_word(ahead);
        for (; word == "stop"; word = take_word(ahead)) {
            ahead.take_while([](char c) { return c != ';'; });
            ahead.accept(';');
        }
        if (!word.empty()) pattern_.emplace(word, 0);
        while (word.empty() && (ahead.accept('(') || ahead.accept(','))) {
            pattern_.try_emplace(take_word(ahead), pattern_.size());
        }
    }

    bool stop_clause() {
        clause_->is_stop = true;
        clause_->bound = clause_->variables = pattern_.size();
        if (!scanner_.accept(':')) return fail("':' after stop");
        return conditions();
    }

    // `word` is the pattern, or empty where the pattern is a tuple.
    bool move_clause(std::size_t at, std::string_view word) {
        if (!(word.empty() ? tuple_pattern() : pattern_variable(at, word))) return false;
        const std::size_t entries = clause_->variables;
        if (!has_pattern_) rules_.entries = entries;
        if (entries != rules_.entries) {
            return fail_at(at, "a pattern of " + entries_text(rules_.entries) +
                                   ", as the first pattern has");
        }
        has_pattern_ = true;
        clause_->bound = entries;
        if (!scanner_.accept('-')) return fail("'->' after the pattern");
        if (!scanner_.accept('>')) return fail("'>' of '->'");
        do {
            if (!result()) return false;
            ++clause_->heap_count;
        } while (scanner_.accept(','));
        return !scanner_.accept(':') || conditions();
    }

    bool tuple_pattern() {
        scanner_.accept('(');
        do {
            const std::size_t at = scanner_.at();
            if (!is_lower(scanner_.peek())) return fail("a variable");
            if (!pattern_variable(at, take_word())) return false;
        } while (scanner_.accept(','));
        if (clause_->variables == 1) return fail("',': a tuple has two entries or more");
        return scanner_.accept(')') || fail("',' or ')'");
    }

    bool pattern_variable(std::size_t at, std::string_view word) {
        if (!is_variable(at, word)) return false;
        if (!slots_.try_emplace(word, slots_.size()).second) {
            return fail_word(at, word, "a variable that the pattern does not have yet");
        }
        ++clause_->variables;
        return true;
    }

    bool is_variable(std::size_t at, std::string_view word) {
        if (function_named(word)) return fail_word(at, word, "a variable, not a function");
        if (word == "stop") return fail_word(at, word, "a variable, not the word stop");
        return true;
    }

    bool result() {
        if (!scanner_.accept('[')) return one_result();
        Series series;
        series.result = clause_->heap_count;
        const std::size_t at = scanner_.at();
        if (!is_lower(scanner_.peek())) return fail("a variable");
        const std::string_view word = take_word();
        if (!is_variable(at, word)) return false;
        if (const auto known = slots_.find(word);
            known != slots_.end() && known->second != kClosedSlot) {
            return fail_word(at, word, "a variable that the clause does not have yet");
        }
        slots_[word] = kClosedSlot;
        series.variable = {here(), here() + 1};
        emit(Operation::Variable, kSeriesSlot);
        if (!scanner_.accept('=')) return fail("'=' after the variable");
        if (!read_expression(series.first)) return false;
        if (!scanner_.accept('.') || !scanner_.accept('.')) return fail("an operator or '..'");
        if (!read_expression(series.last)) return false;
        if (!scanner_.accept(']')) return fail("an operator or ']'");
        clause_->series.push_back(series);
        slots_[word] = kSeriesSlot;
        if (!one_result()) return false;
        slots_[word] = kClosedSlot;
        return true;
    }

    bool read_expression(Expression& read) {
        read.begin = here();
        if (!expression()) return false;
        read.end = here();
        return true;
    }

    bool one_result() {
        if (rules_.entries == 1) return result_entry();
        if (!scanner_.accept('(')) {
            return fail("'(': a result has " + entries_text(rules_.entries) +
                        ", as the first pattern has");
        }
        for (std::size_t entry = 0; entry < rules_.entries; ++entry) {
            if (entry > 0 && !scanner_.accept(',')) return fail(result_end(','));
            if (!result_entry()) return false;
        }
        return scanner_.accept(')') || fail(result_end(')'));
    }

    std::string result_end(char wanted) const {
        return std::string("an operator or '") + wanted + "': a result has " +
               entries_text(rules_.entries) + ", as the first pattern has";
    }

    bool result_entry() { return read_expression(clause_->results.emplace_back()); }

    bool conditions() {
        in_condition_ = true;
        NumberOrCondition read;
        if (!any(false, read)) return false;
        if (!read) return fail(kComparison);
        if (read->kind == Condition::Kind::All) {
            clause_->conditions = std::move(read->parts);
        } else {
            clause_->conditions.push_back(*std::move(read));
        }
        return true;
    }

    // ---- conditions; a condition after "!" is negated as it is read ----

    bool any(bool negated, NumberOrCondition& read) {
        return chain(
            '|', negated ? Condition::Kind::All : Condition::Kind::Any,
            [&](NumberOrCondition& part) { return all(negated, part); }, read);
    }

    bool all(bool negated, NumberOrCondition& read) {
        return chain(
            '&', negated ? Condition::Kind::Any : Condition::Kind::All,
            [&](NumberOrCondition& part) { return negation(negated, part); }, read);
    }

    // Parts joined by one operator, or a lone part, which may be a number.
    template <typename ReadPart>
    bool chain(char joined_by, Condition::Kind kind, ReadPart read_part,
               NumberOrCondition& read) {
        if (!read_part(read)) return false;
        if (scanner_.peek() != joined_by) return true;
        if (!read) return fail(kComparison);
        Condition joined;
        joined.kind = kind;
        append(joined, *std::move(read));
        while (scanner_.accept(joined_by)) {
            NumberOrCondition part;
            if (!read_part(part)) return false;
            if (!part) return fail(kComparison);
            append(joined, *std::move(part));
        }
        read = std::move(joined);
        return true;
    }

    // (a&b)&c and a&(b&c) evaluate the same in the same order.
    static void append(Condition& joined, Condition part) {
        if (part.kind != joined.kind) {
            joined.parts.push_back(std::move(part));
            return;
        }
        for (Condition& inner : part.parts) joined.parts.push_back(std::move(inner));
    }

    bool negation(bool negated, NumberOrCondition& read) {
        const std::size_t at = scanner_.at();
        if (scanner_.accept('!')) {
            const Depth depth(*this);
            if (!depth.is_allowed(at)) return false;
            if (!negation(!negated, read)) return false;
            return read || fail(kComparison);
        }
        const std::uint32_t begin = here();
        if (scanner_.accept('(')) {
            const Depth depth(*this);
            if (!depth.is_allowed(at)) return false;
            if (!any(negated, read)) return false;
            if (!scanner_.accept(')')) {
                return fail(read ? "'&', '|' or ')'" : "an operator, a comparison or ')'");
            }
            if (read) return is_not_compared();
            if (!expression_from_atom()) return false;
        } else if (!expression()) {
            return false;
        }
        const auto comparison = take_comparison();
        if (!comparison) return true;  // a number
        const std::uint32_t middle = here();
        if (!expression()) return false;
        read.emplace();
        read->comparison = negated ? opposite(*comparison) : *comparison;
        read->left = {begin, middle};
        read->right = {middle, here()};
        return is_not_compared();
    }

    // Only numbers are compared or computed with.
    bool is_not_compared() {
        constexpr std::string_view kOperators = "+-*/%=<>!";
        const bool compared =
            !scanner_.at_end() && kOperators.find(scanner_.peek()) != kOperators.npos;
        return !compared || fail("'&', '|' or the end: a comparison is not a number");
    }

    std::optional<Comparison> take_comparison() {
        if (scanner_.accept('=')) return Comparison::Equal;
        if (scanner_.accept('<')) {
            return scanner_.accept('=') ? Comparison::LessEqual : Comparison::Less;
        }
        if (scanner_.accept('>')) {
            return scanner_.accept('=') ? Comparison::GreaterEqual : Comparison::Greater;
        }
        Scanner ahead = scanner_;
        if (!ahead.accept('!') || !ahead.accept('=')) return std::nullopt;
        scanner_ = ahead;
        return Comparison::NotEqual;
    }

    // ---- expressions ----

    bool expression() { return atom() && expression_from_atom(); }

    // The rest of an expression whose first atom has been read.
    bool expression_from_atom() {
        if (!product_from_atom()) return false;
        for (;;) {
            const auto operation = scanner_.accept('+')   ? Operation::Add
                                   : scanner_.accept('-') ? Operation::Subtract
                                                          : Operation::Constant;
            if (operation == Operation::Constant) return true;
            if (!atom() || !product_from_atom() || !emit(operation)) return false;
        }
    }

    bool product_from_atom() {
        for (;;) {
            const auto operation = scanner_.accept('*')   ? Operation::Multiply
                                   : scanner_.accept('/') ? Operation::Divide
                                   : scanner_.accept('%') ? Operation::Remainder
                                                          : Operation::Constant;
            if (operation == Operation::Constant) return true;
            if (!atom() || !emit(operation)) return false;
        }
    }

    bool atom() {
        const std::size_t at = scanner_.at();
        if (is_digit(scanner_.peek())) return number(at);
        if (scanner_.accept('(')) {
            const Depth depth(*this);
            if (!depth.is_allowed(at) || !expression()) return false;
            return scanner_.accept(')') || fail("an operator or ')'");
        }
        if (!is_lower(scanner_.peek())) return fail(expected_atom(scanner_.peek()));
        const std::string_view word = take_word();
        const auto function = function_named(word);
        if (scanner_.peek() == '(') {
            return function ? call(*function) : fail_word(at, word, kFunctionNames);
        }
        if (function) return fail("'(' after " + std::string(word));
        if (!is_variable(at, word)) return false;
        const std::size_t slot = slot_of(word);
        if (slot == kClosedSlot) {
            return fail_word(at, word,
                             "another variable: one of [ ] belongs to the result after it");
        }
        return emit(Operation::Variable, slot);
    }

    bool call(Operation function) {
        const std::size_t at = scanner_.at();
        scanner_.accept('(');
        const Depth depth(*this);
        if (!depth.is_allowed(at) || !expression()) return false;
        if (!scanner_.accept(',')) return fail("an operator or ','");
        if (!expression()) return false;
        return scanner_.accept(')') ? emit(function) : fail("an operator or ')'");
    }

    bool number(std::size_t at) {
        const std::string_view digits = scanner_.take_while(is_digit);
        const auto number = protocol::parse_number(digits);
        if (!number) return fail_word(at, digits, "a number up to 9223372036854775807");
        rules_.code.constants.push_back(static_cast<std::int64_t>(*number));
        return emit(Operation::Constant, rules_.code.constants.size() - 1);
    }

    std::size_t slot_of(std::string_view word) {
        if (clause_->is_stop) {
            if (const auto named = pattern_.find(word); named != pattern_.end()) {
                return named->second;
            }
        }
        const auto [found, is_new] = slots_.try_emplace(word, clause_->variables);
        if (is_new) ++clause_->variables;
        return found->second;
    }

    std::string_view take_word() { return take_word(scanner_); }
    static std::string_view take_word(Scanner& scanner) {
        return scanner.take_while([](char c) { return is_lower(c) || is_digit(c); });
    }

    bool emit(Operation operation, std::size_t index = 0) {
        rules_.code.steps.push_back({operation, false, static_cast<std::uint32_t>(index)});
        return true;
    }

    std::uint32_t here() const { return static_cast<std::uint32_t>(rules_.code.steps.size()); }

    Scanner& scanner_;
    Rules rules_;
    std::optional<Error> error_;
    Clause* clause_ = nullptr;
    // Slots by name: of clause_, and of the first pattern, which clauses `stop` share.
    std::unordered_map<std::string_view, std::size_t> slots_, pattern_;
    bool has_pattern_ = false;  // it has been read
    bool in_condition_ = false;
    std::size_t depth_ = 0;
};

}  // namespace

Result<Rules> parse_rules(Scanner& scanner) { return Parser(scanner).parse(); }

}  // namespace engine::rules
