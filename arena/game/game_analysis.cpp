#include "arena/game/game_analysis.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "arena/base/bad_input.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

using engine::Game;
using engine::Outcome;
using protocol::Error;
using protocol::Result;

// ---- the analysis ----

// Judges the move made by the values of all moves of the position.
void judge_by_all(PlyAnalysis& ply, const Game& before, const engine::Move& move,
                  const engine::Analyst& analyst, const engine::Budget& budget) {
    const auto keeping = keeping_moves(before, analyst, budget);
    if (keeping) {
        const bool kept = std::ranges::find(*keeping, move) != keeping->end();
        ply.decision = keeping->size() < before.move_count() ? Finding::Yes : Finding::No;
        ply.mistake = kept ? Finding::No : Finding::Yes;
        if (!kept) ply.better = to_string(keeping->front());
    } else if (ply.mistake == Finding::Yes) {
        const auto best = analyst.best_moves(before, 1, budget);
        if (best && !best->moves.empty()) ply.better = to_string(best->moves.front());
    }
}

void judge(PlyAnalysis& ply, const Game& before, const engine::Move& move, Outcome after,
           const engine::Analyst& analyst, const engine::Budget& budget) {
    const bool value_known = ply.before != Outcome::Unknown;
    // A mover that leaves a lost position has kept a win, even if the value before was unknown.
    if (!value_known && after == Outcome::P) ply.before = Outcome::N;
    ply.mistake = is_mistake(ply.before, after);
    if (ply.before == Outcome::P) {
        ply.decision = Finding::No;
    } else if (before.move_count() == 1) {
        if (ply.mistake == Finding::No) ply.decision = Finding::No;
    } else if (value_known) {
        judge_by_all(ply, before, move, analyst, budget);
    }
}

// After the moves before the move `ply` (from 1).
Result<Game> game_before(const GameRecord& record, std::size_t ply) {
    auto game = Game::start(*record.task.position);
    for (std::size_t i = 0; game && i + 1 < ply; ++i) {
        // A move of the record, which is legal there.
        const auto move = protocol::parse_move(record.moves[i], game->position());
        if (move) game->play(*move);
    }
    return game;
}

// Empty: none is known within the budget.
std::string winning_move(const Result<Game>& game, const engine::Analyst& analyst,
                         const engine::Budget& budget) {
    if (!game) return {};
    const auto best = analyst.best_moves(*game, 1, budget);
    return best && !best->moves.empty() ? to_string(best->moves.front()) : "";
}

// ---- its text ----

constexpr std::string_view kVersion = "1";

struct Letter {
    char letter;
    Outcome before;
    Finding decision;
    Finding mistake;
};
constexpr std::array kLetters{
    Letter{'P', Outcome::P, Finding::No, Finding::No},
    Letter{'w', Outcome::N, Finding::Yes, Finding::No},
    Letter{'W', Outcome::N, Finding::No, Finding::No},
    Letter{'v', Outcome::N, Finding::Unknown, Finding::No},
    Letter{'x', Outcome::N, Finding::Yes, Finding::Yes},
    Letter{'u', Outcome::N, Finding::Unknown, Finding::Yes},
    Letter{'n', Outcome::N, Finding::Unknown, Finding::Unknown},
    Letter{'d', Outcome::D, Finding::Yes, Finding::No},
    Letter{'D', Outcome::D, Finding::No, Finding::No},
    Letter{'e', Outcome::D, Finding::Unknown, Finding::No},
    Letter{'y', Outcome::D, Finding::Yes, Finding::Yes},
    Letter{'z', Outcome::D, Finding::Unknown, Finding::Yes},
    Letter{'f', Outcome::D, Finding::Unknown, Finding::Unknown},
    Letter{'?', Outcome::Unknown, Finding::Unknown, Finding::Unknown},
};

char letter_of(const PlyAnalysis& ply) {
    for (const Letter& row : kLetters) {
        if (row.before == ply.before && row.decision == ply.decision &&
            row.mistake == ply.mistake) {
            return row.letter;
        }
    }
    return '?';
}

constexpr std::array kEnds{std::pair{'N', Outcome::N}, std::pair{'P', Outcome::P},
                           std::pair{'D', Outcome::D}, std::pair{'?', Outcome::Unknown}};

char letter_of(Outcome end) {
    return std::ranges::find(kEnds, end, &std::pair<char, Outcome>::second)->first;
}

Error unreadable(std::string_view read, std::string_view expected) {
    return bad_input("analysis: read {}, expected {}", protocol::quoted(read), expected);
}

Result<std::vector<PlyAnalysis>> parse_plies(std::string_view letters) {
    std::vector<PlyAnalysis> plies;
    if (letters == "-") return plies;
    if (letters.empty()) return unreadable(letters, "a letter a ply, or -");
    plies.reserve(letters.size());
    for (const char letter : letters) {
        const auto row = std::ranges::find(kLetters, letter, &Letter::letter);
        if (row == kLetters.end()) {
            return unreadable(std::string_view(&letter, 1), "one of PwWvxundDeyzf?");
        }
        plies.push_back({row->before, row->decision, row->mistake, {}});
    }
    return plies;
}

// "3:2=1" into plies[2].better.
Result<void> parse_better(std::string_view word, std::size_t& last,
                          std::vector<PlyAnalysis>& plies) {
    const auto colon = std::min(word.find(':'), word.size());
    std::size_t ply = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + colon, ply);
    const bool number =
        error == std::errc() && end == word.data() + colon && !word.starts_with('0');
    const std::string_view move = word.substr(std::min(colon + 1, word.size()));
    const bool printable = std::ranges::all_of(move, [](char c) { return c > ' ' && c < 127; });
    if (!number || move.empty() || !printable) return unreadable(word, "PLY:MOVE");
    if (ply <= last || ply > plies.size() || plies[ply - 1].mistake != Finding::Yes) {
        return unreadable(word, "the plies of mistakes, in ascending order");
    }
    plies[ply - 1].better = move;
    last = ply;
    return {};
}

