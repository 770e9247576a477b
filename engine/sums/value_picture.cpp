// Values first, then the drawing. All three drawings put marks at places: a cell of a table, a
// point over a size, a vertex on a circle. Colours are attributes and not styles, because the
// arena's pages allow no inline styles; text is in the colour of the page around it, so that
// one file fits a light page and a dark one. P-positions have a colour of their own. The others
// run through one scale of growing darkness, which colour-blind readers can tell apart too.
#include "engine/sums/value_picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>

#include <fmt/format.h>

#include "engine/heaps/heap_solver.hpp"
#include "engine/misere/tables.hpp"
#include "engine/rules/graph.hpp"
#include "protocol/markup.hpp"
#include "protocol/text.hpp"

namespace engine {

using protocol::escaped;

namespace {

constexpr Number kMostHeaps = 10'000;
constexpr std::size_t kMostVertices = 200;
constexpr std::size_t kMostEdges = 4'000;
constexpr std::size_t kMostWithText = 2'500;  // cells; more are small and without text
constexpr Number kLawHeaps = 20'000;          // examined for a period
constexpr std::chrono::milliseconds kLawTime{200};
constexpr Number kUsualColumns = 20;
constexpr Number kMostColumns = 1000;

bool is_misere_kind(ValueKind kind) {
    return kind == ValueKind::Misere || kind == ValueKind::Genera;
}

// ---- values ----

class Valuer {
  public:
    Valuer(const NamedRuleset& ruleset, ValueKind kind, const Budget& budget)
        : ruleset_(ruleset),
          kind_(kind),
          budget_(budget),
          solver_(find_solver(ruleset.text, ruleset.rules)),
          analyst_(make_analyst()) {}

    const HeapSolver& solver() const { return *solver_; }

    PicturedHeap value_of(Heap heap) {
        PicturedHeap told{.heap = std::move(heap)};
        if (!ruleset_.rules->check_heap(told.heap)) return told;
        told.value = "?";
        const auto game = game_of(told.heap);
        if (!game) return told;
        told.outcome = analyst_->outcome(*game, budget_);
        if (kind_ == ValueKind::Nimbers) {
            add_nimber(told);
        } else if (kind_ == ValueKind::Genera) {
            add_genus(told);
        } else if (told.outcome != Outcome::Unknown) {
            told.value = to_string(told.outcome);
            if (told.outcome != Outcome::D) told.level = told.outcome == Outcome::N ? 1 : 0;
        }
        return told;
    }

    void add_moves(PicturedHeap& told) const {
        if (told.outcome != Outcome::N && told.outcome != Outcome::D) return;
        const auto game = game_of(told.heap);
        if (!game) return;
        const auto best = analyst_->best_moves(*game, PicturedHeap::kMostWinning, budget_);
        if (!best) return;
        told.has_more_moves = best->cut;
        for (const Move& move : best->moves) {
            const std::string text = to_string(move);
            told.moves.push_back(text.substr(text.find('=') + 1));
        }
    }

  private:
    // To start a game may take long as well.
    std::optional<Game> game_of(const Heap& heap) const {
        if (budget_.is_spent()) return std::nullopt;
        protocol::Position position;
        position.components.push_back({ruleset_.text, {heap}});
        if (is_misere_kind(kind_)) position.convention = Convention::Misere;
        auto game = Game::start(std::move(position));
        if (!game || !game->check_limits()) return std::nullopt;
        return *std::move(game);
    }

    void add_nimber(PicturedHeap& told) const {
        const auto nimber = solver_->nimber(told.heap, budget_);
        if (!nimber) return;
        told.value = to_string(*nimber);
        if (const auto* number = std::get_if<std::uint64_t>(&*nimber)) told.level = *number;
    }

    void add_genus(PicturedHeap& told) {
        const auto genus = genus_of(told.heap);
        if (!genus) return;
        told.value = to_string(*genus);
        told.level = genus->normal;
    }

    std::optional<misere::Genus> genus_of(const Heap& heap) {
        if (solver_->is_tame()) {
            const auto nimber = solver_->nimber(heap, budget_);
            const auto* size = nimber ? std::get_if<std::uint64_t>(&*nimber) : nullptr;
            if (size == nullptr) return std::nullopt;
            return misere::genus_of_nim_heap(*size);
        }
        misere::HeapGraph& graph = tables_->graph();
        const std::size_t number = graph.ruleset_index(ruleset_.text.text, ruleset_.rules);
        const auto added = graph.add(number, heap, budget_);
        const auto form = added ? tables_->form(*added, budget_) : std::nullopt;
        return form ? tables_->genus(*form, budget_) : std::nullopt;
    }

