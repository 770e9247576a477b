// Expected failure is a return value: a Result holds the value asked for, or an Error with
// text.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <variant>

namespace protocol {

// Failed: what was asked is clear, and could not be done.
enum class Fault { BadInput, TooLong, TimedOut, Disconnected, Failed };

// What went wrong: `fault` for the caller to branch on, `text` for a person. For an error in
// text that was read, `column` is its place (in bytes, from 1), or 0 if there is none.
struct Error {
    Fault fault = Fault::BadInput;
    std::string text;
    std::size_t column = 0;

    friend bool operator==(const Error&, const Error&) = default;
};

// "column 5: read 'x', expected …", or the text alone if there is no column.
std::string describe(const Error& error);

// Two lines for a terminal: `text`, and a caret below the error's column (counted in code
// points, so that it points at the right character). Long texts are cut around the column.
std::string mark_column(const std::string& text, const Error& error);

// A value or an Error. The names are those of std::expected, so that adopting it is a rename.
template <typename T>
class [[nodiscard]] Result {
  public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

    bool has_value() const { return state_.index() == 0; }
    explicit operator bool() const { return has_value(); }
    const T& operator*() const& { return std::get<0>(state_); }  // throws if there is none
    T& operator*() & { return std::get<0>(state_); }
    T&& operator*() && { return std::get<0>(std::move(state_)); }
    const T* operator->() const { return &std::get<0>(state_); }
    T* operator->() { return &std::get<0>(state_); }
    const Error& error() const { return std::get<1>(state_); }

  private:
    std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
  public:
    Result() = default;
    Result(Error error) : state_(std::move(error)) {}

    bool has_value() const { return state_.index() == 0; }
    explicit operator bool() const { return has_value(); }
    const Error& error() const { return std::get<1>(state_); }

  private:
    std::variant<std::monostate, Error> state_;
};

}  // namespace protocol
