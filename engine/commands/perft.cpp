// nim-engine perft: counts the sequences of a number of moves, to check the move lists of
// rulesets, as in other games.
#include <map>
#include <ostream>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "engine/base/memory.hpp"
#include "engine/commands/command.hpp"
#include "engine/rules/moves.hpp"

namespace engine {
namespace {

// The most moves a sequence can have here: each takes a level of the stack.
constexpr Number kMaxLength = 1000;

// Sums and products saturate at kMany. Nothing is ever subtracted, so a saturated count
// stays saturated, unless it is multiplied by 0.
Count multiply(Count left, Count right) {
    Count product = 0;
    return __builtin_mul_overflow(left, right, &product) ? kMany : product;
}

// Pascal's triangle up to a row.
std::vector<std::vector<Count>> binomials(std::size_t last) {
    std::vector<std::vector<Count>> rows{{1}};
    while (rows.size() <= last) {
        const auto& above = rows.back();
        std::vector<Count> row(above.size() + 1, 1);
        for (std::size_t k = 1; k < above.size(); ++k)
            row[k] = saturating_sum(above[k - 1], above[k]);
        rows.push_back(std::move(row));
    }
    return rows;
}

// Sequences of a sum of two, by length: the moves of one are interleaved with those of the
// other in every way.
std::vector<Count> shuffled(const std::vector<Count>& left, const std::vector<Count>& right) {
    static const auto kBinomials = binomials(kMaxLength);
    std::vector<Count> total(left.size());
    for (std::size_t n = 0; n < total.size(); ++n) {
        for (std::size_t k = 0; k <= n; ++k) {
            const Count both = multiply(left[k], right[n - k]);
            total[n] = saturating_sum(total[n], multiply(both, kBinomials[n][k]));
        }
    }
    return total;
}

// Counts sequences of moves. Repetitions end none of them. As the heaps of a sum do not touch
// each other, each heap is counted alone, for each length once, and the counts multiply: those
// of length n of two heaps together are the sum over k of C(n,k) a(k) b(n-k). The last move of
// a sequence is counted without being listed.
class SequenceCounter {
  public:
    // The sequences of exactly `length` moves; kMany means that many or more. Error: the cache
    // does not fit `Memory`, or moves lead to a heap that its ruleset refuses.
    Result<Count> count(const Game& game, Number length) {
        Counts total(length + 1);
        total[0] = 1;
        game.visit_heaps([&](std::size_t, const Ruleset& rules, const Heap& heap) {
            shuffle_in(total, rules, heap);
            return true;
        });
        if (failure_) return *failure_;
        return total.back();
    }

  private:
    using Counts = std::vector<Count>;  // by length, from 0

    Count count(const Ruleset& rules, const Heap& heap, Number length) {
        if (length == 0 || failure_) return 1;
        if (const auto accepted = rules.check_heap(heap); !accepted) {
            failure_ = Error{Fault::Failed, accepted.error().text};
            return 1;
        }
        const Count followers = rules.follower_count(heap);
        if (length == 1 || followers == 0) return followers;
        const auto found = known_.find({&rules, heap, length});
        if (found != known_.end()) return found->second;

        // The last follower is the largest in most rulesets: from there an overflow shows
        // sooner.
        Count total = 0;
        for (Count i = followers; i-- > 0 && total < kMany && !failure_;) {
            const auto left = rules.follower(heap, i);
            if (left.size() == 1) {
                total = saturating_sum(total, count(rules, left.front(), length - 1));
                continue;
            }
            Counts after(length);
            after[0] = 1;
            for (const Heap& part : left) shuffle_in(after, rules, part);
            total = saturating_sum(total, after.back());
        }
        return remember(rules, heap, length, total);
    }

    // The counts of some heaps become those of the same heaps and one more.
    void shuffle_in(Counts& total, const Ruleset& rules, const Heap& heap) {
        if (!rules.has_move(heap)) return;
        Counts counts(total.size());
        for (std::size_t n = 0; n < counts.size(); ++n) counts[n] = count(rules, heap, n);
        total = shuffled(total, counts);
    }

