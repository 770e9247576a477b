// User-defined rules as trees, evaluated literally as specified; random rules for comparisons.
#pragma once

#include "protocol/heap.hpp"
#include "protocol/move.hpp"

namespace engine::test {

using protocol::Heap;
using protocol::Number;

struct Failure {};  // an overflow, or a division by zero

// A number or a condition, told apart by `sign`: "7", "x", "+", "gcd", "<", "&", "!" …
struct Tree {
    std::string sign;
    std::vector<Tree> parts;
};

struct TreeClause {
    bool is_stop = false;
    std::vector<std::string> pattern;
    std::vector<std::vector<Tree>> results;           // of each heap left, its entries
    std::map<std::size_t, std::vector<Tree>> series;  // of some: their i, first and last
    std::optional<Tree> condition;
};

using Bindings = std::map<std::string, std::int64_t>;
__extension__ using Int128 = __int128;

inline std::int64_t fitting(Int128 value) {
    if (value > INT64_MAX || value < INT64_MIN) throw Failure();
    return static_cast<std::int64_t>(value);
}

inline Int128 floor_divide(Int128 left, Int128 right) {
    if (right == 0) throw Failure();
    const Int128 quotient = left / right;
    const bool is_above = quotient * right != left && (left < 0) != (right < 0);
    return is_above ? quotient - 1 : quotient;
}

inline std::int64_t value_of(const Tree& tree, const Bindings& bindings) {
    if (tree.parts.empty()) {
        const bool is_number = tree.sign[0] >= '0' && tree.sign[0] <= '9';
        return is_number ? std::stoll(tree.sign) : bindings.at(tree.sign);
    }
    const Int128 left = value_of(tree.parts[0], bindings);
    const Int128 right = value_of(tree.parts[1], bindings);
    if (tree.sign == "+") return fitting(left + right);
    if (tree.sign == "-") return fitting(left - right);
    if (tree.sign == "*") return fitting(left * right);
    if (tree.sign == "/") return fitting(floor_divide(left, right));
    if (tree.sign == "%") return fitting(left - right * floor_divide(left, right));
    if (tree.sign == "min") return fitting(left < right ? left : right);
    if (tree.sign == "max") return fitting(left < right ? right : left);
    if (tree.sign == "xor") return fitting(left ^ right);
    Int128 a = left < 0 ? -left : left;
    Int128 b = right < 0 ? -right : right;
    while (b != 0) std::tie(a, b) = std::pair(b, a % b);
    return fitting(a);
}

inline bool is_true(const Tree& tree, const Bindings& bindings) {
    if (tree.sign == "!") return !is_true(tree.parts[0], bindings);
    if (tree.sign == "&")
        return is_true(tree.parts[0], bindings) && is_true(tree.parts[1], bindings);
    if (tree.sign == "|")
        return is_true(tree.parts[0], bindings) || is_true(tree.parts[1], bindings);
    const auto left = value_of(tree.parts[0], bindings);
    const auto right = value_of(tree.parts[1], bindings);
    if (tree.sign == "=") return left == right;
    if (tree.sign == "!=") return left != right;
    if (tree.sign == "<") return left < right;
    if (tree.sign == "<=") return left <= right;
    if (tree.sign == ">") return left > right;
    return left >= right;
}

inline void collect_names(const Tree& tree, std::set<std::string>& names) {
    if (tree.parts.empty() && tree.sign[0] >= 'a') names.insert(tree.sign);
    for (const Tree& part : tree.parts) collect_names(part, names);
}

class TreeRules {
  public:
    explicit TreeRules(std::vector<TreeClause> clauses) : clauses_(std::move(clauses)) {}

    // Every different result of a move, canonical.
    std::set<std::vector<Heap>> followers(const std::vector<Number>& heap) const {
        std::set<std::vector<Heap>> results;
        for (const TreeClause& clause : clauses_) {
            if (clause.is_stop && holds_somewhere(clause, heap)) return {};
        }
        for (const TreeClause& clause : clauses_) {
            if (clause.is_stop) continue;
            for_each_binding(clause, clause.pattern, heap, [&](const Bindings& bindings) {
                try {
                    if (clause.condition && !is_true(*clause.condition, bindings)) return;
                    std::vector<Heap> heaps;
                    for (std::size_t i = 0; i < clause.results.size(); ++i) {
                        append_heaps(clause, i, std::ranges::max(heap), bindings, heaps);
                    }
                    std::ranges::sort(heaps);
                    if (!heaps.empty()) results.insert(heaps);
                } catch (const Failure&) {
                }
            });
        }
        return results;
    }

    std::string text(std::mt19937_64& random) const {
        std::string text;
        for (const TreeClause& clause : clauses_) {
            if (!text.empty()) text += ';';
            text += clause.is_stop ? "stop" : head(clause, random);
            if (clause.condition) text += ':' + print(*clause.condition, random, 0);
        }
        return "rules{" + text + '}';
    }