    const NamedRuleset& ruleset_;
    ValueKind kind_;
    Budget budget_;
    std::shared_ptr<const HeapSolver> solver_;
    std::unique_ptr<Analyst> analyst_;
    misere::BorrowedTables tables_;
};

std::vector<Heap> heaps_of(const NamedRuleset& ruleset, const std::optional<HeapRange>& range) {
    std::vector<Heap> heaps;
    if (!range) {
        const Digraph& graph = shape_as<shape::Digraph>(*ruleset.rules)->graph;
        for (Digraph::Index i = 0; i < graph.vertex_count(); ++i) {
            heaps.emplace_back(Vertex{std::string(graph.name(i))});
        }
    } else if (range->sizes.empty()) {
        for (Number size = range->from; size <= range->to; ++size) heaps.emplace_back(size);
    } else {
        std::vector<Number> entries(range->sizes.size(), 0);
        while (entries[0] < range->sizes[0]) {
            heaps.push_back(range->heap(entries));
            std::size_t last = entries.size() - 1;
            while (++entries[last] == range->sizes[last] && last > 0) entries[last--] = 0;
        }
    }
    return heaps;
}

// ---- drawing ----

struct Colour {
    double red, green, blue;
};
constexpr Colour kPrevious{0xf4, 0x7b, 0x4a};  // of P-positions
constexpr Colour kOther{0xbb, 0xbf, 0xc5};     // of draws, and of values that are no number
// YlGnBu of Cynthia Brewer's ColorBrewer.
constexpr std::array kScale{Colour{0xff, 0xff, 0xd9}, Colour{0xc7, 0xe9, 0xb4},
                            Colour{0x41, 0xb6, 0xc4}, Colour{0x22, 0x5e, 0xa8},
                            Colour{0x08, 0x1d, 0x58}};

std::string in_hex(const Colour& colour) {
    return fmt::format("#{:02x}{:02x}{:02x}", std::lround(colour.red),
                       std::lround(colour.green), std::lround(colour.blue));
}

// Black or white, whichever has more contrast (relative luminance, WCAG 2).
std::string_view text_on(const Colour& colour) {
    const auto linear = [](double part) { return std::pow(part / 255, 2.2); };
    const double luminance = 0.2126 * linear(colour.red) + 0.7152 * linear(colour.green) +
                             0.0722 * linear(colour.blue);
    return luminance > 0.179 ? "#000" : "#fff";
}

// 1, 2 or 5 times a power of ten: the step of at most about `labels` labels.
Number step_for(Number range, Number labels = 8) {
    Number power = 1;
    for (;;) {
        for (const Number step : {1, 2, 5}) {
            if (range / (step * power) <= labels) return step * power;
        }
        power *= 10;
    }
}

std::string words_of(const PicturedHeap& told) {
    std::string words = fmt::format("{}: {}", to_string(told.heap), told.value);
    if (told.outcome == Outcome::P) return words + "; the previous player wins";
    if (told.moves.empty()) return words;
    return fmt::format("{}; {} {}{}", words,
                       told.outcome == Outcome::D ? "hold the draw by" : "win by leaving",
                       fmt::join(told.moves, " or "), told.has_more_moves ? " or …" : "");
}

class Drawing {
  public:
    explicit Drawing(const std::vector<PicturedHeap>& heaps) : heaps_(heaps) {
        for (const PicturedHeap& told : heaps) {
            highest_ = std::max(highest_, told.level.value_or(0));
            longest_ = std::max(longest_, told.value.size());
        }
    }

