// The games of literature.txt, which is part of the programs: names for rulesets, and what is
// published of them.
#pragma once

#include <string_view>
#include <vector>

#include "engine/rules/catalogue.hpp"

namespace engine {

// A game that has a name. What literature.txt does not say is empty.
struct LiteratureGame {
    RulesetGuide guide;       // the example is the ruleset that the name stands for
    std::string_view wins;    // "1=3 2=0": all moves that win at the heaps of the guide
    std::string_view values;  // "0 1 (3,4)=2": published nimbers of heaps 0, 1 and (3,4)
    std::string_view lost;    // "0 7": all heaps up to the last that are lost; or some tuples

    // False for a built-in ruleset, and for another spelling of its name.
    bool has_name_of_its_own() const;
};

// literature.txt itself, a catalogue file: what its comments say of a game follows it. And
// rulesets.txt, which has that form.
extern const std::string_view kLiterature, kBuiltIn;

// All of them, in the order of the file.
const std::vector<LiteratureGame>& literature();

// The guide of the game with this name that is not a built-in's; nullptr if there is none.
const RulesetGuide* find_literature(std::string_view name);

// The first one that stands for these parameters; nullptr if none does, or there are none.
const RulesetGuide* find_literature(const RulesetText& ruleset);

}  // namespace engine
