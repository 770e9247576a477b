// Rules: cases are added up by their bit sets of traits, each trait and each pair of traits is
// tested on these sums, and the best candidate becomes a rule; the cases inside it are removed,
// and the search starts again. Habits: for each trait of moves, the number of mistakes that
// have it is compared with the sum of its chances. The thresholds are in patterns.hpp and
// below.
#include "arena/check/patterns.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "arena/base/counted.hpp"

namespace arena {
namespace {

constexpr std::size_t kMostRules = 3;
constexpr std::uint64_t kFewestWrong = 5;
constexpr double kSignificance = 0.001;
// Mistakes must be so much more frequent inside, or the pattern is of no use to a reader.
constexpr double kLeastRatio = 1.5;
// A second condition makes a rule harder to read: the rule must explain so much more.
constexpr double kWorthACondition = 1.25;

// The sums of all cases with the same traits.
using Cells = std::map<std::uint64_t, Share>;

Share& operator+=(Share& sum, const Share& part) {
    sum.cases += part.cases;
    sum.wrong += part.wrong;
    return sum;
}

Cells cells_of(std::span<const Case> cases) {
    Cells cells;
    for (const Case& each : cases) cells[each.traits] += {1, each.wrong ? std::uint64_t{1} : 0};
    return cells;
}

bool holds(std::uint64_t traits, const std::vector<Condition>& where) {
    return std::ranges::all_of(where, [&](const Condition& condition) {
        return (traits >> condition.trait & 1) == (condition.holds ? 1 : 0);
    });
}

Share sum_of(const Cells& cells, const std::vector<Condition>& where = {}) {
    Share sum;
    for (const auto& [traits, cell] : cells) {
        if (holds(traits, where)) sum += cell;
    }
    return sum;
}

Share operator-(const Share& whole, const Share& part) {
    return {whole.cases - part.cases, whole.wrong - part.wrong};
}

// The maximum log-likelihood of so many wrong cases.
double log_likelihood(const Share& share) {
    const auto term = [&](std::uint64_t part) {
        if (part == 0) return 0.0;
        const double count = static_cast<double>(part);
        return count * std::log(count / static_cast<double>(share.cases));
    };
    return term(share.wrong) + term(share.cases - share.wrong);
}

// Has a chi-squared distribution with one degree of freedom if the rates inside and outside are
// the same.
double g_statistic(const Share& inside, const Share& whole) {
    const double g =
        2 * (log_likelihood(inside) + log_likelihood(whole - inside) - log_likelihood(whole));
    return std::max(g, 0.0);
}

double chance_of(double g) { return std::erfc(std::sqrt(g / 2)); }

// ---- rules ----

struct Candidate {
    std::vector<Condition> where;
    Share inside;
    double g = 0;
};

// Keeps the better one that tells something; of equal ones the first.
void consider(std::optional<Candidate>& best, std::vector<Condition> where, const Share& inside,
              const Share& whole) {
    const Share outside = whole - inside;
    if (inside.wrong == 0 || outside.cases == 0) return;
    if (inside.rate() < kLeastRatio * outside.rate()) return;
    const double g = g_statistic(inside, whole);
    if (!best || g > best->g + 1e-9) best = Candidate{std::move(where), inside, g};
}

std::optional<Candidate> best_single(const Cells& cells, std::size_t traits,
                                     const Share& whole) {
    std::optional<Candidate> best;
    for (std::size_t trait = 0; trait < traits; ++trait) {
        const Share inside = sum_of(cells, {{trait, true}});
        consider(best, {{trait, true}}, inside, whole);
        consider(best, {{trait, false}}, whole - inside, whole);
    }
    return best;
}

// The four shares of a pair of traits, by the bits of both.
std::array<Share, 4> quarters(const Cells& cells, std::size_t one, std::size_t two) {
    std::array<Share, 4> shares;
    for (const auto& [bits, cell] : cells) {
        shares[(bits >> one & 1) * 2 + (bits >> two & 1)] += cell;
    }
    return shares;
}

std::optional<Candidate> best_pair(const Cells& cells, std::size_t traits, const Share& whole) {
    std::optional<Candidate> best;
    for (std::size_t one = 0; one < traits; ++one) {
        for (std::size_t two = one + 1; two < traits; ++two) {
            const auto shares = quarters(cells, one, two);
            for (std::size_t quarter = 0; quarter < 4; ++quarter) {
                consider(best, {{one, (quarter & 2) != 0}, {two, (quarter & 1) != 0}},
                         shares[quarter], whole);
            }
        }
    }
    return best;
}

std::optional<PatternRule> best_rule(const Cells& cells, std::size_t traits) {
    const Share whole = sum_of(cells);
    if (whole.wrong < kFewestWrong || traits == 0) return std::nullopt;
    const double singles = 2 * static_cast<double>(traits);
    const double pairs = singles * static_cast<double>(traits - 1);
    const auto single = best_single(cells, traits, whole);
    const auto pair = best_pair(cells, traits, whole);
    const bool single_counts = single && chance_of(single->g) * singles < kSignificance;
    const bool pair_counts = pair && chance_of(pair->g) * pairs < kSignificance;
    const bool takes_pair =
        pair_counts && (!single_counts || pair->g > kWorthACondition * single->g);
    if (!takes_pair && !single_counts) return std::nullopt;
    const Candidate& best = takes_pair ? *pair : *single;
    return PatternRule{best.where, best.inside, whole - best.inside};
}

// ---- words ----

std::string where_text(const PatternRule& rule, std::span<const Trait> traits) {
    std::string text;
    for (const Condition& condition : rule.where) {
        const Trait& trait = traits[condition.trait];
        text += text.empty() ? "" : " and ";
        text += condition.holds ? trait.holds : trait.fails;
    }
    return text;
}

}  // namespace

std::vector<PatternRule> find_rules(std::span<const Case> cases, std::size_t traits) {
    Cells cells = cells_of(cases);
    std::vector<PatternRule> rules;
    while (rules.size() < kMostRules) {
        auto rule = best_rule(cells, traits);
        if (!rule) break;
        std::erase_if(cells, [&](const auto& cell) { return holds(cell.first, rule->where); });
        rules.push_back(*std::move(rule));
    }
    return rules;
}

std::optional<PatternRule> find_safe(std::span<const Case> cases, std::size_t traits) {
    const Cells cells = cells_of(cases);
    const Share whole = sum_of(cells);
    if (whole.wrong < kFewestWrong || whole.wrong == whole.cases) return std::nullopt;
    std::optional<PatternRule> best;
    for (std::size_t trait = 0; trait < traits; ++trait) {
        for (const bool holding : {true, false}) {
            const Share inside = sum_of(cells, {{trait, holding}});
            if (inside.wrong > 0 || inside.cases == 0) continue;
            if (best && best->inside.cases >= inside.cases) continue;
            best = PatternRule{{{trait, holding}}, inside, whole - inside};
        }
    }
    if (!best) return std::nullopt;
    const double log_chance =
        static_cast<double>(best->inside.cases) * std::log1p(-whole.rate());
    const bool is_accident =
        log_chance > std::log(kSignificance / (2 * static_cast<double>(traits)));
    return is_accident ? std::nullopt : best;
}

std::string to_text(const PatternRule& rule, std::span<const Trait> traits,
                    const std::string& wrong) {
    const std::string where = where_text(rule, traits);
    const Share& inside = rule.inside;
    const bool is_always = inside.wrong == inside.cases;
    const std::string count = counted_grouped(inside.cases, "position");
    if (is_always && rule.outside.wrong == 0) {
        return fmt::format("{} in all {} where {}, and in no other", wrong, count, where);
    }
    if (rule.outside.wrong == 0) {
        return fmt::format("{} only where {}: in {} of these {}", wrong, where,
                           percent_text(inside.wrong, inside.cases), count);
    }
    return fmt::format("{} in {} {} where {}; in {} of the others", wrong,
                       is_always ? "all" : percent_text(inside.wrong, inside.cases) + " of the",
                       count, where, percent_text(rule.outside.wrong, rule.outside.cases));
}

std::string safe_text(const PatternRule& rule, std::span<const Trait> traits,
                      const std::string& wrong) {
    return fmt::format("never {} where {} ({})", wrong, where_text(rule, traits),
                       counted_grouped(rule.inside.cases, "position"));
}

std::vector<std::string> rule_texts(std::span<const Case> cases, std::span<const Trait> traits,
                                    const std::string& wrong) {
    std::vector<std::string> texts;
    const auto rules = find_rules(cases, traits.size());
    for (const PatternRule& rule : rules) {
        texts.push_back((texts.empty() ? "" : "elsewhere ") + to_text(rule, traits, wrong));
    }
    // If no mistake is left outside the rules, they also say where the bot is right.
    if (!rules.empty() && rules.back().outside.wrong == 0) return texts;
    if (const auto safe = find_safe(cases, traits.size())) {
        texts.push_back(safe_text(*safe, traits, wrong));
    }
    return texts;
}

// ---- moves ----

namespace {

constexpr double kLeastShare = 0.75;  // of the mistakes
constexpr double kLeastExcess = 0.15;
constexpr double kLeastDeviations = 4.5;
constexpr std::size_t kMostHabits = 2;

// With its distance from chance in standard deviations.
std::optional<std::pair<double, Habit>> habit_of(std::span<const MoveCase> cases,
                                                 std::size_t trait) {
    Habit habit{trait, cases.size(), 0, 0};
    double variance = 0;
    for (const MoveCase& each : cases) {
        habit.with += each.traits >> trait & 1;
        const double chance = each.chance[trait];
        habit.expected += chance;
        variance += chance * (1 - chance);
    }
    const double count = static_cast<double>(habit.cases);
    const double excess = static_cast<double>(habit.with) - habit.expected;
    const bool is_usual = static_cast<double>(habit.with) >= kLeastShare * count &&
                          excess >= kLeastExcess * count;
    // Rounding errors of chances that are 0 or 1 must not look like variance.
    const double deviations = excess / std::sqrt(std::max(variance, 1e-3));
    if (!is_usual || deviations < kLeastDeviations) return std::nullopt;
    return std::pair(deviations, habit);
}

}  // namespace

std::vector<Habit> find_habits(std::span<const MoveCase> cases) {
    if (cases.size() < kFewestWrong) return {};
    std::vector<std::pair<double, Habit>> found;
    for (std::size_t trait = 0; trait < kMostMoveTraits; ++trait) {
        if (auto habit = habit_of(cases, trait)) found.push_back(*std::move(habit));
    }
    std::ranges::stable_sort(found, std::greater<>(), &std::pair<double, Habit>::first);
    std::vector<Habit> habits;
    for (const auto& [deviations, habit] : found) {
        if (habits.size() < kMostHabits) habits.push_back(habit);
    }
    return habits;
}

std::string to_text(const Habit& habit, std::string_view trait) {
    const auto expected = static_cast<std::uint64_t>(std::llround(habit.expected));
    const std::string share =
        habit.with == habit.cases ? "all" : percent_text(habit.with, habit.cases);
    return fmt::format("{} in {} of its mistakes; by chance it would be {}", trait, share,
                       percent_text(expected, habit.cases));
}

}  // namespace arena
