"""`analyze` for King × Alchemy with every card known: every move's value under a model of the others' play."""

from __future__ import annotations

from functools import partial

from solver.common import members
from solver.games.king import maxn
from solver.games.king.bounds import least_bonus
from solver.games.king.compounding import bonus_bounds
from solver.games.king.deck import Deck, house
from solver.games.king.fast_rules import (
    ALL_SWITCHES,
    ALLIES,
    BEST,
    LIVE,
    MOST_MOVES,
    NAMES,
    NODE_WORDS,
    PILES,
    PLAYED,
    PLAYER,
    PLAYERS,
    SCORES,
    STALLED,
    TOLL,
    deal_words,
    list_moves,
    make,
    move_of,
    round_words,
    seat_to_move,
)
from solver.games.king.position import KingAnalysis, KingMove, KnownPosition
from solver.games.king.rules import Move, State, move_text, play
from solver.games.king.search import PROVERS, PlayerScore, proof_share, relieve, score_bounds
from solver.kernels.jit import inlined
from solver.kernels.rng import below
from solver.kernels.words import Words
from solver.limits import Control, Limit, once
from solver.search.fail_soft import FailSoftProver
from solver.search.uct import Bounds, Tree, TreeKernels, TreeRules, kernels_of
from solver.tricks.analysis import (
    Form,
    Question,
    ScoreBounds,
    all_scores,
    answer,
    check_model,
    check_player,
    one_score,
    proved,
)
from solver.tricks.analysis import Means as AnalysisMeans

# ----------------------------------------------------------------------------------------------------
# King × Alchemy's rules for the Monte-Carlo tree search: every seat maximizes what it wants under the model.
#
# Beyond the tree, plays are random, and a winner takes what is worth most immediately.


EVERYBODY = 2  # in place of a deal's ALLIES word: each seat for itself
_OTHERS_POINT = 0.02  # how much a point in any score reduces what a selfish seat wants


@inlined
def moves(deal: Words, work: Words, at: int, codes: Words) -> int:
    return list_moves(deal, work, at, codes, 0)


@inlined
def result(deal: Words, work: Words, at: int) -> int:
    """-1 while cards are in hands or on the table, else 0."""
    return 0 if work[at + LIVE] | work[at + PLAYED] == 0 else -1


@inlined
def reward(deal: Words, work: Words, at: int, ended: int, seat: int) -> int:
    """A seat's score, including its best compounding, or a good one that is found quickly."""
    if seat == 0:
        deal[TOLL] = 0  # look well at this game's scores, whatever playing it took
    return int(work[at + SCORES + seat] + least_bonus(deal, work[at + PILES + seat]))


@inlined
def wanted(deal: Words, tree: Words, sums: int, visits: int, seat: int) -> float:
    """How good an outcome is for a seat that plays for itself (its mean score, with low scores of others), or else
    for or against the player.
    """
    if deal[ALLIES] == EVERYBODY:
        total = 0
        for other in range(deal[PLAYERS]):
            total += tree[sums + other]
        return float(tree[sums + seat] - _OTHERS_POINT * total) / float(visits)
    mean = float(tree[sums + deal[PLAYER]]) / float(visits)
    return mean if deal[ALLIES] != 0 or seat == deal[PLAYER] else -mean


@inlined
def rollout(deal: Words, work: Words, at: int, spare: int, codes: Words, count: int, random: Words) -> int:
    """A random play; in a full trick, one of the takings worth most to the winner immediately."""
    if work[at + PLAYED] < deal[PLAYERS]:
        return int(codes[below(random, count)])
    winner = work[at + BEST]
    start = below(random, count)
    most = -1
    chosen = 0
    for step in range(count):
        index = start + step
        move = codes[index - count if index >= count else index]
        make(deal, work, at, spare, move)
        worth = work[spare + SCORES + winner] + least_bonus(deal, work[spare + PILES + winner])
        if worth > most:
            most = worth
            chosen = move
    return int(chosen)


@once
def kernels() -> TreeKernels:
    """The tree search with King's rules."""
    return kernels_of(
        TreeRules(
            game="king",
            state_words=NODE_WORDS,
            moves=moves,
            play=make,
            seat_to_move=seat_to_move,
            result=result,
            reward=reward,
            wanted=wanted,
            rollout=rollout,
            first_at_random=True,
        )
    )


# ----------------------------------------------------------------------------------------------------
# The best-looking move in a position too large to prove: Monte-Carlo tree search with all cards known.


_BOUNDS = Bounds(nodes=1 << 18, moves=MOST_MOVES, plays=120)
_STEPS_A_CARD = 3  # a card played in a rollout costs about this many nodes of a proof

Means = dict[Move, tuple[float, ...]]


