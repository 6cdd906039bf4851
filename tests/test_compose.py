# SPDX-License-Identifier: Apache-2.0
"""docker-compose.yml and the Dockerfile: valid, on loopback only, with all that they copy."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
SERVICES = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))["services"]


def client():
    """The compose client's command, where there is one of version 2 or newer."""
    for command in (["docker", "compose"], ["docker-compose"]):
        if shutil.which(command[0]):
            told = subprocess.run(
                [*command, "version", "--short"], capture_output=True, text=True, check=False
            )
            if told.returncode == 0 and not told.stdout.startswith("1."):
                return command
    return None


@pytest.mark.skipif(client() is None, reason="no docker compose client here")
def test_compose_accepts_the_file():
    command = [*client(), "--file", str(ROOT / "docker-compose.yml"), "config"]
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "FABULA_GRAPH_PASSWORD": "long-enough"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    del environment["FABULA_GRAPH_PASSWORD"]
    refused = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert refused.returncode != 0
    assert "set FABULA_GRAPH_PASSWORD" in refused.stderr


def test_ports_are_open_on_this_machine_only():
    ports = [port for service in SERVICES.values() for port in service.get("ports", ())]
    assert ports
    assert all(port.startswith("127.0.0.1:") for port in ports)


def test_neo4j_keeps_its_data_and_says_when_it_is_ready():
    neo4j = SERVICES["neo4j"]
    assert "neo4j-data:/data" in neo4j["volumes"]
    assert "RETURN 1" in neo4j["healthcheck"]["test"][1]
    assert any("heap_max" in name for name in neo4j["environment"])
    assert any("pagecache" in name for name in neo4j["environment"])


def test_fabula_waits_for_neo4j():
    assert SERVICES["fabula"]["depends_on"] == {"neo4j": {"condition": "service_healthy"}}


def test_the_image_gets_every_file_that_it_copies():
    kept = (ROOT / ".dockerignore").read_text(encoding="utf-8")
    copies = re.findall(r"^COPY (.+) \S+$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    names = [name for line in copies for name in line.split()]
    assert {"graph", "ingest", "reasoners", "benchmarks", "fabula"} <= set(names)
    for name in names:
        assert (ROOT / name).exists(), name
        assert f"!{name.partition('/')[0]}" in kept.splitlines(), name
