#include "engine/misere/quotient.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "engine/heaps/break_moves.hpp"
#include "engine/rules/octal.hpp"
#include "engine/rules/take.hpp"

namespace engine::misere {
namespace {

using Index = HeapGraph::Index;

// Learns the quotient of some of the heaps, the generators, and looks for each other heap among
// its elements. A heap that is none of them becomes a generator too, and the search starts
// again. In the moves of a generator every heap is replaced by its word in earlier generators.
// That may be wrong in a larger quotient; the proof, in which all heaps take part with their
// real moves, shows it, and the moves are corrected.
class Search {
  public:
    Search(const HeapGraph& graph, std::span<const Index> heaps, std::size_t max_order,
           const Budget& budget, QuotientProgress& progress)
        : graph_(graph),
          heaps_(heaps),
          max_order_(max_order),
          budget_(budget),
          progress_(progress) {
        for (std::size_t i = 0; i < heaps.size(); ++i) place_.emplace(heaps[i], i);
        const auto is_known = [&](const auto& generator) {
            return place_.contains(generator.heap);
        };
        if (!std::ranges::all_of(progress.generators, is_known)) progress.generators.clear();
        for (const auto& [heap, moves] : progress.generators) {
            generators_.push_back({place_.at(heap), moves});
        }
        std::ranges::sort(generators_, {}, &Generator::heap);
    }

    std::optional<Quotient> find() {
        for (std::size_t round = 0; round <= 4 * heaps_.size(); ++round) {
            const auto start = std::chrono::steady_clock::now();
            const Monoid* monoid = learn();
            const Step step = monoid != nullptr ? assign(*monoid) : Step::GivenUp;
            auto quotient = step == Step::Done ? reduced(*monoid) : std::nullopt;
            if (quotient) return quotient;
            if (step != Step::Changed) {
                // learn() says itself why it found nothing.
                if (monoid != nullptr) progress_.shortage = Shortage::Memory;
                if (budget_.is_spent()) progress_.shortage = Shortage::Time;
                progress_.lost = std::chrono::steady_clock::now() - start;
                return std::nullopt;
            }
            // The facts about generators before the one that changed are still right.
            learned_.erase(learned_.begin() + static_cast<std::ptrdiff_t>(changed_ + 1),
                           learned_.end());
            progress_.generators.clear();
            for (const auto& [place, moves] : generators_) {
                progress_.generators.push_back({heaps_[place], moves});
            }
        }
        progress_.shortage = Shortage::Order;
        return std::nullopt;
    }

  private:
    enum class Step { Done, Changed, GivenUp };

    struct Generator {
        std::size_t heap = 0;  // place among the heaps
        WordMoves moves;
    };

    // The quotient of the generators, heap by heap; null: not found.
    const Monoid* learn() {
        std::vector<WordMoves> moves;
        for (const Generator& generator : generators_) moves.push_back(generator.moves);
        while (learned_.size() <= moves.size()) {
            auto next =
                extend_quotient(learned_.back(), std::span(moves).first(learned_.size()),
                                max_order_, budget_, progress_.shortage);
            if (!next) return nullptr;
            learned_.push_back(*std::move(next));
            std::size_t bytes = 0;
            for (const Monoid& learned : learned_) bytes += learned.bytes();
            if (!memory_.resize(bytes)) {
                progress_.shortage = Shortage::Memory;
                return nullptr;
            }
        }
        return &learned_.back();
    }

    // The elements that the moves of a heap lead to.
    std::set<Element> options(const Monoid& monoid, Index heap) const {
        std::set<Element> elements;
        for (const auto& move : graph_.moves(heap)) {
            Element element = 0;
            for (const Index part : move) {
                element = monoid.product(element, elements_[place_.at(part)]);
            }
            elements.insert(element);
        }
        return elements;
    }

    static ElementSet wins_of(const Monoid& monoid, const std::set<Element>& options) {
        ElementSet wins(monoid.order());
        for (const Element option : options) wins |= monoid.partners(option);
        return wins;
    }

