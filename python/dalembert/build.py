"""Models without a file: every part is a call, every formula a text, a number or an expression."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from . import _core
from ._core import Expr, Relation
from ._numpy import np
from .errors import ModelError
from .expressions import formula_text, symbols


def _vector(value: Any) -> list[str]:
    """Three components, or one formula whose value is a vector; empty where nothing is given."""
    if value is None:
        return []
    if isinstance(value, (str, Expr)):
        return [formula_text(value)]
    return [formula_text(each) for each in value]


def _names(names: str | Iterable[str]) -> list[str]:
    return names.replace(",", " ").split() if isinstance(names, str) else list(names)


def _values(what: str, values: Any, names: list[str], default: Any) -> list[Any]:
    """One for each name: what is given once is for all of them."""
    if values is None or isinstance(values, (str, Expr)) or np.ndim(values) == 0:
        return [default if values is None else values] * len(names)
    listed = list(values)
    if len(listed) != len(names):
        raise ModelError.about(what, f"{len(names)} names ({', '.join(names)}) have {len(listed)} {what}",
                               "give one for each, or one for all")
    return listed


def _place(kind: str, name: str) -> Any:
    """position(P) as formulas know it: a vector of its components."""
    return np.array(symbols([f"{kind}({name}).{axis}" for axis in "xyz"]), dtype=object)


class Part:
    """A frame, point or body of a model, for formulas: its position, velocity and angular velocity in world axes."""

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    def position(self) -> Any:
        return _place("position", self.name)

    @property
    def velocity(self) -> Any:
        return _place("velocity", self.name)

    @property
    def omega(self) -> Any:
        return _place("omega", self.name)

    def __str__(self) -> str:
        return self.name

    __repr__ = __str__


class Builder:
    """What a model is built by. Each call adds a part; questions may be asked in between."""

    def __init__(self, name: str, about: str) -> None:
        self._description = _core.Description(name)
        self._description.about = about

    def _changed(self) -> None:
        raise NotImplementedError

    def _add(self, method: str, *arguments: Any) -> None:
        self._changed()
        getattr(self._description, method)(*arguments)

    def gravity(self, x: Any, y: Any, z: Any) -> None:
        """The acceleration of gravity, in world axes."""
        self._add("gravity", _vector([x, y, z]))

    def parameter(self, name: str, value: Any) -> Expr:
        """A parameter with its value: a number, or a formula of other parameters. Its symbol comes back."""
        self._add("parameter", name, formula_text(value))
        return symbols([name])[0]

    def _add_parameters(self, names: str | Iterable[str], values: Any) -> tuple[Expr, ...]:
        listed = _names(names)
        for name, value in zip(listed, _values("values", values, listed, 1)):
            self._add("parameter", name, formula_text(value))
        return symbols(listed)

    def coordinate(self, name: str, value: Any = 0, rate: Any = 0, *, guess: Any = None, rate_guess: Any = None) -> Expr:
        """A coordinate with its start; what is given as a guess is solved for. Its symbol comes back."""
        self._add("coordinate", name, formula_text(value if guess is None else guess),
                  formula_text(rate if rate_guess is None else rate_guess), guess is not None, rate_guess is not None)
        return symbols([name])[0]

    def _add_coordinates(self, names: str | Iterable[str], values: Any, rates: Any) -> tuple[Expr, ...]:
        listed = _names(names)
        for name, value, rate in zip(listed, _values("values", values, listed, 0), _values("rates", rates, listed, 0)):
            self.coordinate(name, value, rate)
        return symbols(listed)

    def definition(self, name: str, formula: Any) -> Expr:
        """A name for a formula."""
        self._add("definition", name, _vector(formula))
        return symbols([name])[0]

    def reference_frame(self, name: str, parent: Any = "world", *, origin: Any = None,
                        rotate: Sequence[Sequence[Any]] = ()) -> Part:
        """A frame of reference; `rotate` has turns like ("z", theta) or ("quaternion", e0, e1, e2, e3)."""
        turns = [[formula_text(each) for each in turn] for turn in rotate]
        self._add("frame", name, str(parent), _vector(origin), turns)
        return Part(name)

    def point(self, name: str, position: Any = None, *, frame: Any = "world", mass: Any = "", force: Any = None) -> Part:
        """A point in a frame, with or without mass; `force` is active and in world axes."""
        self._add("point", name, str(frame), _vector(position), formula_text(mass), _vector(force))
        return Part(name)

    def body(self, name: str, frame: Any, *, mass: Any, inertia: Any, centre: Any = None, force: Any = None,
             torque: Any = None) -> Part:
        """A rigid body on a frame: inertia xx, yy, zz, or with xy, yz, zx, about its centre in the frame's axes."""
        self._add("body", name, str(frame), _vector(centre), formula_text(mass), _vector(inertia), _vector(force),
                  _vector(torque))
        return Part(name)

    def energy(self, *, kinetic: Any = "", potential: Any = "", dissipation: Any = "", lagrangian: Any = "") -> None:
        """Energies besides those of points and bodies, or a whole Lagrangian."""
        self._add("energy", *[formula_text(each) for each in (kinetic, potential, dissipation, lagrangian)])

    def force(self, coordinate: Any, formula: Any) -> None:
        """A generalized force on a coordinate."""
        self._add("force", str(coordinate), formula_text(formula))

    def constraint(self, name: str, relation: str | Relation, *, restitution: Any = "") -> None:
        """A constraint: an equation of coordinates or rates, or an inequality for contact from one side."""
        self._add("constraint", name, formula_text(relation), formula_text(restitution))

    def initially(self, name: str, equation: str | Relation) -> None:
        """A condition on the start, besides the constraints."""
        self._add("initially", name, formula_text(equation))

    def quasi_velocity(self, name: str, formula: Any) -> Expr:
        """A velocity of the frame that `by="hamel"` uses: affine in the rates."""
        self._add("quasi_velocity", name, formula_text(formula))
        return symbols([name])[0]

    def release(self, name: Any, constraint: Any = "", points: Sequence[Any] = ()) -> None:
        """Asks for the reaction that holds a constant: a parameter, or a formula as the model has it."""
        self._add("release", formula_text(name), formula_text(constraint), [str(each) for each in points])

    def joint(self, frame_or_body: Any) -> None:
        """Asks for the load at the joint of a frame or body."""
        self._add("joint", str(frame_or_body))

    def output(self, name: str, formula: Any) -> None:
        """A further column of motions."""
        self._add("output", name, _vector(formula))

    def event(self, name: str, when: Any, *, direction: str = "either", action: str = "stop") -> None:
        """Stops a motion, or records, where a formula crosses zero."""
        self._add("event", name, formula_text(when), direction, action)

    def simulate_settings(self, *, until: Any = "", every: Any = "", tolerance: Any = "") -> None:
        """What `simulate` does where it is not told otherwise."""
        self._add("simulate", *[formula_text(each) for each in (until, every, tolerance)])
