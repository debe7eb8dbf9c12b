"""A bar on standard error for what takes longer than half a second."""
from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, TypeVar

Answer = TypeVar("Answer")


def is_watched() -> bool:
    """Somebody looks at standard error: a terminal or a notebook."""
    stream = sys.stderr
    return stream is not None and (stream.isatty() or "ipykernel" in type(stream).__module__)


class Bar:
    """Called with how far the work is; shows nothing where `enabled` is False, or None and nobody looks.

    Where nobody knows how far it is to go (NaN, or no `last`), a mark moves and seconds are counted.
    """

    WIDTH = 30

    def __init__(self, first: float = 0, last: float = math.nan, enabled: bool | None = None,
                 unit: str = "t = {:.4g}") -> None:
        self.enabled = is_watched() if enabled is None else enabled
        self._first, self._last, self._unit = first, last, unit
        self._begin = self._shown = time.monotonic()
        self._drawn = False

    def __call__(self, reached: float) -> None:
        now = time.monotonic()
        if not self.enabled or now - self._shown < (0.1 if self._drawn else 0.5):
            return
        self._shown, self._drawn = now, True
        print(f"\r{self._line(reached, now - self._begin)} ", end="", file=sys.stderr, flush=True)

    def _line(self, reached: float, seconds: float) -> str:
        part = (reached - self._first) / (self._last - self._first or 1.0)
        if math.isnan(part):
            mark = "###".rjust(3 + int(10 * seconds) % (self.WIDTH - 2))
            return f"[{mark:<{self.WIDTH}}] working, {seconds:.0f} s"
        part = min(1.0, max(0.0, part))
        return f"[{'#' * round(self.WIDTH * part):<{self.WIDTH}}] {100 * part:3.0f} %  {self._unit.format(reached)}"

    def __enter__(self) -> Bar | None:
        return self if self.enabled else None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        if self._drawn:
            print(f"\r{'':64}\r", end="", file=sys.stderr, flush=True)


def answer(question: Callable[..., Answer], *arguments: Any, progress: bool | None = None) -> Answer:
    """What the engine says to a question, with a mark that moves while it thinks. Ctrl-C ends it."""
    with Bar(enabled=progress) as bar:
        return question(*arguments, bar)
