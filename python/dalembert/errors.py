"""What can go wrong, in the parts a person needs to mend it."""
from __future__ import annotations

from ._words import in_python


class _Complaint(Exception):
    """Carries a place and a remedy; what is unknown is None."""

    def __init__(self, text: str, file: str = "", line: int = 0, column: int = 0, key: str = "", problem: str = "",
                 expected: str = "", remedy: str = "") -> None:
        text, key, problem, expected, remedy = [in_python(each) for each in (text, key, problem, expected, remedy)]
        super().__init__(text)
        self.file = file or None  #: the file's name
        self.line = line or None  #: in the file, or in the formula's text; from 1
        self.column = column or None
        self.key = key or None  #: the entry, as "constraints.rod"
        self.problem = problem or text  #: what is wrong
        self.expected = expected or None  #: what kind of thing should stand there, as "a finite number"
        self.remedy = remedy or None  #: what to do, as "write * for a product"

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.args[0], self.file or "", self.line or 0, self.column or 0, self.key or "",
                             self.problem, self.expected or "", self.remedy or ""))


class ModelError(_Complaint, ValueError):
    """The input is wrong: a model, a name, a number or an option."""

    @classmethod
    def about(cls, key: str, problem: str, remedy: str, file: str = "", expected: str = "") -> ModelError:
        """Worded as the engine words its own."""
        text = ": ".join(filter(None, [file, key, f"{problem}; {remedy}"]))
        return cls(text, file, key=key, problem=problem, expected=expected, remedy=remedy)


class FormulaError(ModelError):
    """A formula is wrong; its place counts within the formula's own text."""


class ColumnError(ModelError, KeyError):
    """A motion has no column of this name."""

    __str__ = Exception.__str__  # KeyError's writes the text as a literal


class ComputationError(_Complaint, RuntimeError):
    """The input is right, but the computation cannot go on."""


class LimitError(ComputationError):
    """The work allowed is used up."""


class OutputError(ComputationError):
    """Results are there and cannot be written, as on a full disk."""
