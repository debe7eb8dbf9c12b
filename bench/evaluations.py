#!/usr/bin/python3
"""Evaluations that a motion takes against SciPy's DOP853 at equal error.

evaluations.py COMMAND. Both follow the same motions at tolerances from 1e-4 to 1e-12; the error is that of the last
state, against SciPy at 1e-13, and SciPy's evaluations at the error that the command has are interpolated. Wants
python3-scipy and python3-numpy; exit status 1 if a median is over the limit.
"""
import math
import subprocess
import sys
import tempfile

import numpy
from scipy.integrate import solve_ivp

LIMIT = 1.2
TOLERANCES = [10 ** -k for k in numpy.arange(4, 12.5, 0.5)]


def double_pendulum(_, y):
    a, b, u, v = y
    c, s = math.cos(a - b), math.sin(a - b)
    inertia, coupling, other = 2.2 * 0.64, 0.7 * 0.88 * c, 0.7 * 1.21
    force = -0.7 * 0.88 * s * v * v - 2.2 * 9.81 * 0.8 * math.sin(a)
    turn = 0.7 * 0.88 * s * u * u - 0.7 * 9.81 * 1.1 * math.sin(b)
    det = inertia * other - coupling**2
    return [u, v, (other * force - coupling * turn) / det, (inertia * turn - coupling * force) / det]


def kepler(_, y):
    cube = (y[0] ** 2 + y[1] ** 2) ** 1.5
    return [y[2], y[3], -y[0] / cube, -y[1] / cube]


# name, slope, start, until, coordinates, the model as a file
MOTIONS = [
    ("double pendulum", double_pendulum, [0.7, -0.4, 1.3, -2.1], 5, "ab", """
gravity = [0, -9.81, 0]
[points.P1]
position = ["0.8*sin(a)", "-0.8*cos(a)", 0]
mass = 1.5
[points.P2]
position = "position(P1) + [1.1*sin(b), -1.1*cos(b), 0]"
mass = 0.7
"""),
    ("pendulum", lambda _, y: [y[1], -9.81 * math.sin(y[0])], [1, 0], 10, "a", """
[energy]
kinetic = "a'^2/2"
potential = "-9.81*cos(a)"
"""),
    ("ellipse", kepler, [1, 0, 0, 0.5], 10, "xy", """
[energy]
kinetic = "(x'^2 + y'^2)/2"
potential = "-1/sqrt(x^2 + y^2)"
"""),
    ("van der Pol", lambda _, y: [y[1], 5 * (1 - y[0] ** 2) * y[1] - y[0]], [2, 0], 20, "x", """
[energy]
kinetic = "x'^2/2"
[forces]
x = "5*(1 - x^2)*x' - x"
"""),
    ("two oscillators", lambda _, y: [y[2], y[3], -y[0] - 2 * y[0] * y[1], -100 * y[1] - y[0] ** 2],
     [1, 0.01, 0, 0], 20, "xy", """
[energy]
kinetic = "(x'^2 + y'^2)/2"
potential = "x^2/2 + 50*y^2 + x^2*y"
"""),
]


def follow(command, model, until, tolerance, names, reference):
    done = subprocess.run([command, "simulate", model, "--until", str(until), "--every", str(until),
                           "--tolerance", repr(tolerance)], capture_output=True, text=True, check=True)
    lines = [line.split(",") for line in done.stdout.split()]
    last = dict(zip(lines[0], map(float, lines[-1])))
    told = next(line for line in done.stderr.splitlines() if "evaluations" in line)
    return int(told.split(" evaluations")[0].split()[-1]), max(abs(last[n] - x) for n, x in zip(names, reference))


def compare(command, slope, start, until, letters, text):
    names = list(letters) + [letter + "'" for letter in letters]
    reference = solve_ivp(slope, (0, until), start, method="DOP853", rtol=1e-13, atol=1e-13).y[:, -1]
    half = len(letters)
    coordinates = "".join(f"{n} = {{ value = {start[i]}, rate = {start[half + i]} }}\n" for i, n in enumerate(letters))
    peer, ours = [], []
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
        top, _, tables = text.partition("\n[")
        file.write(f"{top}\n[coordinates]\n{coordinates}[{tables}")
        file.flush()
        for tolerance in TOLERANCES:
            run = solve_ivp(slope, (0, until), start, method="DOP853", rtol=tolerance, atol=tolerance)
            peer.append((max(abs(run.y[:, -1] - reference)), run.nfev))
            ours.append(follow(command, file.name, until, tolerance, names, reference))
    peer = numpy.log(sorted(peer))
    return [count / math.exp(numpy.interp(math.log(error), peer[:, 0], peer[:, 1]))
            for count, error in ours if 3e-12 < error < 1e-3]  # between rounding and what follows nothing


def main():
    worst = 0
    for name, *motion in MOTIONS:
        ratios = compare(sys.argv[1], *motion)
        median = float(numpy.median(ratios))
        worst = max(worst, median)
        print(f"{name:16} evaluations / SciPy's at equal error: {median:.2f} in the median, {min(ratios):.2f} to "
              f"{max(ratios):.2f}")
    print(f"largest median {worst:.2f} <= {LIMIT}: {'PASS' if worst <= LIMIT else 'over'}")
    return worst > LIMIT


if __name__ == "__main__":
    sys.exit(main())
