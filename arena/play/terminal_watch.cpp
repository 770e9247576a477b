#include "arena/play/spectator.hpp"

#include <mutex>

#include <fmt/format.h>

#include "arena/base/console.hpp"
#include "arena/players/advice.hpp"
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
        changed_names_ = std::move(source.names);
    }

    std::unique_ptr<GameView> begin_game(const GameTask& task, const GameNow& now) override {
        return std::make_unique<BoardView>(
            console_, std::array{name_of(task.players[0]), name_of(task.players[1])}, task,
            now);
    }

  private:
    std::string name_of(int player) {
        const std::lock_guard lock(mutex_);
        if (auto names = changed_names_()) names_ = *std::move(names);
        return protocol::printable(names_[static_cast<std::size_t>(player)]);
    }

    Console console_;
    std::function<std::optional<std::vector<std::string>>()> changed_names_;
    std::mutex mutex_;
    std::vector<std::string> names_;
};

}  // namespace

std::unique_ptr<Spectator> watch_on_terminal(std::FILE* file) {
    return std::make_unique<TerminalWatch>(file);
}

}  // namespace arena
