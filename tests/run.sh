#!/usr/bin/env bash
# Installs what is missing, builds, and runs tests: tests/run.sh [PRESET [PART]].
# PRESET: release (the default), dev, asan, tsan. PART: all (the default), or unit: the GoogleTests
# and the corpora of the fuzz targets, without the programs' end-to-end tests.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${1:-release}
part=${2:-all}
case $part in
    all) target=all only=() ;;
    unit) target=unit_tests only=(-L '^(gtest|fuzz)$') ;;
    *)
        echo "tests/run.sh: read '$part', expected all or unit" >&2
        exit 2
        ;;
esac
.ci/install
cmake --preset "$preset" ${CI:+-DNIMARENA_WERROR=ON} >/dev/null
cmake --build --preset "$preset" --target "$target"
# A machine that others use may stall a browser or a bot past its limit: CI tries once more what
# failed, and prints both.
ctest --preset "$preset" --parallel "$(nproc)" ${CI:+--repeat until-pass:2} "${only[@]}"
