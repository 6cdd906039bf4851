# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import functools
import hashlib
import http.server
import io
import json
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from graph.errors import DataError, UsageError
from graph.progress import Progress
from ingest import checksums
from ingest import source as source_module
from ingest.download import fetch
from ingest.readers import READERS
from ingest.source import SAMPLE, Source

NOWHERE = "http://127.0.0.1:9"


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_GET(self) -> None:
        if self.path.endswith("/broken"):
            self.send_response(200)
            self.send_header("Content-Length", "100")
            self.end_headers()
            self.wfile.write(b"half")
            return
        super().do_GET()


@pytest.fixture
def upstream(tmp_path: Path) -> Iterator[str]:
    """A server that has the sample where the authors have their files, and train files too."""
    root = tmp_path / "upstream"
    for folder, place in source_module._PUBLISHED.items():
        shutil.copytree(SAMPLE / folder, root / place)
    for folder, name in (("poque", "all_train_data.jsonl"), ("pasta", "tr_data.jsonl")):
        (root / source_module._PUBLISHED[folder] / name).write_text("")
    handler = functools.partial(Handler, directory=str(root))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(autouse=True)
def _known(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As if the sample were what the authors published; no folder named by the environment."""
    known = {
        file.name: checksums.sha256(file.path)
        for name in READERS
        for file in READERS.get(name).files(SAMPLE)
    }
    for module in (checksums, source_module):
        monkeypatch.setattr(module, "known_files", lambda: known)
    monkeypatch.delenv("FABULA_DATA", raising=False)
    monkeypatch.delenv("FABULA_OFFLINE", raising=False)
    monkeypatch.chdir(tmp_path)


def test_a_given_folder_comes_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("given", "named", "data"):
        shutil.copytree(SAMPLE, tmp_path / name)
    monkeypatch.setenv("FABULA_DATA", str(tmp_path / "named"))
    found = [
        Source(data, mirror=NOWHERE).locate(READERS.get("pasta"))
        for data in (tmp_path / "given", None)
    ]
    assert [(place.origin, place.root.name) for place in found] == [
        ("given", "given"), ("environment", "named"),
    ]  # fmt: skip
    monkeypatch.delenv("FABULA_DATA")
    place = Source(mirror=NOWHERE).locate(READERS.get("pasta"))
    assert (place.origin, place.root, place.notices) == ("folder", Path("data"), ())


def test_a_given_folder_must_hold_the_data_set(tmp_path: Path) -> None:
    (tmp_path / "given").mkdir()
    with pytest.raises(DataError, match=r"no poque data in .*looked for poque/all_\{train"):
        Source(tmp_path / "given").locate(READERS.get("poque"))
    with pytest.raises(UsageError, match="there is no folder"):
        Source(tmp_path / "nowhere")


def test_what_is_missing_is_downloaded_once(upstream: str, tmp_path: Path) -> None:
    source = Source(mirror=upstream)
    for name in READERS:
        place = source.locate(READERS.get(name))
        assert (place.origin, place.notices) == ("downloaded", ())
    assert (tmp_path / "data/pasta/tr_data.jsonl").exists()
    for name in READERS:
        for file in READERS.get(name).files(SAMPLE):
            assert (tmp_path / "data" / file.name).read_bytes() == file.path.read_bytes()
    assert not [path for path in (tmp_path / "data").rglob(".*") if path.is_file()]
    again = Source(mirror=NOWHERE)
    assert {again.locate(READERS.get(name)).origin for name in READERS} == {"folder"}


def test_a_download_goes_on_where_it_stopped(upstream: str, tmp_path: Path) -> None:
    shutil.copytree(SAMPLE / "pasta", tmp_path / "data/pasta")
    kept = tmp_path / "data/pasta/te_data.jsonl"
    kept.write_text("mine")
    (tmp_path / "data/pasta/val_data.jsonl").unlink()
    place = Source(mirror=upstream).locate(READERS.get("pasta"))
    assert place.origin == "downloaded"
    assert kept.read_text() == "mine"
    assert len(place.notices) == 1
    assert "te_data.jsonl differs from the published file" in place.notices[0]


def test_without_a_network_the_sample_is_used_and_said_so(tmp_path: Path) -> None:
    shown = io.StringIO()
    source = Source(mirror=NOWHERE)
    with Progress(stream=shown) as progress:
        place = source.locate(READERS.get("choice75"), progress)
        # The reason is told once, however often the data set is looked for.
        source.locate(READERS.get("choice75"), progress)
    assert shown.getvalue().count("choice75: cannot download") == 1
    assert not (tmp_path / "data").exists()
    assert (place.origin, place.root) == ("sample", SAMPLE)
    assert all(file.name.startswith("sample/choice-75/") for file in place.files)
    (notice,) = place.notices
    assert "SAMPLE DATA, figures on it mean nothing (no download; give" in notice
    assert "\n" not in notice


def test_without_a_network_part_of_a_data_set_is_used(tmp_path: Path) -> None:
    (tmp_path / "data/pasta").mkdir(parents=True)
    shutil.copy(SAMPLE / "pasta/te_data.jsonl", tmp_path / "data/pasta")
    place = Source(mirror=NOWHERE).locate(READERS.get("pasta"))
    assert (place.origin, [file.split for file in place.files]) == ("folder", ["te"])
    assert "using only the files in data" in place.notices[0]


def test_downloads_can_be_turned_off(upstream: str, monkeypatch: pytest.MonkeyPatch) -> None:
    place = Source(mirror=upstream, download=False).locate(READERS.get("pasta"))
    assert place.origin == "sample"
    monkeypatch.setenv("FABULA_OFFLINE", "1")
    place = Source(mirror=upstream).locate(READERS.get("pasta"))
    assert place.origin == "sample"
    assert "downloads are off" in place.notices[0]


def test_a_broken_download_leaves_nothing(upstream: str, tmp_path: Path) -> None:
    for name in ("broken", "absent"):
        with pytest.raises(DataError, match=r"cannot download|broke off after 4 of 100"):
            fetch(f"{upstream}/{name}", tmp_path / "new" / "file")
    assert list((tmp_path / "new").iterdir()) == []


def test_a_changed_file_is_used_with_a_warning(tmp_path: Path) -> None:
    shutil.copytree(SAMPLE, tmp_path / "given")
    with (tmp_path / "given/pasta/te_data.jsonl").open("a") as file:
        file.write("\n")
    place = Source(tmp_path / "given").locate(READERS.get("pasta"))
    assert len(place.files) == 2
    (notice,) = place.notices
    assert "te_data.jsonl differs from the published file" in notice


def test_train_files_are_compared_with_their_first_use(tmp_path: Path) -> None:
    shutil.copytree(SAMPLE, tmp_path / "given")
    train = tmp_path / "given/pasta/tr_data.jsonl"
    train.write_bytes(b"\n")
    source = Source(tmp_path / "given")
    assert source.locate(READERS.get("pasta")).notices == ()
    noted = json.loads((tmp_path / "given/checksums.json").read_text())
    assert noted == {"pasta/tr_data.jsonl": hashlib.sha256(b"\n").hexdigest()}
    assert source.locate(READERS.get("pasta")).notices == ()
    train.write_bytes(b"\n\n")
    (notice,) = source.locate(READERS.get("pasta")).notices
    assert "tr_data.jsonl differs from the one used before" in notice
