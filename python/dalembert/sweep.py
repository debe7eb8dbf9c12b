"""Many motions of one model, on all cores."""
from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import _core
from ._numpy import np
from .expressions import formula_text
from .progress import Bar

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from .model import Model


class Table:
    """Rows of numbers under names, with texts behind them; table["m"] is a column."""

    def __init__(self, core: _core.SweepTable, names: Mapping[str, str]) -> None:
        self._core = core
        self.columns = [self._rename(each, names) for each in core.columns]
        self.labels = list(core.labels)

    @staticmethod
    def _rename(column: str, names: Mapping[str, str]) -> str:
        own, dot, rest = column.partition(".")
        return names.get(own, own) + dot + rest

    @property
    def numbers(self) -> NDArray[np.float64]:
        """All of them, one row a run (or a row of a run); NaN where there is no such value."""
        return self._core.numbers

    def __len__(self) -> int:
        return len(self.numbers)

    def keys(self) -> list[str]:
        """Names of the columns, those with texts last."""
        return [*self.columns, *self.labels]

    def __contains__(self, name: object) -> bool:
        return name in self.keys()

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __getitem__(self, name: str) -> Any:
        if name in self.labels:
            return self._core.texts[self.labels.index(name)::len(self.labels)]
        if name not in self.columns:
            raise KeyError(f"there is no column {name}; there are {', '.join(self.keys())}")
        return self.numbers[:, self.columns.index(name)]

    def to_pandas(self) -> Any:
        """A DataFrame; needs pandas."""
        import pandas

        frame = pandas.DataFrame(self.numbers, columns=self.columns)
        for label in self.labels:
            frame[label] = self[label]
        return frame

    def __repr__(self) -> str:
        return f"<Table of {len(self)} rows: {', '.join(self.keys())}>"


class SweepResult:
    """`runs` has a row a run; `section` and `motion` are there where they were asked for."""

    def __init__(self, core: _core.SweepResult, names: Mapping[str, str]) -> None:
        self._tables = {each.name: Table(each, names) for each in core.tables}

    @property
    def runs(self) -> Table:
        return self._tables["runs"]

    @property
    def section(self) -> Table | None:
        return self._tables.get("section")

    @property
    def motion(self) -> Table | None:
        return self._tables.get("motion")

    def __getitem__(self, name: str) -> Any:
        return self.runs[name]

    def __len__(self) -> int:
        return len(self.runs)

    def keys(self) -> list[str]:
        """Names of the columns of the runs."""
        return self.runs.keys()

    def __contains__(self, name: object) -> bool:
        return name in self.runs

    def __iter__(self) -> Iterator[str]:
        return iter(self.runs)

    def __repr__(self) -> str:
        return "\n".join(f"{name}: {table!r}" for name, table in self._tables.items())


def run_sweep(model: Model, axes: Mapping[str, ArrayLike], keep: Sequence[Any] | Mapping[str, Any], *, kind: str, count: int,
              seed: int, section: Mapping[str, Any] | None, motion: Sequence[Any], until: Any, every: Any, tolerance: Any,
              threads: int, progress: bool | None) -> SweepResult:
    """See Model.sweep."""
    formulas = [formula_text(each) for each in (keep.values() if isinstance(keep, Mapping) else keep)]
    shown = list(keep) if isinstance(keep, Mapping) else formulas
    names = {f"kept{k}": name for k, name in enumerate(shown, 1)}
    plan = _core.Sweep(kind, [(name, np.atleast_1d(np.asarray(values, dtype=float)).tolist()) for name, values in axes.items()],
                       count, seed)
    plan.keep(list(zip(names, formulas)))
    plan.motion([formula_text(each) for each in motion])
    plan.times(*[formula_text(each) for each in (until, every, tolerance)])
    if section is not None:
        asked: dict[str, Any] = {"events": (), "when": "", "direction": "either", "every": "", "skip": 0, "columns": (), **section}
        if len(asked) != 6:
            raise TypeError(f"a section has events, when, direction, every, skip and columns, not {sorted(section)}")
        plan.section([str(each) for each in asked["events"]], formula_text(asked["when"]), asked["direction"],
                     formula_text(asked["every"]), asked["skip"], [formula_text(each) for each in asked["columns"]])
    asked_for = plan.count_runs()
    with Bar(0, asked_for, progress, "{:.0f} runs") as bar:
        result = SweepResult(model._loaded.sweep(plan, threads, bar), names)
    if len(result) < asked_for:
        warnings.warn(f"the sweep was interrupted: {len(result)} of {asked_for} runs are kept", stacklevel=3)
    return result
