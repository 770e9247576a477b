// Sums of heaps with a finite misere quotient: multiply.
#include <algorithm>
#include <set>

#include "engine/misere/way.hpp"
#include "protocol/move.hpp"

namespace engine::misere {
namespace {

// Heaps of one ruleset are looked up by its law from here on.
constexpr Number kLargestSeen = 256;
constexpr std::size_t kMaxCandidates = 200'000;

class QuotientWay : public Way {
  public:
    QuotientWay(Tables& tables, const std::vector<Part>& parts) : Way(parts), tables_(tables) {}

    bool find(std::size_t max_order, const Budget& budget) {
        const bool one_ruleset = std::ranges::all_of(
            parts_, [&](const Part& part) { return part.ruleset == parts_.front().ruleset; });
        bounds_ = one_ruleset ? find_move_bounds(*parts_.front().place.rules) : std::nullopt;
        if (bounds_ && std::ranges::any_of(parts_, is_large)) {
            lawful_ =
                tables_.lawful_quotient(parts_.front().ruleset, *bounds_, max_order, budget);
            if (lawful_) known_ = lawful_->known;
        }
        if (!known_ && !find_seen(max_order, budget)) return false;
        multiply();
        return true;
    }

    std::optional<bool> is_previous_win(const Budget&) const override {
        return monoid().is_p(before_.back());
    }

    std::optional<bool> is_previous_win(std::size_t part, std::span<const Heap> left,
                                        const Budget&) const override {
        Element product = others(part);
        for (const Heap& heap : left) {
            const auto next = element(parts_[part], heap);
            if (!next) return std::nullopt;
            product = monoid().product(product, *next);
        }
        return monoid().is_p(product);
    }

    std::optional<bool> is_previous_win_alone(std::size_t part, const Budget&) const override {
        return monoid().is_p(element(parts_[part], *parts_[part].place.heap).value());
    }

    // For a heap far beyond the preperiod. In what a move leaves, every heap but the largest
    // can give periods to the largest until it is below preperiod + period, and the product
    // stays the same. So if any move wins, one with such heaps does. If one that leaves two
    // heaps wins and the smaller is in the period, so do all moves that leave it whole periods
    // longer.
    Candidates candidates(std::size_t part, const Budget& budget) const override {
        if (!lawful_) return {};
        const Heap& heap = *parts_[part].place.heap;
        const Ruleset& rules = *parts_[part].place.rules;
        const Number size = std::get<Number>(heap);
        const Number begin = std::max<Number>(lawful_->law.preperiod, 1);
        const Number end = begin + lawful_->law.period;
        Candidates candidates;
        const auto offer = [&](std::vector<Heap> result) {
            result = protocol::canonical_result("", std::move(result));
            const bool is_move = rules.is_follower(heap, result);
            if (is_move) candidates.results.push_back(std::move(result));
            return is_move && *is_previous_win(part, candidates.results.back(), budget);
        };
        bool all = bounds_->parts < 3;
        for (Number taken = 0; taken <= bounds_->reach && taken < size; ++taken) {
            if (budget.is_spent()) return candidates;
            const Number rest = size - taken;
            offer({Heap(rest)});
            if (bounds_->parts < 2) continue;
            for (Number first = 1; first < end; ++first) {
                const bool wins = offer({Heap(first), Heap(rest - first)});
                if (wins && first >= begin) {
                    all = all && add_periods(first, rest, candidates);
                }
                if (bounds_->parts < 3) continue;
                if (budget.is_spent()) return candidates;
                for (Number second = first; second < end; ++second) {
                    offer({Heap(first), Heap(second), Heap(rest - first - second)});
                }
            }
        }
        if (bounds_->parts > 2) {
            candidates.cover = Cover::One;
        } else if (all) {
            candidates.cover = Cover::All;
        }
        return candidates;
    }

    std::string reason() const override {
        const bool wins = !monoid().is_p(before_.back());
        return "the heaps have a misere quotient of order " + std::to_string(monoid().order()) +
               ", where their product is " +
               (wins ? "no P-position: the winning moves make it one"
                     : "a P-position: every move makes it another one that is none");
    }

  private:
    static bool is_large(const Part& part) {
        const auto* size = std::get_if<Number>(part.place.heap);
        return size != nullptr && (*size > kLargestSeen || !part.number);
    }

    bool find_seen(std::size_t max_order, const Budget& budget) {
        std::set<std::size_t> rulesets;
        std::set<HeapGraph::Index> heaps;
        for (const Part& part : parts_) {
            if (!part.number) return false;
            rulesets.insert(part.ruleset);
            heaps.insert(*part.number);
        }
        known_ = tables_.quotient({rulesets.begin(), rulesets.end()},
                                  {heaps.begin(), heaps.end()}, max_order, budget);
        return known_ != nullptr;
    }

    // Adds the pairs in which `first` is longer by periods. False: there are too many of them.
    bool add_periods(Number first, Number rest, Candidates& candidates) const {
        const Number period = lawful_->law.period;
        for (Number longer = first + period; longer <= rest / 2; longer += period) {
            if (candidates.results.size() >= kMaxCandidates) return false;
            candidates.results.push_back({Heap(longer), Heap(rest - longer)});
        }
        return true;
    }

    const Monoid& monoid() const { return known_->quotient.monoid; }

    std::optional<Element> element(const Part& part, const Heap& heap) const {
        if (lawful_) return lawful_->element(std::get<Number>(heap));
        const auto number = tables_.graph().find(part.ruleset, heap);
        return number ? known_->element(*number) : std::nullopt;
    }

    void multiply() {
        std::vector<Element> elements;
        for (const Part& part : parts_) {
            elements.push_back(element(part, *part.place.heap).value());
        }
        before_.assign(elements.size() + 1, Element{0});
        behind_ = before_;
        for (std::size_t i = 0; i < elements.size(); ++i) {
            before_[i + 1] = monoid().product(before_[i], elements[i]);
        }
        for (std::size_t i = elements.size(); i-- > 0;) {
            behind_[i] = monoid().product(behind_[i + 1], elements[i]);
        }
    }

    Element others(std::size_t part) const {
        return monoid().product(before_[part], behind_[part + 1]);
    }

    Tables& tables_;
    std::optional<MoveBounds> bounds_;
    std::shared_ptr<const LawfulQuotient> lawful_;
    std::shared_ptr<const KnownQuotient> known_;
    // The products of the heaps before number i, and of those from it on.
    std::vector<Element> before_;
    std::vector<Element> behind_;
};

}  // namespace

std::unique_ptr<Way> find_quotient_way(Tables& tables, const std::vector<Part>& parts,
                                       std::size_t max_order, const Budget& budget) {
    auto way = std::make_unique<QuotientWay>(tables, parts);
    if (!way->find(max_order, budget)) return nullptr;
    return way;
}

}  // namespace engine::misere
