"""The package: quick to import, its examples run, its types are what the module has, it installs offline."""
import doctest
import importlib
import os
import pathlib
import subprocess
import sys
import time

import numpy as np
import pytest

import dalembert as da
from conftest import need

ROOT = pathlib.Path(__file__).resolve().parents[2]
extras = pytest.mark.skipif(not os.environ.get("DALEMBERT_ALL_EXTRAS"), reason="takes longer: make check-python")
MODULES = ["dalembert", "dalembert.expressions", "dalembert.model", "dalembert.build", "dalembert.trajectory", "dalembert.plot",
           "dalembert.pages", "dalembert._words", "dalembert._formula"]


def test_import_takes_less_than_that_of_numpy():
    """About 45 ms, against 90 of NumPy, which is loaded when it is first used. The least of several: other work only adds."""
    def least(module):
        code = f"import time; a = time.process_time(); import {module}; print(time.process_time() - a)"
        return min(float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
                   for _ in range(5))
    assert least("dalembert") <= least("numpy")
    code = "import sys, dalembert; print([name for name in ('numpy', 'sympy', 'matplotlib', 'pandas') if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"


def test_a_run_costs_what_the_engine_takes(disk):
    """The call from Python against the seconds that the engine measured inside of it, after the first."""
    disk.simulate(until=2)
    ratios = []
    for _ in range(30):
        begin = time.perf_counter()
        run = disk.simulate(until=20, every=0.01)
        ratios.append((time.perf_counter() - begin) / run.statistics.seconds)
    assert min(ratios) <= 1.2


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_the_docstrings_run(name):
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0


def test_the_page_about_python_is_true():
    result = doctest.testfile(str(ROOT / "docs/python.md"), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert result.failed == 0 and result.attempted > 30


def test_an_example_that_needs_sympy_runs():
    need("sympy")
    for name in ("dalembert.sympy_expressions", "dalembert.sympy_bridge"):
        assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_names_that_are_loaded_late_are_listed():
    assert set(da.__all__) <= set(dir(da))
    code = "import dalembert, sys; assert 'verify' in dir(dalembert) and 'sympy' not in sys.modules and 'numpy' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_stub_is_written_from_the_module():
    subprocess.run([sys.executable, str(ROOT / "python/tools/write_stubs.py"), "--check"], check=True)


@extras
def test_types_are_those_of_the_module(tmp_path):
    env = {**os.environ, "MYPY_CACHE_DIR": str(tmp_path)}
    allowed = str(ROOT / "python/tools/stubtest_allowed.txt")
    for command in (["mypy.stubtest", "dalembert._core", "--allowlist", allowed],
                    ["mypy", "--config-file", str(ROOT / "pyproject.toml"), str(ROOT / "python/dalembert")]):
        done = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True, env=env, cwd=tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr


@extras
def test_pip_installs_it_offline_into_a_fresh_environment(tmp_path):
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", str(tmp_path / "venv")], check=True)
    python = str(tmp_path / "venv/bin/python")
    env = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    env |= {"PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    subprocess.run([python, "-m", "pip", "install", "--quiet", str(ROOT)], check=True, env=env)
    code = ("import dalembert as da, pathlib; assert 'venv' in da.__file__; run = da.load('models:pendulum').simulate(until=1); "
            "assert '<script' in run.animate().text; print(repr(run['theta'][-1]))")
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True, env=env, cwd=tmp_path)
    assert float(done.stdout.removeprefix("np.float64(").rstrip(")\n")) == da.load("models:pendulum").simulate(until=1)["theta"][-1]


def test_plots_are_drawn(disk, pendulum):
    matplotlib = need("matplotlib")
    matplotlib.use("Agg")
    run = disk.simulate(until=2)
    axes = [run.plot(), run.plot("theta"), da.plot.path(run, "X", "Y"), da.plot.phase(run, "theta"),
            da.plot.poincare(run, "X", "theta", "theta'")]
    assert [len(ax.lines) for ax in axes] == [5, 1, 1, 1, 1]
    locus = pendulum.linearize(over={"l": np.linspace(0.5, 2, 4)}, theta=0, **{"theta'": 0})
    assert len(locus.plot().lines) >= 4
    diagram = da.load("models:rotating_hoop").equilibria(over={"W": np.linspace(3, 9, 61)}, box={"theta": (-1.5, 1.5)})
    assert len(diagram.plot().lines) == 2 * len(diagram.branches) + len(diagram.special)


def test_the_module_is_hardened_and_has_no_library_path():
    core = importlib.import_module("dalembert._core").__file__
    read = lambda *options: subprocess.run(["readelf", *options, core], capture_output=True, text=True, check=True).stdout
    dynamic = read("-dW")
    assert "RPATH" not in dynamic and "RUNPATH" not in dynamic
    assert " NOW" in dynamic
    assert "GNU_RELRO" in read("-lW")
