// Small random positions of every ruleset, random graphs, codes and user-defined rules among
// them.
#pragma once

#include "engine/rules/game.hpp"

namespace engine::test {

// "graph{a->b,c;b->a;…}" with 2..most_vertices vertices a, b, … and up to 3 edges from each.
inline std::string random_graph_text(std::mt19937_64& random, Count most_vertices) {
    const auto name = [](Count vertex) { return static_cast<char>('a' + vertex); };
    const Count size = 2 + uniform_below(random, most_vertices - 1);
    std::string text = "graph{";
    for (Count v = 0; v < size; ++v) {
        if (v > 0) text += ';';
        text += name(v);
        const Count degree = uniform_below(random, 4);
        for (Count i = 0; i < degree; ++i) {
            text += i == 0 ? "->" : ",";
            text += name(uniform_below(random, size));
        }
    }
    return text + "}";
}

// One or two tokens on such graphs, in half of the cases with a nim heap of 2, or misere.
inline std::string random_loopy_sum(std::mt19937_64& random) {
    std::string text = random_graph_text(random, 6) + ":a";
    const Count kind = uniform_below(random, 3);
    if (kind == 0) text += ",b";
    if (kind == 1) text += "+" + random_graph_text(random, 5) + ":b";
    if (uniform_below(random, 2) == 0) text += "+nim:2";
    return uniform_below(random, 2) == 0 ? text : text + " misere";
}

class RandomPositions {
  public:
    explicit RandomPositions(std::uint64_t seed) : random_(seed) { draw_rulesets(); }

    std::mt19937_64& random() { return random_; }

    // Draws three new rulesets for the next positions, because drawing them is slow.
    void draw_rulesets() {
        for (Kind& kind : kinds_) kind = draw_kind();
    }

    // One to `most_heaps` heaps; the more, the smaller.
    std::string draw(Count most_heaps = 3) {
        const Count heaps = 1 + below(most_heaps);
        const Count largest = heaps == 1 ? 14 : heaps == 2 ? 8 : 5;
        std::string text;
        for (Count left = heaps; left > 0;) {
            const Kind& kind = kinds_[below(kinds_.size())];
            if (!text.empty()) text += '+';
            text += kind.ruleset;
            const Count some = 1 + below(left);
            for (Count i = 0; i < some; ++i) text += (i == 0 ? ':' : ',') + heap(kind, largest);
            left -= some;
        }
        return below(2) == 0 ? text : text + " misere";
    }

  private:
    // A ruleset and the form of its heaps.
    struct Kind {
        std::string ruleset;
        enum { Number, Pair, Cookies, Vertex } form = Number;
    };

    Count below(Count count) { return uniform_below(random_, count); }
    std::string number(Count low, Count high) {
        return std::to_string(low + below(high - low + 1));
    }
    template <std::size_t size>
    std::string one_of(const char* const (&words)[size]) {
        return words[below(size)];
    }

    Kind draw_kind() {
        switch (below(9)) {
            case 0:
                return {take()};
            case 1:
                return {"octal{" + code("00001234567", {"", "0", "0", "4"}) + "}"};
            case 2:
                return {"hex{" + code("000000123456789ABCDEF", {"0", "4", "8", "C"}) + "}"};
            case 3:
                return {one_of({"nim", "kayles", "dawson-kayles", "dawson-chess", "treblecross",
                                "officers", "lasker", "grundy"})};
            case 4:
                return {"wythoff", Kind::Pair};
            case 5:
                return {"cookie", Kind::Cookies};
            case 6:
                return {graph(), Kind::Vertex};
            case 7:
                return {number_rules()};
            default:
                return {pair_rules(), Kind::Pair};
        }
    }

    std::string heap(const Kind& kind, Count largest) {
        if (kind.form == Kind::Vertex) return std::string(1, letter(below(kVertices)));
        if (kind.form == Kind::Number) return std::to_string(below(largest + 1));
        const Count entries = kind.form == Kind::Pair ? 2 : 1 + below(4);
        if (entries == 1) return std::to_string(below(largest + 1));
        std::string text = "(";
        for (Count i = 0; i < entries; ++i) {
            if (i > 0) text += ',';
            text += std::to_string(below(largest / 2 + 2));
        }
        return text + ')';
    }

    std::string take() {
        const Count kind = below(6);
        std::string text = kind < 2 ? "take{!" : "take{";
        for (Count i = 0, items = 1 + below(3); i < items; ++i) {
            if (i > 0) text += ',';
            const Count low = 1 + below(8);
            text += std::to_string(low);
            if (below(3) == 0) text += '-' + std::to_string(low + below(4));
        }
        if (kind == 2) text += ',' + number(3, 9) + '-';
        return text + '}';
    }