  private:
    static bool holds_somewhere(const TreeClause& stop, const std::vector<Number>& heap,
                                const std::vector<std::string>& pattern) {
        bool holds = false;
        for_each_binding(stop, pattern, heap, [&](const Bindings& bindings) {
            try {
                holds = holds || is_true(*stop.condition, bindings);
            } catch (const Failure&) {
            }
        });
        return holds;
    }

    bool holds_somewhere(const TreeClause& stop, const std::vector<Number>& heap) const {
        for (const TreeClause& clause : clauses_) {
            if (!clause.is_stop) return holds_somewhere(stop, heap, clause.pattern);
        }
        return false;
    }

    static void for_each_binding(const TreeClause& clause,
                                 const std::vector<std::string>& pattern,
                                 const std::vector<Number>& heap,
                                 const std::function<void(const Bindings&)>& visit) {
        Bindings bindings;
        for (std::size_t i = 0; i < pattern.size(); ++i) {
            bindings[pattern[i]] = static_cast<std::int64_t>(heap[i]);
        }
        std::set<std::string> names;
        if (clause.condition) collect_names(*clause.condition, names);
        for (const auto& result : clause.results) {
            for (const Tree& entry : result) collect_names(entry, names);
        }
        for (const auto& [result, series] : clause.series) {
            collect_names(series[1], names);
            collect_names(series[2], names);
            names.erase(series[0].sign);
        }
        std::vector<std::string> free;
        for (const std::string& name : names) {
            if (!bindings.contains(name)) free.push_back(name);
        }
        bind(free, 0, static_cast<std::int64_t>(std::ranges::max(heap)), bindings, visit);
    }

    static void bind(const std::vector<std::string>& free, std::size_t index,
                     std::int64_t largest, Bindings& bindings,
                     const std::function<void(const Bindings&)>& visit) {
        if (index == free.size()) return visit(bindings);
        for (std::int64_t value = 0; value <= largest; ++value) {
            bindings[free[index]] = value;
            bind(free, index + 1, largest, bindings, visit);
        }
    }

    static void append_heaps(const TreeClause& clause, std::size_t result, Number largest,
                             Bindings bindings, std::vector<Heap>& heaps) {
        const auto series = clause.series.find(result);
        if (series == clause.series.end()) {
            heaps.push_back(heap_of(clause.results[result], bindings));
            return;
        }
        const auto first = value_of(series->second[1], bindings);
        const auto last = value_of(series->second[2], bindings);
        if (last < first) return;
        if (first < 0 || last > static_cast<std::int64_t>(largest)) throw Failure();
        for (auto i = first; i <= last; ++i) {
            bindings[series->second[0].sign] = i;
            heaps.push_back(heap_of(clause.results[result], bindings));
        }
    }

    static Heap heap_of(const std::vector<Tree>& result, const Bindings& bindings) {
        protocol::Tuple tuple;
        for (const Tree& entry : result) {
            const auto value = value_of(entry, bindings);
            if (value < 0) throw Failure();
            tuple.entries.push_back(static_cast<Number>(value));
        }
        if (tuple.entries.size() == 1) return Heap(tuple.entries.front());
        return Heap(tuple);
    }

    static std::string head(const TreeClause& clause, std::mt19937_64& random) {
        const auto list = [](const std::vector<std::string>& words) {
            std::string text;
            for (const std::string& word : words) text += (text.empty() ? "" : ",") + word;
            return words.size() == 1 ? text : '(' + text + ')';
        };
        std::string text = list(clause.pattern) + "->";
        for (std::size_t i = 0; i < clause.results.size(); ++i) {
            if (i > 0) text += ',';
            if (const auto of = clause.series.find(i); of != clause.series.end()) {
                text += '[' + of->second[0].sign + '=' + print(of->second[1], random, 0) +
                        ".." + print(of->second[2], random, 0) + ']';
            }
            std::vector<std::string> entries;
            for (const Tree& entry : clause.results[i]) {
                entries.push_back(print(entry, random, 0));
            }
            text += list(entries);
        }
        return text;
    }

    // | 1, & 2, ! 3 and comparisons 4, + - 5, * / % 6, atoms 7. Now and then with brackets that
    // are not needed.
    static int binding_of(const std::string& sign, std::size_t parts) {
        if (parts == 0 || sign == "gcd" || sign == "min" || sign == "max" || sign == "xor")
            return 7;
        if (sign == "*" || sign == "/" || sign == "%") return 6;
        if (sign == "+" || sign == "-") return 5;
        if (sign == "|") return 1;
        if (sign == "&") return 2;
        return sign == "!" ? 3 : 4;
    }

