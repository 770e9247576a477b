// Heaps read from a Scanner: shared by the parsers of heaps, positions and moves.
#pragma once

#include <vector>

#include "protocol/heap.hpp"
#include "protocol/scanner.hpp"

namespace protocol {

Result<Number> scan_number(Scanner& scanner);
Result<Heap> scan_heap(Scanner& scanner, HeapSyntax syntax);
Result<std::vector<Heap>> scan_heaps(Scanner& scanner, HeapSyntax syntax);

}  // namespace protocol
