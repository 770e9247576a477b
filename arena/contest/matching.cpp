#include "arena/contest/matching.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <utility>

namespace arena {
namespace {

// Nodes are vertices (below size_) and blossoms: odd cycles of nodes that are treated as one.
// Each vertex has a price; an edge is tight where twice its cost is the sum of the prices at
// its ends (to which those of blossoms around both are added), and never costs less. Trees of
// alternating paths grow along tight edges from all free nodes at once, until two meet: then
// there is one more pair. Where no tight edge is left, prices in the trees are moved by as
// much as makes one. A matching of tight edges costs least.
class BlossomSearch {
  public:
    explicit BlossomSearch(const PairCosts& costs)
        : costs_(costs),
          size_(static_cast<int>(costs.size())),
          nodes_(size_ + size_ / 2 + 1),
          used_(size_),
          edges_(at(nodes_) * at(nodes_)),
          child_holding_(at(nodes_) * at(size_), kNone),
          price_(at(nodes_), 0),
          partner_(at(nodes_), kNone),
          top_(at(nodes_), kNone),
          parent_(at(nodes_), kNone),
          nearest_(at(nodes_), kNone),
          visited_(at(nodes_), 0),
          label_(at(nodes_), Label::Free),
          cycle_(at(nodes_)) {
        for (int u = 0; u < size_; ++u) {
            top_[at(u)] = u;
            child_holding(u, u) = u;
            for (int v = 0; v < size_; ++v) edge(u, v) = {u, v};
        }
    }

    std::vector<std::size_t> run() {
        for (int pairs = 0; pairs < size_ / 2; ++pairs) add_pair();
        std::vector<std::size_t> partners;
        for (int u = 0; u < size_; ++u) partners.push_back(at(partner_[at(u)]));
        return partners;
    }

  private:
    static constexpr int kNone = -1;
    // Outer: an even number of steps from a root, where paths continue by any tight edge.
    // Inner: an odd number, where they continue by the matched edge. Free: in no tree.
    enum class Label { Free, Outer, Inner };
    // The vertices at the ends of the cheapest edge between two nodes; kNone: not known.
    struct Edge {
        int from = kNone;
        int to = kNone;
    };

    static std::size_t at(int index) { return static_cast<std::size_t>(index); }
    Edge& edge(int a, int b) { return edges_[at(a) * at(nodes_) + at(b)]; }
    // The child of a blossom in which a vertex is; kNone: in none.
    int& child_holding(int blossom, int vertex) {
        return child_holding_[at(blossom) * at(size_) + at(vertex)];
    }
    bool is_blossom(int node) const { return node >= size_; }
    bool is_top(int node) const { return top_[at(node)] == node; }
    int top_of_partner(int node) const {
        return partner_[at(node)] == kNone ? kNone : top_[at(partner_[at(node)])];
    }

    // How far an edge between two tops is from tight, times 2.
    std::int64_t slack(const Edge& e) const {
        return price_[at(e.from)] + price_[at(e.to)] + 2 * costs_(at(e.from), at(e.to));
    }

    // ---- the vertex nearest to a node that a tree could take in ----

    void offer(int vertex, int node) {
        int& nearest = nearest_[at(node)];
        if (nearest == kNone || slack(edge(vertex, node)) < slack(edge(nearest, node))) {
            nearest = vertex;
        }
    }

    void find_nearest(int node) {
        nearest_[at(node)] = kNone;
        for (int u = 0; u < size_; ++u) {
            const int top = top_[at(u)];
            if (top != node && label_[at(top)] == Label::Outer) offer(u, node);
        }
    }

    // ---- blossoms ----

    void push(int node) {
        if (!is_blossom(node)) {
            queue_.push_back(node);
            return;
        }
        for (const int child : cycle_[at(node)]) push(child);
    }

    void set_top(int node, int top) {
        top_[at(node)] = top;
        if (!is_blossom(node)) return;
        for (const int child : cycle_[at(node)]) set_top(child, top);
    }

    // Turns the cycle so that the way from its base to `child` has an even number of steps.
    // Gives the child's place in it.
    std::ptrdiff_t even_way(int blossom, int child) {
        auto& cycle = cycle_[at(blossom)];
        const auto place = std::ranges::find(cycle, child) - cycle.begin();
        if (place % 2 == 0) return place;
        std::reverse(cycle.begin() + 1, cycle.end());
        return static_cast<std::ptrdiff_t>(cycle.size()) - place;
    }

