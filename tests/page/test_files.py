"""The page's files: what is served, how, and that the libraries among them are those that the lock names."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import tomllib
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from itertools import chain
from typing import Any

import pytest
from flask.testing import FlaskClient

from api.app import create_app
from api.config import Config
from api.page import bundle, files, own, sentences, source
from solver import registry
from solver.language import LANGUAGES, speaking, translated
from tests.support import places

STATIC = places.ROOT / "api" / "page" / "static"
VENDOR = STATIC / "vendor"


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return create_app(Config()).test_client()


def test_the_page_loads_nothing_that_is_not_served(client: FlaskClient) -> None:
    page = client.get("/")
    assert page.status_code == 200
    assert page.mimetype == "text/html"
    addresses = re.findall(r'(?:src|href)="(page/[^"]*)"', page.text)
    assert [address.rsplit("/", 1)[1] for address in addresses] == [
        "icon.png",
        "page.css",
        "first.en.js",
        "page.js",
    ]
    for name in ("manifest.webmanifest", "worker.js"):
        assert client.get(f"/{name}").headers["Cache-Control"] == "no-cache"
    for address in addresses:
        with client.get("/" + address) as found:
            assert found.status_code == 200, address
            assert "immutable" in found.headers["Cache-Control"]
    assert re.findall(r'"[^"]*://[^"]*"', page.text) == ['"http://localhost/picture/athanor"']  # for messengers


def test_the_page_has_a_strict_policy(client: FlaskClient) -> None:
    page = client.get("/")
    policy = dict(part.strip().split(" ", 1) for part in page.headers["Content-Security-Policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["require-trusted-types-for"] == "'script'"
    assert policy["worker-src"] == policy["manifest-src"] == "'self'"
    assert page.headers["X-Content-Type-Options"] == "nosniff"
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style| style=| on\w+=", page.text)


@pytest.mark.parametrize("spoken", LANGUAGES)
def test_every_module_and_sheet_is_joined_once(client: FlaskClient, spoken: str) -> None:
    first_words, later = [sentences(spoken), *own(f".{spoken}.js")], [sentences(f"later.{spoken}"), bundle.LATER]
    each = [*first_words, bundle.ASKING], [bundle.MAIN], later
    joined, scripts = modules_of(*each), bundle.scripts(source, *each)
    names = (f"first.{spoken}", "page", f"later.{spoken}")
    first, *rest = [client.get(f"/page/{files.version()}/{name}.js").text for name in names]
    assert first.startswith(scripts[0])
    assert rest == scripts[1:]
    modules = {path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*.js")}
    assert len(joined) == len(set(joined))
    words = {sentences(name) for one in LANGUAGES for name in (one, f"book.{one}", f"later.{one}")}
    words |= {path for one in LANGUAGES for at in ("games", "games/book") for path in own(f".{one}.js", at)}
    alone = {"core/alone.js", "core/markup.js"}
    others = {bundle.BOOK, bundle.PICTURE, "puzzles/reference.js", "worker.js", *alone, *words}
    assert {*joined, *others} == modules
    assert others & {*joined} == {*first_words, later[0]}
    assert not re.search(r"^\s*(?:import|export)\b", "".join(scripts), re.M)
    assert all(script.startswith('"use strict";') for script in (first, *rest))
    sheets = {path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*.css")}
    assert sheets == {*bundle.SHEETS, *bundle.LATER_SHEETS, *own(".css")}


def test_only_a_games_own_files_name_it() -> None:
    """What a game is comes from the service or from its own file, so that any other game has a page as good."""
    names = "|".join(sorted(registry.names()))
    constants = names.upper().replace("-", "_")
    called = re.compile(rf"""["'`.](?:{names})["'`.]|\b(?:{names})\s*[:=]|\b(?:{constants})\b""")
    lists = {"games/index.js", "games/middles.js"}  # which games have files of their own
    own = re.compile(rf"games/(?:{names})(?:-middle|\.\w\w)?\.js")
    common = {
        path.relative_to(STATIC).as_posix(): re.sub(r"/\*[\s\S]*?\*/|//.*", "", path.read_text())
        for folder in ("cards", "core", "games", "parts", "play", "puzzles", "table", "tabs")
        for path in STATIC.joinpath(folder).glob("*.js")
    }
    found = {path: called.findall(text) for path, text in common.items() if not own.fullmatch(path)}
    assert len(found) > 100
    assert {path for path, named in found.items() if named} <= lists


def test_no_sentence_or_style_of_all_games_names_one() -> None:
    """A game's own sentences and styles are in files of its own, as those of a game of another package."""
    games = [registry.game(name) for name in registry.names()]
    names = {game.name for game in games}
    for spoken in LANGUAGES:
        with speaking(spoken):
            names |= {translated(game.title) for game in games}
    called = re.compile("|".join(rf"\b{re.escape(name)}\b" for name in names), re.IGNORECASE)
    shared = [*STATIC.glob("words/*.js"), *STATIC.glob("style/*.css")]
    assert len(shared) > 10
    found = {path.name: called.findall(path.read_text(encoding="utf-8")) for path in shared}
    assert {name: named for name, named in found.items() if named} == {}


def modules_of(*scripts: Sequence[str]) -> list[str]:
    """The paths of all modules of these scripts, in their order."""
    joined: list[str] = []

    def read(path: str) -> str:
        joined.append(path)
        return source(path)

    bundle.scripts(read, *scripts)
    return joined


def keys_of(path: str) -> set[str]:
    """The keys of the sentences in a file, those of the forms of a number also without the form."""
    keys = re.findall(r'^  "?([\w. -]+?)"?:', source(path), re.M)
    return {*keys, *(re.sub(r"\.(?:one|other)$", "", key) for key in keys)}


def test_sentences_are_loaded_with_what_says_them() -> None:
    """Those of printed books and of what the page loads later are not loaded with the page, and its own are."""
    joined = modules_of([bundle.ASKING], [bundle.MAIN])
    first = "".join(re.sub(r"/\*[\s\S]*?\*/", "", source(path)) for path in joined)
    literal, begun = {*re.findall(r'"([\w. -]+)"', first)}, {*re.findall(r"`([\w. -]+\.)\$\{", first)}
    own_words = set().union(*map(keys_of, own(".en.js")))
    usual = keys_of(sentences("en"))
    assert {"puzzles.next", "line.title"} <= keys_of(sentences("later.en"))
    assert {key for key in own_words if key.startswith("book.")} == set()
    forms = {f"{key}.{form}" for key in literal for form in ("one", "other")}
    assert {key for key in usual - literal - forms if not key.startswith((*begun, "field."))} == set()
    said = {*re.findall(r'\bsay\("([\w.-]+)"', first)}
    assert said - usual - own_words == set()


FRAMES = re.compile(r"@keyframes ([\w-]+) \{((?:[^{}]*\{[^{}]*\})*)\s*\}")  # with its name and steps


def words_of(text: str) -> set[str]:
    """All words in a module's texts: names of classes are among them, however they are put together."""
    code = re.sub(r"/\*[\s\S]*?\*/|(?<!:)//.*|^import .*", "", text, flags=re.M)
    texts = re.findall(r'(?<!say\()"([\w -]*)"|`([^`$]*)|\}([^`${]*)`', code)
    return {*re.findall(r"(?<![\w.-])[A-Za-z][\w-]*(?![\w.-])", " ".join(chain(*texts)))}


def selectors_of(text: str) -> Iterator[str]:
    """The selectors of a style sheet, each with those around it. The steps of an animation are none."""
    above: list[list[str]] = []
    plain = FRAMES.sub("", re.sub(r"/\*[\s\S]*?\*/", "", text))
    for rule in re.finditer(r"(?P<said>[^{};]*)(?P<sign>[{};])", plain):
        if rule["sign"] == "{":
            said = rule["said"].strip()
            parts = [""] if said.startswith("@") else re.split(r",(?![^(]*\))", said)
            above.append([f"{outer} {part}" for outer in (above[-1] if above else [""]) for part in parts])
            if not said.startswith("@"):
                yield from above[-1]
        elif rule["sign"] == "}":
            above.pop()


def test_a_style_loaded_later_changes_nothing_that_was_there_before() -> None:
    """Each of its selectors has a class that the first script does not name, and its animations have other names:
    else what is shown would change its look once another part of the page is opened.
    """
    first = modules_of([bundle.ASKING], [bundle.MAIN])
    given = set().union(*(words_of(source(path)) for path in first))
    assert {"board", "legal", "felt", "others-"} <= given  # alone, by a condition, and followed by a number
    selectors = [one for path in bundle.LATER_SHEETS for one in selectors_of(source(path))]
    assert len(selectors) > 150
    assert [one for one in selectors if not {*re.findall(r"\.([a-zA-Z][\w-]*)", one)} - given] == []
    first_frames, later_frames = (
        {name for path in paths for name, _ in FRAMES.findall(source(path))}
        for paths in ([*bundle.SHEETS, *own(".css")], bundle.LATER_SHEETS)
    )
    assert "settle" in first_frames
    assert "counted" in later_frames
    assert first_frames & later_frames == set()


def test_what_moves_is_neither_laid_out_nor_painted_anew_for_each_frame() -> None:
    """So 60 frames a second are drawn on slow devices.

    Only a colour of buttons fades, which are small; and what can't be hit yet looks as it will.
    """
    moved: set[str] = set()
    for path in STATIC.rglob("*.css"):
        text = path.read_text(encoding="utf-8")
        for listed in re.findall(r"transition:([^;]*);", text):
            moved |= {one.split()[0] for one in listed.split(",")}
        for _, steps in FRAMES.findall(text):
            moved |= {*re.findall(r"([\w-]+):", steps)}
    assert moved <= {"transform", "opacity", "background-color", "none", "--hit", "pointer-events"}


def test_modules_are_joined_in_the_order_in_which_they_run() -> None:
    modules = {
        "main.js": 'import { a as b } from "./x/a.js";\nimport usual from "./u.js";\nimport "./x/alone.js";\n',
        "x/a.js": 'export { c as a, type } from "../c.js";\nexport class A {}\nexport async function f() {}\n',
        "c.js": "// A number.\nexport const c = /** @type {any} */ (1);\nconst t = 2;\nexport { t as type };\n",
        "u.js": "export default function(s){return s}\n",
        "x/alone.js": 'import { a } from "./a.js";\n/** @type {import("../c.js").T} */\nconst b = a;\n',
    }
    [script] = bundle.scripts(modules.__getitem__, ["main.js"])
    assert re.findall(r"^const m\d=\(\(\)=>\{(.{7})", script, re.M) == [
        "const c", "class A", "const u", "const {", "const {",
    ]  # fmt: skip
    assert "(()=>{const c=(1);const t=2;return" in script
    assert "return { type: t, c };" in script
    assert "return { a: m0.c, type: m0.type, A, f };" in script
    assert "const {a:b}=m1;const {default:usual}=m2;" in script
    assert "const usual=function (s){return s}\nreturn { default: usual };" in script


def test_a_script_has_what_none_before_it_has() -> None:
    modules = {
        "a.js": "export const a = 1;\n",
        "b.js": 'import { a } from "./a.js";\nexport const b = a;\n',
        "c.js": 'import { a } from "./a.js";\nimport { b } from "./b.js";\nconst c = [a, b];\n',
    }
    first, rest = bundle.scripts(modules.__getitem__, ["b.js"], ["c.js"])
    assert "const a=1;return { a };" in first
    assert "const {a}=m0;const b=a;return { b };" in first
    assert "{const {a}=m0;const {b}=m1;const c=[a, b];return {  };}" in rest


@pytest.mark.parametrize("spoken", LANGUAGES)
def test_the_usual_decks_come_with_the_page(client: FlaskClient, spoken: str) -> None:
    first = client.get(f"/page/{files.version()}/first.{spoken}.js").text
    given = json.loads(first.rsplit("\nObject.assign(globalThis, ", 1)[1].removesuffix(");\n"))
    assert [game["name"] for game in given["games"]] == [*registry.names()]
    decks = given["decks"]
    asked = [{"game": "kirin"}, {"game": "king"}, {"game": "aqua-regia"}]
    asked += [{"game": "alchemy", "variant": one} for one in ("solo", "alternative", "duel", "free")]
    for body in asked:
        of_game = [one for one in decks if one["game"] == body["game"]]
        came = next((one for one in of_game if one["variant"] == body.get("variant")), of_game[0])
        answer = client.post("/v1/cards", json=body, headers={"Accept-Language": spoken})
        assert came["cards"] == answer.get_json()["cards"], body


@pytest.mark.parametrize(
    ("other", "told"),
    [
        ("export let a = 1;\n", "not known: export let"),
        ('import * as all from "./main.js";\n', "not known: import"),
        ('import { a } from "bare";\n', "not known: import"),
        ('import { a } from "./main.js";\n', "main.js → other.js → main.js"),
    ],
)
def test_what_cannot_be_joined_is_an_error(other: str, told: str) -> None:
    modules = {"main.js": 'import { a } from "./other.js";\n', "other.js": other}
    with pytest.raises(ValueError, match=re.escape(told)):
        bundle.scripts(modules.__getitem__, ["main.js"])


def test_files_are_compressed_and_known_again(client: FlaskClient) -> None:
    address = f"/page/{files.version()}/page.css"
    plain = client.get(address)
    packed = client.get(address, headers={"Accept-Encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == plain.data
    assert packed.headers["ETag"] != plain.headers["ETag"]
    again = client.get(address, headers={"If-None-Match": plain.headers["ETag"]})
    assert again.status_code == 304
    assert plain.mimetype == "text/css"


@pytest.mark.parametrize(("coding", "most"), [("br", 122_000), ("gzip", 132_000)])
def test_the_first_load_is_small(client: FlaskClient, coding: str, most: int) -> None:
    page = client.get("/").text
    # An apple-touch-icon is fetched only when the page is put on a home screen.
    links = re.findall(r'(?<!apple-touch-icon" )(?:src|href)="(page/[^"]*)"', page)
    addresses = ["/", *("/" + path for path in links)]
    wire = 0
    for address in set(addresses):
        found = client.get(address, headers={"Accept-Encoding": coding})
        wire += len(found.data) + len(str(found.headers))
    assert wire < most  # of 150,000: the games and a deck are asked for, too


@pytest.mark.parametrize("name", files.ILLUSTRATED)
def test_illustrations_are_small_and_of_every_card(client: FlaskClient, name: str) -> None:
    address = f"/page/{files.version()}/art-{name}.svg"
    assert address[1:] not in client.get("/").text  # they come after the page
    found = client.get(address, headers={"Accept-Encoding": "gzip"})
    assert len(found.data) < 80_000
    drawn = client.get(address).text
    for spoken in LANGUAGES:
        for variant in registry.game(name).variants or (None,):
            cards = client.post(
                "/v1/cards", json={"game": name, "variant": variant}, headers={"Accept-Language": spoken}
            ).get_json()["cards"]
            for face in cards:
                missing = [one for one in _pictured(name, face) if f'id="art-{one}"' not in drawn]
                assert not missing, (spoken, missing)


def _pictured(game: str, face: dict[str, Any]) -> list[str]:
    """The names of what is drawn on a card, as in the page's `look` of each game."""
    details = face["details"]
    if game == "king":
        recipe = [details["makes"], *details["of"].split(", ")] if "makes" in details else []
        return [re.sub("[ ']", "-", one) for one in (details.get("provides", face["name"]), *recipe)]
    if game == "alchemy":
        return [f"worth-{details.get('worth', 0)}"]
    beasts = {"D": "dragon", "S": "bird", "B": "tiger", "G": "tortoise"}
    return [face["card"]] if game == "aqua-regia" else [beasts[face["card"][0]], "kirin"]


def test_a_file_of_another_version_is_not_kept(client: FlaskClient) -> None:
    assert client.get("/page/older/page.js").headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize("path", ["none.js", "../files.py", "main.js", "package.json", "index.html"])
def test_other_files_are_not_served(client: FlaskClient, path: str) -> None:
    assert client.get(f"/page/{files.version()}/{path}").status_code == 404


def test_every_file_is_shipped() -> None:
    project = tomllib.loads((places.ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = project["tool"]["setuptools"]["package-data"]["*"]
    for path in STATIC.rglob("*"):
        if path.is_file() and path.suffix in (".html", ".js", ".css", ".svg", ".png", ".txt"):
            assert any(fnmatch(path.name, pattern) for pattern in patterns), path


def test_the_libraries_are_those_of_the_lock() -> None:
    lock = json.loads((places.ROOT / "page" / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    about = json.loads((VENDOR / "versions.json").read_text(encoding="utf-8"))
    assert {one["file"] for one in about} == {path.name for path in VENDOR.glob("*.js")}
    assert {one["package"] for one in about} >= set(lock[""]["dependencies"])
    licences = (VENDOR / "LICENSES.txt").read_text(encoding="utf-8")
    for one in about:
        locked = lock[f"node_modules/{one['package']}"]
        assert (one["version"], one["integrity"]) == (locked["version"], locked["integrity"])
        assert hashlib.sha256((VENDOR / one["file"]).read_bytes()).hexdigest() == one["sha256"]
        assert f"{one['package']} {one['version']}\n" in licences


def test_the_lock_names_no_registry() -> None:
    assert "://registry" not in (places.ROOT / "page" / "package-lock.json").read_text(encoding="utf-8")


def test_sources_are_short_lines_of_one_declaration_each() -> None:
    templates = [*(STATIC.parent / "templates").glob("*.html")]
    for file in [*STATIC.glob("style/*.css"), *templates]:
        text = file.read_text(encoding="utf-8")
        assert [line for line in text.splitlines() if len(line) > 120] == [], file.name
        styles = re.findall("<style>(.*?)</style>", text, re.DOTALL) if file in templates else [text]
        plain = re.sub(r'/\*.*?\*/|"[^"]*"|\([^)]*\)', "", "".join(styles), flags=re.DOTALL)
        assert [line for line in plain.splitlines() if line.count(";") > 1 or "; }" in line] == [], file.name
