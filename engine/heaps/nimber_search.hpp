// Nimbers of games of any kind by search: outcomes first, with a nim heap next to the game
// (Lemoine and Viennot, "Nimbers are inevitable", TCS 462, 2012).
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <unordered_set>
#include <vector>

#include "engine/base/budget.hpp"
#include "engine/base/memory.hpp"
#include "engine/base/sort_in_pieces.hpp"
#include "engine/heaps/nimber_table.hpp"

namespace engine {

// What is searched. A State is one component, equal states have equal nimbers.
//
// visit_followers(state, budget, visit) calls visit(span of states) for each follower, a sum of
// states, until it returns false, and says whether that were all the followers. It may leave
// out those that others equal in nimber, and states of nimber 0. size(state) guesses how hard a
// state is: small ones are searched first. Where can_repeat() is false, no play comes back to
// an earlier state.
template <typename Game>
concept SearchGame = requires(const Game game, const typename Game::State state,
                              const Budget budget,
                              bool (*visit)(std::span<const typename Game::State>)) {
    { game.visit_followers(state, budget, visit) } -> std::same_as<bool>;
    { game.size(state) } -> std::convertible_to<std::uint64_t>;
    { game.can_repeat() } -> std::same_as<bool>;
};

// Why a search ended. OutOfTime: the budget was spent, or as many nodes as were allowed.
enum class SearchEnd { Solved, OutOfTime, OutOfMemory, Loop };

inline constexpr std::uint64_t kAnyNodes = std::numeric_limits<std::uint64_t>::max();

struct SearchResult {
    SearchEnd end = SearchEnd::Solved;
    NimberFacts facts;        // what is known of the state now
    std::uint64_t nodes = 0;  // states whose followers were visited
};

// One search, depth first, with a stack of its own on the heap: play may last millions of
// moves. The basic question is "is v the nimber of P?", that is: does the player to move lose
// P + *v? To answer it
//   no:  find one follower of nimber v;
//   yes: rule v out for every follower, and answer no for each number below v.
// In a follower of several components all but the hardest are solved exactly, and the question
// goes to the hardest with v changed by their XOR, so that products of components are never
// searched. What is found out is kept as sets of excluded numbers.
//
// With loops: a follower is ruled out only because its nimber is another or because it can move
// to v, as in Smith's labels, and a state is never asked about while it is on the stack. So
// whatever is found is right; a search that comes to a state on its stack ends with Loop.
template <SearchGame Game>
class NimberSearchRun {
  public:
    using State = typename Game::State;
    using Wanted = std::optional<std::uint64_t>;  // a number; or the nimber, whatever it is

    NimberSearchRun(const Game& game, NimberTable<State>& table, const Budget& budget,
                    std::uint64_t max_nodes)
        : game_(game), table_(table), budget_(budget), max_nodes_(max_nodes) {}

    SearchResult run(const State& root, Wanted wanted) {
        SearchResult result;
        if (open(root, wanted)) {
            while (!frames_.empty()) {
                if (const auto question = next_question(frames_.back())) {
                    State state = parts_[question->part].state;
                    frames_.back().asked = question->part;
                    if (!open(state, question->wanted)) break;
                } else {
                    result.facts = close();
                }
            }
        }
        result.end = end_;
        result.nodes = nodes_;
        while (!frames_.empty()) result.facts = close();  // keeps what is half done
        return result;
    }

  private:
    // A component of a follower.
    struct Part {
        State state;
        NimberFacts facts;
    };
    // A follower: nimber `sum` and parts_[first .. first+open), whose nimbers are not known.
    struct Option {
        std::uint64_t sum = 0;
        std::size_t first = 0;
        std::size_t open = 0;
    };
    // A state on the way from the root, with options_[first_option..] and parts_[first_part..].
    struct Frame {
        State state;
        Wanted wanted;
        NimberFacts facts;
        bool answered = false;     // `facts` tell the nimber, or `wanted` was ruled out
        bool wanted_free = false;  // no option has `wanted`
        std::uint64_t tried = 0;   // the number that options are asked for
        std::size_t cursor = 0;    // options before it do not have it
        std::size_t first_option = 0;
        std::size_t first_part = 0;
        std::size_t asked = 0;  // the part that the frame above is about
        std::uint64_t nodes_before = 0;
    };
    struct Question {
        std::size_t part;
        Wanted wanted;
    };

