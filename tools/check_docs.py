#!/usr/bin/env python3
"""The documentation says what is true: its examples run, its links lead somewhere, the files it quotes are as quoted.

In the root's and docs' Markdown files:
* ```console: lines "$ COMMAND" run in the repository's root with build/ first on PATH; the lines that follow must be
  what the command prints (both streams). A line "..." stands for any lines, "..." within a line for any text.
  A command must succeed; show a failing one as `$ COMMAND; echo "status $?"`.
* any fence whose first line is a comment naming a file, `// examples/NAME.cpp`, must hold that whole file, or with
  "(excerpt)" after the name a passage of it.
* relative links and their #anchors must exist.
`--self-test` shows that what is wrong is caught.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

FENCE = re.compile(r"^(```+)\s*([\w+-]*)\s*$")
QUOTED = re.compile(r"^(?://|#)\s*((?:[\w.-]+/)+[\w.-]+)\s*(\(excerpt\))?$")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
TIMEOUT = 120  # seconds


def split(text):
    """(fences, prose): fences as (line number, language, lines); prose as (line number, line)."""
    fences, prose, opening = [], [], None
    for number, line in enumerate(text.splitlines(), 1):
        match = FENCE.match(line)
        if opening is None and match:
            opening = match[1]
            fences.append((number, match[2], []))
        elif opening is not None and line.strip() == opening:
            opening = None
        elif opening is not None:
            fences[-1][2].append(line)
        else:
            prose.append((number, line))
    return fences, prose


def as_pattern(expected):
    """A regular expression for the expected lines with their ellipses."""
    pattern = ""
    for line in expected:
        if line.strip() == "...":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*".join(re.escape(piece) for piece in line.rstrip().split("...")) + r"[ \t]*\n"
    return re.compile(pattern)


def commands(lines):
    """(offset, command, expected lines) of a console fence."""
    found = []
    for offset, line in enumerate(lines):
        if line.startswith("$ "):
            found.append((offset, line[2:], []))
        elif found:
            found[-1][2].append(line)
    return found


def run_console(root, number, lines):
    problems = []
    environment = dict(os.environ, PATH=f"{root / 'build'}{os.pathsep}{os.environ['PATH']}", LC_ALL="C.UTF-8")
    for offset, command, expected in commands(lines):
        place = number + 1 + offset
        try:
            done = subprocess.run(["bash", "-c", command], cwd=root, env=environment, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            problems.append((place, f"`{command}` took longer than {TIMEOUT} s"))
            continue
        output = done.stdout.decode("utf-8", "replace")
        if output and not output.endswith("\n"):
            output += "\n"
        if done.returncode != 0:
            problems.append((place, f"`{command}` ended with status {done.returncode} and printed\n{output}"))
        elif not as_pattern(expected).fullmatch(output):
            problems.append((place, f"`{command}` printed something else:\n{output}"))
    return problems


def check_quote(root, number, lines):
    match = QUOTED.match(lines[0]) if lines else None
    if not match:
        return []
    file = root / match[1]
    if not file.is_file():
        return [(number, f"quotes {match[1]}, which does not exist")]
    actual = [line.rstrip() for line in file.read_text().splitlines()]
    quoted = [line.rstrip() for line in lines]
    if match[2]:
        body = quoted[1:]
        if not any(actual[i:i + len(body)] == body for i in range(len(actual))):
            return [(number, f"the passage is not in {match[1]}")]
    elif actual not in (quoted, quoted[1:]):
        return [(number, f"differs from {match[1]}")]
    return []


def anchors(text):
    """The anchors of a Markdown text's headings, as GitHub makes them."""
    _, prose = split(text)
    headings = [line.lstrip("#").strip() for _, line in prose if re.match(r"#{1,6} ", line)]
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def check_links(root, file, prose):
    problems = []
    for number, line in prose:
        for target in LINK.findall(re.sub(r"`[^`]*`", "", line)):
            if re.match(r"[a-z]+:", target):
                continue
            name, _, anchor = target.partition("#")
            path = (file.parent / name) if name else file
            if not path.exists():
                problems.append((number, f"the link {target} leads nowhere"))
            elif anchor and path.suffix == ".md" and anchor not in anchors(path.read_text()):
                problems.append((number, f"no heading in {name or file.name} has the anchor #{anchor}"))
    return problems


def check(root):
    problems, count = [], 0
    for file in sorted([*root.glob("*.md"), *(root / "docs").rglob("*.md")]):
        fences, prose = split(file.read_text())
        found = check_links(root, file, prose)
        for number, language, lines in fences:
            if language == "console":
                count += len(commands(lines))
                found += run_console(root, number, lines)
            else:
                found += check_quote(root, number, lines)
        problems += [f"{file.relative_to(root)}:{number}: {text}" for number, text in found]
    return problems, count


def self_test():
    good = {
        "README.md": "# A title: here\n[a](docs/b.md) [c](#a-title-here) [out](https://example.org)\n"
                     "```console\n$ echo one; echo two\none\n...\n$ tool\nbuilt 12 ...\n$ true\n```\n"
                     "```cpp\n// examples/a.cpp\nint a;\n```\n```cpp\n// examples/b.cpp (excerpt)\nint c;\n```\n"
                     "```sh\n$ false\n```\n",
        "docs/b.md": "[up](../README.md#a-title-here) `[not](a link)`\n",
        "examples/a.cpp": "// examples/a.cpp\nint a;\n",
        "examples/b.cpp": "int b;\nint c;\n",
        "build/tool": "#!/bin/sh\necho built 12 things\n",
    }
    bad = {  # a page each, and a word that the complaint must hold
        "[x](missing.md)": "leads nowhere",
        "[x](docs/b.md#missing)": "anchor",
        "```console\n$ echo one\ntwo\n```": "something else",
        "```console\n$ echo one\n```": "something else",
        "```console\n$ true\none\n```": "something else",
        "```console\n$ echo one; false\none\n```": "status 1",
        "```console\n$ tool\nbuilt 13 ...\n```": "something else",
        "```cpp\n// examples/a.cpp\nint b;\n```": "differs",
        "```cpp\n// examples/b.cpp (excerpt)\nint d;\n```": "passage",
        "```cpp\n// examples/z.cpp\n```": "does not exist",
    }

    def complaints(files):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            pathlib.Path(folder, "build/tool").chmod(0o755)
            return check(pathlib.Path(folder))[0]

    failures = [f"a good tree: {text}" for text in complaints(good)]
    for text, word in bad.items():
        found = complaints({**good, "docs/bad.md": text.replace("docs/b.md", "b.md")})
        if not any(line.startswith("docs/bad.md") and word in line for line in found):
            failures.append(f"{text!r}: expected '{word}', found {found}")
    for line in failures:
        print("self-test:", line)
    print(f"self-test: {len(bad)} wrong pages tried, {len(failures)} failures")
    return 1 if failures else 0


def main():
    if "--self-test" in sys.argv[1:]:
        return self_test()
    problems, count = check(pathlib.Path(__file__).resolve().parent.parent)
    for problem in problems:
        print(problem)
    print(f"docs: {count} commands run, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