    // Cells from left to right in rows of `columns`; the first `skipped` are left out. Columns
    // are labelled from `first` on.
    void draw_cells(Number columns, Number skipped, Number first,
                    const std::function<std::string(Number)>& label_of_row) {
        const bool has_text = heaps_.size() <= kMostWithText;
        columns = std::min<Number>(columns, heaps_.size() + skipped);
        const Number rows = (heaps_.size() + skipped + columns - 1) / columns;
        const double width = has_text ? std::max(28.0, text_width()) : 9;
        const double height = has_text ? 24 : 9;
        const auto digits = label_of_row(rows - 1).size();
        const double left = 8.0 * static_cast<double>(digits) + 10, top = 20;
        const auto x_of = [&](double column) { return left + column * width; };
        const auto y_of = [&](double row) { return top + row * height; };
        const Number step = has_text ? 1 : 5;  // of labels
        for (Number column = 0; column < columns; column += step) {
            label(x_of(static_cast<double>(column) + 0.5), top - 6, "middle",
                  std::to_string(first + column));
        }
        for (Number row = 0; row < rows; row += step) {
            label(left - 6, y_of(static_cast<double>(row) + 0.5) + 4, "end", label_of_row(row));
        }
        for (Number place = skipped; place < heaps_.size() + skipped; ++place) {
            const PicturedHeap& told = heaps_[place - skipped];
            if (told.value.empty()) continue;
            cell(told, x_of(static_cast<double>(place % columns)),
                 y_of(static_cast<double>(place / columns)), width, height, has_text);
        }
        width_ = x_of(static_cast<double>(columns)) + 1;
        height_ = y_of(static_cast<double>(rows)) + 1;
    }

    // Values that are no number lie above all others.
    void draw_plot(Number from) {
        constexpr double kTop = 20, kAcross = 880, kUp = 380;
        const double level_width = width_of_number(highest_);
        const double size_width = width_of_number(from + heaps_.size() - 1);
        const double left = std::max({60.0, level_width + 20, size_width / 2});
        const auto sizes = static_cast<Number>(kAcross / (size_width + 8)) - 1;  // that fit
        const auto last = static_cast<double>(std::max<std::size_t>(heaps_.size() - 1, 1));
        const auto x_of = [&](std::size_t i) {
            return left + kAcross * static_cast<double>(i) / last;
        };
        const auto y_of = [&](Number level) {
            return kTop + kUp -
                   kUp * static_cast<double>(level) / static_cast<double>(highest_ + 1);
        };
        for (Number level = 0; level <= highest_; level += step_for(highest_)) {
            line(left - 6, y_of(level), left + kAcross, y_of(level));
            label(left - 10, y_of(level) + 4, "end", std::to_string(level));
        }
        const Number step = step_for(heaps_.size(), std::min<Number>(sizes, 8));
        for (Number i = 0; i < heaps_.size(); i += step) {
            line(x_of(i), kTop + kUp, x_of(i), kTop + kUp + 8);
            label(x_of(i), kTop + kUp + 24, "middle", std::to_string(from + i));
        }
        for (std::size_t i = 0; i < heaps_.size(); ++i) {
            const PicturedHeap& told = heaps_[i];
            if (told.value.empty()) continue;
            begin(told);
            add("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\" stroke=\"#555\" "
                "stroke-width=\".5\"/></g>\n",
                x_of(i), y_of(told.level.value_or(highest_ + 1)), heaps_.size() > 500 ? 2 : 4,
                in_hex(colour_of(told)));
        }
        width_ = left + kAcross + std::max(20.0, size_width / 2);
        height_ = kTop + kUp + 34;
    }

    void draw_graph(const Digraph& graph) {
        const double width = std::max(34.0, text_width());
        const auto count = static_cast<double>(heaps_.size());
        Circle circle{std::max(110.0, count * (width + 12) / (2 * std::numbers::pi)), 0, count};
        circle.middle = circle.radius + width / 2 + 120;  // with the longest names
        draw_edges(graph, circle, width);
        for (Digraph::Index v = 0; v < graph.vertex_count(); ++v) {
            const auto [x, y] = circle.place(v);
            cell(heaps_[v], x - width / 2, y - 13, width, 26, true);
            // Beside it, at the top and the bottom above and below it.
            const double aside = (x - circle.middle) / circle.radius;
            const bool is_beside = std::abs(aside) > 0.4;
            label(is_beside ? x + std::copysign(width / 2 + 4, aside) : x,
                  is_beside ? y + 4 : y + (y < circle.middle ? -18 : 26),
                  !is_beside  ? "middle"
                  : aside > 0 ? "start"
                              : "end",
                  escaped(protocol::printable(graph.name(v), 12)));
        }
        width_ = height_ = 2 * circle.middle;
    }

    // The whole file. `attributes`: further ones of the root.
    std::string text(const std::string& attributes) const {
        return fmt::format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
            "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"system-ui, sans-serif\" "
            "font-size=\"12\" fill=\"currentColor\" {2}>\n{3}</svg>\n",
            width_, height_, attributes, body_);
    }

