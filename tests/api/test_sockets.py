"""The loop over the sockets, with other threads at work on what it watches."""

from __future__ import annotations

import socket

from api.serving.sockets import Sockets


class Busy:
    """A connection whose answer another thread has sent just when the loop asks what it wants."""

    accepting = False

    def __init__(self, number: int, sockets: Sockets) -> None:
        self._fileno = number
        self._sockets = sockets
        self._sending = True
        self.read = 0

    def readable(self) -> bool:
        return not self._sending

    def writable(self) -> bool:
        if self._sending:
            self._sending = False  # all was sent a moment ago, says the other thread
            self._sockets.changed(self)
        return False

    def handle_read_event(self) -> None:
        self.read += 1


def test_a_connection_that_comes_to_rest_while_it_is_asked_is_read_from() -> None:
    ours, theirs = socket.socketpair()
    sockets = Sockets()
    busy = Busy(ours.fileno(), sockets)
    sockets[busy._fileno] = busy
    theirs.send(b"the next request")
    for _ in range(2):
        sockets.turn(0)
    assert busy.read == 1
    del sockets[busy._fileno]
    sockets.close()
    ours.close()
    theirs.close()
