// Moves in the words of their games.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/move.hpp"

namespace arena::pages {

// What each of the moves of a pile does, as an order: "take 3 from pile 2, leaving 4". The
// first word is the verb, so that pages can say "Ann takes 3 from pile 2, leaving 4". Moves
// that have no words of their own are told by what they leave: "turn pile 2 into 3 and 4".
std::vector<std::string> move_words(const protocol::RulesetText& ruleset,
                                    const protocol::Heap& heap, std::size_t pile,
                                    std::span<const std::vector<protocol::Heap>> results);

// The words of one move in its position; of a text, empty if it is no move there.
std::string move_words(const protocol::Position& before, const protocol::Move& move);
std::string told_move(const protocol::Position& before, std::string_view text);

// Whether the move takes nothing but a pass.
bool is_pass(const protocol::RulesetText& ruleset, const protocol::Heap& heap,
             const std::vector<protocol::Heap>& result);

}  // namespace arena::pages
