#include "engine/rules/formula/evaluator.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace engine::rules {
namespace {

using Value = std::int64_t;

constexpr std::size_t kLanes = 256;
constexpr std::uint32_t kNoSlot = std::numeric_limits<std::uint32_t>::max();
constexpr Value kHighestValue = std::numeric_limits<Value>::max();

// ---- operations on two numbers; true where they fail ----

bool divide(Value left, Value right, Value& result) {
    result = 0;
    if (right == 0) return true;
    if (right == -1) return __builtin_sub_overflow(Value{0}, left, &result);
    result = left / right;
    if (left % right != 0 && (left < 0) != (right < 0)) --result;
    return false;
}

bool find_remainder(Value left, Value right, Value& result) {
    result = 0;
    if (right == 0) return true;
    if (right == -1) return false;
    result = left % right;
    if (result != 0 && (result < 0) != (right < 0)) result += right;
    return false;
}

// For operands below 2^52 in size. A double's quotient is then right but for its fraction,
// which cannot round up to a whole number.
struct SmallDivision {
    Value quotient;
    Value remainder;

    SmallDivision(Value left, Value right)
        : quotient(static_cast<Value>(static_cast<double>(left) / static_cast<double>(right))),
          remainder(left - quotient * right) {
        const Value down = remainder != 0 && (remainder ^ right) < 0 ? 1 : 0;
        quotient -= down;
        remainder += down * right;
    }
};

bool divide_small(Value left, Value right, Value& result) {
    const bool fails = right == 0;
    result = SmallDivision(fails ? 0 : left, fails ? 1 : right).quotient;
    return fails;
}

bool find_remainder_small(Value left, Value right, Value& result) {
    const bool fails = right == 0;
    result = SmallDivision(fails ? 0 : left, fails ? 1 : right).remainder;
    return fails;
}

std::uint64_t size_of(Value value) {
    const auto bits = static_cast<std::uint64_t>(value);
    return value < 0 ? 0 - bits : bits;
}

bool find_gcd(Value left, Value right, Value& result) {
    const std::uint64_t gcd = std::gcd(size_of(left), size_of(right));
    result = static_cast<Value>(gcd);
    return gcd > static_cast<std::uint64_t>(kHighestValue);
}

// ---- what a run needs of memory ----

// Kept from run to run, as a run may be short.
struct Scratch {
    using Column = std::array<Value, kLanes>;

    std::vector<std::unique_ptr<Column>> columns;  // pointers to them stay
    std::vector<Value> values;                     // of the variables
    std::vector<Number> rows;

    Value* column(std::size_t index) {
        while (columns.size() <= index) columns.push_back(std::make_unique<Column>());
        return columns[index]->data();
    }
};

// A run may start another one from its visitor: each borrows a Scratch of its own.
class Borrowed {
  public:
    Borrowed() {
        if (idle().empty()) {
            scratch_ = std::make_unique<Scratch>();
        } else {
            scratch_ = std::move(idle().back());
            idle().pop_back();
        }
    }
    ~Borrowed() {
        constexpr std::size_t kMaxKept = 1 << 16;  // values, rows: wide clauses are rare
        if (scratch_->columns.size() > 64) scratch_->columns.resize(64);
        if (scratch_->rows.capacity() > kMaxKept || scratch_->values.capacity() > kMaxKept)
            return;
        idle().push_back(std::move(scratch_));
    }
    Borrowed(const Borrowed&) = delete;
    Borrowed& operator=(const Borrowed&) = delete;

    Scratch& operator*() { return *scratch_; }

  private:
    static std::vector<std::unique_ptr<Scratch>>& idle() {
        thread_local std::vector<std::unique_ptr<Scratch>> list;
        return list;
    }

