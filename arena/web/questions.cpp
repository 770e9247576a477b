// Each function reads the keys of a request, plays its game, and answers within the budget. If
// that is too short the answer is "unknown", and marked incomplete: the caller may ask again
// with more time. Nothing is kept between two requests.
#include "arena/web/questions.hpp"

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "arena/game/game_analysis.hpp"
#include "arena/game/suite.hpp"
#include "arena/players/builtin_choice.hpp"
#include "arena/report/drawing.hpp"
#include "arena/report/move_words.hpp"
#include "engine/heaps/nimber_json.hpp"
#include "engine/rules/literature.hpp"
#include "engine/rules/rule_words.hpp"
#include "engine/sums/evaluation.hpp"
#include "protocol/text.hpp"

namespace arena::web {
namespace {

namespace json = boost::json;
using engine::Game;
using engine::Outcome;
using protocol::Heap;

constexpr std::size_t kMostPiles = 500;
constexpr std::size_t kMostResults = 400;  // of one pile
constexpr std::size_t kMostResultsInAll = 20'000;
constexpr std::size_t kBytesOfKey = 8;       // of a part of a drawing
constexpr std::size_t kMostBytes = 400'000;  // of the texts of all piles
constexpr std::size_t kMostText = 200;       // bytes of a text that is abridged
constexpr std::size_t kMostRules = 20;       // rulesets whose rules are told
constexpr std::size_t kMostRuleText = 500;   // bytes
constexpr std::size_t kMostDigits = 10;      // of a code, that are drawn
constexpr std::size_t kMostPage = 500;       // of /api/moves
constexpr std::size_t kMostBest = 2000;
constexpr std::size_t kMostTold = 200;  // of them, in words
constexpr std::size_t kMostColdBoards = 4;
constexpr std::size_t kMostColumnRows = 60;
constexpr std::size_t kMostRefutations = 20;
constexpr int kDraws = 50;  // of piles, until one has a move and its value is known
constexpr std::chrono::milliseconds kOneDraw{100};
constexpr std::chrono::milliseconds kTelling{200};  // of a game, its moves in words

constexpr std::uint64_t kMostSeed = (std::uint64_t{1} << 53) - 1;  // that JavaScript holds

// ---- the site ----

json::array opponents_of(const Asked& asked) {
    json::array list{
        json::object{{"id", "perfect"}, {"name", "Perfect play"}},
        json::object{{"id", "eps:0.1"}, {"name", "Seldom wrong"}},
        json::object{{"id", "eps:0.3"}, {"name", "Sometimes wrong"}},
        json::object{{"id", "eps:0.6"}, {"name", "Often wrong"}},
        json::object{{"id", "eps"}, {"name", "Perfect, with some mistakes"}},
        json::object{{"id", "greedy"}, {"name", "Greedy"}},
        json::object{{"id", "random"}, {"name", "Random"}},
    };
    const std::size_t bots = asked.opponents != nullptr ? asked.opponents->size() : 0;
    for (std::size_t bot = 0; bot < bots; ++bot) {
        list.push_back(json::object{{"id", "bot:" + std::to_string(bot)},
                                    {"name", asked.opponents->name(bot)}});
    }
    return list;
}

json::array rulesets_of(const engine::RulesetNames& names) {
    json::array list;
    const auto add = [&list](std::string_view ruleset, std::string_view title,
                             std::string_view rules,
                             std::string_view drawn_as) -> json::object& {
        list.push_back(json::object{{"ruleset", ruleset},
                                    {"title", title},
                                    {"rules", rules},
                                    {"drawing", pages::drawing_kind(drawn_as)},
                                    {"parameters", false}});
        return list.back().as_object();
    };
    for (const engine::RulesetGuide& guide : engine::ruleset_guides()) {
        add(guide.example, guide.title, guide.rules, guide.name)["parameters"] =
            guide.example != guide.name;
    }
    for (const engine::LiteratureGame& game : engine::literature()) {
        if (!game.has_name_of_its_own()) continue;
        const protocol::RulesetText text{std::string(game.guide.example)};
        add(game.guide.name, game.guide.title, game.guide.rules, text.name())["literature"] =
            true;
    }
    for (const auto& [name, text] : names.all())
        add(name, name, protocol::printable(text, 300), protocol::RulesetText{text}.name());
    return list;
}

std::string title_of(const protocol::RulesetText& ruleset) {
    const auto* guide = engine::find_literature(ruleset);
    if (guide == nullptr) guide = engine::find_guide(ruleset.name());
    return guide == nullptr ? ruleset.text : std::string(guide->title);
}

// ---- the game ----

// "8" or "1,7": the heaps that the move leaves.
std::string result_text(std::vector<Heap> result) {
    const std::string text = to_string(protocol::Move{1, std::move(result)});
    return text.substr(text.find('=') + 1);
}

json::value count_json(engine::Count count) {
    if (count == engine::kMany) return nullptr;
    return count;
}

// The piles of a game, with their moves.
class PileLister {
  public:
    PileLister(const Game& game, const engine::Budget& budget)
        : game_(game), budget_(budget), piles_(game.position().heap_count()) {}

