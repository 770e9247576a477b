#include "engine/misere/monoid_learner.hpp"

#include <algorithm>
#include <limits>

#include "engine/misere/state_closure.hpp"

namespace engine::misere {
namespace {

constexpr unsigned kMostOfOne = std::numeric_limits<std::uint8_t>::max();

std::optional<Word> product(const Word& left, const Word& right) {
    Word word = left;
    for (std::size_t g = 0; g < word.size(); ++g) {
        if (unsigned{left[g]} + right[g] > kMostOfOne) return std::nullopt;
        word[g] = static_cast<char8_t>(left[g] + right[g]);
    }
    return word;
}

bool is_empty(const Word& word) {
    return std::ranges::all_of(word, [](char8_t count) { return count == 0; });
}

}  // namespace

WordOutcomes::WordOutcomes(std::vector<WordMoves> heaps) : heaps_(std::move(heaps)) {
    for (const WordMoves& moves : heaps_) {
        is_star_.push_back(std::ranges::all_of(moves, is_empty));
    }
}

void WordOutcomes::cancel_pairs(Word& word) const {
    for (std::size_t g = 0; g < word.size(); ++g) {
        if (is_star_[g]) word[g] %= 2;
    }
}

bool WordOutcomes::store(const Word& word, bool previous_wins) {
    known_.emplace(word, previous_wins);
    const std::size_t bytes = known_.bucket_count() * (sizeof(Word) + 9);
    return bytes <= reservation_.bytes() || reservation_.resize(2 * bytes);
}

std::optional<bool> WordOutcomes::is_previous_win(Word word, const Budget& budget) {
    cancel_pairs(word);
    std::vector<Pending> pending{{std::move(word), 0, 0}};
    std::optional<bool> answer;  // to the word last looked at
    if (++steps_ % 64 == 0 && budget.is_spent()) return std::nullopt;
    if (const auto known = known_.find(pending.back().word); known != known_.end()) {
        return known->second;
    }
    for (;;) {
        Pending& top = pending.back();
        if (top.heap == heaps_.size()) {
            answer = !is_empty(top.word);  // no move wins
        } else if (top.word[top.heap] == 0 || top.move == heaps_[top.heap].size()) {
            ++top.heap;
            top.move = 0;
            continue;
        } else {
            auto next = product(top.word, heaps_[top.heap][top.move]);
            if (!next) {
                overflowed_ = true;
                return std::nullopt;
            }
            --(*next)[top.heap];
            cancel_pairs(*next);
            const auto known = known_.find(*next);
            if (known == known_.end()) {
                if (++steps_ % 64 == 0 && budget.is_spent()) return std::nullopt;
                pending.push_back({std::move(*next), 0, 0});
                continue;
            }
            if (!known->second) {
                ++top.move;
                continue;
            }
            answer = false;
        }
        if (!store(top.word, *answer)) return std::nullopt;
        pending.pop_back();
        if (pending.empty()) return answer;
    }
}

namespace {

class Learner {
  public:
    Learner(WordOutcomes& outcomes, std::size_t max_order, const Budget& budget)
        : outcomes_(outcomes),
          max_order_(max_order),
          budget_(budget),
          generators_(outcomes.heaps().size()),
          empty_(generators_, char8_t{0}),
          tests_{empty_} {}

    // Where nothing was found.
    Shortage shortage() const {
        if (budget_.is_spent()) return Shortage::Time;
        const bool is_large = words_.size() > max_order_ || overflowed_;
        return is_large || outcomes_.has_overflowed() ? Shortage::Order : Shortage::Memory;
    }

    std::optional<Monoid> learn() {
        for (;;) {
            if (!close()) return std::nullopt;
            auto test = find_order_conflict();
            if (!test && failed_) return std::nullopt;
            if (!test) {
                auto monoid = Monoid::make(action_, outcomes_of_elements(), budget_);
                if (!monoid) return std::nullopt;
                const auto broken = find_broken_sum(*monoid);
                if (failed_) return std::nullopt;
                if (!broken) return monoid;
                test = find_test(*broken);
                if (!test) return std::nullopt;
            }
            tests_.push_back(*std::move(test));
        }
    }

  private:
    // Unknown outcomes end the search.
    bool is_p(const std::optional<Word>& word) {
        if (!word) overflowed_ = true;
        const auto answer =
            word ? outcomes_.is_previous_win(*word, budget_) : std::optional<bool>();
        if (!answer) failed_ = true;
        return answer.value_or(false);
    }

    Word with(const Word& word, std::size_t generator) {
        Word longer = word;
        if (longer[generator] == kMostOfOne) {
            failed_ = overflowed_ = true;
        } else {
            ++longer[generator];
        }
        return longer;
    }

    // Who wins the word with each of the tests.
    const ElementSet& row(const Word& word) {
        ElementSet& known = rows_[word];
        while (known.size() < tests_.size() && !failed_) {
            known.push_back(is_p(product(word, tests_[known.size()])));
        }
        return known;
    }

