// The first page of a clinic for its instructor, and for a student who is still to come.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arena/players/tokens.hpp"
#include "arena/report/html.hpp"
#include "arena/report/summary.hpp"

namespace arena::web {

// The name whose token opens all pages.
inline constexpr std::string_view kInstructor = "instructor";

// Who has connected a bot, and how it plays; and who of those with a token has not.
std::string class_page(const pages::Summary& summary, const std::vector<Tokens::Entry>& tokens,
                       const pages::PageContext& context);
std::string welcome_page(std::string_view name, const pages::PageContext& context);

// The number of the player that dials in with the token of this name; nullopt: none has.
std::optional<std::size_t> player_of_token(const pages::Summary& summary,
                                           const std::string& name);

}  // namespace arena::web
