"""Comparing what a page shows with what a command printed."""

from __future__ import annotations

import difflib
import re

LINES = "⋮"  # alone on a line of a page: any lines, or none
TEXT = "…"  # within a line of a page: any text; in JSON, of whatever lines, too
_WIDTH = 100  # of JSON on a page

# What differs from run to run: times, speeds, and the size of a search that a time limit may end.
_VARYING = [
    (re.compile(r"[\d,]+ nodes in \d+\.\d+ s\b"), "<nodes> nodes in <seconds> s"),
    (re.compile(r"\d+\.\d+ s\b"), "<seconds> s"),
    (re.compile(r"[\d,]+ deals/s"), "<speed> deals/s"),
    (re.compile(r'"(seconds|nodes)": ?[\d.e+-]+'), r'"\1": <number>'),
    (re.compile(r'"request_id": ?"[^"]*"'), '"request_id": <number>'),
    (re.compile(r"\b(confirmed|solved|refuted|unproved)\b(.*?) +\d+\.\d{3}$"), r"\1\2 <seconds>"),
]
_OTHERS = re.compile(r"^(Seat \d: ).*")  # in a game that is played: what the others chose in the time they had


def differences(shown: str, printed: str, *, played: bool = False) -> str:
    """How the output on the page differs from the command's, as a diff; empty if they agree.

    JSON may be broken into lines on the page. `played` is for a game at the terminal, in which the other players'
    choices depend on the time they have.
    """
    expected, found = _lines(shown, played), _lines(printed, played)
    if found and found[0][:1] in ("{", "["):
        agree = re.fullmatch(_json_pattern(expected), _joined(found))
    else:
        agree = re.fullmatch(_pattern(expected), "".join(f"{line}\n" for line in found))
    if agree:
        return ""
    return "\n".join(difflib.unified_diff(expected, found, "the page", "the command", lineterm=""))


def _lines(text: str, played: bool) -> list[str]:
    return [_masked(line, played) for line in trimmed(text)]


def trimmed(text: str) -> list[str]:
    """The lines of a text without trailing blanks, and without empty lines around them."""
    lines = [line.rstrip() for line in text.splitlines()]
    while lines and not lines[0]:
        del lines[0]
    while lines and not lines[-1]:
        del lines[-1]
    return lines


def shortened(lines: list[str]) -> list[str]:
    """JSON of a single line in lines of a page's width, each ended by a comma; other text as it is."""
    if len(lines) != 1 or lines[0][:1] not in ("{", "["):
        return lines
    found = [""]
    for part in re.split(r'(?<=,)(?= ?["{[])', lines[0]):
        if found[-1] and len(found[-1]) + len(part) > _WIDTH:
            found.append("")
        found[-1] += part if found[-1] else part.lstrip()
    return [line.rstrip() for line in found]


def _masked(line: str, played: bool) -> str:
    for pattern, mask in _VARYING:
        line = pattern.sub(mask, line)
    return _OTHERS.sub(r"\1<a choice>", line) if played else line


def _pattern(expected: list[str]) -> str:
    parts = []
    for line in expected:
        if line.strip() == LINES:
            parts.append(r"(?:[^\n]*\n)*?")
        else:
            parts.append(r"[^\n]*?".join(map(re.escape, line.split(TEXT))) + r"\n")
    return "".join(parts)


def _json_pattern(expected: list[str]) -> str:
    text = _joined(expected).replace(LINES, TEXT)
    return ".*?".join(map(re.escape, text.split(TEXT)))


def _joined(lines: list[str]) -> str:
    return re.sub(r"\s", "", "".join(lines))
