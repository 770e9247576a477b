#include "arena/check/certify.hpp"

#include <string_view>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "arena/base/counted.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

namespace json = boost::json;

constexpr std::size_t kFaultLines = 5;
constexpr std::size_t kFaultBytes = 200;
constexpr std::size_t kShownMove = 60;
constexpr std::size_t kMostListed = 20;  // mistakes, in JSON
constexpr std::size_t kMostUnknown = 3;  // unknown positions

std::string shown_positions(std::uint64_t count) { return counted_grouped(count, "position"); }

template <typename... Values>
void add_line(std::string& text, fmt::format_string<Values...> format, Values&&... values) {
    text += fmt::format(format, std::forward<Values>(values)...) + '\n';
}

// Why not all positions were asked as often as they should; empty: all were.
std::string stopped_text(const CertifyReport& report) {
    if (report.end.gave_up) {
        const auto restarts = static_cast<std::uint64_t>(report.options.restarts) + 1;
        return "given up after it had to be restarted " + counted(restarts, "time");
    }
    if (!report.end.start_failure) return {};
    return fmt::format("it did not start again: {}",
                       protocol::printable(report.end.start_failure->detail));
}

// "right in 12,345 of 12,345 won positions".
void add_count(std::string& text, const OutcomeCount& count, std::string_view kind,
               std::string_view right) {
    if (count.positions == 0) return;
    add_line(text, "{} in {} of {}", right, grouped(count.right),
             counted_grouped(count.positions, fmt::format("{} position", kind)));
}

std::string listed_positions(const std::vector<PositionSize>& positions, std::uint64_t count) {
    std::string text;
    for (const PositionSize& position : positions) {
        text += (text.empty() ? "" : ", ") + protocol::printable(position.text, kFaultBytes);
    }
    return positions.size() < count ? text + ", …" : text;
}

void add_unknown(std::string& text, const CertifyReport& report, const SurveyCounts& counts) {
    if (counts.unknown.positions > 0) {
        add_line(
            text, "the truth about {} is not known: {}",
            shown_positions(counts.unknown.positions),
            listed_positions(report.survey.unknown(kMostUnknown), counts.unknown.positions));
    }
    if (counts.unjudged > 0)
        add_line(text, "what {} of its moves lead to is not known", grouped(counts.unjudged));
}

void add_faults(std::string& text, const CertifyReport& report) {
    for (const auto& [kind, fault] : report.survey.faults()) {
        add_line(text, "{}: {} in {}; the smallest is {}", kind, words_of_kind(kind),
                 shown_positions(fault.count),
                 protocol::printable(fault.smallest.text, kFaultBytes));
        if (!fault.cause.detail.empty())
            add_line(text, "    {}", protocol::printable(fault.cause.detail));
        text += fault_text(fault.cause);
    }
}

void add_stopped(std::string& text, const CertifyReport& report, const SurveyCounts& counts) {
    std::string stopped = stopped_text(report);
    if (stopped.empty()) return;
    const std::uint64_t not_asked = counts.not_asked + counts.moves_not_asked;
    if (not_asked > 0) {
        stopped += fmt::format("; {} {} not asked", shown_positions(not_asked),
                               not_asked == 1 ? "was" : "were");
    }
    add_line(text, "{}", stopped);
}

void add_counterexample(std::string& text, const Counterexample& example,
                        const SurveyCounts& counts) {
    const bool is_wrong = example.kind == "wrong";
    add_line(text, "the smallest counterexample{} is {}{}{}",
             counts.not_asked == 0 ? "" : kAmongAsked, example.position, is_wrong ? "" : ": ",
             is_wrong ? "" : words_of_kind(example.kind));
    const std::string move = protocol::printable(example.move, kShownMove);
    if (is_wrong) {
        add_line(text, "    it plays {}, which gives the {} away{}{}", move,
                 example.outcome == engine::Outcome::N ? "win" : "draw",
                 example.reply.empty() ? "" : fmt::format(": {} wins then", example.reply),
                 example.ends_game ? ": who makes the last move loses here" : "");
    } else if (!move.empty() && example.kind == "illegal-move") {
        add_line(text, "    it plays {}", move);
    }
    if (!example.better.empty()) add_line(text, "    {} is right", example.better);
    if (!example.why.empty()) add_line(text, "    {}", example.why);
}

void add_again(std::string& text, const AskedAgain& again) {
    if (again.positions == 0) return;
    if (again.varied == 0) {
        const std::string times =
            again.positions == 1 ? "once" : grouped(again.positions) + " times";
        return add_line(text, "its answers do not vary: asked again {}, it did the same",
                        times);
    }
    add_line(text,
             "its answers vary: asked again with another Seed, it answered otherwise {} of {} "
             "times (in {}: {}, then {})",
             grouped(again.varied), grouped(again.positions), again.smallest.text,
             protocol::printable(again.first, kShownMove),
             protocol::printable(again.then, kShownMove));
}

void add_verdict(std::string& text, const CertifyReport& report, const SurveyCounts& counts) {
    const std::uint64_t unsure = counts.unknown.positions + counts.unjudged;
    const OutcomeCount& moved = counts.sent_with_moves;
    std::string count = shown_positions(counts.asked - unsure);
    if (moved.positions > 0)
        count += fmt::format(", and {} sent with moves", grouped(moved.positions));
    if (unsure > 0) {
        count += fmt::format("; in {} more its moves are legal, and their worth is not known",
                             grouped(unsure));
    }
    if (is_certified(report)) return add_line(text, "certified: {}", count);
    const auto faults = report.survey.faults();
    const auto ended = faults.find(kEndedAfterAnswer);
    if (ended == faults.end()) return add_line(text, "REFUTED");
    add_line(text, "REFUTED: it ended after its answer in {}",
             shown_positions(ended->second.count));
}

