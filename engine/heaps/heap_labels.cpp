// Labels all heaps that can be reached from one, each component after those it leads to.
//
// walk() is Tarjan's depth-first search over the heaps of the pool. When a component is
// complete, label() chooses: if no move splits a heap so that a part can come back, the
// component is a graph for find_smith_labels() (label_graph), and labels found before are
// vertices of it; else nimbers are proven answer by answer (label_by_answers).
//
// All of it is coroutines (Steps) that pause after a thousand moves. Running out of budget
// thus loses no work: the next call for the same heap resumes the walk.
#include "engine/heaps/heap_labels.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <vector>

#include "engine/base/sequence_pool.hpp"
#include "engine/base/steps.hpp"
#include "engine/base/turn.hpp"
#include "engine/heaps/heap_pool.hpp"
#include "engine/heaps/smith_labels.hpp"

namespace engine {
namespace {

constexpr std::size_t kStepMoves = 1 << 10;  // moves
constexpr std::size_t kMostHopeless = 1024;

}  // namespace

// For one thread. A call costs some 100 ns for each move of each heap that was not met before.
class HeapLabels::Exploration {
  public:
    // Heaps from which more heaps than this can be reached have no known label.
    static constexpr std::size_t kMostHeaps = std::size_t{1} << 20;
    // Counters end here: only play of such a length comes to larger ones.
    static constexpr std::uint64_t kMostCounter = std::uint64_t{1} << 40;

    explicit Exploration(std::shared_ptr<const Ruleset> rules) {
        heaps_.add_ruleset(std::move(rules));
    }

    // Whether the results of the other functions for the heap are final; TooMany: memory or
    // kMostHeaps is exhausted. An interrupted call is resumed by the next one for the same
    // heap; heaps labelled meanwhile stay labelled.
    enum class End { Final, Interrupted, TooMany };
    End explore(const Heap& heap, const Budget& budget) {
        const Entry* known = entry_of(heap);
        if (known != nullptr && known->state != State::Open) return End::Final;
        const auto root = heaps_.intern(0, heap);
        if (!root) return End::TooMany;
        if (*root == HeapPool::kDead) return End::Final;
        if (root_ != root) {
            forget_walk();
            root_ = root;
            steps_ = walk(*root);
        }
        budget_ = &budget;
        const bool done = steps_->run(budget);
        budget_ = nullptr;
        if (!done) return End::Interrupted;
        forget_walk();
        return too_many_ ? End::TooMany : End::Final;
    }

    // nullopt: no label, or not known yet.
    std::optional<Nimber> nimber(const Heap& heap) const {
        const Entry* entry = entry_of(heap);
        if (entry == nullptr || entry->state != State::Labelled) return std::nullopt;
        if (entry->label.is_finite()) return finite(entry->label.value);
        const auto set = sets_[entry->label.set];
        return Loopy{{set.begin(), set.end()}, {}};
    }

    // 0 where there is no finite label, or none that is known. Saturates at kMostCounter.
    std::uint64_t counter(const Heap& heap) const {
        const Entry* entry = entry_of(heap);
        return entry == nullptr || entry->counter == kNoCounter ? 0 : entry->counter;
    }

  private:
    using Index = HeapPool::Index;

    // Finite, or infinite with a set of finite labels in `sets_`.
    struct Label {
        std::uint32_t value = 0;  // SmithLabels::kInfinite: see `set`
        SequencePool::Index set = 0;

        bool is_finite() const { return value != SmithLabels::kInfinite; }
        friend auto operator<=>(const Label&, const Label&) = default;
    };
    static constexpr std::uint64_t kNoCounter = UINT64_MAX;
    enum class State : std::uint8_t { Open, Labelled, Unlabelled };
    struct Entry {
        State state = State::Open;
        std::uint32_t place = 0;  // 1 + where it is on the stack, if it is
        Label label;
        std::uint64_t counter = kNoCounter;
    };

