#!/bin/bash
# Workers on many machines by ssh, with GNU parallel: workers.sh URL HOSTS
# HOSTS is a file with a line a machine, as ssh names it. Each has nim-arena installed, and in its home
# directory players.toml, the players that this names, and the password in .pgpass (mode 600). The
# output of each machine is shown behind its name. Ctrl-C ends all; games that ran are played anew by
# others.
set -euo pipefail
record=${1:?expected the URL of the record, postgresql://USER@HOST/DATABASE}
hosts=${2:?expected a file of machines}
exec parallel --nonall --line-buffer --tag --sshloginfile "$hosts" \
    nim-arena work "$record" --players players.toml --idle 10m
