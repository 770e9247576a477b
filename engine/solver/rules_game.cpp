#include "engine/solver/rules_game.hpp"

#include <algorithm>
#include <functional>

#include "engine/rules/sort_in_pieces.hpp"
#include "engine/solver/memory.hpp"

namespace engine {
namespace {

constexpr unsigned char kLast = 0x80;

void append(std::string& out, std::span<const Number> entries) {
    for (Number entry : entries) {
        for (; entry >= kLast; entry >>= 7) out.push_back(static_cast<char>(entry % kLast));
        out.push_back(static_cast<char>(entry | kLast));
    }
}

// Calls `visit(entry, index behind it)` for each entry.
template <typename Visit>
void visit_entries(const std::string& text, Visit visit) {
    Number entry = 0;
    unsigned shift = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        entry |= Number{byte} % kLast << shift;
        shift += 7;
        if (byte < kLast) continue;
        visit(entry, i + 1);
        entry = 0;
        shift = 0;
    }
}

// Moves as they are found, the results of each in one text; each once in the end.
class Collected {
  public:
    explicit Collected(const Budget& budget) : budget_(budget) {}

    // False where the budget or the memory ends.
    bool add(const rules::MoveBlock& block) {
        for (std::size_t i = 0; i < block.count; ++i) {
            if (results_.size() == next_sweep_ && !sweep()) return false;
            results_.emplace_back();
            append(results_.back(), block.row(i));
        }
        return true;
    }

    bool finish() { return sort(); }
    const std::vector<std::string>& results() const { return results_; }

  private:
    bool sort() {
        const auto is_spent = [&] { return budget_.is_spent(); };
        if (!sort_in_pieces(results_, std::less<>(), is_spent)) return false;
        results_.erase(std::unique(results_.begin(), results_.end()), results_.end());
        return true;
    }

    bool sweep() {
        if (!sort()) return false;
        next_sweep_ = std::max<std::size_t>(2 * results_.size(), 1024);
        constexpr std::size_t kResultBytes = 2 * sizeof(std::string);  // most are short
        if (next_sweep_ > 1024 && !memory_.resize(next_sweep_ * kResultBytes)) return false;
        results_.reserve(next_sweep_);
        return true;
    }

    const Budget& budget_;
    Reservation memory_;
    std::vector<std::string> results_;
    std::size_t next_sweep_ = 1024;
};

}  // namespace

RulesGame::State RulesGame::state_of(std::span<const Number> entries) {
    State state;
    append(state, entries);
    return state;
}

std::vector<Number> RulesGame::entries_of(const State& state) {
    std::vector<Number> entries;
    visit_entries(state, [&](Number entry, std::size_t) { entries.push_back(entry); });
    return entries;
}

std::uint64_t RulesGame::size(const State& state) const {
    std::uint64_t sum = 0;
    visit_entries(state, [&](Number entry, std::size_t) {
        sum = sum + entry < sum ? ~std::uint64_t{0} : sum + entry;
    });
    return sum;
}

bool RulesGame::visit_followers(
    const State& state, const Budget& budget,
    const std::function<bool(std::span<const State>)>& visit) const {
    Collected collected(budget);
    const bool all = rules_->visit_moves(entries_of(state), [&](const rules::MoveBlock& block) {
        return !budget.is_spent() && collected.add(block);
    });
    if (!all || !collected.finish()) return false;

    std::vector<State> heaps;
    for (const std::string& result : collected.results()) {
        heaps.clear();
        std::size_t begin = 0;
        std::size_t entries = 0;
        visit_entries(result, [&](Number, std::size_t end) {
            if (++entries % rules_->entries() != 0) return;
            heaps.push_back(result.substr(begin, end - begin));
            begin = end;
        });
        if (!visit(heaps)) return false;
    }
    return true;
}

}  // namespace engine
