#!/usr/bin/env bash
# Installs what is missing, builds, and runs all tests: tests/run.sh [PRESET], release by default.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${1:-release}
.ci/install
cmake --preset "$preset" ${CI:+-DNIMARENA_WERROR=ON} >/dev/null
cmake --build --preset "$preset"
ctest --preset "$preset" --parallel "$(nproc)"
