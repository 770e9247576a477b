// The algorithm of Plambeck and Siegel ("Misere quotients for impartial games: supplementary
// material", 2007, appendix C). Words are ordered lexicographically, the last generator first;
// every move leads to a smaller word, so outcomes can be found in this order.
//
// A candidate is a finite monoid that is surely fine enough: the quotient so far, with some
// generators set free of its relations and bound only by x^(i+p) = x^i. Each of its elements
// gets the outcome of its least word, found from the outcomes of the elements that the moves of
// that word lead to. Then elements that no third one tells apart are merged. If the least word
// whose outcome the monoid gets wrong exists, all smaller words are right, so its outcome is
// known, and the next candidate sets some of its generators free. No sum is ever played out:
// playing out takes time exponential in the number of generators, which this replaces.
#include "engine/misere/monoid.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <boost/unordered/unordered_flat_map.hpp>

#include "engine/base/memory.hpp"

namespace engine::misere {
namespace {

constexpr unsigned kMostOfOne = std::numeric_limits<std::uint8_t>::max();
constexpr std::size_t kMostStates = std::size_t{1} << 20;

// Lexicographically, the last generator first. All words have the same length.
bool is_less(const Word& left, const Word& right) {
    return std::lexicographical_compare(left.rbegin(), left.rend(), right.rbegin(),
                                        right.rend());
}

bool is_empty(const Word& word) {
    return std::ranges::all_of(word, [](char8_t count) { return count == 0; });
}

// The powers of an element: x^(index + period) = x^index.
struct Cycle {
    std::size_t index = 0;
    std::size_t period = 0;

    std::size_t size() const { return index + period; }
};

// A generator that is set free, with the powers it gets.
struct Freed {
    std::size_t generator = 0;
    Cycle powers;
};

class Extension {
  public:
    Extension(std::span<const WordMoves> heaps, std::size_t max_order, const Budget& budget)
        : heaps_(heaps),
          generators_(heaps.size()),
          empty_(heaps.size(), char8_t{0}),
          max_order_(max_order),
          // The candidates may be larger than the quotient that they lead to.
          max_candidate_(std::min(4 * max_order + 64, Monoid::kMaxOrder)),
          budget_(budget),
          poll_(budget, 1 << 14) {}

    std::optional<Monoid> run(const Monoid& smaller) {
        auto candidate = make_candidate(smaller, {{generators_ - 1, {2, 2}}});
        while (candidate) {
            const auto failure = find_least_failure(*candidate);
            if (gave_up_) return std::nullopt;
            if (!failure) {
                if (candidate->order() <= max_order_) return candidate;
                break;
            }
            candidate = repair(*candidate, *failure);
        }
        return no_monoid(Shortage::Order);
    }

    // Why nothing was found.
    Shortage shortage() const { return budget_.is_spent() ? Shortage::Time : shortage_; }

  private:
    using State = std::uint32_t;

    // Only the first reason counts.
    bool give_up(Shortage why) {
        if (!gave_up_) shortage_ = why;
        gave_up_ = true;
        return false;
    }
    std::nullopt_t no_monoid(Shortage why) {
        give_up(why);
        return std::nullopt;
    }

    // ---- candidates ----

    // The monoid with these generators set free, merged; nullopt: gave up.
    std::optional<Monoid> make_candidate(const Monoid& monoid,
                                         const std::vector<Freed>& freed) {
        if (!set_free(monoid, freed)) return std::nullopt;
        outcomes_.assign(state_count_, Unknown);
        Word word = empty_;
        if (!mark(generators_, word, 0)) return std::nullopt;
        return merged();
    }

