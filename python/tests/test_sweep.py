"""Sweeps: each row is the run by itself, whatever the threads."""
import os
import signal
import threading

import numpy as np
import pytest

import dalembert as da


def test_each_row_is_the_run_by_itself(disk):
    masses = np.linspace(1, 5, 9)
    swept = disk.sweep({"m": masses}, keep=["max(theta)", "X"], until=0.5)
    assert len(swept) == 9 and np.array_equal(swept["m"], masses)
    assert set(swept["status"]) == {"finished"}
    for m, end in zip(masses, swept["X"]):
        assert end == pytest.approx(disk.simulate(until=0.5, m=m)["X"][-1], rel=1e-9)


def test_threads_do_not_change_a_bit(disk):
    one, three = [disk.sweep({"m": [1, 2, 3, 4]}, keep={"top": "max(theta)"}, until=0.5, threads=n).runs.numbers for n in (1, 3)]
    assert np.array_equal(one, three)


def test_grids_lists_and_draws(pendulum):
    grid = pendulum.sweep({"l": [1, 2], "theta": [0.1, 0.2, 0.3]}, keep=["theta"], until=0.1)
    assert len(grid) == 6
    assert len(pendulum.sweep({"l": [1, 2], "theta": [0.1, 0.2]}, keep=["theta"], kind="list", until=0.1)) == 2
    drawn = pendulum.sweep({"l": [1, 2]}, keep=["theta"], kind="sobol", count=16, until=0.1)
    assert len(drawn) == 16 and np.all((drawn["l"] >= 1) & (drawn["l"] <= 2))
    with pytest.raises(da.ModelError, match="kind"):
        pendulum.sweep({"l": [1]}, kind="latin")
    with pytest.raises(KeyError, match="status"):
        grid["nothing"]


def test_ctrl_c_keeps_what_is_done(disk):
    timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.warns(UserWarning, match="interrupted"):
        swept = disk.sweep({"m": np.linspace(1, 5, 100_000)}, keep=["theta"], until=20)
    assert len(swept) < 100_000
