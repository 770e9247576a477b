// Boards as a heap's text, "ooo_oxo": rows of o (free) and x (taken), all of one length.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "protocol/heap.hpp"

namespace engine {

// A row and the '_' after it make a line of `width`, so that the neighbours of a cell are 1 and
// `width` away.
struct Board {
    std::string cells;
    std::size_t width = 0;

    explicit Board(std::string text) : cells(std::move(text)) {
        width = std::min(cells.find('_'), cells.size()) + 1;
    }
    bool is_free(std::size_t cell) const { return cell < cells.size() && cells[cell] == 'o'; }
    std::size_t columns() const { return width - 1; }
    std::size_t rows() const { return (cells.size() + 1) / width; }
};

// nullopt: the heap is none.
inline std::optional<Board> as_board(const protocol::Heap& heap) {
    const auto* vertex = std::get_if<protocol::Vertex>(&heap);
    if (vertex == nullptr) return std::nullopt;
    const Board board(vertex->name);
    const auto& cells = board.cells;
    if (board.columns() == 0 || cells.size() % board.width != board.columns())
        return std::nullopt;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const bool is_end = i % board.width == board.columns();
        if (is_end ? cells[i] != '_' : cells[i] != 'o' && cells[i] != 'x') return std::nullopt;
    }
    return board;
}

// The least text among those of the board turned and mirrored.
inline std::string least_image(const Board& board) {
    const std::size_t rows = board.rows(), columns = board.columns();
    std::string least = board.cells, image;
    for (unsigned way = 1; way < 8; ++way) {
        const bool turned = (way & 4) != 0;
        const std::size_t high = turned ? columns : rows, wide = turned ? rows : columns;
        image.clear();
        for (std::size_t r = 0; r < high; ++r) {
            if (r > 0) image += '_';
            for (std::size_t c = 0; c < wide; ++c) {
                std::size_t row = turned ? c : r, column = turned ? r : c;
                if ((way & 1) != 0) row = rows - 1 - row;
                if ((way & 2) != 0) column = columns - 1 - column;
                image += board.cells[row * board.width + column];
            }
        }
        if (image < least) least.swap(image);
    }
    return least;
}

// The regions that are left once a domino of Cram lies on two free neighbours; the board "x" if
// none has a move.
std::vector<protocol::Heap> after_domino(Board board, std::size_t cell, std::size_t next);

}  // namespace engine
