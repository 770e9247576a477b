#!/usr/bin/env bash
# Runs under ThreadSanitizer all that shares memory between threads: the programs, the rooms
# of the arena that have threads, and the solver's tables. Run it when threads change; it builds
# most of the project, which takes long. A race ends a program with status 66.
set -euo pipefail
cd "$(dirname "$0")/.."
.ci/install
cmake --preset tsan >/dev/null
cmake --build --preset tsan --target programs engine_test arena_rooms_test arena_run_test arena_web_test
ctest --preset tsan --parallel "$(nproc)" \
    -R '^(e2e|hostile[.]sockets)|Lobby|Roster|Tls|Director|Worker|Recording|Clinic|Live|Lane|Server|Questions'
export TSAN_OPTIONS=suppressions=$PWD/tests/thread_sanitizer.supp
for program in engine_test arena_rooms_test arena_run_test; do
    build/tsan/tests/bin/$program --gtest_brief=1 --gtest_filter='*Threads*'
done
