"""nginx and Caddy with the files of `deploy/`, in front of a service."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support import places

PROXIES = ("nginx", "caddy")


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def _nginx(folder: Path, port: int, service: int, path: str) -> list[str]:
    """The command that runs the file of `deploy/`, for these ports and without a certificate."""
    ours = (places.ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
    ours = re.sub(r"(?m)^\s*ssl_.*\n", "", ours).replace("listen 443 ssl", f"listen 127.0.0.1:{port}")
    ours = ours.replace("127.0.0.1:8000", f"127.0.0.1:{service}").replace("/run/nginx.pid", f"{folder}/pid")
    ours = ours.replace("/var/log/nginx", str(folder)).replace("worker_processes auto", "worker_processes 1")
    if path:  # as the file says
        ours = ours.replace("location /", f"location {path}/").replace("http://athanor;", "http://athanor/;")
        ours = ours.replace('X-Forwarded-Prefix ""', f"X-Forwarded-Prefix {path}")
    kept = "".join(
        f"{name}_temp_path {folder / name};\n" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    found = folder / "nginx.conf"
    found.write_text("daemon off;\n" + ours.replace("http {\n", "http {\n" + kept))
    return ["-c", str(found), "-p", str(folder), "-e", str(folder / "error.log")]


def _caddy(folder: Path, port: int, service: int, path: str) -> list[str]:
    """Likewise; nobody may ask it for its own settings."""
    ours = (places.ROOT / "deploy" / "Caddyfile").read_text(encoding="utf-8")
    ours = ours.replace("cards.example", f"http://:{port}").replace("127.0.0.1:8000", f"127.0.0.1:{service}")
    if path:
        ours = ours.replace("\treverse_proxy", f"\thandle_path {path}/* {{\n\treverse_proxy")
        ours = ours.removesuffix("}\n") + "\t}\n}\n"
        ours = ours.replace('X-Forwarded-Prefix ""', f"X-Forwarded-Prefix {path}")
    found = folder / "Caddyfile"
    found.write_text(ours.replace("{\n", "{\n\tadmin off\n", 1))
    return ["run", "--config", str(found), "--adapter", "caddyfile"]


def program_of(name: str) -> str | None:
    """The path of a proxy that is installed."""
    folders = [str(Path(sys.executable).parent), "/usr/sbin", "/usr/local/sbin", os.environ.get("PATH", "")]
    return shutil.which(name, path=os.pathsep.join(folders))


@contextmanager
def proxying(name: str, folder: Path, service: int, path: str = "") -> Iterator[int]:
    """The port of a proxy before a service, which is then at a path."""
    program = program_of(name)
    if program is None:
        pytest.skip(f"{name} is not installed")
    folder.chmod(0o755)
    environ = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    while True:
        port = _free_port()
        command = [program, *(_nginx if name == "nginx" else _caddy)(folder, port, service, path)]
        with (folder / "told").open("wb") as told:
            process = subprocess.Popen(command, stdout=told, stderr=told, env=environ)
        if _listens(process, port):
            break
        said = (folder / "told").read_text()
        assert "in use" in said, said  # somebody else has taken the port meanwhile
    try:
        yield port
    finally:
        process.terminate()
        process.wait(20)


def _listens(process: subprocess.Popen[bytes], port: int) -> bool:
    """Whether a proxy listens; False if it has ended."""
    end = time.monotonic() + 20
    while process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except ConnectionError:
            assert time.monotonic() < end
            time.sleep(0.05)
        else:
            # Another program may have the port, and the proxy be about to find out.
            time.sleep(0.05)
            return process.poll() is None
    return False
