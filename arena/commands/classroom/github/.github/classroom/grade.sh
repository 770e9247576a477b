#!/usr/bin/env bash
# Grades the commit that is checked out, without .github, and prints its report. The points are in
# grades/submission/classroom.json in the folder for temporary files.
set -euo pipefail
temp=${RUNNER_TEMP:-${TMPDIR:-/tmp}} # not all runners say it
rm -rf "$temp/submission"
mkdir "$temp/submission"
git archive HEAD | tar --extract --exclude=.github --directory "$temp/submission"
nim-arena grade .github/classroom/rubric.toml "$temp/submission" \
    --results "$temp/grades" --quiet --budget 25m
cat "$temp/grades/submission/report.txt"
