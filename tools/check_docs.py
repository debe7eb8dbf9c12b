#!/usr/bin/env python3
"""The documentation says what is true: its examples run, its links lead somewhere, the files it quotes are as quoted.

In the root's and docs' Markdown files:
* ```console: lines "$ COMMAND" run in the repository's root with build/ first on PATH; the lines that follow must be
  what the command prints (both streams). A line "..." stands for any lines, "..." within a line for any text.
  A command must succeed; show a failing one as `$ COMMAND; echo "status $?"`.
* any fence whose first line is a comment naming a file, `// examples/NAME.cpp`, must hold that whole file, or with
  "(excerpt)" after the name a passage of it.
* relative links and their #anchors must exist.
Wherever the code or a page cites "theory 1.4" or "numerics 3", a heading with that number must exist, once: of numerics
in docs/theory/numerics.md, of theory in the other pages of docs/theory.
docs/README.md links every page of docs, and docs/reference/formulas.md shows every function that formulas know.
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
SPACE = r"(?:\s|\n\s*(?://+|\*|#)\s*)+"  # a citation may go on in the comment's next line
NUMBER = r"\d+(?:\.\d+)?(?![\w-])"
CITED = re.compile(rf"\b(theory|numerics){SPACE}({NUMBER}(?:(?:,|{SPACE}and|{SPACE}to){SPACE}{NUMBER})*)")
NUMBERED = re.compile(r"#{1,6} (\d+(?:\.\d+)?)\.? ")
FUNCTION = re.compile(r'^\s*\{"(\w+)", \d', re.MULTILINE)  # of the table in src/expr/formula/functions.cpp
CODE = ("src", "include", "apps", "tests", "examples", "bench")
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


def find_numbers(root):
    """The numbers that citations may use, and headings that have one another heading has already."""
    numbers, problems = {"theory": set(), "numerics": set()}, []
    for file in sorted((root / "docs/theory").glob("*.md")):
        known = numbers["numerics" if file.stem == "numerics" else "theory"]
        for line_number, line in split(file.read_text())[1]:
            match = NUMBERED.match(line)
            if match and match[1] in known:
                problems.append(f"{file.relative_to(root)}:{line_number}: a second heading with the number {match[1]}")
            elif match:
                known.add(match[1])
    return numbers, problems


def check_citations(root):
    numbers, problems = find_numbers(root)
    code = [path for folder in CODE for path in (root / folder).rglob("*") if path.suffix in (".cpp", ".hpp")]
    for file in sorted([*code, *root.glob("*.md"), *(root / "docs").rglob("*.md")]):
        text = file.read_text()
        for match in CITED.finditer(text):
            place = f"{file.relative_to(root)}:{text.count(chr(10), 0, match.start()) + 1}"
            for number in re.findall(NUMBER, match[2]):
                if number not in numbers[match[1]]:
                    problems.append(f"{place}: no heading in docs/theory has the number of '{match[1]} {number}'")
    return problems


def check_index(root):
    """Pages of docs that its index does not link."""
    index = root / "docs/README.md"
    linked = {(index.parent / target.partition("#")[0]).resolve() for target in LINK.findall(index.read_text())}
    return [f"docs/README.md: does not link {page.relative_to(root)}" for page in sorted((root / "docs").rglob("*.md"))
            if page != index and page.resolve() not in linked]


def check_functions(root):
    names = FUNCTION.findall((root / "src/expr/formula/functions.cpp").read_text())
    page = (root / "docs/reference/formulas.md").read_text()
    missing = [name for name in names if f"`{name}(" not in page]
    if not names:
        missing = ["any of src/expr/formula/functions.cpp, whose table it cannot read"]
    return [f"docs/reference/formulas.md: does not show the function {name}" for name in missing]


def check(root):
    problems, count = check_citations(root) + check_index(root) + check_functions(root), 0
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


# --- trees with one thing wrong

GOOD = {
    "README.md": "# A title: here\n[a](docs/b.md) [c](#a-title-here) [out](https://example.org)\n"
                 "```console\n$ echo one; echo two\none\n...\n$ tool\nbuilt 12 ...\n$ true\n```\n"
                 "```cpp\n// examples/a.cpp\nint a;\n```\n```cpp\n// examples/b.cpp (excerpt)\nint c;\n```\n"
                 "```sh\n$ false\n```\n",
    "docs/README.md": "[b](b.md) [a](theory/a.md) [n](theory/numerics.md)\n[f](reference/formulas.md) [bad](bad.md)\n",
    "docs/b.md": "[up](../README.md#a-title-here) `[not](a link)`\n",
    "docs/bad.md": "\n",
    "docs/reference/formulas.md": "`sin(x)`, `cos(x)`\n",
    "src/expr/formula/functions.cpp": '    {"sin", 1, 1, false},\n    {"cos", 1, 1, false},\n',
    "examples/a.cpp": "// examples/a.cpp\nint a;\n",
    "examples/b.cpp": "int b;\nint c;\n",
    "build/tool": "#!/bin/sh\necho built 12 things\n",
    "docs/theory/a.md": "# 1. One\n## 1.2 Two\n### More\n# 3. Three\n",
    "docs/theory/numerics.md": "# Numerics\n## 1. One\n",
    "src/a.cpp": "// (theory 1.2, 3; numerics 1) theory of 9\n",
}
BAD_PAGES = {  # a page each, and a word that the complaint must hold
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
BAD_CODE = {  # a source file each, and the line and the word that the complaint must hold
    "// theory 1.3": ":1: .*theory 1.3",
    "int a;\n/// (theory 1.2, 1.9)": ":2: .*theory 1.9",
    "/// theory 1.2 to 1.4": ":1: .*theory 1.4",
    "// see theory\n  // 2 for it": ":1: .*theory 2",
    "// numerics 1.2": ":1: .*numerics 1.2",
    "// as numerics 1 and 3.": ":1: .*numerics 3",
}
BAD_TREES = [  # a file of another content, and the complaint
    ("docs/theory/numerics.md", "## 1. One\n## 1. Again\n", "docs/theory/numerics.md:2: a second heading"),
    ("docs/c.md", "\n", "docs/README.md: does not link docs/c.md"),
    ("docs/reference/formulas.md", "`sin(x)`\n", "docs/reference/formulas.md: does not show the function cos"),
    ("src/expr/formula/functions.cpp", "\n", "docs/reference/formulas.md: does not show the function any"),
]


def complaints(files):
    """What the check says of a tree of these files."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        pathlib.Path(folder, "build/tool").chmod(0o755)
        return check(pathlib.Path(folder))[0]


def self_test():
    failures = [f"a good tree: {text}" for text in complaints(GOOD)]
    for text, word in BAD_PAGES.items():
        found = complaints({**GOOD, "docs/bad.md": text.replace("docs/b.md", "b.md")})
        if not any(line.startswith("docs/bad.md") and word in line for line in found):
            failures.append(f"{text!r}: expected '{word}', found {found}")
    for text, pattern in BAD_CODE.items():
        found = complaints({**GOOD, "src/bad.hpp": text})
        if len(found) != 1 or not re.match("src/bad.hpp" + pattern, found[0]):
            failures.append(f"{text!r}: expected '{pattern}', found {found}")
    for name, text, complaint in BAD_TREES:
        found = complaints({**GOOD, name: text})
        if len(found) != 1 or not found[0].startswith(complaint):
            failures.append(f"{name}: expected '{complaint}', found {found}")
    for line in failures:
        print("self-test:", line)
    print(f"self-test: {len(BAD_PAGES) + len(BAD_CODE) + len(BAD_TREES)} wrong things tried, {len(failures)} failures")
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
