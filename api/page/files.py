"""The files of the page, read once, with their digests and addresses.

The addresses are `/`, `/p/POSITION`, `/picture/POSITION`, `/page/VERSION/FILE`, and those at the root that
browsers need for an installable page.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache, partial
from importlib import import_module, resources
from typing import Any

from flask import Blueprint, Response, abort, request, url_for

from api.access import POLICY
from api.bodies import limit_of
from api.config import Config
from api.endpoints import faces
from api.errors import NotFoundError
from api.page import FOLDER, bundle, own, picture, sentences, shared, source, template
from api.responses import PICTURE, SCRIPT, STYLE, File, sent
from api.routes_games import game_info
from api.search_pool import SearchPool
from api.streams import asker
from solver import registry
from solver.errors import RequestError
from solver.language import LANGUAGES, language, say, speaking

_WORKER = "worker.js"
_MARK = "@version@"  # in the worker: the version of all files together
_KEPT = "@files@"  # in the worker: the files that it keeps
# The games with illustrations; files whose names begin with _ are what these share.
_ART = resources.files("api.page").joinpath("templates", "art")
ILLUSTRATED = sorted(art.name.removesuffix(".svg") for art in _ART.iterdir() if not art.name.startswith("_"))
HTML = "text/html; charset=utf-8"
TEXT = "text/plain; charset=utf-8"
PNG = "image/png"
JPEG = "image/jpeg"
MANIFEST = "application/manifest+json"
_PICTURES = 64  # that are kept: some 100 KB each
# The page repeats its address: without these bounds, an answer could be many times as long as its request.
_DEEPEST = 100  # slashes in the address of a position
_LONGEST_FAULTY = 2000  # characters of a line that is no position, which the page shows with what is wrong
_NO_POSITION = "athanor"  # in the address of the picture of the page itself


def cards(game: str, *, variant: str | None = None, deck: Any = None) -> list[dict[str, Any]]:
    """Return the faces of a game's cards; none for a game that offers none, so that its positions remain text."""
    try:
        return [face.to_dict() for face in faces(game, variant=variant, deck=deck)]
    except RequestError as error:
        if error.code != "not_offered":
            raise
        return []


def listed() -> str:
    """All games in the current language, as JSON for the page's scripts."""
    games = [game_info(name).to_dict() for name in registry.names()]
    return json.dumps(games, ensure_ascii=False, separators=(",", ":"))


def _games(spoken: str) -> str:
    """Statements that give the page all games, and their usual cards and, where they differ, those of variants."""
    decks: list[dict[str, Any]] = []
    with speaking(spoken):
        for name in registry.names():
            usual = cards(name)
            decks.append({"game": name, "variant": None, "cards": usual})
            for variant in registry.game(name).variants:
                own = cards(name, variant=variant)
                if own != usual:
                    decks.append({"game": name, "variant": variant, "cards": own})
        games = listed()
    decks_json, words = (
        json.dumps(data, ensure_ascii=False, separators=(",", ":")) for data in (decks, told(spoken))
    )
    return f'\nObject.assign(globalThis, {{"games":{games},"decks":{decks_json},"words":{words}}});\n'


def _brought(game: str, name: str) -> str:
    """Return the text of a file that a game's package has for the page; empty if it has none."""
    package = import_module(registry.game(game).package)
    if not hasattr(package, "__path__"):  # a module without a folder
        return ""
    path = resources.files(package).joinpath("page", name)
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def told(spoken: str) -> dict[str, str]:
    """What games of other packages say of their own, by keys that end with the game's name."""
    return {
        f"{key}.{game}": text
        for game in registry.names()
        for key, text in tomllib.loads(_brought(game, f"{spoken}.toml") or _brought(game, "en.toml")).items()
    }


def _styles() -> str:
    """The page's style sheets, and those of single games. What another package brings holds on its own tables."""
    brought = {game: _brought(game, "style.css") for game in registry.names()}
    nested = (f'[data-game="{game}"]{{\n{text}}}\n' for game, text in brought.items() if text)
    return bundle.sheet(source, [*bundle.SHEETS, *own(".css")]) + "".join(nested)


@cache
def files() -> Mapping[str, File]:
    """Return every file of the page by name, except the HTML."""
    scripts = {
        spoken: bundle.scripts(
            source,
            [sentences(spoken), *own(f".{spoken}.js"), bundle.ASKING],
            [bundle.MAIN],
            [sentences(f"later.{spoken}"), bundle.LATER],
        )
        for spoken in LANGUAGES
    }
    contents = {
        # What asks for the position is a script of its own: the answer comes while browsers compile the rest.
        **{f"first.{spoken}.js": (first + _games(spoken), SCRIPT) for spoken, (first, *_) in scripts.items()},
        "page.js": (scripts[LANGUAGES[0]][1], SCRIPT),  # the same in every language
        **{f"later.{spoken}.js": (later, SCRIPT) for spoken, (*_, later) in scripts.items()},
        "page.css": (_styles(), STYLE),
        "later.css": (bundle.sheet(source, bundle.LATER_SHEETS), STYLE),
        "icon.svg": (source("icon.svg"), PICTURE),
        **{f"art-{game}.svg": (template(f"art/{game}.svg").render(), PICTURE) for game in ILLUSTRATED},
        "LICENSES.txt": (source("vendor/LICENSES.txt"), TEXT),
    }
    texts = {name: File(content.encode(), kind) for name, (content, kind) in contents.items()}
    return {**texts, "icon.png": File(FOLDER.joinpath("icon.png").read_bytes(), PNG)}  # iOS takes no SVG


