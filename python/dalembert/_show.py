"""How results show themselves in a notebook, and their plots."""
from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from . import _core
from ._words import in_python


def aligned(latex: str) -> str:
    """LaTeX of a report for a notebook: `align` numbers its lines, and does so again in every cell; several displayed
    formulas are lines of one."""
    lines = [line for line in latex.splitlines() if not line.startswith("%")]
    body = "\n".join(lines).replace("{align}", "{aligned}")
    displayed = re.findall(r"^\\\[ (.*?) \\\]$", body, re.DOTALL | re.MULTILINE)
    if displayed:
        body = "\\begin{gathered}\n" + " \\\\\n".join(displayed) + "\n\\end{gathered}"
    return f"$\\displaystyle {body}$" if body.strip() else ""


def card(report: _core.CheckReport, more: Sequence[tuple[str, str]] = ()) -> str:
    """What a system is, as a table of HTML; `more` comes after the degrees of freedom."""
    import html

    rows = [("coordinates", ", ".join(report.coordinates)), ("degrees of freedom", str(report.degrees_of_freedom)), *more]
    rows += [(f"constraint {each.name}", each.kind + (" (non-holonomic)" if each.is_integrable is False else ""))
             for each in report.constraints]
    rows += [(f"integral: {each.name}", f"{each.value:.6g}") for each in report.integrals]
    rows += [("remark", each) for each in [*report.remarks, *([report.refused] if report.refused else [])]]
    def safe(text: str) -> str:
        return html.escape(_core._printable(text))

    cells = "".join(f"<tr><td>{safe(name)}</td><td style='text-align:left'>{safe(text)}</td></tr>" for name, text in rows)
    return f"<b>{safe(report.name)}</b><p>{safe(report.about)}</p><table>{cells}</table>"


def _repr_html_(self: _core.CheckReport) -> str:
    return card(self)


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


def _worded(engine: Any) -> property:
    """The same, a text or several, in the words of Python."""

    def words(self: Any) -> Any:
        found = engine.__get__(self)
        return in_python(found) if isinstance(found, str) else [in_python(each) for each in found]

    return property(words, doc=engine.__doc__)


for _type in vars(_core).values():
    for _field in {"message", "notes", "remark", "remarks"} & vars(_type).keys() if isinstance(_type, type) else ():
        setattr(_type, _field, _worded(vars(_type)[_field]))
    if isinstance(_type, type) and hasattr(_type, "latex") and not hasattr(_type, "_repr_latex_"):
        _type._repr_latex_ = _repr_latex_  # type: ignore[attr-defined]
_core.CheckReport._repr_html_ = _repr_html_  # type: ignore[assignment]
_core.RootLocus.plot = _plot_locus  # type: ignore[assignment]
_core.Diagram.plot = _plot_diagram  # type: ignore[assignment]
