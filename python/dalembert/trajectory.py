"""A motion and what can be done with it."""
from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import _core
from ._numpy import np
from .errors import ColumnError, ModelError
from .progress import answer

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from typing_extensions import Self

    from .model import Model


class Page:
    """One HTML document that opens without a network; in a notebook it shows itself."""

    def __init__(self, text: str) -> None:
        self.text = text

    def save(self, path: str) -> None:
        """Writes the file whole or not at all."""
        _core._write_file(str(path), self.text.encode())

    def _repr_html_(self) -> str:
        import html

        return (f'<iframe srcdoc="{html.escape(self.text)}" width="100%" height="600" '
                'sandbox="allow-scripts" style="border:0"></iframe>')

    def __repr__(self) -> str:
        return f"<Page of {len(self.text)} characters; save(path) writes it>"


class Picture:
    """A drawing as SVG; in a notebook it shows itself."""

    def __init__(self, text: str) -> None:
        self.text = text

    def save(self, path: str) -> None:
        """Writes the file whole or not at all."""
        _core._write_file(str(path), self.text.encode())

    def _repr_svg_(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Picture of {len(self.text)} characters; save(path) writes it>"


_column_of = _core.Trajectory.__getitem__


def _column(self: _core.Trajectory, column: str) -> Any:
    if not isinstance(column, str):
        raise TypeError(f"a column is asked for by its name, not by {column!r}; rows are in .rows")
    try:
        return _column_of(self, column)
    except ModelError:
        raise _no_column(column, self.columns) from None


def _no_column(column: str, known: list[str]) -> ColumnError:
    from difflib import get_close_matches
    from textwrap import shorten

    near = get_close_matches(column, known, 3, 0.5)
    problem = f"the motion has no column {column!r}"
    remedy = f"did you mean {' or '.join(near)}?" if near else f"there are {shorten(', '.join(known), 200)}"
    return ColumnError(f"{problem}; {remedy}", key=column, problem=problem, remedy=remedy)


def _contains(self: _core.Trajectory, column: object) -> bool:
    return column in self.columns


def _iterate(self: _core.Trajectory) -> Iterator[str]:
    return iter(self.columns)


def _keys(self: _core.Trajectory) -> list[str]:
    """Names of the columns."""
    return self.columns


_core.Trajectory.__getitem__ = _column  # type: ignore[assignment]
_core.Trajectory.__contains__ = _contains  # type: ignore[assignment]
_core.Trajectory.__iter__ = _iterate  # type: ignore[assignment]
_core.Trajectory.keys = _keys  # type: ignore[assignment]


class Trajectory:
    """A motion: run["theta"] is a column as a NumPy array, without a copy and alive as long as it is used.

    `in` and iteration are over the names of columns, len() is the number of rows.

    >>> import dalembert as da
    >>> run = da.load("models:pendulum").simulate(until=1)
    >>> "theta" in run, list(run)[:3], len(run)
    (True, ['t', 'theta', "theta'"], 21)

    A value that does not exist (an unbounded reaction) is NaN, and only such a value is. `bool(run)` says whether it
    went as far as it was asked to, or to an event that stops.
    """

    def __init__(self, core: _core.Trajectory, model: Model, by: str = "multipliers", *,
                 values: Mapping[str, float] | None = None, has_joints: bool = False,
                 event_times: Sequence[Mapping[str, float]] = ()) -> None:
        self._core = core
        self._model = model
        self._by = by
        self._values = values or {}
        self._has_joints = has_joints
        #: With gradient=...: of each event the derivatives of its time, by name.
        self.event_times = list(event_times)

    def _warned(self) -> Self:
        """Says where the run was interrupted, to whoever asked for it."""
        if self.status == "interrupted":
            warnings.warn(f"the run was interrupted at t = {self.last.t:.6g}; what there is, is kept", stacklevel=3)
        return self

    def _seen(self) -> _core.Model:
        """The model with the values of this run."""
        return self._model.with_values(self._values)._loaded

    def __getitem__(self, column: str) -> NDArray[np.float64]:
        return self._core[column]

    def __contains__(self, column: object) -> bool:
        return column in self._core

    def __iter__(self) -> Iterator[str]:
        return iter(self._core)

    def keys(self) -> list[str]:
        """Names of the columns."""
        return self._core.keys()

    def __len__(self) -> int:
        return len(self._core)

    def __bool__(self) -> bool:
        return bool(self._core)

    @property
    def columns(self) -> list[str]:
        """Names: t, coordinates, rates, reactions, outputs, energy, residual."""
        return self._core.columns

    @property
    def rows(self) -> NDArray[np.float64]:
        """All numbers, one row a time; a view."""
        return self._core.rows

    @property
    def t(self) -> NDArray[np.float64]:
        """The times of the rows."""
        return self._core["t"]

    @property
    def status(self) -> str:
        """finished, event, singular, undetermined, step-underflow, not-finite or interrupted."""
        return self._core.status

    @property
    def message(self) -> str:
        """Why it ended, where it did not finish."""
        return self._core.message

    @property
    def notes(self) -> list[str]:
        """What a user should know: a start that was moved, redundancy, crossings."""
        return self._core.notes

    @property
    def events(self) -> list[_core.EventRecord]:
        """Events and what happened to contacts, in order."""
        return self._core.events

    @property
    def statistics(self) -> _core.Statistics:
        """Steps, evaluations, seconds."""
        return self._core.statistics

    @property
    def summary(self) -> _core.Summary:
        """What should be constant, and how well it is."""
        return self._core.summary

    @property
    def error(self) -> dict[str, float]:
        """With estimate_error=True: of each column, the largest difference relative to its size."""
        return dict(zip(self.columns, self._core.error)) if len(self._core.error) else {}

    @property
    def last(self) -> _core.State:
        """The state of the last row: simulate(start=run.last) goes on from there."""
        return self._core.last

    def brief(self) -> str:
        """How it ended, in a line."""
        return self._core.brief()

    def __repr__(self) -> str:
        return repr(self._core)

    def to_json(self) -> str:
        """The document of `simulate --json`."""
        return self._core.to_json()

    def to_pandas(self) -> Any:
        """A DataFrame, one column a column; needs pandas."""
        import pandas

        return pandas.DataFrame(self.rows, columns=self.columns)

    def save(self, path: str, columns: Sequence[str] = ()) -> None:
        """Writes .csv, .json, .h5, .svg (a plot) or .html (a page), by the path's ending."""
        path = str(path)
        _core._try_file(path)
        if path.endswith((".html", ".htm")):
            self.animate(columns).save(path)
        else:
            _core._write_file(path, self._core._write_as(path, self._model.name, list(columns)))

    def animate(self, columns: Sequence[str] = (), *, beside: Trajectory | None = None, title: str = "beside",
                progress: bool | None = None) -> Page:
        """The page of `simulate -o motion.html`: the mechanism in motion, with forces, plots of these columns, sliders,
        and what the other commands say.

        `beside` is a second motion of the same coordinates (other parameters, another principle), `title` what it is
        called there.
        """
        other = None if beside is None else _core._beside(title, beside._core, beside._seen())
        return self._page(columns, other, progress=progress)

    def _page(self, columns: Sequence[str] = (), other: _core.PageBeside | None = None, served: int | None = None, *,
              progress: bool | None = None) -> Page:
        return Page(answer(self._core._page, self._seen(), self._by, self._has_joints, list(columns), other, served,
                           progress=progress))

    def picture(self, times: Sequence[float] = (), *, width: float = 480, height: float = 360) -> Picture:
        """The mechanism at these times, one over the other."""
        return Picture(self._core._picture(self._seen(), self._by, [float(t) for t in times], width, height))

    def plot(self, columns: Sequence[str] | str = (), *more: str, ax: Any = None) -> Any:
        """Columns over time, by default the coordinates: plot("theta", "energy"); needs matplotlib."""
        from . import plot

        chosen = [*([columns] if isinstance(columns, str) else columns), *more]
        if not all(isinstance(each, str) for each in chosen):
            raise TypeError("plot takes names of columns; axes are given as ax=...")
        return plot.columns(self, chosen or self._model.coordinates(), ax=ax)


class InverseMotion(Trajectory):
    """A motion with the inputs that make it among its columns."""

    def __init__(self, core: _core.InverseMotion, model: Model) -> None:
        super().__init__(core.motion, model)
        #: 3 where the second derivative of what is followed is the first that contains the inputs, 2 where the first is.
        self.index = core.index
