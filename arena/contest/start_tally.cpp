#include "arena/contest/start_tally.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "arena/base/text_table.hpp"
#include "protocol/position.hpp"

namespace arena {
namespace {

constexpr std::size_t kMostColumns = 8;
constexpr std::size_t kMostPlayers = 200;
constexpr std::size_t kWidestHeads = 72;  // all together; wider ones become letters

std::string score_text(const Start& start, int player) {
    const auto score = start.scores.find(player);
    if (score == start.scores.end()) return "-";
    return fmt::format("{}/{}", static_cast<double>(score->second.halves) / 2,
                       score->second.games);
}

std::string table(const char* what, const std::vector<Start>& starts,
                  const std::vector<int>& order, const std::vector<std::string>& names) {
    std::size_t width = 0;
    for (const Start& start : starts) width += display_width(start.text) + 1;
    const bool has_letters = width > kWidestHeads;
    std::string text = fmt::format("points by {}, and of how many games:\n", what);
    std::vector<std::vector<std::string>> rows{{"player"}};
    for (std::size_t i = 0; i < starts.size(); ++i) {
        const std::string letter(1, static_cast<char>('A' + i));
        rows.front().push_back(has_letters ? letter : starts[i].text);
        if (has_letters) text += fmt::format("  {}: {}\n", letter, starts[i].text);
    }
    for (std::size_t i = 0; i < std::min(order.size(), kMostPlayers); ++i) {
        auto& cells = rows.emplace_back(
            std::vector<std::string>{names[static_cast<std::size_t>(order[i])]});
        for (const Start& start : starts) cells.push_back(score_text(start, order[i]));
    }
    text += aligned(rows, {0});
    if (order.size() > kMostPlayers)
        text += fmt::format("and {} more\n", order.size() - kMostPlayers);
    return text;
}

// "nim+kayles misere".
std::string ruleset_of(const protocol::Position& position) {
    std::vector<std::string> rulesets;
    for (const protocol::Component& component : position.components) {
        const std::string& ruleset = component.ruleset.text;
        if (std::ranges::find(rulesets, ruleset) == rulesets.end()) rulesets.push_back(ruleset);
    }
    const bool misere = position.convention == protocol::Convention::Misere;
    return fmt::format("{}{}", fmt::join(rulesets, "+"), misere ? " misere" : "");
}

bool fits(const std::vector<Start>& starts) {
    return starts.size() > 1 && starts.size() <= kMostColumns;
}

}  // namespace

std::size_t StartTally::Group::place_of(const std::string& text, const std::string& ruleset) {
    if (most == 0) return kNone;
    const auto [known, is_new] = places.try_emplace(text, starts.size());
    if (!is_new) return known->second;
    if (starts.size() == most) {
        most = 0;
        starts.clear();
        places.clear();
        return kNone;
    }
    starts.push_back({text, ruleset, {}});
    return starts.size() - 1;
}

void StartTally::Group::add(std::size_t place, const GameResult& result) {
    if (place >= starts.size()) return;
    for (int seat = 0; seat < 2; ++seat) {
        const int player = result.players[static_cast<std::size_t>(seat)];
        Start::Score& score = starts[place].scores[player];
        ++score.games;
        score.wins += result.winner == seat ? 1 : 0;
        score.halves += static_cast<unsigned>(result.halves(seat));
    }
}

void StartTally::add(const RoundPlan& plan) {
    if (positions_.most == 0 && rulesets_.most == 0) return;
    for (const PlannedPair& pair : plan.pairs) {
        const std::string ruleset = ruleset_of(*pair.position);
        pairs_[pair.key] = {positions_.place_of(pair.position.text(), ruleset),
                            rulesets_.place_of(ruleset, ruleset), 0};
    }
}

void StartTally::add(const GameResult& result) {
    const auto found = pairs_.find(result.key.pair);
    if (found == pairs_.end()) return;
    if (result.reason != Reason::Void) {
        positions_.add(found->second.position, result);
        rulesets_.add(found->second.ruleset, result);
    }
    if (++found->second.games == 2) pairs_.erase(found);
}

std::string starts_text(const StartTally& tally, const std::vector<int>& order,
                        const std::vector<std::string>& names, bool by_position) {
    std::string text;
    const bool has_more = tally.positions().size() > tally.rulesets().size();
    const bool shows_positions =
        by_position && fits(tally.positions()) && (has_more || !fits(tally.rulesets()));
    if (fits(tally.rulesets())) text += table("ruleset", tally.rulesets(), order, names);
    if (shows_positions) text += table("position", tally.positions(), order, names);
    const bool has_many =
        tally.has_too_many_positions() || tally.positions().size() > kMostColumns;
    if (by_position && has_many) {
        text += "points by position: nim-arena export FILE.db --format starts\n";
    }
    if (!text.empty()) text.pop_back();
    return text;
}

}  // namespace arena
