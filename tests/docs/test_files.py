"""The documentation as files: links lead somewhere, pictures are what the program draws, README is short."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from api.cli.main import cli
from puzzles.format import load
from puzzles.training import COLLECTION
from tests.docs.pages import PAGES, ROOT

_LINK = re.compile(r"\]\(([^)\s]+)\)")
_FENCE = re.compile(r"^```(.*?)$.*?^```$", re.MULTILINE | re.DOTALL)
JAPANESE = sorted((ROOT / "docs/ja").glob("*.md"))
_LONGEST_README = 150  # lines
_TEXTS = [*PAGES, "README.ja.md", "CONTRIBUTING.md", "CHANGELOG.md"]


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def anchors(page: str) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    found: set[str] = set()
    for heading in re.findall(r"^#+ (.*)$", _FENCE.sub("", text_of(page)), re.MULTILINE):
        found.add(re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-"))
    return found


@pytest.mark.parametrize("page", _TEXTS)
def test_links_lead_somewhere(page: str) -> None:
    for link in _LINK.findall(_FENCE.sub("", text_of(page))):
        if "://" in link:
            continue
        path, _, anchor = link.partition("#")
        target = (ROOT / page).parent / path if path else ROOT / page
        name = str(target.resolve().relative_to(ROOT))
        assert target.exists(), f"{page}: {link}"
        assert not anchor or anchor in anchors(name), f"{page}: {link}"


@pytest.mark.parametrize("page", _TEXTS)
def test_blocks_are_run_or_are_meant_not_to_be(page: str) -> None:
    """A block without a language, or of another one, would be run by nobody. YAML is for other programs.

    Japanese pages show what the English ones run.
    """
    languages = {language.strip() for language in _FENCE.findall(text_of(page))}
    japanese = page == "README.ja.md" or page.startswith("docs/ja/")
    assert languages <= ({""} if japanese else {"console", "python", "sh", "yaml"})


def test_the_files_of_the_architecture_exist() -> None:
    there = {
        path.name
        for folder in ("solver", "athanor", "puzzles", "api", "tests")
        for path in (ROOT / folder).rglob("*")
    }
    named = set(re.findall(r"[\w.]+\.(?:py|npz)\b", _FENCE.sub("", text_of("docs/architecture.md"))))
    assert {name for name in named if name not in there and not (ROOT / "docs" / name).exists()} == set()


def test_readme_is_short() -> None:
    assert len(text_of("README.md").splitlines()) <= _LONGEST_README


def test_the_index_lists_every_page() -> None:
    listed = {link.partition("#")[0] for link in _LINK.findall(text_of("docs/index.md"))}
    pages = {str(Path(page).relative_to("docs")) for page in PAGES if page.startswith("docs/")}
    assert pages - {"index.md"} <= listed


def test_every_example_is_shown() -> None:
    """A file in docs/examples that no page names is a leftover."""
    shown = "\n".join(map(text_of, PAGES))
    for path in sorted((ROOT / "docs/examples").iterdir()):
        assert f"docs/examples/{path.name}" in shown, path.name


def test_the_picture_of_compounding_is_what_is_drawn(tmp_path: Path) -> None:
    drawn = tmp_path / "compound.svg"
    arguments = ["compound", str(ROOT / "docs/examples/pile.json"), "--best", "2", "--svg", str(drawn)]
    assert CliRunner().invoke(cli, arguments).exit_code == 0
    assert drawn.read_bytes() == (ROOT / "docs/compound.svg").read_bytes()


def test_numbers_of_puzzles_are_those_of_the_collection() -> None:
    files = {path.name: len(load(path).puzzles) for path in COLLECTION.glob("*.toml")}
    counts = {sum(files.values()), sum(count for name, count in files.items() if name.startswith("made-"))}
    pages = {page: text_of(page) for page in {*_TEXTS, *(f"docs/ja/{path.name}" for path in JAPANESE)}}
    told = {
        page: {int(number) for number in re.findall(r"(\d{3,}) ?\[?(?:puzzles|問)", text)}
        for page, text in pages.items()
    }
    assert all(told[page] for page in ("README.md", "README.ja.md", "docs/puzzles.md", "docs/ja/puzzles.md"))
    assert {page for page, numbers in told.items() if not numbers <= counts} == set()
