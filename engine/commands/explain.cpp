#include "engine/commands/explain.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "engine/heaps/heap_solver.hpp"
#include "engine/rules/moves.hpp"
#include "protocol/text.hpp"

namespace engine {
namespace {

constexpr std::size_t kShownOptions = 20;
constexpr std::size_t kShownRuns = 12;  // of numbers of a set
constexpr Count kMostOptions = 100'000;
constexpr std::size_t kMoveWidth = 30;  // characters of a move

// "{0,1,2,5..9}"
std::string set_text(const std::set<std::uint64_t>& numbers) {
    std::string text;
    std::size_t runs = 0;
    for (auto it = numbers.begin(); it != numbers.end();) {
        if (runs++ == kShownRuns) return "{" + text + ",…}";
        const std::uint64_t first = *it;
        std::uint64_t last = first;
        while (++it != numbers.end() && *it == last + 1) ++last;
        if (!text.empty()) text += ",";
        text += std::to_string(first);
        if (last > first + 3) {
            text += fmt::format("..{}", last);
        } else {
            for (std::uint64_t i = first + 1; i <= last; ++i) text += fmt::format(",{}", i);
        }
    }
    return "{" + text + "}";
}

// The options of one heap, asked one by one.
class Options {
  public:
    Options(const HeapSolver& solver, const Budget& budget)
        : solver_(solver), budget_(budget) {}

    void add(const Move& move) {
        std::string terms;
        NimSum sum;
        bool known = true;
        for (const Heap& heap : move.result) {
            const auto nimber = known ? solver_.nimber(heap, budget_) : std::nullopt;
            known = nimber.has_value();
            if (!known) break;
            sum.add(*nimber);
            terms += (terms.empty() ? "" : " XOR ") + to_string(*nimber);
        }
        const Nimber total = sum.value();
        if (!known) {
            ++unknown_;
        } else if (const auto* number = std::get_if<std::uint64_t>(&total)) {
            numbers_.insert(*number);
        } else {
            ++others_;
        }
        if (lines_.size() == kShownOptions) {
            ++more_;
            return;
        }
        const bool is_sum = move.result.size() > 1;
        lines_.emplace_back(protocol::printable(to_string(move), kMoveWidth),
                            !known   ? "?"
                            : is_sum ? terms + " = " + to_string(total)
                                     : to_string(total));
    }

    bool is_nothing_known() const { return numbers_.empty() && others_ == 0; }

    std::string text(const Nimber& nimber) const {
        std::size_t width = 0;
        for (const auto& [move, value] : lines_) width = std::max(width, move.size());
        std::string text;
        for (const auto& [move, value] : lines_)
            text += fmt::format("  {:<{}}  {}\n", move, width, value);
        if (more_ > 0) text += fmt::format("  … {} more\n", more_);
        return text + "  " + conclusion(nimber) + "\n";
    }

  private:
    std::string conclusion(const Nimber& nimber) const {
        if (unknown_ > 0) {
            return fmt::format(
                "the nimbers of {} options are not known; that of the heap, {}, "
                "was found without them",
                unknown_, to_string(nimber));
        }
        if (is_loopy(nimber)) {
            return to_string(nimber) +
                   ": play can go on for ever; in the braces are the numbers among these";
        }
        return fmt::format(
            "mex of {} is {}: the least number that is not among them{}", set_text(numbers_),
            to_string(nimber),
            others_ > 0 ? "; from each of the others a move leads back to it" : "");
    }

    const HeapSolver& solver_;
    const Budget& budget_;
    std::vector<std::pair<std::string, std::string>> lines_;
    std::set<std::uint64_t> numbers_;
    std::size_t unknown_ = 0, others_ = 0, more_ = 0;  // others_: loopy ones
};

// The options of heap number `index`, from 0; empty if nothing is known of them.
std::string explain_heap(const HeapSolver& solver, const Ruleset& rules, const Heap& heap,
                         std::size_t index, const Nimber& nimber, const Budget& budget) {
    const auto followers = find_followers(rules, heap, budget);
    if (!followers) return "";
    if (followers->count == 0)
        return fmt::format("\nheap {} has no options: mex of {{}} is 0\n", index + 1);
    if (followers->count > kMostOptions)
        return fmt::format("\nheap {} has too many options to list\n", index + 1);
    Options options(solver, budget);
    for (Count i = 0; i < followers->count; ++i) options.add(Move{index + 1, followers->at(i)});
    if (options.is_nothing_known()) return "";
    return fmt::format("\noptions of heap {} and their nimbers\n", index + 1) +
           options.text(nimber);
}

std::string explain_xor(const Evaluation& evaluation, std::size_t heaps) {
    constexpr std::size_t kMostTerms = 10;
    const auto total = evaluation.total();
    if (!total || heaps < 2 || heaps > kMostTerms) return "";
    std::string terms;
    for (std::size_t i = 0; i < heaps; ++i) {
        terms += (i == 0 ? "" : " XOR ") + to_string(*evaluation.nimber(i));
    }
    return fmt::format(
        "\n{} = {}: a binary digit of it is 1 where an odd number of the heaps "
        "has a 1\n",
        terms, to_string(*total));
}

}  // namespace

std::string explain_nimbers(const Evaluation& evaluation, std::size_t heaps,
                            const Budget& budget) {
    if (evaluation.worth() != Evaluation::Worth::Nimbers) return "";
    const Game& game = evaluation.game();
    std::string text;
    std::set<std::pair<std::string, std::string>> seen;
    std::size_t index = 0;
    for (std::size_t i = 0; i < game.position().components.size(); ++i) {
        const auto& [ruleset, part] = game.position().components[i];
        const auto solver = find_solver(ruleset, game.ruleset(i));
        for (const Heap& heap : part) {
            const auto& nimber = evaluation.nimber(index++);
            if (!nimber || seen.size() == heaps) continue;
            if (!seen.emplace(ruleset.text, to_string(heap)).second) continue;
            text += explain_heap(*solver, *game.ruleset(i), heap, index - 1, *nimber, budget);
        }
    }
    return text + explain_xor(evaluation, index);
}

}  // namespace engine
