// The range of heaps of a command.
#pragma once

#include <string_view>
#include <vector>

#include "protocol/heap.hpp"

namespace engine {

using protocol::Number;

// Numbers from..to; or, where there are sizes, all tuples with each entry below its size.
struct HeapRange {
    Number from = 0;
    Number to = 0;
    std::vector<Number> sizes = {};
};

enum class RangeSyntax { Numbers, AnyHeaps };

// "7" or "0-99"; with AnyHeaps "8x8" or "4x5x6" too. At most `most` heaps.
protocol::Result<HeapRange> read_heap_range(std::string_view text, RangeSyntax syntax,
                                            Number most);

}  // namespace engine
