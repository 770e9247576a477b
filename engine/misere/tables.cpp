#include "engine/misere/tables.hpp"

#include <algorithm>
#include <set>

#include "engine/base/cache.hpp"

namespace engine::misere {
namespace {

using Index = HeapGraph::Index;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxIdle = 4;        // tables not in use
constexpr std::size_t kMaxQuotients = 64;  // of one tables
constexpr Number kFirstLawfulHeap = 64;
constexpr Number kLastLawfulHeap = 2048;

// Tables that are not in use.
using IdleTables = Cache<const Tables*, Tables>;

IdleTables& idle_tables() {
    static IdleTables idle(kMaxIdle, Memory::kMaxMegabytes << 20);
    return idle;
}

}  // namespace

std::optional<Element> KnownQuotient::element(Index heap) const {
    if (heap == HeapGraph::kDead) return Element{0};
    const auto place = std::ranges::lower_bound(heaps, heap);
    if (place == heaps.end() || *place != heap) return std::nullopt;
    return quotient.elements[static_cast<std::size_t>(place - heaps.begin())];
}

Element LawfulQuotient::element(Number heap) const {
    if (heap >= elements.size()) heap = law.preperiod + (heap - law.preperiod) % law.period;
    return elements[heap];
}

std::optional<Form> Tables::form(Index heap, const Budget& budget) {
    form_of_.resize(graph_.size());
    tame_.resize(graph_.size());
    std::vector<Index> waiting{heap};
    while (!waiting.empty()) {
        const Index top = waiting.back();
        const std::size_t before = waiting.size();
        for (const auto& move : graph_.moves(top)) {
            for (const Index part : move) {
                if (!form_of_[part]) waiting.push_back(part);
            }
        }
        if (waiting.size() > before) continue;
        waiting.pop_back();
        if (form_of_[top]) continue;
        if (budget.is_spent()) return std::nullopt;
        std::vector<Form> options;
        bool tame = true;
        for (const auto& move : graph_.moves(top)) {
            Form sum = kZero;
            for (const Index part : move) {
                const auto next = forms_.add(sum, *form_of_[part], budget);
                if (!next) return std::nullopt;
                sum = *next;
                tame = tame && tame_[part];
            }
            options.push_back(sum);
        }
        form_of_[top] = forms_.make(std::move(options));
        if (!form_of_[top]) return std::nullopt;
        tame_[top] = tame && forms_.is_tame(*form_of_[top]);
    }
    return form_of_[heap];
}

std::vector<Index> Tables::closure(const std::vector<Index>& heaps) const {
    std::set<Index> found(heaps.begin(), heaps.end());
    found.erase(HeapGraph::kDead);
    // Moves lead to smaller numbers, so that all of `found` above a heap have been looked at.
    for (auto heap = found.rbegin(); heap != found.rend(); ++heap) {
        for (const auto& move : graph_.moves(*heap)) found.insert(move.begin(), move.end());
    }
    return {found.begin(), found.end()};
}

// More heaps have no smaller quotient.
bool Tables::is_hopeless(const Rulesets& rulesets, const std::vector<Index>& heaps,
                         std::size_t max_order, const Budget& budget) const {
    const auto failure = failures_.find(rulesets);
    return failure != failures_.end() && max_order <= failure->second.max_order &&
           budget.left() / 2 < failure->second.lost &&
           std::ranges::includes(heaps, failure->second.heaps);
}

std::shared_ptr<const KnownQuotient> Tables::quotient(const Rulesets& rulesets,
                                                      const std::vector<Index>& heaps,
                                                      std::size_t max_order,
                                                      const Budget& budget) {
    if (const auto known = quotients_.find(rulesets); known != quotients_.end()) {
        const auto is_known = [&](Index heap) {
            return known->second->element(heap).has_value();
        };
        if (std::ranges::all_of(heaps, is_known)) return known->second;
    }
    auto all = closure(heaps);
    if (is_hopeless(rulesets, all, max_order, budget)) return nullptr;

    QuotientProgress& progress = progress_[rulesets];
    const auto begin = Clock::now();
    auto quotient = find_quotient(graph_, all, max_order, budget, progress);
    Reservation reservation;
    if (!quotient || !reservation.resize(quotient->monoid.bytes() + 16 * all.size())) {
        const bool is_final = !quotient && progress.shortage == Shortage::Order;
        const auto lost = is_final   ? Clock::duration::max()
                          : quotient ? Clock::now() - begin
                                     : progress.lost;
        failures_[rulesets] = {std::move(all), max_order, lost};
        return nullptr;
    }
    if (quotients_.size() >= kMaxQuotients) {
        quotients_.clear();
        progress_.clear();
    }
    const auto found = std::make_shared<const KnownQuotient>(
        KnownQuotient{*std::move(quotient), std::move(all), std::move(reservation)});
    quotients_[rulesets] = found;
    return found;
}

std::shared_ptr<const LawfulQuotient> Tables::lawful_quotient(std::size_t ruleset,
                                                              const MoveBounds& bounds,
                                                              std::size_t max_order,
                                                              const Budget& budget) {
    if (const auto known = lawful_.find(ruleset); known != lawful_.end()) return known->second;
    std::vector<Index> heaps;
    for (Number last = kFirstLawfulHeap; last <= kLastLawfulHeap; last *= 2) {
        for (Number heap = heaps.size(); heap <= last; ++heap) {
            const auto index = graph_.add(ruleset, Heap(heap), budget);
            if (!index) return nullptr;
            heaps.push_back(*index);
        }
        const auto known = quotient({ruleset}, heaps, max_order, budget);
        if (!known) return nullptr;
        std::vector<Element> elements;
        for (const Index heap : heaps) elements.push_back(known->element(heap).value());
        const auto law = prove_phi_law(elements, bounds);
        if (!law) continue;
        elements.resize(law->preperiod + law->period);
        const auto found = std::make_shared<const LawfulQuotient>(
            LawfulQuotient{known, std::move(elements), *law});
        lawful_[ruleset] = found;
        return found;
    }
    return nullptr;
}

BorrowedTables::BorrowedTables() : tables_(idle_tables().take()) {
    if (!tables_) tables_ = std::make_shared<Tables>();
}

// Tables that fill half of the memory are dropped: they could not grow any more.
BorrowedTables::~BorrowedTables() {
    if (tables_->bytes() > Memory::limit() / 2) return;
    idle_tables().add(tables_.get(), tables_, 0);
}

}  // namespace engine::misere
