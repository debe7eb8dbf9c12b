"""The page of a model with the engine behind it, for this machine alone: what `dalembert view` does."""
from __future__ import annotations

import json
import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from . import _core
from .errors import ModelError, _Complaint
from .model import Model, load

HOST = "127.0.0.1"
MOST_BYTES = 64_000


class View(ThreadingHTTPServer):
    """Serves one model at `address`: follows its file, if it has one, and computes other motions for its sliders."""

    daemon_threads = True

    def __init__(self, model: Model, port: int = 0, by: str = "multipliers") -> None:
        try:
            super().__init__((HOST, port), _Handler)
        except OSError as error:
            raise ModelError.about("port", f"port {port} of {HOST} cannot be used: another program may have it",
                                   "give another one, or none to get any that is free") from error
        self.address = f"http://{HOST}:{self.server_address[1]}/"
        self._model, self._by = model, by
        self._asked = threading.Lock()
        self._written: bytes | None = None  # the file, as the page has it
        self._page = self._error = ""
        self._served = 0

    def page(self) -> str:
        with self._asked:
            self._look()
            return self._page or _core._waiting_page(self._model.name, self._error)

    def news(self) -> str:
        """Which page is the newest, and what is wrong with the file since."""
        with self._asked:
            self._look()
            return json.dumps({"served": self._served, "error": self._error or None})

    def motion(self, body: bytes) -> str:
        """Another motion: {"parameters": {"m": 2}, "initial": {"theta": 1}}."""
        asked = json.loads(body)
        initial = {str(name): float(value) for name, value in asked["initial"].items()}
        values = {**{str(name): float(value) for name, value in asked["parameters"].items()}, **initial}
        with self._asked:
            run = self._run(values, bool(initial))
            return run._core._page_motion(run._seen())

    def _run(self, values: dict[str, float], project_initial: bool = False) -> Any:
        core = self._model._loaded
        return self._model.simulate(every=_core._page_interval(core.until, core.every), by=self._by, given=values,
                                    project_initial=project_initial, progress=False)

    def _look(self) -> None:
        """Once for each content of the file; a model that was built stays as it is."""
        path = self._model.file
        written = b""
        if os.path.isfile(path):
            with open(path, "rb") as file:
                written = file.read()
        if written == self._written:
            return
        try:
            if self._written is not None:
                self._model = load(path)
            self._page = self._run({})._page(served=self._served + 1, progress=False).text
            self._error = ""
            self._served += 1
        except _Complaint as error:
            self._error = _with_line(error, written.decode(errors="replace"))
            self._served = max(self._served, 1)
        self._written = written


def _with_line(error: _Complaint, text: str) -> str:
    """And the line that it speaks of, as it stands in the file."""
    lines = text.splitlines()
    number = error.line or 0
    return f"{error}\n\n{number:5} | {lines[number - 1]}" if 0 < number <= len(lines) else str(error)


class _Handler(BaseHTTPRequestHandler):
    server: View

    def _may_ask(self) -> bool:
        """A name that another site had resolved to this machine is not among these, nor is another site's page."""
        port = self.server.server_address[1]
        own = [f"{name}:{port}" for name in (HOST, "localhost")]
        origin = self.headers.get("Origin")
        return self.headers.get("Host") in own and (origin is None or origin in [f"http://{name}" for name in own])

    def _answer(self, status: int, kind: str, text: str) -> None:
        body = text.encode()
        self.send_response(status)
        for name, value in (("Content-Type", f"{kind}; charset=utf-8"), ("Content-Length", str(len(body))),
                            ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
                            ("Cross-Origin-Resource-Policy", "same-origin"), ("X-Frame-Options", "DENY")):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def _refuse(self) -> None:
        self._answer(403, "text/plain", "dalembert answers its own page on this machine only\n")

    def do_GET(self) -> None:
        if not self._may_ask():
            self._refuse()
        elif self.path == "/":
            self._answer(200, "text/html", self.server.page())
        elif self.path == "/news":
            self._answer(200, "application/json", self.server.news())
        else:
            self._answer(404, "text/plain", "there is nothing here\n")

    def do_POST(self) -> None:
        size = self.headers.get("Content-Length", "")
        if not self._may_ask() or not self.headers.get("Content-Type", "").startswith("application/json"):
            return self._refuse()
        if self.path != "/motion" or not size.isdigit() or int(size) > MOST_BYTES:
            return self._answer(400, "text/plain", "expected a motion to compute, as JSON of 64 kB at most\n")
        try:
            self._answer(200, "application/json", self.server.motion(self.rfile.read(int(size))))
        except _Complaint as error:
            self._answer(422, "text/plain", str(error))
        except (ValueError, KeyError, TypeError, AttributeError):
            self._answer(400, "text/plain", "expected parameters and initial values as JSON\n")

    def log_message(self, format: str, *arguments: Any) -> None:
        """Nobody reads it."""
