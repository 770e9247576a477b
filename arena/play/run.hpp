// Contests from their options to their exit status: what match, tournament and serve run.
#pragma once

#include <cstdio>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "arena/base/background_file.hpp"
#include "arena/base/interrupts.hpp"
#include "arena/play/play_setup.hpp"
#include "arena/play/spectator.hpp"
#include "arena/play/tournament_options.hpp"
#include "arena/process/guardian.hpp"
#include "arena/record/store.hpp"
#include "engine/sums/analyst.hpp"

namespace arena {

// Writes the pages of a contest, for --report: prepares a folder before the first game, and
// fills it after the last one, soon once `stop` is requested.
struct ReportWriter {
    std::function<protocol::Result<void>(const std::string& folder)> prepare;
    std::function<protocol::Result<void>(const std::string& folder, Store&,
                                         const engine::Analyst&, std::stop_token stop)>
        write;
};

// Plays what is missing of the contest that the options name, and gives the exit status
// (exit_codes.hpp). A signal that interrupts drops the games in progress: they are played when
// the same command is run again. With `options.lobby`, players dial in.
int run_contest(const TournamentOptions& options, const Guardian& guardian,
                const ReportWriter& report, const OpenSpectator& open_spectator = {});

class Lobby;
class Roster;

// What a contest is played with. The references and pointers must outlive it.
struct ContestParts {
    const TournamentOptions& options;
    const Guardian& guardian;
    const ReportWriter& report;
    Store& store;
    Interrupts& interrupts;
    PlaySetup setup;
    std::unique_ptr<BackgroundFile> jsonl;  // may be null
    Spectator* spectator = nullptr;         // may be null
    Lobby* lobby = nullptr;  // where players dial in; else null, as is the roster
    Roster* roster = nullptr;
};

// Plays the contest to its end; its players are in the store. Returns the exit status.
int play_contest(ContestParts parts);

// The stream for people: standard output, unless a program reads that.
std::FILE* console_of(const TournamentOptions& options);

}  // namespace arena