def sampled(start: State, player: int, model: str, control: Control) -> Means:
    """The mean scores of all seats after each move of `start` that was tried within the limit.

    All seats play by the model. `start` must have cards in hands or on the table.
    """
    tree = tree_of(start, player, model)
    tree.run(control, "sample")
    return means_of(start, tree)


def tree_of(start: State, player: int, model: str) -> Tree:
    """The tree search from a state."""
    # Keep the names of the Dancer apart, so that each has its own estimate.
    deal = deal_words(start, player, allies=model == "ally", switches=ALL_SWITCHES & ~NAMES)
    if model == "maxn":
        deal[ALLIES] = EVERYBODY
    cards = sum(hand.bit_count() for hand in start.hands)
    return Tree(
        kernels(),
        deal,
        round_words(start, deal),
        seats=start.players,
        bounds=_BOUNDS,
        game_nodes=_STEPS_A_CARD * (cards + 1),
    )


def means_of(start: State, tree: Tree) -> Means:
    """The mean scores of all seats after each move of `start` that was tried."""
    return {
        move_of(start, code): tuple(tried.mean(seat) for seat in range(start.players))
        for code, tried in tree.tried().items()
    }


def estimate(means: Means, move: Move, seat: int, bounds: tuple[int, int]) -> float | None:
    """A seat's mean score after a move, clipped to its proved bounds; None if the move was not tried."""
    least, most = bounds
    return min(max(means[move][seat], least), most) if move in means else None


def analyze(
    position: KnownPosition, control: Control, *, model: str | None = None, player: int | None = None
) -> KingAnalysis:
    """The values of all moves, best first for the seat to move: exact, or bounds if the limit was reached.

    Raises RequestError for an unknown model or player.
    """
    model = check_model(model)
    state = position.state
    question = Question(model, check_player(player, state.to_move, state.players), state.to_move, control)
    if state.over:
        return _over(state, question)
    with PROVERS.lend(control.seconds_left()) as prover:
        return (_everybody if model == "maxn" else _one)(state, question, prover)


def _form(deck: Deck) -> Form[KingAnalysis, Move]:
    return Form("king", KingAnalysis, KingMove, lambda move: move_text(deck, move))


def _over(state: State, question: Question) -> KingAnalysis:
    """The scores at the end of the round, when only compounding is left."""

    def score(seat: int) -> tuple[int, int]:
        pile = state.won[seat]
        vp = state.deck.vp(pile)
        least, most = bonus_bounds(state.deck, list(members(pile)), question.control)
        return vp + least, vp + most

    if question.model != "maxn":
        return answer(_form(state.deck), question, {}, score(question.player), (), ())
    least, most = zip(*map(score, range(state.players)), strict=True)
    return answer(_form(state.deck), question, {}, (least, most), (), ())


def _one(state: State, question: Question, prover: FailSoftProver) -> KingAnalysis:
    control, player = question.control, question.player
    search = PlayerScore(prover, state, player, allies=question.model == "ally", control=control)
    with control.telling(lambda: proved(partial(move_text, state.deck), search.found)):
        moves = search.moves(proof_share(state))
        exact = all(least == most for least, most in moves.values())
        return one_score(
            _form(state.deck),
            question,
            moves,
            high=search.maximises(state),
            won=score_bounds(state.deck, state.won[player])[0],
            line=lambda move, worth: search.line(play(state, move), worth),
            means=None if exact else _means(state, question, player),
        )


def _everybody(state: State, question: Question, prover: FailSoftProver) -> KingAnalysis:
    found: dict[Move, ScoreBounds] = {}
    with question.control.telling(lambda: proved(partial(move_text, state.deck), found)):
        moves, line = maxn.of_state(state, question.control, prover, found)
    exact = all(low == high for low, high in moves.values())
    return all_scores(
        _form(state.deck),
        question,
        moves,
        scores=tuple(score_bounds(state.deck, pile)[0] for pile in state.won),
        line=line,
        means=None if exact else _means(state, question, state.to_move),
    )


def _means(state: State, question: Question, seat: int) -> AnalysisMeans[Move]:
    """A seat's mean score for each move, over games sampled in the rest of the limit."""
    means = sampled(state, question.player, question.model, question.control)
    return lambda move, bounds: estimate(means, move, seat, bounds)


def warm() -> None:
    """Compile or load every kernel."""
    state = State(house(), (0b11, 0b1100, 0b110000), 0, (), (0, 0, 0))
    with PROVERS.lend() as prover:
        PlayerScore(prover, state, 0, allies=False, control=Control()).moves()
        maxn.of_state(state, Control(), prover, {})
        prover.search.stalled(prover.deal)  # called only when a question is resumed
    deal = deal_words(state, 0, allies=False)
    deal[STALLED] = state.won[0] | state.hands[0]
    relieve(state.deck, deal, Control())
    sampled(state, 0, "maxn", Control(Limit(nodes=1000)))
