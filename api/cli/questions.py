"""The commands `athanor analyze`, `athanor hint` and `athanor compound`: one question about one position."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click

import athanor
from api.cli.terminal import (
    INTERRUPTED,
    UNCONFIRMED,
    about,
    cancel_on_interrupt,
    check_writable,
    command,
    echo,
    in_thread,
    input_name,
    json_option,
    laid_out,
    output,
    read_position,
    searching,
    show_found,
    show_rows,
    write_text,
)
from solver.common import visible
from solver.language import say, translated
from solver.registry import game_of

if TYPE_CHECKING:
    from pydantic import BaseModel
    from rich.console import Console

    from solver.answers import CompoundAnalysis, MadeRecipe, Missing

_full_option = click.option("--full", is_flag=True, help="Show every move, with errors, worlds and method.")
_proof_option = click.option(
    "--proof", metavar="FILE", help="Write a certificate of the value, for puzzles/check_proof.py."
)


@command("analyze", json_option(), _full_option, _proof_option)
def analyze(file: str, as_json: bool, full: bool, proof: str | None, **options: Any) -> None:
    ask(athanor.analyze, file, options, partial(show_found, full=full), as_json=as_json, proof=proof)


@command("hint", json_option(), _full_option)
def hint(file: str, as_json: bool, full: bool, **options: Any) -> None:
    ask(athanor.hint, file, options, partial(show_found, full=full), as_json=as_json)


def ask(
    search: Callable[..., Any],
    file: str,
    options: dict[str, Any],
    show: Callable[..., None],
    *,
    as_json: bool,
    draw: Callable[[BaseModel, Any], None] = lambda position, answer: None,
    proof: str | None = None,
) -> None:
    """Search with `athanor.analyze`, `hint` or `compound` about the position in a file, and print the answer.

    First, `draw` is called with the position and the answer, to draw a picture. Then the answer is printed: as
    JSON if `as_json`, otherwise by ``show(console, position, answer, cut=…)`` (see `show_found`). With
    `proof`, a certificate is written to that file; if there can be none, the exit code is 1.
    """
    if proof is not None:
        check_writable(proof)
    name = input_name(file)
    position = read_position(file)
    with cancel_on_interrupt() as cancel:
        with about(name), searching(say("searching")) as progress:
            answer: Any = in_thread(lambda: search(position, cancel=cancel, progress=progress, **options))
        draw(position, answer)
        if as_json:
            sys.stdout.write(visible(answer.to_json()) + "\n")
        else:
            show(output(), position, answer, cut=cancel.is_set())
        proved = proof is None or _prove(proof, position, answer, options, cancel)
        if cancel.is_set():
            click.get_current_context().exit(INTERRUPTED)
        if not proved:
            click.get_current_context().exit(UNCONFIRMED)


def _prove(path: str, position: BaseModel, answer: Any, options: dict[str, Any], cancel: threading.Event) -> bool:
    """Write the certificate of an answer and return True, or print why there is none and return False."""
    from puzzles.proofs import NoCertificateError, certificate, text_of
    from solver.limits import Control, Limit

    if options.get("must") or options.get("without"):
        echo(say("no certificate: it can only be made for the best compounding of all cards"), err=True)
        return False
    control = Control(Limit(seconds=options["seconds"], nodes=options["nodes"]), cancel)
    try:
        with searching(say("proving")):
            written = in_thread(lambda: certificate(position, answer, control))
    except NoCertificateError as reason:
        echo(say("no certificate: {reason}", reason=reason.message), err=True)
        return False
    write_text(path, text_of(written))
    return True


# ----------------------------------------------------------------------------------------------------
# `athanor compound`: the best compounding of a set of cards.


SHOWN = 10  # missing cards that are shown, unless all are requested


_all_option = click.option("--all", "every", is_flag=True, help=f"Show every missing card, not the first {SHOWN}.")
_svg_option = click.option("--svg", metavar="PATH", help="Draw what can be made, and what is, as SVG.")


@command("compound", _all_option, _svg_option, json_option(), _proof_option)
def compound(file: str, every: bool, svg: str | None, as_json: bool, proof: str | None, **options: Any) -> None:
    if svg is not None:
        check_writable(svg)

    def draw(position: BaseModel, analysis: CompoundAnalysis) -> None:
        from solver.positions import compounder

        if svg is not None:
            write_text(svg, compounder(position).picture(position, analysis))

    show = partial(show_compound, every=every)
    ask(athanor.compound, file, options, show, as_json=as_json, draw=draw, proof=proof)


def show_compound(
    console: Console, position: BaseModel, answer: CompoundAnalysis, *, every: bool, cut: bool = False
) -> None:
    """Print the cards, the recipes, and what one more card would add.

    Only the first `SHOWN` of the missing cards are listed, unless `every`. An answer that Ctrl-C `cut` short looks
    like any other that is not exact.
    """
    game = game_of(position)
    show_rows(console, [(say("Game"), translated(game.title)), *game.describe(position)])
    console.print()
    low, high = answer.bounds
    proof = say("exact")
    if not answer.exact:
        proof = say("none: the limit ended the search; the total is {low} to {high}", low=low, high=high)
    total = say("{total}: {vp} for the cards, {bonus} for recipes",
                total=answer.total, vp=answer.vp, bonus=answer.bonus)  # fmt: skip
    search = say("{nodes:,} nodes in {seconds:.3f} s", nodes=answer.nodes, seconds=answer.seconds)
    rows = [(say("Total"), total), (say("Proof"), proof), (say("Search"), search)]
    show_rows(console, rows)
    for rank, way in enumerate(answer.ways or (answer,), start=1):
        if answer.ways is not None:
            heading = say("Way {rank}: {total}, {bonus} for recipes", rank=rank, total=way.total, bonus=way.bonus)
            console.print(f"\n{heading}")
        _show_recipes(console, way.recipes)
    if answer.missing is not None:
        shown = answer.missing if every else answer.missing[:SHOWN]
        console.print(f"\n{say('One more card would add:')}")
        _show_missing(console, shown)
        if len(shown) < len(answer.missing):
            console.print(say("… and {count} more (--all shows them)", count=len(answer.missing) - len(shown)))


def _show_recipes(console: Console, recipes: Sequence[MadeRecipe]) -> None:
    if not recipes:
        console.print(say("No recipe can be made."))
        return
    labels = [say("card"), say("makes"), say("of"), say("bonus")]
    lines = [[way.card, translated(way.item), " ".join(way.uses), str(way.bonus)] for way in recipes]
    console.print(laid_out(labels, lines, console.width, numbers=[3]))


def _show_missing(console: Console, cards: Sequence[Missing]) -> None:
    labels = [say("card"), say("total"), say("for the card"), say("for recipes")]
    lines = [[card.card, *map(str, (card.gain, card.vp, card.bonus))] for card in cards]
    console.print(laid_out(labels, lines, console.width, numbers=[1, 2, 3]))