    // Matches a node by the edge to another one; inside a blossom, the rest of the cycle is
    // matched along, and its base moves to where the edge ends.
    void match(int node, int other) {
        const Edge by = edge(node, other);
        partner_[at(node)] = by.to;
        if (!is_blossom(node)) return;
        const int child = child_holding(node, by.from);
        const auto place = even_way(node, child);
        auto& cycle = cycle_[at(node)];
        for (std::ptrdiff_t i = 0; i < place; ++i) {
            match(cycle[static_cast<std::size_t>(i)], cycle[static_cast<std::size_t>(i ^ 1)]);
        }
        match(child, other);
        std::rotate(cycle.begin(), cycle.begin() + place, cycle.end());
    }

    // The first node that the ways from two outer nodes to their roots have in common.
    int meeting_point(int u, int v) {
        ++visit_;
        while (u != kNone || v != kNone) {
            if (u != kNone) {
                if (visited_[at(u)] == visit_) return u;
                visited_[at(u)] = visit_;
                u = top_of_partner(u);
                if (u != kNone) u = top_[at(parent_[at(u)])];
            }
            std::swap(u, v);
        }
        return kNone;
    }

    // The nodes from `from` up to the base, without the base; inner ones become outer.
    void climb(int from, int base, std::vector<int>& cycle) {
        for (int x = from; x != base;) {
            const int inner = top_of_partner(x);
            cycle.push_back(x);
            cycle.push_back(inner);
            push(inner);
            x = top_[at(parent_[at(inner)])];
        }
    }

    void add_blossom(int u, int base, int v) {
        int blossom = size_;
        while (blossom < used_ && top_[at(blossom)] != kNone) ++blossom;
        used_ = std::max(used_, blossom + 1);
        price_[at(blossom)] = 0;
        label_[at(blossom)] = Label::Outer;
        partner_[at(blossom)] = partner_[at(base)];
        parent_[at(blossom)] = parent_[at(base)];
        auto& cycle = cycle_[at(blossom)];
        cycle = {base};
        climb(u, base, cycle);
        std::reverse(cycle.begin() + 1, cycle.end());
        climb(v, base, cycle);
        set_top(blossom, blossom);
        take_cheapest_edges(blossom);
        find_nearest(blossom);
    }

    void take_cheapest_edges(int blossom) {
        for (int x = 0; x < used_; ++x) edge(blossom, x) = edge(x, blossom) = {};
        for (int u = 0; u < size_; ++u) child_holding(blossom, u) = kNone;
        for (const int child : cycle_[at(blossom)]) {
            for (int x = 0; x < used_; ++x) {
                if (!can_meet(child, x)) continue;
                if (edge(blossom, x).from == kNone ||
                    slack(edge(child, x)) < slack(edge(blossom, x))) {
                    edge(blossom, x) = edge(child, x);
                    edge(x, blossom) = edge(x, child);
                }
            }
            for (int u = 0; u < size_; ++u) {
                if (child_holding(child, u) != kNone) child_holding(blossom, u) = child;
            }
        }
    }

    bool can_meet(int child, int node) {
        return top_[at(node)] != kNone && top_[at(node)] != top_[at(child)] &&
               edge(child, node).from != kNone;
    }

    // An inner blossom whose price is used up: its children take its place in the tree.
    void expand(int blossom) {
        for (const int child : cycle_[at(blossom)]) set_top(child, child);
        const int entry = child_holding(blossom, edge(blossom, parent_[at(blossom)]).from);
        const auto place = static_cast<std::size_t>(even_way(blossom, entry));
        const auto& cycle = cycle_[at(blossom)];
        for (std::size_t i = 0; i < place; i += 2) {
            const int inner = cycle[i];
            const int outer = cycle[i + 1];
            parent_[at(inner)] = edge(outer, inner).from;
            label_[at(inner)] = Label::Inner;
            label_[at(outer)] = Label::Outer;
            nearest_[at(inner)] = kNone;
            find_nearest(outer);
            push(outer);
        }
        label_[at(entry)] = Label::Inner;
        parent_[at(entry)] = parent_[at(blossom)];
        for (std::size_t i = place + 1; i < cycle.size(); ++i) {
            label_[at(cycle[i])] = Label::Free;
            find_nearest(cycle[i]);
        }
        top_[at(blossom)] = kNone;
    }

    // ---- growing trees ----

    // Matches and unmatches along the way from an outer node to its root.
    void augment(int u, int v) {
        for (;;) {
            const int inner = top_of_partner(u);
            match(u, v);
            if (inner == kNone) return;
            const int next = top_[at(parent_[at(inner)])];
            match(inner, next);
            u = next;
            v = inner;
        }
    }

