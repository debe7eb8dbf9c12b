#!/usr/bin/env python3
"""Writes python/dalembert/_core.pyi from the module itself: fields by the types that the bindings noted, functions by
the signatures that pybind11 writes. `--check` compares instead. Needs build/python on PYTHONPATH."""
from __future__ import annotations

import inspect
import pathlib
import re
import sys

import dalembert
from dalembert import _core

STUB = pathlib.Path(__file__).resolve().parents[1] / "dalembert" / "_core.pyi"
HEAD = '''# Written by python/tools/write_stubs.py; not to be edited.
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .expressions import CompiledFunction, Formula

'''
RENAMED = [
    (r"dalembert\._core\.", ""), (r"dalembert::", ""), (r"numpy\.ndarray\[numpy\.float64\]", "NDArray[np.float64]"), (r"\bobject\b", "Any"),
    (r"\bnumpy\.ndarray\[numpy\.object_\]", "NDArray[np.object_]"), (r"\bhandle\b", "Any"), (r"List\[", "list["),
    (r"Tuple\[", "tuple["), (r"Dict\[", "dict["), (r"Optional\[([^\[\]]*)\]", r"\1 | None"), (r"\bfunction\b", "Any"),
    (r"str\[\d\]", "str"), (r"-> dict$", "-> dict[str, list[tuple[str, str]]]"), (r"-> Iterator$", "-> Iterator[str]"), (r"\bstd::[\w:<>, ]+", "Any"), (r"Callable", "Any"),
]
SPECIAL = {"__eq__": "(self, other: object) -> Relation: ...  # type: ignore[override]",
           "__ge__": "(self, other: Any) -> Relation: ...", "__le__": "(self, other: Any) -> Relation: ..."}
OPERATORS = {f"__{reflected}{name}__" for name in ("add", "sub", "mul", "truediv", "pow") for reflected in ("", "r")}


def signature_of(name: str, function: object, method: bool) -> str:
    """What follows the name of a function in a stub."""
    if method and name in SPECIAL:
        return SPECIAL[name]
    if method and name in OPERATORS:
        return "(self, other: Any) -> Expr: ..."
    if inspect.isfunction(function):
        text = str(inspect.signature(function)).replace("_core.", "").replace("'", "")
        return re.sub(r"self: \w+", "self", text) + ": ..."
    line = (function.__doc__ or "").splitlines()[0] if function.__doc__ else f"{name}(*args: Any) -> Any"
    for pattern, text in RENAMED:
        line = re.sub(pattern, text, line)
    line = line[line.index("("):]
    if method:
        line = re.sub(r"^\((self|arg0): \w+", "(self", line)
    line = re.sub(r"\barg(\d+)", r"arg\1", line)
    # pybind11's unnamed arguments are positional only.
    if re.search(r"\barg\d+:", line):
        inside, _, result = line[1:].rpartition(") -> ")
        line = f"({inside}, /) -> {result}"
    return line + ": ..."


def write_class(name: str, type_: type, fields: list[tuple[str, str]]) -> str:
    lines = [f"class {name}:"]
    noted = dict(fields)
    for member, value in sorted(vars(type_).items()):
        if member in ("__module__", "__doc__", "__dict__", "__weakref__", "__new__", "__qualname__"):
            continue
        if member == "__init__" and "(self:" not in (value.__doc__ or ""):  # nobody but the module makes one
            continue
        if member == "__hash__":
            lines.append("    def __hash__(self) -> int: ...")
        elif member in noted:
            lines += ["    @property", f"    def {member}(self) -> {noted[member]}: ..."]
        elif isinstance(value, property):
            lines.append(f"    {member}: str")
        elif callable(value):
            lines.append(f"    def {member}{signature_of(member, value, True)}")
    return "\n".join(lines if len(lines) > 1 else [lines[0] + " ..."]) + "\n"


def write() -> str:
    fields = _core._fields()
    text = HEAD
    for name, value in sorted(vars(_core).items()):
        if isinstance(value, type):
            text += write_class(name, value, fields.get(name, [])) + "\n"
    for name, value in sorted(vars(_core).items()):
        if not isinstance(value, type) and callable(value):
            text += f"def {name}{signature_of(name, value, False)}\n"
    return text + "__version__: str\n"


if __name__ == "__main__":
    assert dalembert.__version__
    stub = write()
    if "--check" in sys.argv:
        if STUB.read_text() != stub:
            sys.exit("python/dalembert/_core.pyi is not what the module is: run python/tools/write_stubs.py")
    else:
        STUB.write_text(stub)
