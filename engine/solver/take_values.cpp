#include "engine/solver/take_values.hpp"

#include <algorithm>
#include <mutex>
#include <string>
#include <unordered_map>

#include "engine/solver/closed_forms.hpp"
#include "engine/solver/subtraction_table.hpp"

namespace engine {
namespace {

// The tables of this process, by their set. Those used longest ago go first; whoever uses one
// at the moment keeps it alive.
class Tables {
  public:
    std::shared_ptr<const TakeValues> find(const TakeSet& set) {
        const std::lock_guard lock(mutex_);
        Entry& entry = entries_[to_string(set)];
        if (!entry.table) entry.table = std::make_shared<SubtractionTable>(set);
        entry.last_used = ++clock_;
        auto table = entry.table;
        make_room();
        return table;
    }

  private:
    static constexpr std::size_t kMaxTables = 256;
    static constexpr std::size_t kMaxBytes = std::size_t{256} << 20;

    struct Entry {
        std::shared_ptr<const SubtractionTable> table;
        std::uint64_t last_used = 0;
    };

    // A set takes some 16 bytes a byte of its text, twice while the table grows.
    static std::size_t bytes_of(const std::string& text, const Entry& entry) {
        return 32 * text.size() + entry.table->bytes();
    }

    void make_room() {
        std::size_t bytes = 0;
        for (const auto& [text, entry] : entries_) bytes += bytes_of(text, entry);
        while (entries_.size() > 1 && (entries_.size() > kMaxTables || bytes > kMaxBytes)) {
            const auto oldest = std::ranges::min_element(
                entries_, {}, [](const auto& item) { return item.second.last_used; });
            bytes -= std::min(bytes, bytes_of(oldest->first, oldest->second));
            entries_.erase(oldest);
        }
    }

    std::mutex mutex_;
    std::unordered_map<std::string, Entry> entries_;
    std::uint64_t clock_ = 0;
};

}  // namespace

std::shared_ptr<const TakeValues> find_take_values(const TakeSet& set) {
    static Tables tables;
    if (auto formula = closed_form(set)) return formula;
    const Number factor = common_factor(set);
    if (factor == 1) return tables.find(set);
    return std::make_shared<ScaledValues>(factor, find_take_values(divided(set, factor)));
}

}  // namespace engine
