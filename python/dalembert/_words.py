"""The engine's messages in the words of Python: they name options of the command line where arguments are meant."""
from __future__ import annotations

import re

#: Options whose argument is called otherwise.
_RENAMED = {"from": "from_", "limit-work": "work", "picture": "times"}
_OPTIONS = ("at|bounds|box|by|columns|deviation|every|free|from|independent|inputs|joint|limit-work|over|period|picture|release|"
            "steady|to|tolerance|until")
_PHRASES = (
    (r"--set ([^\s=:,;]+)=\.\.\.", r"\1=... as an argument"),
    (r"--set ([^\s=:,;]+)=([^\s:,;]+)(, or an override of make_model)?", r"\1=\2 as an argument"),
    (r"\bwith --set\b", "by NAME=VALUE as an argument"),
    (r"--set ([^\s=:,;]+)", r"\1"),
    (r"--solve NAME(,\.\.\.)?", r"with_values(solve=[NAME\1])"),
    (r"--project-initial\b", "with_values(project_initial=True)"),
    (r"--frozen\b", "frozen=True"),
    (r"--box NAME=LOW:HIGH", "box={NAME: (LOW, HIGH)}"),
    (r"--(release|joint) NAME", r"\1=[NAME]"),
    (r"--by ([a-z]+)", r'by="\1"'),
    (r", or raise --limit-memory", ""),
    (r"--json\b", "to_json()"),
    (r"`dalembert models`", "dalembert.models()"),
    (r"`dalembert (check|gauss|reactions|simulate)`", r"\1()"),
)
_KEY = rf"(?:^|(?<=: ))--({_OPTIONS})(?=: |$)"
_OPTION = rf"(?<![\w-])--({_OPTIONS})\b(?!-)"


def in_python(text: str) -> str:
    """A message, or the key of one.

    >>> in_python("model.toml: --set zz: there is no parameter or coordinate 'zz'")
    "model.toml: zz: there is no parameter or coordinate 'zz'"
    >>> in_python("--over: v is free; follow another parameter, or name it with --steady")
    'over: v is free; follow another parameter, or name it with steady=...'
    """
    if "--" not in text and "`" not in text:
        return text
    for pattern, words in _PHRASES:
        text = re.sub(pattern, words, text)
    text = re.sub(_KEY, lambda found: _RENAMED.get(found[1], found[1]), text)
    return re.sub(_OPTION, lambda found: _RENAMED.get(found[1], found[1]) + "=...", text)
