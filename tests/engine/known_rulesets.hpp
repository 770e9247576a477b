// How errors list the rulesets that are built in.
#pragma once

#include <string>

namespace engine::test {

inline const std::string kKnownRulesets =
    "a known ruleset: nim, take, octal, hex, kayles, dawson-kayles, dawson-chess, treblecross, "
    "officers, lasker, grundy, wythoff, cookie, graph, rules";

}  // namespace engine::test
