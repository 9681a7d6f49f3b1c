"""Starts the service: the port opens immediately, and games are made ready while the server answers."""

from __future__ import annotations

import ipaddress
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from types import FrameType
from typing import TYPE_CHECKING

import athanor
from api import garbage
from api.config import Config
from athanor.jobs import Store, default_path
from athanor.jobs.file import JobError
from athanor.jobs.settings import kept_days, store_megabytes
from solver.decks import FOLDER_VARIABLE, folder
from solver.errors import AthanorError, RequestError, reason_of
from solver.language import say
from solver.search.memory import memory_megabytes, table_megabytes

if TYPE_CHECKING:
    from api.metrics import JobStore
    from api.readiness import Readiness
    from api.search_pool import SearchPool

_BACKLOG = 1024
_LOOK_SECONDS = 0.5  # between two checks whether jobs may begin
_GAMES_SECONDS = 6.0  # for which reading ahead leaves the processor to the games, which are loaded first
_STORE_SECONDS = 30.0  # between two checks of the store's state
_SWITCH_SECONDS = 0.0005  # how soon a waiting thread gets the interpreter from a running one


@contextmanager
def _signals(handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Handle Ctrl-C, SIGTERM and, unless it is ignored, a closed terminal; nothing outside the main thread."""
    numbers = [signal.SIGINT, signal.SIGTERM]
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
        numbers.append(signal.SIGHUP)
    if threading.current_thread() is not threading.main_thread():
        numbers = []
    before = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)


def _end(number: int, _frame: FrameType | None) -> None:
    """End the process in order, so that temporary folders are removed."""
    raise KeyboardInterrupt if number == signal.SIGINT else SystemExit(0)


@_signals(_end)
def serve(
    host: str,
    port: int,
    config: Config | None = None,
    *,
    everyone: bool = False,
    fragment: str = "",
    listening: Callable[[str], None] = lambda address: None,
) -> bool:
    """Serve until SIGTERM or Ctrl-C, or until the terminal is closed; running requests finish.

    If other machines can reach the service, it needs a token file, unless `everyone` may use it. Once the port is
    open, the page's address, which ends with `fragment`, is printed and passed to `listening`.

    Returns whether a thread still compiles: LLVM crashes in it if the interpreter ends meanwhile. Raises
    RequestError if the service cannot listen.
    """
    config = config or Config.from_environ()
    _check_settings()
    _check_tokens(config, everyone)
    _check_votes(config)
    sys.setswitchinterval(_SWITCH_SECONDS)
    guarded = everyone or bool(config.tokens_file)
    if config.proxies and not guarded:
        raise _unguarded(", ".join(config.proxies))
    bound = _bind(host, port, guarded=guarded)
    if config.proxies or not _local(str(bound.getsockname()[0])):
        config = config.for_strangers()
    address = _url(host, bound) + fragment
    template = "Athanor is at {address} and takes at most {memory:,} MiB of memory"
    print(say(template, address=address, memory=config.memory_mb), flush=True)
    listening(address)
    # New connections wait about a second for these imports; meanwhile the processes start.
    from api.search_pool import SearchPool

    searches = SearchPool(config, in_processes=config.searches_in_processes)
    try:
        searches.start()
        return _answer(bound, replace(config, hosts=(*config.hosts, host)), searches)
    finally:
        searches.stop()


@_signals(_end)
def serve_phone(host: str | None, port: int) -> bool:
    """Serve to phones, with a new token: at `host`, or else at the machine's address in the local network.

    Returns what `serve` does. Raises RequestError if the service cannot listen, has no such address, or a token
    file is configured as well.
    """
    from api import phone

    config = Config.from_environ()
    if config.tokens_file:
        raise RequestError(
            "conflict", say("--phone makes a token of its own, but ATHANOR_TOKENS_FILE names others")
        )
    with phone.token_file() as (fragment, path):
        config = replace(config, tokens_file=path)
        return serve(host or phone.local_address(), port, config, fragment=fragment, listening=phone.show)


def _answer(bound: socket.socket, config: Config, searches: SearchPool) -> bool:
    """Run the service on a listening socket until it is stopped. Returns whether a thread still compiles."""
    from api.app import create_app
    from api.game_loading import Warming, shown
    from api.listener import Server
    from api.metrics import JobStore
    from api.readiness import Readiness
    from api.reading_ahead import read_ahead

    # Browsers may use the address on which it listens.
    config = replace(config, hosts=(*config.hosts, str(bound.getsockname()[0])))
    # King × Alchemy last: for longest, only one game is left, and two processes share its kernels best.
    first, *others = athanor.games()
    readiness = Readiness((first, *reversed(others)))
    if not searches.in_processes:
        from api.memory import Memory

        memory = Memory(
            config.memory_mb, requests=config.threads, searches=config.searches, loaded=readiness.settled
        )
        threading.Thread(target=memory.watch, name="memory", daemon=True).start()
    warming = Warming(readiness, config.compilers, searches.load)
    jobs = JobStore()
    over = threading.Event()

    def read_later() -> None:
        if not over.wait(_GAMES_SECONDS):
            with suppress(OSError):  # no open file is left, say: then the first one who asks waits and hears why
                read_ahead(config, over.wait)
                garbage.loaded()

    server = Server(bound, create_app(config, searches, readiness, jobs), config, searches)
    try:
        with _signals(lambda _number, _frame: server.stop()):
            warming.start()
            # Not a daemon: an interpreter that ends while pydantic runs in one aborts.
            threading.Thread(target=read_later, name="puzzles").start()
            with _jobs(config, readiness, jobs), shown(readiness, sys.stderr):
                server.run(warming.stop)
    finally:
        over.set()
    return not searches.in_processes and warming.works


@contextmanager
def _jobs(config: Config, readiness: Readiness, jobs: JobStore) -> Iterator[None]:
    """In the with block, run the job workers, starting when no game is being made ready and a job store exists.

    Workers that started earlier would compile the same games again. Garbage collection returns to normal, frequent
    and short, as soon as every game is ready or has failed.
    """
    over = threading.Event()

    def run() -> None:
        while not readiness.settled():
            if over.wait(_LOOK_SECONDS):
                return
        garbage.loaded()
        garbage.keep_serving()

        while True:
            jobs.look()
            if config.job_workers and os.path.exists(default_path()) and jobs.fault is None:
                break
            if over.wait(_LOOK_SECONDS):
                return
        from athanor.jobs.workers import serve

        def record(fault: AthanorError | None) -> None:
            if fault is None or (isinstance(fault, JobError) and fault.code != "store_busy"):
                jobs.record("working on", fault)

        arguments = (Store(), config.job_workers, over, record)
        working = threading.Thread(target=serve, args=arguments, name="work", daemon=True)
        working.start()
        while not over.wait(_STORE_SECONDS):
            jobs.look()
        working.join()

    thread = threading.Thread(target=run, name="jobs", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _check_settings() -> None:
    """Raise RequestError for an invalid value of a setting that is read later, elsewhere too."""
    memory_megabytes()
    table_megabytes()
    store_megabytes()
    kept_days()
    own = folder()
    if os.environ.get(FOLDER_VARIABLE) and not own.is_dir():
        message = say("{variable}: there is no folder {folder}", variable=FOLDER_VARIABLE, folder=own)
        raise RequestError("out_of_range", message)


def _check_tokens(config: Config, everyone: bool) -> None:
    """Raise RequestError if the token file is invalid, or if one is configured although `everyone` is served."""
    if not config.tokens_file:
        return
    if everyone:
        raise RequestError("conflict", say("--open lets everyone ask, but ATHANOR_TOKENS_FILE requires tokens"))
    from api.tokens import TokenFile

    TokenFile(config.tokens_file)


def _check_votes(config: Config) -> None:
    """Raise RequestError if the file of votes on puzzles is invalid."""
    if config.votes_file:
        from puzzles.training import opinions

        opinions(config.votes_file)


def _bind(host: str, port: int, *, guarded: bool) -> socket.socket:
    """Return a listening socket.

    Raises RequestError if it cannot be opened, or if other machines could reach it and the service is not
    `guarded` by tokens.
    """
    try:
        # IPv4 first: then a name like localhost means what most clients try.
        addresses = sorted(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE))
        family, kind, protocol, _, address = addresses[0]
        if not guarded and not _local(str(address[0])):
            raise _unguarded(host)
        bound = socket.socket(family, kind, protocol)
        try:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            bound.bind(address)
            bound.listen(_BACKLOG)
        except OSError:
            bound.close()
            raise
    except (OSError, OverflowError, UnicodeError) as error:
        raise _cannot_listen(host, port, error) from None
    return bound


def _unguarded(where: str) -> RequestError:
    message = say(
        "others than this machine reach {where}: name a file of tokens in ATHANOR_TOKENS_FILE (athanor token "
        "makes them), or let everyone ask with --open",
        where=where,
    )
    return RequestError("needs_tokens", message)


def _local(address: str) -> bool:
    """Whether only this machine can reach an address."""
    return ipaddress.ip_address(address.partition("%")[0]).is_loopback


def _cannot_listen(host: str, port: int, error: Exception) -> RequestError:
    reason = reason_of(error).lower()
    return RequestError(
        "cannot_listen", say("cannot listen on {host} port {port}: {reason}", host=host, port=port, reason=reason)
    )


def _url(host: str, bound: socket.socket) -> str:
    address = bound.getsockname()
    name = f"[{address[0]}]" if bound.family == socket.AF_INET6 else address[0]
    return f"http://{name}:{address[1]}/"
