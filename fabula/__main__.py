# SPDX-License-Identifier: Apache-2.0
"""`python -m fabula`: the same as `fabula`."""

from fabula.cli import main

if __name__ == "__main__":
    main()