    std::unique_ptr<Scratch> scratch_;
};

// A value for each lane, or the same for all.
struct Operand {
    const Value* column = nullptr;
    Value scalar = 0;
};

template <typename Combine>
void for_each_lane(Operand left, Operand right, std::size_t count, Combine combine) {
    if (left.column != nullptr && right.column != nullptr) {
        for (std::size_t i = 0; i < count; ++i) combine(i, left.column[i], right.column[i]);
    } else if (left.column != nullptr) {
        for (std::size_t i = 0; i < count; ++i) combine(i, left.column[i], right.scalar);
    } else if (right.column != nullptr) {
        for (std::size_t i = 0; i < count; ++i) combine(i, left.scalar, right.column[i]);
    } else {
        for (std::size_t i = 0; i < count; ++i) combine(i, left.scalar, right.scalar);
    }
}

class Run {
  public:
    Run(const Code& code, const ReadyClause& ready, std::span<const Number> heap,
        std::span<const Number> parameters, const VisitMoves& visit,
        const VisitRange& visit_range, Scratch& scratch)
        : code_(code),
          ready_(ready),
          clause_(*ready.clause),
          visit_(visit),
          visit_range_(visit_range),
          scratch_(scratch),
          largest_(static_cast<Value>(std::ranges::max(heap))),
          is_checked_(largest_ > ready.safe_limit),
          is_small_(largest_ <= kSmall),
          width_(clause_.heap_count * ready.entries),
          block_(std::clamp<std::size_t>((1 << 16) / (width_ + 1), 1, kLanes)) {
        scratch_.values.assign(clause_.variables + parameters.size(), 0);
        std::ranges::copy(heap, scratch_.values.begin());
        std::ranges::copy(parameters, scratch_.values.begin() +
                                          static_cast<std::ptrdiff_t>(clause_.variables));
        scratch_.rows.resize(std::max(scratch_.rows.size(), block_ * width_));
    }

    bool run() {
        temporary_ = ready_.plan.loops.size() + 1;
        Value* lane = scratch_.column(0);
        lane[0] = 0;
        lane_slot_ = kNoSlot;
        if (filter_all(ready_.plan.checks, lane, 1) == 0) return !is_stopped_;
        return ready_.plan.loops.empty() ? emit(lane, 1) : loop(0);
    }

  private:
    // ---- loops ----

    bool loop(std::size_t depth) {
        const Loop& loop_here = ready_.plan.loops[depth];
        Value low = 0;
        Value high = largest_;
        for (const Bound& bound : loop_here.bounds) {
            if (!narrow(bound, low, high)) return true;
        }
        const bool is_last = depth + 1 == ready_.plan.loops.size();
        Value* lanes = scratch_.column(depth);
        if (is_last && ready_.is_range && visit_range_ && !is_checked_) {
            lane_slot_ = loop_here.slot;
            lanes[0] = low;
            lanes[1] = high;
            begin_lanes(lanes, 2);
            const Operand ends = evaluate(clause_.results.front(), temporary_);
            if (fails_) return true;
            const auto [first, last] = std::minmax(ends.column[0], ends.column[1]);
            if (first >= 0) {
                return visit_range_(static_cast<Number>(first), static_cast<Number>(last)) &&
                       has_patience(kBlockWork + kStepWork * ready_.steps);
            }
        }
        for (Value begin = low; begin <= high;) {
            const auto size = std::min<Value>(static_cast<Value>(block_), high - begin + 1);
            std::iota(lanes, lanes + size, begin);
            begin += size;
            lane_slot_ = loop_here.slot;
            const std::size_t left =
                filter_all(loop_here.checks, lanes, static_cast<std::size_t>(size));
            const std::size_t work = kBlockWork + kStepWork * ready_.steps +
                                     static_cast<std::size_t>(size) * ready_.effort;
            if (is_stopped_ || !has_patience(work)) return false;
            if (is_last) {
                if (left > 0 && !emit(lanes, left)) return false;
                continue;
            }
            for (std::size_t i = 0; i < left; ++i) {
                scratch_.values[loop_here.slot] = lanes[i];
                if (!loop(depth + 1)) return false;
            }
        }
        return true;
    }

    // Lets the visitor speak now and then; work is counted in quarters of a nanosecond,
    // roughly.
    bool has_patience(std::size_t work) {
        constexpr std::size_t kPatience = 1 << 20;
        work_ += work;
        if (work_ < kPatience) return true;
        work_ = 0;
        is_stopped_ = !visit_({clause_.heap_count, ready_.entries, 0, nullptr});
        return !is_stopped_;
    }

