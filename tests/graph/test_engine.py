# SPDX-License-Identifier: Apache-2.0
"""The Java virtual machine lives in a Python process without either harming the other."""

from __future__ import annotations

import subprocess
import sys

# pytest turns Python's fault handler on before the tests and off after them, as this does.
SAFEPOINTS_AFTER_THE_FAULT_HANDLER = """
import faulthandler, sys, threading
faulthandler.enable()
from graph.store import open_graph
with open_graph(sys.argv[1]) as store:
    store.read("RETURN 1 AS one")
    faulthandler.disable()
    import jpype
    done = threading.Event()
    def collect_garbage():
        while not done.is_set():
            jpype.java.lang.System.gc()
    collector = threading.Thread(target=collect_garbage)
    collector.start()
    for _ in range(30):
        store.read("UNWIND range(1, 100000) AS x RETURN sum(x) AS total")
    done.set()
    collector.join()
print("closed")
"""


def test_turning_pythons_fault_handler_off_does_not_crash_the_process(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", SAFEPOINTS_AFTER_THE_FAULT_HANDLER, str(tmp_path / "g")],
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "closed\n"), done.stderr[-2000:]
