#include "engine/base/memory.hpp"

#include <mutex>
#include <vector>

namespace engine {
namespace {

std::atomic<std::size_t> limit_bytes = Memory::kDefaultLimit;
std::atomic<std::size_t> used_bytes = 0;

std::mutex& droppers_mutex() {
    static std::mutex mutex;
    return mutex;
}

std::vector<std::function<bool()>>& droppers() {
    static std::vector<std::function<bool()>> all;
    return all;
}

std::atomic<std::size_t> shared_questions = 0;  // being answered
thread_local SharedQuestion* this_question = nullptr;

// Drops one unused table; returns false if there is none.
bool drop_one() {
    std::vector<std::function<bool()>> all;
    {
        const std::lock_guard lock(droppers_mutex());
        all = droppers();
    }
    for (const auto& drop : all) {
        if (drop()) return true;
    }
    return false;
}

bool take(std::size_t bytes) {
    std::size_t used = used_bytes;
    do {
        const std::size_t limit = limit_bytes;
        if (used > limit || bytes > limit - used) return false;
    } while (!used_bytes.compare_exchange_weak(used, used + bytes));
    return true;
}

}  // namespace

void Memory::set_limit(std::size_t bytes) {
    limit_bytes = bytes;
    while (used_bytes > limit_bytes && drop_one()) {
    }
}

std::size_t Memory::limit() { return limit_bytes; }

std::size_t Memory::used() { return used_bytes; }

void Memory::on_shortage(std::function<bool()> drop) {
    const std::lock_guard lock(droppers_mutex());
    droppers().push_back(std::move(drop));
}

bool Reservation::resize(std::size_t bytes) {
    if (bytes <= bytes_) {
        used_bytes -= bytes_ - bytes;
        if (payer_ != nullptr) *payer_ -= bytes_ - bytes;
        bytes_ = bytes;
        return true;
    }
    // The question of this thread pays for all of it, also for what another one has paid so
    // far.
    const SharedQuestion* const question = this_question;
    const bool pays_already = question != nullptr && payer_ == question->held_;
    const std::size_t more = bytes - (pays_already ? bytes_ : 0);
    if (question != nullptr && !question->has_room(more)) return false;
    while (!take(bytes - bytes_)) {
        if (!drop_one()) return false;
    }
    if (!pays_already && payer_ != nullptr) *payer_ -= bytes_;
    payer_ = question != nullptr ? question->held_ : nullptr;
    if (payer_ != nullptr) *payer_ += more;
    bytes_ = bytes;
    return true;
}

SharedQuestion::SharedQuestion(std::size_t wish)
    : wish_(wish), held_(std::make_shared<std::atomic<std::size_t>>(0)) {
    ++shared_questions;
    this_question = this;
}

SharedQuestion::~SharedQuestion() {
    this_question = nullptr;
    --shared_questions;
}

bool SharedQuestion::has_room(std::size_t more) const {
    const std::size_t most = std::min(wish_, Memory::limit() / (shared_questions + 1));
    const std::size_t held = *held_;
    return held <= most && more <= most - held;
}

}  // namespace engine
