"""From and to SymPy: expressions, and the methods of sympy.physics.mechanics as models."""
from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from . import _core
from ._core import Expr
from ._numpy import np
from .errors import ModelError
from .expressions import expr, symbols
from .model import Model


def to_sympy(expression: Expr) -> Any:
    """The same formula in SymPy, shared parts shared."""
    import sympy

    functions = {"abs": sympy.Abs, "min": sympy.Min, "max": sympy.Max, "log": sympy.log}
    made: dict[int, Any] = {}
    last = None
    for node, operation, text, arguments, weights in expression._tree():
        parts = [made[each] for each in arguments]
        if operation == "constant":
            value = sympy.Rational(text)
        elif operation == "pi":
            value = sympy.pi
        elif operation == "symbol":
            value = sympy.Symbol(text)
        elif operation == "sum":
            value = sympy.Add(sympy.Rational(text), *[sympy.Rational(w) * part for w, part in zip(weights, parts)])
        elif operation == "product":
            value = sympy.Mul(*[part ** sympy.Rational(w) for w, part in zip(weights, parts)])
        elif operation == "power":
            value = parts[0] ** parts[1]
        else:
            value = functions.get(operation, getattr(sympy, operation, None))(*parts)
        made[node] = last = value
    return last


#: Names that symbols of ours have: with primes, or as reaction(rod) and position(P).x.
_OWN = re.compile(r"[^\W\d]\w*(\([\w.,' ]+\)(\.[xyz])?)?'*")


def _name(text: str) -> str:
    """A name that formulas know."""
    if _OWN.fullmatch(text):
        return text
    name = re.sub(r"\W", "_", text.replace("\\", ""))
    return name if re.match(r"[^\W\d]", name) else "s_" + name


class _Reader:
    """SymPy's expressions as ours; functions of time are symbols, their derivatives those with primes."""

    def __init__(self) -> None:
        self.names: dict[Any, str] = {}
        self.known: dict[Any, Expr] = {}

    def name(self, symbol: Any) -> str:
        if symbol not in self.names:
            wanted = _name(symbol.func.__name__ if symbol.is_Function else symbol.name)
            while wanted in self.names.values():
                wanted += "_"
            self.names[symbol] = wanted
        return self.names[symbol]

    def leaf(self, node: Any) -> Expr | None:
        import sympy
        from sympy.core.function import AppliedUndef
        from sympy.physics.vector import dynamicsymbols

        if node.is_Rational:
            return expr(int(node.p)) / int(node.q)
        if node is sympy.pi:
            return expr("pi")
        if node is sympy.E:
            return expr("exp(1)")
        if node.is_Float:
            return expr(float(node))
        if node == dynamicsymbols._t:
            return expr("t")
        if node.is_Symbol or isinstance(node, AppliedUndef):
            return symbols([self.name(node)])[0]
        if isinstance(node, sympy.Derivative) and isinstance(node.expr, AppliedUndef):
            return symbols([self.name(node.expr) + "'" * int(node.derivative_count)])[0]
        return None

    def read(self, expression: Any) -> Expr:
        import sympy

        for node in sympy.postorder_traversal(expression):
            if node in self.known or not isinstance(node, sympy.Expr):
                continue
            made = self.leaf(node)
            if made is None:
                if any(each not in self.known for each in node.args):  # inside of a derivative or a time
                    continue
                made = self.combine(node, [self.known[each] for each in node.args])
            self.known[node] = made
        return self.known[expression]

    def combine(self, node: Any, parts: list[Expr]) -> Expr:
        if node.is_Add:
            return sum(parts[1:], parts[0])
        if node.is_Mul:
            product = parts[0]
            for part in parts[1:]:
                product = product * part
            return product
        if node.is_Pow:
            return parts[0] ** parts[1]
        names = {"Abs": "abs", "Min": "min", "Max": "max"}
        name = node.func.__name__
        try:
            return _core._apply(names.get(name, name), parts)
        except ModelError:
            raise ModelError.about(name, "this is no function of formulas",
                                   "write it by functions that docs/reference/formulas.md lists") from None


def sympify(expression: Any) -> Expr:
    """A SymPy expression as ours: functions of time as symbols, their derivatives with primes.

    >>> import dalembert as da, sympy
    >>> x = sympy.Symbol("x")
    >>> da.sympify(sympy.sin(x)**2).diff(da.symbols("x")[0])
    2*sin(x)*cos(x)
    """
    import sympy

    return _Reader().read(sympy.sympify(expression))


# --- systems

def _generalized_forces(loads: Any, rates: list[Any], inertial: Any, replace: Mapping[Any, Any]) -> list[Any]:
    """sum of F . dv/dq' and T . domega/dq' over forces on points and torques on frames."""
    import sympy
    from sympy.physics.vector import Point

    total = [sympy.S.Zero] * len(rates)
    for place, load in loads or []:
        motion = place.vel(inertial) if isinstance(place, Point) else place.ang_vel_in(inertial)
        components = sympy.Matrix([motion.dot(axis) for axis in inertial]).subs(replace)
        force = sympy.Matrix([load.dot(axis) for axis in inertial])
        for k, rate in enumerate(rates):
            total[k] += (components.diff(rate).T * force)[0]
    return [each.subs(replace) for each in total]


@dataclass
class _Read:
    """What both methods of SymPy say of a system."""

    coordinates: list[Any]
    lagrangian: Any
    forces: list[Any]
    geometric: list[Any]
    differential: list[Any]
    speeds: dict[Any, Any]