    // A heap on the current path, and the part of a move to visit next.
    struct Frame {
        Index heap = 0;
        std::uint32_t lowest = 0;  // place on the stack that was found to be reached
        std::uint32_t move = 0;
        std::uint32_t part = 0;
    };
    // Heaps that can come back to each other, and the labels they lead to, as a graph: a vertex
    // for each heap, then one for each label.
    struct Component {
        std::span<const Index> heaps;
        std::vector<Label> labels;
        std::map<Label, std::uint32_t> vertices;  // of the labels
        std::vector<std::uint64_t> first{0};
        std::vector<std::uint32_t> targets;
        std::vector<GivenLabel> given;

        GraphView view() const { return {first, targets}; }
        std::uint32_t vertex(const Label& label) {
            const auto next = static_cast<std::uint32_t>(heaps.size() + labels.size());
            const auto [found, is_new] = vertices.try_emplace(label, next);
            if (is_new) labels.push_back(label);
            return found->second;
        }
    };

    // How far the proof that a heap has a nimber has come: its first `move` moves are done.
    struct Proof {
        enum class State : std::uint8_t { Unfinished, Stuck, Done };

        std::uint32_t value = 0;
        State state = State::Unfinished;
        std::size_t move = 0;
        std::uint64_t most = 0;  // sum of counters after any of these, and the answer
    };
    // The sum of heaps with finite labels.
    struct Total {
        std::uint32_t value = 0;
        std::uint64_t counter = 0;
    };

    const Entry* entry_of(const Heap& heap) const {
        static const Entry dead{State::Labelled, 0, {}, 0};
        const auto index = heaps_.find(0, heap);
        if (!index) return nullptr;
        if (*index == HeapPool::kDead) return &dead;
        return *index < entries_.size() ? &entries_[*index] : nullptr;
    }

    void forget_walk() {
        for (const Index heap : stack_) entries_[heap].place = 0;
        stack_.clear();
        frames_.clear();
        steps_.reset();
        root_.reset();
    }

    // ---- the walk ----

    // Depth first, with a stack of its own (Tarjan 1972). Places on the stack serve as his
    // numbers.
    Steps walk(Index root) {
        too_many_ = false;
        std::optional<Index> next = root;
        for (;;) {
            if (next && *next < entries_.size() && entries_[*next].place != 0) {
                lower(entries_[*next].place);
            } else if (next) {
                while (!enter(*next)) {
                    if (too_many_) co_return;
                    co_await std::suspend_always();
                }
            } else {
                const Frame done = frames_.back();
                frames_.pop_back();
                if (!frames_.empty()) lower(done.lowest);
                if (done.lowest == entries_[done.heap].place) {
                    Steps labelling = label(done.lowest - 1);
                    while (!labelling.step()) co_await std::suspend_always();
                    if (too_many_) co_return;
                    stack_.resize(done.lowest - 1);
                }
            }
            if (frames_.empty()) co_return;
            next = next_part(frames_.back());
            if (has_worked(0)) co_await std::suspend_always();
        }
    }

    // False where the budget ends, or there are too many heaps.
    bool enter(Index heap) {
        if (!heaps_.list_moves(heap, *budget_)) {
            too_many_ = !budget_->is_spent();
            return false;
        }
        const std::size_t more = heaps_.size() - entries_.size();
        if (heaps_.size() > kMostHeaps || !make_room(entries_, more, memory_) ||
            !make_room(frames_, 1, memory_) || !make_room(stack_, 1, memory_)) {
            too_many_ = true;
            return false;
        }
        entries_.resize(heaps_.size());
        stack_.push_back(heap);
        entries_[heap].place = static_cast<std::uint32_t>(stack_.size());
        entries_[heap].counter = kNoCounter;
        frames_.push_back({heap, entries_[heap].place});
        for (std::size_t move = 0; move < heaps_.move_count(heap) && !splits_; ++move) {
            splits_ = heaps_.result(heap, move).size() > 1;
        }
        work_ += 1 + heaps_.move_count(heap);
        return true;
    }

    void lower(std::uint32_t place) {
        frames_.back().lowest = std::min(frames_.back().lowest, place);
    }

    std::optional<Index> next_part(Frame& frame) const {
        for (; frame.move < heaps_.move_count(frame.heap); ++frame.move, frame.part = 0) {
            const auto parts = heaps_.result(frame.heap, frame.move);
            while (frame.part < parts.size()) {
                const Index part = parts[frame.part++];
                if (entries_[part].state == State::Open) return part;
            }
        }
        return std::nullopt;
    }

