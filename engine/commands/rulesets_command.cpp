#include <algorithm>
#include <ostream>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "engine/commands/command.hpp"
#include "engine/rules/literature.hpp"
#include "engine/rules/rule_words.hpp"
#include "protocol/text.hpp"

namespace engine {
namespace {

namespace json = boost::json;

constexpr std::size_t kShownMoves = 12;
constexpr std::size_t kJsonMoves = 10000;

std::string example_of(const RulesetGuide& guide) {
    return fmt::format("{}:{}", guide.example, guide.heaps);
}

std::string paragraph(const RulesetGuide& guide) {
    return fmt::format("{}\n  {}. {}\n  example: {}\n  source: {}\n", guide.name, guide.title,
                       guide.rules, example_of(guide), guide.source);
}

// What the parameters in `ruleset` mean; nothing if it has none.
std::string own_rules(const RulesetText& ruleset) {
    if (!ruleset.text.ends_with('}')) return {};
    const std::string words = rule_words(ruleset);
    if (words.empty()) return {};
    return fmt::format("  {}: {}\n", protocol::printable(ruleset.text, 100), words);
}

json::object json_of(const RulesetGuide& guide) {
    return {{"name", guide.name},
            {"title", guide.title},
            {"rules", guide.rules},
            {"example", example_of(guide)},
            {"source", guide.source}};
}

std::string list_for_people(const RulesetNames& names) {
    std::string text;
    for (const RulesetGuide& guide : ruleset_guides()) text += paragraph(guide) + "\n";
    text += "Games of the literature, names for some of these rulesets:\n";
    for (const LiteratureGame& game : literature()) {
        if (!game.has_name_of_its_own()) continue;
        text += fmt::format("  {:<26}{}\n", game.guide.name, game.guide.title);
    }
    text += "\n";
    for (const auto& [name, ruleset] : names.all()) {
        text += fmt::format("{}\n  {}\n\n", name, protocol::printable(ruleset, 1000));
    }
    return text +
           "A position is a sum of heaps, RULESET:HEAPS joined by '+', with ' misere' behind "
           "it\n"
           "for misere play: 'kayles:5,7+nim:3 misere'. 3,4,5 alone is nim, whose heaps may "
           "be\n"
           "ordinals: 'nim:(w^2+1),(w)'.\n\n"
           "One of them, with the moves of its example: nim-engine rulesets NAME\n";
}

std::string list_for_programs(const RulesetNames& names) {
    json::array rulesets;
    for (const RulesetGuide& guide : ruleset_guides()) rulesets.push_back(json_of(guide));
    json::array games;
    for (const LiteratureGame& game : literature()) {
        if (game.has_name_of_its_own()) games.push_back(json_of(game.guide));
    }
    json::object defined;
    for (const auto& [name, ruleset] : names.all()) defined[name] = ruleset;
    return json::serialize(json::object{
               {"rulesets", rulesets}, {"literature", games}, {"names", defined}}) +
           "\n";
}

std::string one_for_people(const RulesetGuide& guide, const RulesetText& ruleset,
                           const Game& example) {
    std::string text = paragraph(guide) + own_rules(ruleset) +
                       fmt::format("  moves of the example ({}):", example.move_count());
    for (const Move& move : example.moves(kShownMoves)) text += " " + to_string(move);
    if (example.move_count() > kShownMoves) text += " …";
    return text +
           fmt::format("\n\nWho wins, and why: nim-engine eval '{}'\n", example_of(guide));
}

std::string one_for_programs(const RulesetGuide& guide, const Game& example) {
    json::object object = json_of(guide);
    json::array moves;
    for (const Move& move : example.moves(kJsonMoves))
        moves.push_back(json::string(to_string(move)));
    object["moves"] = std::move(moves);
    return json::serialize(object) + "\n";
}

Result<void> run_rulesets(const CommandWords& words, std::ostream& out, std::ostream&) {
    const bool is_json = words.has("--json");
    if (words.plain().empty()) {
        out << (is_json ? list_for_programs(words.names()) : list_for_people(words.names()));
        return {};
    }
    // "take" and "take{1,2}" name the same row.
    const std::string& word = words.plain().front();
    const RulesetText ruleset = words.names().expand({word});
    const RulesetGuide* guide = find_guide(ruleset.name());
    const RulesetGuide* const game = find_literature(word);
    if (game != nullptr && game->example == ruleset.text) guide = game;
    if (guide == nullptr) return marked(find_ruleset(ruleset).error(), word);
    if (const auto found = find_ruleset(ruleset); !found && word.ends_with('}'))
        return marked(found.error(), word);
    const auto example = read_game(example_of(*guide));
    if (!example) return marked(example.error(), example_of(*guide));
    out << (is_json ? one_for_programs(*guide, *example)
                    : one_for_people(*guide, ruleset, *example));
    return {};
}

constexpr Option kRulesetsOptions[]{
    {"NAME", "", "", "one of them, with the moves of its example"}, kJson};

}  // namespace

const Command kRulesets{"rulesets",
                        "the rulesets: rules, an example, the source",
                        "[NAME]",
                        "the name of a ruleset",
                        1,
                        kRulesetsOptions,
                        "  nim-engine rulesets\n"
                        "  nim-engine rulesets dawson-chess\n",
                        run_rulesets};

}  // namespace engine
