"""The PEP 517 back end: a wheel around what CMake builds. It needs CMake, a compiler and Debian's packages of
packages.txt, and no package of an index."""
from __future__ import annotations

import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
EPOCH = (1980, 1, 1, 0, 0, 0)  # of every member: the same sources make the same wheel


def version() -> str:
    """CMake's: there is one number."""
    found = re.search(r"project\(dalembert VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())
    if not found:
        raise SystemExit("CMakeLists.txt names no version")
    return found[1]


def metadata() -> str:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lines = ["Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {version()}",
             f"Summary: {project['description']}", f"Requires-Python: {project['requires-python']}",
             "License: BSD-3-Clause", "Description-Content-Type: text/markdown"]
    lines += [f"Requires-Dist: {each}" for each in project["dependencies"]]
    for extra, packages in project["optional-dependencies"].items():
        lines.append(f"Provides-Extra: {extra}")
        lines += [f"Requires-Dist: {each}; extra == '{extra}'" for each in packages]
    return "\n".join(lines) + "\n\n" + (ROOT / "README.md").read_text()


def run(*command: str) -> None:
    if subprocess.run(command, cwd=ROOT).returncode != 0:
        raise SystemExit(f"`{' '.join(command)}` failed: its messages are above. "
                         "`make packages` installs Debian's packages that the build needs")


def build() -> pathlib.Path:
    """The folder with the extension: of `make build` where there is one, else one of its own."""
    folder = ROOT / "build"
    cache = folder / "CMakeCache.txt"
    if not (cache.exists() and "DALEMBERT_PYTHON:BOOL=ON" in cache.read_text()):
        folder = ROOT / "build-wheel"
        interpreter = getattr(sys, "_base_executable", None) or sys.executable
        run("cmake", "-S", str(ROOT), "-B", str(folder), "-DCMAKE_BUILD_TYPE=Release", "-DDALEMBERT_PYTHON=ON",
            "-DDALEMBERT_TESTS=OFF", "-DDALEMBERT_WERROR=OFF", f"-DPython3_EXECUTABLE={interpreter}")
    run("cmake", "--build", str(folder), "--target", "dalembert_python", "--parallel", str(os.cpu_count() or 1))
    return folder / "python" / "dalembert"


def contents() -> dict[str, bytes]:
    files = {f"dalembert/{path.name}": path.read_bytes() for path in sorted((ROOT / "python" / "dalembert").iterdir())
             if path.is_file()}
    files |= {f"dalembert/models/{path.name}": path.read_bytes() for path in sorted((ROOT / "models").glob("*.toml"))}
    core = build() / f"_core{sysconfig.get_config_var('EXT_SUFFIX')}"
    files[f"dalembert/{core.name}"] = core.read_bytes()
    return files


def tag() -> str:
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def write_metadata(files: dict[str, bytes]) -> str:
    folder = f"dalembert-{version()}.dist-info"
    files[f"{folder}/METADATA"] = metadata().encode()
    files[f"{folder}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: dalembert\nRoot-Is-Purelib: false\nTag: {tag()}\n".encode()
    files[f"{folder}/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    return folder


def build_wheel(wheel_directory: str, config_settings: object = None, metadata_directory: str | None = None) -> str:
    files = contents()
    folder = write_metadata(files)
    record = "".join(f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},"
                     f"{len(data)}\n" for name, data in files.items())
    files[f"{folder}/RECORD"] = (record + f"{folder}/RECORD,,\n").encode()
    name = f"dalembert-{version()}-{tag()}.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            member = zipfile.ZipInfo(path, EPOCH)
            member.external_attr = (0o755 if ".so" in path else 0o644) << 16
            member.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(member, data)
    return name


def build_sdist(sdist_directory: str, config_settings: object = None) -> str:
    stem = f"dalembert-{version()}"
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    with tarfile.open(pathlib.Path(sdist_directory) / f"{stem}.tar.gz", "w:gz") as archive:
        for path in filter(None, tracked):
            archive.add(ROOT / path, f"{stem}/{path}")
    return f"{stem}.tar.gz"
