#!/usr/bin/env bash
# Installs what is missing, builds the programs, and shows the arena at work: a game move by move,
# and a tournament of five players, one of them over TCP.  arena/demo.sh [GAMES a pairing, even]
set -euo pipefail
cd "$(dirname "$0")/.."
games=${1:-20}
.ci/install programs
echo "Building the programs; the first time takes a few minutes ..."
cmake --preset release -DBUILD_TESTING=OFF >/dev/null
cmake --build --preset release --target programs
bin=build/release/bin
records=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$records"' EXIT

echo
echo "A bot of one page of Python against perfect play:"
echo "\$ $bin/nim-arena tournament --player 'cmd=\"python3 bots/python/nim_bot.py\"' --player cmd=builtin:perfect ..."
"$bin/nim-arena" tournament --quiet --analysis 0 --seed 1 --position nim:3,4,5 \
    --record "$records/game.db" --player 'cmd="python3 bots/python/nim_bot.py"' \
    --player cmd=builtin:perfect >/dev/null
"$bin/nim-arena" show "$records/game.db" 1.1.1.1.1.1 | sed -n '/^ *nim:/,$p'

# nim-engine says which port it got.
coproc server_output { exec "$bin/nim-engine" --listen 127.0.0.1:0; }
server=$server_output_PID
read -r -u "${server_output[0]}" _ _ address
echo
echo "All against all, $games games each, the engine over TCP; then what each made of its positions:"
"$bin/nim-arena" tournament --games "$games" --seed 1 --record "$records/all.db" --quiet \
    --player "cmd=tcp://$address name=engine" --player "cmd=$bin/nim-random" \
    --player "cmd=$bin/nim-greedy" --player 'cmd="python3 bots/python/nim_bot.py"' \
    --player cmd=builtin:eps:0.1

cat <<TEXT

Try next:
  $bin/nim-arena web                                      # play in a browser
  $bin/nim-arena match "python3 bots/python/nim_bot.py" builtin:perfect --games 10
  $bin/nim-engine eval 'kayles:10,7+nim:4'                # who wins, by which moves, and why
TEXT
