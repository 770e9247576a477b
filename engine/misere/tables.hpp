// The results about misere play, kept for later questions.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "engine/misere/canonical_form.hpp"
#include "engine/misere/heap_graph.hpp"
#include "engine/misere/quotient.hpp"

namespace engine::misere {

// A quotient with the heaps that it knows.
struct KnownQuotient {
    Quotient quotient;
    std::vector<HeapGraph::Index> heaps;  // ascending, as the quotient's
    Reservation reservation;

    // nullopt: not one of the heaps.
    std::optional<Element> element(HeapGraph::Index heap) const;
};

// The quotient of a ruleset whose heaps are numbers, with all of them.
struct LawfulQuotient {
    std::shared_ptr<const KnownQuotient> known;
    std::vector<Element> elements;  // of heaps 0, 1, 2, … up to the end of the first period
    Law law;

    Element element(Number heap) const;
};

// For one thread at a time. Results are kept if the budget ends.
class Tables {
  public:
    HeapGraph& graph() { return graph_; }
    Forms& forms() { return forms_; }

    // nullopt: the budget or the memory ended.
    std::optional<Form> form(HeapGraph::Index heap, const Budget& budget);
    // Whether a heap with a known form is tame, and every heap reachable from it. Its form may
    // be tame even if some of these are not, because moves to them are answered.
    bool is_tame(HeapGraph::Index heap) const { return tame_[heap]; }
    std::optional<Genus> genus(Form form, const Budget& budget) {
        return genera_.of(forms_, form, budget);
    }

    // A quotient that knows these heaps, which are heaps of `rulesets`, ascending. Null: not
    // found within the order. A search that failed is repeated only with a larger order; or, if
    // time or memory was short, with at least twice the time, and then it resumes where it
    // ended.
    std::shared_ptr<const KnownQuotient> quotient(const std::vector<std::size_t>& rulesets,
                                                  const std::vector<HeapGraph::Index>& heaps,
                                                  std::size_t max_order, const Budget& budget);
    // That of all heaps of one ruleset. Null: not found, or no law is proven by the first 2,049
    // heaps.
    std::shared_ptr<const LawfulQuotient> lawful_quotient(std::size_t ruleset,
                                                          const MoveBounds& bounds,
                                                          std::size_t max_order,
                                                          const Budget& budget);

    std::size_t bytes() const { return forms_.bytes() + graph_.bytes(); }

  private:
    using Rulesets = std::vector<std::size_t>;
    struct Failure {
        std::vector<HeapGraph::Index> heaps;
        std::size_t max_order = 0;
        std::chrono::steady_clock::duration lost{};  // its maximum where the order was reached
    };

    std::vector<HeapGraph::Index> closure(const std::vector<HeapGraph::Index>& heaps) const;
    bool is_hopeless(const Rulesets& rulesets, const std::vector<HeapGraph::Index>& heaps,
                     std::size_t max_order, const Budget& budget) const;

    HeapGraph graph_;
    Forms forms_;
    Genera genera_;
    std::vector<std::optional<Form>> form_of_{kZero};
    std::vector<bool> tame_{true};  // of heaps with a form
    std::map<Rulesets, std::shared_ptr<const KnownQuotient>> quotients_;
    std::map<Rulesets, Failure> failures_;
    std::map<Rulesets, QuotientProgress> progress_;
    std::map<std::size_t, std::shared_ptr<const LawfulQuotient>> lawful_;
};

// Borrows unused tables, or makes new ones. Returned on destruction and kept for the process as
// far as `Hash` allows. Thread-safe.
class BorrowedTables {
  public:
    BorrowedTables();
    ~BorrowedTables();
    BorrowedTables(const BorrowedTables&) = delete;
    BorrowedTables& operator=(const BorrowedTables&) = delete;

    Tables& operator*() const { return *tables_; }
    Tables* operator->() const { return tables_.get(); }

  private:
    std::shared_ptr<Tables> tables_;
};

}  // namespace engine::misere
