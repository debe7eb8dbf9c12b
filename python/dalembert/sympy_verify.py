"""Does a model have the accelerations of the method of SymPy that it was read from?"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ._numpy import np
from .errors import ModelError
from .model import Model
from .sympy_bridge import read_method, unformed


@dataclass
class SympyAgreement:
    """Accelerations by SymPy's method and by the model, at random states on the constraints."""

    ok: bool
    states: int
    largest: float  #: difference, relative to the size of the accelerations and of the matrices' condition
    bound: float
    skipped: int = 0

    def __bool__(self) -> bool:
        return self.ok

    def __repr__(self) -> str:
        return (f"accelerations by SymPy and by dalembert: {'agree' if self.ok else 'DISAGREE'} at {self.states} states, "
                f"largest difference {self.largest:.3g} (bound {self.bound:.3g})")


def verify(model: Model, method: Any = None, *, states: int = 8, seed: int = 20240229) -> Any:
    """All routes of the model against each other; with a method of SymPy, its accelerations against the model's.

    States are random, and so are their times, where the constraints do not depend on time.
    """
    if method is None:
        return model.verify(states=states, seed=seed)
    rows = _SympyAccelerations(method, model)
    random = np.random.default_rng(seed)
    largest, worst_bound, done, skipped, ok = 0.0, 0.0, 0, 0, True
    size = len(model.coordinates())
    while done < states and skipped < 10 * states:
        guess = random.uniform(-1, 1, 2 * size)
        start = {**dict(zip(model.coordinates(), guess)),
                 **{name + "'": value for name, value in zip(model.coordinates(), guess[size:])}}
        try:
            state = model.with_values(start, project_initial=True).initial_state()
            time = state.t if rows.is_rheonomic else state.t + float(random.uniform(0, 10))
            ours = model.accelerations(time, state.q, state.u)
            theirs, condition = rows(time, state.q, state.u)
        except (ModelError, np.linalg.LinAlgError, RuntimeError):
            skipped += 1
            continue
        scale = 1 + float(np.max(np.abs(ours)))
        difference = float(np.max(np.abs(ours - theirs))) / scale
        # Rounding of a solve: its condition times a small multiple of the unit roundoff, for sums of some hundred terms.
        bound = 1e3 * float(np.finfo(float).eps) * condition
        ok = ok and difference <= bound
        if difference >= largest:
            largest, worst_bound = difference, bound
        done += 1
    return SympyAgreement(bool(ok and done > 0), done, largest, worst_bound, skipped)


class _SympyAccelerations:
    """q'' by SymPy's own matrices, at numbers."""

    def __init__(self, method: Any, model: Model) -> None:
        import sympy
        from sympy.physics.vector import dynamicsymbols

        read = read_method(method)
        if not read.speeds and not method.eom:
            raise unformed("LagrangesMethod", "form_lagranges_equations()")
        rates = [each.diff() for each in read.coordinates]
        self.count = len(rates)
        self.time = sympy.Dummy("t")
        self.places = [sympy.Dummy("q") for _ in rates]
        self.speeds = [sympy.Dummy("w") for _ in rates]
        self.plain = [read.speeds, dict(zip(rates, self.speeds)), dict(zip(read.coordinates, self.places)),
                      {dynamicsymbols._t: self.time}]
        self.names = read.reader().names
        self.parameters = model.parameters()
        #: Its constraints move: what is on them at one time is not at another.
        self.is_rheonomic = any(self.ready(each).has(self.time) for each in [*read.geometric, *read.differential])
        self.mass = self.compile(method.mass_matrix_full, [])
        self.forcing = self.compile(method.forcing_full, [])
        self.second = self.compile_kinematics(method, rates) if read.speeds else None

    def compile_kinematics(self, method: Any, rates: list[Any]) -> Any:
        """Of Kane's method: q'' in terms of the speeds' derivatives."""
        import sympy

        marks = [sympy.Dummy("a") for _ in method.u]
        kinematics = method.kindiffdict()
        accelerations = sympy.Matrix([kinematics[each].diff(sympy.physics.vector.dynamicsymbols._t) for each in rates])
        return self.compile(accelerations.subs(dict(zip([u.diff() for u in method.u], marks))), marks)

    def ready(self, formula: Any) -> Any:
        """With plain symbols for speeds, rates, coordinates and the time."""
        for replacements in self.plain:
            formula = formula.subs(replacements)
        return formula

    def compile(self, matrix: Any, marks: list[Any]) -> Any:
        """A function of t, q, q' (and the marks), parameters put in."""
        import sympy

        ready = self.ready(matrix)
        own = {self.time, *self.places, *self.speeds, *marks}
        values = {symbol: self.value(symbol) for symbol in ready.free_symbols - own}
        return sympy.lambdify([self.time, self.places, self.speeds, marks], ready.subs(values))

    def value(self, symbol: Any) -> float:
        name = self.names.get(symbol, str(symbol))
        if name not in self.parameters:
            raise ModelError.about(str(symbol), "the model has no such parameter",
                                   f"give the method that it was read from; its parameters are {', '.join(self.parameters)}")
        return self.parameters[name]

    def __call__(self, t: float, q: Any, rates: Any) -> tuple[Any, float]:
        mass = np.asarray(self.mass(t, q, rates, []), dtype=float)
        forcing = np.asarray(self.forcing(t, q, rates, []), dtype=float).ravel()
        solved = np.linalg.solve(mass, forcing)[self.count:]
        condition = float(np.linalg.cond(mass))
        if self.second is None:
            return solved[:self.count], condition
        return np.asarray(self.second(t, q, rates, solved), dtype=float).ravel(), condition
