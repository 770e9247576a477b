// Nimbers as JSON: a number where it is finite, its text where it is not, null where it is not
// known.
#pragma once

#include <optional>

#include <boost/json.hpp>

#include "engine/heaps/nimber.hpp"

namespace engine {

inline boost::json::value to_json(const std::optional<Nimber>& nimber) {
    if (!nimber) return nullptr;
    if (const auto* number = std::get_if<std::uint64_t>(&*nimber)) return *number;
    return boost::json::value(to_string(*nimber));
}

}  // namespace engine
