#!/usr/bin/python3
"""From a description to accelerations at a state: SymPy's KanesMethod beside the command.

derivation.py COMMAND. Spatial arms of generic bodies, as bench/models.hpp has them. SymPy derives M and the forcing
without any simplification, as it advises for large systems, compiles them with lambdify (common subexpressions taken out)
and evaluates them; the command reads a model file, derives, compiles and writes a row. Processor seconds, the command's
with its start; `difference` is the largest of the accelerations'. Wants python3-sympy and python3-numpy.
"""
import math
import resource
import subprocess
import sys
import tempfile
import time

import numpy
import sympy
from sympy.physics import mechanics

OFFSET, INCLINE, CENTRE = (0.3, 0.05, -0.02), 0.9, (0.15, 0.02, 0.01)
INERTIA = (0.012, 0.021, 0.018, 0.002, 0.001, -0.003)  # xx, yy, zz, xy, yz, zx


def joint(k):
    """Angle, rate, mass and the axis about which it is inclined."""
    return 0.4 * math.sin(k), 0.7 * math.cos(2 * k), 2.0 / (1 + 0.1 * k), "xy"[k % 2]


def sympy_arm(joints):
    angles, speeds = mechanics.dynamicsymbols(f"q1:{joints + 1}"), mechanics.dynamicsymbols(f"u1:{joints + 1}")
    world = parent = mechanics.ReferenceFrame("N")
    place = mechanics.Point("O")
    place.set_vel(world, 0)
    bodies, loads = [], []
    for k in range(1, joints + 1):
        _, _, mass, axis = joint(k)
        inclined = parent.orientnew(f"A{k}", "Axis", [INCLINE, getattr(parent, axis)])
        frame = inclined.orientnew(f"B{k}", "Axis", [angles[k - 1], inclined.z])
        frame.set_ang_vel(parent, speeds[k - 1] * inclined.z)
        if k > 1:
            hinge = place.locatenew(f"P{k}", sum(c * e for c, e in zip(OFFSET, parent)))
            hinge.v2pt_theory(place, world, parent)
            place = hinge
        centre = place.locatenew(f"C{k}", sum(c * e for c, e in zip(CENTRE, frame)))
        centre.v2pt_theory(place, world, frame)
        tensor = mechanics.inertia(frame, *INERTIA)
        bodies.append(mechanics.RigidBody(f"b{k}", centre, frame, mass, (tensor, centre)))
        loads.append((centre, -9.81 * mass * world.z))
        parent = frame
    rates = [u - q.diff() for q, u in zip(angles, speeds)]
    method = mechanics.KanesMethod(world, angles, speeds, rates)
    method.kanes_equations(bodies, loads)
    evaluate = sympy.lambdify([*angles, *speeds], [method.mass_matrix, method.forcing], cse=True)
    mass, forcing = evaluate(*(joint(k)[0] for k in range(1, joints + 1)), *(joint(k)[1] for k in range(1, joints + 1)))
    return numpy.linalg.solve(mass, forcing).ravel()


def model_text(joints):
    text = "gravity = [0, 0, -9.81]\n[coordinates]\n"
    for k in range(1, joints + 1):
        text += f"q{k} = {{ value = {joint(k)[0]!r}, rate = {joint(k)[1]!r} }}\n"
    for k in range(1, joints + 1):
        text += f"[frames.b{k}]\n" + (f'parent = "b{k - 1}"\norigin = {list(OFFSET)}\n' if k > 1 else "")
        text += f'rotate = [["{joint(k)[3]}", {INCLINE}], ["z", "q{k}"]]\n'
        text += f'[bodies.b{k}]\nframe = "b{k}"\ncentre = {list(CENTRE)}\nmass = {joint(k)[2]!r}\ninertia = {list(INERTIA)}\n'
    return text + "[outputs]\n" + "".join(f"a{k} = \"q{k}''\"\n" for k in range(1, joints + 1))


def our_arm(command, file, joints):
    columns = ",".join(f"a{k}" for k in range(1, joints + 1))
    rows = subprocess.run([command, "simulate", file, "--until", "1e-6", "--every", "1e-6", "--columns", columns, "--quiet"],
                          check=True, capture_output=True, text=True).stdout.splitlines()
    names = rows[0].split(",")
    return numpy.array([float(rows[1].split(",")[names.index(f"a{k}")]) for k in range(1, joints + 1)])


def children_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main(command):
    print("| from a description to accelerations | ours, s | SymPy, s | ratio | difference |\n|---|---|---|---|---|")
    for joints in (2, 3, 4, 5):
        with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
            file.write(model_text(joints))
            file.flush()
            begin = children_time()
            ours = our_arm(command, file.name, joints)
            our_time = children_time() - begin
        begin = time.process_time()
        theirs = sympy_arm(joints)
        their_time = time.process_time() - begin
        difference = max(abs(ours - theirs)) / max(abs(theirs))
        print(f"| spatial arm of {joints} joints | {our_time:.3f} | {their_time:.2f} | {their_time / our_time:.0f} | {difference:.1e} |",
              flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
