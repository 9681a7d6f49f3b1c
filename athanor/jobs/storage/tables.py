"""The file of a store: its tables, and how it is opened, read and written."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import (
    URL,
    CheckConstraint,
    Column,
    Connection,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    create_engine,
    event,
)

from athanor.jobs.errors import JobError
from athanor.jobs.storage.faults import translated
from solver.errors import whole_number

WAITING, RUNNING, DONE, FAILED, CANCELLED = range(5)  # the states of a unit
STATES = ("waiting", "running", "done", "failed", "cancelled")

_FORMAT = 2  # of the tables, kept in the file
_PAGE_BYTES = 4096
_MEGABYTES = 1024  # of a store, unless ATHANOR_JOBS_MB says otherwise
_BUSY_SECONDS = 20  # how long a transaction waits for those of other processes

_metadata = MetaData()
JOBS = Table(
    "jobs",
    _metadata,
    Column("number", Integer, primary_key=True),
    Column("id", Text, nullable=False, unique=True),
    Column("kind", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("key", Text),
    Column("digest", Text, nullable=False),  # of the units: the same key must come with the same ones
    Column("client", Text, nullable=False),
    Column("total", Integer, nullable=False),
    Column("created", Float, nullable=False),  # seconds of the wall clock, shown and never compared with leases
    Column("ended", Float),
    Column("cpu", Float, nullable=False),  # seconds of processor time that its units took
    UniqueConstraint("client", "key"),
)
UNITS = Table(
    "units",
    _metadata,
    Column("id", Integer, primary_key=True),
    Column("job", Integer, ForeignKey("jobs.number", ondelete="CASCADE"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("payload", Text, nullable=False),
    Column("state", Integer, CheckConstraint("state BETWEEN 0 AND 4"), nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("token", Text),  # of the claim under which it runs: every later write names it
    Column("until", Float),  # when the lease ends, by the monotonic clock of the machine
    Column("worker", Text),
    Index("units_by_turn", "state", "number", "id"),
    Index("units_of_job", "job", "number", unique=True),
    Index("units_by_state", "job", "state"),
)
RESULTS = Table(
    "results",
    _metadata,
    Column("id", Integer, primary_key=True),
    Column("job", Integer, ForeignKey("jobs.number", ondelete="CASCADE"), nullable=False),
    Column("unit", Integer, nullable=False),
    Column("text", Text, nullable=False),
    Index("results_of_job", "job", "id"),
    Index("results_of_unit", "job", "unit"),
    sqlite_autoincrement=True,  # an id is never used again, so whoever asks for what came after one misses nothing
)
CLOCK = Table(  # what the clocks said when retention was last looked at
    "clock",
    _metadata,
    Column("id", Integer, primary_key=True),
    Column("wall", Float, nullable=False),
    Column("monotonic", Float, nullable=False),
)

HELD = Table(  # clients whose units are not begun for now
    "held",
    _metadata,
    Column("client", Text, primary_key=True),
    Column("until", Float, nullable=False),  # by the monotonic clock of the machine, as leases
)


def most_megabytes() -> int:
    """How large a store may grow: ATHANOR_JOBS_MB, by default 1024. Raises RequestError for an unfit value."""
    found = whole_number("ATHANOR_JOBS_MB", 1, 1 << 24, "MiB")
    return _MEGABYTES if found is None else found


class Database:
    """A store's file, opened when it is first used and made where it is not there. May be used from any thread."""

    def __init__(self, path: str, megabytes: int) -> None:
        self.path = path
        pages = megabytes * (1 << 20) // _PAGE_BYTES
        self._engine = create_engine(URL.create("sqlite", database=path), connect_args={"timeout": _BUSY_SECONDS})
        self._made = False

        @event.listens_for(self._engine, "connect")
        def opened(connection: Any, _: object) -> None:
            connection.isolation_level = None  # transactions begin where we say so
            for pragma in (
                f"page_size={_PAGE_BYTES}",
                "journal_mode=WAL",
                "synchronous=FULL",
                "foreign_keys=ON",
                "secure_delete=OFF",
                f"max_page_count={pages}",
            ):
                connection.execute(f"PRAGMA {pragma}").fetchall()

        @event.listens_for(self._engine, "begin")
        def begun(connection: Connection) -> None:
            writes = connection.get_execution_options().get("writes", False)
            connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that sees one state of the file. Raises JobError."""
        self._make()
        with translated(self.path), self._engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that is on the disk when the block has ended, and has left no trace if it fails.

        Raises JobError.
        """
        self._make()
        with self._writing() as connection:
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with translated(self.path), self._engine.connect() as plain:
            connection = plain.execution_options(writes=True)
            with connection.begin():
                yield connection

    def check(self) -> None:
        """Look through the whole file. Raises JobError where it is damaged."""
        with self.reading() as connection:
            found = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
        if found != "ok":
            message = f"{self.path} is damaged ({found}); move it away to go on"
            raise JobError("store_damaged", message)

    def close(self) -> None:
        """Let go of the file."""
        self._engine.dispose()

    def _make(self) -> None:
        if self._made:
            return
        folder = os.path.dirname(os.path.abspath(self.path))
        try:
            os.makedirs(folder, mode=0o700, exist_ok=True)
        except OSError as found:
            raise JobError("store_unreadable", f"{folder} cannot be made: {found.strerror}") from None
        with self._writing() as connection:
            version = connection.exec_driver_sql("PRAGMA user_version").scalar()
            if version in (0, _FORMAT):
                _metadata.create_all(connection)  # what is not there yet
            if version == 0:
                connection.exec_driver_sql(f"PRAGMA user_version = {_FORMAT}")
            elif version != _FORMAT:
                message = f"{self.path} was made by another version of Athanor; move it away to go on"
                raise JobError("store_unreadable", message)
        self._made = True
