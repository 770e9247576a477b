// Where a pair of games begins.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "protocol/position.hpp"

namespace arena {

// A position and its canonical text, made once for all pairs and games that begin there: copies
// share them. By default there is none yet: no heaps, and an empty text.
class StartPosition {
  public:
    StartPosition() = default;
    explicit StartPosition(protocol::Position position)
        : made_(std::make_shared<const Made>(Made{to_string(position), std::move(position)})) {}

    explicit operator bool() const { return made_ != nullptr; }
    const protocol::Position& operator*() const { return made().position; }
    const std::string& text() const { return made().text; }

    friend bool operator==(const StartPosition& one, const StartPosition& other) {
        return one.made_ == other.made_ || one.text() == other.text();
    }

  private:
    struct Made {
        std::string text;
        protocol::Position position;
    };
    const Made& made() const {
        static const Made none{};
        return made_ ? *made_ : none;
    }

    std::shared_ptr<const Made> made_;
};

}  // namespace arena
