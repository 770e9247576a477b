#include "engine/commands/command.hpp"

#include <algorithm>
#include <ostream>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "engine/heaps/heap_solver.hpp"
#include "engine/misere/tables.hpp"
#include "protocol/text.hpp"

namespace engine {
namespace {

constexpr Number kMostGenusHeaps = 100'000;

struct Answer {
    std::string genus;
    bool tame_genus = true;  // is the symbol one of a tame heap?
    bool tame = true;
};

class GenusQuestion {
  public:
    GenusQuestion(const NamedRuleset& ruleset, Number milliseconds)
        : solver_(find_solver(ruleset.text, ruleset.rules)),
          number_(tables_->graph().ruleset_index(ruleset.text.text, ruleset.rules)),
          milliseconds_(milliseconds),
          budget_(budget_of(milliseconds)) {}

    // nullopt: not known, for the reason why(). Heaps that are tame by a theorem are known
    // whatever their size.
    std::optional<Answer> ask(Number size) {
        if (solver_->is_tame()) return of_nim_heap(solver_->nimber(Heap(size), budget_));
        const auto heap = tables_->graph().add(number_, Heap(size), budget_);
        if (!heap) return not_added();
        const auto form = tables_->form(*heap, budget_);
        if (!form) return unknown("its canonical form does not fit");
        const auto genus = tables_->genus(*form, budget_);
        if (!genus) return unknown("its symbol does not fit");
        return Answer{to_string(*genus), is_tame(*genus), tables_->forms().is_tame(*form)};
    }

    // What ended the search for the first unknown heap, and which option raises that limit;
    // empty if all are known.
    const std::string& why() const { return why_; }

  private:
    std::optional<Answer> of_nim_heap(const std::optional<Nimber>& nimber) {
        const auto* size = nimber ? std::get_if<std::uint64_t>(&*nimber) : nullptr;
        if (size == nullptr) return unknown("its nimber does not fit");
        return Answer{to_string(misere::genus_of_nim_heap(*size))};
    }

    std::nullopt_t not_added() {
        using misere::HeapGraph;
        switch (tables_->graph().shortage()) {
            case HeapGraph::Shortage::Heap:
                return unknown_for("play from it leads to a heap not of the ruleset");
            case HeapGraph::Shortage::Moves:
                return unknown_for(
                    fmt::format("it, or a heap it leads to, has more than {} "
                                "moves, the most that are examined",
                                HeapGraph::kMaxMoves));
            case HeapGraph::Shortage::Depth:
                return unknown_for(
                    fmt::format("play from it lasts {} moves or more, the most "
                                "that is followed",
                                HeapGraph::kMaxDepth));
            case HeapGraph::Shortage::Time:
            case HeapGraph::Shortage::Memory:
                break;
        }
        return unknown("its moves, or those that follow, are too many for half of");
    }

    std::nullopt_t unknown(std::string_view shortage) {
        return unknown_for(fmt::format("{} the {} MB of memory there are (see --hash)",
                                       shortage, Memory::limit() >> 20));
    }

    std::nullopt_t unknown_for(const std::string& limit) {
        if (!why_.empty()) return std::nullopt;
        why_ = budget_.is_spent()
                   ? fmt::format("not found within {} ms (see --time)", milliseconds_)
                   : limit;
        return std::nullopt;
    }

    std::shared_ptr<const HeapSolver> solver_;
    misere::BorrowedTables tables_;
    std::size_t number_;
    Number milliseconds_;
    Budget budget_;
    std::string why_;
};

std::string line_of(const std::optional<Answer>& answer) {
    if (!answer) return "unknown";
    if (answer->tame) return answer->genus;
    return fmt::format("{:<16} {}", answer->genus,
                       answer->tame_genus ? "leads to wild" : "wild");
}

void print(GenusQuestion& question, const HeapRange& range, std::ostream& out) {
    const std::size_t label = std::max<std::size_t>(4, std::to_string(range.to).size());
    out << fmt::format("{:>{}}  genus\n", "heap", label);
    for (Number heap = range.from; heap <= range.to && out; ++heap) {
        out << fmt::format("{:>{}}  {}\n", heap, label, line_of(question.ask(heap)));
    }
    if (!question.why().empty()) out << "unknown: " << question.why() << '\n';
}

std::string json_of(GenusQuestion& question, const RulesetText& ruleset,
                    const HeapRange& range) {
    boost::json::array genera, tame;
    for (Number heap = range.from; heap <= range.to; ++heap) {
        const auto answer = question.ask(heap);
        genera.push_back(answer ? boost::json::value(answer->genus) : nullptr);
        tame.push_back(answer ? boost::json::value(answer->tame) : nullptr);
    }
    boost::json::object object{{"ruleset", ruleset.text},
                               {"from", range.from},
                               {"genus", std::move(genera)},
                               {"tame", std::move(tame)},
                               {"reason", nullptr}};
    if (!question.why().empty()) object["reason"] = question.why();
    return boost::json::serialize(object) + "\n";
}

Result<void> run_genus(const CommandWords& words, std::ostream& out, std::ostream&) {
    const auto& plain = words.plain();
    const auto ruleset = words.ruleset();
    if (!ruleset) return ruleset.error();
    if (plain.size() < 2) {
        return Error{Fault::BadInput,
                     fmt::format("read no range after the ruleset, expected one: nim-engine "
                                 "genus {} 0-40",
                                 protocol::quoted(plain.front()))};
    }
    const auto range = read_heap_range(plain.back(), RangeSyntax::Numbers, kMostGenusHeaps);
    if (!range) return marked(range.error(), plain.back());
    const auto usable = check_misere_heaps(*ruleset);
    if (!usable) return usable.error();

    GenusQuestion question(*ruleset, words.number("--time"));
    if (words.has("--json")) {
        out << json_of(question, ruleset->text, *range);
    } else {
        print(question, *range, out);
    }
    return {};
}

constexpr Option kGenusOptions[]{{"RANGE", "", "", "0-40, or 7"}, kTime, kJson};

}  // namespace

const Command kGenus{"genus",
                     "misere play: the genus symbols of a range of heaps",
                     "RULESET RANGE",
                     "a ruleset",
                     2,
                     kGenusOptions,
                     "  nim-engine genus kayles 0-20\n",
                     run_genus};

Result<void> check_misere_heaps(const NamedRuleset& ruleset) {
    const bool fits =
        !ruleset.rules->can_repeat() && ruleset.rules->check_heap(Heap(Number{0}));
    if (fits) return {};
    return misread(ruleset.text.text, "a ruleset without loops whose heaps are numbers");
}

}  // namespace engine
