#include "engine/commands/command.hpp"

#include <ostream>
#include <random>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "engine/commands/engine_bot.hpp"
#include "engine/heaps/nimber_json.hpp"
#include "engine/sums/analyst.hpp"
#include "protocol/text.hpp"

namespace engine {

namespace {

constexpr Number kDefaultPlies = 1000;
constexpr Number kTimeForAMove = 1000;  // ms a move

struct Ply {
    std::optional<Move> move;  // that led here; none at the start
    std::string position;
    int player = 1;  // to move here
    Outcome outcome = Outcome::Unknown;
    std::optional<Nimber> nimber;
};

struct Line {
    std::vector<Ply> plies;
    End end = End::None;
    std::optional<int> winner;
    std::optional<std::string> limit;  // why the last position cannot be played on
};

Line play_line(Game game, const Style& style, const CommandWords& words) {
    const auto analyst = make_analyst();
    const Number plies = words.number("--plies");
    std::mt19937_64 random(words.number("--seed"));
    Line line;
    std::optional<Move> move;
    for (Number ply = 0;; ++ply) {
        const Budget time = budget_of(words.number("--time"));
        line.plies.push_back(
            {move, to_string(game.position()), game.player(), Outcome::Unknown, std::nullopt});
        if (const auto playable = game.check_limits()) {
            line.plies.back().outcome = analyst->outcome(game, time);
            line.plies.back().nimber = analyst->nimber(game, time);
        } else {
            line.limit = playable.error().text;
        }
        if (line.limit || game.end() != End::None || ply == plies) break;
        move = analyst->choose(game, {}, style, random, time);
        game.play(*move);
    }
    line.end = game.end();
    line.winner = game.winner();
    return line;
}

std::string end_text(const Line& line) {
    if (line.limit) return "cut where the rules cannot be applied: " + *line.limit;
    if (line.end == End::None) return fmt::format("cut after {} plies", line.plies.size() - 1);
    if (line.end == End::Repetition) return "a draw by repetition";
    return fmt::format("player {} wins", *line.winner);
}

std::string for_people(const Line& line) {
    std::size_t widest = 4;
    for (const Ply& ply : line.plies) {
        if (ply.move) widest = std::max(widest, to_string(*ply.move).size());
    }
    widest = std::min<std::size_t>(widest, 30);
    std::string text =
        fmt::format("{:>5}  {:<{}}  outcome  nimber  position\n", "ply", "move", widest);
    for (std::size_t i = 0; i < line.plies.size(); ++i) {
        const Ply& ply = line.plies[i];
        const std::string move = ply.move ? to_string(*ply.move) : "";
        text += fmt::format("{:>5}  {:<{}}  {:<7}  {:>6}  {}\n", i, move, widest,
                            to_string(ply.outcome), ply.nimber ? to_string(*ply.nimber) : "-",
                            protocol::printable(ply.position, 1000));
    }
    return text + end_text(line) + "\n";
}

std::string for_programs(const Line& line) {
    boost::json::array plies;
    for (const Ply& ply : line.plies) {
        plies.push_back(boost::json::object{
            {"move", ply.move ? boost::json::value(to_string(*ply.move)) : nullptr},
            {"position", ply.position},
            {"player", ply.player},
            {"outcome", to_string(ply.outcome)},
            {"nimber", to_json(ply.nimber)}});
    }
    const char* ends[] = {"cut", "no moves", "repetition"};
    return boost::json::serialize(boost::json::object{
               {"plies", std::move(plies)},
               {"end", ends[static_cast<int>(line.end)]},
               {"winner", line.winner ? boost::json::value(*line.winner) : nullptr}}) +
           "\n";
}

Result<void> run_line(const CommandWords& words, std::ostream& out, std::ostream&) {
    const auto losing =
        read_word("--losing", words.value("--losing").value_or("longest"), kLosings);
    if (!losing) return losing.error();
    const auto game = words.game();
    if (!game) return game.error();
    const Line line = play_line(*game, {Choice::First, static_cast<Losing>(*losing)}, words);
    out << (words.has("--json") ? for_programs(line) : for_people(line));
    return {};
}

constexpr Option kLineOptions[]{
    {"--losing", "STYLE", "a style",
     "how the losing side plays: random, longest or trap (longest)", kLosings},
    number_option("--plies", "N", "a number of plies", "how many moves at most (1000)",
                  {kDefaultPlies}),
    time_option("for each move (1000)", kTimeForAMove),
    number_option("--seed", "N", "a number", "for what is random (0)", {}),
    kJson};

}  // namespace

const Command kLine{"line",
                    "a game to its end, both sides playing perfectly",
                    "POSITION",
                    "a position",
                    kAnyNumber,
                    kLineOptions,
                    "  nim-engine line 'kayles:10,7'\n",
                    run_line};

}  // namespace engine
