// Cram: a domino is laid on two free neighbours of a board; what is left falls into regions.
#include <array>
#include <string>

#include "engine/rules/catalogue.hpp"
#include "engine/rules/ruleset.hpp"
#include "protocol/text.hpp"

namespace engine {

using protocol::Vertex;

namespace {

constexpr std::size_t kMaxCells = 1024;

// A board as its text: "ooo_oxo". A row and the '_' after it make a line of `width`, so that
// the neighbours of a cell are 1 and `width` away.
struct Board {
    std::string cells;
    std::size_t width = 0;

    explicit Board(std::string text) : cells(std::move(text)) {
        width = std::min(cells.find('_'), cells.size()) + 1;
    }
    bool is_free(std::size_t cell) const { return cell < cells.size() && cells[cell] == 'o'; }
    bool are_free(std::size_t cell, std::size_t next) const {
        return is_free(cell) && is_free(next);
    }
    std::size_t columns() const { return width - 1; }
    std::size_t rows() const { return (cells.size() + 1) / width; }
};

const std::string& text_of(const Heap& heap) { return std::get<Vertex>(heap).name; }

bool is_board(const std::string& text) {
    const Board board(text);
    if (text.empty() || text.size() % board.width != board.columns()) return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool is_end = i % board.width == board.columns();
        if (is_end ? text[i] != '_' : text[i] != 'o' && text[i] != 'x') return false;
    }
    return board.columns() > 0 && board.rows() * board.columns() <= kMaxCells;
}

// The region of free cells connected to `first`; they are marked as seen.
std::vector<std::size_t> take_region(Board& board, std::size_t first) {
    std::vector<std::size_t> region{first};
    board.cells[first] = '.';
    for (std::size_t i = 0; i < region.size(); ++i) {
        const std::size_t cell = region[i];
        for (const std::size_t next :
             {cell - 1, cell + 1, cell - board.width, cell + board.width}) {
            if (!board.is_free(next)) continue;
            board.cells[next] = '.';
            region.push_back(next);
        }
    }
    return region;
}

// Cut to its rectangle.
std::string cut_out(const std::vector<std::size_t>& region, std::size_t width) {
    std::size_t left = width, right = 0, top = SIZE_MAX, bottom = 0;
    for (const std::size_t cell : region) {
        left = std::min(left, cell % width);
        right = std::max(right, cell % width);
        top = std::min(top, cell / width);
        bottom = std::max(bottom, cell / width);
    }
    const std::size_t line = right - left + 2;
    std::string text((bottom - top + 1) * line - 1, 'x');
    for (std::size_t end = line - 1; end < text.size(); end += line) text[end] = '_';
    for (const std::size_t cell : region) {
        text[(cell / width - top) * line + cell % width - left] = 'o';
    }
    return text;
}

// The regions with a move, in the order of their first cells.
std::vector<std::string> regions_of(Board board) {
    std::vector<std::string> regions;
    for (std::size_t cell = 0; cell < board.cells.size(); ++cell) {
        if (!board.is_free(cell)) continue;
        const auto region = take_region(board, cell);
        if (region.size() > 1) regions.push_back(cut_out(region, board.width));
    }
    return regions;
}

// Whether the free cells of a region form a path, whatever its bends.
bool is_path(const Board& region) {
    std::size_t cells = 0, pairs = 0;
    for (std::size_t cell = 0; cell < region.cells.size(); ++cell) {
        if (!region.is_free(cell)) continue;
        std::size_t neighbours = 0;
        for (const std::size_t next :
             {cell - 1, cell + 1, cell - region.width, cell + region.width}) {
            if (region.is_free(next)) ++neighbours;
        }
        if (neighbours > 2) return false;
        ++cells;
        pairs += neighbours;
    }
    return pairs == 2 * (cells - 1);
}

// The least text among those of the board turned and mirrored.
std::string least_image(const Board& board) {
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

class Cram : public Listed {
  public:
    Result<void> check_heap(const Heap& heap) const override {
        const auto* board = std::get_if<Vertex>(&heap);
        if (board != nullptr && is_board(board->name)) return {};
        return protocol::Error{
            protocol::Fault::BadInput,
            "read " + protocol::quoted(to_string(heap)) +
                ", expected a board such as ooo_oxo: rows of o (free) and x (taken), all of "
                "one length, of " +
                std::to_string(kMaxCells) + " cells at most"};
    }

    // A path of n cells is a row of n, whatever its bends; else turned and mirrored boards are
    // one.
    std::optional<std::vector<Heap>> reduced(const Heap& heap, Convention) const override {
        std::vector<Heap> parts;
        for (const std::string& region : regions_of(Board(text_of(heap)))) {
            const Board board(region);
            const auto free = static_cast<std::size_t>(std::ranges::count(region, 'o'));
            parts.emplace_back(
                Vertex{is_path(board) ? std::string(free, 'o') : least_image(board)});
        }
        return parts;
    }

    // All moves are listed and compared.
    Count work(const Heap& heap) const override {
        const Count cells = text_of(heap).size();
        return 16 * cells * cells;
    }

  protected:
    void list(const Heap& heap, const AddResult& add) const override {
        const Board board(text_of(heap));
        for (std::size_t cell = 0; cell < board.cells.size(); ++cell) {
            for (const std::size_t next : {cell + 1, cell + board.width}) {
                if (!board.are_free(cell, next)) continue;
                Board left = board;
                left.cells[cell] = left.cells[next] = 'x';
                std::vector<Heap> result;
                for (std::string& region : regions_of(std::move(left))) {
                    result.emplace_back(Vertex{std::move(region)});
                }
                if (result.empty()) result.emplace_back(Vertex{"x"});
                if (!add(std::move(result))) return;
            }
        }
    }
};

}  // namespace

FoundRuleset make_cram(protocol::Scanner&) { return FoundRuleset(std::make_shared<Cram>()); }

}  // namespace engine
