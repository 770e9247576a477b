#include "engine/heaps/nimber.hpp"

#include <algorithm>

namespace engine {

using protocol::Ordinal;

namespace {

std::string with_transfinite(std::vector<Ordinal::Term> terms, std::uint64_t finite) {
    if (terms.empty()) return std::to_string(finite);
    if (finite != 0) terms.push_back({0, finite});
    return protocol::to_string(protocol::Heap(Ordinal{std::move(terms)}));
}

}  // namespace

std::uint64_t coefficient(const Nimber& nimber, protocol::Number exponent) {
    const auto* number = std::get_if<std::uint64_t>(&nimber);
    if (number != nullptr && exponent == 0) return *number;
    const auto* ordinal = std::get_if<Ordinal>(&nimber);
    if (ordinal == nullptr) return 0;
    const auto term = std::ranges::lower_bound(ordinal->terms, exponent, std::greater<>(),
                                               &Ordinal::Term::exponent);
    return term != ordinal->terms.end() && term->exponent == exponent ? term->coefficient : 0;
}

std::string to_string(const Nimber& value) {
    if (const auto* finite = std::get_if<std::uint64_t>(&value)) return std::to_string(*finite);
    if (const auto* ordinal = std::get_if<Ordinal>(&value)) {
        return protocol::to_string(protocol::Heap(*ordinal));
    }
    const auto& loopy = std::get<Loopy>(value);
    std::string text = "inf{";
    for (const std::uint64_t listed : loopy.values) {
        if (text.back() != '{') text += ',';
        text += with_transfinite(loopy.transfinite, listed);
    }
    return text + '}';
}

void NimSum::add_transfinite(const Ordinal::Term& term) {
    if (term.exponent == 0) {
        finite_ ^= term.coefficient;
        return;
    }
    const auto place = infinite_.try_emplace(term.exponent, 0).first;
    place->second ^= term.coefficient;
    if (place->second == 0) infinite_.erase(place);
}

void NimSum::add(const Nimber& value) {
    if (const auto* finite = std::get_if<std::uint64_t>(&value)) {
        finite_ ^= *finite;
    } else if (const auto* ordinal = std::get_if<Ordinal>(&value)) {
        for (const Ordinal::Term& term : ordinal->terms) add_transfinite(term);
    } else {
        const auto& loopy = std::get<Loopy>(value);
        for (const Ordinal::Term& term : loopy.transfinite) add_transfinite(term);
        loopy_ = loopy_ ? std::vector<std::uint64_t>() : loopy.values;
    }
}

Nimber NimSum::value() const {
    std::vector<Ordinal::Term> transfinite;
    transfinite.reserve(infinite_.size() + 1);
    for (const auto& [exponent, coefficient] : infinite_) {
        transfinite.push_back({exponent, coefficient});
    }
    if (loopy_) {
        Loopy sum{*loopy_, std::move(transfinite)};
        for (std::uint64_t& listed : sum.values) listed ^= finite_;
        std::ranges::sort(sum.values);
        if (sum.values.empty()) sum.transfinite.clear();
        return sum;
    }
    if (transfinite.empty()) return finite_;
    if (finite_ != 0) transfinite.push_back({0, finite_});
    return Ordinal{std::move(transfinite)};
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
