#!/usr/bin/env bash
# Gradescope runs this once, as root, when it builds the image of the autograder: nim-arena is
# installed from the package beside this script, unless the image has it already.
set -euo pipefail
cd "$(dirname "$0")"
if ! command -v nim-arena >/dev/null; then
    packages=(nimarena_*.deb)
    if [ ! -e "${packages[0]}" ]; then
        echo "setup.sh: found neither nim-arena nor nimarena_*.deb beside this script; add the" \
            "package to the zip file" >&2
        exit 1
    fi
    # Without network this does, where the image has all that the package needs.
    if ! dpkg --install "./${packages[0]}"; then
        apt-get update
        apt-get install --yes --fix-broken "./${packages[0]}" bubblewrap python3
    fi
fi
nim-arena --version
