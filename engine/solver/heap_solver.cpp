#include "engine/solver/heap_solver.hpp"

#include <cassert>

#include "engine/solver/nim_solver.hpp"
#include "engine/solver/take_solver.hpp"

namespace engine {

std::shared_ptr<const HeapSolver> find_solver(const Ruleset& ruleset) {
    if (const auto* take = dynamic_cast<const Take*>(&ruleset)) {
        return std::make_shared<TakeSolver>(take->set());
    }
    static const auto nim = std::make_shared<NimSolver>();
    return nim;
}

}  // namespace engine