    Count remember(const Ruleset& rules, const Heap& heap, Number length, Count count) {
        constexpr std::size_t kEntry = 128;  // a node of the map
        constexpr std::size_t kUnit = 16;    // a term of an ordinal; more than an entry takes
        constexpr std::size_t kStep = std::size_t{1} << 20;
        bytes_ += kEntry + kUnit * text_units(heap);
        if (!memory_.cover(bytes_, kStep)) {
            failure_ =
                Error{Fault::Failed, "the heaps that can be reached do not fit the memory"};
            return count;
        }
        known_.emplace(std::tuple(&rules, heap, length), count);
        return count;
    }

    std::map<std::tuple<const Ruleset*, Heap, Number>, Count> known_;
    std::size_t bytes_ = 0;  // of known_
    Reservation memory_;
    std::optional<Error> failure_;
};

// ---- the command ----

constexpr std::size_t kMostDivided = 10000;

using Divided = std::pair<std::string, Count>;  // a move, and the sequences that begin with it

Result<std::vector<Divided>> divide(SequenceCounter& counter, const Game& game, Number depth) {
    if (game.move_count() > kMostDivided) {
        return Error{Fault::Failed, "--divide lists 10000 moves at most, and there are more"};
    }
    std::vector<Divided> divided;
    Game after = game;
    for (const Move& move : game.moves(kMostDivided)) {
        auto played = after.play(move);
        const auto count = counter.count(after, depth - 1);
        if (!count) return count.error();
        divided.push_back({to_string(move), *count});
        after.take_back(std::move(played));
    }
    return divided;
}

std::string json_of(const Game& game, Number depth, Count count, bool divides,
                    const std::vector<Divided>& divided) {
    boost::json::object object{
        {"position", to_string(game.position())}, {"depth", depth}, {"sequences", count}};
    boost::json::array moves;
    for (const auto& [move, sequences] : divided) {
        moves.push_back({{"move", move}, {"sequences", sequences}});
    }
    if (divides) object["divide"] = std::move(moves);
    return boost::json::serialize(object) + "\n";
}

std::string text_of(Count count, const std::vector<Divided>& divided) {
    std::string text;
    for (const auto& [move, sequences] : divided) {
        text += move + ": " + std::to_string(sequences) + "\n";
    }
    return text + std::to_string(count) + "\n";
}

Result<void> run_perft(const CommandWords& words, std::ostream& out, std::ostream&) {
    const auto& plain = words.plain();
    if (plain.size() < 2) return missing("a position and a depth");
    const auto depth = protocol::parse_number(plain.back());
    if (!depth || *depth > kMaxLength) {
        return misread(plain.back(),
                       fmt::format("a depth 0..{} after the position", kMaxLength));
    }
    const auto game = words.game(1);
    if (!game) return game.error();

    SequenceCounter counter;
    const auto count = counter.count(*game, *depth);
    if (!count) return count.error();
    if (*count == kMany) return Error{Fault::Failed, "there are 2^64-1 sequences or more"};
    std::vector<Divided> divided;
    if (words.has("--divide") && *depth > 0) {
        auto each = divide(counter, *game, *depth);
        if (!each) return each.error();
        divided = *std::move(each);
    }
    out << (words.has("--json") ? json_of(*game, *depth, *count, words.has("--divide"), divided)
                                : text_of(*count, divided));
    return {};
}

constexpr Option kPerftOptions[]{{"--divide", "", "", "how many begin with each move"}, kJson};

}  // namespace

const Command kPerft{"perft",
                     "how many sequences of DEPTH moves there are",
                     "POSITION DEPTH",
                     "a position",
                     kAnyNumber,
                     kPerftOptions,
                     "  nim-engine perft kayles:7 3\n",
                     run_perft};

}  // namespace engine
