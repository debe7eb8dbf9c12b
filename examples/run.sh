#!/bin/sh
# The tour that `make run` shows. Argument: the build folder.
set -eu
build=${1:-build}
exec "$build/examples/double_pendulum"