    std::string code(const std::string& digits, const std::array<const char*, 4>& first) {
        for (;;) {
            std::string text = std::string(first[below(4)]) + '.';
            for (Count i = 0, places = 1 + below(4); i < places; ++i) {
                text += digits[below(digits.size())];
            }
            if (text.find_first_not_of("0.") != text.npos) return text;
        }
    }

    static constexpr Count kVertices = 7;
    static char letter(Count vertex) { return static_cast<char>('a' + vertex); }

    // Seven vertices, up to three edges from each; every third graph has no cycles.
    std::string graph() {
        const bool acyclic = below(3) == 0;
        std::string text = "graph{";
        for (Count v = 0; v < kVertices; ++v) {
            if (v > 0) text += ';';
            text += letter(v);
            const Count low = acyclic ? v + 1 : 0;
            if (low == kVertices) continue;
            for (Count i = 0, edges = below(4); i < edges; ++i) {
                text += i == 0 ? "->" : ",";
                text += letter(low + below(kVertices - low));
            }
        }
        return text + '}';
    }

    // {a}: 1 to 4, {m}: 2 to 6; ends, loops, splits, and splits and loops.
    std::string number_rules() {
        return rules({"n->n-k:k>=1&k<={a}",
                      "n->n-{a}",
                      "n->n-k:k>=1&n%k=0&k<n",
                      "n->k:k<n&k%{m}={a}",
                      "n->k:k<n&(n+k)%{m}<{a}",
                      "n->n/{m}:n>0",
                      "n->x,n-x:0<x&x<n-x",
                      "n->x,n-x-{a}:x>=1",
                      "n->x,y,n-x-y-1:x<=y&y>0",
                      "n->n-k:k>=1&gcd(n,k)=1",
                      "n->x,x:2*x+{a}<=n",
                      "n->xor(n,k):xor(n,k)<n",
                      "n->n+1:n<{m}",
                      "n->(n*{a}+1)%{m}:n<9",
                      "n->(n+k)%{m}:n<{m}&(k=1|k={a})",
                      "n->xor(n,{a}):n<8",
                      "n->{m}-n",
                      "n->k:k<={m}&(n+k)%{m}={a}",
                      "n->n-1,{a}-n",
                      "n->[i=1..k](n-{a})/k:k<=n",
                      "n->[i={a}..k]i-1:k<n",
                      "n->(n+{a})%{m},n/2:n<{m}&n>2"},
                     {"stop:n={m}", "stop:n%{m}=1&n>3", "stop:k*k=n&k>1"});
    }

    std::string pair_rules() {
        return rules(
            {"(a,b)->(a-k,b):k>=1", "(a,b)->(a,b-k):k>=1", "(a,b)->(a-k,b-k):k>=1",
             "(a,b)->(a-{a},b)", "(a,b)->(a,b-{a})", "(a,b)->(a-1,b-1)", "(a,b)->(b,a-{a})",
             "(a,b)->(a-k,b):k>=1&a%k=0", "(a,b)->(a%b,b):a>=b",
             "(a,b)->(k,b),(a-k,b):k>=1&k<a-k", "(a,b)->(a-1,k):k<b",
             "(a,b)->[i=1..k](a-i,b/k)", "(a,b)->(b,a):a<b", "(a,b)->(a+1,b-1):a<{m}",
             "(a,b)->(a-1,b+1):b<{m}", "(a,b)->(b,(a+{a})%4):a<4", "(a,b)->(xor(a,1),b-1)"},
            {"stop:a+b<={a}", "stop:a=b&a>1", "stop:a*b=k+3"});
    }

    template <std::size_t moves, std::size_t stops>
    std::string rules(const char* const (&move)[moves], const char* const (&stop)[stops]) {
        std::string text = "rules{";
        for (Count i = 0, clauses = 1 + below(3); i < clauses; ++i) {
            if (i > 0) text += ';';
            text += filled(one_of(move));
        }
        if (below(4) == 0) text += ';' + filled(one_of(stop));
        return text + '}';
    }

    std::string filled(std::string clause) {
        for (std::size_t at = 0; (at = clause.find('{')) != clause.npos;) {
            clause.replace(at, 3, clause[at + 1] == 'a' ? number(1, 4) : number(2, 6));
        }
        return clause;
    }

    std::mt19937_64 random_;
    std::array<Kind, 3> kinds_;
};

}  // namespace engine::test
