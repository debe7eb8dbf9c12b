#!/bin/sh
# The tour that `make run` shows: a disk that rolls and leans on a table, from what it is to how it moves.
# Argument: the build folder.
set -eu
build=${1:-build}
files=$build/tour
mkdir -p "$files"

title() { printf '\n\033[1m%s\033[0m\n' "$*"; }
run() {
  printf '$ dalembert'
  for word in "$@"; do case $word in *[\ \'\(]*) printf ' "%s"' "$word" ;; *) printf ' %s' "$word" ;; esac; done
  printf '\n'
  "$build/dalembert" "$@"
}

title "1. What it is"
run check models:rolling_disk_tilted
title "2. Its equations"
run derive models:rolling_disk_tilted
title "3. The forces of the table on it, at the start"
run reactions models:rolling_disk_tilted
title "4. Its motion"
run simulate models:rolling_disk_tilted -o "$files/disk.csv"
run simulate models:rolling_disk_tilted --columns "X,Y,theta,reaction(along),reaction(across)" -o "$files/disk.svg"
title "5. Is it right? Each principle against the others"
run verify models:rolling_disk_tilted

title "Files"
echo "the model      models/rolling_disk_tilted.toml"
echo "the motion     $files/disk.csv"
echo "plots of it    $files/disk.svg"
echo "Next: docs/tutorial.md, and \`$build/dalembert models\` for more systems."
