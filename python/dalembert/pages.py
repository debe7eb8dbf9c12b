"""A folder of pages, one a model."""
from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from . import _core
from .errors import ModelError
from .model import Model, load, models

PICTURE = dict(width=300, height=200)


def _page_name(model: Any) -> str:
    """"models:pendulum" and "some/pendulum.toml" are both pendulum; a model that was built goes by its name."""
    path = os.fspath(model) if not isinstance(model, Model) else model.file or model.name
    return path.removeprefix("models:") if path.startswith("models:") else os.path.splitext(os.path.basename(path))[0]


def gallery(folder: str, of: Iterable[Any] = (), *, progress: bool | None = None) -> list[str]:
    """A folder of pages, one a model, with a list of pictures; gives the files written.

    `of` has models, model files or models:NAME; all bundled ones where it is empty.

    >>> import dalembert as da, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [os.path.basename(path) for path in da.gallery(folder, ["models:pendulum"])]
    ['pendulum.html', 'index.html']
    """
    chosen = list(of) or [f"models:{name}" for name in models()]
    names = [_page_name(each) for each in chosen]
    for name in names:
        if names.count(name) > 1:
            raise ModelError.about("of", f"{names.count(name)} models would be {name}.html", "give each once, or rename one")
    loaded = [each if isinstance(each, Model) else load(each) for each in chosen]
    os.makedirs(folder, exist_ok=True)
    written, entries = [], []
    for name, model in zip(names, loaded):
        core = model._loaded
        run = model.simulate(every=_core._page_interval(core.until, core.every), progress=progress)
        written.append(os.path.join(folder, f"{name}.html"))
        run.animate(progress=progress).save(written[-1])
        entries.append([model.name, model.about, f"{name}.html", _picture(run)])
        if run.status == "interrupted":
            break
    written.append(os.path.join(folder, "index.html"))
    _core._write_file(written[-1], _core._write_gallery(entries).encode())
    return written


def _picture(run: Any) -> str:
    """The start and a third of the way; empty where there is nothing to see."""
    if len(run) == 0:
        return ""
    try:
        return str(run.picture([run.t[0], run.t[len(run) // 3]], **PICTURE).text)
    except ModelError:
        return ""
