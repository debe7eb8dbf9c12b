"""What several tests share. Everything is asked of the package as it was built; `make check-python` has the extras."""
import os

import pytest

import dalembert as da


@pytest.fixture(scope="session")
def disk():
    return da.load("models:rolling_disk_tilted")


@pytest.fixture(scope="session")
def pendulum():
    return da.load("models:pendulum")


def need(module):
    """The module, or the test is left out; where all extras must be there it fails instead."""
    if os.environ.get("DALEMBERT_ALL_EXTRAS"):
        return __import__(module, fromlist=["_"])
    return pytest.importorskip(module)