  private:
    template <typename... Values>
    void add(fmt::format_string<Values...> format, Values&&... values) {
        fmt::format_to(std::back_inserter(body_), format, std::forward<Values>(values)...);
    }
    void label(double x, double y, std::string_view anchor, std::string_view text) {
        add("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
            text);
    }
    void line(double x1, double y1, double x2, double y2) {
        add("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" "
            "stroke=\"currentColor\" stroke-opacity=\".3\"/>\n",
            x1, y1, x2, y2);
    }
    static double width_of_number(Number number) {
        return 8 * static_cast<double>(std::to_string(number).size());
    }
    // Of a cell; longer texts are cut.
    double text_width() const {
        return 8 * static_cast<double>(std::min<std::size_t>(longest_, 12)) + 12;
    }

    Colour colour_of(const PicturedHeap& told) const {
        if (told.outcome == Outcome::P) return kPrevious;
        if (!told.level) return kOther;
        constexpr double kLast = kScale.size() - 1;
        const double part = highest_ < 2
                                ? 0.25
                                : static_cast<double>(std::max<Number>(*told.level, 1) - 1) /
                                      static_cast<double>(highest_ - 1);
        const auto below = static_cast<std::size_t>(std::min(part * kLast, kLast - 1));
        const double rest = part * kLast - static_cast<double>(below);
        const Colour &low = kScale.at(below), &high = kScale.at(below + 1);
        return {std::lerp(low.red, high.red, rest), std::lerp(low.green, high.green, rest),
                std::lerp(low.blue, high.blue, rest)};
    }

    // The element of a heap, open; the caller adds its shape and "</g>".
    void begin(const PicturedHeap& told) {
        add("<g class=\"heap\" data-heap=\"{}\" data-value=\"{}\" data-moves=\"{}\">"
            "<title>{}</title>",
            escaped(to_string(told.heap)), escaped(told.value), escaped(told.moves_text()),
            escaped(words_of(told)));
    }

    void cell(const PicturedHeap& told, double x, double y, double width, double height,
              bool has_text) {
        const Colour colour = colour_of(told);
        begin(told);
        add("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>",
            x, y, width - 1, height - 1, in_hex(colour));
        if (has_text) {
            const std::size_t most = static_cast<std::size_t>(width / 7);
            add("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\" fill=\"{}\">{}</text>",
                x + width / 2, y + height / 2 + 4, text_on(colour),
                escaped(protocol::printable(told.value, most)));
        }
        add("</g>\n");
    }

    // Where vertices stand.
    struct Circle {
        double radius, middle, count;

        std::pair<double, double> place(Digraph::Index vertex) const {
            const double turn = 2 * std::numbers::pi * vertex / count - std::numbers::pi / 2;
            return {middle + radius * std::cos(turn), middle + radius * std::sin(turn)};
        }
    };

    // Curves with an arrow near the end; the way back lies beside the way there. An edge from a
    // vertex to itself is a circle.
    void draw_edges(const Digraph& graph, const Circle& circle, double width) {
        add("<marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"{:.0f}\" refY=\"4\" "
            "markerWidth=\"8\" "
            "markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker>\n"
            "<g fill=\"none\" stroke=\"currentColor\" stroke-opacity=\".55\">\n",
            width / 2 + 8);
        for (Digraph::Index from = 0; from < graph.vertex_count(); ++from) {
            const auto [x, y] = circle.place(from);
            for (const Digraph::Index to : graph.targets(from)) {
                if (from == to) {
                    const double inner = 1 - width / 2 / circle.radius;
                    add("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\"/>\n",
                        std::lerp(circle.middle, x, inner), std::lerp(circle.middle, y, inner),
                        width / 2);
                    continue;
                }
                const auto [to_x, to_y] = circle.place(to);
                add("<path d=\"M{:.1f} {:.1f}Q{:.1f} {:.1f} {:.1f} {:.1f}\" "
                    "marker-end=\"url(#arrow)\"/>\n",
                    x, y, (x + to_x) / 2 - (to_y - y) / 10, (y + to_y) / 2 + (to_x - x) / 10,
                    to_x, to_y);
            }
        }
        add("</g>\n");
    }

