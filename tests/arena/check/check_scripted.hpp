// Runs a whole check of a scripted bot.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "arena/check/check.hpp"
#include "tests/arena/check/scripted_bot.hpp"
#include "tests/arena/loop.hpp"

namespace arena {

using Ids = std::vector<std::string>;  // of points

inline CheckOptions usual_options() {
    CheckOptions options;
    options.player = *parse_player("./bot");
    options.player_text = "./bot";
    options.movetime = Milliseconds(400);
    options.margin = Milliseconds(100);
    options.seed = 1;
    return options;
}

struct Checked {
    CheckReport report;
    std::string text;  // as printed

    Ids with(PointVerdict verdict) const {
        Ids ids;
        for (const PointResult& point : report.points) {
            if (point.verdict == verdict) ids.push_back(point.id);
        }
        return ids;
    }
    Ids failed() const { return with(PointVerdict::Failed); }
    Ids noted() const { return with(PointVerdict::Note); }
    Ids not_checked() const { return with(PointVerdict::NotChecked); }
    const PointResult& operator[](std::string_view id) const {
        const auto found = std::ranges::find(report.points, id, &PointResult::id);
        if (found == report.points.end()) throw std::out_of_range(std::string(id));
        return *found;
    }
    // "> bestmove 1=0" was received, "< quit" sent.
    Ids lines(std::string_view id) const {
        Ids lines;
        for (const SaidLine& line : (*this)[id].lines)
            lines.push_back((line.sent ? "< " : "> ") + line.text);
        return lines;
    }
};

// What a file that is written to holds.
inline std::string content(std::FILE* file) {
    std::string text(static_cast<std::size_t>(std::ftell(file)), '\0');
    std::rewind(file);
    EXPECT_EQ(std::fread(text.data(), 1, text.size(), file), text.size());
    return text;
}

// `start` makes a process of the bot at the time `now`, or says why not.
inline Checked check_scripted_by(const ScriptedPeer::Start& start, Clock::time_point& now,
                                 const CheckOptions& options) {
    Checked checked;
    const MakePeer make_peer = [&](const PlayerSpec& spec) {
        return std::make_unique<ScriptedPeer>(spec, start, now);
    };
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), &std::fclose);
    Console console(file.get());
    Loop loop;
    loop.finish(check_bot(options, make_peer, checked.report, console));
    checked.text = content(file.get());
    return checked;
}

inline Checked check_scripted(const CheckOptions& options, const Script& script) {
    Clock::time_point now{std::chrono::hours(1)};
    const ScriptedPeer::Start start = [&](const PlayerSpec& spec) {
        auto bot = std::make_unique<Bot>(now, spec);
        script(*bot);
        return bot;
    };
    return check_scripted_by(start, now, options);
}

inline Checked check_scripted(const Script& script) {
    return check_scripted(usual_options(), script);
}

}  // namespace arena
