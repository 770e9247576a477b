#include "engine/rules/formula/formula_ruleset.hpp"

#include <algorithm>
#include <cmath>

#include <boost/container_hash/hash.hpp>

#include "engine/base/cache.hpp"
#include "engine/rules/entries.hpp"
#include "engine/rules/formula/syntax.hpp"

namespace engine {

using rules::Clause;
using rules::Condition;
using rules::Expression;
using rules::FollowerList;
using rules::MoveBlock;
using rules::Operation;
using rules::Range;
using rules::ReadyClause;

namespace {

using Row = std::vector<Number>;

// How many of a result's heaps are tried as the first one that a clause names.
constexpr std::size_t kMaxTried = 3;

// The cost of a step, if a sum costs 1: about a quarter of a nanosecond.
std::size_t weight(Operation operation) {
    switch (operation) {
        case Operation::Divide:
        case Operation::Remainder:
            return 8;
        case Operation::Gcd:
            return 300;
        default:
            return 1;
    }
}

void add_effort(ReadyClause& ready, const rules::Code& code, Expression expression) {
    ready.steps += expression.end - expression.begin;
    for (std::uint32_t i = expression.begin; i < expression.end; ++i) {
        ready.effort += weight(code.steps[i].operation);
    }
    ++ready.effort;
}

void add_effort(ReadyClause& ready, const rules::Code& code, const Condition& condition) {
    ready.effort += 3;
    for (const Condition& part : condition.parts) add_effort(ready, code, part);
    if (condition.kind != Condition::Kind::Compare) return;
    add_effort(ready, code, condition.left);
    add_effort(ready, code, condition.right);
}

// Power with a limit: nullopt above it.
std::optional<Count> power_up_to(Count base, std::size_t exponent, Count limit) {
    if (base <= 1) return base;
    Count power = 1;
    for (std::size_t i = 0; i < exponent; ++i) {
        if (power > limit / base) return std::nullopt;
        power *= base;
    }
    return power;
}

std::string shape_text(std::size_t entries) {
    if (entries == 1) return "a number, as the ruleset's first pattern is";
    return "a tuple of " + std::to_string(entries) +
           " entries, as the ruleset's first pattern has";
}

// The lists of followers asked for last, of all rulesets of the process: follower() is asked
// for one after the other.
constexpr std::size_t kMaxListBytes = 32 << 20;  // of all, or one list that has more
using RecentLists = Cache<Row, const FollowerList, boost::hash<Row>>;

RecentLists& recent_lists() {
    static RecentLists lists(32, kMaxListBytes);
    return lists;
}

// Of a ruleset's heap in these lists.
Row key_of(std::uint64_t ruleset, std::span<const Number> heap) {
    Row key{ruleset};
    key.insert(key.end(), heap.begin(), heap.end());
    return key;
}

}  // namespace

// ---- reading ----

Result<std::shared_ptr<const UserRules>> UserRules::read(protocol::Scanner& scanner) {
    auto parsed = rules::parse_rules(scanner);
    if (!parsed) return parsed.error();
    return std::shared_ptr<const UserRules>(new UserRules(*std::move(parsed)));
}

UserRules::UserRules(rules::Rules rules) : rules_(std::move(rules)) {
    rules::mark_small(rules_.code, rules_.clauses);
    for (const Clause& clause : rules_.clauses) {
        if (clause.is_stop) {
            stops_.push_back(ready(clause, {}));
            continue;
        }
        prepare(clause);
    }
    varies_ = std::ranges::any_of(rules_.clauses,
                                  [](const Clause& clause) { return !clause.series.empty(); });
    can_repeat_ = !rules::always_ends(rules_);
}

ReadyClause UserRules::ready(const Clause& clause, std::span<const Condition> more) const {
    ReadyClause ready;
    ready.clause = &clause;
    ready.entries = rules_.entries;
    ready.plan = rules::plan_loops(rules_.code, clause, more);
    ready.safe_limit = rules::safe_limit(rules_.code, clause);
    ready.is_range = rules_.entries == 1 && clause.heap_count == 1 && clause.series.empty() &&
                     rules::leaves_a_range(rules_.code, clause, ready.plan);
    for (const Condition& condition : clause.conditions) {
        add_effort(ready, rules_.code, condition);
    }
    for (const Expression result : clause.results) add_effort(ready, rules_.code, result);
    for (const rules::Series& series : clause.series) {
        add_effort(ready, rules_.code, series.first);
        add_effort(ready, rules_.code, series.last);
    }
    return ready;
}

void UserRules::prepare(const Clause& clause) {
    moves_.push_back({ready(clause, {}), {}, {}});
    Questions& questions = moves_.back();
    // Entry number i of the first result is the parameter in slot variables + i.
    for (std::size_t i = 0; i < rules_.entries && clause.series.empty(); ++i) {
        const auto at = static_cast<std::uint32_t>(rules_.code.steps.size());
        rules_.code.steps.push_back(
            {Operation::Variable, false, static_cast<std::uint32_t>(clause.variables + i)});
        Condition equation;
        equation.left = clause.results[i];
        equation.right = {at, at + 1};
        questions.equations.push_back(equation);
    }
    questions.reaches = ready(clause, questions.equations);
}

std::size_t UserRules::bytes() const {
    const auto of = [](const auto& vector) { return vector.capacity() * sizeof(vector[0]); };
    std::size_t bytes = sizeof *this + of(rules_.code.steps) + of(rules_.code.constants);
    const auto add_checks = [&](const ReadyClause& ready) {
        bytes += of(ready.plan.checks) + of(ready.plan.loops);
        for (const rules::Loop& loop : ready.plan.loops) bytes += of(loop.checks);
    };
    for (const Clause& clause : rules_.clauses) {
        // Nested conditions are small next to what they compare.
        bytes += sizeof clause + of(clause.results) + of(clause.conditions) + of(clause.series);
    }
    for (const ReadyClause& stop : stops_) add_checks(stop);
    for (const Questions& questions : moves_) {
        bytes += sizeof questions;
        add_checks(questions.moves);
        add_checks(questions.reaches);
    }
    return bytes;
}

// ---- heaps ----

Result<void> UserRules::check_heap(const Heap& heap) const {
    if (!has_shape(heap)) return refuse_heap(heap, shape_text(entries()));
    return check_bindings(heap);
}

bool UserRules::has_shape(const Heap& heap) const {
    return has_entries(heap) && entries_of(heap).size() == entries();
}

Result<void> UserRules::check_bindings(const Heap& heap) const {
    const Count values = std::ranges::max(entries_of(heap)) + 1;
    Count total = 0;
    for (std::size_t i = 0; i < rules_.clauses.size(); ++i) {
        const Clause& clause = rules_.clauses[i];
        if (!clause.series.empty() && values > kMaxSeries) {
            return refuse_heap(heap, "numbers below " + std::to_string(kMaxSeries) +
                                         ", since a move of clause " + std::to_string(i + 1) +
                                         " may leave that many heaps");
        }
        const auto bindings = power_up_to(values, clause.free_count(), kMaxBindings);
        if (!bindings) {
            return refuse_heap(heap, "a heap with at most " + std::to_string(kMaxBindings) +
                                         " bindings a clause: clause " + std::to_string(i + 1) +
                                         " has " + std::to_string(values) + "^" +
                                         std::to_string(clause.free_count()));
        }
        total += *bindings *
                 (clause.results.size() + clause.series.size() * values * rules_.entries);
    }
    if (total <= kMaxEntries) return {};
    return refuse_heap(heap, "a heap with at most " + std::to_string(kMaxEntries) +
                                 " entries in the results of all its bindings, not " +
                                 std::to_string(total));
}

// Each block of lanes has its price, however few are in it; and a move to several heaps is
// looked for up to kMaxTried times.
Count UserRules::work(const Heap& heap) const {
    const auto values = static_cast<double>(std::ranges::max(entries_of(heap))) + 1;
    double work = 0;
    const auto add = [&](const ReadyClause& ready) {
        const double bindings = std::pow(values, ready.clause->free_count());
        const double blocks = bindings / std::min(values, 256.0);
        const double heaps = 1 + static_cast<double>(ready.clause->series.size()) * values;
        const double times = heaps * std::clamp<double>(ready.clause->heap_count, 1, kMaxTried);
        work += times * bindings * static_cast<double>(ready.effort);
        if (ready.plan.loops.empty()) return;
        work += times * blocks *
                static_cast<double>(rules::kBlockWork + rules::kStepWork * ready.steps);
    };
    for (const ReadyClause& stop : stops_) add(stop);
    for (const Questions& questions : moves_) add(questions.moves);
    return work < 1e18 ? static_cast<Count>(work) : kMany;
}

// ---- moves ----

bool UserRules::is_stopped(std::span<const Number> heap) const {
    const auto goes_on = [](const MoveBlock& block) { return block.count == 0; };
    return std::ranges::any_of(stops_, [&](const ReadyClause& stop) {
        return !visit_bindings(rules_.code, stop, heap, {}, goes_on);
    });
}

bool UserRules::visit_moves(std::span<const Number> heap, const rules::VisitMoves& visit,
                            const rules::VisitRange& visit_range) const {
    if (is_stopped(heap)) return true;
    return std::ranges::all_of(moves_, [&](const Questions& clause) {
        return visit_bindings(rules_.code, clause.moves, heap, {}, visit, visit_range);
    });
}

bool UserRules::has_move(const Heap& heap) const {
    if (!check_heap(heap)) return true;
    return !visit_moves(entries_of(heap),
                        [](const MoveBlock& block) { return block.count == 0; });
}

bool UserRules::is_follower(const Heap& heap, std::span<const Heap> result) const {
    Row row;
    for (const Heap& left : result) {
        if (!has_shape(left)) return false;
        const auto numbers = entries_of(left);
        row.insert(row.end(), numbers.begin(), numbers.end());
    }
    if (!check_heap(heap) || is_stopped(entries_of(heap))) return false;
    return std::ranges::any_of(moves_, [&](const Questions& clause) {
        const bool varies = !clause.moves.clause->series.empty();
        return (varies || clause.moves.clause->heap_count == result.size()) &&
               reaches(clause, entries_of(heap), row);
    });
}

// The result's heaps are sorted, so that the clause's first may be any of them.
bool UserRules::reaches(const Questions& questions, std::span<const Number> heap,
                        std::span<const Number> result) const {
    const auto differs = [&](const MoveBlock& block) {
        for (std::size_t i = 0; i < block.count; ++i) {
            if (std::ranges::equal(block.row(i), result)) return false;
        }
        return true;
    };
    std::vector<std::span<const Number>> firsts;
    for (std::size_t i = 0; i < result.size(); i += entries()) {
        const auto first = result.subspan(i, entries());
        if (firsts.empty() || !std::ranges::equal(firsts.back(), first))
            firsts.push_back(first);
    }
    if (firsts.size() > kMaxTried || !questions.moves.clause->series.empty()) {
        return !visit_bindings(rules_.code, questions.moves, heap, {}, differs);
    }
    return std::ranges::any_of(firsts, [&](std::span<const Number> first) {
        return !visit_bindings(rules_.code, questions.reaches, heap, first, differs);
    });
}

// Short lists are made whatever the time: a winner found at its end still has to list its
// moves.
std::shared_ptr<const FollowerList> UserRules::list_followers(const Heap& of,
                                                              const GiveUp& give_up) const {
    constexpr Count kLittleWork = 1 << 20;
    const auto heap = entries_of(of);
    if (auto known = recent_lists().find(key_of(identity_, heap))) return known;
    if (work(of) > kLittleWork && give_up(0)) return nullptr;
    auto list = std::make_shared<FollowerList>(entries());
    const auto largest = static_cast<std::int64_t>(std::ranges::max(heap));
    for (const Clause& clause : rules_.clauses) {
        if (clause.is_stop || varies_) continue;
        const auto variable = [&](std::uint32_t slot) {
            if (slot >= clause.bound) return Range{0, largest, false};
            const auto entry = static_cast<std::int64_t>(heap[slot]);
            return Range{entry, entry, false};
        };
        std::vector<Range> ranges;
        for (std::size_t i = 0; i < clause.results.size(); ++i) {
            ranges.push_back(find_range(rules_.code, clause.results[i], variable));
            if (ranges.size() < entries()) continue;
            list->expect(clause.heap_count, ranges);
            ranges.clear();
        }
    }
    const bool is_whole =
        visit_moves(heap, [&](const MoveBlock& block) { return list->add(block, give_up); });
    if (!is_whole || !list->finish(give_up)) return nullptr;
    const std::size_t bytes = list->bytes();
    if (bytes <= kMaxListBytes) recent_lists().add(key_of(identity_, heap), list, bytes);
    return list;
}

std::shared_ptr<const FollowerList> UserRules::whole_list(const Heap& heap) const {
    auto list = list_followers(heap, [](std::size_t) { return false; });
    const std::size_t bytes = list->bytes();
    if (bytes > kMaxListBytes) {
        recent_lists().add(key_of(identity_, entries_of(heap)), list, bytes);
    }
    return list;
}

std::vector<Heap> UserRules::heaps_of(std::span<const Number> row) const {
    std::vector<Heap> heaps;
    for (std::size_t i = 0; i < row.size(); i += entries()) {
        heaps.push_back(heap_with(row.subspan(i, entries())));
    }
    return heaps;
}

Count UserRules::follower_count(const Heap& heap) const {
    return check_heap(heap) ? whole_list(heap)->size() : kMany;
}

std::vector<Heap> UserRules::follower(const Heap& heap, Count index) const {
    if (!check_heap(heap)) return {heap};
    return heaps_of(whole_list(heap)->row(index));
}

std::optional<Followers> UserRules::followers(const Heap& heap, const GiveUp& give_up) const {
    if (!check_heap(heap)) return Ruleset::followers(heap, give_up);
    auto list = list_followers(heap, give_up);
    if (!list) return std::nullopt;
    const Count count = list->size();
    return Followers{count, [this, list = std::move(list)](Count index) {
                         return heaps_of(list->row(index));
                     }};
}

std::vector<std::vector<Heap>> UserRules::some_followers(const Heap& heap,
                                                         std::size_t limit) const {
    if (!check_heap(heap)) return Ruleset::some_followers(heap, limit);
    std::vector<std::vector<Heap>> some;
    visit_moves(entries_of(heap), [&](const MoveBlock& block) {
        for (std::size_t i = 0; i < block.count; ++i) some.push_back(heaps_of(block.row(i)));
        return some.empty();
    });
    std::ranges::sort(some);
    some.erase(std::unique(some.begin(), some.end()), some.end());
    if (some.size() > limit) some.resize(limit);
    return some;
}

}  // namespace engine
