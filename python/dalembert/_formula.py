"""What a formula is: canonical form, LaTeX, zero or not."""
from __future__ import annotations

from collections.abc import Sequence

from . import _core
from ._core import FormulaReport, Relation
from ._numpy import np
from .errors import ModelError
from .expressions import Formula, expr


def formula(given: Formula | Relation | Sequence[Formula]) -> FormulaReport:
    """Canonical text, LaTeX and zero test of a formula or a vector, or of an equation's left minus its right side.

    >>> import dalembert as da
    >>> report = da.formula("sin(a)*cos(b) + cos(a)*sin(b) = sin(a + b)")
    >>> report.text, report.zero
    ('0', True)
    >>> print(da.formula("(x^2 - 1)/(x - 1)").text)
    x + 1
    >>> da.formula("cross([1, 0, 0], [0, 1, 0])").text
    '[0, 0, 1]'
    """
    if isinstance(given, str):
        return _core._judge_text(given)
    if isinstance(given, Relation):
        if given._sign != "=":
            raise ModelError.about("formula", "an inequality has no canonical form", "write = or one side")
        return _core._judge([given.left - given.right])
    if isinstance(given, (Sequence, np.ndarray)):
        if len(given) != 3:
            raise ModelError.about("formula", f"a vector has three components, not {len(given)}",
                                   "give one formula, or three")
        return _core._judge([expr(each) for each in given])
    return _core._judge([expr(given)])
