// Genus symbols, 4^{146}: what a misere game is worth beside nim heaps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/heaps/nimber.hpp"
#include "engine/misere/canonical_form.hpp"

namespace engine::misere {

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
