// The one way to refuse input: says what was read and what was expected.
#pragma once

#include <cstddef>
#include <utility>

#include <fmt/core.h>

#include "protocol/result.hpp"

namespace arena {

// An error of Fault::BadInput, its text formatted as fmt::format() does.
template <typename... Values>
protocol::Error bad_input(fmt::format_string<Values...> format, Values&&... values) {
    return {protocol::Fault::BadInput, fmt::format(format, std::forward<Values>(values)...), 0};
}

// The same, with the column (from 1) where the input went wrong.
template <typename... Values>
protocol::Error bad_input_at(std::size_t column, fmt::format_string<Values...> format,
                             Values&&... values) {
    return {protocol::Fault::BadInput, fmt::format(format, std::forward<Values>(values)...),
            column};
}

}  // namespace arena