    // Makes the states: an element that the other generators reach, and a power of each free
    // one.
    bool set_free(const Monoid& monoid, const std::vector<Freed>& freed) {
        const auto is_free = [&](std::size_t g) {
            return std::ranges::find(freed, g, &Freed::generator) != freed.end();
        };
        std::vector<Element> reached{0};
        std::vector<State> place(monoid.order(), kNone);
        place[0] = 0;
        for (std::size_t i = 0; i < reached.size(); ++i) {
            for (std::size_t g = 0; g < monoid.generator_count(); ++g) {
                if (is_free(g)) continue;
                const Element next = monoid.product(reached[i], monoid.generator(g));
                if (place[next] != kNone) continue;
                place[next] = static_cast<State>(reached.size());
                reached.push_back(next);
            }
        }
        state_count_ = reached.size();
        for (const Freed& free : freed) {
            state_count_ *= free.powers.size();
            if (state_count_ > kMostStates) return give_up(Shortage::Order);
        }
        const std::size_t size = state_count_ * generators_;
        if (!memory_.resize(size * sizeof(State))) return give_up(Shortage::Memory);
        next_.resize(size);
        for (State state = 0; state < state_count_; ++state) {
            const std::size_t element = state % reached.size();
            for (std::size_t g = 0; g < monoid.generator_count(); ++g) {
                if (is_free(g)) continue;
                const Element next = monoid.product(reached[element], monoid.generator(g));
                next_[state * generators_ + g] =
                    state - static_cast<State>(element) + place[next];
            }
            std::size_t unit = reached.size();
            for (const auto& [generator, powers] : freed) {
                const std::size_t power = state / unit % powers.size();
                const std::size_t next = power + 1 < powers.size() ? power + 1 : powers.index;
                next_[state * generators_ + generator] =
                    static_cast<State>(state + (next - power) * unit);
                unit *= powers.size();
            }
        }
        return true;
    }

    State step(State state, std::size_t generator) const {
        return next_[state * generators_ + generator];
    }

    State walk(State state, const Word& word) const {
        for (std::size_t g = 0; g < generators_; ++g) {
            for (char8_t i = 0; i < word[g]; ++i) state = step(state, g);
        }
        return state;
    }

    // Goes through the words in their order that have `state` and its word once the first
    // `free` generators are left out; a word of a state that has an outcome is not the least.
    bool mark(std::size_t free, Word& word, State state) {
        if (free == 0) {
            outcomes_[state] = is_lost(word) ? P : N;
            return !poll_.is_spent(1 + std::exchange(looked_, 0)) || give_up(Shortage::Time);
        }
        const std::size_t g = free - 1;
        for (;;) {
            if (!mark(g, word, state)) return false;
            state = step(state, g);
            if (outcomes_[state] != Unknown) break;
            if (word[g] == kMostOfOne) return give_up(Shortage::Order);
            ++word[g];
        }
        word[g] = 0;
        return true;
    }

    // Does the player to move lose this word?
    bool is_lost(Word word) {
        if (is_empty(word)) return false;
        for (std::size_t g = 0; g < generators_; ++g) {
            if (word[g] == 0) continue;
            --word[g];
            const State rest = walk(0, word);
            ++word[g];
            for (const Word& move : heaps_[g]) {
                ++looked_;
                if (outcomes_[walk(rest, move)] == P) return false;
            }
        }
        return true;
    }

    // States that no word tells apart become one element (Moore 1956).
    std::optional<Monoid> merged() {
        std::vector<State> class_of(state_count_);
        for (State s = 0; s < state_count_; ++s) class_of[s] = outcomes_[s] == P ? 1 : 0;
        std::size_t count = 2;
        for (std::size_t unchanged = 0; unchanged < generators_;) {
            for (std::size_t g = 0; g < generators_ && unchanged < generators_; ++g) {
                const std::size_t refined = split_classes(class_of, g);
                unchanged = refined == count ? unchanged + 1 : 0;
                count = refined;
                if (budget_.is_spent()) return no_monoid(Shortage::Time);
            }
        }
        if (count > max_candidate_) return no_monoid(Shortage::Order);
        // See Monoid::bytes().
        if (!memory_.resize(next_.size() * sizeof(State) + count * count * 17 / 8)) {
            return no_monoid(Shortage::Memory);
        }
        std::vector<std::vector<Element>> action(count);
        std::vector<bool> is_p(count);
        for (State s = 0; s < state_count_; ++s) {
            auto& row = action[class_of[s]];
            if (!row.empty()) continue;
            for (std::size_t g = 0; g < generators_; ++g) {
                row.push_back(static_cast<Element>(class_of[step(s, g)]));
            }
            is_p[class_of[s]] = outcomes_[s] == P;
        }
        auto monoid = Monoid::make(action, is_p, budget_);
        if (!monoid) give_up(Shortage::Time);
        return monoid;
    }