    std::span<Option> options(const Frame& frame) {
        return std::span(options_).subspan(frame.first_option);
    }

    // ---- the stack

    bool open(const State& state, Wanted wanted) {
        if (game_.can_repeat() && !on_stack_.insert(state).second) return stop(SearchEnd::Loop);
        if (!make_room(frames_, 1, memory_)) return stop(SearchEnd::OutOfMemory);
        state_bytes_ += frame_bytes(state);
        frames_.push_back({.state = state,
                           .wanted = wanted,
                           .facts = table_.find(state),
                           .first_option = options_.size(),
                           .first_part = parts_.size(),
                           .nodes_before = nodes_});
        Frame& frame = frames_.back();
        if (is_answered(frame)) return true;
        if (!list_options(frame)) return false;
        if (frame.answered) return true;
        if (!order_options(frame)) return stop(SearchEnd::OutOfTime);
        // A nimber needs as many options; but a state that does not end need not have any.
        if (wanted && *wanted > options(frame).size() && !game_.can_repeat()) {
            frame.answered = true;
            return true;
        }
        try_number(frame, wanted.value_or(frame.facts.low()), true);
        return true;
    }

    // Ends the frame on top, and tells the one below.
    NimberFacts close() {
        const Frame& frame = frames_.back();
        const NimberFacts facts = frame.facts;
        const Wanted wanted = frame.wanted;
        table_.store(frame.state, facts, nodes_ - frame.nodes_before);
        if (game_.can_repeat()) on_stack_.erase(frame.state);
        state_bytes_ -= frame_bytes(frame.state);
        options_.resize(frame.first_option);
        drop_parts(frame.first_part);
        frames_.pop_back();
        if (!frames_.empty()) {
            Frame& below = frames_.back();
            NimberFacts& known = parts_[below.asked].facts;
            known.merge(facts);
            // `wanted` may have been ruled out though the facts cannot hold that: it is too
            // large.
            if (wanted && !known.is_exact() && !known.excludes(*wanted)) ++below.cursor;
        }
        return facts;
    }

    // Ends early where one is known to have the wanted nimber.
    bool list_options(Frame& frame) {
        if (++nodes_ > max_nodes_) return stop(SearchEnd::OutOfTime);
        const bool all =
            game_.visit_followers(frame.state, budget_, [&](std::span<const State> sum) {
                ++work_;
                if (is_out_of_time() || !add_option(sum)) return false;
                if (frame.wanted && settle(options_.back())) note_sum(frame, options_.back());
                return !frame.answered;
            });
        if (!all && !frame.answered && end_ == SearchEnd::Solved) end_ = SearchEnd::OutOfTime;
        return end_ == SearchEnd::Solved;
    }

    bool add_option(std::span<const State> sum) {
        if (!make_room(options_, 1, memory_) || !make_room(parts_, sum.size(), memory_)) {
            return stop(SearchEnd::OutOfMemory);
        }
        Option option{0, parts_.size(), 0};
        for (const State& state : sum) {
            parts_.push_back({state, table_.find(state)});
            state_bytes_ += allocated_bytes(parts_.back().state);
        }
        option.open = sum.size();
        if (!game_.can_repeat()) cancel_pairs(option);  // inf + inf is not 0
        options_.push_back(option);
        return state_memory_.cover(state_bytes_, kStep) || stop(SearchEnd::OutOfMemory);
    }

    void drop_parts(std::size_t first) {
        for (std::size_t i = first; state_bytes_ > 0 && i < parts_.size(); ++i) {
            state_bytes_ -= allocated_bytes(parts_[i].state);
        }
        parts_.resize(first);
    }

    // ---- options

    std::uint64_t hardness(const Option& option) const {
        std::uint64_t most = 0;
        for (std::size_t i = 0; i < option.open; ++i) {
            most = std::max<std::uint64_t>(most, game_.size(parts_[option.first + i].state));
        }
        return most;
    }

    // False if the budget ended; options may be lost then.
    bool order_options(const Frame& frame) {
        order_.clear();
        for (const Option& option : options(frame))
            order_.push_back({hardness(option), option});
        const auto is_easier = [](const Ordered& left, const Ordered& right) {
            return left.hardness < right.hardness;
        };
        if (!sort_in_pieces(order_, is_easier, [&] { return budget_.is_spent(); })) {
            return false;
        }
        std::ranges::transform(order_, options(frame).begin(), &Ordered::option);
        return true;
    }

