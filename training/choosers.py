"""A small network (`solver.hints.network`) that learns players' choices, with PyTorch.

The network is fitted to recorded choices by maximum likelihood; a share of them is assumed to be made at random,
and that share is fitted, too. Some rounds are held out, to see how likely the network makes choices that it was
not fitted to. Each context has its own weights, and is fitted separately.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import torch

from solver.hints.network import UNITS, Chooser, Singles, chooser_of
from solver.kernels.words import Words

RATE = 6e-3  # at most, in the course of `torch.optim.lr_scheduler.OneCycleLR`
DECAY = 1e-3  # of the weights
BATCH = 256
_AT_RANDOM = -2.5  # the logit of the share of choices at random, to begin with
_NEVER = -1e9


class Choices(NamedTuple):
    """Recorded choices, one row each.

    `shared` has the inputs that all moves share (choice, input), and `own` those of each move (choice, move,
    input), of which only the first `counts` moves exist. `chosen` is the index of the move made. Each choice has
    its context and its round.
    """

    shared: Singles
    own: Singles
    counts: Words
    chosen: Words
    contexts: Words
    rounds: Words

    def of(self, rows: Any) -> Choices:
        """Some of the choices, given by their numbers or by a row of booleans."""
        return Choices(*(part[rows] for part in self))


class Learned(NamedTuple):
    """A network, and how well it predicts choices that it was not fitted to.

    `fitted` and `held` are the numbers of choices fitted and held out. For the latter, `likely` is the mean
    log-likelihood of a choice, `any_alike` the same if all moves are equally likely, and `likeliest` how often the
    likeliest move was chosen. `at_random` is the share of random choices, by context.
    """

    chooser: Chooser
    fitted: int
    held: int
    likely: float
    any_alike: float
    likeliest: float
    at_random: tuple[float, ...]

    def told(self) -> dict[str, Any]:
        """The figures for the network's model card."""
        return {
            "choices": self.fitted,
            "held back": self.held,
            "mean logarithm of a held-back choice's chance": round(self.likely, 4),
            "with any move alike": round(self.any_alike, 4),
            "its likeliest move was chosen": round(self.likeliest, 3),
            "share of choices at random, by context": [round(share, 3) for share in self.at_random],
        }


class _Tensors(NamedTuple):
    """The choices of one context, as PyTorch tensors."""

    shared: Any
    own: Any
    is_move: Any
    counts: Any
    chosen: Any


def learn(choices: Choices, contexts: int, seed: int, *, held: float = 0.1, epochs: int = 24) -> Learned:
    """Fit a network to choices; the same choices and seed give the same network on the same machine.

    A share `held` of the rounds is held out. Raises ValueError for a context with fewer choices than a batch.
    """
    torch.set_num_threads(1)  # steps are short, and sums in one order give the same weights again
    back = np.random.default_rng(seed).random(int(choices.rounds.max()) + 1) < held
    is_held = back[choices.rounds]
    nets, shares, logs, hits = [], [], [np.zeros(0)], [np.zeros(0)]
    for context in range(contexts):
        in_context = choices.contexts == context
        net = _fitted(_tensors(choices.of(in_context & ~is_held)), seed * contexts + context, epochs)
        log, hit = _judged(net, _tensors(choices.of(in_context & is_held)))
        nets.append(net)
        shares.append(float(torch.sigmoid(net["at_random"].detach())))
        logs.append(log)
        hits.append(hit)
    arrays = {name: np.stack([net[name].detach().numpy() for net in nets]) for name in Chooser._fields}
    return Learned(
        chooser=chooser_of(arrays),
        fitted=int((~is_held).sum()),
        held=int(is_held.sum()),
        likely=float(np.concatenate(logs).mean()),
        any_alike=float(-np.log(choices.counts[is_held]).mean()),
        likeliest=float(np.concatenate(hits).mean()),
        at_random=tuple(shares),
    )


def _tensors(choices: Choices) -> _Tensors:
    counts = torch.from_numpy(np.ascontiguousarray(choices.counts))
    return _Tensors(
        torch.from_numpy(np.ascontiguousarray(choices.shared)),
        torch.from_numpy(np.ascontiguousarray(choices.own)),
        torch.arange(choices.own.shape[1])[None] < counts[:, None],
        counts,
        torch.from_numpy(np.ascontiguousarray(choices.chosen)),
    )


def _fitted(seen: _Tensors, seed: int, epochs: int) -> Mapping[str, Any]:
    """Fit the network of one context; returns its weights by name."""
    many = len(seen.counts)
    if many < BATCH:
        raise ValueError(f"{many} choices of a context are too few to fit to")
    net = _new(seen.shared.shape[1], seen.own.shape[2], seed)
    optimizer = torch.optim.AdamW(list(net.values()), lr=RATE, weight_decay=DECAY)
    steps = many // BATCH
    course = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=epochs * steps)
    shuffler = torch.Generator().manual_seed(seed)
    for _ in range(epochs):
        order = torch.randperm(many, generator=shuffler)
        for step in range(steps):
            rows = order[step * BATCH : (step + 1) * BATCH]
            loss = -_chances(net, _Tensors(*(part[rows] for part in seen))).log().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            course.step()
    return net


def _new(shared: int, own: int, seed: int) -> dict[str, Any]:
    """Initial weights."""
    random = torch.Generator().manual_seed(seed)
    size = (shared + own) ** -0.5
    parameters = {
        "shared": size * torch.randn(shared, UNITS, generator=random),
        "bias": torch.zeros(UNITS),
        "own": size * torch.randn(own, UNITS, generator=random),
        "last": 0.3 * torch.randn(UNITS, generator=random),
        "line": torch.zeros(own),
        "at_random": torch.tensor(_AT_RANDOM),
    }
    return {name: torch.nn.Parameter(value) for name, value in parameters.items()}


def _values(net: Mapping[str, Any], seen: _Tensors) -> Any:
    """The value of each move, as the kernels compute it."""
    sums = seen.shared @ net["shared"] + net["bias"]
    hidden = torch.relu(seen.own @ net["own"] + sums[:, None])
    return (hidden @ net["last"] + seen.own @ net["line"]).masked_fill(~seen.is_move, _NEVER)


def _chances(net: Mapping[str, Any], seen: _Tensors) -> Any:
    """The chance of each choice."""
    of_chosen = torch.softmax(_values(net, seen), 1)[torch.arange(len(seen.chosen)), seen.chosen]
    share = torch.sigmoid(net["at_random"])
    return (1 - share) * of_chosen + share / seen.counts


def _judged(net: Mapping[str, Any], seen: _Tensors) -> tuple[Any, Any]:
    """The log-likelihood of each choice, and whether the likeliest move was chosen."""
    with torch.no_grad():
        hits = _values(net, seen).argmax(1) == seen.chosen
        return _chances(net, seen).log().numpy().astype(np.float64), hits.numpy().astype(np.float64)
