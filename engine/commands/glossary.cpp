#include "engine/commands/glossary.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

namespace engine {
namespace {

constexpr std::array kTerms{
    Term{"option", "options follower followers",
         "A position that one move leads to. Of the nim heap 2 the options are 0 and 1.\n",
         "eval nim:2"},
    Term{"mex", "",
         "The least number 0, 1, 2, … that is not in a set: mex {0,1,3} = 2, mex {} = 0.\n"
         "The nimber of a heap is the mex of the nimbers of its options.\n",
         "eval kayles:5"},
    Term{"nimber", "nimbers grundy-value g",
         "The size of the nim heap that a game is worth under normal play (Sprague 1935, "
         "Grundy\n"
         "1939): the mex of the nimbers of its options. It is 0 if and only if the previous\n"
         "player wins. The nimber of a sum is the XOR of those of its parts.\n",
         "explain kayles:5"},
    Term{"XOR", "nim-sum nim-addition",
         "Addition in binary without carrying: a digit is 1 where an odd number of the terms "
         "has\n"
         "a 1. 3 XOR 5 = 011 XOR 101 = 110 = 6. The player to move wins a sum under normal "
         "play\n"
         "if the XOR of its nimbers is not 0 (Bouton 1901), by a move that makes it 0.\n",
         "explain nim:3,5"},
    Term{"sum", "component components",
         "Games side by side, '+' between them: a move is a move in one of them.\n",
         "explain kayles:5+nim:3"},
    Term{
        "outcome", "",
        "Who wins with perfect play: N the next player, who is to move, P the previous one, D\n"
        "neither (a draw: each can go on for ever).\n",
        "eval nim:3,4,5"},
    Term{
        "N-position", "n",
        "The next player, who is to move, wins: some move leads to a P-position. Under normal\n"
        "play its nimber is not 0.\n",
        "eval nim:3,4,5"},
    Term{"P-position", "p",
         "The previous player, who has just moved, wins: every move leads to an N-position.\n"
         "Under normal play its nimber is 0.\n",
         "eval nim:1,2,3"},
    Term{"draw", "d",
         "Neither player can force an end, so play goes on for ever. Only games that can come\n"
         "back to an earlier position have draws.\n",
         "eval 'graph{a->b;b->c;c->d;d->a,e;e->f}:a'"},
    Term{"normal", "normal-play", "The convention that the player who cannot move loses.\n",
         "eval nim:1"},
    Term{
        "misere", "misere-play",
        "The convention that the player who cannot move wins: who makes the last move loses.\n",
        "eval 'nim:1,1,1 misere'"},
    Term{
        "periodic", "period purely-periodic purely",
        "G(n+P) = G(n) for all heaps n >= L: the nimbers repeat with period P from heap L on.\n"
        "Purely: from heap 0 on, L = 0.\n",
        "period 'take{1,3,4}'"},
    Term{"preperiod", "exception exceptions",
         "The heaps before those for which a law of the nimbers holds. Those where it fails "
         "are\n"
         "the exceptions.\n",
         "period kayles"},
    Term{"saltus", "arithmetic arithmetic-periodic",
         "The S in G(n+P) = G(n) + S: by how much the nimbers rise from period to period. A\n"
         "sequence with such a law is arithmetic periodic.\n",
         "period 'take{!2,3}'"},
    Term{"sapp", "sapp-regular",
         "Split arithmetic periodic and periodic: G(n+P) is G(n) + S for some residues of n\n"
         "modulo P, and G(n) for the others.\n",
         "period --sequence '0 1 2 3 2 5 2 7 2 9'"},
    Term{
        "genus", "genera",
        "A symbol such as 4^{146}: 4 is the nimber; the number at place k in the braces is "
        "the\n"
        "size of the nim heap with which the game and k nim heaps of 2 are a P-position under\n"
        "misere play. The last two numbers repeat for ever (Conway).\n",
        "genus kayles 0-20"},
    Term{
        "tame", "wild",
        "A game that behaves under misere play as a sum of nim heaps does, and so do all that\n"
        "it leads to; else it is wild. Sums of tame games are played as misere nim: as under\n"
        "normal play while one of them is firm, else to an XOR of 1.\n",
        "genus kayles 0-20"},
    Term{"firm", "",
         "A tame game that behaves under misere play as a nim heap of 2 or more, or as a sum\n"
         "with such a heap: the winner plays as under normal play.\n",
         "eval 'nim:2,2 misere'"},
    Term{"fickle", "",
         "A tame game that behaves under misere play as a nim heap of 0 or 1 does: 0 and 1\n"
         "change places, so that of fickle games alone the winning moves make the XOR 1.\n",
         "eval 'nim:1,1,1 misere'"},
    Term{"misere quotient", "quotient pretending-function phi",
         "The commutative monoid in which two sums of heaps are equal if each can replace the\n"
         "other in every sum under misere play (Plambeck and Siegel 2008). The pretending\n"
         "function maps each heap to its element; a sum is won or lost as the product is.\n",
         "quotient kayles 8"},
    Term{"remoteness", "",
         "The number of moves to the end if the winner hurries and the loser delays. It is "
         "even\n"
         "for a P-position and odd for an N-position under normal play.\n",
         "eval 'graph{a->b,c;b->a,d;d->c}:a misere'"},
    Term{
        "loopy", "loop inf",
        "A game that can come back to an earlier position. inf{K} stands in place of a nimber\n"
        "where play can go on for ever; K are the nimbers of its options (Smith 1966).\n",
        "explain 'graph{a->b;b->c;c->d;d->a,e;e->f}:d'"},
    Term{
        "ordinal", "ordinals w transfinite",
        "A number beyond all finite ones: w is the first, then come w+1, w*2, w^2. A nim heap\n"
        "of w may be replaced by any finite heap. Each power of w is XORed for itself.\n",
        "eval 'nim:(w+1),3'"},
    Term{
        "cold", "hot",
        "In texts on Wythoff's game a cold position is a P-position, a hot one an N-position.\n"
        "Elsewhere a cold game is one in which moving costs the player who moves, a hot one\n"
        "where it gains; nimbers are neither.\n",
        "values wythoff 8x8 --outcomes"},
};

// "Misère quotient" as "misere-quotient".
std::string plain(std::string_view word) {
    constexpr std::string_view kAccent = "è";
    std::string text(word);
    if (const auto at = text.find(kAccent); at != text.npos)
        text.replace(at, kAccent.size(), "e");
    std::ranges::replace(text, ' ', '-');
    std::ranges::transform(text, text.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

}  // namespace

std::span<const Term> all_terms() { return kTerms; }

const Term* find_term(std::string_view word) {
    const std::string wanted = plain(word);
    if (wanted.empty()) return nullptr;
    const auto means = [&](const Term& term) {
        if (plain(term.name) == wanted) return true;
        return fmt::format(" {} ", term.others).find(" " + wanted + " ") != std::string::npos;
    };
    const auto found = std::ranges::find_if(kTerms, means);
    return found == kTerms.end() ? nullptr : &*found;
}

std::string text_of(const Term& term) {
    return fmt::format("{}\n{}\nTry: nim-engine {}\n", term.name, term.text, term.example);
}

std::string list_of_terms() {
    constexpr std::size_t kWidth = 76;
    std::string text, line = " ";
    for (const Term& term : kTerms) {
        const std::string word =
            fmt::format(" {}{}", term.name, &term == &kTerms.back() ? "" : ",");
        if (line.size() + word.size() > kWidth) {
            text += line + "\n";
            line = " ";
        }
        line += word;
    }
    return text + line + "\n";
}

}  // namespace engine