    // By the moves that the learner was given.
    ElementSet given_wins(const Monoid& monoid, std::size_t generator) const {
        std::set<Element> options;
        for (const Word& word : generators_[generator].moves) {
            options.insert(monoid.product_of(word));
        }
        return wins_of(monoid, options);
    }

    // Adds the generators with these moves.
    bool add_generators(const Monoid& monoid, StateClosure& closure) const {
        for (std::size_t g = 0; g < generators_.size(); ++g) {
            const ElementSet wins = given_wins(monoid, g);
            if (closure.add(monoid.generator(g), wins, budget_) != Verdict::Holds) return false;
        }
        return true;
    }

    Step assign(const Monoid& monoid) {
        StateClosure closure(monoid);
        if (!add_generators(monoid, closure)) return Step::GivenUp;
        elements_.assign(heaps_.size(), 0);
        std::map<ElementSet, Element> found;  // by what wins
        auto reached = words_of(monoid, {});  // by products of generators before the heap
        std::size_t generator = 0;
        for (std::size_t i = 0; i < heaps_.size(); ++i) {
            if (budget_.is_spent()) return Step::GivenUp;
            const auto options = this->options(monoid, heaps_[i]);
            const ElementSet wins = wins_of(monoid, options);
            if (generator < generators_.size() && generators_[generator].heap == i) {
                if (correct_moves(monoid, generator, options, wins)) return Step::Changed;
                elements_[i] = monoid.generator(generator++);
                reached = words_of(monoid, first(generator));
                continue;
            }
            auto known = found.find(wins);
            if (known == found.end()) {
                const auto element = find_element(monoid, closure, wins);
                if (!element) return Step::GivenUp;
                known = found.emplace(wins, *element).first;
            }
            if (!reached.contains(known->second)) {
                insert_generator(monoid, generator, i, options);
                return Step::Changed;
            }
            elements_[i] = known->second;
        }
        return Step::Done;
    }

    // The element that a heap must be; the order where there is none; nullopt: not known.
    std::optional<Element> find_element(const Monoid& monoid, StateClosure& closure,
                                        const ElementSet& wins) const {
        for (std::size_t x = 0; x < monoid.order(); ++x) {
            const auto element = static_cast<Element>(x);
            if (budget_.is_spent()) return std::nullopt;
            if (!closure.allows(element, wins)) continue;
            const Verdict verdict = closure.add(element, wins, budget_);
            if (verdict == Verdict::Holds) return element;
            if (verdict == Verdict::Unknown) return std::nullopt;
        }
        return static_cast<Element>(monoid.order());
    }

    static std::vector<std::size_t> first(std::size_t generators) {
        std::vector<std::size_t> all(generators);
        std::iota(all.begin(), all.end(), std::size_t{0});
        return all;
    }

    // The products of the generators, each with a word.
    static std::map<Element, Word> words_of(const Monoid& monoid,
                                            const std::vector<std::size_t>& generators) {
        std::map<Element, Word> words;
        std::vector<Element> queue{0};
        words.emplace(Element{0}, Word(monoid.generator_count(), char8_t{0}));
        for (std::size_t next = 0; next < queue.size(); ++next) {
            for (const std::size_t g : generators) {
                const Element element = monoid.product(queue[next], monoid.generator(g));
                if (words.contains(element)) continue;
                Word word = words.at(queue[next]);
                ++word[g];
                words.emplace(element, std::move(word));
                queue.push_back(element);
            }
        }
        return words;
    }

    static WordMoves moves_to(const Monoid& monoid, std::size_t generator,
                              const std::set<Element>& options) {
        const auto words = words_of(monoid, first(generator));
        WordMoves moves;
        for (const Element option : options) moves.push_back(words.at(option));
        return moves;
    }

    // Replaces the generator's moves by its real ones if they differ. Did they?
    bool correct_moves(const Monoid& monoid, std::size_t generator,
                       const std::set<Element>& options, const ElementSet& wins) {
        if (wins == given_wins(monoid, generator)) return false;
        generators_[generator].moves = moves_to(monoid, generator, options);
        changed_ = generator;
        return true;
    }

