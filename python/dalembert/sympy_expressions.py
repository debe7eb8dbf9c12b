"""Expressions from and to SymPy."""
from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from . import _core
from ._core import Expr
from .errors import ModelError
from .expressions import acos, asin, cos, cosh, expr, log, sin, sinh, sqrt, symbols


def to_sympy(expression: Expr) -> Any:
    """The same formula in SymPy, shared parts shared."""
    import sympy

    functions = {"abs": sympy.Abs, "min": sympy.Min, "max": sympy.Max, "log": sympy.log}
    made: dict[int, Any] = {}
    last = None
    for node, operation, text, arguments, weights in expression._tree():
        parts = [made[each] for each in arguments]
        if operation == "constant":
            value = sympy.Rational(text)
        elif operation == "pi":
            value = sympy.pi
        elif operation == "symbol":
            value = sympy.Symbol(text)
        elif operation == "sum":
            value = sympy.Add(sympy.Rational(text), *[sympy.Rational(w) * part for w, part in zip(weights, parts)])
        elif operation == "product":
            value = sympy.Mul(*[part ** sympy.Rational(w) for w, part in zip(weights, parts)])
        elif operation == "power":
            value = parts[0] ** parts[1]
        else:
            value = functions.get(operation, getattr(sympy, operation, None))(*parts)
        made[node] = last = value
    return last


#: Names that symbols of ours have: with primes, or as reaction(rod) and position(P).x.
_OWN = re.compile(r"[^\W\d]\w*(\([\w.,' ]+\)(\.[xyz])?)?'*")


def _name(text: str) -> str:
    """A name that formulas know."""
    if _OWN.fullmatch(text):
        return text
    name = re.sub(r"\W", "_", text.replace("\\", ""))
    return name if re.match(r"[^\W\d]", name) else "s_" + name


def _innermost(node: Any, known: Mapping[Any, Any]) -> Any:
    """The part of it that could not be read, though its own parts could."""
    import sympy

    while True:
        inner = [each for each in node.args if isinstance(each, sympy.Expr) and each not in known]
        if not inner or isinstance(node, sympy.Derivative):
            return node
        node = inner[0]


class Reader:
    """SymPy's expressions as ours; functions of time are symbols, their derivatives those with primes."""

    def __init__(self) -> None:
        self.names: dict[Any, str] = {}
        self.known: dict[Any, Expr] = {}

    def name(self, symbol: Any) -> str:
        if symbol not in self.names:
            wanted = _name(symbol.func.__name__ if symbol.is_Function else symbol.name)
            while wanted in self.names.values():
                wanted += "_"
            self.names[symbol] = wanted
        return self.names[symbol]

    def leaf(self, node: Any) -> Expr | None:
        import sympy
        from sympy.core.function import AppliedUndef
        from sympy.physics.vector import dynamicsymbols

        if node.is_Rational:
            return expr(int(node.p)) / int(node.q)
        if node is sympy.pi:
            return expr("pi")
        if node is sympy.E:
            return expr("exp(1)")
        if node.is_Float:
            return expr(float(node))
        if node == dynamicsymbols._t:
            return expr("t")
        if node.is_Symbol or isinstance(node, AppliedUndef):
            return symbols([self.name(node)])[0]
        if isinstance(node, sympy.Derivative) and isinstance(node.expr, AppliedUndef):
            return symbols([self.name(node.expr) + "'" * int(node.derivative_count)])[0]
        return None

    def read(self, expression: Any) -> Expr:
        import sympy

        for node in sympy.postorder_traversal(expression):
            if node in self.known or not isinstance(node, sympy.Expr):
                continue
            made = self.leaf(node)
            if made is None:
                if any(each not in self.known for each in node.args):  # inside of a derivative or a time
                    continue
                made = self.combine(node, [self.known[each] for each in node.args])
            self.known[node] = made
        if expression not in self.known:
            raise _unknown(_innermost(expression, self.known))
        return self.known[expression]

    def combine(self, node: Any, parts: list[Expr]) -> Expr:
        if node.is_Add:
            return sum(parts[1:], parts[0])
        if node.is_Mul:
            product = parts[0]
            for part in parts[1:]:
                product = product * part
            return product
        if node.is_Pow:
            return parts[0] ** parts[1]
        name = node.func.__name__
        if name in _WRITTEN and len(parts) == 1:
            return _WRITTEN[name](parts[0])
        if _OWN_NAMES.get(name, name) not in _FUNCTIONS:
            raise _unknown(node)
        return _core._apply(_OWN_NAMES.get(name, name), parts)


#: Functions of SymPy that formulas have under another name.
_OWN_NAMES = {"Abs": "abs", "Min": "min", "Max": "max"}
_FUNCTIONS = ("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "log", "sqrt", "abs", "sign",
              "min", "max")
#: Functions of SymPy that are written by others.
_WRITTEN: dict[str, Callable[[Expr], Expr]] = {
    "sec": lambda x: 1 / cos(x), "csc": lambda x: 1 / sin(x), "cot": lambda x: cos(x) / sin(x),
    "sech": lambda x: 1 / cosh(x), "csch": lambda x: 1 / sinh(x), "coth": lambda x: cosh(x) / sinh(x),
    "asec": lambda x: acos(1 / x), "acsc": lambda x: asin(1 / x),
    "asinh": lambda x: log(x + sqrt(x**2 + 1)), "acosh": lambda x: log(x + sqrt(x - 1) * sqrt(x + 1)),
    "atanh": lambda x: log((1 + x) / (1 - x)) / 2,
}
_REMEDIES = {"Eq": "give eq.lhs - eq.rhs", "Equality": "give eq.lhs - eq.rhs", "Derivative": "call doit() first",
             "Integral": "call doit() first", "Sum": "call doit() first", "Matrix": "give its elements one by one"}


def _unknown(node: Any) -> ModelError:
    """That formulas have no such thing, and what they have."""
    name = type(node).__name__
    has = f"formulas have sums, products, powers, {', '.join(_FUNCTIONS)}, and what is written by them: {', '.join(_WRITTEN)}"
    remedy = next((text for key, text in _REMEDIES.items() if key in name), "write it by these")
    return ModelError.about(name, "SymPy's " + name + " is nothing that formulas have", f"{remedy}; {has}")


def sympify(expression: Any) -> Expr:
    """A SymPy expression as ours: functions of time as symbols, their derivatives with primes.

    What formulas have no name for is written by what they have (sec, cot, asinh, ...), or it is an error.

    >>> import dalembert as da, sympy
    >>> x = sympy.Symbol("x")
    >>> da.sympify(sympy.sin(x)**2).diff(da.symbols("x")[0])
    2*sin(x)*cos(x)
    """
    import sympy

    read = sympy.sympify(expression)
    if not isinstance(read, sympy.Expr):
        raise _unknown(read)
    return Reader().read(read)