def _read_lagrange(method: Any) -> _Read:
    coordinates = list(method.q)
    rates = [q.diff() for q in coordinates]
    forces = _generalized_forces(method.forcelist, rates, method.inertial, {})
    geometric = list(method._hol_coneqs)
    # coneqs are on velocities: the first of them are the derivatives of the geometric ones.
    return _Read(coordinates, method._L[0], forces, geometric, list(method.coneqs)[len(geometric):], {})


def _read_kane(method: Any) -> _Read:
    import sympy

    coordinates, speeds = list(method.q), list(method.u)
    rates = [q.diff() for q in coordinates]
    relations = [rate - value for rate, value in method.kindiffdict().items()]
    solved = sympy.solve(relations, speeds, dict=True)
    if not solved:
        raise ModelError.about("kd_eqs", "the kinematical differential equations cannot be solved for the speeds",
                               "give as many independent equations as speeds")
    by_rates = solved[0]
    inertial = method._inertial
    _refuse_hidden_constraints(method, by_rates, coordinates, rates)
    kinetic = sum((body.kinetic_energy(inertial) for body in method.bodies), sympy.S.Zero).subs(by_rates)
    forces = _generalized_forces(method.loads, rates, inertial, by_rates)
    geometric = list(method._f_h)
    differentiated = [each.diff(sympy.physics.vector.dynamicsymbols._t) for each in geometric]
    differential = [each for each in (row.subs(by_rates) for row in _velocity_constraints(method))
                    if not any(sympy.simplify(each - other) == 0 for other in differentiated)]
    return _Read(coordinates, kinetic, forces, geometric, differential, by_rates)


def _refuse_hidden_constraints(method: Any, by_rates: Mapping[Any, Any], coordinates: list[Any], rates: list[Any]) -> None:
    """A velocity that is the derivative of a place has dv_i/dq_j = dv_j/dq_i, v_i = dv/dq_i'. Where rolling was put into
    the velocities by hand it has not, and the kinetic energy does not tell the motion. Looked at where the symbols have
    some numbers."""
    import sympy

    for body in method.bodies:
        centre = getattr(body, "masscenter", None) or body.point
        velocity = sympy.Matrix([centre.vel(method._inertial).dot(axis) for axis in method._inertial]).subs(by_rates)
        partial = velocity.jacobian(rates)
        for i, j in ((i, j) for i in range(len(rates)) for j in range(i)):
            twist = partial[:, i].diff(coordinates[j]) - partial[:, j].diff(coordinates[i])
            leaves = sorted({*twist.free_symbols, *twist.atoms(sympy.Function), *twist.atoms(sympy.Derivative)}, key=str)
            numbers = {leaf: sympy.Rational(3 * k + 2, 7) for k, leaf in enumerate(leaves)
                       if leaf.is_Symbol or leaf in coordinates or leaf in rates}
            if any(abs(sympy.N(each.subs(numbers))) > 1e-9 for each in twist):
                raise ModelError.about(
                    str(centre), "its velocity is not the derivative of a place: constraints were put into it by hand",
                    "give coordinates for all places, and the constraints as velocity_constraints")


def _velocity_constraints(method: Any) -> list[Any]:
    """k_nh u + f_nh = 0."""
    if not method._k_nh:
        return []
    import sympy

    return list(method._k_nh * sympy.Matrix(method.u) + method._f_nh)


def from_sympy(method: Any, values: Mapping[Any, float] | None = None, *, initial: Mapping[Any, float] | None = None,
               name: str = "from SymPy") -> Model:
    """The system of a KanesMethod or LagrangesMethod, whose equations must have been formed.

    `values` has those of the parameters (1 where left out), `initial` the start: coordinates, and rates by their
    derivatives; rates that constraints determine are solved for. `verify(model, method)` compares accelerations.
    """
    kind = type(method).__name__
    if kind not in ("KanesMethod", "LagrangesMethod"):
        raise ModelError.about("from_sympy", f"a {kind} is no method that can be read",
                               "give a KanesMethod or a LagrangesMethod")
    read = _read_lagrange(method) if kind == "LagrangesMethod" else _read_kane(method)
    reader = _Reader()
    model = Model(name)
    rates = [q.diff() for q in read.coordinates]
    for q in read.coordinates:
        reader.name(q)
    everything = [read.lagrangian, *read.forces, *read.geometric, *read.differential, *read.speeds.values()]
    lagrangian, *rest = [reader.read(each) for each in everything]
    count = len(read.coordinates)
    forces = rest[:count]
    moving = {*read.coordinates, *rates, *read.speeds}
    given = {symbol: value for symbol, value in (values or {}).items()}
    for symbol, known in list(reader.names.items()):
        if symbol in moving:
            continue
        if symbol.is_Function:
            raise ModelError.about(str(symbol), "this is an unknown function of time",
                                   "give it as a formula of time, or as a coordinate")
        model.parameter(known, float(given.get(symbol, given.get(str(symbol), 1.0))))
    start = {**(initial or {})}
    constrained = bool(read.geometric or read.differential)
    for q, rate in zip(read.coordinates, rates):
        value, speed = start.get(q, 0.0), start.get(rate, 0.0)
        if constrained:
            model.coordinate(reader.name(q), guess=float(value), rate_guess=float(speed))
        else:
            model.coordinate(reader.name(q), float(value), float(speed))
    model.energy(lagrangian=lagrangian)
    for q, force in zip(read.coordinates, forces):
        if not bool(force == 0):
            model.force(reader.name(q), force)
    for k, each in enumerate([*read.geometric, *read.differential], 1):
        model.constraint(f"c{k}", reader.read(each) == 0)
    if len(read.speeds) == count and not set(read.speeds.values()) <= set(rates):
        for speed, formula in read.speeds.items():
            model.quasi_velocity(reader.name(speed), reader.read(formula))
    return model


# --- does it agree?

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
