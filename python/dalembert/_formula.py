"""What a formula is: canonical form, LaTeX, zero or not."""
from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from ._core import Expr, Relation
from .errors import ModelError
from .expressions import Formula, expr


@dataclass(frozen=True)
class FormulaReport:
    """As the command `formula` says it."""

    text: str  #: the canonical form
    latex: str
    zero: bool | None  #: None where it was not decided
    evidence: str  #: of its being zero or not

    def __str__(self) -> str:
        verdict = "undecided" if self.zero is None else "yes" if self.zero else "no"
        return f"{self.text}\nLaTeX: {self.latex}\nzero:  {verdict} ({self.evidence})"

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex}$"

    def to_json(self) -> str:
        """The document of the command with --json."""
        return json.dumps(asdict(self), indent=2, ensure_ascii=False)


def _difference(given: Formula | Relation) -> Expr:
    """The formula; of an equation left minus right."""
    text = str(given) if isinstance(given, (str, Relation)) else ""
    if ">=" in text or "<=" in text:
        raise ModelError.about("formula", "an inequality has no canonical form", "write = or one side")
    if isinstance(given, Relation):
        return given.left - given.right
    left, equals, right = text.partition("=")
    return expr(left) - expr(right) if equals else expr(given)


def formula(given: Formula | Relation) -> FormulaReport:
    """Canonical text, LaTeX and zero test of a formula, or of an equation's left minus its right side.

    >>> import dalembert as da
    >>> report = da.formula("sin(a)*cos(b) + cos(a)*sin(b) = sin(a + b)")
    >>> report.text, report.zero
    ('0', True)
    >>> print(da.formula("(x^2 - 1)/(x - 1)").text)
    x + 1
    """
    value = _difference(given)
    test = value.is_zero()
    zero = None if test.verdict == "undecided" else bool(test)
    shown = expr(0) if zero else value.simplify()
    return FormulaReport(str(shown), shown.latex(), zero, test.evidence)