    void cancel_pairs(Option& option) {
        for (std::size_t i = 0; i < option.open; ++i) {
            for (std::size_t j = i + 1; j < option.open; ++j) {
                if (parts_[option.first + i].state != parts_[option.first + j].state) continue;
                remove_part(option, j);
                remove_part(option, i--);
                break;
            }
        }
    }

    // The part stays in place after the open ones: its bytes are still counted.
    void remove_part(Option& option, std::size_t index) {
        --option.open;
        std::swap(parts_[option.first + index], parts_[option.first + option.open]);
    }

    // Looks up what has been found out since.
    void refresh(Option& option) {
        for (std::size_t i = option.first; i < option.first + option.open; ++i) {
            Part& part = parts_[i];
            if (!part.facts.is_exact()) part.facts.merge(table_.find(part.state));
        }
    }

    // Adds up the parts that are known. Are they all?
    bool settle(Option& option) {
        for (std::size_t i = option.open; i-- > 0;) {
            const Part& part = parts_[option.first + i];
            if (!part.facts.is_exact()) continue;
            option.sum ^= part.facts.low();
            remove_part(option, i);
        }
        return option.open == 0;
    }

    // ---- one state

    bool is_answered(Frame& frame) const {
        if (frame.facts.is_exact()) frame.answered = true;
        if (frame.wanted && frame.facts.excludes(*frame.wanted)) frame.answered = true;
        return frame.answered;
    }

    // Options whose nimbers are known already exclude them at no cost. Then asks all others for
    // this number, or the least one left. A new frame has just looked its options up.
    void try_number(Frame& frame, std::uint64_t number, bool is_new = false) {
        const auto all = options(frame);
        seen_.assign(all.size() + 1, false);
        for (Option& option : all) {
            if (option.open > 0) {
                if (!is_new) refresh(option);
                if (!settle(option)) continue;
            }
            if (option.sum < seen_.size()) seen_[option.sum] = true;
            note_sum(frame, option);
        }
        work_ += all.size();
        for (std::uint64_t i = frame.facts.low(); i < seen_.size(); ++i) {
            if (seen_[i]) frame.facts.exclude(i);
        }
        frame.tried = frame.facts.excludes(number) ? frame.facts.low() : number;
        frame.cursor = 0;
        if (frame.wanted_free && frame.tried == *frame.wanted) {
            frame.facts = NimberFacts::exactly(frame.tried);
        }
    }

    void note_sum(Frame& frame, const Option& option) {
        if (frame.wanted != option.sum) return;
        frame.facts.exclude(option.sum);
        frame.answered = true;
    }

    // What to find out next; nullopt: the frame is answered.
    std::optional<Question> next_question(Frame& frame) {
        while (!is_answered(frame)) {
            const auto all = options(frame);
            if (frame.cursor == all.size()) {
                no_option_has_it(frame);
                continue;
            }
            Option& option = all[frame.cursor];
            refresh(option);
            if (!settle(option)) {
                if (const auto question = question_about(option, frame.tried)) return question;
                ++frame.cursor;
            } else if (option.sum == frame.tried) {
                an_option_has_it(frame);
            } else {
                ++frame.cursor;
            }
        }
        return std::nullopt;
    }

    // nullopt: the option cannot have this nimber.
    std::optional<Question> question_about(const Option& option, std::uint64_t number) {
        const auto begin = option.first;
        if (option.open == 1) {
            const std::uint64_t wanted = number ^ option.sum;
            if (parts_[begin].facts.excludes(wanted)) return std::nullopt;
            // After this many exclusions, the whole nimber is less work than one number at a
            // time.
            if (parts_[begin].facts.excluded() >= kManyExcluded)
                return Question{begin, std::nullopt};
            return Question{begin, wanted};
        }
        std::size_t easiest = begin;
        for (std::size_t i = begin + 1; i < begin + option.open; ++i) {
            if (game_.size(parts_[i].state) < game_.size(parts_[easiest].state)) easiest = i;
        }
        return Question{easiest, std::nullopt};
    }

    void an_option_has_it(Frame& frame) {
        frame.facts.exclude(frame.tried);
        if (frame.wanted && *frame.wanted == frame.tried) {
            frame.answered = true;
        } else {
            try_number(frame, frame.facts.low());
        }
    }

