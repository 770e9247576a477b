// Sums of tame heaps: misere nim.
#include <algorithm>

#include "engine/misere/way.hpp"

namespace engine::misere {
namespace {

constexpr std::size_t kMaxTameCandidates = 10'001;  // more than are listed

struct Value {
    Nimber normal;
    bool fickle = true;
};

class TameWay : public Way {
  public:
    TameWay(Tables& tables, const std::vector<Part>& parts) : Way(parts), tables_(tables) {}

    bool read_values(const Budget& budget) {
        for (const Part& part : parts_) {
            auto value = value_of(part, *part.place.heap, budget);
            if (!value) return false;
            total_.add(value->normal);
            if (!value->fickle) ++firm_count_;
            values_.push_back(*std::move(value));
        }
        return true;
    }

    std::optional<bool> is_previous_win(const Budget&) const override {
        return total_.value() == finite(firm_count_ == 0 ? 1 : 0);
    }

    std::optional<bool> is_previous_win(std::size_t part, std::span<const Heap> left,
                                        const Budget& budget) const override {
        TameSum sum;
        sum.add(others(part), others_are_fickle(part));
        for (const Heap& heap : left) {
            const auto value = value_of(parts_[part], heap, budget);
            if (!value) return std::nullopt;
            sum.add(value->normal, value->fickle);
        }
        return sum.is_previous_win();
    }

    std::optional<bool> is_previous_win_alone(std::size_t part, const Budget&) const override {
        TameSum sum;
        sum.add(values_[part].normal, values_[part].fickle);
        return sum.is_previous_win();
    }

    // To what makes the XOR 0; or 1, with fickle heaps only.
    Candidates candidates(std::size_t part, const Budget& budget) const override {
        const auto& [solver, rules, heap] = parts_[part].place;
        if (!solver->is_tame()) return {};
        std::vector<Nimber> targets{others(part)};
        if (others_are_fickle(part)) targets.push_back(nim_sum(targets.front(), finite(1)));
        Candidates candidates{{}, Cover::All};
        for (const Nimber& target : targets) {
            auto found = solver->list_followers(*heap, target, kMaxTameCandidates, budget);
            const bool all = solver->count_followers(*heap, target, budget).complete &&
                             found.size() < kMaxTameCandidates;
            if (!all) candidates.cover = Cover::None;
            for (auto& result : found) candidates.results.push_back(std::move(result));
        }
        return candidates;
    }

    std::string reason() const override {
        const bool wins = !*is_previous_win({});
        if (firm_count_ == 0) {
            return wins
                       ? "all heaps are tame, and fickle (genus 0 or 1), with XOR 0: the "
                         "winning moves make it 1 and keep to such heaps, as for an odd number "
                         "of heaps of one token, of which the opponent takes the last and loses"
                       : "all heaps are tame, and fickle (genus 0 or 1), with XOR 1, as for an "
                         "odd number of heaps of one token: the player to move takes the last "
                         "and loses";
        }
        return wins ? "all heaps are tame, one at least is firm, and the XOR is not 0: the "
                      "winning moves make it 0, or 1 where they leave fickle heaps only"
                    : "all heaps are tame, one at least is firm, and the XOR is 0: every move "
                      "makes it something else";
    }

  private:
    // nullopt: wild, or not found.
    std::optional<Value> value_of(const Part& part, const Heap& heap,
                                  const Budget& budget) const {
        if (part.place.solver->is_tame()) {
            auto nimber = part.place.solver->nimber(heap, budget);
            if (!nimber) return std::nullopt;
            const bool fickle = *nimber < finite(2);
            return Value{*std::move(nimber), fickle};
        }
        const auto number =
            part.number ? tables_.graph().find(part.ruleset, heap) : std::nullopt;
        const auto form = number ? tables_.form(*number, budget) : std::nullopt;
        if (!form || !tables_.is_tame(*number)) return std::nullopt;
        const std::uint64_t normal = tables_.forms().normal_nimber(*form);
        return Value{normal, normal != tables_.forms().misere_nimber(*form)};
    }

    Nimber others(std::size_t part) const {
        return nim_sum(total_.value(), values_[part].normal);
    }
    bool others_are_fickle(std::size_t part) const {
        return firm_count_ == (values_[part].fickle ? 0U : 1U);
    }

    Tables& tables_;
    std::vector<Value> values_;
    NimSum total_;
    std::size_t firm_count_ = 0;
};

}  // namespace

std::unique_ptr<Way> find_tame_way(Tables& tables, const std::vector<Part>& parts,
                                   const Budget& budget) {
    const auto can_be_tame = [](const Part& part) {
        return part.number || part.place.solver->is_tame();
    };
    if (!std::ranges::all_of(parts, can_be_tame)) return nullptr;
    auto way = std::make_unique<TameWay>(tables, parts);
    if (!way->read_values(budget)) return nullptr;
    return way;
}

}  // namespace engine::misere
