#include "engine/rules/literature.hpp"

#include <algorithm>
#include <ranges>

namespace engine {

namespace {

// "# KEY: text" tells of the game above it.
std::string_view* find_fact(LiteratureGame& game, std::string_view key) {
    if (key == "title") return &game.guide.title;
    if (key == "rules") return &game.guide.rules;
    if (key == "source") return &game.guide.source;
    if (key == "heaps") return &game.guide.heaps;
    if (key == "wins") return &game.wins;
    if (key == "values") return &game.values;
    if (key == "lost") return &game.lost;
    return nullptr;
}

std::vector<LiteratureGame> read_literature() {
    constexpr std::string_view kComment = "# ";
    constexpr std::string_view kIs = " = ";
    std::vector<LiteratureGame> games;
    const auto guides = ruleset_guides();
    for (const auto part : std::views::split(kLiterature, '\n')) {
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
            games.back().guide = *std::ranges::find(guides, text, &RulesetGuide::name);
        } else if (!games.empty()) {
            if (std::string_view* const fact = find_fact(games.back(), key)) *fact = text;
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
    static const auto games = read_literature();
    return games;
}

const RulesetGuide* find_literature(std::string_view name) {
    for (const LiteratureGame& game : literature()) {
        if (game.guide.name == name && name != game.guide.example) return &game.guide;
    }
    return nullptr;
}

const RulesetGuide* find_literature(const protocol::RulesetText& ruleset) {
    if (!ruleset.text.ends_with('}')) return nullptr;
    const auto found = std::ranges::find(literature(), ruleset.text,
                                         [](const auto& game) { return game.guide.example; });
    return found == literature().end() ? nullptr : &found->guide;
}

}  // namespace engine
