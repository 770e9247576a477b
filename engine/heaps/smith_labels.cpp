#include "engine/heaps/smith_labels.hpp"

#include <algorithm>
#include <array>

namespace engine {
namespace {

constexpr std::size_t kStepWork = 1 << 16;  // a fraction of a millisecond
constexpr std::uint32_t kAhead = 8;         // vertices

// Each stage settles what it can, until all vertices are labelled.
class SmithLabelling {
  public:
    SmithLabelling(const GraphView& graph, const std::vector<GivenLabel>& given)
        : graph_(graph), values_(graph.size(), kOpen), counters_(graph.size()) {
        for (const auto& [vertex, label] : given) values_[vertex] = label;
    }
    SmithLabelling(const SmithLabelling&) = delete;
    SmithLabelling& operator=(const SmithLabelling&) = delete;

    Steps label() {
        using Stage = Steps (SmithLabelling::*)();
        static constexpr std::array<Stage, 5> kStages{
            &SmithLabelling::settle_in_given_order, &SmithLabelling::settle_in_found_order,
            &SmithLabelling::list_predecessors, &SmithLabelling::settle_before_cycles,
            &SmithLabelling::label_by_level};
        const std::uint32_t size = graph_.size();
        for (const Stage stage : kStages) {
            for (Steps steps = (this->*stage)(); !steps.step();) co_await std::suspend_always();
            if (settled_ == size) co_return;
        }
    }

    SmithLabels take() { return {std::move(values_), std::move(counters_)}; }

  private:
    using Vertex = std::uint32_t;
    static constexpr std::uint32_t kOpen = SmithLabels::kInfinite - 1;  // not yet labelled

    // Without cycles there is an order in which each vertex comes before its options;
    // backwards, it is all that is needed. It may be the one given, which costs one look at
    // each edge.
    Steps settle_in_given_order() {
        const std::uint32_t size = graph_.size();
        for (Vertex v = 0; v < size; ++v) {
            const auto options = graph_.options(v);
            work_ += 1 + options.size();
            if (!std::ranges::all_of(options, [v](Vertex o) { return o > v; })) co_return;
            if (is_step_done()) co_await std::suspend_always();
        }
        for (Vertex v = size; v-- > 0;) {
            if (v >= kAhead) fetch_labels(v - kAhead);
            settle_acyclic(v);
            if (is_step_done()) co_await std::suspend_always();
        }
    }

    // Else it is found by counting for how many others each vertex waits (Kahn 1962).
    Steps settle_in_found_order() {
        const std::uint32_t size = graph_.size();
        first_.resize(size + 1);
        for (Vertex v = 0; v < size; ++v) {
            for (const Vertex option : graph_.options(v)) ++first_[option];
            work_ += 1 + graph_.options(v).size();
            if (is_step_done()) co_await std::suspend_always();
        }
        waits_ = first_;
        ready_.reserve(size);
        for (Vertex v = 0; v < size; ++v) {
            if (waits_[v] == 0) ready_.push_back(v);
        }
        for (std::size_t i = 0; i < ready_.size(); ++i) {
            fetch_options(i, 1);
            take_from_order(ready_[i]);
            if (is_step_done()) co_await std::suspend_always();
        }
        if (ready_.size() < size) co_return;
        for (std::size_t i = size; i-- > 0;) {
            fetch_options(i, -1);
            settle_acyclic(ready_[i]);
            if (is_step_done()) co_await std::suspend_always();
        }
    }

    // With cycles, predecessors are needed: the counts summed up to the end of each list, the
    // lists filled from their ends.
    Steps list_predecessors() {
        const std::uint32_t size = graph_.size();
        for (Vertex v = 0, sum = 0; v <= size; ++v) first_[v] = sum += first_[v];
        predecessors_.resize(graph_.targets.size());
        for (Vertex v = 0; v < size; ++v) {
            for (const Vertex option : graph_.options(v)) predecessors_[--first_[option]] = v;
            work_ += 1 + graph_.options(v).size();
            if (is_step_done()) co_await std::suspend_always();
        }
    }

