#include "engine/misere/canonical_form.hpp"

#include <algorithm>

namespace engine::misere {
namespace {

constexpr std::size_t kPollForms = 64;
constexpr std::size_t kMaxLength = 256;  // far beyond what is known to occur

// A nim heap of 2 leads to heaps of 0 and 1, and one of 1 flips the last bit.
Genus genus_from(std::uint64_t normal, std::uint64_t misere,
                 const std::vector<Genus>& options) {
    Genus genus{normal, {misere}};
    std::size_t settled = 0;  // from here on the options alternate
    for (const Genus& option : options) settled = std::max(settled, option.misere.size() - 2);
    auto& values = genus.misere;
    while (values.size() < kMaxLength) {
        const std::size_t twos = values.size();
        std::vector<std::uint64_t> seen{values.back(), values.back() ^ 1};
        for (const Genus& option : options) seen.push_back(option.with_twos(twos));
        values.push_back(mex(seen));
        if (twos > settled && twos >= 2 && values[twos] == values[twos - 2]) break;
    }
    if (values.size() == kMaxLength) values.clear();
    while (values.size() > 2 && values.back() == values[values.size() - 3]) values.pop_back();
    return genus;
}

}  // namespace

std::uint64_t Genus::with_twos(std::size_t twos) const {
    if (twos < misere.size()) return misere[twos];
    return misere[misere.size() - 1 - (twos - misere.size() + 1) % 2];
}

std::string to_string(const Genus& genus) {
    const bool wide = std::ranges::any_of(genus.misere, [](auto value) { return value > 9; });
    std::string text = std::to_string(genus.normal) + "^{";
    for (std::size_t k = 0; k < genus.misere.size(); ++k) {
        if (wide && k > 0) text += ',';
        text += std::to_string(genus.misere[k]);
    }
    return text + "}";
}

Genus genus_of_nim_heap(std::uint64_t size) {
    if (size == 0) return {0, {1, 2, 0}};
    if (size == 1) return {1, {0, 3, 1}};
    return {size, {size, size ^ 2}};
}

bool is_tame(const Genus& genus) {
    const std::uint64_t size = genus.normal;
    return genus == genus_of_nim_heap(size) || genus == Genus{size, {size, size ^ 2}};
}

std::optional<Genus> Genera::of(const Forms& forms, Form form, const Budget& budget) {
    known_.resize(forms.size());
    std::vector<Form> waiting{form};
    std::vector<Genus> options;
    BudgetPoll poll(budget, kPollForms);
    while (!waiting.empty()) {
        const Form top = waiting.back();
        const std::size_t before = waiting.size();
        options.clear();
        for (const Form option : forms.options(top)) {
            if (known_[option]) {
                options.push_back(*known_[option]);
            } else {
                waiting.push_back(option);
            }
        }
        if (waiting.size() > before) continue;
        waiting.pop_back();
        if (known_[top]) continue;
        if (poll.is_spent()) return std::nullopt;
        auto genus = genus_from(forms.normal_nimber(top), forms.misere_nimber(top), options);
        if (genus.misere.empty()) return std::nullopt;
        known_[top] = std::move(genus);
    }
    return known_[form];
}

}  // namespace engine::misere
