// Pictures of values, which the engine draws, with a CSV of what they show.
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <boost/json.hpp>

#include "arena/report/exports.hpp"
#include "arena/web/questions.hpp"
#include "engine/sums/value_picture.hpp"

namespace arena::web {
namespace {

namespace json = boost::json;
using engine::ValueKind;

constexpr std::uint64_t kMostWrap = 1000;
constexpr std::array kValueKinds{
    std::pair{"nimbers", ValueKind::Nimbers}, std::pair{"outcomes", ValueKind::Outcomes},
    std::pair{"misere", ValueKind::Misere}, std::pair{"genera", ValueKind::Genera}};

std::string csv_of(const engine::ValuePicture& picture) {
    std::string csv = csv_line(std::array<std::string, 3>{"heap", "value", "winning_moves"});
    for (const engine::PicturedHeap& told : picture.heaps) {
        if (!told.value.empty()) {
            csv += csv_line(std::array{to_string(told.heap), told.value, told.moves_text()});
        }
    }
    return csv;
}

}  // namespace

Answered ask_explore(const Asked& asked) {
    const auto text = text_of(asked.request, "ruleset");
    if (!text) return {refused("ruleset", "expected a ruleset, such as \"kayles\"")};
    const std::string value = text_of(asked.request, "value").value_or("nimbers");
    const auto* kind = std::ranges::find(
        kValueKinds, value, [](const auto& row) { return std::string_view(row.first); });
    if (kind == kValueKinds.end()) {
        return {
            refused("value", "expected \"nimbers\", \"outcomes\", \"misere\" or \"genera\"")};
    }
    const std::string drawn = text_of(asked.request, "picture").value_or("strip");
    if (drawn != "strip" && drawn != "plot") {
        return {refused("picture", "expected \"strip\" or \"plot\"")};
    }
    const auto wrap = number_of(asked.request, "wrap", 0, kMostWrap);
    if (!wrap) return {refused("wrap", "expected a number 0..1000")};

    engine::NamedRuleset ruleset{asked.options.names.expand(protocol::RulesetText{*text}), {}};
    const auto rules = engine::find_ruleset(ruleset.text);
    if (!rules) return {ApiError{400, rules.error(), "ruleset"}};
    ruleset.rules = *rules;
    const std::string range =
        text_of(asked.request, "range").value_or(engine::usual_range(**rules));
    const auto picture = engine::draw_values(
        ruleset, range.empty() ? std::nullopt : std::optional<std::string_view>(range),
        {kind->second, drawn == "plot", *wrap, *text}, asked.budget);
    if (!picture) return {ApiError{400, picture.error(), "range"}};
    return {json::object{{"title", picture->title},
                         {"range", range},
                         {"period", picture->period},
                         {"columns", picture->columns},
                         {"svg", picture->svg},
                         {"csv", csv_of(*picture)}},
            picture->is_complete()};
}

}  // namespace arena::web
