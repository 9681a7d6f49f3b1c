"""Tables that several tests of the page show."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.journeys.real_tables import TURNED, seen_at
from tests.journeys.table import Row
from tests.page.support import at

KIRIN = Row("kirin")
DUEL = "alchemy duel totals=0,0 line=4,8,9,5,9,3 hand=10 opponent_hand=J"
MIDDLES = {
    "king": "king seat=1 hand=F6,F8,F10,W9,W10,W11,E6,A7,T4 pick=W2,A3,T1,W8 removed=A8,D "
    "history=0:E5,T3,E9,T5:take:T3:give:E9/3:E4,E3,E1,E10:take:E1,E3:give:E4 trick=2:E11,E2,E7",
    "aqua-regia": "aqua-regia players=4 seat=2 hand=Li,Na,Zn,Fe,Sn,Pb,Cu,Hg,Hg,Pt,Au "
    "history=0:Mg/1:pass/2:pass/3:pass/0:K/1:Ca",
    "all of king": "king hands=F2,E7,E8,A2,A4,A9/F6,F8,W9,E1,T4/F1,W4,W5,E9,E11,A5/F5,F7,F11,W3,E4,A6 "
    "pick=W2,A3,T1,W8 removed=A8,D history=0:E5,T3,E10,E2:take:E2:give:E10/1:A7,T2,A10,A11:give:A7/"
    "2:F9,F3,F4,F10:take:F4,F9:give:F3/1:W11,W7,T5,E3:take:E3:give:W7/3:W1,A1,W10,W6:take:W1,W6:give:A1 "
    "trick=1:E6",
    "all of aqua-regia": "aqua-regia hands=Na,Pb,Cu,Ag,Pt,Pt,Au/K,K,Na,Al,Al,Zn,Ni,Sn,Pt/"
    "Li,Ca,Na,Mg,Mg,Mg,Fe,Ni,Pb,Pb,Cu,Hg,Au/K,Ca,Na,Fe,Fe,Ni,Sn,Sn,Hg,Hg,Ag,Ag/Li,Li,Ca,Al,Zn,Zn,Sn,Pb,Cu,Cu,"
    "Pt,Au stock=Ni,Ca,Ag,Al,Hg,Au history=0:Li/1:Na/2:pass/3:pass/4:pass/0:Mg/1:pass/2:pass/3:pass/4:pass/0:Zn/"
    "1:Fe/2:pass:K:Na",
    "all of kirin": "kirin hands=D6,S2,B3,BT/D1,S3,B-,G3,GT/D2,DT,D+,S1,G1/D5,S5,G2,G+ declared=S4,B1,B+,G- "
    "history=0:S6,B4,D-,D4/0:S+,G5,B2,G6/2:G4,ST,B6,B5 trick=3:S-,D3",
}
LONG_HAND = (
    "aqua-regia players=4 seat=2 hand=Li,Na,Zn,Fe,Sn,Pb,Cu,Hg,Hg,Pt,Au {drawn}"
    "history=0:Mg/1:pass/2:pass/3:pass/0:K/1:Ca"
)
FIVE = "king seat=4 hand=F4,E1,E3,E5,E6,E7,A10,T3,T5 pick=A9,T1,A5,E9,E10 trick=0:F2,F5,F1,F3"
PICKED = "king seat=0 hand=F1,F2,F4,F8,F11,W1,W9,E2,E3,E10,A5,A6,A11,T1,T2 removed=F9,W8,E8,E9,F10 leader=0"
OBSERVED = "kirin seat=1 hand=D+,S1,S5,B4,B6,G1,G4,G- declared=B3 leader=0"
PICKED_FIVE = "king seat=2 hand=F1,F9,E1,E6,E10,A3,A5,A7,T2 pick=A9,T4,W5,W1,D leader=0"


def followed(row: Row, keys: str = "", less: int = 0, **more: str) -> str:
    """The address of a table, after all that was seen in a round but for its last moves."""
    start, lines = seen_at(row, "")
    steps: list[str] = []
    for line in lines:
        if row.game == "alchemy" and TURNED.fullmatch(line):
            steps[-1] += f" | {line}"
        else:
            steps.append(line)
    steps = steps[: len(steps) - less]
    line = " ".join(filter(None, [row.game, *start, keys]))
    return at(line, tab="hint", moves=";".join(steps), at=f"a{len(steps)}", **more)


def take(page: Page, *cards: str, left: str = "", make: str = "Make the match") -> None:
    """Put cards to the right of the equals sign, and one to the left, and make the match."""
    for card in cards:
        page.locator(f".zone-line .card.legal[aria-pressed=false][data-card='{card}']").first.click()
    if left:
        page.locator(f".zone-line .card[aria-pressed=true][data-card='{left}']").click()
    page.get_by_role("button", name=make).click()
