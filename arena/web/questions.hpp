// What the API is asked, one function a question: JSON in, JSON out, without threads.
#pragma once

#include <optional>
#include <variant>

#include <boost/json/object.hpp>

#include "arena/web/api.hpp"
#include "arena/web/opponents.hpp"
#include "arena/web/played_game.hpp"
#include "engine/sums/analyst.hpp"

namespace arena::web {

// A bot is to be asked, and its move is the answer.
struct BotWanted {
    std::size_t bot = 0;
    BotQuestion question;
};

struct Answered {
    std::variant<boost::json::object, ApiError, BotWanted> what;
    bool is_complete = true;  // false: with more time there may be more to say
};

// What the functions below look at.
struct Asked {
    const boost::json::object& request;
    const ApiOptions& options;
    const engine::Analyst& analyst;
    const Opponents* opponents;  // may be null
    std::uint64_t drawn = 0;     // a seed, another for each request
    engine::Budget budget;
};

Answered ask_site(const Asked& asked);
Answered ask_pile(const Asked& asked);
Answered ask_game(const Asked& asked);
Answered ask_moves(const Asked& asked);
Answered ask_evaluate(const Asked& asked);
Answered ask_reply(const Asked& asked);
Answered ask_review(const Asked& asked);

// The answer to "reply" once a bot has been asked: its move and the game after it, or its
// fault.
boost::json::object tell_bot_answer(const BotAnswer& answer, const BotQuestion& question,
                                    const std::string& name, const engine::Budget& budget);

}  // namespace arena::web
