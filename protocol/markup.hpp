// Makes text from strangers safe for HTML and SVG.
#pragma once

#include <string>
#include <string_view>

namespace protocol {

// Fit to be shown (control and bidirectional characters written out), and with & < > " ' as
// entities: for text and for attributes between double quotes.
std::string escaped(std::string_view text);

}  // namespace protocol
