"""What a model has, read or built: its parts, values and start, and the engine's model of it, made when it is first asked."""
from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, overload

from . import _core
from ._arguments import check_numbers, check_texts
from ._core import Expr
from .build import Builder
from .progress import answer

if TYPE_CHECKING:
    from .accelerations import Accelerations


class Contents(Builder):
    """A model but for the questions to it."""

    def __init__(self, name: str = "model", about: str = "", *, _loaded: _core.Model | None = None) -> None:
        self._lock = threading.Lock()
        self._made: _core.Model | None = _loaded
        self._before: _core.Model | None = None  # what a part was added to, with the values that it was given
        self._compiled: dict[tuple[tuple[str, float], ...], Accelerations] = {}
        super().__init__(name, about)

    @property
    def _loaded(self) -> _core.Model:
        with self._lock:
            if self._made is None:
                self._made = (self._description.form() if self._before is None
                              else self._before.with_description(self._description))
            return self._made

    def _changed(self) -> None:
        with self._lock:
            if self._made is not None:
                self._description = self._made.description()
                self._before = self._made
            self._made = None
            self._compiled = {}

    # --- what it has

    @property
    def name(self) -> str:
        return self._loaded.name

    @property
    def about(self) -> str:
        return self._loaded.about

    @property
    def file(self) -> str:
        """The file it was read from; empty for a model that was built."""
        return self._loaded.file

    @overload
    def coordinates(self) -> list[str]: ...
    @overload
    def coordinates(self, names: str | Iterable[str], values: Any = None, rates: Any = None) -> tuple[Expr, ...]: ...
    def coordinates(self, names: Any = None, values: Any = None, rates: Any = None) -> Any:
        """The names of the coordinates; with names: adds them, with their start, and gives their symbols."""
        return self._loaded.coordinates if names is None else self._add_coordinates(names, values, rates)

    @overload
    def parameters(self) -> dict[str, float]: ...
    @overload
    def parameters(self, names: str | Iterable[str], values: Any = None) -> tuple[Expr, ...]: ...
    def parameters(self, names: Any = None, values: Any = None) -> Any:
        """The parameters with their values; with names: adds them, with these values, and gives their symbols."""
        return self._loaded.parameters if names is None else self._add_parameters(names, values)

    def constraints(self) -> list[str]:
        """Their names; of a vector constraint one a component."""
        return self._loaded.constraints

    def frames(self) -> list[str]:
        """Names of the frames of reference, the world first."""
        return self._loaded.frames

    def points(self) -> list[str]:
        """Their names."""
        return self._loaded.points

    def bodies(self) -> list[str]:
        """Their names."""
        return self._loaded.bodies

    def columns(self, by: str = "multipliers") -> list[str]:
        """Of the rows of its motions."""
        check_texts(by=by)
        return answer(self._loaded.columns, by)

    def initial_state(self, time: float | None = None, *, progress: bool | None = None) -> _core.State:
        """The start on the constraints, or the state reached at a time."""
        check_numbers(time=time)
        return answer(self._loaded.initial_state, time, progress=progress)

    def to_toml(self) -> str:
        """A model file that says the same."""
        return self._loaded.to_toml()
