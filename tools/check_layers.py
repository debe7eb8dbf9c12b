#!/usr/bin/env python3
"""Includes go with the flow only: a stage may read itself and the stages named for it below.

Also: public headers hide heavy libraries, dalembert.hpp holds every public header, and the command, the Python module
and the examples use the public headers only. Tests and benchmarks are exempt. `--self-test` shows that violations are caught.
"""
import pathlib
import re
import sys
import tempfile

# stage: what it may read besides itself. Mirrors the link lines of CMakeLists.txt.
MAY_READ = {
    "base": [],
    "expr": ["base"],
    "model": ["base", "expr"],
    "mechanics": ["base", "expr", "model"],
    "program": ["base", "expr"],
    "simulate": ["base", "expr", "model", "mechanics", "program"],
    "study": ["base", "expr", "model", "mechanics", "program", "simulate"],
    "report": ["base", "expr", "model", "mechanics", "program", "simulate", "study"],
}
UMBRELLA = "dalembert"
HEAVY = re.compile(r"^(Eigen|asmjit|toml\+\+|nlohmann|CLI|capstone|fmt|flint|hdf5|sleef|arb|fmpz|fmpq|mpfr)\b")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def stage_of_file(relative):
    """The stage a file belongs to; apps, examples and python count as one above all; None if it has none."""
    parts = relative.parts
    if parts[0] == "src" and len(parts) > 2 and parts[1] in MAY_READ:
        return parts[1]
    if parts[:2] == ("include", "dalembert"):
        if len(parts) == 3:
            return UMBRELLA if relative.stem == UMBRELLA else None
        return parts[2] if len(parts) == 4 and parts[2] in MAY_READ else None
    if parts[0] in ("apps", "examples", "python"):
        return parts[0]
    return None


def stage_of_include(root, file, quote, name):
    """(stage, public?) of an included file of ours; (None, False) for libraries; KeyError if it is ours without a stage."""
    if name.startswith("dalembert/"):
        stage = stage_of_file(pathlib.PurePath("include", name))
        if stage is None:
            raise KeyError(name)
        return stage, True
    first = name.split("/")[0]
    if "/" in name and first in MAY_READ and (root / "src" / name).exists():
        return first, False
    if quote == '"':
        path = (file.parent / name).resolve()
        if path.exists():
            stage = stage_of_file(path.relative_to(root.resolve()))
            if stage is None:
                raise KeyError(name)
            return stage, "include" in path.parts
        raise KeyError(name)
    return None, False


def complaint(root, file, quote, name):
    """What is wrong with one include line, or None."""
    relative = file.relative_to(root)
    stage = stage_of_file(relative)
    try:
        target, public = stage_of_include(root, file, quote, name)
    except KeyError:
        return "belongs to no stage: expected a public header, STAGE/NAME.hpp of src, or a file beside this one"
    if target is None:
        if relative.parts[0] == "include" and HEAVY.match(name):
            return "is a heavy library: public headers hide those, include it in a .cpp file"
        return None
    if stage in ("apps", "examples", "python"):
        return None if public or target == stage else "is internal: only public headers are used here"
    if stage == UMBRELLA:
        return None if public else "is internal: only public headers belong here"
    if target == UMBRELLA:
        return "includes every stage: name the headers that are needed"
    if target == stage or target in MAY_READ[stage]:
        if relative.parts[0] == "include" and not public:
            return "is internal: a public header includes public headers only"
        return None
    readable = ", ".join([stage] + MAY_READ[stage])
    return f"is of stage {target}, against the flow: {stage} may read only {readable}"


