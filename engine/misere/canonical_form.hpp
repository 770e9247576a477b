// Canonical forms of impartial games under misere play, and their genus symbols.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "engine/base/budget.hpp"
#include "engine/base/long_array.hpp"
#include "engine/base/memory.hpp"
#include "engine/heaps/nimber.hpp"

namespace engine::misere {

// A canonical form: two games have the same one exactly if they may replace each other in every
// misere sum.
using Form = std::uint32_t;

inline constexpr Form kZero = 0;  // the game without moves

// The forms met so far, each kept once, and their sums.
//
// Conway, On Numbers and Games, chapter 12: let G have the options of H and others besides,
// each of which has H among its own. Then G = H, as a move to one of the others is answered by
// the move to H; where H has no moves, somebody must be able to win G by moving, so that G has
// to be an N-position too. Where the options are canonical and no such H is left, so is G, and
// equal games have come to the same options.
//
// For one thread at a time.
class Forms {
  public:
    Forms() : nim_heaps_{kZero} { facts_.push_back({}); }

    std::size_t size() const { return facts_.size(); }
    std::size_t bytes() const { return arrays_.bytes() + tables_.bytes(); }

    // Options are forms, ascending, none twice; each is less than the form.
    std::span<const Form> options(Form form) const {
        return {options_.data() + facts_[form].first_option, facts_[form].option_count};
    }
    // Whether the previous player wins under misere play.
    bool is_previous_win(Form form) const { return facts_[form].misere_nimber == 0; }
    // g+ and g-: n such that the sum with a nim heap of n is a P-position, under normal and
    // under misere play.
    std::uint32_t normal_nimber(Form form) const { return facts_[form].normal_nimber; }
    std::uint32_t misere_nimber(Form form) const { return facts_[form].misere_nimber; }
    // Is the form and each that play can come to from it fickle, (g+,g-) = (0,1) or (1,0), or
    // firm, (n,n)? See TameSum for what follows.
    bool is_tame(Form form) const { return facts_[form].tame; }

    // The functions below give nullopt where the memory or the budget ends.

    // The game with these options, in any order. O(options^2) at worst.
    std::optional<Form> make(std::vector<Form> options);
    std::optional<Form> nim_heap(std::uint64_t size, const Budget& budget);
    // Cached, with all sums of followers that it needs.
    std::optional<Form> add(Form left, Form right, const Budget& budget);
    // The outcome of the sum: quicker than its form, because one good move suffices. Cached.
    std::optional<bool> sum_is_previous_win(Form left, Form right, const Budget& budget);

  private:
    struct Facts {
        std::size_t first_option = 0;
        std::uint32_t option_count = 0;
        std::uint32_t normal_nimber = 0;
        std::uint32_t misere_nimber = 1;
        Form next_of_hash = kZero;  // another form with the same hash of options
        bool tame = true;
    };
    // A sum that is being computed: its next option, and where the forms of those before begin.
    struct Pending {
        Form left;
        Form right;
        std::size_t next_option;
        std::size_t first_found;
    };

    std::optional<Form> find_reversed(std::span<const Form> options) const;
    bool reverses_to(std::span<const Form> options, Form target) const;
    std::optional<Form> store(const std::vector<Form>& options);
    // Both summands after a move in one of them; nullopt: all are done.
    std::optional<std::pair<Form, Form>> next_option(const Pending& sum) const;
    std::optional<Form> known_sum(Form left, Form right) const;
    std::optional<bool> known_outcome(Form left, Form right) const;
    bool reserve(const void* growing);

    LongArray<Form> options_;
    LongArray<Facts> facts_;
    boost::unordered_flat_map<std::uint64_t, Form> by_hash_;   // of the options
    boost::unordered_flat_map<std::uint64_t, Form> sums_;      // by both summands
    boost::unordered_flat_map<std::uint64_t, bool> outcomes_;  // of sums without a known form
    std::vector<Form> nim_heaps_;
    std::vector<Pending> pending_;
    std::vector<Form> found_;  // options of pending sums
    Reservation arrays_, tables_;
};

// The least number that is not among these, which are sorted on the way.
std::uint64_t mex(std::vector<std::uint64_t>& values);

// A genus symbol, 4^{146}: the value of a misere game in sums with nim heaps.
// g+ and g0, g1, g2, …: `normal` is the nimber under normal play, and misere[k] the n for which
// the game, k nim heaps of 2 and one of n are a P-position under misere play (Conway, On
// Numbers and Games, chapter 12; Winning Ways, chapter 13). From some k on two values
// alternate; the list ends with the first such pair.
struct Genus {
    std::uint64_t normal = 0;
    std::vector<std::uint64_t> misere;

    std::uint64_t with_twos(std::size_t twos) const;

    friend bool operator==(const Genus&, const Genus&) = default;
};

// As it is written in the field, "4^{146}"; with commas, "9^{9,11}", where a value has two
// digits.
std::string to_string(const Genus& genus);

Genus genus_of_nim_heap(std::uint64_t size);

// Whether it is the genus of a nim heap, or of a sum of nim heaps.
bool is_tame(const Genus& genus);

// The genus symbols of forms, cached. nullopt: the budget ended, or no repetition was seen.
class Genera {
  public:
    std::optional<Genus> of(const Forms& forms, Form form, const Budget& budget);

  private:
    std::vector<std::optional<Genus>> known_;  // by form
};

// A sum of tame heaps, see Forms::is_tame: where all are fickle the previous player wins
// exactly if the XOR of the g+ is 1, else exactly if it is 0, as in misere nim. The pairs
// (g+,g-) suffice for the proof: by the mex rule no move of a firm heap leads to a pair that
// breaks it.
class TameSum {
  public:
    void add(const Nimber& normal, bool fickle) {
        total_.add(normal);
        all_fickle_ = all_fickle_ && fickle;
    }
    bool is_previous_win() const { return total_.value() == finite(all_fickle_ ? 1 : 0); }

  private:
    NimSum total_;
    bool all_fickle_ = true;
};

}  // namespace engine::misere
