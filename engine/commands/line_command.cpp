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

struct Settings {
    Style style;
    Number plies = kDefaultPlies;
    std::chrono::milliseconds time{kTimeForAMove};
    std::mt19937_64 random{0};
    bool json = false;
};

Result<Settings> read_settings(const CommandWords& words) {
    Settings settings;
    const auto losing =
        read_word("--losing", words.value("--losing").value_or("longest"), kLosings);
    const auto plies = words.number("--plies", kDefaultPlies);
    const auto time = words.number("--time", kTimeForAMove);
    const auto seed = words.number("--seed", 0);
    if (!losing) return losing.error();
    if (!plies) return plies.error();
    if (!time) return time.error();
    if (!seed) return seed.error();
    settings.style = {Choice::First, static_cast<Losing>(*losing)};
    settings.plies = *plies;
    settings.time = std::chrono::milliseconds(std::min<Number>(*time, 86400 * 1000));
    settings.random.seed(*seed);
    settings.json = words.has("--json");
    return settings;
}

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

Line play_line(Game game, Settings& settings) {
    const auto analyst = make_analyst();
    const auto budget = [&] {
        return Budget{std::chrono::steady_clock::now() + settings.time, {}};
    };
    Line line;
    std::optional<Move> move;
    for (Number ply = 0;; ++ply) {
        const Budget time = budget();
        line.plies.push_back(
            {move, to_string(game.position()), game.player(), Outcome::Unknown, std::nullopt});
        if (const auto playable = game.check_limits()) {
            line.plies.back().outcome = analyst->outcome(game, time);
            line.plies.back().nimber = analyst->nimber(game, time);
        } else {
            line.limit = playable.error().text;
        }
        if (line.limit || game.end() != End::None || ply == settings.plies) break;
        move = analyst->choose(game, {}, settings.style, settings.random, time);
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

Result<int> run_line(const CommandWords& words, const RulesetNames& names, std::ostream& out,
                     std::ostream&) {
    auto settings = read_settings(words);
    if (!settings) return settings.error();
    const auto game = words.game(names);
    if (!game) return game.error();
    const Line line = play_line(*game, *settings);
    out << (settings->json ? for_programs(line) : for_people(line));
    return kExitDone;
}

constexpr Option kLineOptions[]{
    {"--losing", "STYLE", "a style",
     "how the losing side plays: random, longest or trap (longest)", kLosings},
    {"--plies", "N", "a number of plies", "how many moves at most (1000)"},
    {"--time", "MS", "a number of milliseconds", "for each move (1000)"},
    {"--seed", "N", "a number", "for what is random (0)"},
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