    // Cuts low..high down to where the bound holds; false if it holds nowhere.
    bool narrow(const Bound& bound, Value& low, Value& high) {
        SignedWide rest = bound.rest.constant;
        for (const Affine::Term& term : bound.rest.terms) {
            const auto value = scalar(term);
            if (!value) return false;
            rest += SignedWide{term.coefficient} * *value;
        }
        // coefficient * x `comparison` -rest, with a coefficient above 0
        SignedWide coefficient = bound.coefficient;
        Comparison comparison = bound.comparison;
        if (coefficient < 0) {
            coefficient = -coefficient;
            rest = -rest;
            comparison = mirrored(comparison);
        }
        const SignedWide down = floor_quotient(-rest, coefficient);
        const bool is_whole = down * coefficient == -rest;
        SignedWide least = low;
        SignedWide most = high;
        switch (comparison) {
            case Comparison::Equal:
                if (!is_whole) return false;
                least = std::max(least, down);
                most = std::min(most, down);
                break;
            case Comparison::Less:
                most = std::min(most, is_whole ? down - 1 : down);
                break;
            case Comparison::LessEqual:
                most = std::min(most, down);
                break;
            case Comparison::Greater:
                least = std::max(least, down + 1);
                break;
            case Comparison::GreaterEqual:
                least = std::max(least, is_whole ? down : down + 1);
                break;
            case Comparison::NotEqual:
                break;
        }
        if (least > most) return false;
        low = static_cast<Value>(least);
        high = static_cast<Value>(most);
        return true;
    }

    // That of the same numbers with their signs changed.
    static Comparison mirrored(Comparison comparison) {
        using enum Comparison;
        constexpr std::array kMirrored{Equal, NotEqual, Greater, GreaterEqual, Less, LessEqual};
        return kMirrored[static_cast<std::size_t>(comparison)];
    }

    static SignedWide floor_quotient(SignedWide left, SignedWide right) {
        const SignedWide quotient = left / right;
        return left % right < 0 ? quotient - 1 : quotient;
    }

    // nullopt where it fails, and with it the comparison for every value.
    std::optional<Value> scalar(const Affine::Term& term) {
        if (term.variable) return scratch_.values[*term.variable];
        lane_slot_ = kNoSlot;
        begin_lanes(nullptr, 1);
        const Operand value = evaluate(term.value, temporary_);
        if (fails_) return std::nullopt;
        return value.scalar;
    }

    // ---- conditions ----

    // Keeps the lanes where all hold, in place; how many these are.
    std::size_t filter_all(const std::vector<Check>& checks, Value* lanes, std::size_t count) {
        for (const Check& check : checks) {
            if (check.is_bound && !is_checked_) continue;
            count = filter(*check.condition, lanes, count, lanes, nullptr, temporary_).yes;
            if (count == 0) break;
        }
        return count;
    }

    struct Split {
        std::size_t yes = 0;
        std::size_t no = 0;
    };

    // Parts lanes where the condition holds from those where it does not; where it fails, they
    // go neither way, and none once the visitor has stopped the run. `no` may be null. `yes` or
    // `no` may be `lanes`. Columns from number `temporary` on are free to use.
    Split filter(const Condition& condition, const Value* lanes, std::size_t count, Value* yes,
                 Value* no, std::size_t temporary) {
        switch (condition.kind) {
            case Condition::Kind::Compare:
                return compare(condition, lanes, count, yes, no, temporary);
            case Condition::Kind::All: {
                if (yes != lanes) std::copy_n(lanes, count, yes);
                Split split{count, 0};
                for (const Condition& part : condition.parts) {
                    const Split inner =
                        filter(part, yes, split.yes, yes,
                               no == nullptr ? nullptr : no + split.no, temporary);
                    split.yes = inner.yes;
                    split.no += inner.no;
                    if (split.yes == 0) break;
                }
                return split;
            }
            case Condition::Kind::Any:
                break;
        }
        Value* rest = scratch_.column(temporary);
        std::copy_n(lanes, count, rest);
        Split split{0, count};
        for (const Condition& part : condition.parts) {
            const Split inner =
                filter(part, rest, split.no, yes + split.yes, rest, temporary + 1);
            split.yes += inner.yes;
            split.no = inner.no;
            if (split.no == 0) break;
        }
        if (no != nullptr) std::copy_n(rest, split.no, no);
        return split;
    }

