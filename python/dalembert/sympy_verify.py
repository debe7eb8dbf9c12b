"""Does a model have the accelerations of the method of SymPy that it was read from?"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ._numpy import np
from .errors import ModelError
from .model import Model
from .sympy_bridge import _read_kane
from .sympy_expressions import _name


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
    """All routes of the model against each other; with a method of SymPy, its accelerations against the model's."""
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
            ours = model.accelerations(0.0, state.q, state.u)
            theirs, condition = rows(state.q, state.u)
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

        q = list(method.q)
        rates = [each.diff() for each in q]
        self.count = len(q)
        self.places = [sympy.Symbol(f"q_{k}") for k in range(len(q))]
        self.speeds = [sympy.Symbol(f"w_{k}") for k in range(len(q))]
        self.plain = [dict(zip(rates, self.speeds)), dict(zip(q, self.places))]
        self.parameters = model.parameters()
        is_kane = type(method).__name__ == "KanesMethod"
        self.by_rates = _read_kane(method).speeds if is_kane else {}
        self.mass = self.compile(method.mass_matrix_full, [])
        self.forcing = self.compile(method.forcing_full, [])
        self.second = None  # of Kane's method: q'' in terms of the speeds' derivatives
        if is_kane:
            t = sympy.physics.vector.dynamicsymbols._t
            marks = [sympy.Symbol(f"a_{k}") for k in range(len(method.u))]
            kinematics = method.kindiffdict()
            accelerations = sympy.Matrix([kinematics[each].diff(t) for each in rates])
            self.second = self.compile(accelerations.subs(dict(zip([u.diff(t) for u in method.u], marks))), marks)

    def compile(self, matrix: Any, marks: list[Any]) -> Any:
        """A function of q, q' (and the marks), parameters put in."""
        import sympy

        ready = matrix.subs(self.by_rates).subs(self.plain[0]).subs(self.plain[1])
        own = {*self.places, *self.speeds, *marks}
        values = {symbol: self.parameters[_name(symbol.name)] for symbol in ready.free_symbols if symbol not in own}
        return sympy.lambdify([self.places, self.speeds, marks], ready.subs(values))

    def __call__(self, q: Any, rates: Any) -> tuple[Any, float]:
        mass = np.asarray(self.mass(q, rates, []), dtype=float)
        forcing = np.asarray(self.forcing(q, rates, []), dtype=float).ravel()
        solved = np.linalg.solve(mass, forcing)[self.count:]
        condition = float(np.linalg.cond(mass))
        if self.second is None:
            return solved[:self.count], condition
        return np.asarray(self.second(q, rates, solved), dtype=float).ravel(), condition