    void insert_generator(const Monoid& monoid, std::size_t generator, std::size_t heap,
                          const std::set<Element>& options) {
        Generator added{heap, moves_to(monoid, generator, options)};
        generators_.insert(generators_.begin() + static_cast<std::ptrdiff_t>(generator),
                           std::move(added));
        for (Generator& changed : generators_) {
            for (Word& word : changed.moves) {
                word.insert(generator, 1, char8_t{0});
            }
        }
        changed_ = generator;
    }

    // The quotient by as few of the generators as will do, the smallest heaps first.
    std::optional<Quotient> reduced(const Monoid& monoid) const {
        std::vector<std::size_t> kept = first(generators_.size());
        for (std::size_t i = kept.size(); i-- > 0;) {
            auto fewer = kept;
            fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
            if (words_of(monoid, fewer).size() == monoid.order()) kept = std::move(fewer);
        }
        std::vector<std::vector<Element>> action(monoid.order());
        std::vector<bool> is_p(monoid.order());
        for (std::size_t x = 0; x < monoid.order(); ++x) {
            const auto element = static_cast<Element>(x);
            for (const std::size_t g : kept) {
                action[x].push_back(monoid.product(element, monoid.generator(g)));
            }
            is_p[x] = monoid.is_p(element);
        }
        auto smaller = Monoid::make(action, is_p, budget_);
        if (!smaller) return std::nullopt;
        Quotient quotient{*std::move(smaller), {}, {}};
        for (const std::size_t g : kept) quotient.generators.push_back(generators_[g].heap);
        std::vector<Element> renamed(monoid.order());
        for (std::size_t x = 0; x < monoid.order(); ++x) {
            const Word& word = quotient.monoid.word(static_cast<Element>(x));
            Word whole(monoid.generator_count(), char8_t{0});
            for (std::size_t i = 0; i < kept.size(); ++i) whole[kept[i]] = word[i];
            renamed[monoid.product_of(whole)] = static_cast<Element>(x);
        }
        for (const Element element : elements_) quotient.elements.push_back(renamed[element]);
        return quotient;
    }

    const HeapGraph& graph_;
    const std::span<const Index> heaps_;
    const std::size_t max_order_;
    const Budget& budget_;
    QuotientProgress& progress_;
    std::map<Index, std::size_t> place_;
    std::vector<Generator> generators_;  // by heap
    // The quotients of the first 0, 1, 2, … generators.
    std::vector<Monoid> learned_{*Monoid::make({{}}, {false}, {})};
    Reservation memory_;
    std::size_t changed_ = 0;  // the generator that was added or got other moves last
    std::vector<Element> elements_;
};

}  // namespace

std::optional<Quotient> find_quotient(const HeapGraph& graph, std::span<const Index> heaps,
                                      std::size_t max_order, const Budget& budget,
                                      QuotientProgress& progress) {
    return Search(graph, heaps, max_order, budget, progress).find();
}

std::optional<MoveBounds> find_move_bounds(const Ruleset& ruleset) {
    const auto octal = shape_as<shape::TakeAndBreak>(ruleset);
    if (octal && !octal->unequal && octal->repeated == 0) {
        const BreakMoves moves = BreakMoves::of_digits(octal->digits);
        return MoveBounds{octal->digits.size() - 1, moves.splits() ? moves.most_heaps() : 1};
    }
    if (const auto take = shape_as<shape::Subtraction>(ruleset); take && !take->set.is_open()) {
        return MoveBounds{take->set.intervals().back().last, 1};
    }
    return std::nullopt;
}

std::optional<Law> prove_phi_law(std::span<const Element> elements, const MoveBounds& bounds) {
    const std::size_t size = elements.size();
    Recurrence search(std::max<std::size_t>(size, 1) - 1,
                      window_to_prove(size, bounds.parts, bounds.reach));
    search.advance(SIZE_MAX, [&](std::size_t i) { return elements[i + 1]; });
    Law law{0, search.period()};
    if (law.period == 0) return std::nullopt;
    law.preperiod = least_preperiod(elements, law);
    return law;
}

}  // namespace engine::misere