    // Words that the tests tell apart, and which of them each is with one more generator.
    bool close() {
        words_.assign(1, empty_);
        action_.clear();
        boost::unordered_flat_map<ElementSet, Element, boost::hash<ElementSet>> element_of;
        element_of.emplace(row(empty_), Element{0});
        for (std::size_t x = 0; x < words_.size(); ++x) {
            action_.emplace_back();
            for (std::size_t g = 0; g < generators_; ++g) {
                const Word longer = with(words_[x], g);
                const auto [place, is_new] =
                    element_of.try_emplace(row(longer), static_cast<Element>(words_.size()));
                action_[x].push_back(place->second);
                if (is_new) words_.push_back(longer);
                if (failed_ || words_.size() > max_order_) return false;
            }
            if (budget_.is_spent()) return false;
        }
        return reservation_.resize(rows_.bucket_count() *
                                       (sizeof(Word) + 2 * sizeof(ElementSet)) +
                                   rows_.size() * tests_.size() / 8);
    }

    // Generators have to commute. Where they do not, some word was taken for another one from
    // which a test can tell it.
    std::optional<Word> find_order_conflict() {
        for (std::size_t x = 0; x < words_.size(); ++x) {
            for (std::size_t g = 0; g < generators_; ++g) {
                for (std::size_t h = 0; h < g; ++h) {
                    if (action_[action_[x][g]][h] == action_[action_[x][h]][g]) continue;
                    return conflict_of(x, g, h);
                }
            }
        }
        return std::nullopt;
    }

    std::optional<Word> conflict_of(std::size_t x, std::size_t g, std::size_t h) {
        const ElementSet one = row(with(words_[action_[x][g]], h));
        const ElementSet other = row(with(words_[action_[x][h]], g));
        const Word both = with(with(words_[x], g), h);
        const ElementSet& truth = row(both);
        if (failed_) return std::nullopt;
        for (std::size_t t = 0; t < tests_.size(); ++t) {
            if (one[t] != truth[t]) return with(tests_[t], h);
            if (other[t] != truth[t]) return with(tests_[t], g);
        }
        return std::nullopt;
    }

    std::vector<bool> outcomes_of_elements() {
        std::vector<bool> is_p;
        for (const Word& word : words_) is_p.push_back(row(word)[0]);
        return is_p;
    }

    // A word of whose outcome the monoid is mistaken; nullopt where it is proven right, or the
    // search failed.
    std::optional<Word> find_broken_sum(const Monoid& monoid) {
        StateClosure closure(monoid);
        for (std::size_t g = 0; g < generators_; ++g) {
            ElementSet wins(monoid.order());
            for (const Word& move : outcomes_.heaps()[g]) {
                wins |= monoid.partners(monoid.product_of(move));
            }
            const Verdict verdict = closure.add(monoid.generator(g), wins, budget_);
            if (verdict == Verdict::Holds) continue;
            if (verdict == Verdict::Unknown) {
                failed_ = true;
                return std::nullopt;
            }
            Word sum = empty_;
            for (const std::size_t heap : closure.failure()) sum = with(sum, heap);
            return mistaken_word(monoid, sum);
        }
        return std::nullopt;
    }

    // The sum itself or what some move leaves of it, as their outcomes contradict each other.
    std::optional<Word> mistaken_word(const Monoid& monoid, const Word& sum) {
        if (is_p(sum) != monoid.is_p(monoid.product_of(sum))) return sum;
        for (std::size_t g = 0; g < generators_; ++g) {
            if (sum[g] == 0) continue;
            Word rest = sum;
            --rest[g];
            for (const Word& move : outcomes_.heaps()[g]) {
                const auto next = product(rest, move);
                const bool truth = is_p(next);
                if (failed_) return std::nullopt;
                if (truth != monoid.is_p(monoid.product_of(*next))) return next;
            }
        }
        failed_ = true;
        return std::nullopt;
    }

    // Replaces the word's beginning by the element it was taken for, one generator at a time:
    // where the outcome changes, the rest of the word tells the two apart.
    std::optional<Word> find_test(const Word& word) {
        Word rest = word;
        std::size_t element = 0;
        const bool truth = is_p(word);
        for (std::size_t g = 0; g < generators_; ++g) {
            while (rest[g] > 0 && !failed_) {
                --rest[g];
                element = action_[element][g];
                if (is_p(product(words_[element], rest)) != truth) return rest;
            }
        }
        return std::nullopt;
    }

    WordOutcomes& outcomes_;
    const std::size_t max_order_;
    const Budget& budget_;
    const std::size_t generators_;
    const Word empty_;
    bool failed_ = false;
    bool overflowed_ = false;  // a heap would occur too often
    std::vector<Word> tests_;
    boost::unordered_flat_map<Word, ElementSet, std::hash<Word>> rows_;
    std::vector<Word> words_;  // of each element
    std::vector<std::vector<Element>> action_;
    Reservation reservation_;
};

}  // namespace

std::optional<Monoid> learn_quotient(WordOutcomes& outcomes, std::size_t max_order,
                                     const Budget& budget, Shortage& shortage) {
    Learner learner(outcomes, std::min(max_order, Monoid::kMaxOrder), budget);
    auto monoid = learner.learn();
    if (!monoid) shortage = learner.shortage();
    return monoid;
}

}  // namespace engine::misere
