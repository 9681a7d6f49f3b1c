"""How many connections there may be, in all and of one client, and which is given up for a new one."""

from __future__ import annotations

import logging

from api.serving.channel import Channel

log = logging.getLogger(__name__)

_SPARE_FILES = 128  # descriptors for all that is not a connection


def allowed(wanted: int) -> int:
    """How many connections the system's limit on open files allows, after asking for more if need be."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = wanted + _SPARE_FILES
    if soft != resource.RLIM_INFINITY and soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        if soft < needed:
            wanted = max(8, soft - _SPARE_FILES)
            log.warning("the limit on open files allows only %d connections at once", wanted)
    return wanted


class Clients:
    """The open connections by client. Only the loop's thread may use it."""

    def __init__(self, most: int, most_each: int) -> None:
        self._most = most
        self._most_each = most_each
        self._open: dict[str, set[Channel]] = {}
        self._count = 0

    def add(self, channel: Channel) -> None:
        self._open.setdefault(channel.client, set()).add(channel)
        self._count += 1

    def remove(self, channel: Channel) -> None:
        mine = self._open.get(channel.client)
        if mine is not None and channel in mine:
            mine.remove(channel)
            self._count -= 1
            if not mine:
                del self._open[channel.client]

    def make_room(self, channel: Channel) -> None:
        """Where a new connection is one too many, give up the one whose client has been waited for longest.

        That is one of the same client, if it has too many, else of the client that has most. If all of those are
        answering requests, the new one is turned away.
        """
        if len(self._open[channel.client]) > self._most_each:
            crowd = self._open[channel.client]
        elif self._count > self._most:
            crowd = max(self._open.values(), key=len)
        else:
            return
        waiting = [other for other in crowd if other.waits and other is not channel]
        if waiting:
            longest = min(waiting, key=lambda other: other.since)
            longest.give_up(503, "busy", "there are too many connections, and this client took longest")
        else:
            channel.say(503, "busy", "there are too many connections; try again later")
            channel.end()