    // All that reach no cycle, from the ends of play back. From here on a vertex waits for its
    // options without a finite label.
    Steps settle_before_cycles() {
        const std::uint32_t size = graph_.size();
        ready_.clear();
        for (Vertex v = 0; v < size; ++v) {
            waits_[v] = static_cast<std::uint32_t>(graph_.options(v).size());
            if (waits_[v] == 0) ready_.push_back(v);
        }
        for (std::size_t i = 0; i < ready_.size(); ++i) {
            settle_acyclic(ready_[i]);
            for (const Vertex v : predecessors(ready_[i])) {
                if (--waits_[v] == 0) ready_.push_back(v);
            }
            work_ += predecessors(ready_[i]).size();
            if (is_step_done()) co_await std::suspend_always();
        }
    }

    // The others, level by level. A vertex is labelled with the level if none of its options is
    // and each option that is not finite has an option that is; `open` has no label yet.
    Steps label_by_level() {
        const std::uint32_t size = graph_.size();
        const std::vector<Vertex> acyclic = ready_by_label();
        std::vector<Vertex> open;
        for (Vertex v = 0; v < size; ++v) {
            if (is_open(v)) open.push_back(v);
        }
        marked_.resize(size);
        blocked_.resize(size);
        for (std::size_t next = 0; !open.empty(); ++level_) {
            ready_.clear();
            for (const Vertex v : open) {
                blocked_[v] = waits_[v];
                if (blocked_[v] == 0) ready_.push_back(v);
            }
            work_ += open.size();
            for (; next < acyclic.size() && value(acyclic[next]) == level_; ++next) {
                mark_predecessors(acyclic[next]);
                if (is_step_done()) co_await std::suspend_always();
            }
            for (std::size_t i = 0; i < ready_.size(); ++i) {
                if (!is_marked(ready_[i])) settle_on_level(ready_[i]);
                if (is_step_done()) co_await std::suspend_always();
            }
            // What has no option on this level can never be labelled with a higher one.
            std::erase_if(open, [this](Vertex v) {
                if (is_open(v) && !is_marked(v)) values_[v] = SmithLabels::kInfinite;
                return !is_open(v);
            });
        }
    }

    // Each loop pauses when enough is done; a vertex is the least it does at once.
    bool is_step_done() {
        if (work_ < kStepWork) return false;
        work_ = 0;
        return true;
    }

    std::span<const Vertex> predecessors(Vertex vertex) const {
        return std::span(predecessors_)
            .subspan(first_[vertex], first_[vertex + 1] - first_[vertex]);
    }
    std::uint32_t value(Vertex vertex) const { return values_[vertex]; }
    bool is_finite(Vertex vertex) const { return value(vertex) < kOpen; }
    bool is_open(Vertex vertex) const { return value(vertex) == kOpen; }
    bool is_marked(Vertex vertex) const { return marked_[vertex] == level_ + 1; }

    // Vertices come in any order, and most of the time would go into waiting for their options:
    // these are asked for some vertices ahead of place i.
    void fetch_options(std::size_t i, int direction) const {
        const auto ahead = [&](Vertex steps) {
            return i + static_cast<std::size_t>(direction * static_cast<int>(steps));
        };
        if (ahead(2 * kAhead) >= ready_.size()) return;
        __builtin_prefetch(&graph_.first[ready_[ahead(2 * kAhead)]]);
        const auto* options = graph_.targets.data() + graph_.first[ready_[ahead(kAhead)]];
        __builtin_prefetch(options);
        __builtin_prefetch(options + 15);  // the next cache line
    }

    // Asks for the labels of the options of a vertex.
    void fetch_labels(Vertex vertex) const {
        for (const Vertex option : graph_.options(vertex)) {
            __builtin_prefetch(&values_[option]);
        }
    }

    // `vertex` comes next in the order: its options wait for one vertex less.
    void take_from_order(Vertex vertex) {
        const auto options = graph_.options(vertex);
        for (const Vertex option : options) {
            if (--waits_[option] == 0) ready_.push_back(option);
        }
        work_ += 1 + options.size();
    }

