"""Columns are views that outlive everything; objects may go in any order; nothing leaks."""
import gc
import os
import pathlib
import pickle
import random
import re
import resource
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import dalembert as da
from conftest import need


def test_a_column_is_a_view_of_the_rows(disk):
    run = disk.simulate(until=0.2)
    theta = run["theta"]
    assert np.shares_memory(theta, run.rows) and np.shares_memory(theta, run["theta"])
    assert not theta.flags.writeable and not theta.flags.owndata
    assert np.array_equal(run.rows[:, run.columns.index("theta")], theta)


def test_a_column_outlives_the_run_and_the_model():
    model = da.load("models:pendulum")
    run = model.simulate(until=1)
    theta, expected = run["theta"], run["theta"].copy()
    del run, model
    gc.collect()
    np.zeros(10_000_000)  # somebody else's memory now
    assert np.array_equal(theta, expected)


def test_results_keep_what_they_look_into(disk):
    report = disk.reactions()
    on = report["along"].generalized
    expected = on.copy()
    state = report.state.q
    kept = state.copy()
    del report
    gc.collect()
    assert np.array_equal(on, expected) and np.array_equal(state, kept)


def test_objects_may_go_in_any_order():
    """Everything that a model gives, deleted in random orders while the rest is used."""
    seed = int(os.environ.get("DALEMBERT_SEED", "7"))
    print("seed", seed)
    chance = random.Random(seed)
    for _ in range(4):
        model = da.load("models:rolling_disk_tilted")
        run = model.simulate(until=0.05)
        report = model.reactions()
        check = model.check()
        equations = model.equations()
        things = {"model": model, "run": run, "column": run["theta"], "rows": run.rows, "last": run.last.q,
                  "summary": run.summary.energy, "report": report, "reaction": report["along"],
                  "on": report["along"].generalized, "formula": report["along"].formula, "check": check,
                  "rank": check.rank, "constraint": check.constraints[0], "equations": equations,
                  "mass": equations.mass_matrix, "hamel": equations.by("hamel"), "f": model.accelerations}
        del model, run, report, check, equations
        while things:
            del things[chance.choice(sorted(things))]
            if chance.random() < 0.3:
                gc.collect()
            for thing in things.values():
                thing.sum() if isinstance(thing, np.ndarray) and thing.dtype == float else dir(thing)
            if things and chance.random() < 0.2:
                repr(things[chance.choice(sorted(things))])


def test_runs_do_not_leak():
    """100 000 of them where DALEMBERT_RUNS says so; the memory of the process stays."""
    runs = int(os.environ.get("DALEMBERT_RUNS", "2000"))
    model = da.load("models:pendulum")

    def go(count):
        for _ in range(count):
            run = model.simulate(until=0.02, every=0.01, m=2)
            assert run["theta"][0] == run.rows[0, 1]

    go(200)
    gc.collect()
    before, blocks = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, sys.getallocatedblocks()
    go(runs)
    gc.collect()
    assert sys.getallocatedblocks() - blocks < 200
    # A leaked run has a table of some kilobytes, so 2000 would be more than this many kilobytes.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 2000


def test_eight_threads_give_the_bits_of_one(disk):
    masses = [1 + k / 7 for k in range(8)]
    alone = [disk.simulate(until=0.5, m=m).rows.copy() for m in masses]
    fresh = da.load("models:rolling_disk_tilted")  # compiled by whoever comes first
    found = [None] * 8

    def work(k):
        for _ in range(3):
            found[k] = fresh.simulate(until=0.5, m=masses[k]).rows
            fresh.accelerations(0.0, [0] * 5, [0] * 5)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(a, b) for a, b in zip(alone, found))


def test_other_threads_run_while_a_motion_is_computed(disk):
    ticks = []
    done = threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    begin = time.monotonic()
    disk.simulate(until=1000, every=1)
    end = time.monotonic()
    done.set()
    thread.join()
    assert sum(begin < each < end for each in ticks) >= 3


def test_ctrl_c_ends_a_run_and_keeps_what_there_is(disk):
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.warns(UserWarning, match="interrupted"):
        run = disk.simulate(until=1e6, every=1)
    assert run.status == "interrupted" and not run
    assert len(run) > 0 and np.all(np.isfinite(run["theta"]))


def test_a_callback_that_raises_is_heard(disk):
    class Broken:
        def __call__(self, reached):
            raise ZeroDivisionError("of the user")

    with pytest.raises(ZeroDivisionError, match="of the user"):
        disk._loaded.simulate("multipliers", 1e6, 1.0, None, [], None, False, False, "dop853", False, Broken())


def test_the_bar_is_off_where_it_is_told_or_nobody_looks(disk, capsys):
    disk.simulate(until=60, every=1, progress=False)
    disk.simulate(until=1)
    assert capsys.readouterr().err == ""


def test_files_are_what_the_command_writes(pendulum, tmp_path):
    run = pendulum.simulate(until=0.1)
    for kind in ("csv", "json", "svg", "html"):
        run.save(str(tmp_path / f"run.{kind}"))
        assert (tmp_path / f"run.{kind}").stat().st_size > 100
    read = np.genfromtxt(tmp_path / "run.csv", delimiter=",", skip_header=1)
    assert np.array_equal(read[:, 1], run["theta"])
    assert "<iframe" in run.animate()._repr_html_() and run.picture([0])._repr_svg_().startswith("<svg")
    with pytest.raises(da.ModelError):
        run.save(str(tmp_path / "run.docx"))


