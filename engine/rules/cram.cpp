// Cram: a domino is laid on two free neighbours of a board; what is left falls into regions.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/rules/board.hpp"
#include "engine/rules/catalogue.hpp"
#include "engine/rules/ruleset.hpp"

namespace engine {
namespace {

constexpr std::size_t kMaxCells = 1024;

const std::string& text_of(const Heap& heap) { return std::get<Vertex>(heap).name; }

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

// Whether the second player wins the region by mirroring: half a turn maps it to itself, and no
// domino in it overlaps its own image. He answers each domino with its image, which is free
// since all was symmetric before the domino. So the nimber is 0 (Gardner, Scientific American
// 230(2), 1974, of whole boards). A domino overlaps its image if it has the middle cell of a
// rectangle of odd sides, or both middle cells where one side is odd. Half a turn reverses the
// text of a board.
bool is_won_by_mirroring(const Board& region) {
    const std::string& cells = region.cells;
    if (!std::equal(cells.begin(), cells.end(), cells.rbegin())) return false;
    // Whether the two cells that are `step` apart, around the middle, are free.
    const auto has_middle = [&](std::size_t step) {
        const std::size_t last = cells.size() - 1;
        return last >= step && (last - step) % 2 == 0 && region.is_free((last - step) / 2);
    };
    return !has_middle(0) && !has_middle(1) && !has_middle(region.width);
}

// Leaves one of what occurs an odd number of times, and none of the rest.
void cancel_pairs(std::vector<Heap>& parts) {
    std::ranges::sort(parts);
    std::size_t kept = 0;
    for (Heap& part : parts) {
        if (kept > 0 && parts[kept - 1] == part) {
            --kept;
        } else {
            std::swap(parts[kept++], part);
        }
    }
    parts.resize(kept);
}

class Cram : public Listed {
  public:
    Result<void> check_heap(const Heap& heap) const override {
        const auto board = as_board(heap);
        if (board && board->rows() * board->columns() <= kMaxCells) return {};
        return refuse_heap(
            heap,
            "a board such as ooo_oxo: rows of o (free) and x (taken), all of one length, of " +
                std::to_string(kMaxCells) + " cells at most");
    }

    // A path of n cells is a row of n, whatever its bends; else turned and mirrored boards are
    // one. Under normal play regions of nimber 0 by symmetry, and two equal ones, go.
    std::optional<std::vector<Heap>> reduced(const Heap& heap,
                                             Convention convention) const override {
        const bool is_normal = convention == Convention::Normal;
        std::vector<Heap> parts;
        for (const std::string& region : regions_of(Board(text_of(heap)))) {
            const Board board(region);
            if (is_normal && is_won_by_mirroring(board)) continue;
            const auto free = static_cast<std::size_t>(std::ranges::count(region, 'o'));
            parts.emplace_back(
                Vertex{is_path(board) ? std::string(free, 'o') : least_image(board)});
        }
        if (is_normal) cancel_pairs(parts);
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
                if (!board.is_free(cell) || !board.is_free(next)) continue;
                if (!add(after_domino(board, cell, next))) return;
            }
        }
    }
};

}  // namespace

std::vector<Heap> after_domino(Board board, std::size_t cell, std::size_t next) {
    board.cells[cell] = board.cells[next] = 'x';
    std::vector<Heap> result;
    for (std::string& region : regions_of(std::move(board))) {
        result.emplace_back(Vertex{std::move(region)});
    }
    if (result.empty()) result.emplace_back(Vertex{"x"});
    return result;
}

FoundRuleset make_cram(protocol::Scanner&) { return FoundRuleset(std::make_shared<Cram>()); }

}  // namespace engine