    static std::string print(const Tree& tree, std::mt19937_64& random, int outer) {
        const int own = binding_of(tree.sign, tree.parts.size());
        std::string text;
        if (tree.parts.empty()) {
            text = tree.sign;
        } else if (own == 7) {
            text = tree.sign + '(' + print(tree.parts[0], random, 0) + ',' +
                   print(tree.parts[1], random, 0) + ')';
        } else if (tree.sign == "!") {
            text = '!' + print(tree.parts[0], random, tree.parts[0].sign == "!" ? 3 : 7);
        } else {
            const int inside = own == 4 ? 5 : own;
            text = print(tree.parts[0], random, inside) + tree.sign +
                   print(tree.parts[1], random, own == 4 ? 5 : own + 1);
        }
        return own < outer || random() % 16 == 0 ? '(' + text + ')' : text;
    }

    std::vector<TreeClause> clauses_;
};

// ---- random rules ----

class RandomRules {
  public:
    explicit RandomRules(std::uint64_t seed) : random_(seed) {}

    std::mt19937_64& random() { return random_; }
    std::size_t below(std::size_t count) { return random_() % count; }

    TreeRules draw(std::size_t entries) {
        std::vector<TreeClause> clauses;
        const std::size_t moves = 1 + below(3);
        for (std::size_t i = 0; i < moves; ++i) clauses.push_back(move_clause(entries));
        if (below(3) == 0) {
            TreeClause stop;
            stop.is_stop = true;
            names_ = clauses.front().pattern;
            if (below(3) == 0) names_.push_back("z");
            stop.condition = condition(2);
            clauses.insert(
                clauses.begin() + static_cast<std::ptrdiff_t>(below(clauses.size() + 1)), stop);
        }
        return TreeRules(std::move(clauses));
    }

  private:
    template <typename Word>
    Word one_of(std::initializer_list<Word> words) {
        return words.begin()[below(words.size())];
    }

    TreeClause move_clause(std::size_t entries) {
        TreeClause clause;
        const std::vector<std::string> kNames[] = {
            {"a", "b", "c"}, {"n", "b2", "stopp"}, {"c", "a", "x"}};
        clause.pattern = kNames[below(3)];
        clause.pattern.resize(entries);
        names_ = clause.pattern;
        const std::size_t free = below(3);
        if (free > 0) names_.push_back("k");
        if (free > 1) names_.push_back("gcdx");
        const std::size_t heaps = below(3) == 0 ? 2 + below(3) : 1;
        const auto named = names_;
        for (std::size_t i = 0; i < heaps; ++i) {
            names_ = named;
            auto& result = clause.results.emplace_back();
            if (below(5) == 0) {
                Tree first = below(2) == 0 ? leaf() : Tree{"1", {}};
                Tree last = below(2) == 0 ? leaf() : number(2);
                clause.series[i] = {{"i", {}}, std::move(first), std::move(last)};
                names_.insert(names_.end(), 3, "i");
            }
            for (std::size_t j = 0; j < entries; ++j) {
                result.push_back(below(2) == 0 ? simple_result(clause.pattern[j]) : number(3));
            }
        }
        names_ = named;
        if (below(5) > 0) clause.condition = condition(3);
        return clause;
    }

    Tree simple_result(const std::string& entry) {
        return {one_of<std::string>({"-", "-", "+", "/"}), {{entry, {}}, leaf()}};
    }

    Tree leaf() {
        if (below(3) > 0) return {names_[below(names_.size())], {}};
        if (below(60) == 0) {
            return {one_of<std::string>(
                        {"9223372036854775807", "4611686018427387904", "4294967296"}),
                    {}};
        }
        return {std::to_string(below(5)), {}};
    }

    Tree number(int depth) {
        if (depth == 0 || below(3) == 0) return leaf();
        const auto sign = one_of<std::string>(
            {"+", "-", "-", "*", "/", "%", "+", "-", "gcd", "min", "max", "xor"});
        Tree left = number(depth - 1);
        return {sign, {std::move(left), number(depth - 1)}};
    }

    Tree condition(int depth) {
        if (depth == 0 || below(3) == 0) {
            const auto sign = one_of<std::string>({"=", "!=", "<", "<=", ">", ">="});
            Tree left = number(static_cast<int>(below(3)));
            return {sign, {std::move(left), number(static_cast<int>(below(3)))}};
        }
        const auto sign = one_of<std::string>({"&", "&", "&", "|", "|", "!"});
        Tree left = condition(depth - 1);
        if (sign == "!") return {sign, {std::move(left)}};
        return {sign, {std::move(left), condition(depth - 1)}};
    }

    std::mt19937_64 random_;
    std::vector<std::string> names_;  // that leaves may be
};

}  // namespace engine::test
