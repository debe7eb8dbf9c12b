"""Formulas: symbols, functions, native code over arrays, and the way from and to SymPy."""
from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Union

from . import _core
from ._core import Expr, Relation
from ._numpy import np
from .errors import ModelError

if TYPE_CHECKING:
    from fractions import Fraction

Number = Union[int, float, "Fraction"]
Formula = Union[str, int, float, "Fraction", Expr]  #: what a formula may be given as
#: x, q'', reaction(rod), position(P).x
_NAME = re.compile(r"[^\W\d]\w*'*(\([^()]+\))?(\.\w+)*'*")


def symbols(names: str | Iterable[str]) -> tuple[Expr, ...]:
    """Symbols of these names, which may end in primes.

    >>> import dalembert as da
    >>> x, l = da.symbols("x l")
    >>> x**2 - l**2
    x^2 - l^2
    """
    listed = names.replace(",", " ").split() if isinstance(names, str) else list(names)
    for name in listed:
        if not _NAME.fullmatch(name):
            raise ModelError.about(name, "this is no name",
                                   "begin with a letter; letters, digits and _ follow, primes at the end")
    return tuple(_core._symbols(listed))


def expr(value: Formula) -> Expr:
    """An expression from a formula's text, a number or an expression.

    >>> import dalembert as da
    >>> da.expr("sin(a)^2 + cos(a)^2").simplify()
    1
    """
    return _core.parse(value) if isinstance(value, str) else _core._number(value)


