#include "arena/record/visits.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "arena/contest/format.hpp"
#include "arena/record/store_rules.hpp"
#include "protocol/heap.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

constexpr std::string_view kVersion = "1";

std::string_view next_line(std::string_view& rest) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    return line;
}

}  // namespace

// Four lines, then the check: "1 PLAYER MILLISECONDS RIGHT ASKED PASSED", the position, what
// the bot said, and what is right. PASSED is 1 or 0, or missing.
RoundPlan plan_of(const Visit& visit, int number) {
    using Milli = std::chrono::milliseconds;
    RoundPlan plan;
    plan.stage = kVisitStage;
    plan.round = number;
    plan.note =
        fmt::format("{} {} {} {} {}{}\n{}\n{}\n{}\n{}", kVersion, visit.player,
                    std::chrono::duration_cast<Milli>(visit.began.time_since_epoch()).count(),
                    visit.right, visit.asked,
                    !visit.passed   ? ""
                    : *visit.passed ? " 1"
                                    : " 0",
                    visit.position, visit.said, visit.better, visit.check);
    return plan;
}

std::optional<Visit> visit_of(const RoundPlan& plan) {
    if (plan.stage != kVisitStage) return std::nullopt;
    std::string_view rest = plan.note;
    const auto words = protocol::split_words(next_line(rest));
    if (words.size() < 5 || words.size() > 6 || words[0] != kVersion) return std::nullopt;
    std::array<std::uint64_t, 5> numbers{};
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        const auto number = protocol::parse_number(words[i + 1]);
        if (!number || *number > std::uint64_t{1} << 53) return std::nullopt;
        numbers[i] = *number;
    }
    constexpr std::uint64_t kLatest = kLatestMicroseconds / 1000;
    if (numbers[0] > std::uint64_t{kMaxPlayers} || numbers[1] > kLatest || numbers[4] > 1)
        return std::nullopt;
    Visit visit;
    visit.player = static_cast<int>(numbers[0]);
    visit.began = std::chrono::system_clock::time_point(
        std::chrono::milliseconds(static_cast<std::int64_t>(numbers[1])));
    visit.right = numbers[2];
    visit.asked = numbers[3];
    if (words.size() == 6) visit.passed = numbers[4] == 1;
    visit.position = next_line(rest);
    visit.said = next_line(rest);
    visit.better = next_line(rest);
    visit.check = rest;
    return visit;
}

}  // namespace arena
