// A contest from its first game to its last line, once all that it needs is open.
#pragma once

#include <cstdio>
#include <memory>

#include "arena/base/interrupts.hpp"
#include "arena/play/play_setup.hpp"
#include "arena/play/run.hpp"
#include "arena/record/json_line.hpp"

namespace arena {

class Lobby;
class Roster;

// All but the setup and the file outlives the contest.
struct ContestParts {
    const TournamentOptions& options;
    const Guardian& guardian;
    const ReportWriter& report;
    Store& store;
    Interrupts& interrupts;
    PlaySetup setup;
    std::unique_ptr<LineFile> jsonl;  // may be null
    Spectator* spectator = nullptr;   // may be null
    Lobby* lobby = nullptr;           // where players dial in; else null, as is the roster
    Roster* roster = nullptr;
};

// Who plays is in the store, and in the format of the options. Gives the exit status.
int play_contest(ContestParts parts);

// The stream for people: standard output, unless a program reads that.
std::FILE* console_of(const TournamentOptions& options);

}  // namespace arena
