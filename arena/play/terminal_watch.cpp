#include "arena/play/spectator.hpp"

#include <map>
#include <mutex>

#include <fmt/format.h>

#include "arena/base/console.hpp"
#include "arena/players/board_text.hpp"
#include "protocol/text.hpp"

namespace arena {
namespace {

class BoardView : public GameView {
  public:
    BoardView(Console& console, std::array<std::string, 2> names, const GameTask& task,
              const GameNow& now)
        : console_(console), names_(std::move(names)) {
        console_.write(fmt::format("\ngame {}: {} moves first, against {}\n{}", game_name(task),
                                   names_[0], names_[1], drawn(now.position)));
    }

    void moved(const GameNow& now) override {
        console_.write(fmt::format("\n{}. {}: {}\n{}", now.ply, names_[(now.ply + 1) % 2],
                                   protocol::printable(now.move), drawn(now.position)));
    }

    void over(const GameNow&, const GameRecord&) override {}  // a line tells of it

  private:
    Console& console_;
    const std::array<std::string, 2> names_;
};

class TerminalWatch : public Spectator {
  public:
    explicit TerminalWatch(std::FILE* file) : console_(file) {}

    void begin(const ContestInfo&, ContestSource source) override {
        const std::lock_guard lock(mutex_);
        changed_names_ = std::move(source.names);
    }
    void player(int number, const std::string& name) override {
        const std::lock_guard lock(mutex_);
        names_[number] = name;
    }
    void present(int, bool) override {}
    void out(int) override {}

    std::unique_ptr<GameView> begin_game(const GameTask& task, const GameNow& now) override {
        return std::make_unique<BoardView>(
            console_, std::array{name_of(task.players[0]), name_of(task.players[1])}, task,
            now);
    }

    void finished(const GameRecord&) override {}
    void over(const ContestProgress&, const std::vector<Standing>&) override {
        const std::lock_guard lock(mutex_);
        changed_names_ = nullptr;
    }

  private:
    std::string name_of(int player) {
        const std::lock_guard lock(mutex_);
        const auto names = changed_names_ ? changed_names_() : std::nullopt;
        for (std::size_t i = 0; names && i < names->size(); ++i)
            names_[static_cast<int>(i)] = (*names)[i];
        return protocol::printable(names_[player]);
    }

    Console console_;
    std::mutex mutex_;  // guards the names
    std::map<int, std::string> names_;
    std::function<std::optional<std::vector<std::string>>()> changed_names_;
};

}  // namespace

std::unique_ptr<Spectator> watch_on_terminal(std::FILE* file) {
    return std::make_unique<TerminalWatch>(file);
}

}  // namespace arena
