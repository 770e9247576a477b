#include "protocol/message.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "protocol/heap.hpp"
#include "protocol/position.hpp"
#include "protocol/scanner.hpp"
#include "protocol/text.hpp"

namespace protocol {
namespace {

// The words of a line, one after the other; errors name the column in the line.
class Words {
  public:
    explicit Words(std::string_view line) : line_(line), rest_(trim(line)) {}

    std::string_view next() { return next_word(rest_); }  // empty at the end
    std::string_view rest() const { return trim(rest_); }
    std::vector<std::string_view> all() const { return split_words(rest_); }

    // The text before the first word `end`, which is skipped, or before the end of the line.
    // `found` says whether there was such a word.
    std::string_view text_before(std::string_view end, bool& found) {
        const std::string_view from = rest_;
        found = false;
        for (auto word = next(); !word.empty(); word = next()) {
            if (word != end) continue;
            found = true;
            return trim(from.substr(0, offset(word) - offset(from)));
        }
        return trim(from);
    }

    std::size_t offset(std::string_view part) const {
        return static_cast<std::size_t>(part.data() - line_.data());
    }

    // An empty `word` stands for the end of the line.
    Error refuse(std::string_view word, std::string_view expected) const {
        if (word.empty()) return Scanner(line_).refuse_at(line_.size(), expected);
        return Scanner::refuse_word(offset(word), word, expected);
    }

  private:
    std::string_view line_;
    std::string_view rest_;
};

Result<Command> read_setoption(Words& words) {
    const std::string_view word = words.next();
    if (word != "name") return words.refuse(word, "'name' and the name of an option");

    SetOptionCommand command;
    std::string_view from = words.rest();
    bool has_value = false;
    command.name = words.text_before("value", has_value);
    if (command.name.empty()) return words.refuse(next_word(from), "the name of an option");
    if (has_value) command.value = words.rest();
    return Command{command};
}

Result<Command> read_position(Words& words) {
    PositionCommand command;
    const std::string_view kind = words.next();
    if (kind == "startpos") {
        command.position = kStartPosition;
        const std::string_view word = words.next();
        if (!word.empty() && word != "moves") return words.refuse(word, "'moves' or the end");
    } else if (kind == "fen") {
        std::string_view from = words.rest();
        bool has_moves = false;
        command.position = words.text_before("moves", has_moves);
        if (command.position.empty()) {
            return words.refuse(next_word(from), "a position such as nim:3,4,5");
        }
    } else {
        return words.refuse(kind, "'startpos', or 'fen' and a position");
    }
    command.moves = words.all();
    return Command{std::move(command)};
}

Result<Command> read_moves(Words& words) { return Command{MovesCommand{words.all()}}; }

enum class Sign { AsIs, NegativeIsZero };

// A number too large for any limit is read as the largest.
Result<std::uint64_t> read_number(Words& words, Sign sign) {
    const std::string_view word = words.next();
    std::string_view digits = word;
    const bool negative = sign == Sign::NegativeIsZero && digits.starts_with('-');
    if (negative) digits.remove_prefix(1);

    if (digits.empty() || !std::ranges::all_of(digits, is_digit)) {
        return words.refuse(word, "a number 0..9223372036854775807");
    }
    if (negative) return std::uint64_t{0};
    const auto number = parse_number(digits);
    return number ? *number : kMaxNumber;
}

struct GoNumber {
    std::string_view name;
    std::optional<std::uint64_t> GoCommand::*field;
    Sign sign;
};

constexpr std::array kGoNumbers{
    GoNumber{"p1time", &GoCommand::p1_time, Sign::NegativeIsZero},
    GoNumber{"p2time", &GoCommand::p2_time, Sign::NegativeIsZero},
    GoNumber{"p1inc", &GoCommand::p1_increment, Sign::NegativeIsZero},
    GoNumber{"p2inc", &GoCommand::p2_increment, Sign::NegativeIsZero},
    GoNumber{"movetime", &GoCommand::movetime, Sign::NegativeIsZero},
    GoNumber{"depth", &GoCommand::depth, Sign::AsIs},
    GoNumber{"nodes", &GoCommand::nodes, Sign::AsIs},
};

bool is_go_word(std::string_view word) {
    return word == "searchmoves" || std::ranges::count(kGoNumbers, word, &GoNumber::name) > 0;
}

Result<Command> read_go(Words& words) {
    GoCommand command;
    for (auto word = words.next(); !word.empty(); word = words.next()) {
        if (word == "infinite") command.infinite = true;
        if (word == "searchmoves") {
            command.search_moves = words.all();
            break;
        }
        const auto* row = std::ranges::find(kGoNumbers, word, &GoNumber::name);
        if (row == kGoNumbers.end()) continue;  // an unknown word, or the number after it
        Words after = words;
        const auto number = read_number(after, row->sign);
        if (number) command.*(row->field) = *number;
        if (!number && !command.unreadable) command.unreadable = number.error();
        // If the number is missing, the word in its place is read as a word of its own.
        if (std::string_view next = words.rest(); !is_go_word(next_word(next))) words = after;
    }
    return Command{std::move(command)};
}

Result<Command> read_query(Words& words) {
    QueryCommand command;
    command.topic = words.next();
    if (command.topic.empty()) return words.refuse({}, "a question such as gameover");
    command.argument = words.rest();
    return Command{command};
}

// The text after these words is ignored.
template <typename Simple>
Result<Command> read_simple(Words&) {
    return Command{Simple{}};
}

struct CommandRow {
    std::string_view word;
    Result<Command> (*read)(Words&);
};

constexpr std::array kCommands{
    CommandRow{"position", read_position},
    CommandRow{"go", read_go},
    CommandRow{"moves", read_moves},
    CommandRow{"stop", read_simple<StopCommand>},
    CommandRow{"isready", read_simple<IsReadyCommand>},
    CommandRow{"query", read_query},
    CommandRow{"setoption", read_setoption},
    CommandRow{"uginewgame", read_simple<NewGameCommand>},
    CommandRow{"ugi", read_simple<UgiCommand>},
    CommandRow{"quit", read_simple<QuitCommand>},
};

Reply read_option(Words& words, std::string_view line) {
    if (words.next() != "name") return UnknownReply{line};
    OptionReply reply;
    bool has_type = false;
    reply.name = words.text_before("type", has_type);
    if (reply.name.empty()) return UnknownReply{line};
    reply.declaration = words.rest();
    return reply;
}

}  // namespace

Result<Command> parse_command(std::string_view line) {
    Words words(line);
    const std::string_view word = words.next();
    const auto* row = std::ranges::find(kCommands, word, &CommandRow::word);
    if (row == kCommands.end()) return Command{UnknownCommand{word}};
    return row->read(words);
}

Reply parse_reply(std::string_view line) {
    Words words(line);
    const std::string_view word = words.next();
    if (word == "bestmove") return BestMoveReply{words.next()};
    if (word == "info") return InfoReply{words.rest()};
    if (word == "readyok") return ReadyOkReply{};
    if (word == "response") return ResponseReply{words.rest()};
    if (word == "ugiok") return UgiOkReply{};
    if (word == "option") return read_option(words, line);
    if (word == "id") {
        const std::string_view key = words.next();
        return IdReply{key, words.rest()};
    }
    return UnknownReply{line};
}

}  // namespace protocol
