#include "engine/sums/retrograde.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <span>

#include "engine/base/cache.hpp"
#include "engine/base/sort_in_pieces.hpp"
#include "engine/sums/solution.hpp"

namespace engine {
namespace {

using SumIndex = SequencePool::Index;
using Verdict = Retrograde::Verdict;

constexpr std::size_t kFirstPlayBack = 64;  // sums; then at each doubling
constexpr std::size_t kPollWork = 1 << 14;  // items looked at
// A win found much deeper than the moves explored so far need not be the quickest one. Then the
// search goes on, up to this multiple of the sums explored.
constexpr std::size_t kPatience = 4;

// The sum after a move of one of its heaps, `from`.
void replace(std::span<const HeapPool::Index> sum, HeapPool::Index from,
             std::span<const HeapPool::Index> result, std::vector<HeapPool::Index>& out) {
    out.clear();
    const auto gone = std::ranges::lower_bound(sum, from);
    out.insert(out.end(), sum.begin(), gone);
    out.insert(out.end(), gone + 1, sum.end());
    const auto middle = static_cast<std::ptrdiff_t>(out.size());
    out.insert(out.end(), result.begin(), result.end());
    std::inplace_merge(out.begin(), out.begin() + middle, out.end());
}

}  // namespace

// One pass from the ends of play back, through the sums explored so far.
class Retrograde::PlayBack {
  public:
    PlayBack(const Retrograde& sums, const Budget& budget)
        : sums_(sums), poll_(budget, kPollWork) {}

    // False where the budget or the memory ends.
    bool run() {
        constexpr std::size_t kBytes = 2 * sizeof(std::uint64_t) + sizeof(std::uint32_t) +
                                       sizeof(SumIndex) + sizeof(Verdict);
        const std::size_t bytes =
            (sums_.size() + 1) * kBytes + sums_.targets_.size() * sizeof(SumIndex);
        return memory_.resize(bytes) && find_sources() && decide() && find_draws();
    }
    LongArray<Verdict> take() { return std::move(verdicts_); }

  private:
    std::span<const SumIndex> targets(SumIndex sum) const {
        const std::uint64_t first = sums_.first_[sum];
        return {sums_.targets_.data() + first, sums_.first_[sum + 1] - first};
    }
    std::span<const SumIndex> sources(SumIndex sum) const {
        return {sources_.data() + first_[sum], first_[sum + 1] - first_[sum]};
    }
    // Are there moves that were not looked at?
    bool is_open_ended(SumIndex sum) const {
        return sum >= sums_.listed_ || sums_.cut_sums_[sum];
    }
    bool is_open(SumIndex sum) const { return verdicts_[sum].outcome == Outcome::Unknown; }

    // The sums from which a move leads to each sum, by counting sort.
    bool find_sources() {
        first_ = LongArray<std::uint64_t>(sums_.size() + 1);
        for (const SumIndex target : sums_.targets_) {
            ++first_[target];
            if (poll_.is_spent(1)) return false;
        }
        for (std::size_t i = 0, sum = 0; i <= sums_.size(); ++i) {
            first_[i] = sum += first_[i];
            if (poll_.is_spent(1)) return false;
        }
        sources_ = LongArray<SumIndex>(sums_.targets_.size());
        for (SumIndex sum = 0; sum < sums_.listed_; ++sum) {
            for (const SumIndex target : targets(sum)) sources_[--first_[target]] = sum;
            if (poll_.is_spent(1 + targets(sum).size())) return false;
        }
        return true;
    }

    // Decides N and P in the order of remoteness. An open-ended sum is never P.
    bool decide() {
        verdicts_ = LongArray<Verdict>(sums_.size());
        LongArray<std::uint32_t> waits(sums_.size());
        for (SumIndex sum = 0; sum < sums_.size(); ++sum) {
            if (poll_.is_spent(1)) return false;
            verdicts_[sum] = Verdict();
            if (is_open_ended(sum)) {
                waits[sum] = UINT32_MAX;
                continue;
            }
            waits[sum] = static_cast<std::uint32_t>(targets(sum).size());
            if (waits[sum] > 0) continue;
            verdicts_[sum].outcome = sums_.misere_ ? Outcome::N : Outcome::P;
            queue_.push_back(sum);
        }
        for (std::size_t i = 0; i < queue_.size(); ++i) {
            const auto [outcome, remoteness] = verdicts_[queue_[i]];
            for (const SumIndex source : sources(queue_[i])) {
                if (!is_open(source)) continue;
                if (outcome == Outcome::N && --waits[source] > 0) continue;
                const Outcome before = outcome == Outcome::N ? Outcome::P : Outcome::N;
                verdicts_[source] = {before, remoteness + 1};
                queue_.push_back(source);
            }
            if (poll_.is_spent(1 + sources(queue_[i]).size())) return false;
        }
        return true;
    }

