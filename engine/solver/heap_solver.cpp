#include "engine/solver/heap_solver.hpp"

#include <list>
#include <mutex>
#include <string>
#include <unordered_map>

#include "engine/rules/cookie.hpp"
#include "engine/rules/graph.hpp"
#include "engine/rules/grundy.hpp"
#include "engine/rules/lasker.hpp"
#include "engine/rules/nim.hpp"
#include "engine/rules/octal.hpp"
#include "engine/rules/wythoff.hpp"
#include "engine/solver/cookie_solver.hpp"
#include "engine/solver/enumerating_solver.hpp"
#include "engine/solver/graph_solver.hpp"
#include "engine/solver/lasker_solver.hpp"
#include "engine/solver/memory.hpp"
#include "engine/solver/nim_solver.hpp"
#include "engine/solver/octal_solver.hpp"
#include "engine/solver/rules_solver.hpp"
#include "engine/solver/take_solver.hpp"
#include "engine/solver/wythoff_solver.hpp"

namespace engine {
namespace {

class NoSolver : public EnumeratingSolver {
  public:
    using EnumeratingSolver::EnumeratingSolver;
    std::optional<Nimber> nimber(const Heap& heap, const Budget&) const override {
        if (rules().has_move(heap)) return std::nullopt;
        return finite(0);
    }
};

std::shared_ptr<const HeapSolver> make_solver(const std::shared_ptr<const Ruleset>& ruleset) {
    if (const auto* take = dynamic_cast<const Take*>(ruleset.get())) {
        return std::make_shared<TakeSolver>(take->set());
    }
    if (auto graph = std::dynamic_pointer_cast<const Graph>(ruleset)) {
        return std::make_shared<GraphSolver>(std::move(graph));
    }
    if (dynamic_cast<const Nim*>(ruleset.get()) != nullptr) {
        return std::make_shared<NimSolver>();
    }
    if (const auto rules = std::dynamic_pointer_cast<const UserRules>(ruleset)) {
        return std::make_shared<RulesSolver>(rules);
    }
    if (dynamic_cast<const Cookie*>(ruleset.get()) != nullptr) {
        return std::make_shared<CookieSolver>(ruleset);
    }
    if (const auto* octal = dynamic_cast<const Octal*>(ruleset.get())) {
        return std::make_shared<OctalSolver>(BreakMoves::of_digits(octal->code().digits()));
    }
    if (dynamic_cast<const Grundy*>(ruleset.get()) != nullptr) {
        return std::make_shared<OctalSolver>(BreakMoves::of_grundy());
    }
    if (dynamic_cast<const Lasker*>(ruleset.get()) != nullptr) {
        return std::make_shared<LaskerSolver>();
    }
    if (dynamic_cast<const Wythoff*>(ruleset.get()) != nullptr) {
        return std::make_shared<WythoffSolver>();
    }
    return std::make_shared<NoSolver>(ruleset);
}

// The solvers of this process by the text of their ruleset, the one used last in front.
class Solvers {
  public:
    Solvers() {
        Memory::on_shortage([this] { return drop_oldest_unused(); });
    }

    std::shared_ptr<const HeapSolver> find(const std::string& text) {
        const std::lock_guard lock(mutex_);
        const auto found = by_text_.find(text);
        if (found == by_text_.end()) return nullptr;
        entries_.splice(entries_.begin(), entries_, found->second);
        return found->second->solver;
    }

    // The one that is there already, where another thread was faster.
    std::shared_ptr<const HeapSolver> add(const std::string& text,
                                          std::shared_ptr<const HeapSolver> solver) {
        std::list<Entry> dropped;  // dies behind the lock
        const std::lock_guard lock(mutex_);
        if (const auto found = by_text_.find(text); found != by_text_.end()) {
            return found->second->solver;
        }
        entries_.push_front({text, solver});
        by_text_.emplace(entries_.front().text, entries_.begin());
        text_bytes_ += text.size();
        while (entries_.size() > kMaxSolvers ||
               (text_bytes_ > kMaxTextBytes && entries_.size() > 1)) {
            drop(std::prev(entries_.end()), dropped);
        }
        return solver;
    }

  private:
    static constexpr std::size_t kMaxSolvers = 1024;
    // A solver holds its ruleset, many bytes for each of its text: all solvers together no more
    // than those of one position, which fits a line.
    static constexpr std::size_t kMaxTextBytes = 1 << 20;

    struct Entry {
        std::string text;
        std::shared_ptr<const HeapSolver> solver;
    };

    void drop(std::list<Entry>::iterator entry, std::list<Entry>& dropped) {
        text_bytes_ -= entry->text.size();
        by_text_.erase(entry->text);
        dropped.splice(dropped.begin(), entries_, entry);
    }

    bool drop_oldest_unused() {
        std::list<Entry> dropped;  // dies behind the lock
        const std::lock_guard lock(mutex_);
        for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
            if (entry->solver.use_count() > 1) continue;
            drop(std::next(entry).base(), dropped);
            return true;
        }
        return false;
    }

    std::mutex mutex_;
    std::list<Entry> entries_;
    std::size_t text_bytes_ = 0;
    std::unordered_map<std::string_view, std::list<Entry>::iterator> by_text_;
};

Solvers& solvers() {
    static Solvers instance;
    return instance;
}

}  // namespace

std::optional<bool> HeapSolver::has_nimber(const Heap& heap, std::uint64_t wanted,
                                           const Budget& budget) const {
    const auto known = nimber(heap, budget);
    if (!known) return std::nullopt;
    return *known == finite(wanted);
}

std::optional<std::vector<Heap>> HeapSolver::find_follower(const Heap& heap,
                                                           const Nimber& nimber,
                                                           const Budget& budget) const {
    auto found = list_followers(heap, nimber, 1, budget);
    if (found.empty()) return std::nullopt;
    return std::move(found.front());
}

std::optional<ProvenLaw> HeapSolver::law(Number, const Budget&) const { return std::nullopt; }

std::uint64_t HeapSolver::counter(const Heap&, const Budget&) const { return 0; }

std::shared_ptr<const HeapSolver> find_solver(const protocol::RulesetText& text,
                                              const std::shared_ptr<const Ruleset>& ruleset) {
    if (auto known = solvers().find(text.text)) return known;
    return solvers().add(text.text, make_solver(ruleset));
}

}  // namespace engine
