#include "engine/heaps/take_values.hpp"

#include "engine/heaps/closed_forms.hpp"
#include "engine/heaps/subtraction_table.hpp"

namespace engine {

std::shared_ptr<const TakeValues> make_take_values(const TakeSet& set) {
    if (auto formula = closed_form(set)) return formula;
    const Number factor = common_factor(set);
    if (factor == 1) return std::make_shared<SubtractionTable>(set);
    return std::make_shared<ScaledValues>(factor, make_take_values(divided(set, factor)));
}

}  // namespace engine