    const std::vector<PicturedHeap>& heaps_;
    Number highest_ = 0;
    std::size_t longest_ = 1;  // text of a value
    double width_ = 0;
    double height_ = 0;
    std::string body_;
};

// ---- the picture ----

std::string title_of(const NamedRuleset& ruleset, std::optional<std::string_view> range,
                     const PictureWanted& wanted) {
    constexpr std::array<std::string_view, 4> kWords{"Nimbers", "Outcomes", "Misère outcomes",
                                                     "Misère genera"};
    return fmt::format(
        "{} of {}{}{}", kWords.at(static_cast<std::size_t>(wanted.kind)),
        protocol::printable(wanted.name.empty() ? ruleset.text.text : wanted.name, 60),
        range ? " " : "", range.value_or(""));
}

// 0: none is proven.
Number period_of(const HeapSolver& solver, const Budget& budget) {
    const auto proven = solver.law(kLawHeaps, budget.half().at_most(kLawTime));
    return proven && proven->law.saltus == 0 ? proven->law.period : 0;
}

// A multiple of the period, so that rows are alike.
Number columns_for(Number period) {
    if (period == 0 || period > kMostColumns) return kUsualColumns;
    return period >= kUsualColumns / 2 ? period : kUsualColumns / period * period;
}

Result<void> check_wanted(const NamedRuleset& ruleset, const std::optional<HeapRange>& range,
                          const PictureWanted& wanted) {
    const auto refuse = [](std::string text) {
        return Error{Fault::BadInput, std::move(text)};
    };
    const std::string read = "read " + protocol::quoted(ruleset.text.text);
    const bool is_strip = range && range->sizes.empty();
    if (wanted.kind == ValueKind::Genera && ruleset.rules->can_repeat()) {
        return refuse(read + ", expected a ruleset without loops, for genus symbols");
    }
    if (wanted.is_plot && !is_strip)
        return refuse(read + ", expected a ruleset whose heaps are numbers, for a plot");
    if (range) return {};
    const Digraph& graph = shape_as<shape::Digraph>(*ruleset.rules)->graph;
    if (graph.vertex_count() <= kMostVertices && graph.edge_count() <= kMostEdges) return {};
    return refuse(
        fmt::format("read a graph of {} vertices and {} edges, expected at most {} and "
                    "{} for a picture",
                    graph.vertex_count(), graph.edge_count(), kMostVertices, kMostEdges));
}

}  // namespace

std::string PicturedHeap::moves_text() const {
    return fmt::to_string(fmt::join(moves, "; ")) + (has_more_moves ? "; …" : "");
}

bool ValuePicture::is_complete() const {
    return std::ranges::none_of(heaps, [](const auto& told) {
        return told.value == "?" || (told.outcome == Outcome::N && told.moves.empty());
    });
}

Result<ValuePicture> draw_values(const NamedRuleset& ruleset,
                                 std::optional<std::string_view> range_text,
                                 const PictureWanted& wanted, const Budget& budget) {
    const auto read = read_range_of(ruleset, range_text, kMostHeaps);
    if (!read) return read.error();
    const std::optional<HeapRange>& range = *read;
    const auto allowed = check_wanted(ruleset, range, wanted);
    if (!allowed) return allowed.error();

    ValuePicture picture;
    picture.title = title_of(ruleset, range_text, wanted);
    Valuer valuer(ruleset, wanted.kind, budget);
    if (range && range->sizes.empty()) {
        picture.period = period_of(valuer.solver(), budget);
        if (!wanted.is_plot) {
            picture.columns = wanted.columns > 0 ? wanted.columns : columns_for(picture.period);
        }
    }
    for (Heap& heap : heaps_of(ruleset, range)) {
        picture.heaps.push_back(valuer.value_of(std::move(heap)));
    }
    for (PicturedHeap& told : picture.heaps) valuer.add_moves(told);
    Drawing drawing(picture.heaps);
    if (!range) {
        drawing.draw_graph(shape_as<shape::Digraph>(*ruleset.rules)->graph);
    } else if (!range->sizes.empty()) {
        const auto& sizes = range->sizes;
        drawing.draw_cells(sizes.back(), 0, range->first(), [&](Number row) {
            if (sizes.size() == 2) return std::to_string(row + range->first());
            return fmt::format("{},{}", row / sizes[1], row % sizes[1]);
        });
    } else if (wanted.is_plot) {
        drawing.draw_plot(range->from);
    } else {
        const Number skipped = range->from % picture.columns;
        drawing.draw_cells(picture.columns, skipped, 0, [&](Number row) {
            return std::to_string(range->from - skipped + row * picture.columns);
        });
    }
    picture.svg = drawing.text(
        fmt::format("role=\"img\" aria-label=\"{}\" data-before=\"{}:\" data-after=\"{}\"",
                    escaped(picture.title), escaped(ruleset.text.text),
                    is_misere_kind(wanted.kind) ? " misere" : ""));
    return picture;
}

}  // namespace engine
