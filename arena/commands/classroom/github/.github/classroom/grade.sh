#!/usr/bin/env bash
# Grades the commit that is checked out, without .github, and prints its report. The points are in
# $RUNNER_TEMP/grades/submission/classroom.json.
set -euo pipefail
mkdir "$RUNNER_TEMP/submission"
git archive HEAD | tar --extract --exclude=.github --directory "$RUNNER_TEMP/submission"
nim-arena grade .github/classroom/rubric.toml "$RUNNER_TEMP/submission" \
    --results "$RUNNER_TEMP/grades" --quiet --budget 25m
cat "$RUNNER_TEMP/grades/submission/report.txt"
