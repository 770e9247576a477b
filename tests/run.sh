#!/usr/bin/env bash
# Installs what is missing, builds, and runs tests: tests/run.sh [PRESET] [PART].
# PRESET: release (the default), dev, asan, tsan. PART: all (the default), everything but kits and cluster;
# unit: the GoogleTests and the corpora of the fuzz targets, without the programs' end-to-end tests;
# kits: the starter kits of `nim-arena new`, for which it installs compilers of six languages.
# By hand: `ctest -L class`, a class of hostile submissions; cluster: many machines, for which it installs PostgreSQL and Slurm.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=release
case ${1:-} in
    '' | all | unit | kits | cluster) ;;
    *) preset=$1 && shift ;;
esac
part=${1:-all}
tools=()
at_once=2 # tests, for each core
case $part in
    all) target=all only=(-LE '^(kits|class|cluster)$') at_once=4 ;;
    unit) target=unit_tests only=(-L '^(gtest|fuzz)$') ;;
    kits) target=programs only=(-L '^kits$' --no-tests=error) tools=(kits) ;;
    cluster) target=programs only=(-L '^cluster$' --no-tests=error) tools=(cluster) ;;
    *)
        echo "tests/run.sh: read '$part', expected all, unit, kits or cluster" >&2
        exit 2
        ;;
esac
.ci/install "${tools[@]}"
cmake --preset "$preset" ${CI:+-DNIMARENA_WERROR=ON} >/dev/null
cmake --build --preset "$preset" --target "$target"
# A shared machine may stall a browser or a bot past its limit: CI repeats failed tests up to twice,
# and prints all runs. End-to-end tests wait most of the time, GoogleTests do not.
ctest --preset "$preset" --parallel "$(($(nproc) * at_once))" ${CI:+--repeat until-pass:3} "${only[@]}"