    // The options are settled, so that the label is the least that none of them has (mex).
    void settle_acyclic(Vertex vertex) {
        const auto options = graph_.options(vertex);
        if (seen_.size() <= options.size()) seen_.resize(options.size() + 1);
        for (const Vertex option : options) {
            const std::uint32_t label = value(option);
            if (label < options.size()) seen_[label] = vertex + 1;  // others cannot matter
        }
        std::uint32_t mex = 0;
        while (seen_[mex] == vertex + 1) ++mex;
        if (!is_open(vertex)) mex = value(vertex);  // it is given
        values_[vertex] = mex;
        counters_[vertex] = settled_++;
        work_ += 1 + options.size();
    }

    // Counting sort: labels are small.
    std::vector<Vertex> ready_by_label() const {
        std::vector<std::uint32_t> ends;
        for (const Vertex v : ready_) {
            const std::uint32_t label = value(v);
            if (label >= ends.size()) ends.resize(label + 1);
            ++ends[label];
        }
        for (std::size_t i = 1; i < ends.size(); ++i) ends[i] += ends[i - 1];
        std::vector<Vertex> sorted(ready_.size());
        for (const Vertex v : ready_) sorted[--ends[value(v)]] = v;
        return sorted;
    }

    // `vertex` is labelled with this level, so its predecessors no longer block theirs.
    void mark_predecessors(Vertex vertex) {
        work_ += 1 + predecessors(vertex).size();
        for (const Vertex marked : predecessors(vertex)) {
            if (is_finite(marked) || is_marked(marked)) continue;
            marked_[marked] = level_ + 1;
            work_ += predecessors(marked).size();
            for (const Vertex v : predecessors(marked)) {
                if (is_open(v) && --blocked_[v] == 0 && !is_marked(v)) ready_.push_back(v);
            }
        }
    }

    void settle_on_level(Vertex vertex) {
        values_[vertex] = level_;
        counters_[vertex] = settled_++;
        for (const Vertex v : predecessors(vertex)) --waits_[v];
        mark_predecessors(vertex);
    }

    const GraphView graph_;
    std::vector<std::uint32_t> values_;
    std::vector<std::uint32_t> counters_;

    std::vector<std::uint32_t> first_;  // of each vertex's predecessors
    std::vector<Vertex> predecessors_;
    std::vector<std::uint32_t> waits_;  // for how many others a vertex waits
    std::vector<Vertex> ready_;         // can be labelled now
    std::uint32_t settled_ = 0;         // how many have a finite label
    std::vector<std::uint32_t> seen_;   // by label: the vertex (plus 1) whose mex saw it last

    std::uint32_t level_ = 0;
    std::vector<std::uint32_t> marked_;   // 1 + the last level that an option is labelled with
    std::vector<std::uint32_t> blocked_;  // options neither finite nor marked on this level
    std::size_t work_ = 0;                // edges visited
};

}  // namespace

std::vector<std::uint64_t> SmithLabels::finite_options(const GraphView& graph,
                                                       std::uint32_t vertex) const {
    std::vector<std::uint64_t> labels;
    for (const std::uint32_t option : graph.options(vertex)) {
        if (is_finite(option)) labels.push_back(value(option));
    }
    std::ranges::sort(labels);
    labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
    return labels;
}

Steps find_smith_labels(GraphView graph, std::vector<GivenLabel> given,
                        std::optional<SmithLabels>& labels) {
    SmithLabelling labelling(graph, given);
    for (Steps steps = labelling.label(); !steps.step();) co_await std::suspend_always();
    labels = labelling.take();
}

std::size_t smith_labelling_bytes(const GraphView& graph) {
    constexpr std::size_t kArrays = 11;  // that have an entry for each vertex
    return (kArrays * graph.first.size() + graph.targets.size()) * sizeof(std::uint32_t);
}

}  // namespace engine
