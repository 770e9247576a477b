// The table of rulesets for all tests of the solver. A new ruleset needs a row here: its text,
// and some of its heaps, small ones first; then every check of the solver covers it.
#pragma once

#include "engine/rules/game.hpp"

namespace engine::test {

struct KnownRuleset {
    std::string ruleset;
    std::vector<std::string> heaps;
};

inline std::vector<std::string> numbers(int last) {
    std::vector<std::string> heaps;
    for (int n = 0; n <= last; ++n) heaps.push_back(std::to_string(n));
    return heaps;
}

// All (a,b) up to (last,last), small sums first.
inline std::vector<std::string> pairs(int last) {
    std::vector<std::string> heaps;
    for (int sum = 0; sum <= 2 * last; ++sum) {
        for (int a = std::max(0, sum - last); a <= std::min(sum, last); ++a) {
            heaps.push_back('(' + std::to_string(a) + ',' + std::to_string(sum - a) + ')');
        }
    }
    return heaps;
}

// a, b, c, …
inline std::vector<std::string> vertices(int count) {
    std::vector<std::string> heaps;
    for (int i = 0; i < count; ++i) heaps.emplace_back(1, static_cast<char>('a' + i));
    return heaps;
}

inline const std::vector<KnownRuleset>& known_rulesets() {
    static const std::vector<KnownRuleset> table = [] {
        std::vector<KnownRuleset> rows;
        const auto add = [&](std::vector<std::string> heaps,
                             std::initializer_list<const char*> rulesets) {
            for (const char* ruleset : rulesets) rows.push_back({ruleset, heaps});
        };
        add(numbers(24),
            {"nim",         "take{1-2}",   "take{1,3,4}",   "take{2,4,7}",    "take{1,9,10}",
             "take{2,3}",   "take{3}",     "take{3-5}",     "take{1,4}",      "take{2,5,6}",
             "take{2,5-6}", "take{4,6}",   "take{!2}",      "take{!1}",       "take{!1,4}",
             "take{!2,3}",  "take{3-}",    "take{1,4-}",    "take{!2,3,5,7}", "take{!1,4,6}",
             "take{2,7-}",  "take{1-3,7}", "take{2-3,7-9}", "take{!1-2,5}",   "take{6,9}",
             "take{1,3,5}", "take{5,7-9}"});
        add(numbers(14),
            {"octal{0.123}",  "octal{0.3102}", "octal{0.31}",    "octal{0.5317}", "octal{0.75}",
             "octal{4.0}",    "octal{4.0042}", "octal{4.57}",    "octal{4.7}",    "hex{0.1C9}",
             "hex{0.3F}",     "hex{0.8}",      "hex{8.2}",       "hex{8.F}",      "hex{C.1}",
             "octal{0.[37]}", "octal{4.[3]}",  "octal{0.5[04]}", "hex{0.3[8]}",   "kayles",
             "dawson-kayles", "dawson-chess",  "treblecross",    "officers",      "lasker",
             "grundy"});
        add(pairs(7), {"wythoff"});
        std::vector<std::string> cookies = pairs(5);
        cookies.insert(cookies.begin() + 3,
                       {"1", "2", "(1,1,1)", "(2,1,3)", "(0,1,2)", "(3,2,1)", "(2,2,3)"});
        add(cookies, {"cookie"});
        add({"(1,1)", "(2,1)", "(3,0)", "(2,2,1)", "(3,2)", "(1,4,0)", "(4,1)", "(0,5,2)",
             "(2,3,0)", "(1,2,2,1)", "(5,3,1)", "(7,2)"},
            {"pass{0.77}", "pass{0.137}", "pass{4.006}"});
        std::vector<std::string> tuples = pairs(4);
        tuples.insert(tuples.begin() + 6,
                      {"3", "(1,1,1)", "(2,1,1)", "(1,2,3)", "(1,1,1,1)", "(2,0,2,1)"});
        add(tuples, {"moore{2}", "moore{1}", "moore{3}"});
        add({"1", "(0,1)", "2", "(0,2)", "(1,0)", "(1,2)", "(0,1,3)", "(2,0)", "(1,3)", "3",
             "(0,3)", "(3,2)", "(1,2,3)", "(0,4,2)", "(4,1)", "(5,1,3)", "(2,4,5)", "6"},
            {"welter"});
        add({"1", "(1,0)", "2", "(1,1)", "(2,1)", "3", "(2,2)", "(1,1,1)", "(2,1,1)", "(3,1,0)",
             "(3,2)", "(3,3)", "(2,2,1)", "(3,1,1)", "(2,2,2)", "(3,2,1)", "(3,3,3)", "0"},
            {"chomp"});
        add({"oo", "ooo", "o_o_o_o", "xo_oo", "oo_oo", "ooo_oxo", "ooox_oxoo", "ooo_ooo", "oxo",
             "ooooooo", "oo_oo_oo_ox", "oxo_ooo_oxo", "oooo_oooo"},
            {"cram"});
        add({"xxo_xxo_oox", "xxo_oox_xxo", "xxx_ooo_ooo", "xox_oxo_oxo", "oxx_xoo_xxo",
             "xoo_oxx_oxo", "xoo_oxo_oox", "xxo_oxo_oox", "oxo_xoo_oox", "xoo_oox_oxo",
             "xoo_oxo_ooo", "oxo_ooo_oox"},
            {"notakto"});
        add(numbers(31),
            {"node-kayles{a->b;b->c;c->d;d->a,e}", "node-kayles{a->b,c,d,e}",
             "arc-kayles{a->b;b->c;c->d;d->a,e}", "arc-kayles{a->b;b->c;c->d;d->e}"});
        add({"1", "2", "3", "6", "9", "11", "14", "15", "27", "31", "59", "63"},
            {"hackenbush{ground->a,b;b->b;a->b,c;c->d}"});
        add({"1", "2", "3", "6", "7", "14", "15", "17", "31", "33", "49", "63"},
            {"hackenbush{a->ground;ground->b;c->b,c;b->a;a->d}"});
        add(vertices(7), {"graph{a->b,c;b->c,d;c->d;e->a,b;f->e,c;d->g}",
                          "graph{a->b;b->a,c;c->d;d->c,e,f;f->g;g->f}",
                          "graph{a->a,b;b->c;c->b,d;d->a,e;e;f->f;g->a,e}"});
        add(numbers(14),
            {"rules{n->n-k:k>=1&n%k=0&k<n}", "rules{n->x,n-x:0<x&x<n-x}",
             "rules{n->x,n-x:0<x&x<n-x;stop:n%4=3}", "rules{n->n/2:n>1;n->n-1}",
             "rules{n->x,n-x-1:0<=x&x<=n-1;n->n-3}",
             // Loops: up and down between the ends, some steps up, along a cycle, with splits.
             "rules{n->n+1:n%4!=0&n!=3;n->n-1}", "rules{n->n-1;n->n+2:n%3=1&n<6}",
             "rules{n->(n*3+1)%8:n>0;n->n-2:n>4}", "rules{n->(n*2)%7,n-1:n>0}"});
        add(pairs(7), {"rules{(a,b)->(a-k,b):k>=1&a%k=0;(a,b)->(b,a-1)}",
                       "rules{(a,b)->(a-1,b+1):a>0;(a,b)->(a,b-k):k>=1&k<=2}",
                       "rules{(a,b)->(a-1,0),(0,b):a>0;(a,b)->(a,b-2)}",
                       "rules{(a,b)->(b,a):a<b;(a,b)->(a-1,b);(a,b)->(a,b-2)}"});
        add({"(0,0,1)", "(1,1,1)", "(2,1,1)", "(1,2,1)", "(2,2,0)", "(3,2,2)", "(4,3,1)"},
            {"rules{(a,b,c)->(a-k,b,c):k>=1&a%k=0;(a,b,c)->(a,b-1,c-1);stop:a+b+c<=1}"});
        return rows;
    }();
    return table;
}

// As in error texts: each built-in name once, in the order of the table; before them what may
// be meant, "; did you mean 'nim'?".
inline std::string a_known_ruleset(const std::string& meant = "") {
    std::vector<std::string> names;
    for (const KnownRuleset& row : known_rulesets()) {
        const std::string name = row.ruleset.substr(0, row.ruleset.find('{'));
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return "a known ruleset" + (meant.empty() ? ": " : meant + " Known are ") + text +
           ", or a game that nim-engine rulesets lists";
}

// A random sum of 1 to `most_heaps` heaps; the more heaps, the smaller they are. Half of the
// sums are misere.
inline std::string draw_known_sum(std::mt19937_64& random, Count most_heaps = 3) {
    const Count heaps = 1 + uniform_below(random, most_heaps);
    const Count largest = heaps == 1 ? 40 : heaps == 2 ? 10 : 6;
    std::string text;
    const KnownRuleset* last = nullptr;
    for (Count i = 0; i < heaps; ++i) {
        const bool is_same = last != nullptr && uniform_below(random, 3) == 0;
        if (!is_same) last = &known_rulesets()[uniform_below(random, known_rulesets().size())];
        const auto& choice = last->heaps;
        text += is_same ? "," : (i > 0 ? "+" : "") + last->ruleset + ':';
        text += choice[uniform_below(random, std::min<Count>(largest, choice.size()))];
    }
    return uniform_below(random, 2) == 0 ? text : text + " misere";
}

}  // namespace engine::test
