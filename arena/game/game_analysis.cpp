#include "arena/game/game_analysis.hpp"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "protocol/text.hpp"

namespace arena {
namespace {

using engine::Game;
using engine::Outcome;
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

std::optional<GameAnalysis> parse_game_analysis(std::string_view text) {
    const auto words = protocol::split_words(text);
    const bool is_printable =
        std::ranges::all_of(text, [](char c) { return c >= ' ' && c < 127; });
    if (!is_printable || words.size() < 3 || words[0] != kVersion) return std::nullopt;
    GameAnalysis analysis;
    for (const char letter : words[1] == "-" ? "" : words[1]) {
        const auto row = std::ranges::find(kLetters, letter, &Letter::letter);
        if (row == kLetters.end()) return std::nullopt;
        analysis.plies.push_back({row->before, row->decision, row->mistake, {}});
    }
    const auto end =
        std::ranges::find(kEnds, words[2].front(), &std::pair<char, Outcome>::first);
    if (end == kEnds.end()) return std::nullopt;
    analysis.end = end->second;
    for (const std::string_view word : std::span(words).subspan(3)) {
        const auto colon = std::min(word.find(':'), word.size() - 1);
        const auto ply = protocol::parse_number(word.substr(0, colon));
        if (!ply || *ply == 0 || *ply > analysis.plies.size()) return std::nullopt;
        PlyAnalysis& mistake = analysis.plies[*ply - 1];
        if (mistake.mistake != Finding::Yes) return std::nullopt;
        mistake.better = word.substr(colon + 1);
    }
    if (to_string(analysis) != text) return std::nullopt;
    return analysis;
}

}  // namespace arena