    void no_option_has_it(Frame& frame) {
        if (frame.tried == frame.facts.low()) {
            frame.facts = NimberFacts::exactly(frame.tried);
            return;
        }
        frame.wanted_free = true;
        try_number(frame, frame.facts.low());
    }

    // ---- limits

    bool is_out_of_time() {
        if (work_ < next_poll_) return false;
        next_poll_ = work_ + kPollEvery;
        if (budget_.is_spent()) stop(SearchEnd::OutOfTime);
        return end_ == SearchEnd::OutOfTime;
    }

    bool stop(SearchEnd why) {
        end_ = why;
        return false;
    }

    // The memory that a frame allocates in addition to its own size, with its state in
    // on_stack_.
    std::size_t frame_bytes(const State& state) const {
        const std::size_t bytes = allocated_bytes(state);
        return game_.can_repeat() ? 2 * bytes + sizeof(State) + 4 * sizeof(void*) : bytes;
    }

    struct Ordered {
        std::uint64_t hardness;
        Option option;
    };
    struct StateHash {
        std::size_t operator()(const State& state) const { return hash_state(state); }
    };
    static constexpr std::uint64_t kManyExcluded = 3;
    static constexpr std::uint64_t kPollEvery = 128;            // options
    static constexpr std::size_t kStep = std::size_t{1} << 16;  // bytes

    const Game& game_;
    NimberTable<State>& table_;
    const Budget& budget_;
    const std::uint64_t max_nodes_;
    SearchEnd end_ = SearchEnd::Solved;
    std::uint64_t nodes_ = 0;
    std::uint64_t work_ = 0;  // options visited
    std::uint64_t next_poll_ = kPollEvery;
    std::vector<Frame> frames_;
    std::vector<Option> options_;
    std::vector<Part> parts_;
    std::unordered_set<State, StateHash> on_stack_;  // only where play can repeat
    std::vector<Ordered> order_;                     // used within order_options
    std::vector<bool> seen_;                         // used within try_number
    Reservation memory_;                             // of frames, options and parts
    std::size_t state_bytes_ = 0;                    // what their states allocate
    Reservation state_memory_;
};

// A game with the table of what is known about it. Safe to share by threads; what a search
// that ran out of time has found out helps the next one.
template <SearchGame Game>
class NimberSearch {
  public:
    using State = typename Game::State;

    explicit NimberSearch(Game game,
                          std::size_t max_table_bytes = std::numeric_limits<std::size_t>::max())
        : game_(std::move(game)), table_(max_table_bytes) {}

    const Game& game() const { return game_; }
    const NimberTable<State>& table() const { return table_; }

    // Without a search.
    NimberFacts known(const State& state) const { return table_.find(state); }

    // Until the nimber is known, or whether it is `wanted`: then `facts` are exact, or exclude
    // that, or, for numbers far above what else is excluded, only `end` tells that it is not.
    // Here and below, without nodes only the table is asked.
    SearchResult ask(const State& state, std::optional<std::uint64_t> wanted,
                     const Budget& budget, std::uint64_t max_nodes = kAnyNodes) const {
        const NimberFacts known = table_.find(state);
        if (known.is_exact() || (wanted && known.excludes(*wanted))) return {.facts = known};
        return NimberSearchRun<Game>(game_, table_, budget, max_nodes).run(state, wanted);
    }

    // nullopt: not known within the limits, or a loop was met.
    std::optional<std::uint64_t> nimber(const State& state, const Budget& budget,
                                        std::uint64_t max_nodes = kAnyNodes) const {
        const SearchResult found = ask(state, std::nullopt, budget, max_nodes);
        if (!found.facts.is_exact()) return std::nullopt;
        return found.facts.low();
    }
    std::optional<bool> has_nimber(const State& state, std::uint64_t number,
                                   const Budget& budget,
                                   std::uint64_t max_nodes = kAnyNodes) const {
        const SearchResult found = ask(state, number, budget, max_nodes);
        if (found.facts.is_exact()) return found.facts.low() == number;
        if (found.facts.excludes(number) || found.end == SearchEnd::Solved) return false;
        return std::nullopt;
    }

  private:
    Game game_;
    mutable NimberTable<State> table_;
};

}  // namespace engine