def test_a_page_is_the_one_of_the_command(tmp_path):
    """To the byte, but for the seconds that the run took; with the values of the run, and a second one beside it."""
    command = pathlib.Path(da.__file__).parents[2] / "dalembert"
    if not command.exists():
        pytest.skip("the command is not built")
    model = da.load("models:spherical_pendulum")
    run = model.simulate(until=1, every=0.001, m=2.5)
    other = model.simulate(until=1, every=0.001, m=4)
    path = tmp_path / "page.html"
    subprocess.run([command, "simulate", "models:spherical_pendulum", "--set", "m=2.5", "--until", "1", "--every", "0.001", "--beside", "m=4",
                    "-o", path, "--quiet"], check=True)
    pages = [re.sub(r"[0-9.e-]+ [µm]?s(?=\\n)", "", text) for text in (run.animate(beside=other, title="m=4").text, path.read_text())]
    differs = next((i for i, (one, two) in enumerate(zip(*pages)) if one != two), None)
    where = differs and [page[differs - 40:differs + 40] for page in pages]
    assert differs is None and len(pages[0]) == len(pages[1]), where


def test_a_gallery_has_a_page_a_model_and_a_list(pendulum, tmp_path):
    built = da.Model("built")
    x = built.coordinate("x", 1)
    built.point("P", [x, 0, 0], mass=1)
    written = da.gallery(str(tmp_path / "pages"), ["models:oscillator", pendulum, built])
    assert [pathlib.Path(path).name for path in written] == ["oscillator.html", "pendulum.html", "built.html", "index.html"]
    index = pathlib.Path(written[-1]).read_text()
    assert all(f'"{name}.html"' in index for name in ("oscillator", "pendulum", "built")) and index.count("data:image/svg+xml") == 2  # nothing to see of q alone
    with pytest.raises(da.ModelError, match="pendulum.html"):
        da.gallery(str(tmp_path), [pendulum, "models:pendulum"])


def test_a_data_frame_has_the_columns(pendulum):
    need("pandas")
    run = pendulum.simulate(until=0.1)
    frame = run.to_pandas()
    assert list(frame.columns) == run.columns and np.array_equal(frame["theta"], run["theta"])


def test_threads_may_ask_everything_at_once(disk):
    questions = {
        "check": lambda m: str(m.check()), "equations": lambda m: str(m.equations()),
        "hamel": lambda m: str(m.equations("hamel")), "values": lambda m: m.equations().values().accelerations.tolist(),
        "reactions": lambda m: m.reactions()["along"].value, "frame": lambda m: str(m.frame()),
        "gauss": lambda m: m.gauss().excess, "page": lambda m: m.simulate(until=0.1).animate().text[-10:],
    }
    alone = {name: ask(disk) for name, ask in questions.items()}
    fresh = da.load("models:rolling_disk_tilted")
    found = {}
    threads = [threading.Thread(target=lambda n=name, a=ask: found.__setitem__(n, [a(fresh) for _ in range(2)]))
               for name, ask in questions.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {name: [answer] * 2 for name, answer in alone.items()}


def test_the_bar_shows_how_far_the_work_is(monkeypatch, capsys):
    from dalembert import progress

    clock = iter(range(100))
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock))
    with progress.Bar(0, 10, True) as bar:
        bar(5)
    shown = capsys.readouterr().err
    assert "50 %" in shown and "t = 5" in shown and shown.endswith("\r")


def test_a_motion_is_asked_by_names_of_columns(pendulum):
    run = pendulum.simulate(until=1)
    assert "theta" in run and "psi" not in run and 0 not in run
    assert list(run) == run.columns == run.keys() and dict(run)["theta"] is not None
    assert set(run) == {*run.columns} and len(run) == 21
    with pytest.raises(KeyError, match="did you mean theta") as caught:
        run["thetta"]
    assert isinstance(caught.value, da.ModelError) and str(caught.value).startswith("the motion has no column 'thetta'")
    with pytest.raises(da.ModelError, match="there are t, theta") as caught:
        run["zzzz"]
    assert "::" not in str(caught.value) and pickle.loads(pickle.dumps(caught.value)).key == "zzzz"
    with pytest.raises(TypeError, match=r"\.rows"):
        run[0]
    fit = pendulum.fit(dict(t=run.t, theta=run["theta"]), ["l"])
    assert "t" in fit.residuals and list(fit.residuals) == fit.residuals.columns


def test_a_sweep_is_asked_by_names_of_columns(pendulum):
    swept = pendulum.sweep({"l": [1, 2]}, keep=["theta"], until=0.1)
    assert "l" in swept and "status" in swept.runs and "zz" not in swept and list(swept) == swept.keys()
    assert {"l", "theta", "status"} <= set(swept.runs)


def test_several_columns_are_plotted(pendulum):
    matplotlib = need("matplotlib")
    matplotlib.use("Agg")
    run = pendulum.simulate(until=0.1)
    ax = run.plot("theta", "energy")
    assert [line.get_label() for line in ax.lines] == ["theta", "energy"]
    assert run.plot(["theta"], ax=ax) is ax and len(ax.lines) == 3
    with pytest.raises(TypeError, match="ax="):
        run.plot("theta", ax)
