"""dalembert: mechanics of constrained systems, from the formula to the motion.

>>> import dalembert as da
>>> disk = da.load("models:rolling_disk_tilted")
>>> run = disk.simulate(until=2, m=3)
>>> run.status, run["theta"].shape
('finished', (101,))
>>> disk.reactions()["along"].unique
True
"""
from __future__ import annotations

from . import _core, _show
from ._core import Expr, Relation, ZeroTest
from .accelerations import Accelerations
from .errors import ColumnError, ComputationError, FormulaError, LimitError, ModelError, OutputError
from .expressions import (CompiledFunction, acos, asin, atan, atan2, cos, cosh, exp, expr, lambdify, log, maximum, minimum,
                          pi, sign, sin, sinh, sqrt, symbols, tan, tanh)
from .model import Model, load, models, parse
from .trajectory import InverseMotion, Page, Picture, Trajectory

__version__ = _core.__version__
__all__ = [
    "Accelerations", "ColumnError", "CompiledFunction", "ComputationError", "Expr", "FormulaError", "InverseMotion",
    "LimitError", "Model", "ModelError", "OutputError", "Page", "Picture", "Relation", "Trajectory", "ZeroTest", "acos", "asin", "atan", "atan2", "cos",
    "cosh", "exp", "expr", "formula", "from_sympy", "gallery", "lambdify", "load", "log", "maximum", "minimum", "models", "parse", "pi", "plot",
    "sign", "sin", "sinh", "sqrt", "symbols", "sympify", "tan", "tanh", "verify",
]


#: What needs other packages, and the module that has it: loaded when it is asked for, so that import dalembert stays quick.
_LAZY = {"formula": "_formula", "from_sympy": "sympy_bridge", "gallery": "pages", "plot": "plot", "sympify": "sympy_expressions",
         "verify": "sympy_verify"}


def __getattr__(name: str) -> object:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    module = importlib.import_module("." + _LAZY[name], __name__)
    return module if name == "plot" else getattr(module, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
