"""A model and the questions to it: every command of the command line is a method."""
from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, overload

from . import _arguments as arguments
from . import _core
from ._arguments import Values, check_numbers, check_texts
from ._numpy import np
from ._show import card
from .accelerations import Accelerations
from .contents import Contents
from .errors import ModelError
from .progress import Bar, answer
from .trajectory import InverseMotion, Trajectory

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from .sweep import SweepResult

#: Bundled models, where an installed package has them.
MODELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "models")


class Model(Contents):
    """A mechanical system: read by `load`, or built by its methods from nothing.

    >>> import dalembert as da
    >>> m = da.Model("pendulum")
    >>> l, g = m.parameters("l g", [1, 9.81])
    >>> x, z = m.coordinates("x z", [0.6, -0.8])
    >>> P = m.point("P", [x, 0, z], mass=1)
    >>> m.gravity(0, 0, -g)
    >>> m.constraint("rod", x**2 + z**2 == l**2)
    >>> m.simulate(until=1).status
    'finished'
    """

    def with_values(self, given: Values | None = None, *, solve: Sequence[str] = (), project_initial: bool = False,
                    **named: Any) -> Model:
        """The model with other parameters, initial values and rates: numbers, or formulas of parameters.

        `solve` names initial values and rates to take as guesses; `project_initial` takes all of them so.
        """
        values = arguments.merged(given, named)
        if not values and not solve and not project_initial:
            return self
        return Model(_loaded=self._loaded.with_(arguments.texts(values), arguments.names(solve), project_initial))

    def check(self, given: Values | None = None, *, progress: bool | None = None, **named: Any) -> _core.CheckReport:
        """What the system is: degrees of freedom, constraints, first integrals.

        Here and below: `given` and further names are parameters, initial values and rates; `progress` is a bar, by
        default where somebody looks. Ctrl-C ends the work.
        """
        return answer(self.with_values(given, **named)._loaded.check, progress=progress)

    def equations(self, by: str = "multipliers", *, progress: bool | None = None) -> _core.Equations:
        """The equations of motion by a principle: multipliers, reduced, hamel, gauss or projection."""
        check_texts(by=by)
        return answer(self._loaded.equations, by, progress=progress)

    derive = equations

    def reactions(self, time: float | None = None, *, by: str = "multipliers", release: Sequence[str] = (),
                  joint: str = "", at_rest: bool = False, along: bool = False, progress: bool | None = None,
                  given: Values | None = None, **named: Any) -> _core.ReactionsReport:
        """Every reaction, of constraints and released constants: formula, value, force on each point."""
        check_numbers(time=time)
        check_texts(by=by, joint=joint)
        core = self.with_values(given, **named)._loaded
        with Bar(0, core.until, progress) as bar:
            return core.reactions(time, by, arguments.names(release), joint, at_rest, along, bar)

    def simulate(self, until: float | None = None, *, every: float | None = None, tolerance: float | None = None,
                 by: str = "multipliers", start: _core.State | None = None, project_initial: bool = False,
                 estimate_error: bool = False, method: str = "dop853", joint: Sequence[str] = (),
                 gradient: Sequence[str] = (), progress: bool | None = None, given: Values | None = None,
                 **named: Any) -> Trajectory:
        """The motion. Parameters, initial values and rates are arguments: simulate(until=2, m=3, **{"theta'": 1}).

        The model is derived and compiled once. Ctrl-C ends the run: what there is comes back, with the status
        interrupted and a warning. `joint` names frames whose joints' loads become columns joint(NAME).force.x, ...;
        `gradient` parameters, initial values and rates: columns d(x)/d(l) of every column.
        """
        if start is not None and not isinstance(start, _core.State):
            raise TypeError(f"start is a state, as run.last or initial_state() give it, not {start!r}")
        check_numbers(until=until, every=every, tolerance=tolerance)
        check_texts(by=by, method=method)
        values = arguments.merged(given, named)
        model = self
        if joint:
            model = Model(_loaded=self._loaded.with_joints(arguments.names(joint)))
        if gradient or any(not isinstance(value, (int, float, np.number)) for value in values.values()) \
                or self._loaded.needs_forming(list(values)):
            model, values = model.with_values(values, project_initial=project_initial and bool(gradient)), {}
        numbers = [(name, float(value)) for name, value in values.items()]
        last = model._loaded.until if until is None else until
        with Bar(start.t if start is not None else 0, last, progress) as bar:
            if gradient:
                arguments.refuse_besides_gradient(by=by != "multipliers", start=start is not None, joint=bool(joint),
                                         estimate_error=estimate_error, method=method != "dop853")
                found = model._loaded.simulate_gradient(arguments.names(gradient), until, every, tolerance, bar)
                return Trajectory(found.motion, model, event_times=found.event_times)._warned()
            core = model._loaded.simulate(by, until, every, tolerance, numbers, start, project_initial, estimate_error,
                                          method, bool(joint), bar)
        return Trajectory(core, model, by, values=dict(numbers), has_joints=bool(joint))._warned()

    def inverse(self, until: float | None = None, *, every: float | None = None, tolerance: float | None = None,
                progress: bool | None = None, given: Values | None = None, **named: Any) -> InverseMotion:
        """The inputs that make outputs follow functions of time, along the motion: the model's [inverse] says which.

        >>> import dalembert as da
        >>> m = da.parse('''
        ... name = "arm"
        ... [parameters]
        ... J = 2
        ... [inputs]
        ... tau = 0
        ... [coordinates]
        ... theta = {}
        ... [energy]
        ... kinetic = "J*theta'^2/2"
        ... [forces]
        ... theta = "tau"
        ... [inverse]
        ... follow = { theta = "t^2" }
        ... by = ["tau"]
        ... ''')
        >>> motion = m.inverse(until=1)
        >>> round(float(motion["tau"][-1]), 6), motion.index      # J theta'' = 2 * 2
        (4.0, 3)
        """
        check_numbers(until=until, every=every, tolerance=tolerance)
        model = self.with_values(given, **named)
        with Bar(0, model._loaded.until if until is None else until, progress) as bar:
            found = model._loaded.inverse(until, every, tolerance, bar)
        return InverseMotion(found, model)._warned()

    def periodic(self, free: Sequence[str] = (), *, period: float | None = None, tolerance: float | None = None,
                 progress: bool | None = None, given: Values | None = None, **named: Any) -> _core.PeriodicMotion:
        """A periodic motion by shooting, with Floquet's multipliers.

        `free` are initial values, rates and parameters to solve for, and T for the period; the model's [periodic] free
        where none is named. `period` is the period, or with T free where to start.
        """
        check_numbers(period=period, tolerance=tolerance)
        core = self.with_values(given, **named)._loaded
        return answer(core.periodic, arguments.names(free), period, tolerance, progress=progress)

    def fit(self, data: Any, parameters: Sequence[str], *, columns: Sequence[str] = (),
            bounds: Mapping[str, tuple[float | None, float | None]] | None = None,
            deviation: Mapping[str, float] | None = None, tolerance: float | None = None,
            progress: bool | None = None, given: Values | None = None, **named: Any) -> _core.Fit:
        """Parameters from measured columns, with what they are good to.

        `data` is a CSV file, or columns by name with t among them: a mapping of arrays, a DataFrame; what is NaN was not
        measured. `parameters` are parameters, initial values and rates to find, from the model's values on.

        >>> import dalembert as da, numpy as np
        >>> pendulum = da.load("models:pendulum")
        >>> run = pendulum.simulate(until=3, l=1.3)
        >>> fit = pendulum.fit({"t": run.t, "theta": run["theta"]}, ["l"])
        >>> bool(fit), round(fit.values["l"], 6)
        (True, 1.3)
        """
        check_numbers(tolerance=tolerance)
        core = self.with_values(given, **named)._loaded
        chosen = arguments.names(parameters)
        limits = {name: (-np.inf if low is None else float(low), np.inf if high is None else float(high))
                  for name, (low, high) in (bounds or {}).items()}
        for name in limits.keys() - set(chosen):
            raise ModelError.about(f"bounds.{name}", "it is not fitted", "name it in parameters")
        boxes = [(name, *limits.get(name, (-np.inf, np.inf))) for name in chosen]
        return answer(core.fit, arguments.table(data), boxes, arguments.names(columns),
                      arguments.numbers("deviation", deviation), tolerance, progress=progress)

    def sweep(self, axes: Mapping[str, ArrayLike], keep: Sequence[Any] | Mapping[str, Any] = (), *, kind: str = "grid",
              count: int = 0, seed: int = 1, section: Mapping[str, Any] | None = None, motion: Sequence[Any] = (),
              until: Any = "", every: Any = "", tolerance: Any = "", threads: int = 0,
              progress: bool | None = None) -> SweepResult:
        """Many motions on all cores: every combination of the axes' values, or `kind` list, random or sobol.

        `keep` has formulas of each run at its end; max(...) and min(...) are extremes over the motion. `section` has
        rows at events (events, when, direction) or strobes (every); `motion` whole columns. Ctrl-C keeps what is done.
        """
        from .sweep import run_sweep

        return run_sweep(self, axes, keep, kind=kind, count=count, seed=seed, section=section, motion=motion, until=until,
                         every=every, tolerance=tolerance, threads=threads, progress=progress)

    def verify(self, time: float | None = None, *, states: int = 8, seed: int = 20240229, progress: bool | None = None,
               given: Values | None = None, **named: Any) -> _core.Verification:
        """All routes to the same numbers against each other."""
        check_numbers(time=time)
        core = self.with_values(given, **named)._loaded
        return answer(core.verify, time, arguments.count("states", states), seed, progress=progress)

    def frame(self, *, reciprocal: bool = False, progress: bool | None = None, given: Values | None = None,
              **named: Any) -> _core.FrameReport:
        """Quasi-velocities: Hamel's transition coefficients, the group, integrability, momenta."""
        return answer(self.with_values(given, **named)._loaded.frame, reciprocal, progress=progress)

    def gauss(self, at: Mapping[str, float] | None = None, time: float | None = None, *, progress: bool | None = None,
              given: Values | None = None, **named: Any) -> _core.GaussReport:
        """Gauss's constraint Z and its parts at imagined accelerations, as {"q''": 1.5}; others are the actual ones."""
        check_numbers(time=time)
        return answer(self.with_values(given, **named)._loaded.gauss, arguments.numbers("at", at), time, progress=progress)

    def geometry(self, time: float | None = None, *, progress: bool | None = None, given: Values | None = None,
                 **named: Any) -> _core.GeometryReport:
        """Projector, connection and reactions in the kinetic metric, as `derive --by projection` shows them."""
        check_numbers(time=time)
        return answer(self.with_values(given, **named)._loaded.geometry, time, progress=progress)

    def exceptional(self, time: float | None = None, *, progress: bool | None = None, given: Values | None = None,
                    **named: Any) -> _core.ExceptionalCase:
        """Do the constraints themselves keep the acceleration in the virtual displacements (Spain 1940)?"""
        check_numbers(time=time)
        return answer(self.with_values(given, **named)._loaded.exceptional, time, progress=progress)

    def hodograph(self, until: float | None = None, *, every: float | None = None, tolerance: float | None = None,
                  progress: bool | None = None, given: Values | None = None, **named: Any) -> _core.Hodograph:
        """The velocity carried back along the motion, and the length of its curve."""
        check_numbers(until=until, every=every, tolerance=tolerance)
        core = self.with_values(given, **named)._loaded
        with Bar(0, core.until if until is None else until, progress) as bar:
            return core.hodograph(until, every, tolerance, bar)

    def action(self, until: float | None = None, *, to: Mapping[str, float] | None = None,
               from_: Mapping[str, float] | None = None, check: bool = True, progress: bool | None = None,
               given: Values | None = None, **named: Any) -> _core.ActionReport:
        """The action along the motion, or Hamilton's principal function between two configurations."""
        check_numbers(until=until)
        core = self.with_values(given, **named)._loaded
        return answer(core.action, until, arguments.numbers("from", from_), arguments.numbers("to", to), check, progress=progress)

    @overload
    def linearize(self, over: None = None, *, independent: Sequence[str] = (), inputs: Sequence[str] = (),
                  steady: Sequence[str] = (), frozen: bool = False, progress: bool | None = None,
                  given: Values | None = None, **named: Any) -> _core.Linearization: ...
    @overload
    def linearize(self, over: Mapping[str, ArrayLike], *, independent: Sequence[str] = (), inputs: Sequence[str] = (),
                  steady: Sequence[str] = (), frozen: bool = False, progress: bool | None = None,
                  given: Values | None = None, **named: Any) -> _core.RootLocus: ...
    def linearize(self, over: Mapping[str, ArrayLike] | None = None, *, independent: Sequence[str] = (),
                  inputs: Sequence[str] = (), steady: Sequence[str] = (), frozen: bool = False,
                  progress: bool | None = None, given: Values | None = None, **named: Any) -> Any:
        """Small motions about a steady one: a Linearization, or with `over` a RootLocus.

        `over` is {"v": numpy.linspace(...)}: a parameter, initial value or rate with equally spaced values.
        """
        core = self.with_values(given, **named)._loaded
        what = (arguments.names(independent), arguments.names(inputs), arguments.names(steady))
        if over is None:
            return answer(core.linearize, *what, frozen, progress=progress)
        return answer(core.root_locus, *arguments.equally_spaced(over), *what, progress=progress)

    @overload
    def equilibria(self, over: None = None, *, box: Mapping[str, tuple[float, float]] | None = None, starts: int = 100,
                   seed: int = 1, progress: bool | None = None, given: Values | None = None,
                   **named: Any) -> _core.Equilibria: ...
    @overload
    def equilibria(self, over: Mapping[str, ArrayLike], *, box: Mapping[str, tuple[float, float]] | None = None,
                   starts: int = 100, seed: int = 1, progress: bool | None = None, given: Values | None = None,
                   **named: Any) -> _core.Diagram: ...
    def equilibria(self, over: Mapping[str, ArrayLike] | None = None, *,
                   box: Mapping[str, tuple[float, float]] | None = None, starts: int = 100, seed: int = 1,
                   progress: bool | None = None, given: Values | None = None, **named: Any) -> Any:
        """Static equilibria, each with its stability: Equilibria, or with `over` a Diagram of branches."""
        core = self.with_values(given, **named)._loaded
        search = (arguments.boxes(box), arguments.count("starts", starts), seed)
        if over is None:
            return answer(core.equilibria, *search, progress=progress)
        return answer(core.follow_equilibria, *arguments.equally_spaced(over), *search, progress=progress)

    def compare(self, equation: Any, *, progress: bool | None = None) -> _core.Comparison:
        """Proves or refutes: an equation as text or relation, or another model with the same coordinates.

        Besides what formulas of a model have: energy, reaction(c), momentum(q), and beta(mu, nu, rho) of its frame.

        >>> import dalembert as da
        >>> bool(da.load("models:pendulum").compare("momentum(theta) = m*l^2*theta'"))
        True
        """
        if isinstance(equation, Model):
            return answer(self._loaded.compare_with, equation._loaded, progress=progress)
        if isinstance(equation, _core.Relation):
            equation = f"{equation.left} = {equation.right}"
        return answer(self._loaded.compare_equation, str(equation), progress=progress)

    def view(self, port: int = 0, *, by: str = "multipliers") -> None:
        """Serves the page on this machine until Ctrl-C, and prints its address: it follows the model's file, and its
        sliders ask the engine. Any free port where none is given.
        """
        from .view import View

        with View(self, port, by) as server:
            print(server.address, flush=True)
            try:
                server.serve_forever()
            except KeyboardInterrupt:
                pass

    @property
    def accelerations(self) -> Accelerations:
        """q'' as a fast function of (t, q, qd)."""
        return self._accelerations({})

    def _accelerations(self, parameters: Mapping[str, float]) -> Accelerations:
        key = tuple(sorted((name, float(value)) for name, value in parameters.items()))
        found = self._compiled.get(key)
        if found is None:
            found = Accelerations(answer(self._loaded.accelerations, list(key)), self)
            if not key:
                self._compiled[key] = found
        return found

    # --- how it shows itself

    def __repr__(self) -> str:
        return f"<Model {self.name!r}: coordinates {', '.join(self.coordinates())}; check() says what it is>"

    def _repr_html_(self) -> str:
        values = ", ".join(f"{name} = {value:g}" for name, value in self.parameters().items())
        return card(self.check(), [("parameters", values)])


def load(path: str, given: Values | None = None, **named: Any) -> Model:
    """The model of a file, or of `models:NAME` for a bundled one, with other values where they are given.

    >>> import dalembert as da
    >>> da.load("models:pendulum").coordinates()
    ['theta']
    """
    return Model(_loaded=_core._load(os.fspath(path), MODELS, arguments.texts(arguments.merged(given, named))))


def parse(text: str, file: str = "") -> Model:
    """The model of a text in the model format; `file` is what errors call it."""
    check_texts(text=text, file=file)
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ModelError.about("", "the text is no UTF-8", "read the file with its own encoding", file) from error
    return Model(_loaded=_core._parse_model(text, file))


def models() -> dict[str, str]:
    """The bundled models: names and what they are."""
    return {name: about for name, about, _ in _core._list_models(MODELS)}