    // Splits each class by the classes that the generator leads to; returns their number. They
    // are numbered in the order of their first states.
    std::size_t split_classes(std::vector<State>& class_of, std::size_t generator) const {
        boost::unordered_flat_map<std::uint64_t, State> number;
        std::vector<State> split(state_count_);
        for (State s = 0; s < state_count_; ++s) {
            const std::uint64_t key =
                std::uint64_t{class_of[s]} << 32 | class_of[step(s, generator)];
            split[s] = number.try_emplace(key, static_cast<State>(number.size())).first->second;
        }
        class_of = std::move(split);
        return number.size();
    }

    // A candidate that has the other outcome for the word, with as few of its generators set
    // free as will do.
    std::optional<Monoid> repair(const Monoid& monoid, const Word& failure) {
        const bool was_p = monoid.is_p(monoid.product_of(failure));
        std::vector<Freed> all;
        for (std::size_t g = 0; g < generators_; ++g) {
            if (failure[g] == 0) continue;
            Cycle powers = cycle_of(monoid, monoid.generator(g));
            powers.index = std::max<std::size_t>(powers.index, failure[g] - 1U);
            powers.period = std::max<std::size_t>(powers.period, 2);
            all.push_back({g, powers});
        }
        for (std::size_t count = 1; count <= all.size(); ++count) {
            std::vector<bool> chosen(all.size());
            std::fill_n(chosen.begin(), count, true);
            do {
                std::vector<Freed> freed;
                for (std::size_t i = 0; i < all.size(); ++i) {
                    if (chosen[i]) freed.push_back(all[i]);
                }
                auto candidate = make_candidate(monoid, freed);
                if (!candidate) return std::nullopt;
                if (candidate->is_p(candidate->product_of(failure)) != was_p) return candidate;
            } while (std::prev_permutation(chosen.begin(), chosen.end()));
        }
        return no_monoid(Shortage::Order);
    }

    static Cycle cycle_of(const Monoid& monoid, Element element) {
        std::vector<std::size_t> seen(monoid.order(), kNone);
        Element power = 0;
        for (std::size_t exponent = 0;; ++exponent) {
            if (seen[power] != kNone) return {seen[power], exponent - seen[power]};
            seen[power] = exponent;
            power = monoid.product(power, element);
        }
    }

    // ---- the check ----

    // The least word whose outcome is wrong: it is to be P and has a move to P, or to be N and
    // has none. nullopt: there is none, or gave up.
    std::optional<Word> find_least_failure(const Monoid& monoid) {
        std::vector<SumState> singles;
        for (std::size_t g = 0; g < generators_; ++g) {
            SumState single{monoid.generator(g), ElementSet(monoid.order())};
            for (const Word& move : heaps_[g]) {
                single.wins |= monoid.partners(monoid.product_of(move));
            }
            singles.push_back(std::move(single));
        }
        least_failure_ = find_p_failure(monoid, singles);
        covers_.assign(monoid.order(), {});
        cover_bytes_ = 0;
        Word word = empty_;
        look_for_n_failure(monoid, singles, generators_, word, {0, ElementSet(monoid.order())});
        covers_.clear();
        return least_failure_;
    }

