"""Accelerations as a function, for other programs."""
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from . import _core
from ._numpy import np
from .errors import ModelError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from .model import Model


class Accelerations:
    """q'' as a fast function of (t, q, qd) for control loops and other integrators; arrays of states give arrays.

    `q` and `qd` have the coordinates along their last axis; what comes before broadcasts, with `t` too.
    """

    def __init__(self, core: _core.Accelerations, model: Model) -> None:
        self._core = core
        self._model = model
        self._size = len(core.coordinates)

    @property
    def coordinates(self) -> list[str]:
        """In the order of q."""
        return self._core.coordinates

    @property
    def is_native(self) -> bool:
        """True where one straight-line program of machine code solves for them."""
        return self._core.is_native

    def __call__(self, t: ArrayLike, q: ArrayLike, qd: ArrayLike) -> NDArray[np.float64]:
        n = self._size
        q, qd = np.asarray(q, dtype=float), np.asarray(qd, dtype=float)
        if q.shape == (n,) and qd.shape == (n,) and np.ndim(t) == 0:
            row = np.empty((1, 1 + 2 * n))
            row[0, 0], row[0, 1:1 + n], row[0, 1 + n:] = t, q, qd
            return self._core._evaluate(row)[0]
        if q.shape[-1:] != (n,) or qd.shape[-1:] != (n,):
            raise ModelError.about("accelerations", f"the last axis of q and qd must have {n} numbers",
                                   f"give them in the order {', '.join(self.coordinates)}")
        shape = np.broadcast_shapes(np.shape(t), q.shape[:-1], qd.shape[:-1])
        rows = np.empty((*shape, 1 + 2 * n))
        rows[..., 0], rows[..., 1:1 + n], rows[..., 1 + n:] = t, q, qd
        return self._core._evaluate(rows.reshape(-1, 1 + 2 * n)).reshape(*shape, n)

    def first_order(self, t: float, y: ArrayLike) -> NDArray[np.float64]:
        """y' of y = (q, qd), as scipy.integrate.solve_ivp asks."""
        y = np.asarray(y, dtype=float)
        return np.concatenate([y[self._size:], self(t, y[:self._size], y[self._size:])])

    def with_values(self, given: Mapping[str, float] | None = None, **parameters: float) -> Accelerations:
        """The same under other values of the parameters; nothing is derived again."""
        return self._model._accelerations({**(given or {}), **parameters})
