# SPDX-License-Identifier: Apache-2.0
"""Shares a graph folder over Bolt on this machine, for several processes and for Neo4j tools."""

from __future__ import annotations

import os
import secrets
import signal
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graph.embedded import HOLDER, EmbeddedStore, write_holder
from graph.engine import DATABASE, server
from graph.errors import GraphError, UsageError
from graph.migrations import check_version

PASSWORD_FILE = "bolt-password"
USER = "root"
HOST = "127.0.0.1"


@dataclass(frozen=True)
class Address:
    """Where a shared graph can be reached."""

    url: str
    """`bolt://127.0.0.1:PORT`."""
    user: str
    """Login name."""
    password_file: Path
    """File with the password, readable by its owner only."""
    database: str
    """Name of the database, for tools that ask for one."""


class GraphServer:
    """A graph folder on loopback Bolt; use it as a context manager.

    Args:
        folder: the graph's folder.
        port: port to listen on; 0 takes a free one.
        timeout_s: seconds after which the server stops any single statement, 0 for no limit.

    Raises:
        GraphBusyError: another process holds the folder.
        UsageError: the port is taken.
    """

    def __init__(self, folder: Path, *, port: int = 0, timeout_s: float = 600.0) -> None:
        self._folder = folder.resolve()
        # Opened and closed once: makes the schema, and says who holds the folder if it is busy.
        with EmbeddedStore(folder) as store:
            check_version(store)
        self._port = _free_port(port)
        self._timeout_s = timeout_s
        self._server: Any = None

    def __enter__(self) -> Address:
        password = _password(self._folder)
        self._server = server(
            self._folder,
            password=password,
            bolt_port=self._port,
            # The engine cannot start without its HTTP listener: loopback, a free port, and the
            # same password.
            http_port=_free_port(0),
            host=HOST,
            timeout_s=self._timeout_s,
        )
        address = Address(
            f"bolt://{HOST}:{self._port}", USER, self._folder / PASSWORD_FILE, DATABASE
        )
        write_holder(self._folder, address.url)
        return address

    def __exit__(self, *_: object) -> None:
        self._server.stop()
        (self._folder / HOLDER).unlink(missing_ok=True)


def serve_until_signal(server: GraphServer, ready: Callable[[Address], None]) -> None:
    """Serves until SIGINT or SIGTERM, then stops cleanly.

    Args:
        server: what to serve.
        ready: called once the port is open.
    """
    stop = threading.Event()
    old = {
        number: signal.signal(number, lambda *_: stop.set())
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        with server as address:
            ready(address)
            stop.wait()
    finally:
        for number, handler in old.items():
            signal.signal(number, handler)


def _free_port(port: int) -> int:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            raise UsageError(
                f"port {port} on {HOST} is taken: give another one, or 0 for any free port"
            ) from error
        return int(probe.getsockname()[1])


def _password(folder: Path) -> str:
    """Returns the folder's password; makes a random one at the first call."""
    path = folder / PASSWORD_FILE
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        password = path.read_text(encoding="ascii").strip()
        if not password:
            raise GraphError(f"{path} is empty: delete it to get a new password") from None
        return password
    password = secrets.token_urlsafe(24)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(password + "\n")
    # The engine keeps a hash of the first password it saw: a new password needs a new hash.
    (folder / "config" / "server-users.jsonl").unlink(missing_ok=True)
    return password
