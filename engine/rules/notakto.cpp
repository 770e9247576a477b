// Notakto (Plambeck and Whitehead 2013): tic-tac-toe where both players write x. A board with
// three x in line has no move. A heap is a board of three rows of three.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "engine/rules/catalogue.hpp"
#include "engine/rules/ruleset.hpp"
#include "protocol/text.hpp"

namespace engine {

using protocol::Vertex;

namespace {

constexpr std::string_view kEmptyBoard = "ooo_ooo_ooo";

// Places in the text of a board.
constexpr std::array<std::array<std::size_t, 3>, 8> kLines{{{0, 1, 2},
                                                            {4, 5, 6},
                                                            {8, 9, 10},
                                                            {0, 4, 8},
                                                            {1, 5, 9},
                                                            {2, 6, 10},
                                                            {0, 5, 10},
                                                            {2, 5, 8}}};

const std::string& cells_of(const Heap& heap) { return std::get<Vertex>(heap).name; }

bool is_notakto_board(const std::string& text) {
    if (text.size() != kEmptyBoard.size()) return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool is_end = kEmptyBoard[i] == '_';
        if (is_end ? text[i] != '_' : text[i] != 'o' && text[i] != 'x') return false;
    }
    return true;
}

bool has_line(const std::string& cells) {
    return std::ranges::any_of(kLines, [&](const auto& line) {
        return std::ranges::all_of(line, [&](std::size_t at) { return cells[at] == 'x'; });
    });
}

// The least text among those of the board turned and mirrored.
std::string least_turned(const std::string& cells) {
    std::string least = cells;
    for (unsigned way = 1; way < 8; ++way) {
        std::string image(kEmptyBoard);
        for (std::size_t r = 0; r < 3; ++r) {
            for (std::size_t c = 0; c < 3; ++c) {
                std::size_t row = (way & 4) != 0 ? c : r, column = (way & 4) != 0 ? r : c;
                if ((way & 1) != 0) row = 2 - row;
                if ((way & 2) != 0) column = 2 - column;
                image[4 * r + c] = cells[4 * row + column];
            }
        }
        least = std::min(least, image);
    }
    return least;
}

class Notakto : public Listed {
  public:
    Result<void> check_heap(const Heap& heap) const override {
        const auto* board = std::get_if<Vertex>(&heap);
        if (board != nullptr && is_notakto_board(board->name)) return {};
        return protocol::Error{
            protocol::Fault::BadInput,
            "read " + protocol::quoted(to_string(heap)) +
                ", expected a board such as oxo_ooo_ooo: three rows of three "
                "cells, o (free) or x (taken)"};
    }

    bool has_move(const Heap& heap) const override {
        const std::string& cells = cells_of(heap);
        return !has_line(cells) && cells.find('o') != cells.npos;
    }

    // Turned and mirrored boards are one; a board with a line is nothing.
    std::optional<std::vector<Heap>> reduced(const Heap& heap, Convention) const override {
        if (!has_move(heap)) return std::vector<Heap>();
        return std::vector<Heap>{Vertex{least_turned(cells_of(heap))}};
    }

  protected:
    void list(const Heap& heap, const AddResult& add) const override {
        if (!has_move(heap)) return;
        const std::string& cells = cells_of(heap);
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if (cells[i] != 'o') continue;
            std::string left = cells;
            left[i] = 'x';
            if (!add({Vertex{std::move(left)}})) return;
        }
    }
};

}  // namespace

FoundRuleset make_notakto(protocol::Scanner&) {
    return FoundRuleset(std::make_shared<Notakto>());
}

}  // namespace engine
