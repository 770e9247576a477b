#include "engine/base/recurrence.hpp"

namespace engine {
namespace {

// Arithmetic modulo the prime 2^61-1.
constexpr Number kModulus = (Number{1} << 61) - 1;

Number reduce(Number value) {
    value = (value & kModulus) + (value >> 61);
    return value >= kModulus ? value - kModulus : value;
}
Number add(Number left, Number right) { return reduce(left + right); }
Number subtract(Number left, Number right) { return reduce(left + kModulus - right); }
Number multiply(Number left, Number right) {
    const Wide product = static_cast<Wide>(left) * right;
    return reduce((static_cast<Number>(product) & kModulus) +
                  static_cast<Number>(product >> 61));
}

// G(0) + G(1)x + G(2)x^2 + … of every beginning of a sequence.
class Fingerprints {
  public:
    explicit Fingerprints(std::span<const Number> values) {
        before_.reserve(values.size() + 1);
        before_.push_back(0);
        Number power = 1;
        for (const Number value : values) {
            before_.push_back(add(before_.back(), multiply(reduce(value), power)));
            power = multiply(power, kBase);
        }
    }

    // The sum over [begin, end), without a shift.
    Number of(std::size_t begin, std::size_t end) const {
        return subtract(before_[end], before_[begin]);
    }

    static constexpr Number kBase = 1234567890123456789 % kModulus;

  private:
    std::vector<Number> before_;
};

// G(n+2p) - 2G(n+p) + G(n) = 0, which all three kinds of laws imply, for n in [begin, end)?
// Never false if it holds; `power` is the base to the power p.
bool may_keep_law(const Fingerprints& prints, std::size_t begin, std::size_t end,
                  std::size_t period, Number power) {
    const Number here = prints.of(begin, end);
    const Number next = prints.of(begin + period, end + period);
    const Number after = prints.of(begin + 2 * period, end + 2 * period);
    const Number twice = multiply(add(next, next), power);
    return add(after, multiply(here, multiply(power, power))) == twice;
}

// Goes down from the end as long as each step over a period is 0 or the saltus, and equals the
// next step of its residue.
Law longest_law(std::span<const Number> values, std::size_t period) {
    Law law{0, period, 0};
    bool any_still = false;
    std::size_t begin = values.size() - period;
    const std::size_t last_period = begin < period ? 0 : begin - period;
    while (begin > 0) {
        const std::size_t heap = begin - 1;
        const std::size_t next = heap + period;
        if (values[next] < values[heap]) break;
        const Number rise = values[next] - values[heap];
        if (heap < last_period && values[next + period] - values[next] != rise) break;
        if (rise != 0 && law.saltus != 0 && rise != law.saltus) break;
        if (rise != 0) law.saltus = rise;
        any_still = any_still || rise == 0;
        --begin;
    }
    law.preperiod = begin;
    // After less than a period classify() drops the law, and two more periods were past the
    // end.
    if (law.saltus == 0 || !any_still || begin > last_period) return law;
    for (std::size_t heap = begin; heap < begin + period; ++heap) {
        if (values[heap + period] != values[heap]) law.rising.push_back(heap % period);
    }
    std::ranges::sort(law.rising);
    return law;
}

}  // namespace

std::string_view to_string(Law::Kind kind) {
    constexpr std::string_view kNames[]{"periodic", "arithmetic", "sapp"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::optional<Law> classify(std::span<const Number> values) {
    const std::size_t size = values.size();
    const Fingerprints prints(values);
    Number power = 1;
    for (std::size_t period = 1; 3 * period <= size; ++period) {
        power = multiply(power, Fingerprints::kBase);
        const std::size_t evidence = std::max(3 * period, (size + 1) / 2);
        const std::size_t begin = size - evidence;
        if (!may_keep_law(prints, begin, size - 2 * period, period, power)) continue;
        Law law = longest_law(values, period);
        if (law.preperiod <= begin) return law;
    }
    return std::nullopt;
}

std::vector<LawException> exceptions(std::span<const Number> values, const Law& law) {
    std::vector<LawException> found;
    for (Number heap = 0; heap < law.preperiod; ++heap) {
        const Number periods = (law.preperiod - heap + law.period - 1) / law.period;
        const SignedWide lawful = SignedWide{values[heap + periods * law.period]} -
                                  SignedWide{periods} * law.rise(heap);
        if (lawful != values[heap]) found.push_back({heap, values[heap], lawful});
    }
    return found;
}

}  // namespace engine