@cache
def version() -> str:
    """A short hash that changes whenever any file changes, so that browsers may cache the files forever."""
    digests = "".join(f"{path} {file.digest}\n" for path, file in sorted(files().items()))
    return hashlib.sha256(digests.encode()).hexdigest()[:12]


@cache
def worker() -> File:
    """The service worker, which keeps the page available without a network."""
    kept = '", "'.join(name for name in files() if name.endswith((".js", ".css", ".svg")))
    return File(source(_WORKER).replace(_MARK, version()).replace(_KEPT, kept).encode(), SCRIPT)


@cache
def manifest(spoken: str) -> File:
    """The web app manifest, in the language `spoken`."""
    described = {
        "name": "Athanor",
        "short_name": "Athanor",
        "description": shared.plain(spoken).description,
        "lang": spoken,
        "start_url": ".",
        "scope": ".",
        "display": "standalone",
        "theme_color": "#5b2a86",
        "background_color": "#f6f1e4",
        "icons": [{"src": f"page/{version()}/icon.svg", "sizes": "any", "type": PICTURE, "purpose": "any"}],
    }
    return File(json.dumps(described, ensure_ascii=False).encode(), MANIFEST)


def home(seen: shared.Preview, *, root: str = "", position: str = "", image: str = "") -> File:
    """Render the page's HTML.

    `seen` is the preview that messaging apps show for the page, and `image` the address of its picture. `root` is
    the relative path from the page's address to `/`. The page opens with `position`, a line of text.
    """
    about = {"title": seen.title, "description": seen.description, "picture": image}
    text = template("page.html").render(
        **about,
        language=language(),
        languages=" ".join(LANGUAGES),
        root=root,
        position=position,
        version=version(),
        icon=source("icon.svg"),
        signs=template("signs.svg").render(),
    )
    return File(text.encode(), HTML)


@lru_cache(_PICTURES)
def plain_home(spoken: str, image: str) -> File:
    """The page without a position, in the language `spoken`, which is the current one."""
    return home(shared.plain(spoken), image=image)


# The page has no inline scripts or styles, makes none from text, and loads nothing from other sites. The only
# trusted-types policy returns the worker's address and nothing else.
_PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types worker"
)
_WORKER_POLICY = "default-src 'none'; connect-src 'self'"
_FOR_EVER = "public, max-age=31536000, immutable"


def blueprint(config: Config, searches: SearchPool) -> Blueprint:
    """The routes of the page and its files. Pictures are drawn as searches, and the last ones are kept."""
    routes = Blueprint("page", __name__)

    @lru_cache(_PICTURES)
    def drawn(table: picture.Table) -> File:
        limit = limit_of(config, None, None, config.hint_seconds)
        search = partial(picture.jpeg, table, listed())
        return File(searches.run(search, limit, asker(), lane="hint", tried=False), JPEG)

    def shown(page: File) -> Response:
        answer = sent(page, "no-cache")
        answer.headers[POLICY] = _PAGE_POLICY
        answer.headers["Referrer-Policy"] = "no-referrer"
        answer.vary.update(("Accept-Language", "Cookie"))
        return answer

    def pictured(address: str) -> str:
        return url_for("page.seen", address=address, _external=True)

    @routes.get("/")
    def page() -> Response:
        return shown(plain_home(language(), pictured(_NO_POSITION)))

    @routes.get("/p/<path:address>")
    def position(address: str) -> Response:
        depth, line = request.path.count("/", 1), shared.line_of(address)
        if depth > _DEEPEST:
            abort(404)
        seen = shared.preview(line)
        if len(line) > _LONGEST_FAULTY and seen is shared.plain(language()):
            line, address = "", _NO_POSITION
        return shown(home(seen, root="../" * depth, position=line, image=pictured(address)))

    @routes.get("/picture/<path:address>")
    def seen(address: str) -> Response:
        """The picture of the position in an address, or of the page if the address has no valid position."""
        with speaking("en"):  # no font that the service can rely on has other letters
            preview = shared.preview(shared.line_of(address))
        return sent(drawn(preview.table), "public, max-age=86400")

    @routes.get("/manifest.webmanifest")
    def about() -> Response:
        return sent(manifest(language()), "no-cache")

    @routes.get("/worker.js")
    def without_network() -> Response:
        answer = sent(worker(), "no-cache")
        answer.headers[POLICY] = _WORKER_POLICY
        return answer

    @routes.get("/page/<version_asked>/<path:name>")
    def file(version_asked: str, name: str) -> Response:
        """The current version of a file. Browsers may keep it forever only if they asked for this version
        (`version_asked`).
        """
        wanted = files().get(name)
        if wanted is None:
            raise NotFoundError("not_found", say("the page has no file {name}", name=name))
        return sent(wanted, _FOR_EVER if version_asked == version() else "no-cache")

    return routes
