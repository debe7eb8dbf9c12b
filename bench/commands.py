#!/usr/bin/env python3
"""How long every command takes on every bundled model, and how much it writes.

Prints each that takes more than --seconds of processor time, writes more than --kilobytes to be read by people, is
refused for its size or ends by a status that is not documented; then the slowest and the longest of each command.
commands.py PROGRAM [--models NAME,...] [--seconds 2] [--kilobytes 20] [--only WORD]
"""
import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile

PRINCIPLES = ["multipliers", "reduced", "hamel", "projection", "gauss"]
COMMANDS = (
    [["check"], ["frame"], ["gauss"], ["verify"], ["action"], ["equilibria"], ["linearize", "--frozen"]]
    + [["derive", "--by", each] for each in PRINCIPLES]
    + [["reactions"], ["reactions", "--by", "hamel"], ["reactions", "--by", "projection"]]
    + [[command, "--as", "latex"] for command in ("derive", "reactions", "check", "frame", "gauss")]
    + [["derive", "--by", "hamel", "--as", "latex"], ["derive", "--as", "json"], ["derive", "--as", "c"]]
    + [["derive", "--by", "hamel", "--as", "json"], ["derive", "--by", "hamel", "--as", "c"]]
    + [["check", "--json"], ["reactions", "--json"], ["frame", "--json"], ["hodograph"], ["simulate"]]
    + [["simulate", "--by", each] for each in PRINCIPLES[1:]]
    + [["reactions", "--along"], ["derive", "--expand"], ["export"]]
)
DATA = {"simulate", "hodograph", "--json", "json", "c", "export", "--expand"}  # numbers and programs, not pages
TOO_LARGE = ("too large", "too long", "too many", "characters", "as large as", "coordinates the constraints are not completed")


def run(program, command, model, folder):
    arguments = [program, command[0], "models:" + model, *command[1:]]
    if command[0] == "export":
        arguments += ["-o", os.path.join(folder, "exported.c")]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(arguments, capture_output=True, stdin=subprocess.DEVNULL, timeout=300)
        status, out, err = done.returncode, done.stdout, done.stderr.decode(errors="replace")
    except subprocess.TimeoutExpired:
        status, out, err = "timeout", b"", ""
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return status, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, out, err


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--models", help="names, with commas; default: all bundled ones")
    parser.add_argument("--only", default="", help="commands that contain this")
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--kilobytes", type=float, default=20)
    options = parser.parse_args()
    listed = subprocess.run([options.program, "models", "--json"], capture_output=True, check=True).stdout
    models = options.models.split(",") if options.models else [each["name"] for each in json.loads(listed)["models"]]
    commands = [each for each in COMMANDS if options.only in " ".join(each)]
    missed, slowest, longest = 0, {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for model in models:
            for command in commands:
                status, seconds, out, err = run(options.program, command, model, folder)
                name = " ".join(command)
                slowest[name] = max(slowest.get(name, (0, "")), (seconds, model))
                longest[name] = max(longest.get(name, (0, "")), (len(out), model))
                reasons = [f"status {status}"] if status not in (0, 1, 2, 3) else []
                if seconds > options.seconds:
                    reasons.append(f"{seconds:.1f} s")
                if len(out) > 1e3 * options.kilobytes and not DATA & set(command):
                    reasons.append(f"{len(out) / 1e3:.1f} kB")
                if status != 0 and any(word in err for word in TOO_LARGE):
                    reasons.append(err.strip())
                missed += bool(reasons)
                if reasons:
                    print(f"{name} models:{model}: {', '.join(reasons)}", flush=True)
    print(f"\n{'command':32} {'seconds':>8}  {'slowest':26} {'kB':>8}  longest")
    for name in slowest:
        print(f"{name:32} {slowest[name][0]:8.2f}  {slowest[name][1]:26} {longest[name][0] / 1e3:8.1f}  {longest[name][1]}")
    print(f"{len(models) * len(commands)} runs, {missed} beyond what is wanted")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
