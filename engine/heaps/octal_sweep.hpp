// Nimbers of a taking-and-breaking game, heap after heap.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/heaps/break_moves.hpp"
#include "engine/heaps/nimber_array.hpp"
#include "engine/heaps/nimber_sequence.hpp"
#include "engine/heaps/pair_values.hpp"
#include "engine/heaps/sparse_space.hpp"

namespace engine {

// Without splits: the mex of a window. With splits into two: the options that a rare heap takes
// part in (sparse_space.hpp) give all common values among the options; if the mex so far is a
// common value, it is the nimber; if it is a rare one, pairs are looked at, in turn at all
// places and from both ends, until it turns up or there are no others. With splits into three:
// all pairs of each total are kept, and a value turns up where a heap and a pair make it,
// O(heaps) a value at most and far less for most.
class OctalSweep final : public NimberSweep {
  public:
    // `sparse` false: the plain quadratic sweep, to compare with.
    explicit OctalSweep(BreakMoves moves, bool sparse = true);

    const BreakMoves& moves() const { return moves_; }

    std::shared_ptr<const NimberArray> values() const override { return values_; }
    std::size_t size() const override { return values_ ? values_->size() : 0; }
    // One heap of a code with very many digits may take more than `work`. Once memory was
    // short, every later call fails too.
    bool extend(std::size_t end, std::size_t work) override;

    // The number of rare heaps; 0 where it does not pay to tell them apart.
    const std::vector<RareHeap>& rare() const { return space_.rare(); }
    std::size_t bytes() const;

  private:
    enum class Step { Done, Spent, Short };

    Step next(Work& work);
    std::uint32_t next_by_mask() const;
    Step find_options(std::size_t heap, Work& work);
    Step find_pair(std::size_t heap, std::uint32_t value, Work& work);
    bool find_near(std::size_t heap, std::uint32_t value, Work& work);
    bool has_triple(std::size_t heap, std::uint32_t value, Work& work) const;
    bool append(std::size_t heap, std::uint32_t value);

    void mark(std::uint32_t value) { options_[value / 64] |= std::uint64_t{1} << (value % 64); }
    bool is_marked(std::uint32_t value) const {
        return (options_[value / 64] >> (value % 64) & 1) != 0;
    }
    void mark_pairs(std::size_t total);

    BreakMoves moves_;
    bool sparse_;
    bool by_mask_;  // no splits and few places: the nimbers of the options fit one word
    std::shared_ptr<NimberArray> values_;
    SparseSpace space_;
    PairValues pairs_;
    std::vector<std::uint64_t> options_;  // of the heap at hand; one bit more than values
    std::size_t limit_ = 8;               // a power of two above all values
};

}  // namespace engine
