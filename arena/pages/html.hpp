// Text from strangers made safe for a page. All that is shown goes through here.
#pragma once

#include <string>
#include <string_view>

namespace arena::pages {

// Fit to be shown (control and bidirectional characters written out), and with & < > " ' as
// entities: for text and for attributes between double quotes.
std::string escaped(std::string_view text);

// `json`, valid as such, so that it can stand inside <script>: no <, > or & is left in it.
std::string for_script(std::string_view json);

// A whole page: head with the style, `body`, and `script` (ours, or empty) at its end.
std::string document(std::string_view title, std::string_view body,
                     std::string_view script = {});

}  // namespace arena::pages
