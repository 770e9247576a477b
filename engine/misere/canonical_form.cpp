#include "engine/misere/canonical_form.hpp"

#include <algorithm>

#include <boost/container_hash/hash.hpp>

namespace engine::misere {
namespace {

constexpr std::size_t kPollSums = 64;
constexpr std::size_t kMaxForms = std::size_t{1} << 31;

bool contains(std::span<const Form> forms, Form form) {
    return std::ranges::binary_search(forms, form);
}

std::uint64_t key_of(Form left, Form right) {
    if (left > right) std::swap(left, right);
    return std::uint64_t{left} << 32 | right;
}

}  // namespace

std::uint64_t mex(std::vector<std::uint64_t>& values) {
    std::ranges::sort(values);
    std::uint64_t least = 0;
    for (const std::uint64_t value : values) {
        if (value == least) ++least;
    }
    return least;
}

// Whether there is room for one more in this table. If it is full, it takes the place of both
// its old and its new slots, twice as many, for a while.
bool Forms::reserve(const void* growing) {
    const auto bytes = [growing](const auto& table) {
        constexpr std::size_t kSlot = sizeof *table.begin() + 1;
        const bool grows = &table == growing && table.size() == table.max_load();
        return table.bucket_count() * kSlot * (grows ? 3 : 1);
    };
    const std::size_t all = bytes(by_hash_) + bytes(sums_) + bytes(outcomes_);
    return all == tables_.bytes() || tables_.resize(all);
}

// The option that was made last is one of the others: were it an option of H, then H, and all
// the others that have H as an option, would be later still.
std::optional<Form> Forms::find_reversed(std::span<const Form> options) const {
    if (options.empty()) return std::nullopt;
    for (const Form target : this->options(options.back())) {
        if (reverses_to(options, target)) return target;
    }
    return std::nullopt;
}

bool Forms::reverses_to(std::span<const Form> options, Form target) const {
    const auto kept = this->options(target);
    if (kept.size() >= options.size()) return false;
    std::size_t found = 0;
    for (const Form option : options) {
        if (found < kept.size() && kept[found] == option) {
            ++found;
        } else if (!contains(this->options(option), target)) {
            return false;
        }
    }
    if (found < kept.size()) return false;
    return target != kZero ||
           std::ranges::any_of(options, [this](Form form) { return is_previous_win(form); });
}

std::optional<Form> Forms::make(std::vector<Form> options) {
    std::ranges::sort(options);
    options.erase(std::unique(options.begin(), options.end()), options.end());
    if (options.empty()) return kZero;
    if (const auto reversed = find_reversed(options)) return reversed;
    return store(options);
}

std::optional<Form> Forms::store(const std::vector<Form>& options) {
    const auto hash = static_cast<std::uint64_t>(boost::hash_value(options));
    const auto known = by_hash_.find(hash);
    const Form first = known == by_hash_.end() ? kZero : known->second;
    for (Form form = first; form != kZero; form = facts_[form].next_of_hash) {
        if (std::ranges::equal(this->options(form), options)) return form;
    }
    if (facts_.size() >= kMaxForms || !make_room(facts_, 1, arrays_) ||
        !make_room(options_, options.size(), arrays_) || !reserve(&by_hash_)) {
        return std::nullopt;
    }

    const auto form = static_cast<Form>(facts_.size());
    Facts facts{.first_option = options_.size(),
                .option_count = static_cast<std::uint32_t>(options.size()),
                .next_of_hash = first};
    std::vector<std::uint64_t> values;
    for (const Form option : options) values.push_back(normal_nimber(option));
    facts.normal_nimber = static_cast<std::uint32_t>(mex(values));
    values.clear();
    for (const Form option : options) values.push_back(misere_nimber(option));
    facts.misere_nimber = static_cast<std::uint32_t>(mex(values));
    const bool firm = facts.normal_nimber == facts.misere_nimber;
    const bool fickle = facts.normal_nimber + facts.misere_nimber == 1;
    facts.tame = (firm || fickle) &&
                 std::ranges::all_of(options, [this](Form option) { return is_tame(option); });

    options_.append(options);
    facts_.push_back(facts);
    by_hash_[hash] = form;
    return form;
}

std::optional<Form> Forms::nim_heap(std::uint64_t size, const Budget& budget) {
    while (nim_heaps_.size() <= size) {
        if (budget.is_spent()) return std::nullopt;
        const auto next = make(nim_heaps_);
        if (!next) return std::nullopt;
        nim_heaps_.push_back(*next);
    }
    return nim_heaps_[size];
}

std::optional<std::pair<Form, Form>> Forms::next_option(const Pending& sum) const {
    const auto lefts = options(sum.left);
    const auto rights = options(sum.right);
    if (sum.next_option < lefts.size()) return std::pair(lefts[sum.next_option], sum.right);
    const std::size_t place = sum.next_option - lefts.size();
    return place < rights.size() ? std::optional(std::pair(sum.left, rights[place]))
                                 : std::nullopt;
}

std::optional<Form> Forms::known_sum(Form left, Form right) const {
    if (left == kZero) return right;
    if (right == kZero) return left;
    const auto known = sums_.find(key_of(left, right));
    if (known == sums_.end()) return std::nullopt;
    return known->second;
}

std::optional<Form> Forms::add(Form left, Form right, const Budget& budget) {
    if (const auto known = known_sum(left, right)) return known;
    pending_.assign(1, {left, right, 0, 0});
    found_.clear();
    BudgetPoll poll(budget, kPollSums);
    for (;;) {
        Pending& top = pending_.back();
        if (const auto option = next_option(top)) {
            const auto [left_part, right_part] = *option;
            if (const auto known = known_sum(left_part, right_part)) {
                found_.push_back(*known);
                ++top.next_option;
            } else {
                pending_.push_back({left_part, right_part, 0, found_.size()});
            }
            continue;
        }
        if (poll.is_spent()) return std::nullopt;
        const auto first = found_.begin() + static_cast<std::ptrdiff_t>(top.first_found);
        const auto sum = make({first, found_.end()});
        if (!sum || !reserve(&sums_)) return std::nullopt;
        found_.erase(first, found_.end());
        sums_.emplace(key_of(top.left, top.right), *sum);
        pending_.pop_back();
        if (pending_.empty()) return sum;
    }
}

std::optional<bool> Forms::known_outcome(Form left, Form right) const {
    if (const auto sum = known_sum(left, right)) return is_previous_win(*sum);
    const auto known = outcomes_.find(key_of(left, right));
    if (known == outcomes_.end()) return std::nullopt;
    return known->second;
}

std::optional<bool> Forms::sum_is_previous_win(Form left, Form right, const Budget& budget) {
    if (const auto known = known_outcome(left, right)) return known;
    pending_.assign(1, {left, right, 0, 0});
    BudgetPoll poll(budget, kPollSums);
    for (;;) {
        Pending& top = pending_.back();
        bool previous_wins = true;
        if (const auto option = next_option(top)) {
            const auto [left_part, right_part] = *option;
            const auto known = known_outcome(left_part, right_part);
            if (!known) {
                pending_.push_back({left_part, right_part, 0, 0});
                continue;
            }
            ++top.next_option;
            if (!*known) continue;
            previous_wins = false;
        }
        if (poll.is_spent() || !reserve(&outcomes_)) return std::nullopt;
        outcomes_.emplace(key_of(top.left, top.right), previous_wins);
        pending_.pop_back();
        if (pending_.empty()) return previous_wins;
    }
}

// ---- genera ----

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
