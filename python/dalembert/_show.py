"""How results show themselves in a notebook, and their plots."""
from __future__ import annotations

from typing import Any

from . import _core


def aligned(latex: str) -> str:
    """LaTeX of a report for a notebook: `align` numbers its lines, and does so again in every cell."""
    lines = [line for line in latex.splitlines() if not line.startswith("%")]
    body = "\n".join(lines).replace("{align}", "{aligned}")
    return f"$\\displaystyle {body}$" if body.strip() else ""


def _repr_latex_(self: Any) -> str:
    return aligned(self.latex())


def _plot_locus(self: _core.RootLocus, ax: Any = None) -> Any:
    """Real parts over the parameter, with lines where stability changes; needs matplotlib."""
    from . import plot

    return plot.root_locus(self, ax=ax)


def _plot_diagram(self: _core.Diagram, coordinate: str | None = None, ax: Any = None) -> Any:
    """A coordinate over the parameter, what is unstable dashed; needs matplotlib."""
    from . import plot

    return plot.bifurcation(self, coordinate, ax=ax)


for _type in vars(_core).values():
    if isinstance(_type, type) and hasattr(_type, "latex") and not hasattr(_type, "_repr_latex_"):
        _type._repr_latex_ = _repr_latex_  # type: ignore[attr-defined]
_core.RootLocus.plot = _plot_locus  # type: ignore[assignment]
_core.Diagram.plot = _plot_diagram  # type: ignore[assignment]