def formula_text(value: Any) -> str:
    """As the model format writes it: a text as it is, numbers by their digits."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, (str, Expr, Relation)):
        return str(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return repr(value)
    return str(_core._number(value))


def _function(name: str) -> Callable[..., Expr]:
    def apply(*arguments: Formula) -> Expr:
        return _core._apply(name, [expr(each) for each in arguments])

    apply.__name__ = apply.__qualname__ = name
    apply.__doc__ = f"{name} of an expression or a number, as an expression."
    return apply


sin, cos, tan = _function("sin"), _function("cos"), _function("tan")
asin, acos, atan, atan2 = _function("asin"), _function("acos"), _function("atan"), _function("atan2")
sinh, cosh, tanh = _function("sinh"), _function("cosh"), _function("tanh")
exp, log, sqrt, sign = _function("exp"), _function("log"), _function("sqrt"), _function("sign")
minimum, maximum = _function("min"), _function("max")
pi = _core.parse("pi")


class CompiledFunction:
    """Formulas as native code: call it with numbers or arrays, which broadcast as in NumPy."""

    def __init__(self, outputs: Sequence[Expr], inputs: Sequence[Expr], single: bool) -> None:
        self._native = _core._lambdify(list(outputs), list(inputs))
        self._single = single
        self._inputs = len(inputs)

    @property
    def is_native(self) -> bool:
        """False where the interpreter of programs is used instead of machine code."""
        return self._native.is_native

    def __call__(self, *arguments: Any) -> Any:
        if len(arguments) != self._inputs:
            raise TypeError(f"{self._inputs} arguments are needed, not {len(arguments)}")
        arrays = np.broadcast_arrays(*[np.asarray(each, dtype=float) for each in arguments]) if arguments else []
        shape = arrays[0].shape if arrays else ()
        columns = np.array([each.ravel() for each in arrays]).reshape(len(arrays), -1 if arrays else 1)
        rows = self._native._evaluate(columns)
        results = [row.reshape(shape) if shape else float(row[0]) for row in rows]
        return results[0] if self._single else results


def lambdify(inputs: Expr | str | Sequence[Expr | str], outputs: Any) -> CompiledFunction:
    """Formulas compiled: a function of the inputs, which are symbols.

    >>> import dalembert as da
    >>> x, y = da.symbols("x y")
    >>> f = da.lambdify([x, y], x**2 + y)
    >>> f(3, [0, 1])
    array([ 9., 10.])
    """
    single = isinstance(outputs, (Expr, str, int, float))
    chosen = [inputs] if isinstance(inputs, (Expr, str)) else inputs
    results = [outputs] if single else outputs
    return CompiledFunction([expr(each) for each in results], [_symbol(each) for each in chosen], single)


def _symbol(given: Any) -> Expr:
    """A symbol, or that of a name."""
    if isinstance(given, str):
        return symbols([given])[0]
    if not isinstance(given, Expr):
        raise TypeError(f"a symbol or its name is needed, not {given!r}")
    return given


_derivative = Expr.diff


def _diff(self: Expr, by: Expr | str, *more: Expr | str | int, times: int = 1) -> Expr:
    """The partial derivative by symbols or their names: diff(x), diff(x, 2), diff(x, y), diff("x").

    >>> import dalembert as da
    >>> x, y = da.symbols("x y")
    >>> (x**3*y).diff(x, 2, "y")
    6*x
    """
    orders: list[tuple[Expr, int]] = []
    for each in (by, *more):
        if isinstance(each, int) and orders:
            orders[-1] = (orders[-1][0], each)
        else:
            orders.append((_symbol(each), times))
    result = self
    for symbol, order in orders:
        if not isinstance(order, int) or order < 0:
            raise TypeError(f"a derivative is taken 0, 1, 2, ... times, not {order!r}")
        result = _derivative(result, symbol, order)
    return result


def _subs(self: Expr, replaced: Mapping[Any, Formula] | Expr | str | None = None, by: Formula | None = None, /,
          **named: Formula) -> Expr:
    """With symbols replaced, all at once: subs({x: 2, "l": y}), subs(x=2) or subs(x, 2)."""
    if by is not None and isinstance(replaced, (str, Expr)):
        replaced = {replaced: by}
    elif by is not None or replaced is not None and not isinstance(replaced, Mapping):
        raise TypeError("subs takes {symbol: formula}, name=formula, or a symbol and a formula")
    pairs = {**(replaced or {}), **named}
    return self._replace([(_symbol(key), expr(value)) for key, value in pairs.items()])


def _evaluate(self: Expr, values: Mapping[Any, float] | None = None, **named: float) -> float:
    """Its value where the symbols have these: evaluate({x: 2}) or evaluate(x=2)."""
    pairs = {**(values or {}), **named}
    return self._evaluate([(key if isinstance(key, str) else str(key), float(value)) for key, value in pairs.items()])


def _lambdify_method(self: Expr, *inputs: Expr | str | Sequence[Expr | str]) -> CompiledFunction:
    """Native code over arrays; the inputs are symbols, as x, y or [x, y], by default all in the order of their names."""
    listed = [part for each in inputs for part in (each if isinstance(each, (list, tuple)) else [each])]
    return lambdify([_symbol(each) for each in listed] or sorted(self.free_symbols, key=str), self)


def _to_sympy(self: Expr) -> Any:
    """The same formula in SymPy; a name with primes is a symbol of that name."""
    from .sympy_expressions import to_sympy

    return to_sympy(self)


def _reduce(self: Expr) -> tuple[Any, ...]:
    from ._pickle import rebuild

    return rebuild, ([tuple(each) for each in self._tree()],)


def _strict(self: Expr, other: Any) -> Any:
    """Contacts hold where both sides are equal, too."""
    raise TypeError("formulas have no < and >: write <= or >=, which are the same for contacts")


def _itself(self: Expr, memo: Any = None) -> Expr:
    return self


Expr.__lt__ = Expr.__gt__ = _strict  # type: ignore[assignment]
Expr.__copy__ = _itself  # type: ignore[assignment]
Expr.__deepcopy__ = _itself  # type: ignore[assignment]
Expr.__reduce__ = _reduce  # type: ignore[assignment]
Expr.diff = _diff  # type: ignore[assignment]
Expr.subs = _subs  # type: ignore[assignment]
Expr.evaluate = _evaluate  # type: ignore[assignment]
Expr.lambdify = _lambdify_method  # type: ignore[assignment]
Expr._sympy_ = _to_sympy  # type: ignore[assignment]
