#include "engine/heaps/nimber_array.hpp"

#include <algorithm>
#include <cstring>

namespace engine {

NimberArray::Width NimberArray::width_for(std::uint32_t largest) {
    if (largest <= 0xff) return Width::Byte;
    return largest <= 0xffff ? Width::Short : Width::Word;
}

std::shared_ptr<NimberArray> NimberArray::make(std::size_t capacity, Width width) {
    const std::size_t bytes = capacity * static_cast<std::size_t>(width);
    Reservation memory;
    if (!memory.resize(bytes)) return nullptr;
    std::shared_ptr<NimberArray> made(new NimberArray);
    made->data_ = std::make_unique_for_overwrite<std::uint8_t[]>(bytes);
    made->capacity_ = capacity;
    made->width_ = width;
    made->memory_ = std::move(memory);
    return made;
}

std::shared_ptr<NimberArray> NimberArray::copy(const NimberArray& from, std::size_t size,
                                               std::size_t capacity, Width width) {
    auto made = make(capacity, width);
    if (made == nullptr) return nullptr;
    if (from.width_ == width) {
        std::memcpy(made->data_.get(), from.data_.get(),
                    size * static_cast<std::size_t>(width));
        made->size_.store(size, std::memory_order_release);
    } else {
        for (std::size_t heap = 0; heap < size; ++heap) made->push_back(from[heap]);
    }
    return made;
}

bool NimberArray::make_room_for(std::shared_ptr<NimberArray>& values, std::uint32_t value) {
    const std::size_t size = values->size_.load(std::memory_order_relaxed);
    const bool full = size == values->capacity();
    const Width width = std::max(values->width(), width_for(value));
    if (!full && width == values->width()) return true;
    const std::size_t capacity = full ? 2 * size : values->capacity();
    auto longer = copy(*values, size, capacity, width);
    if (longer != nullptr) values = longer;
    return longer != nullptr;
}

void NimberArray::push_back(std::uint32_t value) {
    append(1, [this, value]<typename Value>(Value* values) {
        values[size_.load(std::memory_order_relaxed)] = static_cast<Value>(value);
    });
}

}  // namespace engine
