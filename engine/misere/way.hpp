// Ways to determine who wins a misere sum without loops whose heaps need not be tame.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/heaps/heaps.hpp"
#include "engine/misere/tables.hpp"

namespace engine::misere {

// A heap of the sum.
struct Part {
    Heaps::Place place;
    std::size_t ruleset = 0;                 // in the graph of the tables
    std::optional<HeapGraph::Index> number;  // there; nullopt: too large to look at all of it
};

// One way to determine who wins after a move; see the files that make them. The parts must
// outlive it.
class Way {
  public:
    explicit Way(const std::vector<Part>& parts) : parts_(parts) {}
    virtual ~Way() = default;

    // Whether the previous player wins after a move in heap number `part`, which leaves these
    // heaps (reduced). nullopt: not known.
    virtual std::optional<bool> is_previous_win(std::size_t part, std::span<const Heap> left,
                                                const Budget& budget) const = 0;
    // The same for the current sum.
    virtual std::optional<bool> is_previous_win(const Budget& budget) const = 0;

    // The same for a heap on its own.
    virtual std::optional<bool> is_previous_win_alone(std::size_t part,
                                                      const Budget& budget) const = 0;

    // For heaps with too many moves to look at: some moves, and what is known to be among them.
    // None: nothing. One: a winning move, if the heap has one. All: all winning moves of the
    // heap.
    enum class Cover { None, One, All };
    struct Candidates {
        std::vector<std::vector<Heap>> results;
        Cover cover = Cover::None;
    };
    virtual Candidates candidates(std::size_t part, const Budget& budget) const = 0;

    virtual std::string reason() const = 0;

  protected:
    const std::vector<Part>& parts_;
};

// Where one heap alone has moves, and a theorem of its ruleset tells who wins it. Null: several
// have.
std::unique_ptr<Way> find_theorem_way(const std::vector<Part>& parts);
// Where all heaps are tame, by a theorem or by their forms: misere nim. Null: they are not, or
// their forms are not found.
std::unique_ptr<Way> find_tame_way(Tables& tables, const std::vector<Part>& parts,
                                   const Budget& budget);
// Where the heaps have a quotient of at most `max_order` elements that is found.
std::unique_ptr<Way> find_quotient_way(Tables& tables, const std::vector<Part>& parts,
                                       std::size_t max_order, const Budget& budget);
// Where forms of the heaps are found. One nim heap of any size needs none: the previous player
// wins exactly if its size is the g- of the rest. Gives the tame way if the forms show that all
// heaps are tame, as sums then need no forms.
std::unique_ptr<Way> find_form_way(Tables& tables, const std::vector<Part>& parts,
                                   const Budget& budget);
// By search: any heaps, as far as it reaches; a largest nim heap may have any size. Null:
// memory is short.
std::unique_ptr<Way> find_search_way(const std::vector<Part>& parts);

// The size of a heap of nim, an ordinal as the largest Number. nullopt: a heap of another game.
std::optional<Number> nim_size(const Part& part, const Heap& heap);

}  // namespace engine::misere