    Split compare(const Condition& condition, const Value* lanes, std::size_t count, Value* yes,
                  Value* no, std::size_t temporary) {
        const std::size_t steps = condition.left.end - condition.left.begin +
                                  condition.right.end - condition.right.begin + 1;
        if (is_stopped_ || !has_patience(steps * (kStepWork + count))) return {};
        begin_lanes(lanes, count);
        const Operand left = evaluate(condition.left, temporary);
        const Operand right = evaluate(condition.right, temporary + 1);
        if (fails_) return {};
        std::array<bool, kLanes> mask;
        fill_mask(condition.comparison, left, right, count, mask.data());
        Split split;
        for (std::size_t i = 0; i < count; ++i) {
            const Value lane = lanes[i];
            const bool failed = lane_fails_[i];
            yes[split.yes] = lane;
            split.yes += mask[i] && !failed;
            if (no == nullptr) continue;
            no[split.no] = lane;
            split.no += !mask[i] && !failed;
        }
        return split;
    }

    static void fill_mask(Comparison comparison, Operand left, Operand right, std::size_t count,
                          bool* mask) {
        const auto fill = [&](auto compare_two) {
            for_each_lane(left, right, count, [=](std::size_t i, Value a, Value b) {
                mask[i] = compare_two(a, b);
            });
        };
        switch (comparison) {
            case Comparison::Equal:
                return fill(std::equal_to<>());
            case Comparison::NotEqual:
                return fill(std::not_equal_to<>());
            case Comparison::Less:
                return fill(std::less<>());
            case Comparison::LessEqual:
                return fill(std::less_equal<>());
            case Comparison::Greater:
                return fill(std::greater<>());
            case Comparison::GreaterEqual:
                return fill(std::greater_equal<>());
        }
    }

    // ---- expressions ----

    void begin_lanes(const Value* lanes, std::size_t count) {
        lanes_ = lanes;
        count_ = count;
        fails_ = false;
        std::fill_n(lane_fails_.begin(), count, false);
    }

    // The value for each lane; lanes where it fails are marked, or fails_ is set for all. The
    // column may be the lanes', or one from number `temporary` on.
    Operand evaluate(Expression expression, std::size_t temporary) {
        const std::size_t bottom = stack_.size();
        for (std::uint32_t i = expression.begin; i < expression.end && !fails_; ++i) {
            const Step& step = code_.steps[i];
            if (step.operation == Operation::Constant) {
                stack_.push_back({nullptr, code_.constants[step.index]});
            } else if (step.operation == Operation::Variable) {
                stack_.push_back(step.index == lane_slot_
                                     ? Operand{lanes_, 0}
                                     : Operand{nullptr, scratch_.values[step.index]});
            } else {
                const Operand right = stack_.back();
                stack_.pop_back();
                Operand& left = stack_.back();
                left = apply(step, left, right, temporary + (stack_.size() - bottom) - 1);
            }
        }
        const Operand result = fails_ ? Operand() : stack_.back();
        stack_.resize(bottom);
        return result;
    }