    // ---- a component ----

    // Labels the heaps on the stack from `begin` on.
    Steps label(std::size_t begin) {
        Component component;
        component.heaps = std::span(stack_).subspan(begin);
        bool is_graph = true;
        for (const Index heap : component.heaps) {
            is_graph = is_graph && is_vertex(heap);
            if (has_worked(1 + heaps_.move_count(heap))) co_await std::suspend_always();
        }
        Steps labelling =
            is_graph ? label_graph(component, begin) : label_by_answers(component);
        while (!labelling.step()) co_await std::suspend_always();
    }

    // Whether the work since the last pause is enough for one step.
    bool has_worked(std::size_t moves) {
        work_ += moves;
        if (work_ < kStepMoves) return false;
        work_ = 0;
        return true;
    }

    // Are all parts of all moves labelled, or single heaps of the component itself?
    bool is_vertex(Index heap) const {
        for (std::size_t move = 0; move < heaps_.move_count(heap); ++move) {
            const auto parts = heaps_.result(heap, move);
            for (const Index part : parts) {
                const State state = entries_[part].state;
                if (state == State::Unlabelled) return false;
                if (state == State::Open && parts.size() > 1) return false;
            }
        }
        return !heaps_.is_cut(heap);
    }

    Steps label_graph(Component& component, std::size_t begin) {
        Reservation memory;
        for (const Index heap : component.heaps) {
            too_many_ = !add_edges(component, heap, begin);
            if (too_many_) co_return;
            if (has_worked(1 + heaps_.move_count(heap))) co_await std::suspend_always();
        }
        // These add others, of finite labels.
        for (std::size_t i = 0; i < component.labels.size(); ++i) {
            if (has_worked(add_label(component, i))) co_await std::suspend_always();
        }
        too_many_ = !memory.resize(smith_labelling_bytes(component.view()));
        if (too_many_) co_return;
        std::optional<SmithLabels> found;
        Steps labelling = find_smith_labels(component.view(), component.given, found);
        while (!labelling.step()) co_await std::suspend_always();
        const SmithLabels& labels = *found;
        for (std::uint32_t v = 0; v < component.heaps.size(); ++v) {
            too_many_ = !store(component, labels, v);
            if (too_many_) co_return;
            if (has_worked(1 + heaps_.move_count(component.heaps[v]))) {
                co_await std::suspend_always();
            }
        }

        // Counters, in the order in which the labels were found.
        std::vector<std::uint32_t> order;
        for (std::uint32_t v = 0; v < component.heaps.size(); ++v) {
            if (labels.is_finite(v)) order.push_back(v);
        }
        std::ranges::sort(order, {}, [&](std::uint32_t v) { return labels.counter(v); });
        for (const std::uint32_t v : order) {
            const Index heap = component.heaps[v];
            entries_[heap].counter = splits_ ? counter_of(heap) : next_counter_++;
            if (has_worked(1 + heaps_.move_count(heap))) co_await std::suspend_always();
        }
        for (const Index heap : component.heaps) entries_[heap].state = State::Labelled;
    }

    bool add_edges(Component& component, Index heap, std::size_t begin) {
        for (std::size_t move = 0; move < heaps_.move_count(heap); ++move) {
            const auto parts = heaps_.result(heap, move);
            if (parts.size() == 1 && entries_[parts.front()].state == State::Open) {
                const std::size_t place = entries_[parts.front()].place - 1;
                component.targets.push_back(static_cast<std::uint32_t>(place - begin));
                continue;
            }
            const auto label = sum_of(parts);
            if (!label) return false;
            component.targets.push_back(component.vertex(*label));
        }
        component.first.push_back(component.targets.size());
        return true;
    }

    // inf{K} is the label of a vertex with an edge to itself and one to each label of K. Gives
    // how many edges there are.
    std::size_t add_label(Component& component, std::size_t index) {
        const std::size_t before = component.targets.size();
        const auto self = static_cast<std::uint32_t>(component.heaps.size() + index);
        const Label label = component.labels[index];
        if (label.is_finite()) {
            component.given.push_back({self, label.value});
        } else {
            component.targets.push_back(self);
            for (const std::uint32_t value : sets_[label.set]) {
                component.targets.push_back(component.vertex({value}));
            }
        }
        component.first.push_back(component.targets.size());
        return 1 + component.targets.size() - before;
    }

