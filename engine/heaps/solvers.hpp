// The ways to solve heaps, each in the file of its name. heap_solver.cpp chooses among them.
#pragma once

#include <memory>

#include "engine/heaps/break_moves.hpp"
#include "engine/heaps/heap_solver.hpp"
#include "engine/rules/take.hpp"

namespace engine {

// ---- theories of one ruleset: the rules are known ----

std::shared_ptr<const HeapSolver> make_nim_solver();
std::shared_ptr<const HeapSolver> make_lasker_solver();
std::shared_ptr<const HeapSolver> make_wythoff_solver();
std::shared_ptr<const HeapSolver> make_cookie_solver(
    const std::shared_ptr<const Ruleset>& rules);
std::shared_ptr<const HeapSolver> make_moore_solver(
    const std::shared_ptr<const Ruleset>& rules);
std::shared_ptr<const HeapSolver> make_welter_solver(std::shared_ptr<const Ruleset> rules);
std::shared_ptr<const HeapSolver> make_cram_solver(const std::shared_ptr<const Ruleset>& rules);
std::shared_ptr<const HeapSolver> make_chomp_solver(
    const std::shared_ptr<const Ruleset>& rules);
std::shared_ptr<const HeapSolver> make_hackenbush_solver(std::shared_ptr<const Ruleset> rules);

// ---- shapes: one solver for all rulesets of a kind ----

std::shared_ptr<const HeapSolver> make_take_solver(const TakeSet& set);
// octal{CODE}, hex{CODE} and Grundy's game.
std::shared_ptr<const HeapSolver> make_octal_solver(BreakMoves moves);
// The same with digits that repeat for ever, such as octal{4.[3]}. `moves` lives in the rules.
std::shared_ptr<const HeapSolver> make_repeating_solver(std::shared_ptr<const Ruleset> rules,
                                                        shape::TakeAndBreak moves);
// The rules' shape is a digraph.
std::shared_ptr<const HeapSolver> make_graph_solver(std::shared_ptr<const Ruleset> rules);
// The rules' shape are sets of vertices.
std::shared_ptr<const HeapSolver> make_vertex_solver(
    const std::shared_ptr<const Ruleset>& rules);
// For heaps of which nothing but the moves is known.
std::shared_ptr<const HeapSolver> make_search_solver(
    const std::shared_ptr<const Ruleset>& rules);

}  // namespace engine
