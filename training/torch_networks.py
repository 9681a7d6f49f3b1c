"""Networks as PyTorch trains them, and as kernels read them (`solver.hints.network`)."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn

from solver.hints.network import Network


def device() -> torch.device:
    """A GPU where there is one."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def three_layers(inputs: int, first: int, second: int, outputs: int) -> nn.Sequential:
    """A network of the shape that kernels read. Its outputs are 0 to begin with."""
    net = nn.Sequential(
        nn.Linear(inputs, first), nn.ReLU(), nn.Linear(first, second), nn.ReLU(), nn.Linear(second, outputs)
    )
    for parameter in (net[4].weight, net[4].bias):
        nn.init.zeros_(parameter)
    return net


def for_kernels(net: nn.Sequential) -> Network:
    """The weights as they are now, a row for each input."""
    found = []
    for layer in (net[0], net[2], net[4]):
        found.append(np.ascontiguousarray(layer.weight.detach().float().cpu().numpy().T))
        found.append(layer.bias.detach().float().cpu().numpy().copy())
    return Network(*found)


class Average:
    """The running mean of a network's weights, which plays better than the weights of any one step."""

    def __init__(self, net: nn.Sequential, rate: float = 0.005) -> None:
        self.net = three_layers(net[0].in_features, net[0].out_features, net[2].out_features, net[4].out_features)
        self.net.load_state_dict(net.state_dict())
        self._rate = rate

    def add(self, net: nn.Sequential) -> None:
        """Move the mean towards the weights as they are now."""
        for mean, now in zip(self.net.parameters(), net.parameters(), strict=True):
            mean.data.lerp_(now.detach().to(mean.device), self._rate)
