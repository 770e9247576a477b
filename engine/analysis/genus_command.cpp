#include "engine/analysis/genus_command.hpp"

#include <algorithm>
#include <array>
#include <ostream>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "engine/solver/heap_solver.hpp"
#include "engine/solver/misere/tables.hpp"
#include "protocol/scanner.hpp"
#include "protocol/text.hpp"

namespace engine {

using protocol::Error;
using protocol::Fault;

namespace {

constexpr Number kMostHeaps = 100'000;
constexpr Number kDefaultTime = 10'000;  // milliseconds

constexpr std::array kOptions{
    CommandWords::Option{"--time", "a number of milliseconds"},
    CommandWords::Option{"--json"},
};

struct Range {
    Number first = 0;
    Number last = 0;
};

// "5" or "0-40".
Result<Range> read_range(std::string_view text) {
    constexpr std::string_view kExpected = "a range such as 0-40, or 7";
    protocol::Scanner scanner(text);
    const auto number = [&]() -> Result<Number> {
        const auto digits = scanner.take_while(protocol::is_digit);
        if (digits.empty()) return scanner.refuse(kExpected);
        return protocol::parse_number(digits);
    };
    const auto first = number();
    if (!first) return first.error();
    Range range{*first, *first};
    const std::size_t last_at = scanner.at() + 1;
    if (scanner.accept('-')) {
        const auto last = number();
        if (!last) return last.error();
        range.last = *last;
    }
    if (!scanner.at_end()) return scanner.refuse(kExpected);
    if (range.last < range.first) return scanner.refuse_at(last_at, "a range that ascends");
    if (range.last - range.first < kMostHeaps) return range;
    return scanner.refuse_at(0, fmt::format("{} heaps at most", kMostHeaps));
}

struct Answer {
    std::string genus;
    bool tame = true;
};

class Question {
  public:
    Question(const NamedRuleset& ruleset, const Budget& budget)
        : ruleset_(ruleset),
          solver_(find_solver(ruleset.text, ruleset.rules)),
          number_(tables_->graph().ruleset_index(ruleset.text.text)),
          budget_(budget) {}

    // nullopt: not known. What is tame by a theorem is known whatever its size.
    std::optional<Answer> ask(Number size) const {
        if (solver_->is_tame()) return of_nim_heap(solver_->nimber(Heap(size), budget_));
        const auto heap = tables_->graph().add(number_, *ruleset_.rules, Heap(size), budget_);
        const auto form = heap ? tables_->form(*heap, budget_) : std::nullopt;
        const auto genus = form ? tables_->genus(*form, budget_) : std::nullopt;
        if (!genus) return std::nullopt;
        return Answer{to_string(*genus), tables_->forms().is_tame(*form)};
    }

  private:
    static std::optional<Answer> of_nim_heap(const std::optional<Nimber>& nimber) {
        const auto* size = nimber ? std::get_if<std::uint64_t>(&*nimber) : nullptr;
        if (size == nullptr) return std::nullopt;
        return Answer{to_string(misere::genus_of_nim_heap(*size))};
    }

    const NamedRuleset& ruleset_;
    std::shared_ptr<const HeapSolver> solver_;
    misere::BorrowedTables tables_;
    std::size_t number_;
    Budget budget_;
};

void print(const Question& question, const Range& range, std::ostream& out) {
    const std::size_t label = std::max<std::size_t>(4, std::to_string(range.last).size());
    out << fmt::format("{:>{}}  genus\n", "heap", label);
    for (Number heap = range.first; heap <= range.last && out; ++heap) {
        const auto answer = question.ask(heap);
        out << fmt::format("{:>{}}  {}\n", heap, label,
                           !answer        ? "unknown"
                           : answer->tame ? answer->genus
                                          : fmt::format("{:<16} wild", answer->genus));
    }
}

void print_as_json(const Question& question, const Range& range, std::ostream& out) {
    boost::json::array genera;
    boost::json::array tame;
    for (Number heap = range.first; heap <= range.last; ++heap) {
        const auto answer = question.ask(heap);
        genera.push_back(answer ? boost::json::value(answer->genus) : nullptr);
        tame.push_back(answer ? boost::json::value(answer->tame) : nullptr);
    }
    out << "\"from\":" << range.first << ",\"genus\":" << boost::json::serialize(genera)
        << ",\"tame\":" << boost::json::serialize(tame) << "}\n";
}

}  // namespace

int run_genus(const std::vector<std::string>& words, const RulesetNames& names,
              std::ostream& out, std::ostream& errors) {
    const auto refuse = [&](const Error& error, const std::string& text = {}) {
        return refuse_usage("genus", error, text, errors);
    };
    const auto read = CommandWords::read(words, kOptions, 2, "a ruleset");
    if (!read) return refuse(read.error());
    const auto time = read->number("--time", kDefaultTime);
    if (!time) return refuse(time.error());
    const auto& plain = read->plain();
    if (plain.empty()) return refuse({Fault::BadInput, "read the end, expected a ruleset"});
    const auto ruleset = read_ruleset(plain.front(), names);
    if (!ruleset) return refuse(ruleset.error(), plain.front());
    if (plain.size() < 2) {
        return refuse({Fault::BadInput, "read the end, expected a range such as 0-40, or 7"});
    }
    const auto range = read_range(plain.back());
    if (!range) return refuse(range.error(), plain.back());
    const auto usable = check_misere_heaps(*ruleset);
    if (!usable) return refuse(usable.error());

    const Question question(*ruleset, budget_of(*time));
    if (read->has("--json")) {
        out << "{\"ruleset\":" << boost::json::serialize(ruleset->text.text) << ',';
        print_as_json(question, *range, out);
    } else {
        print(question, *range, out);
    }
    return out ? kExitDone : kExitFailed;
}

Result<void> check_misere_heaps(const NamedRuleset& ruleset) {
    if (ruleset.rules->can_repeat()) {
        return Error{Fault::BadInput, fmt::format("read {}, expected a ruleset without loops",
                                                  protocol::quoted(ruleset.text.text))};
    }
    return ruleset.rules->check_heap(Heap(Number{0}));
}

}  // namespace engine
