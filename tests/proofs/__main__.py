"""Make and check a certificate of every puzzle of the collection that can have one.

python -m tests.proofs                 all of them; exit code 1 where one breaks
python -m tests.proofs --sample 50     so many, spread over all
python -m tests.proofs --seconds 60    give up making one after so long
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict

from puzzles.check_proof import BrokenProofError
from solver.limits import Limit
from tests.proofs.making import Made, made, provable


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.proofs")
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seconds", type=float, default=60.0)
    options = parser.parse_args()
    puzzles = provable()
    if options.sample:
        puzzles = puzzles[:: max(1, len(puzzles) // options.sample)]
    kinds: dict[str, list[Made]] = defaultdict(list)
    broken = 0
    for puzzle in puzzles:
        try:
            found = made(puzzle, Limit(seconds=options.seconds))
        except BrokenProofError as wrong:
            broken += 1
            print(f"{puzzle.id}: broken: {wrong}")
            continue
        if found.reason:
            print(f"{puzzle.id}: none after {found.making:.1f} s: {found.reason}", flush=True)
        kind = "compound" if puzzle.ask == "compound" else f"{puzzle.game.name} {puzzle.model or ''}".strip()
        kinds[kind].append(found)
    print(f"{'':22}proved  none   median KB  largest KB   s making  s checking  longest s")
    for kind, all_of_kind in sorted(kinds.items()):
        proved = [one for one in all_of_kind if one.text]
        sizes = sorted(len(one.text.encode()) for one in proved) or [0]
        making, checking = (sum(getattr(one, name) for one in proved) for name in ("making", "checking"))
        longest = max((one.making + one.checking for one in proved), default=0.0)
        print(
            f"{kind:20}{len(proved):8}{len(all_of_kind) - len(proved):6}{sizes[len(sizes) // 2] / 1000:12.1f}"
            f"{sizes[-1] / 1000:12.1f}{making:11.1f}{checking:12.1f}{longest:11.1f}"
        )
    print(f"{broken} broken")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
