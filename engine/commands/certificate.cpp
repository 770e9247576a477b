// Writes the certificate of a period: the rules, the law, the theorem, and the hash of the
// nimbers that the theorem needs. A checker computes these nimbers by itself.
#include "engine/commands/find_period.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "engine/rules/take.hpp"

namespace engine {
namespace {

constexpr Number kMostCertified = Number{1} << 24;

// A proof that nimbers can replay.
struct Proof {
    std::string rules;
    std::string_view theorem;
    Number heaps = 0;  // how many nimbers the theorem needs
};

using Digits = std::vector<std::uint8_t>;

bool is_octal(const Digits& digits) {
    return std::ranges::all_of(digits, [](unsigned digit) { return digit < 8; });
}

std::string text_of(const Digits& digits) {
    std::string text =
        fmt::format("{}{{{:X}.", is_octal(digits) ? "octal" : "hex", digits.front());
    for (std::size_t i = 1; i < digits.size(); ++i) text += fmt::format("{:X}", digits[i]);
    return text + (digits.size() == 1 ? "0}" : "}");
}

// From the preperiod on, with room for the theorem's window after it.
Proof proof_of_take(const TakeSet& set, const PeriodFinding& finding) {
    const auto& [preperiod, period, saltus, rising] = *finding.law;
    const std::string rules = "take{" + to_string(set) + "}";
    const Interval& last = set.intervals().back();
    if (!set.is_open()) return {rules, "window", preperiod + period + last.last};
    // The state repeats as soon as all values in it keep the law.
    const Number least = preperiod + 2 * period + last.first;
    return {rules, "state", std::max(least, finding.heaps)};
}

std::optional<Proof> proof_of(const Ruleset& rules, const PeriodFinding& finding) {
    const Law& law = *finding.law;
    if (law.period > kMostCertified || law.preperiod > kMostCertified) return std::nullopt;
    if (const auto take = shape_as<shape::Subtraction>(rules)) {
        return proof_of_take(take->set, finding);
    }
    const auto octal = shape_as<shape::TakeAndBreak>(rules);
    if (!octal || octal->unequal || octal->repeated > 0 || finding.theorem != "octal")
        return std::nullopt;
    const Number first = std::max<Number>(law.preperiod, 1);
    const Number parts = is_octal(octal->digits) ? 2 : 3;
    return Proof{text_of(octal->digits), "octal",
                 parts * (first + law.period) + octal->digits.size() - 1};
}

}  // namespace

std::uint64_t hash_of(std::span<const Number> nimbers) {
    std::uint64_t hash = 14695981039346656037ULL;
    for (Number nimber : nimbers) {
        for (int byte = 0; byte < 8; ++byte, nimber >>= 8) {
            hash = (hash ^ (nimber & 0xFF)) * 1099511628211ULL;
        }
    }
    return hash;
}

Result<std::string> certificate(const NamedRuleset& ruleset, const HeapSolver& solver,
                                const PeriodFinding& finding) {
    const auto refuse = [](const std::string& why) {
        return Error{Fault::BadInput, "no certificate: " + why};
    };
    if (!finding.theorem) return refuse("nothing is proven");
    const auto proof = proof_of(*ruleset.rules, finding);
    if (!proof) return refuse("the proof is a formula, which nimbers cannot replay");
    if (proof->heaps > kMostCertified) {
        return refuse(fmt::format("it would need the nimbers of {} heaps, and takes {} at most",
                                  proof->heaps, kMostCertified));
    }
    const auto nimbers = first_nimbers(solver, proof->heaps, Budget{}, [](Number) {});
    if (nimbers.size() < proof->heaps) return refuse("memory is short");

    const Law& law = *finding.law;
    const boost::json::object object{
        {"certificate", "nimarena period 1"},
        {"ruleset", ruleset.text.text},
        {"rules", proof->rules},
        {"kind", to_string(law.kind())},
        {"preperiod", law.preperiod},
        {"period", law.period},
        {"saltus", law.saltus},
        {"theorem", proof->theorem},
        {"heaps", proof->heaps},
        {"hash", fmt::format("fnv1a64:{:016x}", hash_of(nimbers))},
    };
    return boost::json::serialize(object) + "\n";
}

}  // namespace engine
