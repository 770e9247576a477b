// The questions of the API, a function each: JSON in, JSON out, without threads.
#pragma once

#include <optional>
#include <variant>

#include <boost/json/object.hpp>

#include "arena/web/api.hpp"
#include "arena/web/opponents.hpp"
#include "arena/web/played_game.hpp"
#include "engine/sums/analyst.hpp"

namespace arena::web {

// The answer is the move of a bot, which the caller must ask.
struct BotWanted {
    std::size_t bot = 0;
    BotQuestion question;
};

struct Answered {
    std::variant<boost::json::object, ApiError, BotWanted> what;
    bool is_complete = true;  // false: more time may give a better answer
};

// The input of the functions below.
struct Asked {
    const boost::json::object& request;
    const ApiOptions& options;
    const engine::Analyst& analyst;
    const Opponents* opponents;  // may be null
    std::uint64_t drawn = 0;     // a seed, different for each request
    engine::Budget budget;
};

// The moves in a pile, counted from 1; none once the game is over. nullopt: the budget ends
// first.
std::optional<engine::Followers> followers_of(const engine::Game& game, std::size_t number,
                                              const engine::Budget& budget);

Answered ask_site(const Asked& asked);
Answered ask_pile(const Asked& asked);
// {"position", "moves", "winning"}: a position in which few moves win, drawn at random.
Answered ask_puzzle(const Asked& asked);
Answered ask_game(const Asked& asked);
Answered ask_moves(const Asked& asked);
Answered ask_evaluate(const Asked& asked);
Answered ask_reply(const Asked& asked);
Answered ask_review(const Asked& asked);
Answered ask_explore(const Asked& asked);  // in explore.cpp

// The answer to "reply" after asking a bot: its move and the game after it, or its fault.
boost::json::object tell_bot_answer(const BotAnswer& answer, const BotQuestion& question,
                                    const std::string& name, const engine::Budget& budget);

}  // namespace arena::web
