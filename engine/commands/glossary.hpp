// The terms that the commands print, explained: `nim-engine help TERM`.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace engine {

struct Term {
    std::string_view name;
    std::string_view others = "";  // further words for it, a blank between any two
    std::string_view text;         // lines that end in '\n'
    std::string_view example;      // the words after nim-engine
};

// glossary.txt itself.
extern const std::string_view kGlossary;

std::span<const Term> all_terms();

// The term of this name, in any case and with an accent or without; null if there is none.
const Term* find_term(std::string_view word);

// Its text and its example.
std::string text_of(const Term& term);

// The names of all of them, with commas, in lines that are indented by two.
std::string list_of_terms();

}  // namespace engine