json::array objects_of(const std::vector<PositionSize>& sizes) {
    json::array objects;
    for (const PositionSize& size : sizes) {
        objects.push_back(json::object{
            {"position", size.text}, {"heaps", size.heaps}, {"stones", size.stones}});
    }
    return objects;
}

json::object count_object(const OutcomeCount& count) {
    return {{"positions", count.positions}, {"right", count.right}};
}

json::array faults_of(const CertifyReport& report) {
    json::array faults;
    for (const auto& [kind, fault] : report.survey.faults()) {
        const auto lines = last_lines(fault.cause.stderr_tail, kFaultLines, kFaultBytes);
        faults.push_back(
            json::object{{"kind", kind},
                         {"count", fault.count},
                         {"smallest", fault.smallest.text},
                         {"detail", protocol::printable(fault.cause.detail)},
                         {"received", protocol::printable(fault.cause.received, kFaultBytes)},
                         {"expected", protocol::printable(fault.cause.expected, kFaultBytes)},
                         {"stderr", json::array(lines.begin(), lines.end())}});
    }
    return faults;
}

json::value counterexample_value(const std::optional<Counterexample>& example) {
    if (!example) return nullptr;
    json::object object{{"position", example->position},
                        {"outcome", engine::to_string(example->outcome)},
                        {"kind", example->kind},
                        {"move", protocol::printable(example->move, kFaultBytes)},
                        {"better", nullptr},
                        {"reply", nullptr},
                        {"why", example->why}};
    if (!example->better.empty()) object["better"] = example->better;
    if (!example->reply.empty()) object["reply"] = example->reply;
    return object;
}

}  // namespace

std::string_view words_of_kind(std::string_view kind) {
    if (kind == "refused") return "it refuses to play";
    if (kind == kEndedAfterAnswer) return "it ended after its answer";
    const auto reason = parse_reason(kind);
    return reason ? fault_words(*reason) : kind;
}

bool is_certified(const CertifyReport& report) {
    return report.survey.is_right() && stopped_text(report).empty();
}

std::string to_text(const CertifyReport& report) {
    std::string text;
    const SurveyCounts counts = report.survey.counts();
    add_count(text, counts.won, "won", "right");
    add_count(text, counts.drawn, "drawn", "right");
    add_count(text, counts.lost, "lost", "a legal move");
    if (counts.sent_with_moves.right < counts.sent_with_moves.positions) {
        add_line(text, "right in {} of {} that {} sent with `moves`",
                 grouped(counts.sent_with_moves.right),
                 shown_positions(counts.sent_with_moves.positions),
                 counts.sent_with_moves.positions == 1 ? "was" : "were");
    }
    add_unknown(text, report, counts);
    add_faults(text, report);
    add_stopped(text, report, counts);
    add_again(text, report.survey.again());
    if (const auto example = report.survey.counterexample())
        add_counterexample(text, *example, counts);
    for (const std::string& pattern : report.survey.patterns())
        add_line(text, "  - {}", pattern);
    if (!report.end.remarks.empty()) add_line(text, "{}", report.end.remarks);
    add_verdict(text, report, counts);
    return text;
}

std::string not_started_json(const std::string& player, const Cause& cause) {
    const json::object object{{"player", protocol::printable(player)},
                              {"started", false},
                              {"starved", cause.is_starved},
                              {"detail", protocol::printable(cause.detail)}};
    return json::serialize(object) + "\n";
}

std::string to_json(const CertifyReport& report) {
    const SurveyCounts counts = report.survey.counts();
    const AskedAgain& again = report.survey.again();
    const auto patterns = report.survey.patterns();
    json::array families;
    for (const Family& family : report.options.asked->families())
        families.emplace_back(family.text());
    json::object moves = count_object(counts.sent_with_moves);
    moves["not_asked"] = counts.moves_not_asked;
    json::object object{
        {"player", protocol::printable(report.options.player_text)},
        {"name", protocol::printable(report.end.name)},
        {"seed", report.options.seed},
        {"started", true},
        {"starved", report.end.start_failure && report.end.start_failure->is_starved},
        {"certified", is_certified(report)},
        {"families", std::move(families)},
        {"given", report.options.asked->given().size()},
        {"asked", counts.asked},
        {"not_asked", counts.not_asked},
        {"won", count_object(counts.won)},
        {"drawn", count_object(counts.drawn)},
        {"lost", count_object(counts.lost)},
        {"unknown", count_object(counts.unknown)},
        {"moves", std::move(moves)},
        {"unknown_positions", objects_of(report.survey.unknown(kMostUnknown))},
        {"wrong", counts.wrong},
        {"wrong_positions", objects_of(report.survey.wrong(kMostListed))},
        {"unjudged", counts.unjudged},
        {"ended_after", json::object{{"won", counts.won.ended},
                                     {"drawn", counts.drawn.ended},
                                     {"moves", counts.sent_with_moves.ended}}},
        {"faults", faults_of(report)},
        {"counterexample", counterexample_value(report.survey.counterexample())},
        {"patterns", json::array(patterns.begin(), patterns.end())},
        {"again", json::object{{"positions", again.positions}, {"varied", again.varied}}},
        {"remarks", report.end.remarks},
        {"stopped", stopped_text(report)},
        {"time_ms", report.time.count()}};
    return json::serialize(object) + "\n";
}

}  // namespace arena
