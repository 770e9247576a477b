// Values kept for later questions as far as the memory allows.
#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/base/memory.hpp"

namespace engine {

// Values by their key. Those used last stay, as many as the limits of this cache and `Hash`
// allow. The latest stays however large it is, so that at most one is kept for which there was
// no memory. Values live on with their users. Thread-safe; an object of it lives as long as the
// process.
template <typename Key, typename Value, typename Hash = std::hash<Key>>
class Cache {
  public:
    using Pointer = std::shared_ptr<Value>;

    // `most_bytes`: of what add() is told.
    Cache(std::size_t most_entries, std::size_t most_bytes)
        : most_entries_(most_entries), most_bytes_(most_bytes) {
        Memory::on_shortage([this] { return drop_oldest_unused(); });
    }
    Cache(const Cache&) = delete;
    Cache& operator=(const Cache&) = delete;

    // Null: there is none. Any key that Hash and == understand will do.
    template <typename LikeKey>
    Pointer find(const LikeKey& key) {
        const std::lock_guard lock(mutex_);
        const auto found = by_key_.find(key);
        return found == by_key_.end() ? nullptr : use(found->second);
    }

    // The one used last of which `fits(value)` is true. That may take long: no lock is held
    // meanwhile.
    template <typename Fits>
    Pointer find_if(const Fits& fits) {
        std::vector<std::pair<Key, Pointer>> all;
        {
            const std::lock_guard lock(mutex_);
            for (const Entry& entry : entries_) all.emplace_back(*entry.key, entry.value);
        }
        for (const auto& [key, value] : all) {
            if (!fits(*value)) continue;
            find(key);  // from now on the one used last
            return value;
        }
        return nullptr;
    }

    // Takes the one used last out of the cache. Null: it is empty.
    Pointer take() {
        Entries taken;
        const std::lock_guard lock(mutex_);
        if (entries_.empty()) return nullptr;
        move_out(entries_.begin(), taken);
        return std::move(taken.front().value);
    }

    // Keeps a value that holds `bytes` for which nobody has reserved memory. Returns the one
    // that is there already, if another thread was faster.
    Pointer add(Key key, Pointer value, std::size_t bytes) {
        Entries dropped;  // destroyed after the lock is released
        Entries added;
        added.push_back({nullptr, value, {}, bytes});
        const bool fits = added.front().memory.resize(bytes);
        const std::lock_guard lock(mutex_);
        const auto [place, is_new] = by_key_.try_emplace(std::move(key), added.begin());
        if (!is_new) return use(place->second);
        added.front().key = &place->first;
        entries_.splice(entries_.begin(), added);
        bytes_ += bytes;
        if (!fits && refused_) move_out(*refused_, dropped);
        if (!fits) refused_ = entries_.begin();
        while (entries_.size() > 1 &&
               (entries_.size() > most_entries_ || bytes_ > most_bytes_)) {
            move_out(std::prev(entries_.end()), dropped);
        }
        return value;
    }

  private:
    struct Entry {
        const Key* key;
        Pointer value;
        Reservation memory;
        std::size_t bytes;
    };
    using Entries = std::list<Entry>;
    using Place = typename Entries::iterator;

    Pointer use(Place entry) {
        entries_.splice(entries_.begin(), entries_, entry);
        return entry->value;
    }

    void move_out(Place entry, Entries& to) {
        bytes_ -= entry->bytes;
        if (refused_ == entry) refused_.reset();
        by_key_.erase(by_key_.find(*entry->key));
        to.splice(to.begin(), entries_, entry);
    }

    bool drop_oldest_unused() {
        Entries dropped;  // destroyed after the lock is released
        const std::lock_guard lock(mutex_);
        for (auto entry = entries_.end(); entry != entries_.begin();) {
            if ((--entry)->value.use_count() > 1) continue;
            move_out(entry, dropped);
            return true;
        }
        return false;
    }

    const std::size_t most_entries_;
    const std::size_t most_bytes_;
    std::mutex mutex_;
    Entries entries_;  // the one used last in front
    std::size_t bytes_ = 0;
    std::optional<Place> refused_;  // the one for which there was no memory
    std::unordered_map<Key, Place, Hash, std::equal_to<>> by_key_;
};

// Lets a string be found by a view of it.
struct TextHash : std::hash<std::string_view> {
    using is_transparent = void;
};

}  // namespace engine
