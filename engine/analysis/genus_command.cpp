#include "engine/analysis/genus_command.hpp"

#include <algorithm>
#include <array>
#include <ostream>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "engine/analysis/heap_range.hpp"
#include "engine/solver/heap_solver.hpp"
#include "engine/solver/misere/tables.hpp"
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

void print(const Question& question, const HeapRange& range, std::ostream& out) {
    const std::size_t label = std::max<std::size_t>(4, std::to_string(range.to).size());
    out << fmt::format("{:>{}}  genus\n", "heap", label);
    for (Number heap = range.from; heap <= range.to && out; ++heap) {
        const auto answer = question.ask(heap);
        out << fmt::format("{:>{}}  {}\n", heap, label,
                           !answer        ? "unknown"
                           : answer->tame ? answer->genus
                                          : fmt::format("{:<16} wild", answer->genus));
    }
}

void print_as_json(const Question& question, const HeapRange& range, std::ostream& out) {
    boost::json::array genera;
    boost::json::array tame;
    for (Number heap = range.from; heap <= range.to; ++heap) {
        const auto answer = question.ask(heap);
        genera.push_back(answer ? boost::json::value(answer->genus) : nullptr);
        tame.push_back(answer ? boost::json::value(answer->tame) : nullptr);
    }
    out << "\"from\":" << range.from << ",\"genus\":" << boost::json::serialize(genera)
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
    const auto ruleset = read_ruleset(plain, names);
    if (!ruleset) return refuse(ruleset.error(), plain.empty() ? "" : plain.front());
    if (plain.size() < 2) return refuse(missing(expected_range(RangeSyntax::Numbers)));
    const auto range = read_heap_range(plain.back(), RangeSyntax::Numbers, kMostHeaps);
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
    const bool fits = !ruleset.rules->can_repeat() && ruleset.rules->check_heap(Heap(Number{0}));
    if (fits) return {};
    return Error{Fault::BadInput,
                 fmt::format("read {}, expected a ruleset without loops whose heaps are numbers",
                             protocol::quoted(ruleset.text.text))};
}

}  // namespace engine
