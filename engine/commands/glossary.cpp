#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "engine/commands/command.hpp"

namespace engine {
namespace {

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

// A paragraph each: "NAME: OTHERS", lines of text, and "Try: nim-engine EXAMPLE".
std::vector<Term> read_terms() {
    constexpr std::string_view kTry = "Try: nim-engine ";
    std::vector<Term> terms;
    std::string_view rest = kGlossary;
    while (!rest.empty()) {
        const std::size_t head = rest.find('\n'), end = rest.find(kTry),
                          after = rest.find('\n', end);
        const std::size_t colon = rest.find(':'), example = end + kTry.size();
        terms.push_back({rest.substr(0, colon), rest.substr(colon + 1, head - colon - 1),
                         rest.substr(head + 1, end - head - 1),
                         rest.substr(example, after - example)});
        rest.remove_prefix(std::min(after + 2, rest.size()));
    }
    return terms;
}

}  // namespace

std::span<const Term> all_terms() {
    static const auto terms = read_terms();
    return terms;
}

const Term* find_term(std::string_view word) {
    const std::string wanted = plain(word);
    if (wanted.empty()) return nullptr;
    const auto means = [&](const Term& term) {
        if (plain(term.name) == wanted) return true;
        return fmt::format(" {} ", term.others).find(" " + wanted + " ") != std::string::npos;
    };
    const auto found = std::ranges::find_if(all_terms(), means);
    return found == all_terms().end() ? nullptr : &*found;
}

std::string text_of(const Term& term) {
    return fmt::format("{}\n{}\nTry: nim-engine {}\n", term.name, term.text, term.example);
}

std::string list_of_terms() {
    constexpr std::size_t kWidth = 76;
    std::string text, line = " ";
    for (const Term& term : all_terms()) {
        const std::string word =
            fmt::format(" {}{}", term.name, &term == &all_terms().back() ? "" : ",");
        if (line.size() + word.size() > kWidth) {
            text += line + "\n";
            line = " ";
        }
        line += word;
    }
    return text + line + "\n";
}

}  // namespace engine
