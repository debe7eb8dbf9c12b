"""Arguments of the questions to a model: of the right kind, or a sentence that says what is expected."""
from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from numbers import Real
from typing import TYPE_CHECKING, Any

from . import _core
from ._numpy import np
from .errors import ModelError
from .expressions import formula_text

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

Values = Mapping[str, Any]  #: parameters, initial values ("theta") and rates ("theta'") by name


def check_numbers(**given: Any) -> None:
    """Each is a number or None."""
    for name, value in given.items():
        if value is None or isinstance(value, Real) and not isinstance(value, bool):
            continue
        hint = "; parameters and starts are given by name, as l=2, or as given={...}" if isinstance(value, Mapping) else ""
        raise TypeError(f"{name} is a number, not {value!r}{hint}")


def check_texts(**given: Any) -> None:
    """Each is a text."""
    for name, value in given.items():
        if not isinstance(value, str):
            raise TypeError(f"{name} is a text, not {value!r}")


def mapping(name: str, given: Any) -> Mapping[str, Any]:
    """As it is given; None is empty."""
    if given is not None and not isinstance(given, Mapping):
        raise TypeError(f"{name} has values by name, as {{'l': 2}}, and is not {given!r}")
    for key in given or {}:
        if not isinstance(key, str):
            raise TypeError(f"{name} has texts as its names, not {key!r}")
    return given or {}


def merged(given: Values | None, named: Values) -> dict[str, Any]:
    both = {**mapping("given", given), **named}
    for name in named.keys() & mapping("given", given).keys():
        raise TypeError(f"{name} is given twice, by name and in given; leave one out")
    return both


def texts(values: Values) -> list[tuple[str, str]]:
    return [(name, formula_text(value)) for name, value in values.items()]


def names(given: Any) -> list[str]:
    listed = [given] if isinstance(given, str) else list(given) if isinstance(given, Iterable) else [given]
    if not all(isinstance(each, str) for each in listed):
        raise TypeError(f"a name or a list of names is needed, not {given!r}")
    return listed


def refuse_besides_gradient(**given: bool) -> None:
    for name, is_given in given.items():
        if is_given:
            raise ModelError.about("gradient", f"gradients are of the motion by multipliers, without {name}",
                                   f"leave {name} or gradient out")


def table(data: Any) -> _core.CsvTable:
    """Of a file, or of columns by name."""
    if isinstance(data, (str, os.PathLike)):
        return _core._read_csv(os.fspath(data))
    names = [str(name) for name in data.keys()]
    columns = [np.asarray(data[name], dtype=float).ravel() for name in data.keys()]
    if len({len(column) for column in columns}) > 1:
        raise ModelError.about("data", "its columns differ in length",
                               "give each a number for every t; NaN where none was measured")
    return _core._make_table(names, np.column_stack(columns) if columns else np.empty((0, 0)))


def count(name: str, value: int) -> int:
    check_numbers(**{name: value})
    if value < 1:
        raise ModelError.about(name, f"{value} are none", "give at least one", expected="a number of 1 or more")
    return value


def numbers(name: str, values: Mapping[str, float] | None) -> list[tuple[str, float]]:
    given = mapping(name, values)
    check_numbers(**{f"{name}[{key!r}]": value for key, value in given.items()})
    for key, value in given.items():
        if not np.isfinite(value):
            raise ModelError.about(f"{name}.{key}", f"{value} is not finite", "give a finite number",
                                   expected="a finite number")
    return [(key, float(value)) for key, value in given.items()]


def boxes(box: Mapping[str, tuple[float, float]] | None) -> list[tuple[str, float, float]]:
    """Where to search: the least and the largest value of coordinates."""
    found = []
    for name, limits in mapping("box", box).items():
        if not isinstance(limits, Iterable) or len(pair := list(limits)) != 2:
            raise TypeError(f"box[{name!r}] is (low, high), not {limits!r}")
        for each in pair:
            check_numbers(**{f"box[{name!r}]": each})
        found.append((name, float(pair[0]), float(pair[1])))
    return found


def equally_spaced(over: Mapping[str, ArrayLike]) -> tuple[str, float, float, float]:
    """One name with equally spaced values, as first, last and step."""
    if len(mapping("over", over)) != 1:
        raise ModelError.about("over", "one name with its values is needed", 'give over={"v": values}')
    (name, values), = over.items()
    points = np.asarray(values, dtype=float).ravel()
    steps = np.diff(points)
    if len(points) < 2 or not np.allclose(steps, steps[0], rtol=1e-9, atol=0):
        raise ModelError.about("over", "the values are not equally spaced", "use numpy.linspace",
                               expected="two or more equally spaced numbers")
    if steps[0] <= 0:
        raise ModelError.about("over", "the values do not ascend", "give the least first")
    return name, float(points[0]), float(points[-1]), float((points[-1] - points[0]) / (len(points) - 1))
