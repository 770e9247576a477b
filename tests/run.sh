#!/usr/bin/env bash
# Installs what is missing, builds, and runs tests: tests/run.sh [PRESET] [PART].
# PRESET: release (the default), dev, asan, tsan. PART: all (the default), everything but kits and cluster;
# unit: the GoogleTests and the corpora of the fuzz targets, without the programs' end-to-end tests;
# kits: the starter kits of `nim-arena new`, for which it installs compilers of six languages;
# stress [N]: all of it N times (10) beside busy loops and a process that writes the disk, and which tests failed how often.
# By hand: `ctest --preset release -L class`, a class of hostile submissions; cluster: many machines, for which it installs PostgreSQL and Slurm.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=release
case ${1:-} in
    '' | all | unit | kits | cluster | stress) ;;
    *) preset=$1 && shift ;;
esac
part=${1:-all}
tools=()
at_once=2 # tests, for each core
case $part in
    all | stress) target=all only=(-LE '^(kits|class|cluster)$') at_once=4 ;; # most of their time they wait
    unit) target=unit_tests only=(-L '^(gtest|fuzz)$') ;;
    kits) target=programs only=(-L '^kits$' --no-tests=error) tools=(kits) ;;
    cluster) target=programs only=(-L '^cluster$' --no-tests=error) tools=(cluster) ;;
    *)
        echo "tests/run.sh: read '$part', expected all, unit, kits, cluster or stress" >&2
        exit 2
        ;;
esac
runs=${2:-10}
if [ "$part" = stress ] && ! [[ $runs =~ ^[1-9][0-9]{0,3}$ ]]; then
    echo "tests/run.sh: stress: read '$runs', expected how often, 1 to 9999" >&2
    exit 2
fi
.ci/install "${tools[@]}"
cmake --preset "$preset" ${CI:+-DNIMARENA_WERROR=ON} >/dev/null
cmake --build --preset "$preset" --target "$target"
run_tests=(ctest --preset "$preset" --parallel "$(($(nproc) * at_once))" "${only[@]}")
[ "$part" = stress ] || exec "${run_tests[@]}"

# Two busy loops for each core, and a process that writes the disk, until this script ends.
scratch=$(mktemp -d)
load=()
trap 'kill "${load[@]}" 2>/dev/null || true; wait; rm -rf "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
for ((i = 0; i < 2 * $(nproc); i++)); do
    (while :; do :; done) &
    load+=($!)
done
(while :; do dd if=/dev/zero of="$scratch/file" bs=1M count=64 conv=fsync 2>/dev/null; done) &
load+=($!)

failures=$scratch/failures
: >"$failures"
for ((i = 1; i <= runs; i++)); do
    echo "run $i of $runs"
    "${run_tests[@]}" >"$scratch/log" 2>&1 && continue
    cat "$scratch/log" # what failed, and why
    sed -n 's/^[[:space:]]*[0-9]* - \(.*\) (.*$/\1/p' "$scratch/log" >>"$failures"
done
if [ -s "$failures" ]; then
    echo "Failed in $runs runs:"
    sort "$failures" | uniq -c | sort -rn
    exit 1
fi
echo "No test failed in $runs runs."
