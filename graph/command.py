# SPDX-License-Identifier: Apache-2.0
"""What every command line of the project shares: its looks, its messages and exit codes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

import typer

from graph.errors import FabulaError


def program(**more: Any) -> typer.Typer:
    """A command line with the project's settings.

    Args:
        more: further settings of `typer.Typer`.
    """
    return typer.Typer(
        add_completion=False,
        rich_markup_mode="markdown",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        **more,
    )


def run_command(command: Callable[[], Any]) -> int:
    """Runs a command line and returns its exit code.

    A user's mistake prints one message without a traceback and gives 2; an interruption gives
    130; everything else is a bug and shows its traceback.
    """
    try:
        command()
    except FabulaError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted: the same command goes on where it stopped", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader of our output (head, less) has gone: nothing is wrong. Python would
        # complain once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 0 if stop.code is None else 1
    return 0
