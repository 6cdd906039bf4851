# SPDX-License-Identifier: Apache-2.0
"""A real Neo4j Community for tests: fetched from Maven Central, run on loopback, with a login.

    python scripts/neo4j_server.py fetch                 download it (Maven keeps it in ~/.m2)
    python scripts/neo4j_server.py newest                download the newest, print its version
    python scripts/neo4j_server.py run -- COMMAND ...    run a command with FABULA_GRAPH set to it
    python scripts/neo4j_server.py admin HOME ARG ...    neo4j-admin on a stopped server's folder

They end with 3 if it cannot be had here; the last line says why. Needs Maven and Java: 17 for
5.26, 21 or newer for the calendar versions. Neo4j is GPLv3: a tool of the tests, no part of Fabula.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Self

LTS = "5.26.30"
NEWEST = "2026.08.1"
USER = "neo4j"

_HERE = Path(__file__).with_name("neo4j")
_PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath"
_START_S = 180


class UnavailableError(Exception):
    """Neo4j cannot be had or run on this machine; the message says what is missing."""


def java_for(version: str) -> Path:
    """Finds a Java that runs a version of Neo4j.

    Raises:
        UnavailableError: there is none.
    """
    fits = (17, 21) if version.startswith("5.") else (21, 25)
    homes = [
        Path(os.environ.get("JAVA_HOME", "/nowhere")),
        *sorted(Path("/usr/lib/jvm").glob("*")),
        *([Path(found).resolve().parent.parent] if (found := shutil.which("java")) else []),
    ]
    for home in homes:
        java = home / "bin" / "java"
        if java.is_file() and _major(java) in fits:
            return java
    raise UnavailableError(f"Neo4j {version} needs Java {' or '.join(map(str, fits))}")


@cache
def _major(java: Path) -> int:
    told = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    found = re.search(r'version "(\d+)', told)
    return int(found[1]) if found else 0


@cache
def class_path(version: str) -> str:
    """Fetches Neo4j with Maven, from its cache where it is there, and returns the class path.

    Raises:
        UnavailableError: there is no Maven, or the repository cannot be reached.
    """
    if shutil.which("mvn") is None:
        raise UnavailableError("there is no Maven (`mvn`) to fetch Neo4j with")
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "classpath"
        command = ["mvn", "-B", "-q", "-f", str(_HERE / "pom.xml"), f"-Dneo4j={version}", _PLUGIN]
        command += ["-DincludeScope=runtime", f"-Dmdep.outputFile={out}"]
        for way in (["--offline"], []):
            done = subprocess.run([*command, *way], capture_output=True, text=True, check=False)
            if done.returncode == 0 and out.exists():
                return out.read_text(encoding="utf-8").strip()
    errors = [line for line in done.stdout.splitlines() if "ERROR" in line]
    reason = errors[0][:300] if errors else "Maven gave no reason"
    raise UnavailableError(f"Neo4j {version} cannot be fetched from Maven Central: {reason}")


class Neo4jServer:
    """A server on a free loopback port with a random password; use it as a context manager.

    Args:
        home: its folder; an existing one goes on where it was stopped or killed.
        version: version of Neo4j.
        heap: most memory of its Java heap, as Java writes it.
        page_cache: bytes of its page cache.

    Attributes:
        url, user, password: how to log in.
        pid: its process while it runs.
    """

    def __init__(
        self, home: Path, version: str = LTS, *, heap: str = "1g", page_cache: int = 512 << 20
    ) -> None:
        self.home = home
        self.version = version
        self.user = USER
        self._heap = heap
        self._page_cache = page_cache
        self._process: subprocess.Popen[bytes] | None = None
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.url = f"bolt://127.0.0.1:{self.port}"
        secret = home / "password"
        if not secret.exists():
            home.mkdir(parents=True, exist_ok=True)
            secret.touch(mode=0o600)
            secret.write_text(secrets.token_urlsafe(16), encoding="ascii")
        self.password = secret.read_text(encoding="ascii")

    @property
    def pid(self) -> int:
        """Process id.

        Raises:
            UnavailableError: it does not run.
        """
        if self._process is None:
            raise UnavailableError("the server does not run")
        return self._process.pid

    @property
    def environment(self) -> dict[str, str]:
        """What a command needs to find it."""
        return {
            "FABULA_GRAPH": self.url,
            "FABULA_GRAPH_USER": self.user,
            "FABULA_GRAPH_PASSWORD": self.password,
        }

    def start(self) -> None:
        """Starts it and waits until it answers.

        Raises:
            UnavailableError: it did not start; the message ends with its own words.
        """
        arguments = [str(self.home / "neo4j"), str(self.port), str(self._page_cache), "attached"]
        with (self.home / "server.log").open("wb") as log:
            self._process = subprocess.Popen(
                [
                    str(java_for(self.version)), f"-Xmx{self._heap}", "-XX:+UseSerialGC",
                    "-cp", class_path(self.version), str(_HERE / "Server.java"), *arguments,
                ],
                stdin=subprocess.PIPE, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip
        deadline = time.monotonic() + _START_S
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                said = (self.home / "server.log").read_text(encoding="utf-8", errors="replace")
                raise UnavailableError(f"Neo4j {self.version} did not start: {said[-800:]}")
            time.sleep(0.3)

    def _answers(self) -> bool:
        """Logs in; at the first start with the password that Neo4j gives, which is changed."""
        import neo4j
        from neo4j.exceptions import AuthError, DriverError, Neo4jError

        with contextlib.suppress(OSError):
            with socket.create_connection(("127.0.0.1", self.port), 1):
                pass
            for password in (self.password, "neo4j"):
                try:
                    with neo4j.GraphDatabase.driver(self.url, auth=(USER, password)) as driver:
                        if password == self.password:
                            driver.execute_query("RETURN 1", database_="neo4j")
                            return True
                        driver.execute_query(
                            "ALTER CURRENT USER SET PASSWORD FROM 'neo4j' TO $new",
                            new=self.password, database_="system",
                        )  # fmt: skip
                except AuthError:
                    continue
                except (DriverError, Neo4jError):
                    return False
        return False

    def stop(self) -> None:
        """Stops it cleanly."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(60)
            self._close()

    def kill(self) -> None:
        """Kills it as a power cut would."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._process.pid, signal.SIGKILL)
            self._process.wait(60)
            self._close()

    def _close(self) -> None:
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
        self._process = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()


def admin(home: Path, version: str, arguments: list[str]) -> int:
    """Runs `neo4j-admin` on the folder of a stopped server and returns its exit code."""
    folder = home / "neo4j"
    (folder / "conf").mkdir(parents=True, exist_ok=True)
    command = [str(java_for(version)), "-Xmx2g", "-cp", class_path(version)]
    return subprocess.run(
        [*command, "org.neo4j.cli.AdminTool", *arguments],
        env=os.environ | {"NEO4J_HOME": str(folder), "NEO4J_CONF": str(folder / "conf")},
        check=False,
    ).returncode


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--version", default=LTS, help=f"default {LTS}; newest tried: {NEWEST}")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("fetch")
    commands.add_parser("newest")
    run = commands.add_parser("run")
    run.add_argument("--home", type=Path, help="its folder; default: a temporary one")
    run.add_argument("program", nargs="+", metavar="COMMAND")
    tool = commands.add_parser("admin")
    tool.add_argument("home", type=Path)
    tool.add_argument("argument", nargs=argparse.REMAINDER)
    given = parser.parse_args()
    try:
        if given.command == "admin":
            return admin(given.home, given.version, given.argument)
        version = NEWEST if given.command == "newest" else given.version
        java_for(version)
        class_path(version)
        if given.command == "newest":
            print(NEWEST)
        if given.command in ("fetch", "newest"):
            return 0
        with contextlib.ExitStack() as stack:
            home = given.home or Path(stack.enter_context(tempfile.TemporaryDirectory()))
            server = stack.enter_context(Neo4jServer(home, given.version))
            print(f"Neo4j {given.version} at {server.url}", file=sys.stderr)
            return subprocess.run(
                given.program, env=os.environ | server.environment, check=False
            ).returncode
    except UnavailableError as error:
        print(f"no Neo4j here: {error}", file=sys.stderr)
        return 3


if __name__ == "__main__":
    sys.exit(main())