    // Sums that are still open are draws, unless play can lead to an open-ended one.
    bool find_draws() {
        std::vector<bool> doubtful(sums_.size());
        queue_.clear();
        const auto doubt = [&](SumIndex sum) {
            if (!is_open(sum) || doubtful[sum]) return;
            doubtful[sum] = true;
            queue_.push_back(sum);
        };
        for (SumIndex sum = 0; sum < sums_.size(); ++sum) {
            if (is_open_ended(sum)) doubt(sum);
            if (poll_.is_spent(1)) return false;
        }
        for (std::size_t i = 0; i < queue_.size(); ++i) {
            std::ranges::for_each(sources(queue_[i]), doubt);
            if (poll_.is_spent(1 + sources(queue_[i]).size())) return false;
        }
        for (SumIndex sum = 0; sum < sums_.size(); ++sum) {
            if (is_open(sum) && !doubtful[sum]) verdicts_[sum].outcome = Outcome::D;
            if (poll_.is_spent(1)) return false;
        }
        return true;
    }

    const Retrograde& sums_;
    BudgetPoll poll_;
    Reservation memory_;
    LongArray<std::uint64_t> first_;
    LongArray<SumIndex> sources_;
    LongArray<SumIndex> queue_;
    LongArray<Verdict> verdicts_;
};

Retrograde::Retrograde(const Game& game, Goal goal, const Budget& budget)
    : misere_(game.is_misere()) {
    const auto& components = game.position().components;
    for (std::size_t i = 0; i < components.size(); ++i) {
        const std::string& text = components[i].ruleset.text;
        const auto known = std::ranges::find(rulesets_, text);
        const auto number = static_cast<std::size_t>(known - rulesets_.begin());
        if (number == rulesets_.size()) {
            rulesets_.push_back(text);
            heaps_.add_ruleset(game.ruleset(i));
        }
        for (const Heap& heap : components[i].heaps) {
            Key live;
            if (!heaps_.intern_parts(number, heap, live)) return;
        }
    }
    if (const auto key = key_of(game.position())) root_ = sums_.intern(*key);
    if (root_) explore(goal, budget);
}

std::optional<Retrograde::Key> Retrograde::key_of(const Position& position,
                                                  const Move* move) const {
    Key key;
    std::size_t heap_number = 0;
    for (const auto& component : position.components) {
        const auto ruleset = std::ranges::find(rulesets_, component.ruleset.text);
        if (ruleset == rulesets_.end()) return std::nullopt;
        const auto number = static_cast<std::size_t>(ruleset - rulesets_.begin());
        for (const Heap& heap : component.heaps) {
            std::span<const Heap> heaps(&heap, 1);
            if (++heap_number == (move != nullptr ? move->heap : 0)) heaps = move->result;
            for (const Heap& each : heaps) {
                if (!heaps_.find_parts(number, each, key)) return std::nullopt;
            }
        }
    }
    std::ranges::sort(key);
    return key;
}

Retrograde::Verdict Retrograde::verdict(const Position& position, const Move* move) const {
    const bool misere = position.convention == Convention::Misere;
    const auto key = misere == misere_ ? key_of(position, move) : std::nullopt;
    return key ? verdict_of(sums_.find(*key)) : Verdict{};
}

void Retrograde::explore(Goal goal, const Budget& budget) {
    std::size_t layer_end = sums_.size();
    std::size_t next_play_back = kFirstPlayBack;
    std::size_t most = SIZE_MAX;
    BudgetPoll poll(budget, kPollWork);
    while (listed_ < std::min<std::size_t>(sums_.size(), most) && sums_.size() < kMostSums) {
        if (listed_ == layer_end) {
            ++depth_;
            layer_end = sums_.size();
        }
        if (!list_moves(listed_, budget, poll)) {
            if (budget.is_spent()) return;
            break;  // memory is short
        }
        ++listed_;
        if (listed_ < next_play_back) continue;
        next_play_back = 2 * listed_;
        if (!play_back(budget)) return;
        if (!is_settled(goal)) continue;
        if (verdict().outcome == Outcome::D || verdict().remoteness <= depth_) return;
        most = std::min(most, listed_ * kPatience);
    }
    play_back(budget);
}

bool Retrograde::is_settled(Goal goal) const {
    if (verdict().outcome == Outcome::Unknown) return false;
    if (goal == Goal::Outcome) return true;
    return std::all_of(
        targets_.begin(), targets_.begin() + static_cast<std::ptrdiff_t>(first_[1]),
        [this](SumIndex sum) { return verdict_of(sum).outcome != Outcome::Unknown; });
}

bool Retrograde::list_moves(SumIndex sum, const Budget& budget, BudgetPoll& poll) {
    const Key key(sums_[sum].begin(), sums_[sum].end());
    bool cut = false;
    Key next;
    std::vector<SumIndex> found;
    for (std::size_t i = 0; i < key.size(); ++i) {
        if (i > 0 && key[i] == key[i - 1]) continue;
        if (!heaps_.list_moves(key[i], budget)) return false;
        cut = cut || heaps_.is_cut(key[i]);
        for (std::size_t move = 0; move < heaps_.move_count(key[i]); ++move) {
            replace(key, key[i], heaps_.result(key[i], move), next);
            const auto target = sums_.intern(next);
            if (!target) return false;
            found.push_back(*target);
            if (poll.is_spent(8 + key.size())) return false;
        }
    }
    if (!sort_in_pieces(found, std::less<>(), [&] { return budget.is_spent(); })) return false;
    found.erase(std::unique(found.begin(), found.end()), found.end());
    if (!make_room(targets_, found.size(), memory_) || !make_room(first_, 2, memory_)) {
        return false;
    }
    if (first_.size() == 0) first_.push_back(0);
    targets_.append(found);
    first_.push_back(targets_.size());
    cut_sums_.push_back(cut);
    is_cut_ = is_cut_ || cut;
    return true;
}

bool Retrograde::play_back(const Budget& budget) {
    PlayBack back(*this, budget);
    if (!back.run()) return false;
    verdicts_ = back.take();
    played_back_ = listed_;
    return true;
}

// ---- as a solution, where positions can recur and labels do not decide who wins ----

namespace {

using SolvedSums = Cache<const Retrograde*, const Retrograde>;

SolvedSums& solved_sums() {
    static SolvedSums tables(8, Memory::kMaxMegabytes << 20);
    return tables;
}

// A table that knows all that is asked of the position. Where not all could be explored, that
// is how to win it.
std::shared_ptr<const Retrograde> find_table(const Position& position, Aim aim) {
    return solved_sums().find_if([&](const Retrograde& table) {
        const Outcome outcome = table.verdict(position).outcome;
        return table.is_complete() ? outcome != Outcome::Unknown
                                   : outcome == Outcome::N && aim == Aim::Winner;
    });
}

class RetrogradeSolution : public JudgedSolution {
  public:
    // The latest tables that were finished are kept for the process and asked first: most
    // positions of a game are in the table of an earlier one.
    RetrogradeSolution(const Game& game, const Budget& budget, Aim aim)
        : JudgedSolution(game, budget), table_(find_table(game.position(), aim)) {
        if (table_) return;
        const auto goal =
            aim == Aim::Winner ? Retrograde::Goal::Outcome : Retrograde::Goal::EveryMove;
        table_ = std::make_shared<const Retrograde>(game, goal, budget);
        if (outcome() != Outcome::Unknown) solved_sums().add(table_.get(), table_, 0);
    }

    Outcome outcome() const override { return table_->verdict(game_.position()).outcome; }

    Outcome outcome_after(const Move& move, const Budget&) const override {
        return judge_after(move).outcome;
    }

    std::string reason() const override {
        const std::string seen = std::to_string(table_->size()) + " sums that can be reached";
        if (outcome() == Outcome::Unknown) return "time or memory ended among the " + seen;
        const auto remoteness = table_->verdict(game_.position()).remoteness;
        const std::string back = "going back from the ends of play through the " + seen;
        if (outcome() == Outcome::D) return back + ", neither player can force an end";
        return back + ", the end can be forced in " + std::to_string(remoteness) + " moves" +
               (table_->is_complete() ? "" : " or fewer");
    }

  private:
    bool tells_remoteness() const override { return true; }

    Judgement judge_after(const Move& move) const override {
        const auto verdict = table_->verdict(game_.position(), &move);
        return {verdict.outcome, verdict.remoteness};
    }

    std::shared_ptr<const Retrograde> table_;
};

}  // namespace

std::unique_ptr<Solution> solve_backwards(const Game& game, const Budget& budget, Aim aim) {
    return std::make_unique<RetrogradeSolution>(game, budget, aim);
}

}  // namespace engine
