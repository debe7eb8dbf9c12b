"""Expressions from what pickle keeps of them."""
from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from . import _core
from ._core import Expr
from .expressions import expr, pi


def rebuild(tree: Sequence[tuple[int, str, str, list[int], list[str]]]) -> Expr:
    """The expression whose _tree() this is."""
    names = dict.fromkeys(text for _, operation, text, _, _ in tree if operation == "symbol")
    known = dict(zip(names, _core._symbols(list(names))))
    made: dict[int, Expr] = {}
    last = expr(0)
    for node, operation, text, arguments, weights in tree:
        parts = [made[each] for each in arguments]
        if operation == "constant":
            last = _core._number(Fraction(text))
        elif operation == "pi":
            last = pi
        elif operation == "symbol":
            last = known[text]
        elif operation == "sum":
            last = sum((Fraction(weight) * part for weight, part in zip(weights, parts)), expr(0)) + Fraction(text)
        elif operation == "product":
            last = expr(1)
            for weight, part in zip(weights, parts):
                last = last * part**Fraction(weight)
        elif operation == "power":
            last = parts[0]**parts[1]
        else:
            last = _core._apply(operation, parts)
        made[node] = last
    return last