def check(root):
    problems = []
    for folder in ("include", "src", "apps", "examples", "python"):
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in (".cpp", ".hpp", ".h", ".inc"):
                continue
            relative = file.relative_to(root)
            if stage_of_file(relative) is None:
                problems.append(f"{relative}: belongs to no stage: put it in the folder of one")
                continue
            for number, line in enumerate(file.read_text().splitlines(), 1):
                match = INCLUDE.match(line)
                wrong = complaint(root, file, match[1], match[2]) if match else None
                if wrong:
                    problems.append(f"{relative}:{number}: {match[2]} {wrong}")
    umbrella = root / "include/dalembert/dalembert.hpp"
    included = umbrella.read_text() if umbrella.exists() else ""
    for header in sorted((root / "include/dalembert").rglob("*.hpp")):
        name = header.relative_to(root / "include")
        if header != umbrella and f"<{name}>" not in included:
            problems.append(f"include/dalembert/dalembert.hpp: does not include <{name}>")
    return problems


def self_test():
    good = {
        "include/dalembert/dalembert.hpp": "#include <dalembert/base/error.hpp>\n#include <dalembert/expr/expr.hpp>\n",
        "include/dalembert/base/error.hpp": "#include <string>\n",
        "include/dalembert/expr/expr.hpp": "#include <gmpxx.h>\n#include <dalembert/base/error.hpp>\n",
        "src/base/inner.hpp": "",
        "src/expr/walk.hpp": "#include <dalembert/expr/expr.hpp>\n",
        "src/expr/walk.cpp": '#include "expr/walk.hpp"\n#include "walk.hpp"\n#include "base/inner.hpp"\n#include <vector>\n',
        "src/program/lower.hpp": "#include <dalembert/expr/expr.hpp>\n",
        "src/mechanics/lagrange.cpp": "",
        "apps/main.cpp": "#include <dalembert/dalembert.hpp>\n",
    }
    bad = {  # one more file each, and a word that the complaint must hold
        "src/base/up.cpp": ("#include <dalembert/expr/expr.hpp>\n", "against the flow"),
        "src/expr/up.cpp": ('#include "program/lower.hpp"\n', "against the flow"),
        "src/expr/sideways.cpp": ('#include "../program/lower.hpp"\n', "against the flow"),
        "src/program/up.cpp": ("  #  include <dalembert/model/model.hpp>\n", "against the flow"),
        "src/mechanics/up.cpp": ('#include "program/lower.hpp"\n', "against the flow"),
        "src/expr/all.cpp": ("#include <dalembert/dalembert.hpp>\n", "every stage"),
        "src/stray/file.cpp": ("", "no stage"),
        "src/file.cpp": ("", "no stage"),
        "src/expr/lost.cpp": ('#include "nowhere.hpp"\n', "no stage"),
        "include/dalembert/strange.hpp": ("", "no stage"),
        "include/dalembert/expr/print.hpp": ("#include <Eigen/Core>\n", "heavy"),
        "include/dalembert/expr/display.hpp": ("", "does not include"),
        "include/dalembert/expr/formula.hpp": ('#include "expr/walk.hpp"\n', "internal"),
        "apps/inner.cpp": ('#include "expr/walk.hpp"\n', "internal"),
        "python/src/inner.cpp": ('#include "expr/walk.hpp"\n', "internal"),
        "examples/inner.cpp": ('#include "../src/expr/walk.hpp"\n', "internal"),
    }

    def complaints(files):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return check(pathlib.Path(folder))

    failures = [f"a good tree: {text}" for text in complaints(good)]
    for name, (text, word) in bad.items():
        found = complaints({**good, name: text})
        if not any(word in line for line in found):
            failures.append(f"{name}: expected '{word}', found {found}")
    for line in failures:
        print("self-test:", line)
    print(f"self-test: {len(bad)} violations tried, {len(failures)} failures")
    return 1 if failures else 0


def main():
    if "--self-test" in sys.argv[1:]:
        return self_test()
    problems = check(pathlib.Path(__file__).resolve().parent.parent)
    for problem in problems:
        print(problem)
    print(f"layers: {len(problems)} problems" if problems else "layers: every include goes with the flow")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
