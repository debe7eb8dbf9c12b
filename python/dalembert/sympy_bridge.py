"""The methods of sympy.physics.mechanics as models."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from .errors import ModelError
from .model import Model
from .sympy_expressions import Reader


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

    def reader(self) -> Reader:
        """Has read all of it: its names are those of the model."""
        reader = Reader()
        for q in self.coordinates:
            reader.name(q)
        for each in [self.lagrangian, *self.forces, *self.geometric, *self.differential, *self.speeds.values()]:
            reader.read(each)
        return reader


def unformed(kind: str, call: str) -> ModelError:
    return ModelError.about("from_sympy", f"the equations of this {kind} are not formed yet", f"call its {call} first")


def read_method(method: Any) -> _Read:
    """Of a KanesMethod or a LagrangesMethod."""
    kind = type(method).__name__
    if kind not in ("KanesMethod", "LagrangesMethod"):
        raise ModelError.about("from_sympy", f"a {kind} is no method that can be read",
                               "give a KanesMethod or a LagrangesMethod")
    is_kane = kind == "KanesMethod"
    if is_kane and not method._fr:
        raise unformed(kind, "kanes_equations(bodies, loads)")
    return _read_kane(method) if is_kane else _read_lagrange(method)


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

    `values` has those of the parameters (1 where left out), `initial` the start: coordinates, and their rates by their
    derivatives or by the speeds of Kane's method; what starts may be among the values too. Rates that constraints
    determine are solved for. `verify(model, method)` compares accelerations.

    >>> import dalembert as da, sympy
    >>> from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols
    >>> x, k = dynamicsymbols("x"), sympy.Symbol("k")
    >>> method = LagrangesMethod(x.diff()**2 / 2 - k * x**2 / 2, [x])
    >>> equations = method.form_lagranges_equations()
    >>> model = da.from_sympy(method, {k: 4}, initial={x: 0.1, x.diff(): 2})
    >>> model.parameters(), model.initial_state().u
    ({'k': 4.0}, array([2.]))
    """
    read = read_method(method)
    reader = read.reader()
    model = Model(name)
    start = _Start(read, reader, values or {}, initial or {})
    for symbol, value in start.parameters.items():
        model.parameter(reader.name(symbol), value)
    constrained = bool(read.geometric or read.differential)
    for q, rate in zip(read.coordinates, start.rates_of(method)):
        if constrained:
            model.coordinate(reader.name(q), guess=start.values[q], rate_guess=rate)
        else:
            model.coordinate(reader.name(q), start.values[q], rate)
    model.energy(lagrangian=reader.read(read.lagrangian))
    for q, force in zip(read.coordinates, read.forces):
        if force != 0:
            model.force(reader.name(q), reader.read(force))
    for k, each in enumerate([*read.geometric, *read.differential], 1):
        model.constraint(f"c{k}", reader.read(each) == 0)
    rates = {q.diff() for q in read.coordinates}
    if len(read.speeds) == len(read.coordinates) and not set(read.speeds.values()) <= rates:
        for speed, formula in read.speeds.items():
            model.quasi_velocity(reader.name(speed), reader.read(formula))
    return model


class _Start:
    """Numbers of the parameters, and of what moves at the start."""

    def __init__(self, read: _Read, reader: Reader, values: Mapping[Any, float], initial: Mapping[Any, float]) -> None:
        self.read = read
        self.parameters = {symbol: 1.0 for symbol in _parameters(read, reader)}
        self.values = {q: 0.0 for q in read.coordinates}  #: of what moves: coordinates, and what else is given
        parameters = _keys(self.parameters)
        moving = _keys([*read.coordinates, *[q.diff() for q in read.coordinates], *read.speeds])
        for key, value in values.items():
            found = _find("values", key, {**moving, **parameters})
            (self.parameters if found in self.parameters else self.values)[found] = _number("values", key, value)
        for key, value in initial.items():
            self.values[_find("initial", key, moving)] = _number("initial", key, value)

    def rates_of(self, method: Any) -> list[float]:
        """By the derivatives that are given, or by Kane's speeds; a speed that is not given is what the rates make it."""
        rates = [q.diff() for q in self.read.coordinates]
        known = [self.values.get(rate, 0.0) for rate in rates]
        if not any(speed in self.values for speed in self.read.speeds):
            return known
        at = {**self.parameters, **{q: self.values[q] for q in self.read.coordinates}, _time(): 0}
        speeds = {u: self.values.get(u, formula.subs(dict(zip(rates, known))).subs(at))
                  for u, formula in self.read.speeds.items()}
        kinematics = method.kindiffdict()
        found = [float(kinematics[rate].subs(speeds).subs(at)) for rate in rates]
        for rate, value, computed in zip(rates, known, found):
            if rate in self.values and abs(value - computed) > 1e-9 * (1 + abs(value)):
                raise ModelError.about(str(rate), f"it is given as {value:g}, but the speeds make it {computed:g}",
                                       "give the speed or the derivative, not both")
        return found


def _time() -> Any:
    from sympy.physics.vector import dynamicsymbols

    return dynamicsymbols._t


def _parameters(read: _Read, reader: Reader) -> list[Any]:
    moving = {*read.coordinates, *read.speeds}
    parameters = [symbol for symbol in reader.names if symbol not in moving]
    for symbol in parameters:
        if symbol.is_Function:
            raise ModelError.about(str(symbol), "this is an unknown function of time",
                                   "give it as a formula of time, or as a coordinate")
    return parameters


def _keys(symbols: Iterable[Any]) -> dict[Any, Any]:
    """What a symbol may be given as: itself, or its name, with a prime for a derivative."""
    known: dict[Any, Any] = {}
    for symbol in symbols:
        known[symbol] = known[str(symbol)] = known[_shown(symbol)] = symbol
    return known


def _shown(symbol: Any) -> str:
    inner = symbol.expr if symbol.is_Derivative else symbol
    return (inner.func.__name__ if inner.is_Function else inner.name) + ("'" if symbol.is_Derivative else "")


def _find(where: str, key: Any, known: Mapping[Any, Any]) -> Any:
    if key not in known:
        names = dict.fromkeys(_shown(symbol) for symbol in known.values())
        raise ModelError.about(f"{where}: {key}", "the system has no such symbol", f"known are {', '.join(names)}")
    return known[key]


def _number(where: str, key: Any, value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError) as error:
        raise ModelError.about(f"{where}: {key}", f"{value!r} is no number", "give a number",
                               expected="a number") from error
