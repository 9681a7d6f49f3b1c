"""A cluster over TLS does a batch for who has the certificate, and for nobody else. Needs dask and openssl."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from athanor.jobs.batches import Batch
from athanor.jobs.errors import JobError
from athanor.jobs.questions import payloads
from athanor.jobs.workers import cluster

distributed = pytest.importorskip("distributed", reason="dask is not installed")

pytestmark = pytest.mark.filterwarnings("ignore")  # dask's own, when a cluster is torn down

# The settings are those of DASK_DISTRIBUTED__COMM__TLS__CA_FILE and so on.
SETTINGS = ("ca-file", "client.cert", "client.key")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """A certificate that vouches for itself, and its key."""
    tool = shutil.which("openssl")
    if tool is None:
        pytest.skip("openssl is not installed")
    folder = tmp_path_factory.mktemp("tls")
    certificate, key = str(folder / "cert.pem"), str(folder / "key.pem")
    curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256")
    subject = ("-subj", "/CN=localhost", "-days", "2")
    command = [tool, "req", "-x509", *curve, "-nodes", "-keyout", key, "-out", certificate, *subject]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    return certificate, key


@pytest.fixture
def encrypted(files: tuple[str, str]) -> Iterator[Any]:
    """A cluster that speaks TLS alone."""
    certificate, key = files
    sides = {f"tls_{side}_{what}": path for side in ("client", "scheduler", "worker") for what, path in
             (("cert", certificate), ("key", key))}  # fmt: skip
    security = distributed.Security(tls_ca_file=certificate, require_encryption=True, **sides)
    with distributed.LocalCluster(
        n_workers=1,
        threads_per_worker=1,
        processes=False,
        protocol="tls://",
        security=security,
        dashboard_address=None,
    ) as there:
        yield there


def test_a_batch_over_tls(
    encrypted: Any, files: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import dask

    address = encrypted.scheduler_address
    assert address.startswith("tls://")
    monkeypatch.setattr(cluster, "_TIMEOUT_SECONDS", 2)
    with pytest.raises(JobError, match="no certificate"), cluster.connected(address):
        pass
    monkeypatch.setattr(cluster, "_TIMEOUT_SECONDS", 30)
    certificate, key = files
    paths = zip(SETTINGS, (certificate, certificate, key), strict=True)
    asked = payloads("deal", [{"game": "kirin", "seed": 2, "number": unit, "deals": 1} for unit in range(4)])
    batch = Batch("deal", asked, str(tmp_path / "deals.ndjson"))
    with (
        dask.config.set({f"distributed.comm.tls.{name}": path for name, path in paths}),
        cluster.connected(address) as client,
    ):
        assert client.scheduler_info()["address"] == address
        assert cluster.work(batch.store, client)
    assert batch.finish() == 0
    assert len((tmp_path / "deals.ndjson").read_text().splitlines()) == 4