// The text up to the next blank; exactly one blank separates words.
std::string_view cut_word(std::string_view& rest) {
    const auto end = std::min(rest.find(' '), rest.size());
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(end);
    return word;
}
bool cut_blank(std::string_view& rest) {
    if (!rest.starts_with(' ')) return false;
    rest.remove_prefix(1);
    return true;
}

}  // namespace

GameAnalysis analyse_game(const GameRecord& record, const engine::Analyst& analyst,
                          const engine::Budget& budget, Depth depth) {
    GameAnalysis analysis;
    analysis.plies.resize(record.moves.size());
    auto game = Game::start(*record.task.position);
    if (!game) return analysis;

    Outcome before = analyst.outcome(*game, budget);
    for (std::size_t i = 0; i < record.moves.size(); ++i) {
        if (budget.is_spent()) return analysis;  // the rest stays unknown
        const auto move = game->read_move(record.moves[i]);
        if (!move) return analysis;  // not written by this program: the rest stays unknown
        auto played = game->play(*move);
        const Outcome after =
            game->check_limits() ? analyst.outcome(*game, budget) : Outcome::Unknown;
        PlyAnalysis& ply = analysis.plies[i];
        ply.before = before;
        if (depth == Depth::Everything) {
            game->take_back(std::move(played));
            judge(ply, *game, *move, after, analyst, budget);
            game->play(*move);
        } else {
            ply.mistake = is_mistake(before, after);
        }
        before = after;
    }
    analysis.end = before;
    return analysis;
}

bool GameAnalysis::is_complete() const {
    return end != Outcome::Unknown && std::ranges::all_of(plies, [](const PlyAnalysis& ply) {
               return ply.before != Outcome::Unknown && ply.decision != Finding::Unknown &&
                      ply.mistake != Finding::Unknown;
           });
}

std::size_t first_throw(const GameRecord& record, const GameAnalysis& analysis,
                        std::size_t seat) {
    for (std::size_t i = seat; i < analysis.plies.size(); i += 2) {
        const PlyAnalysis& ply = analysis.plies[i];
        const bool is_throw = ply.before == Outcome::N && ply.mistake == Finding::Yes;
        if (is_throw && record.strike_at(i + 1) == nullptr) return i + 1;
    }
    return 0;
}

std::string throw_text(const GameRecord& record, const GameAnalysis& analysis, std::size_t ply,
                       const engine::Analyst& analyst, const engine::Budget& budget) {
    constexpr std::size_t kMaxShown = 200;
    const auto game = game_before(record, ply);
    std::string winning = analysis.plies[ply - 1].better;
    if (winning.empty()) winning = winning_move(game, analyst, budget);
    std::string text = fmt::format("move {}", ply);
    if (game) text += ", in " + protocol::printable(to_string(game->position()), kMaxShown);
    text += ": " + protocol::printable(record.moves[ply - 1], kMaxShown);
    if (winning.empty()) return text;
    return text + " loses, " + protocol::printable(winning, kMaxShown) + " wins";
}

GameAnalysis review_game(const GameRecord& record, const engine::Analyst& analyst,
                         const engine::Budget& budget) {
    GameAnalysis analysis = analyse_game(record, analyst, budget, Depth::Mistakes);
    for (PlyAnalysis& ply : analysis.plies) {
        if (ply.before == Outcome::P) ply.decision = Finding::No;  // its note has it so
    }
    for (std::size_t seat = 0; seat < 2; ++seat) {
        const std::size_t ply = first_throw(record, analysis, seat);
        if (ply == 0) continue;
        analysis.plies[ply - 1].better =
            winning_move(game_before(record, ply), analyst, budget);
    }
    return analysis;
}

std::string letters_of(const GameAnalysis& analysis) {
    std::string letters;
    for (const PlyAnalysis& ply : analysis.plies) letters += letter_of(ply);
    return letters;
}

std::string to_string(const GameAnalysis& analysis) {
    std::string text(kVersion);
    text += ' ';
    text += analysis.plies.empty() ? "-" : letters_of(analysis);
    text += ' ';
    text += letter_of(analysis.end);
    for (std::size_t i = 0; i < analysis.plies.size(); ++i) {
        if (analysis.plies[i].better.empty()) continue;
        text += ' ' + std::to_string(i + 1) + ':' + analysis.plies[i].better;
    }
    return text;
}

Result<GameAnalysis> parse_game_analysis(std::string_view text) {
    std::string_view rest = text;
    const std::string_view version = cut_word(rest);
    if (version != kVersion) return unreadable(version, fmt::format("version {}", kVersion));
    if (!cut_blank(rest)) return unreadable(text, "a letter a ply after the version");
    auto plies = parse_plies(cut_word(rest));
    if (!plies) return plies.error();
    if (!cut_blank(rest)) return unreadable(text, "the value at the end after the plies");
    const std::string_view end = cut_word(rest);
    const auto row = std::ranges::find_if(
        kEnds, [&](const auto& pair) { return end == std::string_view(&pair.first, 1); });
    if (row == kEnds.end()) return unreadable(end, "N, P, D or ?");

    std::size_t last = 0;
    while (!rest.empty()) {
        cut_blank(rest);
        const auto done = parse_better(cut_word(rest), last, *plies);
        if (!done) return done.error();
    }
    return GameAnalysis{*std::move(plies), row->second};
}

}  // namespace arena
