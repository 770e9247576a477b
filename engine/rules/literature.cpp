#include "engine/rules/literature.hpp"

#include <algorithm>
#include <array>
#include <ranges>

namespace engine {
namespace {

// "# KEY: text" tells of the game above it.
void add_fact(LiteratureGame& game, std::string_view key, std::string_view text) {
    constexpr std::array kFacts{
        std::pair{"title", &RulesetGuide::title}, std::pair{"rules", &RulesetGuide::rules},
        std::pair{"source", &RulesetGuide::source}, std::pair{"heaps", &RulesetGuide::heaps},
        std::pair{"drawing", &RulesetGuide::drawing}};
    for (const auto& [name, fact] : kFacts) {
        if (key == name) game.guide.*fact = text;
    }
    if (key == "wins") game.wins = text;
    if (key == "values") game.values = text;
    if (key == "lost") game.lost = text;
    if (key != "form") return;
    game.guide.form = text == "board"    ? HeapForm::Board
                      : text == "vertex" ? HeapForm::Vertex
                                         : HeapForm::AnyLength;
}

std::vector<LiteratureGame> read_games(std::string_view file) {
    constexpr std::string_view kComment = "# ";
    constexpr std::string_view kIs = " = ";
    std::vector<LiteratureGame> games;
    for (const auto part : std::views::split(file, '\n')) {
        std::string_view line(part.begin(), part.end());
        if (!line.starts_with(kComment)) {
            const std::size_t is = line.find(kIs);
            if (is == line.npos) continue;
            games.emplace_back();
            games.back().guide.name = line.substr(0, is);
            games.back().guide.example = line.substr(is + kIs.size());
            continue;
        }
        line.remove_prefix(kComment.size());
        const std::size_t colon = std::min(line.find(": "), line.size());
        const std::string_view key = line.substr(0, colon);
        const std::string_view text = line.substr(std::min(colon + 2, line.size()));
        if (key == "built-in") {
            games.emplace_back();
            games.back().guide = *find_guide(text);
        } else if (!games.empty()) {
            add_fact(games.back(), key, text);
        }
    }
    return games;
}

}  // namespace

bool LiteratureGame::has_name_of_its_own() const {
    const RulesetGuide* const same = find_guide(guide.example);
    return same == nullptr || same->title != guide.title;
}

const std::vector<LiteratureGame>& literature() {
    static const auto games = read_games(kLiterature);
    return games;
}

const std::vector<RulesetGuide>& ruleset_guides() {
    static const auto guides = [] {
        std::vector<RulesetGuide> all;
        for (const LiteratureGame& game : read_games(kBuiltIn)) all.push_back(game.guide);
        return all;
    }();
    return guides;
}

const RulesetGuide* find_literature(std::string_view name) {
    for (const LiteratureGame& game : literature()) {
        if (game.guide.name == name && name != game.guide.example) return &game.guide;
    }
    return nullptr;
}

const RulesetGuide* find_literature(const RulesetText& ruleset) {
    if (!ruleset.text.ends_with('}')) return nullptr;
    const auto found = std::ranges::find(literature(), ruleset.text,
                                         [](const auto& game) { return game.guide.example; });
    return found == literature().end() ? nullptr : &found->guide;
}

}  // namespace engine
