// Notakto (Plambeck and Whitehead 2013): tic-tac-toe where both players write x. A board with
// three x in line has no move. A heap is a board of three rows of three.
#include <algorithm>
#include <array>
#include <string>

#include "engine/rules/board.hpp"
#include "engine/rules/catalogue.hpp"
#include "engine/rules/ruleset.hpp"

namespace engine {
namespace {

constexpr std::size_t kSide = 3;

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

bool has_line(const std::string& cells) {
    return std::ranges::any_of(kLines, [&](const auto& line) {
        return std::ranges::all_of(line, [&](std::size_t at) { return cells[at] == 'x'; });
    });
}

class Notakto : public Listed {
  public:
    Result<void> check_heap(const Heap& heap) const override {
        const auto board = as_board(heap);
        if (board && board->rows() == kSide && board->columns() == kSide) return {};
        return refuse_heap(
            heap,
            "a board such as oxo_ooo_ooo: three rows of three cells, o (free) or x (taken)");
    }

    bool has_move(const Heap& heap) const override {
        const std::string& cells = cells_of(heap);
        return !has_line(cells) && cells.find('o') != cells.npos;
    }

    // Turned and mirrored boards are one; a board with a line is nothing.
    std::optional<std::vector<Heap>> reduced(const Heap& heap, Convention) const override {
        if (!has_move(heap)) return std::vector<Heap>();
        return std::vector<Heap>{Vertex{least_image(Board(cells_of(heap)))}};
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
