"""Figures with matplotlib. Each takes axes (or makes some) and gives them back."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import _core
from ._numpy import np
from .trajectory import Trajectory


def _axes(ax: Any, **options: Any) -> Any:
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError("plots need matplotlib: install python3-matplotlib, or use run.save('plot.svg')") from error
    return pyplot.subplots(**options)[1]


def columns(run: Trajectory, names: Sequence[str], ax: Any = None) -> Any:
    """Columns over time."""
    ax = _axes(ax)
    for name in names:
        ax.plot(run.t, run[name], label=name)
    ax.set_xlabel("t")
    ax.legend()
    return ax


def path(run: Trajectory, x: str, y: str, ax: Any = None) -> Any:
    """One column over another, to the same scale: the path of a point whose coordinates they are."""
    ax = phase(run, x, y, ax)
    ax.set_aspect("equal", adjustable="datalim")
    return ax


def phase(run: Trajectory, x: str, y: str | None = None, ax: Any = None) -> Any:
    """A phase portrait: a coordinate and its rate, or any two columns."""
    ax = _axes(ax)
    other = y if y is not None else x + "'"
    ax.plot(run[x], run[other])
    ax.set_xlabel(x)
    ax.set_ylabel(other)
    return ax


def crossings(run: Trajectory, section: str, at: float = 0.0, rising: bool = True) -> Any:
    """Where a column crosses a value: rows of all columns, by linear interpolation between rows of the motion."""
    values = run[section] - at
    sign = values if rising else -values
    k = np.flatnonzero((sign[:-1] < 0) & (sign[1:] >= 0))
    part = (values[k] / (values[k] - values[k + 1]))[:, None]
    return run.rows[k] * (1 - part) + run.rows[k + 1] * part


def poincare(run: Trajectory, x: str, y: str, section: str, at: float = 0.0, rising: bool = True, ax: Any = None) -> Any:
    """A Poincaré section: two columns wherever a third crosses a value. Its rows are as fine as the motion's."""
    ax = _axes(ax)
    rows = crossings(run, section, at, rising)
    ax.plot(rows[:, run.columns.index(x)], rows[:, run.columns.index(y)], ".", markersize=3)
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    return ax


def root_locus(locus: _core.RootLocus, ax: Any = None) -> Any:
    """Real parts (full) and imaginary parts (dashed) over the parameter; lines where stability changes."""
    ax = _axes(ax)
    for branch in np.asarray(locus.roots).T:
        line, = ax.plot(locus.values, branch.real)
        ax.plot(locus.values, branch.imag, "--", color=line.get_color(), linewidth=0.7)
    ax.axhline(0, color="black", linewidth=0.5)
    for change in locus.changes:
        ax.axvline(change.value, color="grey", linestyle=":")
    ax.set_xlabel(locus.name)
    ax.set_ylabel("eigenvalues: real part, imaginary part dashed")
    return ax


def bifurcation(diagram: _core.Diagram, coordinate: str | None = None, ax: Any = None) -> Any:
    """A coordinate of the equilibria over the parameter; what is unstable is dashed, special points are marked."""
    ax = _axes(ax)
    k = 0 if coordinate is None else diagram.coordinates.index(coordinate)
    for branch in diagram.branches:
        value = np.array([point.value for point in branch.points])
        q = np.array([point.q[k] for point in branch.points])
        stable = np.array([point.unstable == 0 for point in branch.points])
        line, = ax.plot(value, np.where(stable, q, np.nan))
        ax.plot(value, np.where(stable, np.nan, q), "--", color=line.get_color())
    for special in diagram.special:
        ax.plot([special.value], [special.q[k]], "o", label=f"{special.kind} at {special.value:.4g}")
    if diagram.special:
        ax.legend()
    ax.set_xlabel(diagram.name)
    ax.set_ylabel(diagram.coordinates[k])
    return ax
