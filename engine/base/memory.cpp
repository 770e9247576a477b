#include "engine/base/memory.hpp"

#include <atomic>
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
std::atomic<std::uint64_t> last_question = 0;
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
    if (bytes == bytes_) return true;
    if (bytes < bytes_) {
        used_bytes -= bytes_ - bytes;
        SharedQuestion* const payer = this_question;
        if (payer != nullptr && payer->id_ == question_) payer->held_ -= bytes_ - bytes;
        bytes_ = bytes;
        return true;
    }
    SharedQuestion* const question = this_question;
    if (question != nullptr && !question->pay(bytes_, bytes, question_)) return false;
    while (!take(bytes - bytes_)) {
        if (drop_one()) continue;
        if (question != nullptr) question->repay(bytes_, bytes, question_);
        return false;
    }
    bytes_ = bytes;
    if (question != nullptr) question_ = question->id_;
    return true;
}

SharedQuestion::SharedQuestion(std::size_t wish) : wish_(wish), id_(++last_question) {
    ++shared_questions;
    this_question = this;
}

SharedQuestion::~SharedQuestion() {
    this_question = nullptr;
    --shared_questions;
}

bool SharedQuestion::pay(std::size_t before, std::size_t after, std::uint64_t payer) {
    const std::size_t more = after - (payer == id_ ? before : 0);
    const std::size_t most = std::min(wish_, Memory::limit() / (shared_questions + 1));
    if (held_ > most || more > most - held_) return false;
    held_ += more;
    return true;
}

void SharedQuestion::repay(std::size_t before, std::size_t after, std::uint64_t payer) {
    held_ -= after - (payer == id_ ? before : 0);
}

}  // namespace engine