    json::array list() {
        json::array list;
        const std::size_t shown = std::min(piles_, kMostPiles);
        for (std::size_t number = 1; number <= shown; ++number) list.push_back(pile(number));
        return list;
    }
    bool is_complete() const { return is_complete_; }

  private:
    json::object pile(std::size_t number) {
        const protocol::HeapLookup pile = find_heap(game_.position(), number);
        const protocol::RulesetText& ruleset = pile.component->ruleset;
        json::object told{{"pile", number},
                          {"ruleset", abridged(ruleset.text)},
                          {"title", abridged(title_of(ruleset))},
                          {"heap", abridged(to_string(pile.heap()))},
                          {"drawing", pages::drawing_of(ruleset, pile.heap())},
                          {"results", json::array()},
                          {"result_count", nullptr}};
        const auto followers = followers_of(game_, number, budget_);
        if (!followers) {
            is_complete_ = false;
            return told;
        }
        told["result_count"] = count_json(followers->count);
        const auto moves = add_results(*followers, told["results"].as_array());
        const auto pass = std::ranges::find_if(moves, [&](const auto& result) {
            return pages::is_pass(ruleset, pile.heap(), result);
        });
        if (pass != moves.end()) told["pass"] = result_text(*pass);
        if (bytes_ >= kMostBytes || budget_.is_spent()) return told;
        auto touched = pages::touched_parts(ruleset, pile.heap(), moves);
        for (const json::value& press : touched)
            bytes_ += kBytesOfKey * press.at("gone").as_array().size();
        if (!touched.empty()) told["touched"] = std::move(touched);
        return told;
    }

    // Cuts long texts once the texts of all piles exceed a limit.
    std::string abridged(std::string text) {
        bytes_ += text.size();
        const bool is_long = bytes_ > kMostBytes && text.size() > kMostText;
        return is_long ? protocol::printable(text, kMostText) : std::move(text);
    }

    // The moves whose results are listed.
    std::vector<std::vector<Heap>> add_results(const engine::Followers& followers,
                                               json::array& results) {
        const std::size_t share =
            std::min(kMostResults, kMostResultsInAll / std::max<std::size_t>(piles_, 1));
        const auto wanted = std::min<engine::Count>(followers.count, share);
        std::vector<std::vector<Heap>> moves;
        for (engine::Count i = 0; i < wanted && bytes_ < kMostBytes; ++i) {
            moves.push_back(followers.at(i));
            const std::string text = result_text(moves.back());
            bytes_ += text.size();
            results.emplace_back(text);
        }
        return moves;
    }

