// Sums of any heaps by canonical forms.
#include <algorithm>

#include "engine/misere/way.hpp"

namespace engine::misere {
namespace {

constexpr Number kLargestNimForm = 1024;
constexpr Number kSmallNimHeap = 32;        // such a heap is as well a form as any
constexpr std::size_t kPollSummands = 256;  // summands

class FormWay : public Way {
  public:
    FormWay(Tables& tables, const std::vector<Part>& parts) : tables_(tables), parts_(parts) {}

    bool read_forms(const Budget& budget) {
        Number largest = kSmallNimHeap;
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            const auto size = nim_size(parts_[i], *parts_[i].place.heap);
            if (!size || *size <= largest) continue;
            largest = *size;
            free_ = i;
        }
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            if (i == free_) continue;
            if (i % kPollSummands == 0 && budget.is_spent()) return false;
            const auto form = form_of(parts_[i], *parts_[i].place.heap, budget);
            if (!form) return false;
            forms_.push_back(*form);
            places_.push_back(i);
        }
        return true;
    }

    std::optional<bool> is_previous_win(const Budget& budget) const override {
        return judge(forms_, free_size(), budget);
    }

    std::optional<bool> is_previous_win(std::size_t part, std::span<const Heap> left,
                                        const Budget& budget) const override {
        if (part == free_) return judge(forms_, *nim_size(parts_[part], left.front()), budget);
        std::vector<Form> forms;
        for (std::size_t i = 0; i < forms_.size(); ++i) {
            if (places_[i] != part) forms.push_back(forms_[i]);
        }
        for (const Heap& heap : left) {
            const auto form = form_of(parts_[part], heap, budget);
            if (!form) return std::nullopt;
            forms.push_back(*form);
        }
        return judge(std::move(forms), free_size(), budget);
    }

    std::optional<bool> is_previous_win_alone(std::size_t part,
                                              const Budget& budget) const override {
        if (part == free_) return judge({}, free_size(), budget);
        const auto place = std::ranges::find(places_, part) - places_.begin();
        return tables_.forms().is_previous_win(forms_[static_cast<std::size_t>(place)]);
    }

    Candidates candidates(std::size_t part, const Budget& budget) const override {
        if (part != free_) return {};
        const auto rest = add_up(forms_, 1, budget);
        if (!rest) return {};
        const Number target = tables_.forms().misere_nimber(rest->front());
        if (target >= free_size()) return {{}, Cover::All};
        return {{{Heap(target)}}, Cover::All};
    }

    std::string reason() const override {
        return free_ ? "the other heaps, by their canonical misere form, lose with exactly one "
                       "size of nim heap beside them"
                     : "the canonical misere forms of the heaps were played out";
    }

  private:
    Number free_size() const {
        return free_ ? *nim_size(parts_[*free_], *parts_[*free_].place.heap) : 0;
    }

    std::optional<Form> form_of(const Part& part, const Heap& heap,
                                const Budget& budget) const {
        if (const auto size = nim_size(part, heap)) {
            if (*size > kLargestNimForm) return std::nullopt;
            return tables_.forms().nim_heap(*size, budget);
        }
        const auto number =
            part.number ? tables_.graph().find(part.ruleset, heap) : std::nullopt;
        return number ? tables_.form(*number, budget) : std::nullopt;
    }

    // Adds forms until at most `count` are left, but at least one; always the two that were
    // made first, which are small as a rule.
    std::optional<std::vector<Form>> add_up(std::vector<Form> forms, std::size_t count,
                                            const Budget& budget) const {
        constexpr std::greater<> kFirstMet;  // on top of the heap
        std::ranges::make_heap(forms, kFirstMet);
        BudgetPoll poll(budget, kPollSummands);
        while (forms.size() > count) {
            if (poll.is_spent()) return std::nullopt;
            std::ranges::pop_heap(forms, kFirstMet);
            const Form first = forms.back();
            forms.pop_back();
            std::ranges::pop_heap(forms, kFirstMet);
            const auto sum = tables_.forms().add(first, forms.back(), budget);
            if (!sum) return std::nullopt;
            forms.back() = *sum;
            std::ranges::push_heap(forms, kFirstMet);
        }
        if (forms.empty()) forms.push_back(kZero);
        return forms;
    }

    // Does the previous player win these forms together with a nim heap?
    std::optional<bool> judge(std::vector<Form> forms, Number nim_heap,
                              const Budget& budget) const {
        if (free_) {
            const auto rest = add_up(std::move(forms), 1, budget);
            if (!rest) return std::nullopt;
            return tables_.forms().misere_nimber(rest->front()) == nim_heap;
        }
        const auto two = add_up(std::move(forms), 2, budget);
        if (!two) return std::nullopt;
        return tables_.forms().sum_is_previous_win(
            two->front(), two->size() > 1 ? two->back() : kZero, budget);
    }

    Tables& tables_;
    const std::vector<Part>& parts_;
    std::optional<std::size_t> free_;  // a nim heap that needs no form
    std::vector<Form> forms_;          // of the other heaps
    std::vector<std::size_t> places_;  // which these are
};

}  // namespace

std::unique_ptr<Way> find_form_way(Tables& tables, const std::vector<Part>& parts,
                                   const Budget& budget) {
    auto way = std::make_unique<FormWay>(tables, parts);
    if (!way->read_forms(budget)) return nullptr;
    if (auto tame = find_tame_way(tables, parts, budget)) return tame;
    return way;
}

}  // namespace engine::misere
