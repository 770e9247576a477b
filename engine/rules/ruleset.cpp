#include "engine/rules/ruleset.hpp"

#include <atomic>
#include <string>

#include "protocol/text.hpp"

namespace engine {

Error misread(std::string_view read, std::string_view expected) {
    return {Fault::BadInput,
            "read " + protocol::quoted(read) + ", expected " + std::string(expected)};
}

Error refuse_heap(const Heap& heap, std::string_view expected) {
    return misread(to_string(heap), expected);
}

std::uint64_t new_identity() {
    static std::atomic<std::uint64_t> last = 0;
    return ++last;
}

std::shared_ptr<const Listed::Results> Listed::results_of(const Heap& heap,
                                                          const GiveUp& give_up) const {
    constexpr std::size_t kPollEvery = 64;  // results
    constexpr std::size_t kResultBytes = 128;
    auto results = std::make_shared<Results>();
    bool is_given_up = false;
    list(heap, [&](std::vector<Heap> result) {
        results->push_back(std::move(result));
        is_given_up =
            results->size() % kPollEvery == 0 && give_up(results->size() * kResultBytes);
        return !is_given_up;
    });
    if (is_given_up) return nullptr;
    std::ranges::sort(*results);
    results->erase(std::unique(results->begin(), results->end()), results->end());
    return results;
}

std::shared_ptr<const Listed::Results> Listed::results_of(const Heap& heap) const {
    struct Last {
        std::uint64_t identity = 0;
        Heap heap;
        std::shared_ptr<const Results> results;
    };
    thread_local Last last;
    if (last.identity != identity_ || last.heap != heap) {
        last = {identity_, heap, results_of(heap, [](std::size_t) { return false; })};
    }
    return last.results;
}

bool Listed::is_follower(const Heap& heap, std::span<const Heap> result) const {
    const auto results = results_of(heap);
    return std::ranges::any_of(
        *results, [&](const auto& each) { return std::ranges::equal(each, result); });
}

std::vector<Heap> Listed::canonical(const Heap& heap, std::vector<Heap> result) const {
    if (result.size() < 2 || is_follower(heap, result)) return result;
    const auto results = results_of(heap);
    const auto same = std::ranges::find_if(
        *results, [&](const auto& each) { return std::ranges::is_permutation(each, result); });
    return same != results->end() ? *same : result;
}

std::optional<Followers> Listed::followers(const Heap& heap, const GiveUp& give_up) const {
    auto results = results_of(heap, give_up);
    if (!results) return std::nullopt;
    const Count count = results->size();
    return Followers{count,
                     [results = std::move(results)](Count index) { return (*results)[index]; }};
}

}  // namespace engine
