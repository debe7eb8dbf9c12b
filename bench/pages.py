#!/usr/bin/env python3
"""How long the command takes to answer, and how much it writes: processor seconds, bytes and longest line of every command
for every bundled model, an arm of seven revolute axes and a tree of thirty bodies. Promised: 2 s and 20 kB for bundled
models, 1 s and 12 kB for the arm, 3 s for the tree, and no line over 160 characters of text; LaTeX and JSON have the time
only, and the rows of a hodograph are data, not a page. A command that does not apply to a model has to say so at once
(status 2), never because the model is large; what searches or computes a motion (equilibria, hodograph, action) may end
with the reason why it cannot go on (status 3). Ends with the number of promises that were missed, and the worst rows.

    bench/pages.py [--only NAME,...] [--commands "check,derive --by hamel,..."] [--forms text,latex,json] [build/dalembert]
"""
import argparse
import pathlib
import resource
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def revolute_bodies(count, parent_of):
    """A model of bodies on revolute axes in all three directions, each with a full inertia tensor."""
    parameters, coordinates, bodies = ["g = 9.81"], [], []
    for i in range(1, count + 1):
        parameters += [f"{name}{i} = {value}" for name, value in
                       dict(m=1, l=0.3, A=0.3, B=0.4, C=0.5, D=0.02, E=0.01, F=0.03).items()]
        coordinates.append(f"q{i} = {0.01 * i}")
        parent = parent_of(i)
        bodies.append(f"[frames.b{i}]")
        if parent > 0:
            bodies.append(f'parent = "b{parent}"\norigin = ["l{parent}/4", 0, "l{parent}"]')
        bodies.append(f'rotate = [["{"zyyxyx"[(i - 1) % 6]}", "q{i}"]]\n[bodies.b{i}]\nframe = "b{i}"\nmass = "m{i}"\n'
                      f'centre = ["l{i}/8", 0, "l{i}/2"]\n'
                      f'inertia = ["A{i}", "B{i}", "C{i}", "D{i}", "E{i}", "F{i}"]')
    return "\n".join(['gravity = [0, 0, "-g"]', "[parameters]", *parameters, "[coordinates]", *coordinates, *bodies])


PATIENCE = 60  # seconds
COMMANDS = ["derive", "derive --by hamel", "derive --by gauss", "derive --by projection", "derive --by reduced", "reactions",
            "reactions --by hamel", "reactions --by projection", "check", "frame", "verify", "gauss", "linearize", "equilibria",
            "hodograph --quiet", "action"]


def measure(command, arguments, model):
    """Status, processor seconds, bytes, width of the longest line, and what it had to say."""
    verb, *options = arguments.split()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(["timeout", "-k", "1", str(PATIENCE), command, verb, model, *options], capture_output=True, text=True,
                          check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    longest = max((len(line) for line in done.stdout.splitlines()), default=0)
    return done.returncode, seconds, len(done.stdout.encode()), longest, done.stderr.strip().split("\n")[0]


def form_of(arguments):
    return "json" if "--json" in arguments else "latex" if "latex" in arguments else "text"


def list_forms(commands, forms):
    """Each command in each form that it has."""
    for arguments in commands:
        for form in forms:
            if form == "text":
                yield arguments
            elif form == "json":
                yield f"{arguments} --json"
            elif arguments.split()[0] in ("derive", "reactions", "check", "frame", "gauss", "linearize"):
                yield f"{arguments} --as latex"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", nargs="?", default=str(ROOT / "build" / "dalembert"))
    parser.add_argument("--only", default="")
    parser.add_argument("--commands", default=",".join(COMMANDS))
    parser.add_argument("--forms", default="text")
    options = parser.parse_args()
    measured, misses = [], 0
    models = [(f"models:{file.stem}", 2, 20_000) for file in sorted((ROOT / "models").glob("*.toml"))]
    with tempfile.TemporaryDirectory() as folder:
        for name, count, parent_of, seconds, size in [("arm7", 7, lambda i: i - 1, 1, 12_000),
                                                      ("tree30", 30, lambda i: i // 2, 3, 100_000)]:
            path = pathlib.Path(folder) / f"{name}.toml"
            path.write_text(revolute_bodies(count, parent_of))
            models.append((str(path), seconds, size))
        for model, seconds, size in models:
            name = pathlib.Path(model).stem.removeprefix("models:")
            if options.only and name not in options.only.split(","):
                continue
            for arguments in list_forms(options.commands.split(","), options.forms.split(",")):
                status, took, wrote, longest, said = measure(options.command, arguments, model)
                verb, form = arguments.split()[0], form_of(arguments)
                searches, is_page = verb in ("equilibria", "hodograph", "action"), form == "text" and verb != "hodograph"
                missed = (status not in ((0, 2, 3) if searches else (0, 2)) or took > seconds
                          or (is_page and (wrote > size or longest > 160)))
                row = (f"{arguments:40} {name:35} {took:6.2f} s {wrote:7} bytes {longest:4} wide"
                       f"{'  MISSED' if missed else ''}{f'  status {status}: {said[:160]}' if status != 0 else ''}")
                print(row, flush=True)
                measured.append((took / seconds, row))
                misses += missed
    measured.sort(reverse=True)
    print(f"\n{misses} of {len(measured)} missed; nearest to their time:")
    print("\n".join(row for _, row in measured[:10]))


if __name__ == "__main__":
    main()
