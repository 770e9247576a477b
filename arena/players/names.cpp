#include "arena/players/names.hpp"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "arena/base/counted.hpp"
#include "protocol/text.hpp"

namespace arena {

Names::Names(const std::vector<PlayerSpec>& players) {
    for (const PlayerSpec& player : players) {
        names_.push_back(player.name);
        given_.push_back(player.name_given);
    }
    settled_ = given_;
}

void Names::introduce(std::size_t player, std::string_view name) {
    const std::string shown = shown_name(protocol::trim(name));
    const std::lock_guard lock(mutex_);
    if (settled_[player] || shown.empty()) return;
    names_[player] = shown;
    settled_[player] = true;
    distinct_.clear();
    ++version_;
}

void Names::count_own_end(std::size_t player, std::string how) {
    const std::lock_guard lock(mutex_);
    OwnEnds& ends = own_ends_[player];
    if (ends.count++ == 0) ends.how = std::move(how);
}

void Names::count_chatter(std::size_t player, const Chatter& chatter) {
    const std::lock_guard lock(mutex_);
    Chatter& all = chatter_[player];
    if (all.lines == 0) all.first = chatter.first;
    all.lines += chatter.lines;
}

std::string Names::remarks() const {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> lines;
    for (const auto& [player, ends] : own_ends_) {
        lines.push_back(fmt::format("{}: its process {} after {}, without being sent `quit`",
                                    distinct()[player], ends.how, counted(ends.count, "game")));
    }
    for (const auto& [player, chatter] : chatter_) {
        lines.push_back(fmt::format(
            "{}: wrote {} that nobody asked for; expected such text on stderr, or as `info "
            "string …`; the first: {}",
            distinct()[player], counted(chatter.lines, "line"),
            protocol::quoted(chatter.first)));
    }
    return fmt::format("{}", fmt::join(lines, "\n"));
}

void Names::append(const std::string& name) {
    const std::lock_guard lock(mutex_);
    names_.push_back(name);
    settled_.push_back(true);
    given_.push_back(true);
}

std::size_t Names::size() const {
    const std::lock_guard lock(mutex_);
    return names_.size();
}

std::string Names::of(std::size_t player) const {
    const std::lock_guard lock(mutex_);
    return distinct()[player];
}

std::vector<std::string> Names::all() const {
    const std::lock_guard lock(mutex_);
    return distinct();
}

const std::vector<std::string>& Names::distinct() const {
    if (distinct_.size() != names_.size()) {
        distinct_ = names_;
        make_names_distinct(distinct_, given_);
    }
    return distinct_;
}

std::function<std::optional<std::vector<std::string>>()> Names::changes() const {
    return [this, version = -1,
            count = std::size_t{0}]() mutable -> std::optional<std::vector<std::string>> {
        const std::lock_guard lock(mutex_);
        if (version == version_ && count == names_.size()) return std::nullopt;
        version = version_;
        count = names_.size();
        return distinct();
    };
}

}  // namespace arena