    const Game& game_;
    const engine::Budget& budget_;
    std::size_t piles_;
    std::size_t bytes_ = 0;
    bool is_complete_ = true;
};

// Of octal{…} and hex{…}, how many heaps may be left by each number taken; null of other
// rulesets.
json::value code_of(const protocol::RulesetText& text, const engine::Ruleset& rules) {
    const auto code = engine::shape_as<engine::shape::TakeAndBreak>(rules);
    if (!code || (text.name() != "octal" && text.name() != "hex")) return nullptr;
    json::array takes;
    for (std::size_t taken = 0; taken < code->digits.size(); ++taken) {
        const unsigned digit = code->digits[taken];
        if (taken == 0 && digit == 0) continue;
        if (takes.size() == kMostDigits) break;
        json::array leaves;
        for (unsigned heaps = 0; heaps < 4; ++heaps) {
            if ((digit >> heaps & 1U) != 0) leaves.push_back(heaps);
        }
        takes.push_back(json::object{{"take", taken}, {"leaves", leaves}});
    }
    const bool goes_on =
        code->repeated > 0 || takes.back().at("take") != code->digits.size() - 1;
    return json::object{{"takes", takes}, {"goes_on", goes_on}};
}

// The different rulesets of a position, with their rules in words.
json::array rules_of(const Game& game) {
    json::array list;
    std::set<std::string_view> told;
    for (std::size_t i = 0; i < game.position().components.size(); ++i) {
        const protocol::RulesetText& ruleset = game.position().components[i].ruleset;
        if (list.size() == kMostRules || !told.insert(ruleset.text).second) continue;
        json::object row{
            {"ruleset", protocol::printable(ruleset.text, kMostText)},
            {"title", protocol::printable(title_of(ruleset), kMostText)},
            {"rules", protocol::printable(engine::rule_words(ruleset), kMostRuleText)}};
        if (auto code = code_of(ruleset, *game.ruleset(i)); !code.is_null())
            row["code"] = std::move(code);
        list.push_back(std::move(row));
    }
    return list;
}

// The words of each move; empty ones once the budget is spent.
json::array told_moves(const PlayedGame& played, const engine::Budget& budget) {
    protocol::Position position = played.start;
    json::array words(played.moves.size(), "");
    for (std::size_t ply = 0; ply < played.moves.size() && !budget.is_spent(); ++ply) {
        const auto move = protocol::parse_move(played.moves[ply], position);
        if (!move) break;
        words[ply] = pages::move_words(position, *move);
        protocol::apply(position, *move);
    }
    return words;
}

json::value end_of(const Game& game) {
    if (game.end() == engine::End::None) return nullptr;
    return game.end() == engine::End::NoMoves ? "no-moves" : "repetition";
}

json::object game_json(const PlayedGame& played, const engine::Budget& budget,
                       bool& is_complete) {
    const Game& game = played.game;
    const protocol::Position& position = game.position();
    const bool misere = position.convention == protocol::Convention::Misere;
    PileLister piles(game, budget);
    json::object told{{"start", to_string(played.start)},
                      {"position", to_string(position)},
                      {"convention", misere ? "misere" : "normal"},
                      {"moves", json::array(played.moves.begin(), played.moves.end())},
                      {"words", told_moves(played, budget)},
                      {"player", game.player()},
                      {"over", game.end() != engine::End::None},
                      {"winner", nullptr},
                      {"end", end_of(game)},
                      {"rules", rules_of(game)},
                      {"pile_count", position.heap_count()},
                      {"piles", piles.list()}};
    if (const auto winner = game.winner()) told["winner"] = *winner;
    // Words and the parts that moves touch are left out once the budget is spent.
    is_complete = piles.is_complete() && !budget.is_spent();
    return told;
}

std::variant<PlayedGame, ApiError> read(const Asked& asked) {
    return read_played_game(asked.request, asked.options.names, asked.budget);
}

Answered unread(const ApiError& error) { return {error, error.status != kTooCostly}; }

// ---- values ----

json::value columns_of(const engine::Evaluation& evaluation) {
    const auto total = evaluation.total();
    const std::size_t heaps = evaluation.game().position().heap_count();
    if (!total || heaps > kMostColumnRows) return nullptr;
    const engine::BinaryColumns columns = evaluation.columns();
    if (columns.powers.empty() || engine::is_loopy(*total)) return nullptr;
    json::array heads;
    for (const auto& power : columns.powers) {
        for (int digit = power.digits - 1; digit >= 0; --digit) {
            const std::string value = std::to_string(std::uint64_t{1} << digit);
            if (power.exponent == 0) {
                heads.emplace_back(value);
            } else {
                const std::string name = engine::power_name(power.exponent);
                heads.emplace_back(digit == 0 ? name : name + "*" + value);
            }
        }
    }
    const auto digits = [&](const engine::Nimber& nimber) {
        json::array list;
        for (const std::string& group : columns.digits_of(nimber)) {
            for (const char digit : group) list.emplace_back(std::string(1, digit));
        }
        return list;
    };
    json::array rows;
    for (std::size_t heap = 0; heap < heaps; ++heap) {
        rows.push_back(
            json::object{{"pile", heap + 1}, {"digits", digits(*evaluation.nimber(heap))}});
    }
    return json::object{
        {"heads", std::move(heads)}, {"rows", std::move(rows)}, {"total", digits(*total)}};
}

// The squares of a queen's boards from which the player to move loses, each board alone.
json::array cold_squares(const protocol::Position& position, const Asked& asked) {
    json::array boards;
    std::size_t number = 0;
    for (const protocol::Component& component : position.components) {
        for (const Heap& heap : component.heaps) {
            ++number;
            const json::object drawing = pages::drawing_of(component.ruleset, heap);
            if (drawing.at("kind") != "board") continue;
            const auto x = drawing.at("x").to_number<protocol::Number>();
            const auto y = drawing.at("y").to_number<protocol::Number>();
            json::array squares;
            for (protocol::Number square = 0; square < (x + 1) * (y + 1); ++square) {
                if (asked.budget.is_spent() || boards.size() == kMostColdBoards) return boards;
                const Heap at = protocol::Tuple{{square % (x + 1), square / (x + 1)}};
                const auto game =
                    Game::start({{{component.ruleset, {at}}}, position.convention});
                if (!game || asked.analyst.outcome(*game, asked.budget) != Outcome::P) continue;
                squares.emplace_back(fmt::format("c{},{}", square % (x + 1), square / (x + 1)));
            }
            boards.push_back(json::object{{"pile", number}, {"squares", std::move(squares)}});
        }
    }
    return boards;
}

bool is_known(const engine::Evaluation& evaluation) {
    return evaluation.outcome() != Outcome::Unknown && evaluation.moves() &&
           (evaluation.is_misere() || evaluation.nimber());
}

// A move with the value that it leaves. Plays the move and takes it back.
json::object move_json(Game& game, const engine::Move& move, const Asked& asked,
                       bool& is_complete) {
    auto outcome = Outcome::Unknown;
    std::optional<engine::Nimber> nimber;
    if (!asked.budget.is_spent()) {
        auto before = game.play(move);
        // A position beyond the limits of its rules is unknown.
        if (game.check_limits()) {
            outcome = asked.analyst.outcome(game, asked.budget);
            nimber = asked.analyst.nimber(game, asked.budget);
        }
        game.take_back(std::move(before));
    }
    if (outcome == Outcome::Unknown) is_complete = false;
    return {{"result", result_text(move.result)},
            {"nimber", engine::to_json(nimber)},
            {"outcome", engine::to_string(outcome)}};
}

// The nimber of the sum before each move, and after the last one; null where it is unknown.
json::array nimbers_of(const PlayedGame& played, const Asked& asked) {
    auto game = Game::start(played.start);
    json::array nimbers;
    for (std::size_t ply = 0; game && ply <= played.moves.size(); ++ply) {
        std::optional<engine::Nimber> nimber;
        if (!asked.budget.is_spent()) nimber = asked.analyst.nimber(*game, asked.budget);
        nimbers.push_back(engine::to_json(nimber));
        if (ply == played.moves.size()) break;
        const auto move = game->read_move(played.moves[ply]);
        if (move) game->play(*move);
    }
    nimbers.resize(played.moves.size() + 1);
    return nimbers;
}

// ---- piles ----

struct DrawnPile {
    Heap heap;
    bool is_known = false;  // who wins it alone, and its nimber where it has one
};

bool is_pile_known(const Asked& asked, const Suite::Part& part, const Heap& heap,
                   bool is_misere) {
    protocol::Position position;
    position.components.push_back({part.text, {heap}});
    if (is_misere) position.convention = protocol::Convention::Misere;
    const auto game = Game::start(std::move(position));
    if (!game || !game->check_limits()) return false;
    const engine::Budget budget = asked.budget.at_most(kOneDraw);
    if (asked.analyst.outcome(*game, budget) == Outcome::Unknown) return false;
    return is_misere || asked.analyst.nimber(*game, budget).has_value();
}

// A pile of the size, or, if that is 0, one at random: with a move and a known value if such a
// one is found. Half of the draws are of small piles, whose value is found more often.
DrawnPile draw_pile(const Asked& asked, const Suite::Part& part, std::uint64_t size,
                    bool is_misere) {
    std::mt19937_64 random(asked.drawn);
    DrawnPile drawn;
    for (int draw = 0; draw < kDraws; ++draw) {
        if (draw > 0 && asked.budget.is_spent()) break;
        const Range at_random = draw < kDraws / 2 ? Range{10, 20} : Range{3, 9};
        drawn.heap = draw_heap(part, size == 0 ? at_random : Range{size, size}, random);
        if (!part.ruleset->check_heap(drawn.heap)) continue;
        const bool has_move = part.ruleset->has_move(drawn.heap);
        drawn.is_known = is_pile_known(asked, part, drawn.heap, is_misere);
        if ((has_move && drawn.is_known) || (size != 0 && has_move)) break;
    }
    return drawn;
}

// ---- opponents ----

// The number of "bot:3"; nullopt if there is no such bot.
std::optional<std::size_t> bot_of(const std::string& id, const Opponents* opponents) {
    if (!id.starts_with("bot:") || opponents == nullptr) return std::nullopt;
    const auto number = protocol::parse_number(std::string_view(id).substr(4));
    if (!number || *number >= opponents->size()) return std::nullopt;
    return static_cast<std::size_t>(*number);
}

Answered ask_builtin(const Asked& asked, const std::string& opponent, std::uint64_t seed,
                     PlayedGame played) {
    const auto spec = parse_player("builtin:" + opponent);
    if (!spec) {
        return {refused("opponent",
                        "read " + protocol::quoted(opponent) +
                            ", expected an opponent that /api/site names, such as perfect or "
                            "eps:0.25",
                        404)};
    }
    const auto asked_at = Clock::now();
    // A hard position leaves time to tell what became of it.
    const auto telling = std::min<SteadyClock::duration>(asked.budget.left() / 4, kTelling);
    const engine::Budget thinking{asked.budget.deadline - telling, asked.budget.stop};
    const bool plays_well = spec->builtin == "perfect" || spec->builtin == "eps";
    const bool is_known =
        !plays_well || asked.analyst.outcome(played.game, thinking) != Outcome::Unknown;
    std::mt19937_64 random(seed);
    const auto move = builtin_choice(*spec, played.game, asked.analyst, random, thinking);
    if (!move) return {refused("moves", "there is no move: the game is over")};
    const auto used = std::chrono::duration_cast<Microseconds>(Clock::now() - asked_at);
    played.game.play(*move);
    played.moves.push_back(to_string(*move));
    bool is_listed = true;
    json::object told{{"move", played.moves.back()},
                      {"time_us", used.count()},
                      {"game", game_json(played, asked.budget, is_listed)}};
    if (plays_well) told["proven"] = is_known;
    return {std::move(told), is_known && is_listed};
}

}  // namespace

std::optional<engine::Followers> followers_of(const Game& game, std::size_t number,
                                              const engine::Budget& budget) {
    if (game.end() != engine::End::None) return engine::Followers{};
    const auto pile = find_heap(game.position(), number);
    return game.ruleset(pile.place.component)->followers(pile.heap(), [&budget](std::size_t) {
        return budget.is_spent();
    });
}

// ---- the questions ----

Answered ask_site(const Asked& asked) {
    json::array records;
    for (const auto& [name, title] : asked.options.records) {
        records.push_back(json::object{{"name", name}, {"title", title}});
    }
    return {json::object{{"version", NIMARENA_VERSION},
                         {"start", protocol::kStartPosition},
                         {"opponents", opponents_of(asked)},
                         {"rulesets", rulesets_of(asked.options.names)},
                         {"records", std::move(records)},
                         {"live", asked.options.is_live},
                         {"clinic", asked.options.is_clinic}}};
}

Answered ask_pile(const Asked& asked) {
    const auto text = text_of(asked.request, "ruleset");
    if (!text) return {refused("ruleset", "expected a ruleset, such as \"kayles\"")};
    const auto size = number_of(asked.request, "size", 0, protocol::kMaxNumber);
    const json::value* given = asked.request.if_contains("size");
    const bool is_drawn = given == nullptr || given->is_null();
    if (!size || (*size == 0 && !is_drawn)) {
        return {refused("size", "expected a number 1..2^63-1")};
    }
    const auto convention = text_of(asked.request, "convention").value_or("normal");
    const bool is_misere = convention == "misere";
    if (!is_misere && convention != "normal") {
        return {refused("convention", "expected \"normal\" or \"misere\"")};
    }
    const auto ruleset = asked.options.names.expand(protocol::RulesetText{*text});
    const auto rules = engine::find_ruleset(ruleset);
    if (!rules) return {ApiError{400, rules.error(), "ruleset"}};
    const DrawnPile drawn =
        draw_pile(asked, {ruleset, *rules}, is_drawn ? 0 : *size, is_misere);
    const auto allowed = (*rules)->check_heap(drawn.heap);
    if (!allowed) return {ApiError{400, allowed.error(), "size"}};
    return {json::object{{"heap", to_string(drawn.heap)}, {"known", drawn.is_known}},
            drawn.is_known || !is_drawn};
}

Answered ask_game(const Asked& asked) {
    const auto game = read(asked);
    if (const auto* error = std::get_if<ApiError>(&game)) return unread(*error);
    const auto& played = std::get<PlayedGame>(game);
    bool is_complete = true;
    json::object told = game_json(played, asked.budget, is_complete);
    return {std::move(told), is_complete};
}

Answered ask_moves(const Asked& asked) {
    const auto game = read(asked);
    if (const auto* error = std::get_if<ApiError>(&game)) return unread(*error);
    const auto& played = std::get<PlayedGame>(game);
    const std::size_t piles = played.game.position().heap_count();
    const auto number = number_of(asked.request, "pile", 0, piles);
    if (!number || *number == 0) {
        return {refused("pile", fmt::format("expected the number of a pile, 1..{}", piles))};
    }
    const auto offset = number_of(asked.request, "offset", 0, protocol::kMaxNumber);
    const auto limit = number_of(asked.request, "limit", kMostPage, kMostPage);
    if (!offset || !limit) return {refused("", "expected an offset from 0 and a limit 0..500")};
    const auto heap = static_cast<std::size_t>(*number);
    const auto followers = followers_of(played.game, heap, asked.budget);
    if (!followers) {
        return {json::object{{"count", nullptr}, {"offset", *offset}, {"moves", json::array()}},
                false};
    }
    Answered answered{json::object{}};
    json::array moves;
    Game trial = played.game;
    std::size_t bytes = 0;
    for (engine::Count i = *offset; i < followers->count && moves.size() < *limit; ++i) {
        const engine::Move move{heap, followers->at(i)};
        moves.push_back(move_json(trial, move, asked, answered.is_complete));
        bytes += moves.back().at("result").as_string().size();
        if (bytes > kMostBytes) break;
    }
    answered.what = json::object{{"count", count_json(followers->count)},
                                 {"offset", *offset},
                                 {"moves", std::move(moves)}};
    return answered;
}

Answered ask_evaluate(const Asked& asked) {
    const auto game = read(asked);
    if (const auto* error = std::get_if<ApiError>(&game)) return unread(*error);
    const auto& played = std::get<PlayedGame>(game);
    const engine::Evaluation evaluation(played.game, {kMostBest, kMostRefutations},
                                        asked.budget);
    json::object told = engine::to_json(evaluation, {kMostPiles, kMostText});
    told["best_moves"] =
        evaluation.outcome() == Outcome::D ? told["holding_moves"] : told["winning_moves"];
    json::array words;
    if (const json::value& best = told["best_moves"]; best.is_array()) {
        for (const json::value& move : best.as_array()) {
            if (words.size() == kMostTold || asked.budget.is_spent()) break;
            words.emplace_back(
                pages::told_move(played.game.position(), std::string_view(move.as_string())));
        }
    }
    told["best_words"] = std::move(words);
    told["columns"] = columns_of(evaluation);
    told["cold"] = cold_squares(played.game.position(), asked);
    return {std::move(told), is_known(evaluation) && !asked.budget.is_spent()};
}

Answered ask_reply(const Asked& asked) {
    auto game = read(asked);
    if (const auto* error = std::get_if<ApiError>(&game)) return unread(*error);
    auto& played = std::get<PlayedGame>(game);
    const auto opponent = text_of(asked.request, "opponent");
    if (!opponent) {
        return {refused("opponent", "expected an opponent, such as \"perfect\"")};
    }
    const auto seed = number_of(asked.request, "seed", asked.drawn & kMostSeed, kMostSeed);
    if (!seed) return {refused("seed", "expected a number below 2^53")};
    if (played.game.end() != engine::End::None) {
        return {refused("moves", "there is no move: the game is over")};
    }
    if (const auto bot = bot_of(*opponent, asked.opponents)) {
        return {BotWanted{*bot, {std::move(played), *seed}}};
    }
    return ask_builtin(asked, *opponent, *seed, std::move(played));
}

Answered ask_review(const Asked& asked) {
    const auto game = read(asked);
    if (const auto* error = std::get_if<ApiError>(&game)) return unread(*error);
    const auto& played = std::get<PlayedGame>(game);
    GameRecord record;
    record.task.position = StartPosition(played.start);
    record.moves = played.moves;
    const GameAnalysis analysis = analyse_game(record, asked.analyst, asked.budget);
    const json::array nimbers = nimbers_of(played, asked);
    json::array plies;
    protocol::Position position = played.start;
    for (const PlyAnalysis& ply : analysis.plies) {
        json::value mistake;
        if (ply.mistake != Finding::Unknown) mistake = ply.mistake == Finding::Yes;
        json::value better, better_words;
        if (!ply.better.empty()) {
            better = ply.better;
            better_words = pages::told_move(position, ply.better);
        }
        const auto move = protocol::parse_move(played.moves[plies.size()], position);
        if (move) protocol::apply(position, *move);
        plies.push_back(json::object{{"before", engine::to_string(ply.before)},
                                     {"nimber", nimbers[plies.size()]},
                                     {"mistake", std::move(mistake)},
                                     {"better", std::move(better)},
                                     {"better_words", std::move(better_words)}});
    }
    return {json::object{{"plies", std::move(plies)},
                         {"end", engine::to_string(analysis.end)},
                         {"end_nimber", nimbers.back()}},
            analysis.is_complete() && !asked.budget.is_spent()};
}

json::object tell_bot_answer(const BotAnswer& answer, const BotQuestion& question,
                             const std::string& name, const engine::Budget& budget) {
    if (answer.fault) {
        return {{"fault",
                 json::object{
                     {"player", name},
                     {"reason", arena::name(answer.fault->reason)},
                     {"detail", answer.fault->detail},
                     {"received", answer.fault->received},
                     {"expected", protocol::printable(answer.fault->expected)},
                     {"stderr", fmt::to_string(fmt::join(
                                    last_lines(answer.fault->stderr_tail, 20, 500), "\n"))}}}};
    }
    PlayedGame played = question.played;
    const auto move = played.game.read_move(answer.move);
    if (!move) return {{"fault", json::object{{"detail", move.error().text}}}};
    played.game.play(*move);
    played.moves.push_back(answer.move);
    bool is_complete = true;
    return {{"move", answer.move},
            {"time_us", answer.used.count()},
            {"game", game_json(played, budget, is_complete)}};
}

}  // namespace arena::web
