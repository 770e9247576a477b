// Rulesets that list the results of a heap's moves: the least that a new ruleset must say.
#pragma once

#include <memory>
#include <vector>

#include "engine/rules/ruleset.hpp"

namespace engine {

// Derive from it and write check_heap() and list(); all else is answered from the list. Each
// thread keeps its most recent list. For heaps with at most some thousands of moves.
class Listed : public Ruleset {
  public:
    Listed();
    Listed(const Listed&) = delete;
    Listed& operator=(const Listed&) = delete;

    bool has_move(const Heap& heap) const override;
    bool is_follower(const Heap& heap, std::span<const Heap> result) const override;
    std::vector<Heap> canonical(const Heap& heap, std::vector<Heap> result) const override;
    Count follower_count(const Heap& heap) const override;
    std::vector<Heap> follower(const Heap& heap, Count index) const override;
    std::optional<Followers> followers(const Heap& heap, const GiveUp& give_up) const override;

  protected:
    using Results = std::vector<std::vector<Heap>>;
    using AddResult = std::function<bool(std::vector<Heap>)>;

    // Calls `add` with the canonical result of each move, in any order, some perhaps several
    // times, until it returns false.
    virtual void list(const Heap& heap, const AddResult& add) const = 0;

  private:
    // Ascending, each once. Null if cancelled.
    std::shared_ptr<const Results> results_of(const Heap& heap, const GiveUp& give_up) const;
    std::shared_ptr<const Results> results_of(const Heap& heap) const;

    std::uint64_t identity_;  // among all of the process
};

}  // namespace engine