    // `column`: the number of the one to write to.
    Operand apply(const Step& step, Operand left, Operand right, std::size_t column) {
        const auto fallible = [&](auto operation) {
            return apply_fallible(left, right, column, operation);
        };
        const auto plain = [&](auto operation) {
            return apply_plain(left, right, column, operation);
        };
        const bool is_small = step.is_small && is_small_;
        switch (step.operation) {
            case Operation::Add:
                if (!is_checked_) return plain([](Value a, Value b) { return a + b; });
                return fallible([](Value a, Value b, Value& c) {
                    return __builtin_add_overflow(a, b, &c);
                });
            case Operation::Subtract:
                if (!is_checked_) return plain([](Value a, Value b) { return a - b; });
                return fallible([](Value a, Value b, Value& c) {
                    return __builtin_sub_overflow(a, b, &c);
                });
            case Operation::Multiply:
                if (!is_checked_) return plain([](Value a, Value b) { return a * b; });
                return fallible([](Value a, Value b, Value& c) {
                    return __builtin_mul_overflow(a, b, &c);
                });
            case Operation::Divide:
                if (!is_small) return fallible(divide);
                return fallible(
                    [](Value a, Value b, Value& c) { return divide_small(a, b, c); });
            case Operation::Remainder:
                if (!is_small) return fallible(find_remainder);
                return fallible(
                    [](Value a, Value b, Value& c) { return find_remainder_small(a, b, c); });
            case Operation::Gcd:
                return fallible(find_gcd);
            case Operation::Min:
                return plain([](Value a, Value b) { return std::min(a, b); });
            case Operation::Max:
                return plain([](Value a, Value b) { return std::max(a, b); });
            case Operation::Xor:
                return plain([](Value a, Value b) { return a ^ b; });
            case Operation::Constant:
            case Operation::Variable:
                break;
        }
        return {};
    }

    template <typename Function>
    Operand apply_plain(Operand left, Operand right, std::size_t column, Function function) {
        if (left.column == nullptr && right.column == nullptr) {
            return {nullptr, function(left.scalar, right.scalar)};
        }
        Value* out = scratch_.column(column);
        for_each_lane(left, right, count_,
                      [=](std::size_t i, Value a, Value b) { out[i] = function(a, b); });
        return {out, 0};
    }

    template <typename Function>
    Operand apply_fallible(Operand left, Operand right, std::size_t column, Function function) {
        if (left.column == nullptr && right.column == nullptr) {
            Operand result;
            fails_ = function(left.scalar, right.scalar, result.scalar) || fails_;
            return result;
        }
        Value* out = scratch_.column(column);
        bool* fails = lane_fails_.data();
        for_each_lane(left, right, count_, [=](std::size_t i, Value a, Value b) {
            Value result;
            fails[i] |= function(a, b, result);
            out[i] = result;
        });
        return {out, 0};
    }

    // ---- results ----

    // Tells the visitor of the moves of these lanes.
    bool emit(const Value* lanes, std::size_t count) {
        if (!clause_.series.empty()) return emit_series(lanes, count);
        const MoveBlock block{clause_.heap_count, ready_.entries, count, scratch_.rows.data()};
        if (width_ == 0) return visit_(block);
        begin_lanes(lanes, count);
        for (std::size_t i = 0; i < width_; ++i) {
            const Operand value = evaluate(clause_.results[i], temporary_);
            if (fails_ || (value.column == nullptr && value.scalar < 0)) return true;
            Number* out = scratch_.rows.data() + i;
            if (value.column == nullptr) {
                for (std::size_t j = 0; j < count; ++j) {
                    out[j * width_] = static_cast<Number>(value.scalar);
                }
            } else {
                for (std::size_t j = 0; j < count; ++j) {
                    lane_fails_[j] |= value.column[j] < 0;
                    out[j * width_] = static_cast<Number>(value.column[j]);
                }
            }
        }
        MoveBlock moves = block;
        moves.count = keep_moves(count);
        return moves.count == 0 || visit_(moves);
    }

    // Drops the rows that are no moves, and sorts the heaps of the others.
    std::size_t keep_moves(std::size_t count) {
        Number* rows = scratch_.rows.data();
        std::size_t kept = 0;
        for (std::size_t i = 0; i < count; ++i) {
            if (lane_fails_[i]) continue;
            Number* row = rows + kept++ * width_;
            if (row != rows + i * width_) std::copy_n(rows + i * width_, width_, row);
            if (clause_.heap_count > 1) sort_heaps({row, width_});
        }
        return kept;
    }