    bool store(const Component& component, const SmithLabels& labels, std::uint32_t vertex) {
        Label label{labels.value(vertex)};
        if (!label.is_finite()) {
            const auto values = labels.finite_options(component.view(), vertex);
            const auto set =
                sets_.intern(std::vector<std::uint32_t>(values.begin(), values.end()));
            if (!set) return false;
            label.set = *set;
        }
        entries_[component.heaps[vertex]].label = label;
        return true;
    }

    // The label of a sum of labelled heaps; nullopt: memory is short.
    std::optional<Label> sum_of(std::span<const Index> parts) {
        std::uint32_t value = 0;
        std::size_t infinite = 0;
        std::vector<std::uint32_t> values;
        for (const Index part : parts) {
            const Label& label = entries_[part].label;
            if (label.is_finite()) {
                value ^= label.value;
            } else {
                const auto set = sets_[label.set];
                if (++infinite == 1) values.assign(set.begin(), set.end());
            }
        }
        if (infinite == 0) return Label{value};
        if (infinite > 1) values.clear();
        for (std::uint32_t& each : values) each ^= value;
        std::ranges::sort(values);
        const auto set = sets_.intern(values);
        if (!set) return std::nullopt;
        return Label{SmithLabels::kInfinite, *set};
    }

    // ---- heaps that split into heaps that can come back to them ----

    // A heap has the nimber m if it has moves to all smaller nimbers, and each of its other
    // moves has an answer to m, where every sum that is met consists of heaps whose nimbers
    // were found before. Then the second player wins the heap together with a nim heap of size
    // m: play goes to heaps found ever earlier, and so ends. To win that sum is what it means
    // to have nimber m in every sum. Rounds through the open heaps, forwards and backwards in
    // turn, go on until one finds nothing.
    Steps label_by_answers(const Component& component) {
        Reservation memory;
        too_many_ = !memory.resize(component.heaps.size() * (sizeof(Index) + sizeof(Proof)));
        if (too_many_) co_return;
        std::vector<Index> open(component.heaps.rbegin(), component.heaps.rend());
        std::vector<Proof> proofs(open.size());
        for (bool found = true; found;) {
            found = false;
            std::size_t left = 0;
            for (std::size_t i = 0; i < open.size(); ++i) {
                Proof& proof = proofs[i];
                start(proof, open[i]);
                while (proof.state == Proof::State::Unfinished) {
                    go_on(proof, open[i]);
                    if (has_worked(1)) co_await std::suspend_always();
                }
                if (proof.state == Proof::State::Done) {
                    settle(open[i], proof);
                    found = true;
                    continue;
                }
                proofs[left] = proof;
                open[left++] = open[i];
                if (has_worked(1)) co_await std::suspend_always();
            }
            open.resize(left);
            proofs.resize(left);
            std::ranges::reverse(open);
            std::ranges::reverse(proofs);
        }
        for (const Index heap : open) entries_[heap].state = State::Unlabelled;
    }

    // Looks for the least nimber that no move is known to leave. If it is the same as in the
    // round before, the proof resumes at the move that had no answer.
    void start(Proof& proof, Index heap) {
        std::vector<bool> seen(heaps_.move_count(heap) + 1);
        for (std::size_t move = 0; move < heaps_.move_count(heap); ++move) {
            const auto total = finite_sum(heaps_.result(heap, move), {});
            if (total && total->value < seen.size()) seen[total->value] = true;
        }
        work_ += seen.size();
        const auto mex =
            static_cast<std::uint32_t>(std::ranges::find(seen, false) - seen.begin());
        if (mex != proof.value) proof = {mex};
        proof.state = heaps_.is_cut(heap) ? Proof::State::Stuck : Proof::State::Unfinished;
    }

    void go_on(Proof& proof, Index heap) {
        if (proof.move == heaps_.move_count(heap)) {
            proof.state = Proof::State::Done;
            return;
        }
        const auto parts = heaps_.result(heap, proof.move);
        const auto total = finite_sum(parts, {});
        const auto after = total && total->value < proof.value
                               ? total->counter
                               : counter_of_answer(parts, proof.value, proof.most);
        if (!after) {
            proof.state = Proof::State::Stuck;
            return;
        }
        proof.most = std::max(proof.most, *after);
        ++proof.move;
    }

