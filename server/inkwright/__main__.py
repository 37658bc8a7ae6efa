"""`inkwright` and `python -m inkwright`."""

from __future__ import annotations

import sys

from inkwright.app import main

if __name__ == "__main__":
    sys.exit(main())
