"""Ask all requests, or some, and compare the answers with those that are kept as hashes.

python -m tests.frozen                          all of them; exit code 1 where an answer differs
python -m tests.frozen --only hint,king.error   those whose kind has one of these words
python -m tests.frozen --only kirin.hint#17     one, with its answer
python -m tests.frozen --sample 500             so many, spread over all kinds
python -m tests.frozen --keep /tmp/answers      also keep whole answers in a folder
python -m tests.frozen --against /tmp/answers   also show how an answer differs from the one that is kept there
python -m tests.frozen --update                 take the answers of now as right
"""

from __future__ import annotations

import argparse
import difflib
import gzip
import json
import sys
import time
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

from tests.frozen import hashes
from tests.frozen.asking import Key, answered, kinds, request_of
from tests.frozen.service import Answer

_SHOWN = 400  # characters of a request
_LINES = 30  # of a difference


def main() -> int:
    """The command. Returns the exit code."""
    options = _options()
    chosen = _chosen(options.only, options.sample)
    if not chosen:
        print("no request fits")
        return 2
    begun = time.monotonic()
    answers, times = answered(chosen, options.jobs)
    seconds = time.monotonic() - begun
    if options.slow:
        _print_slowest(times, options.slow)
    if options.keep:
        _keep(options.keep, answers)
    if options.only and "#" in options.only:
        for key, answer in answers.items():
            print(f"{_named(key)}: {request_of(key).shown}\n{answer.text}\nnodes {answer.nodes or 'not told'}\n")
    if options.update:
        _update(answers)
    differing = _compare(answers, options.against, options.shown)
    print(f"{len(answers):,} requests in {seconds:.0f} s")
    return 1 if differing else 0


def _named(key: Key) -> str:
    return f"{key[0]}#{key[1]}"


def _chosen(only: str, sample: int) -> list[Key]:
    """Those that are asked for; a sample takes requests at even distances."""
    keys = [(kind, place) for kind, found in kinds().items() for place in range(len(found))]
    words = [word for word in only.split(",") if word]
    if words:
        keys = [
            key for key in keys if any(_named(key) == word if "#" in word else word in key[0] for word in words)
        ]
    if sample and sample < len(keys):
        keys = [keys[number * len(keys) // sample] for number in range(sample)]
    return keys


def _print_slowest(times: dict[Key, float], most: int) -> None:
    for key in sorted(times, key=lambda key: -times[key])[:most]:
        print(f"{times[key]:7.3f} s  {_named(key)}: {request_of(key).shown[:_SHOWN]}")
    spent: dict[str, float] = defaultdict(float)
    for (kind, _), seconds in times.items():
        spent[kind] += seconds
    for kind in sorted(spent, key=lambda kind: -spent[kind])[:most]:
        print(f"{spent[kind]:7.2f} s  {kind}")


def _update(answers: dict[Key, Answer]) -> None:
    """Keep these hashes. Of a kind whose requests have changed, all have to be there."""
    kept = {kind: one for kind, one in hashes.load().items() if kind in kinds()} if hashes.FILE.exists() else {}
    for kind, found in kinds().items():
        now = hashes.digest(found)
        old = kept.get(kind, ("", []))
        before = old[1] if old[0] == now else [""] * len(found)
        for place in range(len(found)):
            if (kind, place) in answers:
                before[place] = hashes.hash_of(answers[kind, place])
        if "" in before:
            print(f"{kind}: its requests are new ones, and not all were asked: it is left as it was")
        else:
            kept[kind] = now, before
    hashes.save(kept)


def _compare(answers: dict[Key, Answer], against: Path | None, shown: int) -> int:
    """Print what differs, and a table of the kinds. Returns how many answers differ, nodes apart."""
    kept = hashes.load()
    table: dict[str, Counter[str]] = defaultdict(Counter)
    stale = {kind for kind, found in kinds().items() if kept.get(kind, ("", []))[0] != hashes.digest(found)}
    for key, answer in answers.items():
        kind, place = key
        if kind in stale:
            table[kind]["other requests"] += 1
            continue
        now, old = hashes.hash_of(answer), kept[kind][1][place]
        outcome = "equal" if now == old else "nodes only" if now[:6] == old[:6] else "differ"
        table[kind][outcome] += 1
        if outcome != "equal" and table[kind][outcome] <= shown:
            print(f"{outcome}: {_named(key)}: {request_of(key).shown[:_SHOWN]}")
            if against:
                _show(_kept(against, kind)[place], answer)
    columns = ("equal", "nodes only", "differ", "other requests")
    print(f"{'kind':28}" + "".join(f"{column:>16}" for column in columns))
    for kind, counts in [*sorted(table.items()), ("all", sum(table.values(), Counter()))]:
        print(f"{kind:28}" + "".join(f"{counts[column] or '':>16}" for column in columns))
    if stale:
        print("other requests: what is asked has changed, so nothing can be compared; --update keeps new hashes")
    return sum(counts["differ"] + counts["other requests"] for counts in table.values())


def _show(old: Answer, new: Answer) -> None:
    """How an answer differs from the one that was kept."""
    found = list(difflib.unified_diff(_broken(old), _broken(new), "kept", "now", lineterm="", n=1))
    print("\n".join(f"    {line[:_SHOWN]}" for line in found[:_LINES]))


def _broken(answer: Answer) -> list[str]:
    """The lines of an answer, JSON a key a line."""
    found = [f"nodes {answer.nodes}"]
    for line in answer.text.splitlines():
        try:
            data = json.loads(line, parse_float=str)
        except ValueError:
            found.append(line)
        else:
            found += json.dumps(data, ensure_ascii=False, indent=1).splitlines()
    return found


def _keep(folder: Path, answers: dict[Key, Answer]) -> None:
    """Write whole answers, a file for each kind."""
    folder.mkdir(parents=True, exist_ok=True)
    by_kind: dict[str, list[Key]] = defaultdict(list)
    for key in answers:
        by_kind[key[0]].append(key)
    for kind, keys in by_kind.items():
        with gzip.open(folder / f"{kind}.ndjson.gz", "wt", encoding="utf-8", errors="surrogatepass") as file:
            for key in keys:
                answer = answers[key]
                line = {
                    "place": key[1],
                    "request": request_of(key).shown,
                    "nodes": answer.nodes,
                    "answer": answer.text,
                }
                file.write(json.dumps(line) + "\n")


@cache
def _kept(folder: Path, kind: str) -> dict[int, Answer]:
    with gzip.open(folder / f"{kind}.ndjson.gz", "rt", encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    return defaultdict(
        lambda: Answer("(not kept)", ""), {line["place"]: Answer(line["answer"], line["nodes"]) for line in lines}
    )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m tests.frozen", description=__doc__.split("\n")[0])
    parser.add_argument("--only", default="", metavar="WORDS", help="kinds with one of these words; or kind#place")
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="so many requests")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="write whole answers there")
    parser.add_argument("--against", type=Path, metavar="FOLDER", help="compare with whole answers")
    parser.add_argument("--update", action="store_true", help="keep the hashes of now")
    parser.add_argument("--shown", type=int, default=3, metavar="N", help="so many that differ, of each kind")
    parser.add_argument("--slow", type=int, default=0, metavar="N", help="also list the slowest")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
