// Suggests the word that a person probably meant.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace protocol {

// The candidate with the fewest edits from `word`; empty if even that one is far off.
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

// ", did you mean 'name'?", or empty if no candidate is near.
std::string suggestion(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace protocol