    void settle(Index heap, const Proof& proof) {
        Entry& entry = entries_[heap];
        entry.label = {proof.value};
        entry.counter = splits_ ? saturated(proof.most + 1) : next_counter_++;
        entry.state = State::Labelled;
    }

    // ---- counters ----

    static std::uint64_t saturated(std::uint64_t counter) {
        return std::min(counter, kMostCounter);
    }

    // One more than the largest counter after a move to a smaller label, or after the best
    // answer to any other move.
    std::uint64_t counter_of(Index heap) {
        Proof proof{entries_[heap].label.value};
        while (proof.state == Proof::State::Unfinished) go_on(proof, heap);
        return proof.state == Proof::State::Done ? saturated(proof.most + 1) : kMostCounter;
    }

    // nullopt: not all parts have a nimber and a counter.
    std::optional<Total> finite_sum(std::span<const Index> parts, Total total) const {
        for (const Index part : parts) {
            const Entry& entry = entries_[part];
            if (entry.counter == kNoCounter) return std::nullopt;
            total.value ^= entry.label.value;
            total.counter = saturated(total.counter + entry.counter);
        }
        return total;
    }

    // The least sum of counters after a move of these parts to a sum of this value, or any that
    // is no more than `enough`; nullopt: there is no such move.
    std::optional<std::uint64_t> counter_of_answer(std::span<const Index> parts,
                                                   std::uint32_t value, std::uint64_t enough) {
        std::optional<std::uint64_t> least;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            auto rest = finite_sum(parts.first(i), {});
            if (rest) rest = finite_sum(parts.subspan(i + 1), *rest);
            if (!rest || !heaps_.is_listed(parts[i])) continue;
            work_ += heaps_.move_count(parts[i]);
            for (std::size_t move = 0; move < heaps_.move_count(parts[i]); ++move) {
                const auto total = finite_sum(heaps_.result(parts[i], move), *rest);
                if (!total || total->value != value) continue;
                if (!least || total->counter < *least) least = total->counter;
                if (*least <= enough) return least;
            }
        }
        return least;
    }

    HeapPool heaps_;
    SequencePool sets_;  // the K of each inf{K}
    Reservation memory_;
    std::vector<Entry> entries_;
    std::uint64_t next_counter_ = 1;  // while no move was seen that leaves two live heaps
    bool splits_ = false;             // such a move was seen

    // The walk in progress, if any.
    std::optional<Index> root_;
    std::optional<Steps> steps_;
    const Budget* budget_ = nullptr;
    bool too_many_ = false;
    std::size_t work_ = 0;
    std::vector<Frame> frames_;
    std::vector<Index> stack_;  // not yet labelled
};

// ---- for several threads ----

HeapLabels::HeapLabels(std::shared_ptr<const Ruleset> rules)
    : rules_(std::move(rules)), exploration_(std::make_unique<Exploration>(rules_)) {}

HeapLabels::~HeapLabels() = default;

std::unique_lock<std::timed_mutex> HeapLabels::explore(const Heap& heap,
                                                       const Budget& budget) const {
    auto lock = take_turn(mutex_, budget);
    if (!lock) return lock;
    if (hopeless_.contains(heap)) return lock;
    if (exploration_->explore(heap, budget) == Exploration::End::TooMany) {
        exploration_ = std::make_unique<Exploration>(rules_);
        if (hopeless_.size() == kMostHopeless) hopeless_.clear();
        hopeless_.insert(heap);
    }
    return lock;
}

std::optional<Nimber> HeapLabels::nimber(const Heap& heap, const Budget& budget) const {
    const auto lock = explore(heap, budget);
    if (!lock.owns_lock()) return std::nullopt;
    return exploration_->nimber(heap);
}

std::uint64_t HeapLabels::counter(const Heap& heap, const Budget& budget) const {
    const auto lock = explore(heap, budget);
    return lock.owns_lock() ? exploration_->counter(heap) : 0;
}

}  // namespace engine
