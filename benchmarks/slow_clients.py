"""What slow clients cost a fast one: `python -m benchmarks.slow_clients --url http://127.0.0.1:8000`.

So many clients connect and send nothing, half a header or half a body, a byte now and then. Beside them one
asks for `/healthz` again and again, each time on a new connection. What is printed are the percentiles of its
time, first alone and then beside the slow ones, and how many of those the service still waits for at the end.
"""

from __future__ import annotations

import http.client
import socket
import statistics
import threading
import time
from urllib.parse import urlsplit

import click

_SENT = (
    b"",
    b"POST /v1/analyze HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
    b"POST /v1/analyze HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n{",
)


def times(host: str, port: int, seconds: float) -> tuple[list[float], int]:
    """The times of one request after the other, in milliseconds, and how many failed."""
    found: list[float] = []
    failed = 0
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        began = time.perf_counter()
        connection = http.client.HTTPConnection(host, port, timeout=20)
        try:
            connection.request("GET", "/healthz")
            failed += connection.getresponse().read() == b""
        except OSError:
            failed += 1
        finally:
            connection.close()
        found.append(1e3 * (time.perf_counter() - began))
        time.sleep(0.005)
    return found, failed


def told(name: str, found: list[float], failed: int) -> str:
    cuts = statistics.quantiles(found, n=100)
    return (
        f"{name}: {len(found)} requests, {failed} failed; "
        f"median {cuts[49]:.1f} ms, p99 {cuts[98]:.1f} ms, longest {max(found):.1f} ms"
    )


@click.command()
@click.option("--url", default="http://127.0.0.1:8000", show_default=True)
@click.option("--clients", default=1000, show_default=True, help="How many slow clients.")
@click.option("--drip", default=0.5, show_default=True, help="Seconds between two bytes of a slow client.")
@click.option("--seconds", default=5.0, show_default=True, help="How long to measure, each time.")
def main(url: str, clients: int, drip: float, seconds: float) -> None:
    """Measure a fast client alone, and beside slow ones."""
    address = urlsplit(url)
    host, port = address.hostname or "127.0.0.1", address.port or 80
    click.echo(told("alone", *times(host, port, seconds)))
    slow: list[socket.socket] = []
    for number in range(clients):
        client = socket.create_connection((host, port), timeout=20)
        client.sendall(_SENT[number % len(_SENT)])
        slow.append(client)
    ended = threading.Event()

    def dripping() -> None:
        while not ended.wait(drip):
            for number, client in enumerate(slow):
                if _SENT[number % len(_SENT)]:
                    try:
                        client.sendall(b"x")
                    except OSError:
                        continue

    thread = threading.Thread(target=dripping)
    thread.start()
    found, failed = times(host, port, seconds)
    ended.set()
    thread.join()
    click.echo(told(f"beside {clients} slow clients", found, failed))
    click.echo(f"{sum(map(_open, slow))} of the slow clients are still waited for")


def _open(client: socket.socket) -> bool:
    client.setblocking(False)
    try:
        client.recv(1)  # the end, or what the service says before it
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


if __name__ == "__main__":
    main()
