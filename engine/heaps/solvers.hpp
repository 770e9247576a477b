// The ways to solve heaps, each in the file of its name. heap_solver.cpp chooses among them.
#pragma once

#include "engine/heaps/break_moves.hpp"
#include "engine/heaps/heap_solver.hpp"
#include "engine/rules/take.hpp"

namespace engine {

// ---- theories of one ruleset: the rules are known ----

SolverPtr make_nim_solver();
SolverPtr make_lasker_solver();
SolverPtr make_wythoff_solver();
SolverPtr make_cookie_solver(const RulesetPtr& rules);
SolverPtr make_moore_solver(const RulesetPtr& rules);
SolverPtr make_welter_solver(const RulesetPtr& rules);
SolverPtr make_cram_solver(const RulesetPtr& rules);
SolverPtr make_chomp_solver(const RulesetPtr& rules);
SolverPtr make_hackenbush_solver(const RulesetPtr& rules);

// ---- shapes: one solver for all rulesets of a kind ----

SolverPtr make_take_solver(const TakeSet& set);
// octal{CODE}, hex{CODE} and Grundy's game.
SolverPtr make_octal_solver(BreakMoves moves);
// The same with digits that repeat for ever, such as octal{4.[3]}. `moves` lives in the rules.
SolverPtr make_repeating_solver(const RulesetPtr& rules, shape::TakeAndBreak moves);
// The rules' shape is a digraph.
SolverPtr make_graph_solver(const RulesetPtr& rules);
// The rules' shape are sets of vertices.
SolverPtr make_vertex_solver(const RulesetPtr& rules);
// For heaps of which nothing but the moves is known.
SolverPtr make_search_solver(const RulesetPtr& rules);

}  // namespace engine
