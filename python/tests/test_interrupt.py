"""Ctrl-C ends what is being done, whatever it is, and a motion keeps what there is; a bar moves meanwhile."""
import os
import signal
import threading
import time

import numpy as np
import pytest

import dalembert as da
from dalembert import progress


class Stop(Exception):
    pass


def stop(reached):
    raise Stop


@pytest.fixture(scope="module")
def chain():
    return da.load("models:chain_10", N=24)


SWING = """
name = "swing"
[parameters]
g = 9.81
[coordinates]
theta = 1
[energy]
kinetic = "theta'^2/2"
potential = "-g*cos(theta)"
[periodic]
section = "theta' = 0"
"""
BICYCLE = da.load("models:whipple_bicycle", {"phi'": 0})
DATA = {"t": np.linspace(0, 400, 4000), "theta": np.zeros(4000)}
QUESTIONS = {
    "equations": lambda m, p: m._loaded.equations("hamel", stop),
    "verify": lambda m, p: m._loaded.verify(None, 8, 1, stop),
    "linearize": lambda m, p: BICYCLE._loaded.root_locus("v", 0.0, 10.0, 0.001, [], [], [], stop),
    "frame": lambda m, p: m._loaded.frame(False, stop),
    "equilibria": lambda m, p: m._loaded.equilibria([], 100_000, 1, stop),
    "action": lambda m, p: p._loaded.action(400.0, [], [], True, stop),
    "periodic": lambda m, p: da.parse(SWING)._loaded.periodic(["T"], 1000.0, None, stop),
    "fit": lambda m, p: p._loaded.fit(da.model.arguments.table(DATA), [("l", 0.1, 9.0), ("theta", -2.0, 2.0)], [], [], 1e-12, stop),
    "check": lambda m, p: BICYCLE._loaded.check(stop),
}


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS.keys())
def test_a_question_is_ended_by_whoever_watches_it(chain, pendulum, question):
    """As by Ctrl-C, which is looked for at the same places: an exception of the watcher comes back."""
    with pytest.raises(Stop):
        question(chain, pendulum)


def interrupt_after(seconds):
    threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT)).start()


def test_ctrl_c_ends_a_derivation():
    chain = da.load("models:chain_10", N=60)
    begin = time.process_time()
    interrupt_after(0.2)
    with pytest.raises(KeyboardInterrupt):
        for _ in range(1000):
            chain.verify(progress=False)
    assert time.process_time() - begin < 20
    assert da.load("models:pendulum").check().degrees_of_freedom == 1  # and everything goes on


def test_a_mark_moves_where_nobody_knows_how_far_it_is(capsys, monkeypatch):
    now = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    with progress.Bar(enabled=True) as bar:
        for now[0] in (3, 3.2):
            bar(float("nan"))
    first, second = capsys.readouterr().err.split("\r")[1:3]
    assert "working, 3 s" in first and second.index("###") > first.index("###")