    // Follows a tight edge from an outer node. True: there is one more pair.
    bool follow(const Edge& tight) {
        const int u = top_[at(tight.from)];
        const int v = top_[at(tight.to)];
        if (label_[at(v)] == Label::Free) {
            parent_[at(v)] = tight.from;
            label_[at(v)] = Label::Inner;
            const int next = top_of_partner(v);
            nearest_[at(v)] = nearest_[at(next)] = kNone;
            label_[at(next)] = Label::Outer;
            push(next);
            return false;
        }
        if (label_[at(v)] == Label::Inner) return false;
        const int base = meeting_point(u, v);
        if (base != kNone) {
            add_blossom(u, base, v);
            return false;
        }
        augment(u, v);
        augment(v, u);
        return true;
    }

    bool grow() {
        while (!queue_.empty()) {
            const int u = queue_.front();
            queue_.pop_front();
            if (label_[at(top_[at(u)])] == Label::Inner) continue;
            for (int v = 0; v < size_; ++v) {
                if (top_[at(u)] == top_[at(v)]) continue;
                if (slack(edge(u, v)) > 0) {
                    offer(u, top_[at(v)]);
                } else if (follow(edge(u, v))) {
                    return true;
                }
            }
        }
        return false;
    }

    // The change of prices until the next event.
    std::int64_t price_step() {
        std::int64_t step = std::numeric_limits<std::int64_t>::max();
        for (int x = 0; x < used_; ++x) {
            if (!is_top(x)) continue;
            if (is_blossom(x) && label_[at(x)] == Label::Inner) {
                step = std::min(step, price_[at(x)] / 2);
            }
            if (nearest_[at(x)] == kNone || label_[at(x)] == Label::Inner) continue;
            const std::int64_t missing = slack(edge(nearest_[at(x)], x));
            step = std::min(step, label_[at(x)] == Label::Outer ? missing / 2 : missing);
        }
        return step;
    }

    void move_prices(std::int64_t step) {
        for (int u = 0; u < size_; ++u) {
            const Label label = label_[at(top_[at(u)])];
            if (label == Label::Outer) price_[at(u)] -= step;
            if (label == Label::Inner) price_[at(u)] += step;
        }
        for (int blossom = size_; blossom < used_; ++blossom) {
            if (!is_top(blossom)) continue;
            if (label_[at(blossom)] == Label::Outer) price_[at(blossom)] += 2 * step;
            if (label_[at(blossom)] == Label::Inner) price_[at(blossom)] -= 2 * step;
        }
    }

    bool follow_new_tight_edges() {
        for (int x = 0; x < used_; ++x) {
            const int nearest = nearest_[at(x)];
            if (!is_top(x) || nearest == kNone || top_[at(nearest)] == x) continue;
            if (slack(edge(nearest, x)) == 0 && follow(edge(nearest, x))) return true;
        }
        return false;
    }

    // There are two free nodes at least.
    void add_pair() {
        std::ranges::fill(label_, Label::Free);
        std::ranges::fill(nearest_, kNone);
        queue_.clear();
        for (int x = 0; x < used_; ++x) {
            if (!is_top(x) || partner_[at(x)] != kNone) continue;
            parent_[at(x)] = kNone;
            label_[at(x)] = Label::Outer;
            push(x);
        }
        for (;;) {
            if (grow()) return;
            move_prices(price_step());
            if (follow_new_tight_edges()) return;
            for (int blossom = size_; blossom < used_; ++blossom) {
                if (is_top(blossom) && label_[at(blossom)] == Label::Inner &&
                    price_[at(blossom)] == 0) {
                    expand(blossom);
                }
            }
        }
    }

    const PairCosts& costs_;
    int size_;   // vertices
    int nodes_;  // and as many blossoms as there can be at once
    int used_;   // nodes used so far
    std::vector<Edge> edges_;
    std::vector<int> child_holding_;
    std::vector<std::int64_t> price_;
    std::vector<int> partner_;  // by node: the vertex at the other end of its matched edge
    std::vector<int> top_;      // by node: the outermost blossom around it; kNone: not in use
    std::vector<int> parent_;   // by inner node: the vertex from which it was reached
    std::vector<int> nearest_;  // by node: the outer vertex with the least slack
    std::vector<int> visited_;
    std::vector<Label> label_;
    std::vector<std::vector<int>> cycle_;  // by blossom: its children from the base on
    std::deque<int> queue_;                // outer vertices to examine
    int visit_ = 0;
};

}  // namespace

std::vector<std::size_t> cheapest_matching(const PairCosts& costs) {
    return BlossomSearch(costs).run();
}

std::vector<std::size_t> blocks_of_ranking(std::size_t players, std::size_t least) {
    const std::size_t count =
        std::max<std::size_t>(players / std::max<std::size_t>(least, 2), 1);
    const std::size_t pairs = players / 2;
    std::vector<std::size_t> sizes;
    for (std::size_t i = 0; i < count; ++i) {
        sizes.push_back(2 * (pairs / count + (i < pairs % count ? 1 : 0)));
    }
    return sizes;
}

}  // namespace arena
