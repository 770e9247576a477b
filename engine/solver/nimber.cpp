#include "engine/solver/nimber.hpp"

namespace engine {

using protocol::Ordinal;

std::string to_string(const Nimber& value) {
    if (const auto* finite = std::get_if<std::uint64_t>(&value)) return std::to_string(*finite);
    return protocol::to_string(protocol::Heap(std::get<Ordinal>(value)));
}

void NimSum::add(const Nimber& value) {
    if (const auto* finite = std::get_if<std::uint64_t>(&value)) {
        finite_ ^= *finite;
        return;
    }
    for (const Ordinal::Term& term : std::get<Ordinal>(value).terms) {
        if (term.exponent == 0) {
            finite_ ^= term.coefficient;
            continue;
        }
        const auto place = infinite_.try_emplace(term.exponent, 0).first;
        place->second ^= term.coefficient;
        if (place->second == 0) infinite_.erase(place);
    }
}

Nimber NimSum::value() const {
    if (infinite_.empty()) return finite_;
    Ordinal sum;
    sum.terms.reserve(infinite_.size() + 1);
    for (const auto& [exponent, coefficient] : infinite_) {
        sum.terms.push_back({exponent, coefficient});
    }
    if (finite_ != 0) sum.terms.push_back({0, finite_});
    return sum;
}

Nimber nim_sum(const Nimber& left, const Nimber& right) {
    const auto* a = std::get_if<std::uint64_t>(&left);
    const auto* b = std::get_if<std::uint64_t>(&right);
    if (a != nullptr && b != nullptr) return *a ^ *b;
    NimSum sum;
    sum.add(left);
    sum.add(right);
    return sum.value();
}

}  // namespace engine
