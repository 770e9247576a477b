#!/usr/bin/env bash
# Installs what is missing, builds, and shows the arena at work: a round of pairings between four
# engines over pipes, one match over TCP, and a table of it all.  arena/demo.sh [GAMES a pairing]
set -euo pipefail
cd "$(dirname "$0")/.."
games=${1:-20}
.ci/install
echo "Building (a few minutes the first time) ..."
cmake --preset release >/dev/null
cmake --build --preset release >/dev/null
bin=build/release/bin
results=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$results"' EXIT

declare -A players=(
    [engine]="$bin/nim-engine" [random]="$bin/nim-random" [greedy]="$bin/nim-greedy"
    [python]="python3 bots/python/nim_bot.py")

play() { # PLAYER PLAYER NAME: the match as anybody would type it, its games kept for the table
    echo
    echo "\$ nim-arena match '$1' '$2' --games $games"
    "$bin/nim-arena" match "$1" "$2" --games "$games" --seed 1 --jsonl "$results/$3.jsonl"
}

for pairing in engine-random engine-greedy engine-python random-greedy random-python greedy-python
do
    play "${players[${pairing%-*}]}" "${players[${pairing#*-}]}" "$pairing"
done

# nim-engine says which port it got.
coproc server_output { exec "$bin/nim-engine" --listen 127.0.0.1:0; }
server=$server_output_PID
read -r -u "${server_output[0]}" _ _ address
play "tcp://$address" "$bin/nim-greedy" tcp

echo
echo "All games together:"
python3 - "$bin/nim-engine" "$results" <<'PYTHON'
import functools, json, pathlib, subprocess, sys

engine, results = sys.argv[1:]

@functools.cache
def first_wins(position):
    out = subprocess.run([engine, "eval", "--json", position], capture_output=True, check=True)
    return json.loads(out.stdout)["outcome"] == "N"

table = {}
for file in pathlib.Path(results).glob("*.jsonl"):
    for game in map(json.loads, file.open()):
        winning_seat = "p1" if first_wins(game["position"]) else "p2"
        for seat in ("p1", "p2"):
            row = table.setdefault(game[seat], [0, 0, 0, 0])
            row[0] += 1
            row[1] += game["winner"] == seat
            row[2] += winning_seat == seat
            row[3] += winning_seat == seat and game["winner"] == seat
print(f"{'player':<20}{'games':>8}{'wins':>8}{'stood won':>12}{'of these won':>14}")
for name, (games, wins, won_starts, kept) in sorted(table.items(), key=lambda r: -r[1][1]):
    print(f"{name:<20}{games:>8}{wins:>8}{won_starts:>12}{kept:>14}")
PYTHON