    std::optional<Word> find_p_failure(const Monoid& monoid,
                                       const std::vector<SumState>& singles) {
        std::vector<Word> least(monoid.order());
        Word word = empty_;
        find_least_words(monoid, generators_, word, 0, least);
        std::optional<Word> failure;
        for (std::size_t g = 0; g < generators_; ++g) {
            const ElementSet broken = singles[g].wins & monoid.partners(singles[g].element);
            for (auto x = broken.find_first(); x != ElementSet::npos; x = broken.find_next(x)) {
                Word sum = least[x];
                ++sum[g];
                if (!failure || is_less(sum, *failure)) failure = std::move(sum);
            }
        }
        return failure;
    }

    void find_least_words(const Monoid& monoid, std::size_t free, Word& word, Element element,
                          std::vector<Word>& least) const {
        if (free == 0) {
            least[element] = word;
            return;
        }
        const std::size_t g = free - 1;
        do {
            find_least_words(monoid, g, word, element, least);
            element = monoid.product(element, monoid.generator(g));
            ++word[g];
        } while (least[element].empty());
        word[g] = 0;
    }

    // Goes through the words in their order, as mark() does, and sets least_failure_ to the
    // first failure that is less. A word is left out, with all that is longer, if an earlier
    // one has the same element and no more wins. False: there is nothing more to look for.
    bool look_for_n_failure(const Monoid& monoid, const std::vector<SumState>& singles,
                            std::size_t free, Word& word, SumState state) {
        if (free == 0) {
            if (poll_.is_spent(1 + monoid.order() / 8)) return give_up(Shortage::Time);
            if (monoid.is_p(state.element) || state.wins[0] || is_empty(word)) return true;
            least_failure_ = word;
            return false;
        }
        const std::size_t g = free - 1;
        for (;;) {
            if (!look_for_n_failure(monoid, singles, g, word, state)) return false;
            if (word[g] == kMostOfOne) return give_up(Shortage::Order);
            ++word[g];
            if (least_failure_ && !is_less(word, *least_failure_)) break;
            state = sum(monoid, state, singles[g]);
            auto& covers = covers_[state.element];
            const auto is_cover = [&](const ElementSet& wins) {
                return wins.is_subset_of(state.wins);
            };
            if (std::ranges::any_of(covers, is_cover)) break;
            covers.push_back(state.wins);
            cover_bytes_ += sizeof(ElementSet) + monoid.order() / 8 + 16;
            if (!cover_memory_.cover(cover_bytes_, cover_bytes_))
                return give_up(Shortage::Memory);
        }
        word[g] = 0;
        return true;
    }

    static constexpr State kNone = std::numeric_limits<State>::max();
    enum : std::uint8_t { Unknown, N, P };

    const std::span<const WordMoves> heaps_;
    const std::size_t generators_;
    const Word empty_;
    const std::size_t max_order_;
    const std::size_t max_candidate_;
    const Budget& budget_;
    BudgetPoll poll_;
    bool gave_up_ = false;
    Shortage shortage_ = Shortage::Order;

    // The candidate before it is merged.
    std::size_t state_count_ = 0;
    std::vector<State> next_;  // by state, then by generator
    std::vector<std::uint8_t> outcomes_;
    std::size_t looked_ = 0;  // moves, since the budget was polled
    Reservation memory_;

    std::optional<Word> least_failure_;
    std::vector<std::vector<ElementSet>> covers_;  // of each element
    std::size_t cover_bytes_ = 0;
    Reservation cover_memory_;
};

}  // namespace

std::optional<Monoid> extend_quotient(const Monoid& smaller, std::span<const WordMoves> heaps,
                                      std::size_t max_order, const Budget& budget,
                                      Shortage& shortage) {
    Extension extension(heaps, max_order, budget);
    auto monoid = extension.run(smaller);
    if (!monoid) shortage = extension.shortage();
    return monoid;
}

}  // namespace engine::misere