    // Where the number of heaps varies: one move after the other.
    bool emit_series(const Value* lanes, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            if (!ready_.plan.loops.empty()) {
                scratch_.values[ready_.plan.loops.back().slot] = lanes[i];
            }
            scratch_.rows.clear();
            bool is_move = true;
            for (std::size_t entry = 0; is_move && entry < width_; entry += ready_.entries) {
                is_move = add_heaps(entry);
            }
            if (is_stopped_) return false;
            if (!is_move || scratch_.rows.empty()) continue;
            sort_heaps(scratch_.rows);
            if (!visit_({scratch_.rows.size() / ready_.entries, ready_.entries, 1,
                         scratch_.rows.data()})) {
                return false;
            }
        }
        return true;
    }

    // Appends the heaps of the result that begins with this entry; false if it is not a move.
    bool add_heaps(std::size_t entry) {
        Value first = 0;
        Value last = 0;
        const Series* const series = clause_.series_of(entry);
        if (series != nullptr) {
            lane_slot_ = kNoSlot;
            begin_lanes(nullptr, 1);
            first = evaluate(series->first, temporary_).scalar;
            last = evaluate(series->last, temporary_).scalar;
            if (fails_) return false;
            if (last < first) return true;
            if (first < 0 || last > largest_) return false;
        }
        Value* const numbers = scratch_.column(temporary_);
        while (first <= last) {
            const auto count = static_cast<std::size_t>(
                std::min<Value>(static_cast<Value>(kLanes), last - first + 1));
            if (!has_patience(kBlockWork + kStepWork * ready_.steps + count * ready_.effort)) {
                return false;
            }
            std::iota(numbers, numbers + count, first);
            first += static_cast<Value>(count);
            lane_slot_ = series == nullptr ? kNoSlot : kSeriesSlot;
            begin_lanes(numbers, count);
            const std::size_t begin = scratch_.rows.size();
            scratch_.rows.resize(begin + count * ready_.entries);
            for (std::size_t i = 0; i < ready_.entries; ++i) {
                const Operand value = evaluate(clause_.results[entry + i], temporary_ + 1);
                if (fails_) return false;
                for (std::size_t j = 0; j < count; ++j) {
                    const Value number =
                        value.column == nullptr ? value.scalar : value.column[j];
                    if (number < 0 || lane_fails_[j]) return false;
                    scratch_.rows[begin + j * ready_.entries + i] = static_cast<Number>(number);
                }
            }
        }
        return true;
    }

    void sort_heaps(std::span<Number> row) const {
        if (row.size() == 2 && ready_.entries == 1) {
            const auto [less, more] = std::minmax(row[0], row[1]);
            const Number first = less;
            row[1] = more;
            row[0] = first;
            return;
        }
        if (ready_.entries == 1) {
            std::ranges::sort(row);
            return;
        }
        const std::size_t entries = ready_.entries;
        const auto heap = [&](std::size_t i) { return row.subspan(i * entries, entries); };
        std::vector<std::size_t> order(row.size() / entries);
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
            return std::ranges::lexicographical_compare(heap(a), heap(b));
        });
        std::vector<Number> sorted;
        for (const std::size_t i : order) {
            sorted.insert(sorted.end(), heap(i).begin(), heap(i).end());
        }
        std::ranges::copy(sorted, row.begin());
    }

    const Code& code_;
    const ReadyClause& ready_;
    const Clause& clause_;
    const VisitMoves& visit_;
    const VisitRange& visit_range_;
    Scratch& scratch_;
    const Value largest_;
    const bool is_checked_;  // may something overflow?
    const bool is_small_;
    const std::size_t width_;
    const std::size_t block_;
    std::size_t temporary_ = 0;  // the first column that no loop has
    std::size_t work_ = 0;
    bool is_stopped_ = false;  // by the visitor

    // The lanes that evaluate() works on.
    std::uint32_t lane_slot_ = kNoSlot;
    const Value* lanes_ = nullptr;
    std::size_t count_ = 0;
    bool fails_ = false;
    std::array<bool, kLanes> lane_fails_{};
    std::vector<Operand> stack_;
};

}  // namespace

bool visit_bindings(const Code& code, const ReadyClause& ready, std::span<const Number> heap,
                    std::span<const Number> parameters, const VisitMoves& visit,
                    const VisitRange& visit_range) {
    Borrowed scratch;
    return Run(code, ready, heap, parameters, visit, visit_range, *scratch).run();
}

}  // namespace engine::rules
