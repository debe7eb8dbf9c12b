#!/usr/bin/env python3
"""The same input gives the same bytes, however busy the machine is.

Runs commands on every bundled model twice, the second time beside processes that keep the machine busy, and compares
both streams (of simulate, whose summary tells the time it took, what it computed) and the exit status. check_same_bytes.py COMMAND [--models NAME,...] [--load 4] [--seconds 600]
"""
import argparse
import json
import multiprocessing
import subprocess
import sys

COMMANDS = [
    ["check"],
    ["derive"],
    ["derive", "--by", "reduced"],
    ["derive", "--by", "hamel"],
    ["derive", "--by", "gauss"],
    ["derive", "--by", "projection"],
    ["derive", "--as", "json"],
    ["reactions"],
    ["derive", "--as", "latex"],
    ["derive", "--as", "c"],
    ["reactions", "--by", "hamel"],
    ["reactions", "--by", "projection"],
    ["frame"],
    ["gauss"],
    ["hodograph"],
    ["verify"],
    ["action"],
    ["linearize", "--frozen"],
    ["equilibria"],
    ["simulate"],
]


def spin():
    while True:
        pass


def run(program, command, model, seconds):
    arguments = [program, command[0], "models:" + model, *command[1:]]
    try:
        done = subprocess.run(arguments, capture_output=True, timeout=seconds, stdin=subprocess.DEVNULL)
        told = b"" if command[0] == "simulate" else done.stderr  # where a summary tells how long the run took
        return done.returncode, done.stdout, told
    except subprocess.TimeoutExpired:
        return "timeout", b"", b""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--models", help="names, with commas; default: all bundled ones")
    parser.add_argument("--load", type=int, default=4, help="busy processes beside the second run")
    parser.add_argument("--seconds", type=float, default=600, help="for one command; one that takes longer fails")
    options = parser.parse_args()
    if options.models:
        models = options.models.split(",")
    else:
        listed = subprocess.run([options.program, "models", "--json"], capture_output=True, check=True).stdout
        models = [entry["name"] for entry in json.loads(listed)["models"]]
    compared = different = 0
    for model in models:
        quiet = [run(options.program, command, model, options.seconds) for command in COMMANDS]
        load = [multiprocessing.Process(target=spin, daemon=True) for _ in range(options.load)]
        for process in load:
            process.start()
        for command, before in zip(COMMANDS, quiet):
            after = run(options.program, command, model, options.seconds)
            compared += 1
            if before[0] == "timeout" or before != after:
                different += 1
                print(f"{' '.join(command)} models:{model}: status {before[0]} and {after[0]}, "
                      f"{len(before[1])} and {len(after[1])} bytes", flush=True)
        for process in load:
            process.terminate()
            process.join()
    print(f"{compared} outputs of {len(models)} models compared, {different} differ")
    return 1 if different or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
